"""A layout of a tile in shared memory without bank conflicts, for its writer and its reader alike.

Candidates come in the order of what they cost: as it is, swizzled (no memory more), padded by ever more.

>>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
>>> writer, reader = (make_static_tile_distribution(read_encoding(text)) for text in (
...     "tile_distribution_encoding<sequence<>, tuple<sequence<2, 4, 16>, sequence<4, 8>>, tuple<sequence<1>,"
...     " sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>, sequence<1, 2>, sequence<0, 1>>",
...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 32>, sequence<2, 2, 8>>, tuple<sequence<1>,"
...     " sequence<2, 1>>, tuple<sequence<0>, sequence<1, 1>>, sequence<2, 2>, sequence<0, 2>>",
... ))
>>> for found in free_layouts(writer, reader, "f16", "gfx942"):
...     print(found)
xor swizzle, every 2 lines, packs of 8: 8192 bytes

No padding helps here: the writer wants rows four packs apart, the reader an odd number of packs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from layoutalg.data_type import DataType
from layoutalg.distribution import make_tile_window
from layoutalg.errors import LayoutError
from layoutalg.memory.bank_conflicts import BankConflicts, bank_conflicts
from layoutalg.memory.lds_layouts import RowSwizzle, padded_rows, row_major, xor_swizzled
from layoutalg.memory.wave_access import WaveAccess

if TYPE_CHECKING:
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.distribution import TileDistribution
    from layoutalg.machine.lds import Direction

__all__ = [
    "LdsLayout",
    "examined",
    "free_layouts",
    "least_conflicts",
    "padded",
    "row_swizzles",
    "swizzles",
    "unpadded",
]

PLAIN = "rows as they are"
MOST_PADDING = 16  # packs
STEPS = (1, 2, 4, 8, 16)  # rows that are swizzled alike
LINES = (128, 256)  # bytes in one turn of 32 banks, and of 64
REMEMBERED = 1024  # layouts with their conflicts: the candidates of a plan share most tiles


@dataclass(frozen=True)
class LdsLayout:
    """A layout of the tile, what it is called, and the conflicts of its writer and its reader."""

    name: str
    descriptor: TensorDescriptor
    element: DataType
    writer: BankConflicts
    reader: BankConflicts

    @property
    def bytes(self) -> int:
        """What it takes of shared memory."""
        return self.element.size_in_bytes(int(self.descriptor.element_space_size))

    @property
    def is_free(self) -> bool:
        return self.writer.is_free and self.reader.is_free

    def __str__(self) -> str:
        return f"{self.name}: {self.bytes} bytes"


def free_layouts(
    writer: TileDistribution,
    reader: TileDistribution,
    element: DataType | str,
    target: str,
    *,
    pack: int | None = None,
    source: str | None = None,
) -> tuple[LdsLayout, ...]:
    """The first layout without conflicts that needs no more memory, and the one with the smallest padding.

    ``pack``: neighbours of a row that stay together and move at once; left out, as many as fill 16 bytes, and
    half as many where those have no free layout. Empty where none of the candidates is free. Counted by
    enumeration; ``properties.conflict_free`` makes the claims that prove it.
    """
    kind = DataType.named(element) if isinstance(element, str) else element
    rows, columns = _tile(writer, reader)
    for held in _packs(columns, kind) if pack is None else (pack,):
        free: list[LdsLayout] = []
        for family in (unpadded(rows, columns, held), padded(rows, columns, held)):
            made = (examined(*named, (writer, reader), kind, target, source) for named in family)
            found = next((layout for layout in made if layout.is_free), None)
            free += [] if found is None else [found]
            if found is not None and found.name.startswith(PLAIN):
                break
        if free:
            return tuple(free)
    return ()


def swizzles(rows: int, columns: int, pack: int, element: DataType) -> Iterator[TensorDescriptor]:
    """The swizzles of rows that fill lines of 128 bytes, or of 256; then the same folded.

    Rows whose packs are no power of two are swizzled in groups of packs.
    """
    packs = columns // pack
    if packs & (packs - 1):
        if packs % 2:  # no groups
            yield row_major(rows, columns, pack)
        yield from (swizzle.layout for swizzle in row_swizzles(rows, columns, pack))
        return
    for is_folded, line in itertools.product((False, True), LINES):
        layers = max(1, line // element.size_in_bytes(columns))
        width = columns // pack * layers
        if width & (width - 1) == 0 and rows % (layers * (width if is_folded else 1)) == 0:
            yield xor_swizzled(rows, columns, pack, layers=layers, is_folded=is_folded)


def row_swizzles(rows: int, columns: int, pack: int) -> Iterator[RowSwizzle]:
    """The swizzles within rows, of the largest groups of packs, then of smaller ones of more packs together.

    Rows of an odd number of packs have no groups.
    """
    width, together = columns // pack & -(columns // pack), pack
    while width > 1:
        yield from (RowSwizzle(rows, columns, together, width, n) for n in STEPS if rows % n == 0)
        width, together = width // 2, together * 2


def least_conflicts(
    layouts: Iterable[TensorDescriptor],
    pair: tuple[TileDistribution, TileDistribution],
    element: DataType,
    target: str,
) -> TensorDescriptor:
    """The first of those layouts with the fewest conflicts of a writer and a reader together.

    None has fewer than none: the layouts behind one without conflicts are not looked at.
    """
    fewest: tuple[int, TensorDescriptor] | None = None
    for layout in layouts:
        found = examined("", layout, pair, element, target)
        conflicts = found.writer.total_conflicts + found.reader.total_conflicts
        if fewest is None or conflicts < fewest[0]:
            fewest = conflicts, layout
        if conflicts == 0:
            break
    if fewest is None:
        raise LayoutError("least_conflicts: wanted layouts to choose from, got none")
    return fewest[1]


def unpadded(rows: int, columns: int, pack: int) -> Iterator[tuple[str, TensorDescriptor]]:
    """The rows as they are, then swizzled."""
    packed = f", packs of {pack}"
    yield PLAIN + packed, row_major(rows, columns, pack)
    for layers, step in itertools.product((1, 2, 4, 8), repeat=2):
        width = columns // pack * layers
        if width & (width - 1) or width == 1 or rows % (layers * step):
            continue
        name = "xor swizzle" if layers == 1 else f"xor swizzle, {layers} rows to a line"
        name += "" if step == 1 else f", every {step} lines"
        yield name + packed, xor_swizzled(rows, columns, pack, layers=layers, rows_per_step=step)


def padded(rows: int, columns: int, pack: int) -> Iterator[tuple[str, TensorDescriptor]]:
    """The rows with ever more between them, up to one turn of all banks."""
    for packs in range(1, MOST_PADDING + 1):
        name = f"rows padded by {packs * pack} elements, packs of {pack}"
        yield name, padded_rows(rows, columns, pack, packs * pack)


def _tile(writer: TileDistribution, reader: TileDistribution) -> tuple[int, int]:
    if writer.lengths != reader.lengths or len(writer.lengths) != 2:
        msg = f"wanted writer and reader of one tile of rows and columns, got {writer.lengths}"
        raise LayoutError(f"{msg} and {reader.lengths}")
    rows, columns = writer.lengths
    return int(rows), int(columns)


def _packs(columns: int, element: DataType) -> Iterator[int]:
    """Elements of 16, 8 and 4 bytes, where they divide a row."""
    for bits in (128, 64, 32):
        held = bits // element.bits
        if held and columns % held == 0:
            yield held


@lru_cache(maxsize=REMEMBERED)
def examined(
    name: str,
    descriptor: TensorDescriptor,
    pair: tuple[TileDistribution, TileDistribution],
    element: DataType,
    target: str,
    source: str | None = None,
) -> LdsLayout:
    """A layout with the conflicts of its writer and its reader."""
    directions: tuple[Direction, Direction] = ("write", "read")
    reports = []
    for distribution, direction in zip(pair, directions, strict=True):
        origin = (0,) * len(distribution.lengths)
        window = make_tile_window(descriptor, distribution.lengths, origin, distribution)
        access = WaveAccess.of_window(window, element, direction)
        reports.append(bank_conflicts(access, target, source))
    return LdsLayout(name, descriptor, element, *reports)
