"""Tiles that end before K does, where the last one comes first: of these nothing is asked.

They are loaded as whole vectors, at any element. What such a vector holds past the end of a row of C is never
stored, rows past the last one lie past the end of the buffer resource.

>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
>>> tiles = GemmTiles(configured("pipelined", has_tails=True, size_multiples=(1, 1, 1)))
>>> tiles.a.whole.loads.when
(K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 32*tile + y1 + 8*(lane % 4) - (y1 % 2) + 2 <= K*M,)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.batches import in_batch
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.index import Min
from layoutalg.properties import fits_integer, memory_bounds_map, owned

__all__ = ["WholeTiles"]

ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class WholeTiles:
    """How they are loaded: through a window of whole vectors; ``tiles``: how many there are with the last.

    ``begun``: of a split K how many begin before K ends, from where the part of a workgroup does.
    """

    window: TileWindow
    access: BufferAccess
    matrix: StoredMatrix
    tiles: Expr
    begun: Expr | None = None

    @cached_property
    def loads(self) -> IndexMap:
        """Where their elements are loaded, and when."""
        made = self.window.index_map()
        variables = (
            replace(v, upper=self.tiles - 1) if v.symbol == TILE else v for v in made.domain.variables
        )
        made = IndexMap(Domain(tuple(variables), made.domain.facts), made.outputs)
        found = self.access.whole_places(made, self.matrix.space, self.window.distribution.ys[-1])
        return replace(found, when=(*found.when, *self.are_before_last))

    @property
    def are_before_last(self) -> tuple[Boolean, ...]:
        """That a tile is before the last one, where that differs between workgroups."""
        return () if self.begun is None else (sympy.Lt(TILE + 1, self.begun),)

    def last_of(self, places: IndexMap) -> IndexMap:
        """The part of a map in the last tile along K, which comes before these."""
        if self.begun is None:
            return _in_tile(places, self.tiles - 1)
        found = _in_tile(places, Min(self.tiles, self.begun) - 1)
        return replace(found, when=(*found.when, sympy.Le(1, self.begun)))

    def claims(
        self,
        rows: Symbol,
        length: Expr,
        subject: str,
        *,
        is_k_first: bool = True,
        bounds: Iterable[Symbol] = (),
        begin: Expr = ZERO,
    ) -> Iterator[Claim]:
        """They are in bounds and all of the matrix, whole vectors of neighbours, in the right places.

        ``rows``, ``length``: how many there are along M or N, and along K; ``bounds``: sizes that bound them;
        ``begin``: of the matrix in its array.
        """
        used = (*self.loads.outputs, *self.loads.when, *self.matrix.parameters, rows, K, *bounds)
        loads = replace(self.loads, domain=self.loads.domain.only(*used))
        row, k = self.window.tensor_map().outputs
        yield memory_bounds_map(loads, self.matrix.space, subject)
        before = self.are_before_last
        yield from self.access.claims_of_whole_tiles(loads, (row, rows), (k, length), subject, before)
        if self.begun is not None:
            domain = self.window.index_map().domain.only(k, length, self.begun)
            is_begun = Comparison(TILE, "<", self.begun)  # and so one of these, or the last one
            yield Claim("every tile", subject, domain, (is_begun,), (sympy.Lt(k, length),))
        element, offset = self.window.distribution.ys[-1], loads.outputs[0]
        together = Comparison(offset, "==", offset.xreplace({element: ZERO}) + element)
        yield Claim("vector contiguous", subject, loads.domain, (together,))
        yield fits_integer((offset,), loads.domain, "int32", subject)
        every = in_batch(self.loads, begin)
        used = (*used, *every.outputs, self.matrix.begin, *self.matrix.parameters_of_batch)
        every = replace(every, domain=every.domain.only(*used))
        yield from self.matrix.right_places(every, (row, k) if is_k_first else (k, row), subject)
        yield from self.matrix.claims_of_batch(every, self.access.kind, subject)
        yield from owned(self.window.distribution, subject)


def _in_tile(places: IndexMap, number: Expr) -> IndexMap:
    """The part of a map in one tile along K."""
    kept = Domain(tuple(v for v in places.domain.variables if v.symbol != TILE), places.domain.facts)
    outputs, when = (
        tuple(part.xreplace({TILE: number}) for part in parts) for parts in (places.outputs, places.when)
    )
    return IndexMap(kept, outputs, when)
