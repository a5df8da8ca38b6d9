"""Shared parts of formulas as named values, so that a part is computed and read once.

>>> from layoutalg.term.parse import parse_term
>>> values, (result,) = named([parse_term("(x // 8)*4 + x // 8 % 2")], taken={"x"})
>>> [(name, str(term)) for name, term in values], str(result)
([('t0', 'x // 8')], '4*t0 + t0 % 2')
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from layoutalg.index_code.lazily import always_computed
from layoutalg.term import CONDITIONS, Term

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["named", "symbols_in"]


def symbols_in(*terms: Term) -> dict[str, None]:
    """The names in terms, in the order in which they are computed."""
    return dict.fromkeys(part.args[0] for term in terms for part in term.walk() if part.op == "symbol")


def named(terms: Iterable[Term], taken: Collection[str]) -> tuple[list[tuple[str, Term]], list[Term]]:
    """Values in the order in which they are computed, and the terms written with their names.

    A part is named if it is an integer, no plain number or name, and used twice where it is always
    computed: what stands under a selection or a guard alone stays there, since it may be undefined elsewhere.
    ``taken`` are names that must not be used.
    """
    given = list(terms)
    uses: Counter[Term] = Counter()
    for term in given:
        _count(term, uses)
    names = (name for number in range(10**6) if (name := f"t{number}") not in taken)
    values: list[tuple[str, Term]] = []
    written: dict[Term, Term] = {}

    def write(term: Term) -> Term:
        if term in written:
            return written[term]
        if not term.parts:
            return term
        result = Term(term.op, tuple(write(part) for part in term.args))
        if uses[term] > 1 and term.op not in CONDITIONS:
            name = next(names)
            values.append((name, result))
            result = Term.symbol(name)
        written[term] = result
        return result

    return values, [write(term) for term in given]


def _count(term: Term, uses: Counter[Term]) -> None:
    uses[term] += 1
    if uses[term] == 1:
        for part in always_computed(term):
            _count(part, uses)
