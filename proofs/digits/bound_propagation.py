"""Conditions on a single axis as tighter ends of that axis.

``0 <= i < 16`` where ``1 <= i`` and ``i < 15`` is ``1 <= i < 15``; provers that only look at ranges then see
what a pad leaves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy

from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import conjuncts
from layoutalg.rules import NormalForm

__all__ = ["propagated"]


def propagated(domain: Domain, when: tuple[Any, ...]) -> tuple[Domain, tuple[Any, ...]]:
    """The domain with ends taken over from conditions, and the conditions that are left."""
    if not when:
        return domain, ()
    variables = {variable.name: variable for variable in domain.variables}
    form = NormalForm(Domain(domain.parameters, tuple(f for f in domain.facts if _is_uniform(f, domain))))
    left = []
    for condition in conjuncts(*when):
        found = _end(condition, domain)
        variable = variables.get(found[0]) if found else None
        if found is None or variable is None or variable.multiple_of > 1:
            left.append(condition)
            continue
        try:
            tighter = _with_end(variable, found[1], form, is_lower=found[2])
        except LayoutError:  # an end that depends on other axes
            tighter = None
        if tighter is None:
            left.append(condition)
        else:
            variables[variable.name] = tighter
    return Domain(tuple(variables.values()), domain.facts), tuple(left)


def _end(condition: Any, domain: Domain) -> tuple[str, sympy.Expr, bool] | None:
    """``(axis, end, is_lower)`` of a comparison of one axis with something uniform."""
    op = getattr(condition, "rel_op", None)
    if op not in ("<", "<=", ">", ">="):
        return None
    small, large = condition.args if op in ("<", "<=") else reversed(condition.args)
    gap = sympy.expand(large - small - (1 if op in ("<", ">") else 0))  # gap >= 0
    axes = [axis for axis in domain.axes if axis.symbol in gap.free_symbols]
    if len(axes) != 1:
        return None
    symbol = axes[0].symbol
    for sign in (1, -1):
        rest = sympy.expand(gap - sign * symbol)
        if symbol not in rest.free_symbols and not rest.free_symbols - _uniform(domain):
            return axes[0].name, (-rest if sign > 0 else rest + 1), sign > 0
    return None


def _is_uniform(fact: Any, domain: Domain) -> bool:
    return bool(fact.free_symbols <= _uniform(domain))


def _uniform(domain: Domain) -> set[sympy.Symbol]:
    return {parameter.symbol for parameter in domain.parameters}


def _with_end(variable: Variable, end: sympy.Expr, form: NormalForm, *, is_lower: bool) -> Variable | None:
    """The variable with the tighter of two ends; None where it is not known which is tighter."""
    old = variable.lower if is_lower else variable.upper
    if old is not None:
        gap = form.of(end) - form.of(old) if is_lower else form.of(old) - form.of(end)
        if form.bounds.is_nonnegative(-gap):
            return variable
        if not form.bounds.is_nonnegative(gap):
            return None
    ends = {"lower" if is_lower else "upper": end}
    lower, upper = ends.get("lower", variable.lower), ends.get("upper", variable.upper)
    if lower is not None and upper is not None:
        length = form.of(upper) - form.of(lower)
        if not form.bounds.is_positive(length):
            return None
    return replace(variable, **ends)
