"""Whether a layout has points at all: of none, everything could be proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.errors import LayoutError
from layoutalg.evaluate import evaluate
from layoutalg.points import contains

if TYPE_CHECKING:
    from layoutalg.domain import Domain, Variable

__all__ = ["require_points"]


def require_points(index_map: IndexMap) -> None:
    """Refuse a map none of whose indices exists and is valid, whatever the sizes.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"i": "N"}, {"N": (4, 8)})
    >>> require_points(IndexMap(domain.where(domain["N"] < 4), (domain["i"],)))
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: no index exists: ranges, facts and validity contradict each other \
(every claim would hold of it)
    """
    if _holds(index_map, _first(index_map.domain)):
        return
    from layoutalg.proofs import prove  # noqa: PLC0415  loads the solver, and is seldom needed

    never = (Comparison(sympy.Integer(1), "==", sympy.Integer(0)),)
    claim = Claim("no index exists", "layout", index_map.domain, never, index_map.when)
    if prove(claim, members=["normal form", "few points", "z3 integers"]):
        msg = "no index exists: ranges, facts and validity contradict each other"
        raise LayoutError(msg, hint="every claim would hold of it")


def _first(domain: Domain) -> dict[str, int] | None:
    """The lowest point of a domain, if its ends can be computed."""
    point: dict[str, int] = {}
    for variable in (*domain.parameters, *domain.axes):
        try:
            low = 0 if variable.lower is None else int(evaluate(variable.lower, point or {"": 0}))
        except LayoutError:
            return None
        point[variable.name] = _next_multiple(low, variable)
    return point


def _next_multiple(low: int, variable: Variable) -> int:
    return -(-low // variable.multiple_of) * variable.multiple_of


def _holds(index_map: IndexMap, point: dict[str, Any] | None) -> bool:
    if not point:
        return point is not None
    try:
        inside = contains(index_map.domain, point)
        return inside and all(bool(evaluate(condition, point)) for condition in index_map.when)
    except LayoutError:
        return False
