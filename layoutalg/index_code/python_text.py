"""Index formulas as expressions of Python.

>>> from layoutalg.term.parse import parse_term
>>> to_python(parse_term("8*(x // 8) + select(x < 4, x, 0)"))
'8*(x // 8) + (x if x < 4 else 0)'
"""

from __future__ import annotations

from typing import Any

from layoutalg.index.node import as_expression
from layoutalg.index_code.emitted_names import PYTHON
from layoutalg.rules import Simplified
from layoutalg.term import Term
from layoutalg.term.as_terms import FALSE, TRUE, to_term
from layoutalg.term.rounding import as_choices

__all__ = ["to_python"]


def to_python(formula: Simplified | Term | Any) -> str:
    """The Python expression of a result of ``simplify``, a term, or a SymPy index expression.

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.rules import simplify
    >>> to_python(simplify("x // 28 * 28 + x % 28 ^ y", Domain.of({"x": 420, "y": 8})))
    'x ^ y'
    >>> to_python(simplify("x / 8", Domain.of({"x": (-64, 64)})))
    'x // 8 if 0 <= x else -(-x // 8)'
    """
    if isinstance(formula, Simplified):
        formula = formula.program
    term = formula if isinstance(formula, Term) else to_term(as_expression(formula))
    term = as_choices(term)
    PYTHON.require(part.args[0] for part in term.walk() if part.op == "symbol")
    return _text(term)


def _text(term: Term) -> str:
    if term in (TRUE, FALSE):
        return str(term == TRUE)
    return _choice(term) if term.op == "select" else str(_with_choices(term))


def _with_choices(term: Term) -> Term:
    """Selections become names that are Python's own ``a if c else b`` in parentheses."""
    if not term.parts:
        return term
    if term.op == "select":
        return Term.symbol(f"({_choice(term)})")
    parts = tuple(_with_choices(part) for part in term.args)
    return term if parts == term.args else Term(term.op, parts)


def _choice(term: Term) -> str:
    condition, first, second = map(_text, term.args)
    if term.args[1].op == "select":  # or its condition would be that of the whole
        first = f"({first})"
    return f"{first} if {condition} else {second}"
