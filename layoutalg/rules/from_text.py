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
x // 8 + trunc_mod(x - 1, 8)
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
from layoutalg.term.rounding import FLOORS
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
        conditions = [one.name for one in domain.definitions if one.is_condition]
        term, _ = parsed(text, domain.known_names, syntax, conditions)
        meant = _Meaning(domain, excerpt(text, 0)).of(term)
        if meant != term:
            require_small(meant, excerpt(text, 0))
        return meant


class _Meaning:
    """What a term says on a domain: definitions in place of their names, division as its syntax has it."""

    def __init__(self, domain: Domain, where: str) -> None:
        self.domain = domain
        self.where = where
        self.definitions = {one.name: one for one in domain.definitions}
        self.defined: dict[str, Term] = {}

    def of(self, term: Term) -> Term:
        if _truncates(term):
            term = _Truncation(self).of(term)
        return self._substituted(term, {}) if self.definitions else term

    def behind(self, name: str) -> Term | None:
        """What a name is defined as; nothing for sizes, axes and tables."""
        if name not in self.definitions:
            return None
        if name not in self.defined:
            one = self.definitions[name]
            self.defined[name] = self.of(one.term())
            require_small(self.defined[name], self.where)
            self._require_known(name)
        return self.defined[name]

    def _require_known(self, name: str) -> None:
        """Refuse a name that stands for what is not known here, such as an axis among sizes."""
        used = [str(part.args[0]) for part in self.defined[name].walk() if part.op == "symbol"]
        for other in used:
            if other not in self.domain and not self.domain.table(other):
                text = self.definitions[name].text
                raise LayoutError(f"{name} stands for {text}, and {other} is not known here")

    def _substituted(self, term: Term, done: dict[Term, Term]) -> Term:
        if term.op == "symbol":
            return self.behind(term.args[0]) or term
        if not term.parts:
            return term
        if term not in done:
            done[term] = Term(term.op, tuple(self._substituted(part, done) for part in term.args))
        return done[term]


def _truncates(term: Term) -> bool:
    return term.op in FLOORS or any(map(_truncates, term.parts))


class _Truncation:
    """What rounds towards zero rounds down where the number is not negative."""

    def __init__(self, meaning: _Meaning) -> None:
        self.form = NormalForm(meaning.domain)
        self.meaning = meaning
        self.done: dict[Term, Term] = {}

    def of(self, term: Term) -> Term:
        if not term.parts:
            return term
        if term not in self.done:
            self.done[term] = self._rebuilt(term)
        return self.done[term]

    def _rebuilt(self, term: Term) -> Term:
        made = Term(term.op, tuple(map(self.of, term.args)))
        is_floor = term.op in FLOORS and self._is_nonnegative(made.args[0])
        return Term(FLOORS[term.op], made.args) if is_floor else made

    def _is_nonnegative(self, term: Term) -> bool:
        try:
            return self.form.bounds.is_nonnegative(interpret_term(term, self.form, self._value_of))
        except LayoutError:
            return False

    def _value_of(self, name: str) -> Any:
        behind = self.meaning.behind(name)
        return self.form.symbol(name) if behind is None else interpret_term(behind, self.form, self._value_of)
