"""What claims are about: a layout by name, with its map, and its chain of transforms if it has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor

if TYPE_CHECKING:
    from sympy import Expr, Symbol

    from layoutalg.claim import Claim
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.distribution import TileDistribution
    from layoutalg.domain import Domain

__all__ = ["Asked", "Obligation", "Passed", "Subject", "Unclaimed"]


@dataclass(frozen=True)
class Subject:
    """A layout: ``map`` sends its axes to where it leads, ``size`` is the space an offset must stay in.

    ``element`` is the coordinate an index stands for, where that is not the index itself; ``computed`` are
    the values on the way to the offset and its validity, as they are written; ``distribution`` is set where
    the layout says which thread holds what.
    """

    name: str
    map: IndexMap
    chain: TensorAdaptor | None = None
    size: Any = None
    element: tuple[Expr, ...] | None = None
    computed: tuple[Expr, ...] = ()
    distribution: TileDistribution | None = None
    threads: tuple[Any, ...] | None = None

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


@dataclass(frozen=True)
class Obligation:
    """A claim to be decided, and where it was made."""

    claim: Claim
    file: str
    line: int
    layout: str
    chain: TensorAdaptor | None = None


@dataclass(frozen=True)
class Unclaimed:
    """A layout of which nothing is claimed, and where it stands."""

    file: str
    line: int
    layout: str


@dataclass(frozen=True)
class Passed:
    """A layout, or a claim of it, that was passed by because something it stands on is in error."""

    file: str
    line: int
    layout: str
    why: str


Asked: TypeAlias = tuple[list[Obligation], list[Unclaimed]]
