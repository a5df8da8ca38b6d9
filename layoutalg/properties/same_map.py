"""Same map: two layouts send every index to the same place, and have an element for the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import And, Expr, Integer, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LengthError
from layoutalg.index import Select
from layoutalg.length import differ
from layoutalg.properties.arguments import adaptor_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["same_map", "same_validity"]


def same_map(
    left: TensorAdaptor | Layout | IndexMap,
    right: TensorAdaptor | Layout | IndexMap,
    subject: str = "two maps",
) -> Claim:
    """Equal outputs at every index that both vouch for; of hand-written maps, axes correspond by place.

    Refused: maps of different rank or of lengths known to differ.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> packed = make_naive_tensor_descriptor_packed((4, 8))
    >>> print(same_map(packed.merge(0, 1), make_naive_tensor_descriptor_packed((32,))))
    same map: two maps: for all 0 <= i0 < 32: 8*(i0 // 8) + i0 % 8 == i0
    """
    one, other, lengths = _matched(left, right)
    if len(one.outputs) != len(other.outputs):
        msg = f"same map: the numbers of dimensions below differ: {len(one.outputs)} and {len(other.outputs)}"
        raise LengthError(msg)
    outputs = tuple(Comparison(a, "==", b) for a, b in zip(one.outputs, other.outputs, strict=True))
    when = (*one.when, *other.when)
    index_map = IndexMap(other.domain, one.outputs, when)
    return Claim("same map", subject, other.domain, (*lengths, *outputs), when, map=index_map)


def same_validity(
    left: TensorAdaptor | Layout | IndexMap,
    right: TensorAdaptor | Layout | IndexMap,
    subject: str = "two maps",
) -> Claim:
    """Every index has an element under both or under none.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> rows = make_naive_tensor_descriptor_packed((8,))
    >>> print(same_validity(rows.pad(0, 0, 2), make_naive_tensor_descriptor_packed((10,))))
    same validity: two maps: for all 0 <= i0 < 10: select(i0 < 8, 1, 0) == 1
    """
    one, other, lengths = _matched(left, right)
    valid = Comparison(_bit(one.when), "==", _bit(other.when))
    return Claim("same validity", subject, other.domain, (*lengths, valid))


def _bit(conditions: tuple[Any, ...]) -> Expr:
    return Select.unchecked(And(*conditions), Integer(1), Integer(0)) if conditions else Integer(1)


def _matched(
    left: TensorAdaptor | Layout | IndexMap, right: TensorAdaptor | Layout | IndexMap
) -> tuple[IndexMap, IndexMap, tuple[Comparison, ...]]:
    """Both maps over the axes of the first, and what must hold for their axes to be as long.

    The second has the domain of both.
    """
    one, other = _map(left), _map(right)
    mine, its = one.domain.axes, other.domain.axes
    if len(mine) != len(its):
        msg = f"same map: the ranks differ: {len(mine)} and {len(its)}"
        raise LengthError(msg)
    at = {axis.symbol: same.symbol for axis, same in zip(its, mine, strict=True)}
    ends = [pair for n, axes in enumerate(zip(mine, its, strict=True)) for pair in _ends(n, *axes, at)]
    lengths = tuple(Comparison(a, "==", b) for a, b in ends if differ(a, b) is None)
    facts = tuple(fact.xreplace(at) for fact in other.domain.facts)
    domain = one.domain.joined(Domain(other.domain.parameters, facts))
    outputs = tuple(output.xreplace(at) for output in other.outputs)
    when = tuple(condition.xreplace(at) for condition in other.when)
    return one, IndexMap(domain, outputs, when), lengths


def _ends(dimension: int, mine: Variable, its: Variable, at: dict[Symbol, Symbol]) -> list[tuple[Expr, Expr]]:
    """The ends of two axes in pairs; refused where they are known to differ."""
    steps = (mine.multiple_of, its.multiple_of)
    if steps[0] != steps[1]:
        raise LengthError(f"same map: dimension {dimension} goes in steps of {steps[0]} and of {steps[1]}")
    found = []
    for word, end, other in (
        ("first indices", mine.lower, its.lower),
        ("lengths", mine.upper, its.upper),
    ):
        if end is None or other is None:
            msg = f"same map: dimension {dimension} needs ends, got {mine} and {its}"
            raise LengthError(msg)
        pair = (end, other.xreplace(at))
        if differ(*pair):
            msg = f"same map: the {word} of dimension {dimension} differ: {pair[0]} and {pair[1]}"
            raise LengthError(msg)
        found.append(pair)
    return found


def _map(layout: TensorAdaptor | Layout | IndexMap) -> IndexMap:
    return layout if isinstance(layout, IndexMap) else adaptor_of(layout, "same map").index_map()
