"""What formulas need of sizes alone: computed once, where the sizes are known.

Maximal parts without an axis become fields (``K*M``), and a division by such a part becomes one by a divisor
that is prepared once (:class:`Divisor`), where its magic number is exact for every dividend:

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"i": "M*K"}, {"M": (1, 64), "K": (1, 99)})
>>> formulas = Formulas("rows", domain, parse_term("i // K * (K + 8) + i % K"), parse_term("i < 5"))
>>> found = hoisted(formulas)
>>> str(found.formulas.offset), {name: str(term) for name, term in found.fields.items()}
('i // by_K*K_plus_8 + (i - K*(i // by_K))', {'K': 'K', 'K_plus_8': 'K + 8'})
>>> found.divisors
{'by_K': Divisor(value=Term(K), word=32)}
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from layoutalg.domain import Domain
from layoutalg.errors import MissingFactError
from layoutalg.index_code.field_names import FieldNames
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.lazily import is_guard
from layoutalg.index_code.row_major import looks_up
from layoutalg.index_code.subexpressions import symbols_in
from layoutalg.index_code.width import Widths
from layoutalg.term import CONDITIONS, Term

__all__ = ["Divisor", "Hoisted", "hoisted"]

MINUS_ONE = Term.integer(-1)


@dataclass(frozen=True)
class Divisor:
    """A positive value of sizes that dividends of less than ``2**(word - 1)`` are divided by."""

    value: Term
    word: int


@dataclass(frozen=True)
class Hoisted:
    """Formulas over axes, ``fields`` and ``divisors``, both in the order in which they are used.

    ``fields``: sizes, and values of sizes by name. ``left``: divisions that no magic number is exact for.
    """

    formulas: Formulas
    fields: Mapping[str, Term]
    divisors: Mapping[str, Divisor]
    left: tuple[Term, ...]

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all fields and divisors."""
        return (*self.fields, *self.divisors)

    @property
    def values(self) -> dict[str, Term]:
        """What each name stands for that is neither an axis nor a size."""
        divisors = {name: divisor.value for name, divisor in self.divisors.items()}
        computed = {name: value for name, value in self.fields.items() if value != Term.symbol(name)}
        return {**computed, **divisors}

    @property
    def has_sizes(self) -> bool:
        return bool(self.fields or self.divisors)


def hoisted(formulas: Formulas, words: Collection[int] = (32, 64), *, is_typed: bool = True) -> Hoisted:
    """The formulas with their parts of sizes alone named.

    ``words``: of how many bits there are magic numbers. ``is_typed``: whether a type must hold each value.
    """
    names = FieldNames((*formulas.inputs, *formulas.table_names.values()))
    left: list[Term] = []
    hoisting = _Hoisting(formulas.domain, names, words, is_typed, left)
    offset, valid = map(hoisting.written, (formulas.offset, formulas.valid))
    found, terms = replace(formulas, offset=offset, valid=valid), [offset, valid]
    if formulas.advance is not None:
        moved = _Hoisting(formulas.advance.domain, names, words, is_typed, left)
        difference = moved.written(formulas.advance.difference)
        found = replace(found, advance=replace(formulas.advance, difference=difference))
        terms.append(difference)
    used = symbols_in(*terms)
    fields = {p.name: Term.symbol(p.name) for p in formulas.domain.parameters if p.name in used}
    fields |= {name: names.fields[name] for name in used if name in names.fields}
    divisors = {name: Divisor(*names.divisors[name]) for name in used if name in names.divisors}
    return Hoisted(found, fields, divisors, tuple(dict.fromkeys(left)))


@dataclass
class _Hoisting:
    """Rewrites terms over one domain. Ranges are those where a part is computed; fields always are."""

    domain: Domain
    names: FieldNames
    words: Collection[int]
    is_typed: bool
    left: list[Term]
    widths: Widths = field(init=False)
    always: Widths = field(init=False)

    def __post_init__(self) -> None:
        self.widths, self.always = Widths(self.domain), Widths(self.domain)
        self.sizes = {variable.name for variable in self.domain.parameters}

    def written(self, term: Term) -> Term:
        """The term with names in place of what sizes alone decide."""
        if not term.parts:
            return term
        sign, size = term.sign_and_size
        if sign < 0:
            return Term.product(MINUS_ONE, self.written(size))
        if self._is_of_sizes(term) and self._is_always_defined(term):
            return Term.symbol(self.names.field(term))
        if term.op == "select":
            return self._select(term)
        if is_guard(term):
            return self._guarded(term)
        if term.op in ("//", "exact", "%"):
            return self._division(term)
        return self._grouped(term) if term.op in ("+", "*") else self._by_parts(term)

    def _by_parts(self, term: Term) -> Term:
        return Term(term.op, tuple(map(self.written, term.args)))

    def _select(self, term: Term) -> Term:
        condition, first, second = term.args
        chosen = self.written(condition)
        with self.widths.where(condition):
            first = self.written(first)
        with self.widths.where(condition, holds=False):
            second = self.written(second)
        return Term("select", (chosen, first, second))

    def _guarded(self, term: Term) -> Term:
        """A conjunction, each operand where those before it hold."""
        found = []
        with ExitStack() as known:
            for part in term.args:
                found.append(self.written(part))
                known.enter_context(self.widths.where(part))
        return Term("and", tuple(found))

    def _grouped(self, term: Term) -> Term:
        """A sum or product with all its operands of sizes as one: first in a product, last in a sum."""
        group = [part for part in term.args if part.op == "integer" or self._is_of_sizes(part)]
        if len(group) < 2:
            return self._by_parts(term)
        is_sum = term.op == "+"
        join = Term.sum if is_sum else Term.product
        is_taken_away = is_sum and all(part.sign_and_size[0] < 0 for part in group)
        value = join(*(part.sign_and_size[1] if is_taken_away else part for part in group))
        if not self._is_always_defined(value):
            return self._by_parts(term)
        named = Term.symbol(self.names.field(value))
        rest = [self.written(part) for part in term.args if part not in group]
        if is_taken_away:
            named = Term.product(MINUS_ONE, named)
        return Term(term.op, (*rest, named) if is_sum else (named, *rest))

    def _division(self, term: Term) -> Term:
        """``n // d`` by a prepared divisor; ``n % d`` as ``n - d*(n // d)``, which shares the quotient."""
        number, divisor = term.args
        if divisor.op == "integer":
            return self._by_parts(term)
        word = self._word(number, divisor) if self._is_of_sizes(divisor) else None
        if word is None:
            self.left.append(term)
            return self._by_parts(term)
        dividend = self.written(number)
        quotient = Term("//", (dividend, Term.symbol(self.names.divisor(divisor, word))))
        if term.op != "%":
            return quotient
        return Term("+", (dividend, Term.product(MINUS_ONE, self.written(divisor), quotient)))

    def _word(self, number: Term, divisor: Term) -> int | None:
        """The narrowest word with an exact magic number."""
        if not self._is_always_defined(divisor):
            return None
        low, high = self.widths.range(number)
        least, largest = self.always.range(divisor)
        if low < 0 or least < 1:
            return None
        return next((word for word in self.words if max(high, largest) < 1 << word - 1), None)

    def _is_of_sizes(self, term: Term) -> bool:
        """Whether a term is an integer that sizes and nothing else decide, no entry of a table either."""
        names = symbols_in(term).keys()
        return bool(names) and names <= self.sizes and term.op not in CONDITIONS and not looks_up(term)

    def _is_always_defined(self, term: Term) -> bool:
        """Whether sizes alone, without the condition of a branch, say that a term has a value."""
        try:
            self.always.of([term]) if self.is_typed else self.always.range(term)
        except MissingFactError:
            return False
        return True
