"""Same map: two layouts send every index to the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain
from layoutalg.errors import LengthError
from layoutalg.length import differ
from layoutalg.properties.arguments import adaptor_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["same_map"]


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
    one, other = _map(left), _map(right)
    mine, its = one.domain.axes, other.domain.axes
    if len(mine) != len(its):
        msg = f"same map: the ranks differ: {len(mine)} and {len(its)}"
        raise LengthError(msg)
    at = {axis.symbol: same.symbol for axis, same in zip(its, mine, strict=True)}
    ends: list[tuple[Expr, Expr]] = []
    for dimension, (axis, same) in enumerate(zip(its, mine, strict=True)):
        for end in ("lower", "upper"):
            pair = (getattr(same, end), getattr(axis, end).xreplace(at))
            if differ(*pair):
                word = "lengths" if end == "upper" else "first indices"
                msg = f"same map: the {word} of dimension {dimension} differ: {pair[0]} and {pair[1]}"
                raise LengthError(msg)
            ends.append(pair)
    found = [output.xreplace(at) for output in other.outputs]
    if len(one.outputs) != len(found):
        msg = f"same map: the numbers of dimensions below differ: {len(one.outputs)} and {len(found)}"
        raise LengthError(msg)
    lengths = tuple(Comparison(a, "==", b) for a, b in ends if differ(a, b) is None)
    outputs = tuple(Comparison(a, "==", b) for a, b in zip(one.outputs, found, strict=True))
    domain = one.domain.joined(Domain(other.domain.parameters, other.domain.facts))
    when = (*one.when, *(condition.xreplace(at) for condition in other.when))
    index_map = IndexMap(domain, one.outputs, when)
    return Claim("same map", subject, domain, (*lengths, *outputs), when, map=index_map)


def _map(layout: TensorAdaptor | Layout | IndexMap) -> IndexMap:
    return layout if isinstance(layout, IndexMap) else adaptor_of(layout, "same map").index_map()
