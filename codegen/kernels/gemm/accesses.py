"""Every access of a thread of a GEMM: loads, stores and reads of A and B, stores of C.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> found = GemmAccesses(GemmTiles(GemmConfig()))
>>> found.stores(found.tiles.a).bases, found.stores(found.tiles.a).strides
((8*lane + 512*warp,), (2048,))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.gemm.places import Strided, strided
from layoutalg.codegen.kernels.gemm.tiles import TILE, GemmTiles, K, N, OperandTiles
from layoutalg.distribution import TileWindow

__all__ = ["GemmAccesses"]


@dataclass(frozen=True)
class GemmAccesses:
    """Addresses with constant distances, from the windows of the tiles."""

    tiles: GemmTiles

    def loads(self, operand: OperandTiles) -> Strided:
        """By number of the 16 bytes, of one round and of its k; the first tile along K."""
        offset = operand.load.index_map().outputs[0].xreplace({TILE: sympy.Integer(0)})
        return _strided(operand.load, offset, (-1,), (K, operand.rows))

    def stores(self, operand: OperandTiles) -> Strided:
        """By number of the 16 bytes; where rows are neighbours in memory by round and row."""
        fixed = (-1,) if operand.is_k_first else (-2,)
        return _strided(operand.store, operand.store.index_map().outputs[0], fixed)

    def reads(self, operand: OperandTiles) -> Strided:
        """By round along the rows, step along K, and the pieces in which a read comes."""
        return _strided(operand.read, operand.read.index_map().outputs[0], (-1,))

    @cached_property
    def results(self) -> Strided:
        """By rounds along M and N, and by the registers of an instruction."""
        return _strided(self.tiles.c, self.tiles.c.index_map().outputs[0], (), (N,))

    @cached_property
    def stored_at_once(self) -> int:
        """Elements of C that one lane stores at once."""
        return self.results.lengths[-1] if self.results.strides[-1] == 1 else 1


def _strided(
    window: TileWindow, offset: Expr, fixed: tuple[int, ...], uniform: Iterable[Symbol] = ()
) -> Strided:
    """The accesses over all Y that are not ``fixed`` at 0."""
    ys, lengths = window.distribution.ys, list(map(int, window.distribution.y_lengths))
    offset = offset.xreplace({ys[i]: sympy.Integer(0) for i in fixed})
    free = [i for i in range(len(ys)) if i - len(ys) not in fixed]
    domain = window.index_map().domain
    return strided(offset, [ys[i] for i in free], [lengths[i] for i in free], domain, uniform)
