"""Terms and normal forms as SymPy expressions, with the symbols of the domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules.extract import BUDGET, Extraction
from layoutalg.term import run

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["to_expression"]


def to_expression(form: NormalForm, polynomial: Polynomial, budget: int = BUDGET) -> Expr:
    """The SymPy expression of a polynomial, through the cheapest term found for it.

    A budget of 0 takes the first way of writing it and asks nothing of the normal form.
    """
    found: Expr = run(Extraction(form, budget=budget).term(polynomial), SYMBOLIC, form.domain.__getitem__)
    return found
