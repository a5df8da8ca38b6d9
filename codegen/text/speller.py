"""SymPy indices as C expressions over one domain.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"tid": 256})
>>> Speller(domain)(8 * domain["tid"] + 3)
'8 * tid + 3'
"""

from __future__ import annotations

from typing import Any

from layoutalg.domain import Domain
from layoutalg.errors import MissingFactError
from layoutalg.index.sympy_forms import from_sympy
from layoutalg.index_code.c_text import CText
from layoutalg.properties import INTEGER_RANGES
from layoutalg.rules import simplify
from layoutalg.term.as_terms import to_term

__all__ = ["LARGEST_OFFSET", "Speller"]

WIDE = "long long"
LARGEST_OFFSET = INTEGER_RANGES["int32"][1]  # offsets are spelled as int


class Speller:
    """Writes expressions of ints in their cheapest form, or as they are where that one is not for C's ints.

    C may round it otherwise, or its values on the way may not fit 32 bits where those of the given one do.
    Refused where C rounds both otherwise. ``has_short_products``: quotients of small numbers are products.
    """

    def __init__(self, domain: Domain, *, has_short_products: bool = False) -> None:
        self.domain = domain
        # kernels include no <stdint.h>
        self.text = CText(domain, wide=WIDE, has_short_products=has_short_products)

    def __call__(self, expression: Any) -> str:
        try:
            found = self.text.text(simplify(expression, self.domain).program)
        except MissingFactError:
            return self._as_given(expression)
        return self._narrower(found, expression) if WIDE in found else found

    def _as_given(self, expression: Any) -> str:
        return self.text.text(to_term(from_sympy(expression)))

    def _narrower(self, found: str, expression: Any) -> str:
        """The given form where it needs no wider type, else the one that was found."""
        try:
            given = self._as_given(expression)
        except MissingFactError:
            return found
        return found if WIDE in given else given

    def plus(self, expression: Any) -> str:
        """The expression with a plus sign before it; empty for 0."""
        return f" + {self(expression)}" if expression != 0 else ""
