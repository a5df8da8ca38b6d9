"""What is computed from the sizes of a kernel, as C text of the host.

>>> from layoutalg.length import sizes
>>> M, K, lda = sizes("M K lda")
>>> domain = Domain.of({}, {M: (8, None, 8), K: (1, 4096), lda: (1, None)}, [sympy.Ge(lda, K)])
>>> conditions_of(domain)
['M >= 8', 'M % 8 == 0', 'K >= 1', 'K < 4097', 'lda >= 1', 'K <= lda']
>>> SizeText(domain)(M * lda + 1)
'(long)M * lda + 1'
"""

from __future__ import annotations

from typing import Any

import sympy

from layoutalg.domain import Domain
from layoutalg.index_code.c_text import CText
from layoutalg.term.parse import parse_term

__all__ = ["SizeText", "conditions_of"]

MOST = 2**31 - 1  # of a size: all are passed as int


class SizeText:
    """Spells expressions of sizes of type int; ``is_wide``: of a type that holds whatever is made of them."""

    def __init__(self, domain: Domain, *, is_wide: bool = False) -> None:
        any_sizes = Domain.of({}, {one.symbol: (0, MOST) for one in domain.parameters})
        self._text = CText(any_sizes, bits=64 if is_wide else 32, wide="long")

    def __call__(self, expression: Any) -> str:
        return self._text.text(parse_term(str(expression)))


def conditions_of(domain: Domain) -> list[str]:
    """What must hold of the sizes, one condition after the other: their ranges, multiples, and facts."""
    spell, found = SizeText(domain, is_wide=True), []
    for one in domain.parameters:
        found += [] if one.lower is None else [f"{one.name} >= {spell(one.lower)}"]
        found += [] if one.upper is None else [f"{one.name} < {spell(one.upper)}"]
        found += [] if one.multiple_of == 1 else [f"{one.name} % {one.multiple_of} == 0"]
    return found + [spell(fact) for fact in domain.facts if fact != sympy.true]
