"""``block_gemm``: a workgroup multiplies tiles in registers, by the ``warp_gemm`` of which it is made.

The distribution of each tile is that of a warp's part, repeated along rows, columns and k: its first Ys count
repetitions. That the parts of A, B and C belong together is checked for all waves when the word is said.
Source: CK Tile, ``ops/gemm/block/block_gemm_areg_breg_creg_v1.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.tile.numpy_machine import LANES, x_of
from layoutalg.tile.tensors import StaticDistributedTensor, held
from layoutalg.tile.trace import current_trace

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = ["BlockGemm", "WarpPart", "block_gemm"]


@dataclass(frozen=True)
class WarpPart:
    """A tile as repetitions of a warp's part: how often along two dimensions, and the part's distribution."""

    tile: StaticDistributedTensor
    warp: TileDistribution

    @property
    def repetitions(self) -> tuple[int, int]:
        first, second, *_ = map(int, self.tile.distribution.y_lengths)
        return first, second

    @property
    def size(self) -> int:
        """Elements of a thread in one part."""
        return int(np.prod([*map(int, self.warp.y_lengths)], dtype=int))

    def begin(self, one: int, other: int) -> int:
        """Where in the thread buffer a part begins."""
        return (one * self.repetitions[1] + other) * self.size

    def origins(self) -> NDArray[Any]:
        """Where each part of each wave begins, ``[wave, one, other, dimension]``: the same for all lanes."""
        threads = self.tile.trace.block_size
        shape = (threads // LANES, LANES, *self.repetitions, self.size, 2)
        whole = x_of(self.tile.distribution, threads).reshape(shape)
        own = x_of(self.warp, LANES)
        gaps = whole - own[None, :, None, None]
        found: NDArray[Any] = gaps[:, 0, :, :, 0]
        if (gaps != found[:, None, :, :, None]).any():
            raise LayoutError("block_gemm: a tile is no repetition of its warp's part")
        return found


@dataclass(frozen=True)
class BlockGemm:
    """``c += a * b^T``, part by part."""

    c: StaticDistributedTensor
    a: StaticDistributedTensor
    b: StaticDistributedTensor
    parts: tuple[WarpPart, WarpPart, WarpPart]  # of c, a, b

    def run(self, machine: Machine) -> None:
        c, a, b = self.parts
        rows, columns, steps = *c.repetitions, a.repetitions[1]
        values = {id(part): machine.value_of(part.tile) for part in (a, b)}
        found = machine.value_of(self.c).astype(np.float64)
        x, waves = x_of(c.warp, LANES), machine.threads // LANES
        for i, j in product(range(rows), range(columns)):
            total: Any = 0
            for k in range(steps):
                left, right = (
                    _matrix(values[id(part)], part, at, waves) for part, at in ((a, (i, k)), (b, (j, k)))
                )
                total = total + left @ np.swapaxes(right, -1, -2)
            picked = total[:, :, x[..., 0], x[..., 1]].reshape(machine.groups, machine.threads, -1)
            begin = c.begin(i, j)
            found[..., begin : begin + c.size] += picked
        machine.put(self.c, found.astype(self.c.kind.numpy))


def _matrix(values: NDArray[Any], part: WarpPart, at: tuple[int, int], waves: int) -> NDArray[Any]:
    """The matrix that each wave holds of one part: ``[workgroup, wave, row, column]``."""
    begin, x = part.begin(*at), x_of(part.warp, LANES)
    rows, columns = map(int, part.warp.lengths)
    given = values[..., begin : begin + part.size].reshape(len(values), waves, LANES, part.size)
    found = np.zeros((len(values), waves, rows, columns))
    found[:, :, x[..., 0], x[..., 1]] = given
    return found


def block_gemm(
    c: StaticDistributedTensor,
    a: StaticDistributedTensor,
    b: StaticDistributedTensor,
    warp: Sequence[TileDistributionEncoding],
) -> None:
    """Multiply tiles by warp GEMMs whose distributions of C, A and B are ``warp``.

    Refused: tiles that are no repetitions of these, and parts that do not belong together: C at rows and
    columns that are not those of A and B, or A and B of different k.
    """
    if len(warp) != 3:
        raise LayoutError("block_gemm: wanted the encodings of a warp's C, A and B")
    parts = tuple(
        WarpPart(held(tile), make_static_tile_distribution(one))
        for tile, one in zip((c, a, b), warp, strict=True)
    )
    of_c, of_a, of_b = (_origins(part) for part in parts)
    if of_a.shape[2] != of_b.shape[2] or of_c.shape[1:3] != (of_a.shape[1], of_b.shape[1]):
        shapes = [part.repetitions for part in parts]
        raise LayoutError(f"block_gemm: repetitions of C, A and B do not fit: {shapes}")
    wanted = np.stack(
        np.broadcast_arrays(of_a[:, :, None, 0, 0], of_b[:, None, :, 0, 0]), axis=-1
    )  # rows of A, columns from B
    same_k = of_a[:, :, None, :, 1] == of_b[:, None, :, :, 1]
    if (of_c != wanted).any() or not same_k.all():
        raise LayoutError("block_gemm: parts of C, A and B do not belong together")
    current_trace().require_whole("block_gemm", c.number, a.number, b.number)
    current_trace().add(BlockGemm(c, a, b, (parts[0], parts[1], parts[2])))


def _origins(part: WarpPart) -> NDArray[Any]:
    lengths = [*map(int, part.tile.distribution.y_lengths)]
    if lengths[2:] != [*map(int, part.warp.y_lengths)] or len(lengths) < 3:
        msg = f"block_gemm: wanted two Ys of repetitions before those of the warp {part.warp.y_lengths}"
        raise LayoutError(f"{msg}, got {tuple(lengths)}")
    return part.origins()
