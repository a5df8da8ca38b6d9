"""The configuration for given sizes, by a rule that looks at the lengths alone.

Vectors are as wide as the fastest length of each side allows, up to a width for each size of element: a
thread must turn no more than it can hold. Tiles are square, or long where a dimension is short; the largest
size that still gives many workgroups, so that most multiprocessors have some. Neighbouring workgroups store
neighbouring tiles. What keeps its fastest dimension is moved as it is.

The rule for 4 bytes is what ``tests/benchmarks/transpose_cuda.py --sweep`` found best on an H200 of 132
multiprocessors: squares of 2 x 2 floats in tiles of 64 x 64 from 4096 x 4096 on, of 32 x 32 for 2560 x 32.
Where vectors must be aligned, tiles of large tensors are those of ``aligned_shape``.

>>> planned(Permutation.of((4096, 4096), (1, 0)), "f32").path
'lds'
>>> planned(Permutation.of((100, 7, 64), (1, 0, 2)), "f32").path
'direct'
>>> odd = planned(Permutation.of((8191, 8193), (1, 0)), "f32", begins_anywhere=False)
>>> odd.rows, odd.columns, odd.threads, odd.along
(128, 64, 1024, 'target')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd, inf
from typing import Any

from layoutalg.codegen.kernels.transpose.aligned_shape import THREAD_BYTES, TileShape, aligned_shape
from layoutalg.codegen.kernels.transpose.config import LANES, NARROW, PermuteConfig, moved
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.tiles import divisor
from layoutalg.data_type import DataType
from layoutalg.index.node import as_expression
from layoutalg.length import Length
from layoutalg.machine import EVERY_GPU

__all__ = ["planned"]

SIDES = {
    1: (128, 64, 32),
    2: (128, 64, 32),
    4: (64, 32, 16),
    8: (32, 16, 16),
}  # of tiles, by bytes of an element
WORKGROUPS = (1024, 64)  # what the first and the second of them must give
WIDEST = {1: 8, 2: 8, 4: 2, 8: 2}  # elements of a vector through shared memory
ODD_SIDES = {1: 128, 2: 128, 4: 64, 8: 32}  # where vectors begin anywhere: lines that rows share count less
ODD_WIDEST = {
    1: 8,
    2: 8,
    4: 4,
    8: 2,
}  # fewer of them are at the end of a row: 12 vector instructions become 7
TALL = 8  # times as many rows as columns
MOST_THREADS = 512
TILE = ("rows", "columns", "threads", "vector_in", "vector_out")
LINE = 128  # bytes
MOST_EMPTY = 1.1  # of tiles, to what they hold
MOST_EMPTY_OF_MANY = 1.3  # where they have more threads than usual
THREADS = 256  # of a move without turning
UNKNOWN = 1 << 20  # a size that is not known yet counts as a large one
PER_THREAD = 4  # vectors of a thread that moves without turning


def planned(
    permutation: Permutation,
    element: DataType | str = "f32",
    multiples: Mapping[str, int] | None = None,
    **changes: Any,
) -> PermuteConfig:
    """The configuration for a permutation; ``changes`` fix fields of it.

    >>> found = planned(Permutation.of((2560, 32), (1, 0)), "f32")
    >>> found.rows, found.columns, found.threads, found.vector_in
    (32, 32, 256, 2)
    """
    plan = _Plan(permutation, moved(element), multiples or {})
    given = plan.turned(changes) if permutation.is_turned else plan.direct(changes)
    return PermuteConfig(
        **({"element": plan.kind.name, "along": plan.along(given | changes)} | given | changes)
    )


@dataclass(frozen=True)
class _Plan:
    permutation: Permutation
    kind: DataType
    multiples: Mapping[str, int]

    @property
    def extent(self) -> tuple[int, int]:
        rows, columns = (_known(length) for length in self.permutation.extent)
        return rows, columns

    def vector(self, side: str) -> int:
        """Elements that may move at once: what divides the length of a run and all steps to others."""
        run, length = self.permutation.run(side)
        found = divisor(length, self.multiples)
        for i, stride in enumerate(getattr(self.permutation.merged, side)):
            found = found if i in run else gcd(found, divisor(stride, self.multiples))
        return gcd(found, EVERY_GPU.access_bytes // self.kind.bytes)

    def is_odd(self, changes: Mapping[str, Any]) -> bool:
        """Whether vectors begin at any element: lengths are numbers that only narrow vectors divide."""
        merged = self.permutation.merged
        sizes = (*merged.lengths, *merged.source, *merged.target)
        is_known = all(as_expression(size).is_Integer for size in sizes)
        narrowest = min(self.vector("source"), self.vector("target")) * self.kind.bytes
        asked = {"vector_in", "vector_out", "begins_anywhere"} & changes.keys()
        return is_known and not asked and narrowest < min(NARROW, self.kind.bytes * WIDEST[self.kind.bytes])

    def aligned(self, changes: Mapping[str, Any]) -> TileShape | None:
        """What was measured best of a large tensor where vectors must be aligned, as on NVIDIA's GPUs."""
        if changes.get("begins_anywhere", True) or {"path", *TILE} & changes.keys():
            return None
        vectors = self.vector("source"), self.vector("target")
        shape = aligned_shape(self.kind.bytes, vectors, starts=self._starts, is_tall=self.is_tall)
        if shape is None or not self._are_many((shape.rows, shape.columns)):
            return None
        most_empty = MOST_EMPTY_OF_MANY if shape.threads > MOST_THREADS else inf
        if self.kind.bytes == 1 and 1 not in vectors:
            most_empty = MOST_EMPTY
        sides = zip((shape.rows, shape.columns), self.extent, strict=True)
        is_filled = all(_covered(side, length) <= most_empty * length for side, length in sides)
        return shape if is_filled else None

    @property
    def _starts(self) -> int:
        """Bytes that divide where rows of the target begin."""
        run, _ = self.permutation.run("target")
        strides = enumerate(self.permutation.merged.target)
        return self.kind.bytes * gcd(*(divisor(s, self.multiples) for i, s in strides if i not in run))

    def _are_many(self, tile: tuple[int, int]) -> bool:
        """Whether there are many tiles of so many rows and columns."""
        return self._tiles(*tile) >= WORKGROUPS[0]

    @property
    def is_tall(self) -> bool:
        rows, columns = self.extent
        return rows >= TALL * columns

    def turned(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """The tile, its vectors and its threads."""
        measured, is_odd = self.aligned(changes), self.is_odd(changes)
        shape = measured or self.square(changes)
        down, across = self._within(shape, _short_of if measured or is_odd else self._fitted)
        wide = [min(shape.vector_in, across), min(shape.vector_out, down)]
        down, across = changes.get("rows", down), changes.get("columns", across)
        while down * across < LANES * wide[0] * wide[1] and max(wide) > 1:
            wide[wide.index(max(wide))] //= 2
        while down * across < LANES * wide[0] * wide[1]:
            across *= 2
        threads = min(shape.threads, down * across // (wide[0] * wide[1]))
        if not changes.get("begins_anywhere", True) and self._are_many((down, across)):
            threads = min(threads, max(LANES, down * across * self.kind.bytes // THREAD_BYTES))
        vectors = {"vector_in": wide[0], "vector_out": wide[1], "begins_anywhere": is_odd}
        return {"path": "lds", "rows": down, "columns": across, "threads": threads, **vectors}

    def square(self, changes: Mapping[str, Any]) -> TileShape:
        """The largest square that still gives many workgroups; of bytes that are loaded wide a long one."""
        sides, is_odd = SIDES[self.kind.bytes], self.is_odd(changes)
        tried = zip(sides, WORKGROUPS, strict=False)
        side = next((n for n, wanted in tried if self._tiles(n, n) >= wanted), sides[-1])
        side = max(side, ODD_SIDES[self.kind.bytes]) if is_odd else side
        is_long = self.kind.bytes == 1 and side == sides[0] and self.vector("source") >= NARROW
        is_held = changes.get("path") == "registers"  # then a thread turns all that it moves
        widest = EVERY_GPU.access_bytes // self.kind.bytes if is_held else WIDEST[self.kind.bytes]
        widest = max(widest, ODD_WIDEST[self.kind.bytes]) if is_odd else widest
        vectors = [widest if is_odd else min(widest, self.vector(side)) for side in ("source", "target")]
        return TileShape(side, side * 2 if is_long else side, MOST_THREADS, vectors[0], vectors[1])

    def _within(self, shape: TileShape, fitted: Callable[[int, int], int]) -> tuple[int, int]:
        """The sides of a tile, one longer where the other must be short."""
        (rows, columns), area = self.extent, shape.rows * shape.columns
        down, across = fitted(shape.rows, rows), fitted(shape.columns, columns)
        down = max(down, fitted(area // across, rows))
        return down, max(across, fitted(area // down, columns))

    def _fitted(self, side: int, length: int) -> int:
        """A side of a tile, shorter where the last tile would be nearly empty, but whole lines of memory."""
        side = _short_of(side, length)
        while side * self.kind.bytes > LINE and (
            _covered(side // 2, length) < _covered(side, length) > MOST_EMPTY * length
        ):
            side //= 2
        return side

    def _tiles(self, down: int, across: int) -> int:
        rows, columns = self.extent
        return -(-rows // down) * -(-columns // across) * self._batches

    @property
    def _batches(self) -> int:
        found = 1
        for i in self.permutation.batch:
            found *= _known(self.permutation.merged.lengths[i])
        return found

    def direct(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Lanes along the columns, a few vectors for each thread."""
        rows, columns = self.extent
        wide = gcd(self.vector("source"), self.vector("target"))
        if self.is_odd(changes):
            wide = min(EVERY_GPU.access_bytes // self.kind.bytes, _power(columns))
        whole = THREADS * PER_THREAD * wide
        across = min(_power(columns), whole if rows == 1 else LANES * wide)
        down = min(_power(rows), max(1, whole // across))
        across = max(across, LANES * wide // down)
        threads = min(THREADS, down * across // wide)
        vectors = {"vector_in": wide, "vector_out": wide, "begins_anywhere": self.is_odd(changes)}
        return {"path": "direct", "rows": down, "columns": across, "threads": threads, **vectors}

    def along(self, given: Mapping[str, Any]) -> str:
        """Neighbours of the target where a tile is turned; those along x where y and z cannot count them."""
        if self._batches > EVERY_GPU.blocks and not any(
            as_expression(self.permutation.merged.lengths[i]).free_symbols for i in self.permutation.batch
        ):
            return "batch"
        (rows, columns), turned = self.extent, given["path"] != "direct"
        fits = {
            "source": rows <= EVERY_GPU.blocks * given["rows"],
            "target": columns <= EVERY_GPU.blocks * given["columns"],
        }
        ends_in_lines = given.get("vector_in") == 1 and given.get("begins_anywhere") is False
        is_by_source = not turned or (ends_in_lines and self.is_tall)
        first, second = ("source", "target") if is_by_source else ("target", "source")
        return first if fits[first] else second


def _short_of(side: int, length: int) -> int:
    """A side of a tile, no longer than it takes."""
    return min(side, _power(length))


def _covered(side: int, length: int) -> int:
    """What whole tiles of a side cover of a length, and beyond it."""
    return -(-length // side) * side


def _known(length: Length) -> int:
    return int(length) if as_expression(length).is_Integer else UNKNOWN


def _power(number: int) -> int:
    """The smallest power of two that is not smaller."""
    return 1 << (number - 1).bit_length()
