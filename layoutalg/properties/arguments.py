"""What claim builders ask of their arguments, each refused in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)
from layoutalg.errors import LayoutError, of_kind, shown
from layoutalg.layout import Layout

if TYPE_CHECKING:
    from sympy import Expr, Symbol

__all__ = ["adaptor_of", "axis_of", "descriptor_of", "distribution_of", "map_axis_of", "map_of", "one_output"]


def adaptor_of(value: object, claim: str) -> TensorAdaptor:
    """An adaptor or descriptor; a nested layout stands for its descriptor."""
    if isinstance(value, Layout):
        return value.as_descriptor()
    _refuse_map(value, claim)
    return of_kind(value, TensorAdaptor, claim, "a descriptor, an adaptor or a layout")


def descriptor_of(value: object, claim: str) -> TensorDescriptor:
    """A descriptor; a nested layout stands for its own."""
    if isinstance(value, Layout):
        return value.as_descriptor()
    _refuse_map(value, claim)
    return of_kind(value, TensorDescriptor, claim, "a descriptor or a layout")


def _refuse_map(value: object, claim: str) -> None:
    if isinstance(value, IndexMap):
        hint = "of a map la.properties asks covers_map, memory_bounds_map, ..., which take the size too"
        raise LayoutError(f"{claim}: wanted a layout that knows its size, got an IndexMap", hint=hint)


def distribution_of(value: object, claim: str) -> TileDistribution:
    """A tile distribution; an encoding stands for the one that is made of it."""
    if isinstance(value, TileDistributionEncoding):
        return make_static_tile_distribution(value)
    return of_kind(value, TileDistribution, claim, "a tile distribution")


def map_of(value: object, claim: str) -> IndexMap:
    """An index map; a layout's map is ``layout.index_map()``."""
    return of_kind(value, IndexMap, claim, "an IndexMap, as layout.index_map() gives")


def axis_of(adaptor: TensorAdaptor, dimension: int | str, claim: str) -> Symbol:
    """The index symbol of a dimension, counted from 0; refused where there is no such dimension."""
    if not isinstance(dimension, int) or not 0 <= dimension < adaptor.rank:
        msg = f"{claim}: wanted a dimension of 0 to {adaptor.rank - 1}, got {shown(dimension)}"
        raise LayoutError(msg, hint="dimensions are counted from the slowest, 0")
    return adaptor.index[dimension]


def map_axis_of(index_map: IndexMap, dimension: int | str, claim: str) -> Symbol:
    """The axis of a map, by its name or its number from 0; refused where there is none such."""
    axes = index_map.domain.axes
    if isinstance(dimension, int) and 0 <= dimension < len(axes):
        return axes[dimension].symbol
    names = [axis.name for axis in axes]
    if dimension not in names:
        raise LayoutError(f"{claim}: wanted an axis of {', '.join(names)}, got {shown(dimension)}")
    return axes[names.index(str(dimension))].symbol


def one_output(index_map: IndexMap, claim: str) -> Expr:
    """The only output of a map; refused where it has none or several."""
    if len(index_map.outputs) != 1:
        msg = f"{claim}: wanted a map with one output, got {len(index_map.outputs)}"
        raise LayoutError(msg, hint="make a map of the one that is meant: IndexMap(domain, (offset,))")
    return index_map.outputs[0]
