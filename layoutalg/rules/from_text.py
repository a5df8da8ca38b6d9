"""Text read on a domain: an index expression as SymPy has it, defined at every point.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"row": 64, "col": 64})
>>> parse("row*64 + (col ^ (row % 8) * 8)", domain)
64*row + (col ^ 8*(row % 8))
>>> parse("row / 8 * 8 + (col >= 32 ? 1 : 0)", domain, syntax="c")
8*(row // 8) + select(32 <= col, 1, 0)
>>> parse("8*floor(row/8) + Mod(col, 8)", domain)
8*(row // 8) + col % 8

C's division rounds towards zero, ours rounds down. They agree where the dividend is not negative, so only
where nothing shows that a choice is written:

>>> print(parse_term_in("x / 8 + (x - 1) % 8", Domain.of({"x": 64}), syntax="c"))
x // 8 + select(0 <= x - 1, (x - 1) % 8, -(-(x - 1) % 8))
"""

from __future__ import annotations

from typing import Any

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, of_kind
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.reading.input_limits import excerpt
from layoutalg.reading.recursion import deeply
from layoutalg.rules.normal_form import NormalForm
from layoutalg.term import Term, interpret_term
from layoutalg.term.parse import Syntax, parsed
from layoutalg.term.size import require_small

__all__ = ["parse", "parse_term_in"]


def parse(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Any:
    """The SymPy expression (or condition) a text stands for, defined everywhere on the domain.

    The syntaxes differ in ``/`` (integer division in C, a fraction under ``floor`` in SymPy, refused
    in Python) and in C's ``&``, ``^``, ``|``, which bind weaker than comparisons. Unless stated, the
    syntax is judged by the words that only one of them has. C's division rounds towards zero: where a
    dividend may be negative, the expression says so by a choice.

    >>> from layoutalg.domain import Domain
    >>> parse("(x - 1) / 8", Domain.of({"x": 64}), syntax="c")
    select(0 <= x - 1, (x - 1) // 8, -((1 - x) // 8))
    """
    of_kind(text, str, "parse", "a text such as '8*x + y'")
    of_kind(domain, Domain, "parse: domain", "a Domain such as Domain.of({'x': 64})")
    with deeply(excerpt(text, 0)):
        term = parse_term_in(text, domain, syntax=syntax)
        domain.check(term)
        return interpret_term(term, SYMBOLIC, lambda name: domain[name])


def parse_term_in(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Term:
    """The term a text stands for on a domain: as written, but for C's division of what may be negative."""
    of_kind(text, str, "parse", "a text such as '8*x + y'")
    with deeply(excerpt(text, 0)):
        term, found = parsed(text, domain.known_names, syntax)
        if found != "c":
            return term
        term = _Truncation(domain).of(term)
        require_small(term, excerpt(text, 0))
        return term


class _Truncation:
    """C's meaning of ``/`` and ``%`` in a term; divisors must be positive, as everywhere."""

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
            return self.form.bounds.is_nonnegative(interpret_term(term, self.form, self.form.symbol))
        except LayoutError:
            return False
