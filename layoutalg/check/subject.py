"""What claims are about: a layout by name, with its map, and its chain of transforms if it has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import of_kind
from layoutalg.layout import Layout

if TYPE_CHECKING:
    from sympy import Expr, Symbol

    from layoutalg.claim import Claim
    from layoutalg.domain import Domain

__all__ = ["Subject"]


@dataclass(frozen=True)
class Subject:
    """A layout: ``map`` sends its axes to where it leads, ``size`` is the space an offset must stay in.

    ``element`` is the coordinate an index stands for, where that is not the index itself; ``computed`` are
    the values on the way to the offset and its validity, as they are written; ``distribution`` is set where
    the layout says which thread holds what. ``element_type`` and ``vectors`` (axis and width) are what is
    said of how it is accessed. ``logical``: that its elements lie within the layout it reaches.
    """

    name: str
    map: IndexMap
    chain: TensorAdaptor | None = None
    size: Any = None
    element: tuple[Expr, ...] | None = None
    computed: tuple[Expr, ...] = ()
    distribution: TileDistribution | None = None
    threads: tuple[Any, ...] | None = None
    element_type: str = ""
    vectors: tuple[tuple[str, int], ...] = ()
    logical: Claim | None = None

    @classmethod
    def of(cls, name: str, layout: Any) -> Subject:
        """What claims are about, for any kind of layout."""
        if isinstance(layout, TileDistributionEncoding):
            layout = make_static_tile_distribution(layout)
        if isinstance(layout, TileDistribution):
            return cls.of_distribution(name, layout)
        if isinstance(layout, Layout):
            layout = layout.as_descriptor()
        if isinstance(layout, TensorAdaptor):
            return cls.of_chain(name, layout)
        wanted = "a descriptor, an adaptor, a nested layout, a distribution or an index map"
        return cls(name, of_kind(layout, IndexMap, name, wanted))

    @classmethod
    def of_distribution(
        cls, name: str, distribution: TileDistribution, threads: tuple[Any, ...] | None = None
    ) -> Subject:
        """Who holds which element of a tile; ``threads`` are as many as there really are."""
        index_map = distribution.index_map(threads)
        return cls(name, index_map, distribution=distribution, threads=threads)

    @classmethod
    def of_chain(cls, name: str, chain: TensorAdaptor) -> Subject:
        size = chain.element_space_size if isinstance(chain, TensorDescriptor) else None
        return cls(name, chain.index_map(), chain, size)

    @property
    def domain(self) -> Domain:
        return self.map.domain

    @property
    def index(self) -> tuple[Symbol, ...]:
        return tuple(axis.symbol for axis in self.domain.axes)
