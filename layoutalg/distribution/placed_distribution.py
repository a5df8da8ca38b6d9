"""Distributions of the places of a tile, where a layout decides which element lies at each place.

Loads that go straight to shared memory leave what neighbouring lanes load side by side. Where a swizzled
layout is wanted there, each lane must load the element that belongs to its place.

>>> from layoutalg.distribution.read_encoding import read_encoding
>>> from layoutalg.memory import RowSwizzle
>>> lanes = read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,"
...     " tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
... )
>>> loads = PlacedDistribution(lanes, elements=RowSwizzle(16, 32, 8, width=4).elements)
>>> loads.x
(lane // 4, y0 + 8*(lane % 4 ^ (lane // 4) % 4))
>>> loads.element((5,), (3,)), make_static_tile_distribution(lanes).element((5,), (3,))
((1, 3), (1, 11))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sympy import Symbol

from layoutalg.descriptor import TensorAdaptor
from layoutalg.descriptor.make_adaptor import chain_tensor_adaptors
from layoutalg.distribution.distribution import TileDistribution, make_static_tile_distribution
from layoutalg.distribution.encoding import RhId
from layoutalg.length import Lengths

__all__ = ["PlacedDistribution"]


@dataclass(frozen=True)
class PlacedDistribution(TileDistribution):
    """Who holds what, by its place: ``encoding`` is of places, ``elements`` says which element lies there.

    Refused: elements of another number of dimensions than the places have.
    """

    elements: TensorAdaptor = field(kw_only=True)

    @property
    def lengths(self) -> Lengths:
        """Lengths of the tile of elements, which the places may be arranged in another way than."""
        pairs = zip(self.elements.bottom_lengths, self.encoding.x_lengths, strict=True)
        return tuple(of_places if length is None else length for length, of_places in pairs)

    @cached_property
    def places(self) -> TileDistribution:
        """Who holds what lies at which place."""
        return make_static_tile_distribution(self.encoding, self.facts)

    @cached_property
    def ps_ys_to_xs(self) -> TensorAdaptor:
        return chain_tensor_adaptors(self.elements, self.places.ps_ys_to_xs)

    @cached_property
    def hidden_ids(self) -> dict[RhId, int]:
        """The hidden dimension of ``ps_ys_to_xs`` that each factor is: behind those of ``elements``."""
        added = len(self.ps_ys_to_xs.hidden_lengths) - len(self.places.ps_ys_to_xs.hidden_lengths)
        return {factor: number + added for factor, number in self.places.hidden_ids.items()}

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> TileDistribution:
        bound = self.places.bind(values)
        return replace(self, encoding=bound.encoding, facts=bound.facts)
