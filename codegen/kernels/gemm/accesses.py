"""Every access of a thread of a GEMM: loads, stores and reads of A and B, stores of C.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> found = GemmAccesses(GemmTiles(GemmConfig()))
>>> found.stores(found.tiles.a).bases, found.stores(found.tiles.a).strides
((8*lane + 512*warp,), (2048,))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.gemm.problem import TILE, K, N
from layoutalg.codegen.kernels.gemm.staging import ROUND, ResultStage
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, OperandTiles
from layoutalg.codegen.text.strided_addresses import Strided, strided
from layoutalg.distribution import TileWindow

__all__ = ["GemmAccesses"]

ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class GemmAccesses:
    """Addresses with constant distances, from the windows of the tiles."""

    tiles: GemmTiles

    def loads(self, operand: OperandTiles) -> Strided:
        """By number of the 16 bytes, of one round and of its k; the first tile along K."""
        offset = operand.load.index_map().outputs[0].xreplace({TILE: ZERO})
        return _strided(operand.load, offset, (-1,), (K, operand.rows))

    def stores(self, operand: OperandTiles) -> Strided:
        """By number of the 16 bytes; where rows are neighbours in memory by round and row."""
        fixed = (-1,) if operand.is_k_first else (-2,)
        return _strided(operand.store, operand.store.index_map().outputs[0], fixed)

    def reads(self, operand: OperandTiles) -> Strided:
        """By round along the rows, step along K, and the pieces in which a read comes."""
        return _strided(operand.read, operand.read.index_map().outputs[0], (-1,))

    def loaded_index(self, operand: OperandTiles) -> tuple[Strided, Strided]:
        """Row and k of the loads; the first tile along K."""
        row, k = operand.load.tensor_map().outputs
        found = (_strided(operand.load, x.xreplace({TILE: ZERO}), (-1,)) for x in (row, k))
        return next(found), next(found)

    def held(self) -> Strided:
        """C and D from registers: by rounds along M and N, and by the registers of an instruction."""
        window = self.tiles.held
        return _strided(window, window.index_map().outputs[0], (), (N,))

    def held_index(self) -> tuple[Strided, Strided]:
        """Row and column of the registers."""
        row, column = self.tiles.held.tensor_map().outputs
        return _strided(self.tiles.held, row, ()), _strided(self.tiles.held, column, ())

    def staged(self, stage: ResultStage) -> tuple[Strided, Strided, Strided]:
        """C through shared memory: written (without the round), read, and stored by round and vector."""
        write = _strided(stage.write, stage.write.index_map().outputs[0], (0,))
        read = _strided(stage.read, stage.read.index_map().outputs[0], (-1,))
        return write, read, self._by_round(stage, stage.store.index_map().outputs[0])

    def stored_index(self, stage: ResultStage) -> tuple[Strided, Strided]:
        """Row and column of what is stored, by round and vector."""
        row, column = stage.store.tensor_map().outputs
        return self._by_round(stage, row), self._by_round(stage, column)

    @staticmethod
    def _by_round(stage: ResultStage, value: Expr) -> Strided:
        window = stage.store
        (y, vector), lengths = window.distribution.ys, window.distribution.y_lengths
        domain = window.index_map().domain
        value = value.xreplace({vector: ZERO})
        return strided(value, (ROUND, y), (stage.rounds, int(lengths[0])), domain, (N,))


def _strided(
    window: TileWindow, offset: Expr, fixed: tuple[int, ...], uniform: Iterable[Symbol] = ()
) -> Strided:
    """The accesses over all Y that are not ``fixed`` at 0."""
    ys, lengths = window.distribution.ys, list(map(int, window.distribution.y_lengths))
    offset = offset.xreplace({ys[i]: ZERO for i in fixed})
    skipped = {i % len(ys) for i in fixed}
    free = [i for i in range(len(ys)) if i not in skipped]
    domain = window.index_map().domain
    return strided(offset, [ys[i] for i in free], [lengths[i] for i in free], domain, uniform)
