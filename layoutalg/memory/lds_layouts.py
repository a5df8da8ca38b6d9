"""Layouts of a tile in shared memory, as CK's policies write them: plain, padded, swizzled.

All take a tile of rows and columns and give a descriptor of them; ``pack`` neighbours of a row stay together.

>>> row_major(256, 32, 8).element_space_size, padded_rows(256, 32, 8, 8).element_space_size
(8192, 10232)
>>> xor_swizzled(256, 32, 8, layers=2).calculate_offset((3, 8))
96

Sources: CK Tile, ``gemm_universal_pipeline_ag_bg_cr_policy.hpp`` (xor), the naive GEMM tutorial (padding).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from layoutalg.descriptor import TensorAdaptor, TensorDescriptor
from layoutalg.descriptor.make_adaptor import make_identity_tensor_adaptor, transform_tensor_adaptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.errors import LayoutError
from layoutalg.transforms import Merge, MergeVariant, PassThrough, Unmerge, Xor
from layoutalg.transforms.transform import Transform

__all__ = ["RowSwizzle", "k_first", "padded_rows", "row_major", "xor_swizzled"]

Ids = Sequence[tuple[int, ...]]
StageOf = tuple[Sequence[Transform], Ids, Ids]  # transforms, and the dimensions below and above each


def row_major(rows: int, columns: int, pack: int) -> TensorDescriptor:
    """Rows one after the other."""
    return _naive((rows, columns), (columns, 1), pack)


def padded_rows(rows: int, columns: int, pack: int, padding: int) -> TensorDescriptor:
    """Rows with ``padding`` elements between them, a multiple of ``pack``."""
    if padding % pack:
        msg = f"padded_rows: wanted a padding that is a multiple of {pack}, got {padding}"
        raise LayoutError(msg, hint="packs would no longer be aligned")
    return _naive((rows, columns), (columns + padding, 1), pack)


def k_first(rows: int, columns: int, pack: int, padding: int = 1) -> TensorDescriptor:
    """CK's ``(K / pack, M, pack)``: packs of one column of packs together, ``padding`` packs between them.

    >>> k_first(256, 32, 8).calculate_offset((3, 9))
    2081
    """
    _whole(columns, pack, "k_first")
    base = _naive((columns // pack, rows, pack), ((rows + padding) * pack, pack, 1), pack)
    return base.transform([PassThrough(rows), Merge((columns // pack, pack))], [(1,), (0, 2)], [(0,), (1,)])


def xor_swizzled(
    rows: int, columns: int, pack: int, *, layers: int = 1, rows_per_step: int = 1, is_folded: bool = False
) -> TensorDescriptor:
    """Packs of a row swizzled by the row: CK's bank-conflict-free layout.

    ``layers`` rows stand side by side in one line of shared memory (CK's ``MLdsLayer``); the place of a pack
    in its line is xored with the number of the line, or of ``rows_per_step`` lines.

    Lines that lie as many apart as a line has packs are swizzled alike. ``is_folded``: the place is xored
    with the number of such a group of lines, too, so that far rows lie in different banks as well.

    >>> layout = xor_swizzled(64, 32, 8, layers=2, is_folded=True)
    >>> [int(layout.calculate_offset((row, 0))) // 8 % 8 for row in range(0, 64, 8)]
    [0, 4, 1, 5, 2, 6, 3, 7]
    """
    _whole(columns, pack, "xor_swizzled")
    _whole(rows, layers * rows_per_step, "xor_swizzled")
    lines, packs = rows // layers, columns // pack
    base = _naive((packs * layers, lines, pack), (pack, columns * layers, 1), pack)
    base = _folded(base) if is_folded else base
    base = _stepped(base, lines, rows_per_step)
    split = base.transform(
        [Unmerge((layers, packs)), PassThrough(lines), PassThrough(pack)],
        [(0,), (1,), (2,)],
        [(0, 2), (1,), (3,)],
    )
    merge = MergeVariant.V3_DIVISION_MOD
    return split.transform(
        [Merge((lines, layers), merge), Merge((packs, pack), merge)], [(1, 0), (2, 3)], [(0,), (1,)]
    )


@dataclass(frozen=True)
class RowSwizzle:
    """Rows one after the other, of any number of packs: those of each group of ``width`` are swizzled.

    The place of a pack in its group is xored with the number of ``rows_per_step`` rows.

    >>> swizzle = RowSwizzle(8, 48, 4, width=4, rows_per_step=2)
    >>> place = swizzle.layout.calculate_offset
    >>> [[int(place((row, 4 * pack))) // 4 % 12 for pack in (0, 1, 4)] for row in (0, 2)]
    [[0, 1, 4], [1, 0, 5]]
    >>> int(place((2, 16))), swizzle.elements(*divmod(116, 48))
    (116, (2, 16))
    """

    rows: int
    columns: int
    pack: int
    width: int
    rows_per_step: int = 1

    def __post_init__(self) -> None:
        _whole(self.columns, self.pack * self.width, "RowSwizzle")
        _whole(self.rows, self.rows_per_step, "RowSwizzle")

    @property
    def _of_rows(self) -> tuple[int, int]:
        """Steps of rows, and the rows of each."""
        return self.rows // self.rows_per_step, self.rows_per_step

    @property
    def _of_columns(self) -> tuple[int, int, int]:
        """Groups of packs, packs of a group, elements of a pack."""
        return self.columns // (self.pack * self.width), self.width, self.pack

    @cached_property
    def layout(self) -> TensorDescriptor:
        """Where each element lies."""
        of_group = self.pack * self.width
        strides = (self.columns * self.rows_per_step, self.columns, of_group, self.pack, 1)
        swizzled = _naive((*self._of_rows, *self._of_columns), strides, self.pack).transform(*self._xored)
        return swizzled.transform(*self._joined)

    @cached_property
    def elements(self) -> TensorAdaptor:
        """Which element lies where row and column of a plain tile would: swizzled twice is not at all."""
        found = make_identity_tensor_adaptor((self.rows, self.columns))
        cut = [Unmerge(self._of_rows), Unmerge(self._of_columns)], [(0,), (1,)], [(0, 1), (2, 3, 4)]
        for stage in (cut, self._xored, self._joined):
            found = transform_tensor_adaptor(found, *stage)
        return found

    @property
    def _xored(self) -> StageOf:
        """Packs of a group xored with the number of the step."""
        (steps, each), (groups, width, pack) = self._of_rows, self._of_columns
        ids = [(0, 3), (1,), (2,), (4,)]
        return [Xor((steps, width)), PassThrough(each), PassThrough(groups), PassThrough(pack)], ids, ids

    @property
    def _joined(self) -> StageOf:
        """Rows and columns on top of their parts."""
        merge = MergeVariant.V3_DIVISION_MOD
        made = [Merge(self._of_rows, merge), Merge(self._of_columns, merge)]
        return made, [(0, 1), (2, 3, 4)], [(0,), (1,)]


def _stepped(base: TensorDescriptor, lines: int, rows_per_step: int) -> TensorDescriptor:
    """Dimension 0 xored with dimension 1, or with how many steps of lines it is away."""
    width, _, pack = base.lengths
    if rows_per_step == 1:
        ids = [(1, 0), (2,)]
        return base.transform([Xor((lines, width)), PassThrough(pack)], ids, ids)
    steps = lines // rows_per_step
    cut = base.unmerge(1, (steps, rows_per_step))
    ids = [(1, 0), (2,), (3,)]
    swizzled = cut.transform([Xor((steps, width)), PassThrough(rows_per_step), PassThrough(pack)], ids, ids)
    return swizzled.merge(1, 2, variant=MergeVariant.V3_DIVISION_MOD)


def _folded(base: TensorDescriptor) -> TensorDescriptor:
    """Dimension 0 xored with the number of a group of as many lines as dimension 0 is long."""
    width, lines, pack = base.lengths
    _whole(lines, width, "xor_swizzled, folded")
    cut = base.unmerge(1, (lines // width, width))
    ids = [(1, 0), (2,), (3,)]
    swizzled = cut.transform([Xor((lines // width, width)), PassThrough(width), PassThrough(pack)], ids, ids)
    return swizzled.merge(1, 2, variant=MergeVariant.V3_DIVISION_MOD)


def _naive(lengths: Any, strides: Any, pack: int) -> TensorDescriptor:
    return make_naive_tensor_descriptor(
        lengths, strides, guaranteed_vector_length=pack, guaranteed_vector_stride=1
    )


def _whole(length: int, part: int, where: str) -> None:
    if length % part:
        msg = f"{where}: {part} does not divide {length}"
        raise LayoutError(msg)
