"""C's division, which rounds towards zero, in terms of ours, which rounds down.

They agree where the dividend is not negative, so only where that is not shown a choice is written.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> print(as_in_c(parse_term("x / 8 + (x - 1) % 8", syntax="c"), Domain.of({"x": 64})))
x // 8 + select(0 <= x - 1, (x - 1) % 8, -(-(x - 1) % 8))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.rules.normal_form import NormalForm
from layoutalg.term import Term, run

if TYPE_CHECKING:
    from layoutalg.domain import Domain

__all__ = ["as_in_c"]


def as_in_c(term: Term, domain: Domain) -> Term:
    """The term with C's meaning of ``/`` and ``%``; divisors must be positive, as everywhere."""
    return _Truncation(domain).of(term)


class _Truncation:
    def __init__(self, domain: Domain) -> None:
        self.form = NormalForm(domain)
        self.done: dict[Term, Term] = {}

    def of(self, term: Term) -> Term:
        if not term.parts:
            return term
        if term not in self.done:
            self.done[term] = self._rebuilt(term)
        return self.done[term]

    def _rebuilt(self, term: Term) -> Term:
        made = Term(term.op, tuple(map(self.of, term.args)))
        if term.op not in ("//", "%") or self._is_nonnegative(made.args[0]):
            return made
        number, divisor = made.args
        rest = Term(term.op, (Term.product(Term.integer(-1), number), divisor))
        below = Term.product(Term.integer(-1), rest)
        return Term("select", (Term("<=", (Term.integer(0), number)), made, below))

    def _is_nonnegative(self, term: Term) -> bool:
        try:
            return self.form.bounds.is_nonnegative(run(term, self.form, self.form.symbol))
        except LayoutError:
            return False
