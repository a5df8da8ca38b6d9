"""Static tile distributions: an encoding as CK's two maps, (P, Y) to X and Y to the thread's buffer.

>>> from layoutalg.distribution.encoding import TileDistributionEncoding
>>> c_warp = TileDistributionEncoding(
...     (), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2)
... )
>>> c = make_static_tile_distribution(c_warp)
>>> c.x
(8*y0 + y1 + 4*(lane // 32), lane % 32)
>>> c.element((33,), (2, 3)), c.buffer_offset((2, 3))
((23, 1), 11)

Source: CK Tile, ``core/tensor/tile_distribution.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import sympy
from sympy import Symbol

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.display import Displayed
from layoutalg.distribution.detail import NONE, EncodingDetail
from layoutalg.distribution.encoding import RhId, TileDistributionEncoding
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LengthError
from layoutalg.index.node import as_expression
from layoutalg.length import Length, Lengths, product, sequence
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.signature_note import noted
from layoutalg.transforms import Merge, Replicate, Transform, Unmerge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sympy import Expr

__all__ = ["TileDistribution", "make_static_tile_distribution"]

P_NAMES = {1: ("lane",), 2: ("warp", "lane")}  # what CK Tile takes its partition index from
NO_FACTS = Domain()


@dataclass(frozen=True)
class TileDistribution(NearAttributes, Displayed):
    """Who holds what: element ``ps_ys_to_xs(P, Y)`` lies in register ``ys_to_d(Y)`` of thread P.

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> held = la.make_static_tile_distribution(tile)
    >>> held.lengths, held.x
    ((32, 32), (8*y0 + y1 + 4*(lane // 32), lane % 32))
    """

    encoding: TileDistributionEncoding
    facts: Domain = NO_FACTS

    @property
    def lengths(self) -> Lengths:
        """Lengths of the tile."""
        return self.encoding.x_lengths

    @property
    def p_lengths(self) -> Lengths:
        return self.encoding.p_lengths

    @property
    def y_lengths(self) -> Lengths:
        return self.encoding.y_lengths

    @property
    def detail(self) -> EncodingDetail:
        """CK's derived fields."""
        return EncodingDetail(self.encoding)

    @cached_property
    def hidden_ids(self) -> dict[RhId, int]:
        """The hidden dimension of ``ps_ys_to_xs`` that each factor is."""
        factors = [
            (major, minor)
            for major, count in enumerate(self.detail.ndims_rhs_minor)
            for minor in range(count)
        ]
        return {factor: self.encoding.num_x + i for i, factor in enumerate(factors)}

    @cached_property
    def ps_ys_to_xs(self) -> TensorAdaptor:
        """The map from threads and their registers to elements of the tile."""
        encoding, ids = self.encoding, self.hidden_ids
        rows = [
            tuple(ids[major, minor] for minor in range(count))
            for major, count in enumerate(self.detail.ndims_rhs_minor)
        ]
        transforms: list[Transform] = [Replicate(encoding.rs_lengths)]
        lower: list[tuple[int, ...]] = [()]
        transforms += [Unmerge(hs) for hs in encoding.hs_lengthss]
        lower += [(x,) for x in range(encoding.num_x)]
        first = encoding.num_x + len(ids)
        ps = tuple(range(first, first + encoding.num_p))
        for factors in encoding.ps_factors:
            transforms.append(Merge(tuple(map(encoding.factor_length, factors))))
            lower.append(tuple(ids[factor] for factor in factors))
        return TensorAdaptor(
            transforms=tuple(transforms),
            lower_dimension_hidden_idss=tuple(lower),
            upper_dimension_hidden_idss=(*rows, *((p,) for p in ps)),
            bottom_dimension_hidden_ids=tuple(range(encoding.num_x)),
            top_dimension_hidden_ids=(*ps, *(ids[factor] for factor in encoding.ys_factors)),
            facts=self.facts,
        )

    @cached_property
    def ys_to_d(self) -> TensorDescriptor:
        """The map from Y to the position in the thread's buffer, which is packed."""
        return make_naive_tensor_descriptor_packed(self.encoding.y_lengths).assuming(self.facts)

    @property
    def ps(self) -> tuple[Symbol, ...]:
        """The symbols of P: ``warp`` and ``lane`` where there are two, ``lane`` where there is one."""
        count = self.encoding.num_p
        return _symbols(P_NAMES.get(count) or tuple(f"p{i}" for i in range(count)))

    @property
    def ys(self) -> tuple[Symbol, ...]:
        """The symbols of Y."""
        return _symbols(tuple(f"y{i}" for i in range(self.encoding.num_y)))

    @property
    def x(self) -> tuple[Expr, ...]:
        """The element in closed form, in the symbols ``ps`` and ``ys``."""
        adaptor = self.ps_ys_to_xs
        named = dict(zip(adaptor.index, self.ps + self.ys, strict=True))
        return tuple(expression.xreplace(named) for expression in adaptor.bottom)

    @overload
    def __call__(self, *index: int) -> tuple[int, ...]: ...
    @overload
    def __call__(self, *index: Any) -> tuple[Any, ...]: ...
    def __call__(self, *index: Any) -> tuple[Any, ...]:
        """The element of an index (P, Y): integers, arrays, or expressions of the warp, lane and registers.

        >>> tile = make_static_tile_distribution(TileDistributionEncoding(
        ...     (), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2)
        ... ))
        >>> tile(33, 2, 3), tile.domain
        ((23, 1), Domain: 0 <= lane < 64, 0 <= y0 < 4, 0 <= y1 < 4)
        """
        return self.ps_ys_to_xs(*index)

    @property
    def domain(self) -> Domain:
        """All P and Y."""
        return self.domain_of(self.p_lengths)

    def domain_of(self, threads: Sequence[Length] | None) -> Domain:
        """All Y of the threads that there really are; of all P if None."""
        counts = self.p_lengths if threads is None else sequence(threads, "threads")
        if len(counts) != self.encoding.num_p:
            msg = f"threads: wanted {self.encoding.num_p} numbers, one for each P, got {len(counts)}"
            raise LengthError(msg)
        axes = zip(self.ps + self.ys, (*counts, *self.y_lengths), strict=True)
        variables = [Variable(symbol, sympy.Integer(0), as_expression(length)) for symbol, length in axes]
        return Domain((*variables, *self.ps_ys_to_xs.parameters.variables), self.facts.facts)

    def index_map(self, threads: Sequence[Length] | None = None) -> IndexMap:
        """The map to elements, as what claims are made of."""
        hidden = self.hidden_map(threads)
        return IndexMap(hidden.domain, hidden.outputs[: self.encoding.num_x])

    def hidden_map(self, threads: Sequence[Length] | None = None) -> IndexMap:
        """The same with the index at every hidden dimension of ``ps_ys_to_xs`` as outputs."""
        return self.ps_ys_to_xs.hidden_map(IndexMap(self.domain_of(threads), self.ps + self.ys))

    @overload
    def element(self, ps: Sequence[int], ys: Sequence[int]) -> tuple[int, ...]: ...
    @overload
    def element(self, ps: Sequence[Any], ys: Sequence[Any]) -> tuple[Any, ...]: ...
    def element(self, ps: Sequence[Any], ys: Sequence[Any]) -> tuple[Any, ...]:
        """The element that thread ``ps`` holds at ``ys``; integers or arrays that broadcast."""
        index = (*sequence(ps, "element: ps"), *sequence(ys, "element: ys"))
        return self.ps_ys_to_xs.calculate_bottom_index(index)

    def calculate_index(self, ps: Sequence[Any]) -> tuple[Any, ...]:
        """Where thread ``ps`` begins: its element at Y = 0."""
        return self.element(ps, (0,) * self.encoding.num_y)

    def buffer_offset(self, ys: Sequence[Any]) -> Any:
        """The position of ``ys`` in the thread's buffer."""
        return self.ys_to_d.calculate_offset(ys)

    def calculate_rs_index_from_ps_index(self, ps: Sequence[Any]) -> tuple[Any, ...]:
        """Which of the copies thread ``ps`` holds; -1 for an R that belongs to no P."""
        hidden = self.ps_ys_to_xs.calculate_hidden_index((*ps, *(0,) * self.encoding.num_y))
        owned = self.encoding.owned_rs
        return tuple(
            hidden[self.hidden_ids[0, r]] if r in owned else NONE for r in range(self.encoding.num_r)
        )

    @property
    def copies(self) -> Any:
        """How many threads hold each element: the product of the R that belong to some P."""
        return product(self.encoding.rs_lengths[r] for r in self.encoding.owned_rs)

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> TileDistribution:
        """The distribution with numbers in place of symbols."""
        named = {str(name): value for name, value in values.items()}
        declared = {name: value for name, value in named.items() if name in self.facts}
        return TileDistribution(self.encoding.bind(named), self.facts.bind(declared))


@noted
def make_static_tile_distribution(
    encoding: TileDistributionEncoding, facts: Domain = NO_FACTS
) -> TileDistribution:
    """The distribution of an encoding; ``facts`` is what is known of its symbols.

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> la.make_static_tile_distribution(tile).element((33,), (2, 3))
    (23, 1)
    """
    if not isinstance(encoding, TileDistributionEncoding):
        msg = f"make_static_tile_distribution: wanted an encoding, got a {type(encoding).__name__}"
        raise LengthError(msg, hint="read C++ text with read_encoding(...)")
    return TileDistribution(encoding, facts)


def _symbols(names: tuple[str, ...]) -> tuple[Symbol, ...]:
    return tuple(Symbol(name, integer=True, nonnegative=True) for name in names)
