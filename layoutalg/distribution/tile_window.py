"""Tile windows: a tile of a tensor, at an origin, read or written by a distribution.

Rows 64 to 127 of a tensor of 256x32, read by one wave of 64 lanes, 8 neighbours at a time:

>>> from layoutalg.distribution.distribution import make_static_tile_distribution
>>> from layoutalg.distribution.read_encoding import read_encoding
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> tensor = make_naive_tensor_descriptor(
...     (256, 32), (32, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
... )
>>> wave = make_static_tile_distribution(read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 16>, sequence<4, 8>>,"
...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 2>, sequence<0, 1>>"
... ))
>>> window = make_tile_window(tensor, (64, 32), (64, 0), wave)
>>> window.vector_dim_y, window.scalars_per_vector, window.accesses
(1, 8, ((0, 0), (1, 0), (2, 0), (3, 0)))
>>> int(window.calculate_offset((5,), (1, 0))), move_tile_window(window, (64, 0)).origin
(2600, (128, 0))

Source: CK Tile, ``core/tensor/tile_window_base.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.display import Displayed
from layoutalg.distribution.distribution import TileDistribution
from layoutalg.distribution.space_filling_curve import SpaceFillingCurve
from layoutalg.domain import Domain
from layoutalg.errors import LengthError
from layoutalg.index.node import as_expression
from layoutalg.length import Length, Lengths, differ, lengths, sequence, stride
from layoutalg.reading.signature_note import noted
from layoutalg.transforms import VectorHint

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ["TileWindow", "make_tile_window", "move_tile_window"]

ANYWHERE = Domain()


@dataclass(frozen=True)
class TileWindow(Displayed):
    """A window on a tensor: element X of the tile is element ``origin + X`` of the tensor.

    ``origin_domain`` says in which ranges the symbols of a symbolic origin lie (a block id, a loop
    counter).

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> held = la.make_static_tile_distribution(tile)
    >>> rows = la.make_naive_tensor_descriptor_packed((64, 64))
    >>> window = la.make_tile_window(rows, (32, 32), (32, 0), held)
    >>> window.calculate_offset((33,), (2, 3)), window.scalars_per_vector
    (3521, 1)
    """

    descriptor: TensorDescriptor
    lengths: Lengths
    origin: tuple[Length, ...]
    distribution: TileDistribution
    origin_domain: Domain = ANYWHERE

    def calculate_bottom_index(self, ps: Sequence[Any], ys: Sequence[Any]) -> tuple[Any, ...]:
        """The index into the tensor of the element that thread ``ps`` accesses at ``ys``."""
        if any(not isinstance(begin, int) for begin in self.origin):
            msg = f"tile window: wanted numbers for the origin, got {self.origin}"
            raise LengthError(msg, hint="use .index_map() for symbols")
        element = self.distribution.element(ps, ys)
        return tuple(begin + x for begin, x in zip(self.origin, element, strict=True))

    def calculate_offset(self, ps: Sequence[Any], ys: Sequence[Any]) -> Any:
        """The memory offset of that element, in elements."""
        return self.descriptor.calculate_offset(self.calculate_bottom_index(ps, ys))

    def is_valid_index(self, ps: Sequence[Any], ys: Sequence[Any]) -> Any:
        """Whether that element exists, or is padding (a load gives zero, a store is dropped)."""
        return self.descriptor.is_valid_index(self.calculate_bottom_index(ps, ys))

    def index_map(self, threads: Sequence[Length] | None = None) -> IndexMap:
        """The map from threads and registers to offsets, valid ones only, as what claims are made of."""
        return self.descriptor.index_map(self.tensor_map(threads))

    def tensor_map(self, threads: Sequence[Length] | None = None) -> IndexMap:
        """The map from threads and registers to the index into the tensor."""
        element = self.distribution.index_map(threads)
        begins = map(as_expression, self.origin)
        index = tuple(begin + x for begin, x in zip(begins, element.outputs, strict=True))
        domain = element.domain.joined(self.origin_domain).joined(self.descriptor.parameters)
        return IndexMap(domain, index)

    @cached_property
    def safe_vectors(self) -> tuple[VectorHint, ...]:
        """For each Y, how many neighbours may move in one access, and how far apart they lie."""
        adaptor = self.distribution.ps_ys_to_xs
        hints = dict(enumerate(self.descriptor.safe_vectors))
        return adaptor.top_vectors(hints)[self.distribution.encoding.num_p :]

    @property
    def vector_dim_y(self) -> int:
        """The Y along which vectors lie: the one with the longest safe vector of neighbours."""
        return self._vector[0]

    @property
    def scalars_per_vector(self) -> int:
        """Elements of one access."""
        return self._vector[1]

    @property
    def _vector(self) -> tuple[int, int]:
        dim, scalars = 0, 1
        for i, hint in enumerate(self.safe_vectors):
            if hint.stride == 1 and hint.length > scalars:
                dim, scalars = i, hint.length
        return dim, scalars

    @property
    def space_filling_curve(self) -> SpaceFillingCurve:
        """The order of a thread's accesses: Y as they come, without snakes."""
        ys = self.distribution.y_lengths
        scalars = tuple(self.scalars_per_vector if i == self.vector_dim_y else 1 for i in range(len(ys)))
        return SpaceFillingCurve(ys, tuple(range(len(ys))), scalars, snake_curved=False)

    @property
    def accesses(self) -> tuple[tuple[int, ...], ...]:
        """Where each of a thread's loads or stores begins, as an index Y."""
        curve = self.space_filling_curve
        return tuple(curve.index(i) for i in range(curve.num_of_access))

    def moved(self, step: Sequence[Any]) -> TileWindow:
        """The window a step further."""
        where = "move_tile_window: step"
        steps = tuple(stride(value, f"{where}[{i}]") for i, value in enumerate(sequence(step, where)))
        if len(steps) != len(self.origin):
            msg = f"move_tile_window: wanted {len(self.origin)} components, got {len(steps)}"
            raise LengthError(msg)
        return replace(self, origin=tuple(a + b for a, b in zip(self.origin, steps, strict=True)))


@noted
def make_tile_window(
    descriptor: TensorDescriptor,
    window_lengths: Sequence[Length],
    origin: Sequence[Length],
    distribution: TileDistribution,
    origin_domain: Domain = ANYWHERE,
) -> TileWindow:
    """The window; refused where dimensions or lengths do not fit each other.

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> held = la.make_static_tile_distribution(tile)
    >>> rows = la.make_naive_tensor_descriptor_packed((64, 64))
    >>> window = la.make_tile_window(rows, (32, 32), (32, 0), held)
    >>> window.index_map().outputs
    (512*y0 + 64*y1 + 256*(lane // 32) + lane % 32 + 2048,)
    """
    where = "make_tile_window"
    if not isinstance(descriptor, TensorDescriptor) or not isinstance(distribution, TileDistribution):
        found_types = f"a {type(descriptor).__name__} and a {type(distribution).__name__}"
        raise LengthError(f"{where}: wanted a descriptor and a distribution, got {found_types}")
    found = lengths(window_lengths, f"{where}: window_lengths")
    begins = tuple(stride(value, f"{where}: origin[{i}]") for i, value in enumerate(sequence(origin, where)))
    ranks = (descriptor.rank, len(found), len(begins), distribution.encoding.num_x)
    if len(set(ranks)) != 1:
        msg = f"{where}: wanted as many dimensions of tensor, window, origin and distribution, got {ranks}"
        raise LengthError(msg)
    for dim, (mine, tile) in enumerate(zip(found, distribution.lengths, strict=True)):
        if differ(mine, tile):
            msg = f"{where}: the window has length {mine} in dimension {dim}, its distribution {tile}"
            raise LengthError(msg, hint="CK does not check this")
    return TileWindow(descriptor, found, begins, distribution, origin_domain)


def move_tile_window(window: TileWindow, step: Sequence[Any]) -> TileWindow:
    """The window a step further, under CK's name."""
    return window.moved(step)
