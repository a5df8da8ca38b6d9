"""Simplification: the normal form of an expression, and the cheapest program that computes it.

>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorDiv, FloorMod
>>> domain = Domain.of({"x": 420})
>>> x = domain["x"]
>>> simplify(FloorDiv(x, 28) * 28 + FloorMod(x, 28), domain).expr
x
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.rules.expression import to_condition, to_expression
from layoutalg.rules.extract import Extraction
from layoutalg.rules.normal_form import NormalForm
from layoutalg.sympy_forms import from_sympy

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.domain import Domain
    from layoutalg.term import Term

__all__ = ["Simplified", "require_defined", "simplify", "simplify_condition"]


@dataclass(frozen=True)
class Simplified:
    """An equal expression, and the term a program computes for it."""

    expr: Expr
    program: Term


def simplify(expression: Any, domain: Domain) -> Simplified:
    """The cheapest form found of an index expression on a domain.

    SymPy's own ``floor``, ``Mod`` and ``Piecewise`` are accepted. Refused: an expression that is not
    defined at every point of the domain.
    """
    form = NormalForm(domain)
    polynomial = form.of(from_sympy(expression))
    return Simplified(to_expression(form, polynomial), Extraction(form).term(polynomial))


def simplify_condition(condition: Any, domain: Domain) -> Any:
    """The condition with decided parts dropped and its sides simplified."""
    form = NormalForm(domain)
    return to_condition(form, form.of(from_sympy(condition)))


def require_defined(expression: Any, domain: Domain) -> None:
    """Refuse an expression that is not defined at every point of the domain."""
    NormalForm(domain).of(expression)
