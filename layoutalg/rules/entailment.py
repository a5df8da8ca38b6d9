"""Whether conditions can hold together, with all that is known of the letters in them.

Ranges look at one polynomial; here what the letters are joins in: ``d*q <= n < d*q + d`` of a quotient, both
branches of a selection, the facts. Each case is a system of linear rows, which is eliminated.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"x": (None, None)}, facts=["x % 4 == 2"])
>>> form = NormalForm(domain)
>>> impossible(form, [form.of(parse("(x + 1) % 4 != 3", domain))])
True
>>> impossible(form, [form.of(parse("x // 8 == 3", domain))])
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.condition import Condition
from layoutalg.rules.linear import contradictory
from layoutalg.rules.polynomial import ONE, Polynomial
from layoutalg.rules.totality import is_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from layoutalg.rules.atoms import Atom
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["implied", "impossible"]

CASES = 16  # systems eliminated for one question
LETTERS = 24  # above so many letters nothing is tried


def implied(form: NormalForm, condition: Condition, given: Iterable[Condition] = ()) -> bool:
    """Whether it is shown that the condition holds wherever the given ones do."""
    return impossible(form, [*given, condition.negated()])


def impossible(form: NormalForm, conditions: Iterable[Condition]) -> bool:
    """Whether it is shown that the conditions hold together at no point of the domain."""
    asked = tuple(dict.fromkeys(conditions))
    key = (form.bounds.facts, form.other_facts, asked)
    found = form.impossibilities.get(key)
    if found is None:
        if form.systems_left <= 0:
            return False
        found = not form.bounds.falsifier.holds(asked, form.bounds.facts) and _refuted(form, asked)
        form.impossibilities[key] = found
    return found


class _TooManyError(Exception):
    """More letters than are looked at together."""


class _Rows:
    """What holds together: rows that are 0, rows that are not negative, cases still to be told apart."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.zeros: list[Polynomial] = []
        self.nonnegatives: list[Polynomial] = []
        self.choices: list[tuple[Condition, ...]] = []
        self.letters: set[int] = set()

    def copy(self) -> _Rows:
        found = _Rows(self.form)
        found.zeros, found.nonnegatives = self.zeros.copy(), self.nonnegatives.copy()
        found.choices, found.letters = self.choices.copy(), self.letters.copy()
        return found

    def add(self, conditions: Iterable[Condition]) -> None:
        """Conditions, and what is known of every letter they speak of."""
        todo = list(conditions)
        while todo:
            condition = todo.pop()
            match condition.kind:
                case "false":
                    self.nonnegatives.append(-ONE)
                case "and":
                    todo += _conditions(condition)
                case "or":
                    self.choices.append(_conditions(condition))
                case "nonzero":
                    (polynomial,) = condition.polynomials()
                    self.choices.append((_at_least(polynomial.plus(-1)), _at_least((-polynomial).plus(-1))))
                case "nonnegative":
                    self.nonnegatives += condition.polynomials()
                case "zero":
                    self.zeros += condition.polynomials()
            for polynomial in condition.polynomials():
                for letter in polynomial.letters - self.letters:
                    self.letters.add(letter)
                    todo += _meaning(self.form, letter, self.choices)
        if len(self.letters) > LETTERS:
            raise _TooManyError

    def contradict(self) -> bool:
        """Whether the rows by themselves have no solution."""
        return contradictory(self.zeros, [*self.nonnegatives, *self._products()])

    def _products(self) -> Iterator[Polynomial]:
        """The ends of products of letters, which elimination takes for unknowns of their own."""
        rows = (*self.zeros, *self.nonnegatives)
        for monomial in {m for polynomial in rows for m, _ in polynomial if len(m) > 1}:
            product = Polynomial({monomial: 1})
            low, high = self.form.bounds.interval(product)
            if isinstance(low, int):
                yield product.plus(-low)
            if isinstance(high, int):
                yield Polynomial.constant(high) - product


class _Cases:
    """The cases that are left to be told apart, at most so many."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.left = CASES

    def refute(self, rows: _Rows) -> bool:
        """Whether no case has a solution."""
        if self.left <= 0:
            return False
        self.left -= 1
        self.form.systems_left -= 1
        if rows.contradict():
            return True
        if not rows.choices:
            return False
        first = rows.choices.pop(0)
        for case in first:
            inside = rows.copy()
            inside.add([case])
            if not self.refute(inside):
                return False
        return True


def _refuted(form: NormalForm, conditions: Iterable[Condition]) -> bool:
    rows = _Rows(form)
    try:
        rows.add(conditions)
        rows.add(_at_least(fact) for fact in form.bounds.facts)
        rows.add(form.other_facts)
        return _Cases(form).refute(rows)
    except _TooManyError:
        return False


def _conditions(condition: Condition) -> tuple[Condition, ...]:
    return tuple(part for part in condition.parts if isinstance(part, Condition))


def _at_least(polynomial: Polynomial) -> Condition:
    return Condition("nonnegative", (polynomial,))


def _is(letter: Polynomial, value: Polynomial) -> Condition:
    return Condition("zero", (letter - value,))


def _meaning(form: NormalForm, number: int, choices: list[tuple[Condition, ...]]) -> Iterator[Condition]:
    """What holds of a letter by what it is; choices that it leaves are added to those there are."""
    atom, letter = form.atoms[number], Polynomial.letter(number)
    if atom.lower is not None:
        yield _at_least(letter - atom.lower)
    for high in (atom.upper, *atom.more_uppers):
        if high is not None:
            yield _at_least(high - letter)
    if not is_total(form, letter):  # where it is not defined it may be anything
        return
    match atom.kind:
        case "floor":
            value, divisor = atom.operands
            rest = value - divisor * letter
            yield _at_least(rest)
            yield _at_least((divisor - rest).plus(-1))
        case "trunc":
            value, divisor = atom.operands
            rest = value - divisor * letter
            yield _at_least((divisor - rest).plus(-1))
            yield _at_least((divisor + rest).plus(-1))
            choices.append(
                (_both(_at_least(value), _at_least(rest)), _both(_at_least(-value), _at_least(-rest)))
            )
        case "digit" | "left":
            yield _is(letter, form.digits.joined[number])
        case "min":
            first, second = atom.operands
            choices.append(
                (
                    _both(_is(letter, first), _at_least(second - first)),
                    _both(_is(letter, second), _at_least(first - second)),
                )
            )
        case "select":
            condition, first, second = atom.operands
            choices.append(
                (condition.and_(_is(letter, first)), condition.negated().and_(_is(letter, second)))
            )
        case _:
            yield from _operands_of_bits(atom, letter)


def _both(first: Condition, second: Condition) -> Condition:
    return Condition("and", (first, second))


def _operands_of_bits(atom: Atom, letter: Polynomial) -> Iterator[Condition]:
    """``a ^ b`` and ``a & b`` differ from ``a + b`` by twice something that is not negative."""
    if atom.kind == "xor" and len(atom.operands) == 2:
        first, second = atom.operands
        yield _at_least(first + second - letter)
        yield _at_least(letter - first + second)
        yield _at_least(letter - second + first)
