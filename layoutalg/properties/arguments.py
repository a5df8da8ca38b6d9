"""What claim builders ask of their arguments, each refused in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from sympy import Expr, Symbol

    from layoutalg.claim import IndexMap
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["axis_of", "one_output"]


def axis_of(adaptor: TensorAdaptor, dimension: int, claim: str) -> Symbol:
    """The index symbol of a dimension, counted from 0; refused where there is no such dimension."""
    if not 0 <= dimension < adaptor.rank:
        msg = f"{claim}: wanted a dimension of 0 to {adaptor.rank - 1}, got {dimension}"
        raise LayoutError(msg, hint="dimensions are counted from the slowest, 0")
    return adaptor.index[dimension]


def one_output(index_map: IndexMap, claim: str) -> Expr:
    """The only output of a map; refused where it has none or several."""
    if len(index_map.outputs) != 1:
        msg = f"{claim}: wanted a map with one output, got {len(index_map.outputs)}"
        raise LayoutError(msg, hint="make a map of the one that is meant: IndexMap(domain, (offset,))")
    return index_map.outputs[0]
