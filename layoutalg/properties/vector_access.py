"""Vector access: whether ``width`` neighbours along a dimension may move at once.

Composable Kernel leaves it to the caller: a pad lets a vector length pass without asking whether the pad
is a multiple of it. Four claims, so that a refutation says what is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol

from layoutalg.claim import AllOf, Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError, shown
from layoutalg.index import FloorMod, Select
from layoutalg.index.node import as_expression
from layoutalg.properties.arguments import axis_of, descriptor_of, map_axis_of, map_of, one_output

if TYPE_CHECKING:
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.layout import Layout

__all__ = ["vector_access", "vector_access_map"]


def vector_access(
    descriptor: TensorDescriptor | Layout | IndexMap,
    dimension: int | str,
    width: int,
    subject: str = "descriptor",
) -> Claim:
    """The claims for vectors of ``width`` elements along a dimension, as :func:`vector_access_map`.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> for claim in vector_access(make_naive_tensor_descriptor((4, 8), (12, 1)), 1, 4):
    ...     print(claim)
    vector divides length: descriptor: for all one point: 0 == 0
    vector contiguous: descriptor: for all 0 <= i0 < 4, 0 <= i1 < 5, i1 % 4 == 0, 0 <= lane < 4: \
12*i0 + i1 + lane == 12*i0 + i1 + lane
    vector aligned: descriptor: for all 0 <= i0 < 4, 0 <= i1 < 5, i1 % 4 == 0: (12*i0 + i1) % 4 == 0
    """
    if isinstance(descriptor, IndexMap):
        return vector_access_map(
            descriptor, map_axis_of(descriptor, dimension, "vector access"), width, subject
        )
    descriptor = descriptor_of(descriptor, "vector access")
    axis = axis_of(descriptor, dimension, "vector access")
    return vector_access_map(descriptor.index_map(), axis, width, subject)


def vector_access_map(index_map: IndexMap, axis: Symbol | str, width: int, subject: str) -> Claim:
    """Vectors that start at multiples of ``width`` along an axis of a map with one output.

    Claimed: the width divides the length; neighbours lie next to each other; the first is a multiple of
    the width; all of a vector are valid or none is (left out where everything is valid).
    """
    if not isinstance(width, int) or width < 1:
        msg = f"vector access: wanted a width of 1 or more elements, got {shown(width)}"
        raise LayoutError(msg)
    axis = map_of(index_map, "vector access").domain.variable(axis).symbol
    index_map = _from_zero(index_map, axis)
    offset = one_output(index_map, "vector access")
    variable = index_map.domain.variable(axis)
    lane = _lane(index_map.domain)
    first = _with(index_map.domain, replace(variable, upper=_last(variable, width), multiple_of=width))
    inside = first.with_variables(Variable(lane, sympy.Integer(0), sympy.Integer(width)))
    moved = {axis: axis + lane}
    starts_valid = index_map.when
    length = as_expression(variable.upper)
    claims = [
        _divides(length, width, index_map.domain, subject),
        Claim(
            "vector contiguous",
            subject,
            inside,
            (Comparison(offset.xreplace(moved), "==", offset + lane),),
            (*starts_valid, *(condition.xreplace(moved) for condition in index_map.when)),
        ),
        Claim("vector aligned", subject, first, (_multiple(offset, width),), starts_valid),
    ]
    if index_map.when:
        together = tuple(
            Comparison(_bit(condition.xreplace(moved)), "==", _bit(condition)) for condition in index_map.when
        )
        claims.append(Claim("vector valid together", subject, inside, together))
    return AllOf("vector access", subject, claims)


def _from_zero(index_map: IndexMap, axis: Symbol) -> IndexMap:
    """The map with the axis counted from its own lower end: there its first vector starts."""
    variable = index_map.domain.variable(axis)
    if variable.lower is None or variable.upper is None:
        msg = f"vector access: {axis} needs ends, got {variable}"
        raise LayoutError(msg, hint="the vectors start at the lower end")
    if variable.multiple_of > 1:
        msg = (
            f"vector access: {axis} goes in steps of {variable.multiple_of}: its elements are not neighbours"
        )
        raise LayoutError(msg)
    if variable.lower == 0:
        return index_map
    moved = {axis: axis + variable.lower}
    counted = replace(variable, lower=sympy.Integer(0), upper=variable.upper - variable.lower)
    variables = tuple(
        counted
        if other.name == variable.name
        else replace(other, **{end: _moved(getattr(other, end), moved) for end in ("lower", "upper")})
        for other in index_map.domain.variables
    )
    domain = Domain(variables, tuple(fact.xreplace(moved) for fact in index_map.domain.facts))
    outputs, when = (tuple(e.xreplace(moved) for e in found) for found in (index_map.outputs, index_map.when))
    return IndexMap(domain, outputs, when)


def _moved(end: Any, moved: dict[Symbol, Any]) -> Any:
    return None if end is None else end.xreplace(moved)


def _divides(length: Any, width: int, domain: Domain, subject: str) -> Claim:
    return Claim("vector divides length", subject, domain.about(length), (_multiple(length, width),))


def _multiple(value: Any, width: int) -> Comparison:
    return Comparison(FloorMod.unchecked(value, sympy.Integer(width)), "==", sympy.Integer(0))


def _bit(condition: Any) -> Any:
    return Select.unchecked(condition, sympy.Integer(1), sympy.Integer(0))


def _last(variable: Variable, width: int) -> Any:
    """The end of the starts of whole vectors; where none fits, the first start alone."""
    end = as_expression(variable.upper) - width + 1
    return sympy.Integer(1) if end.is_Integer and end < 1 else end


def _with(domain: Domain, changed: Variable) -> Domain:
    variables = tuple(changed if v.name == changed.name else v for v in domain.variables)
    return Domain(variables, domain.facts)


def _lane(domain: Domain) -> Symbol:
    name = next(name for name in ("lane", "vector_lane", "lane_of_vector") if name not in domain)
    return Symbol(name, integer=True, nonnegative=True)
