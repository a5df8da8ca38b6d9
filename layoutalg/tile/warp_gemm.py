"""``warp_gemm``: each wave multiplies what its lanes hold, ``c += a * b^T``, on the matrix cores.

Source: CK Tile, ``ops/gemm/warp/warp_gemm.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.errors import LayoutError
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.tensors import StaticDistributedTensor, held
from layoutalg.tile.trace import current_trace

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = ["WarpGemm", "warp_gemm"]


@dataclass(frozen=True)
class WarpGemm:
    """``c[m][n] += sum over k of a[m][k] * b[n][k]``, wave by wave, by what indices of the tiles say."""

    c: StaticDistributedTensor
    a: StaticDistributedTensor
    b: StaticDistributedTensor

    def run(self, machine: Machine) -> None:
        a, b = (_matrices(machine, tile) for tile in (self.a, self.b))
        product = a.astype(np.float64) @ np.swapaxes(b, -1, -2).astype(np.float64)
        found = machine.value_of(self.c).astype(np.float64)
        x = machine.x_of(self.c.distribution)
        waves = np.arange(machine.threads) // LANES
        found = found + product[:, waves[:, None], x[..., 0], x[..., 1]]
        machine.put(self.c, found.astype(self.c.kind.numpy))


def _matrices(machine: Machine, tile: StaticDistributedTensor) -> NDArray[Any]:
    """The matrix that each wave holds: ``[workgroup, wave, row, column]``."""
    numbers, x = machine.value_of(tile), machine.x_of(tile.distribution)
    rows, columns = (int(length) for length in tile.lengths)
    waves = machine.threads // LANES
    found = np.zeros((machine.groups, waves, rows, columns), numbers.dtype)
    wave = np.broadcast_to((np.arange(machine.threads) // LANES)[:, None], x.shape[:2])
    found[:, wave, x[..., 0], x[..., 1]] = numbers
    return found


def warp_gemm(c: StaticDistributedTensor, a: StaticDistributedTensor, b: StaticDistributedTensor) -> None:
    """Multiply and add; refused: tiles whose lengths do not fit each other."""
    result, left, right = held(c), held(a), held(b)
    (m, k), (n, other_k) = left.lengths, right.lengths
    if k != other_k or tuple(result.lengths) not in ((m, n), (n, m)):
        msg = f"warp_gemm: a of {left.lengths}, b of {right.lengths} and c of {result.lengths} do not fit"
        raise LayoutError(msg, hint="a is (m, k), b is (n, k), c is (m, n)")
    current_trace().require_whole("warp_gemm", result.number, left.number, right.number)
    current_trace().add(WarpGemm(result, left, right))
