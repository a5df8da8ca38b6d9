"""How far an offset moves when the index takes a step.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"row": 64, "col": 128})
>>> found = advance(parse_term("row*136 + col"), domain, {"col": 8})
>>> str(found.difference), found.domain
('8', Domain: 0 <= row < 64, 0 <= col < 120)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index_code.formulas import Advance
from layoutalg.rules import simplify
from layoutalg.term import Term
from layoutalg.term.cost import cost

if TYPE_CHECKING:
    from layoutalg.domain import Variable

__all__ = ["advance"]


def advance(offset: Term, domain: Domain, step: Mapping[str, int]) -> Advance:
    """The difference where both indices are inside; refused if it costs no less than the offset."""
    for name, distance in step.items():
        if domain.variable(name).is_parameter or not isinstance(distance, int):
            msg = f"step: wanted whole numbers for axes, got {name}: {distance!r}"
            raise LayoutError(msg)
    inside = Domain(tuple(_shortened(v, step.get(v.name, 0)) for v in domain.variables), domain.facts)
    moved = _shifted(offset, {name: distance for name, distance in step.items() if distance})
    difference = simplify(Term.sum(moved, Term.product(Term.integer(-1), offset)), inside)
    parameters = [parameter.name for parameter in domain.parameters]
    if difference.cost > 0 and difference.cost >= cost(offset, parameters):
        msg = f"step {dict(step)}: the offset moves by {difference}, which costs no less than a new offset"
        raise LayoutError(msg, hint="step along another axis, or compute the offset anew")
    return Advance(tuple(step.items()), difference.program, inside)


def _shortened(variable: Variable, distance: int) -> Variable:
    if not distance or variable.upper is None or variable.lower is None:
        return variable
    if distance > 0:
        return replace(variable, upper=variable.upper - distance)
    return replace(variable, lower=variable.lower - distance)


def _shifted(term: Term, step: Mapping[str, int]) -> Term:
    """The term with moved axes."""
    if term.op == "symbol":
        distance = step.get(term.args[0], 0)
        return Term.sum(term, Term.integer(distance)) if distance else term
    if not term.parts:
        return term
    parts = [_shifted(part, step) for part in term.args]
    if term.op in ("+", "*"):
        return Term.sum(*parts) if term.op == "+" else Term.product(*parts)
    return Term(term.op, tuple(parts))
