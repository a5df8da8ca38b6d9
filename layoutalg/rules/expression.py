"""Terms and normal forms as SymPy expressions, with the symbols of the domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.rules.extract import Extraction
from layoutalg.symbolic import SYMBOLIC
from layoutalg.term import Term, run

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.polynomial import Polynomial
    from layoutalg.rules.condition import Condition
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["to_condition", "to_expression"]


def to_expression(form: NormalForm, polynomial: Polynomial) -> Expr:
    """The SymPy expression of a polynomial, through the cheapest term found for it."""
    return _symbolic(form, Extraction(form).term(polynomial))


def to_condition(form: NormalForm, condition: Condition) -> Any:
    """The SymPy condition of a condition in normal form."""
    if condition.is_decided:
        return SYMBOLIC.truth(condition.kind == "true")
    return _symbolic(form, Extraction(form).condition(condition))


def _symbolic(form: NormalForm, term: Term) -> Any:
    return run(term, SYMBOLIC, form.domain.__getitem__)
