"""Values of machine words by cases, and what guards say of the letters in them.

A value is a list of cases: guards that exclude each other, each with its polynomial. Truths are numbers, too:
carries are the quotients that they are, others letters of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from layoutalg.codegen.gfx9.lifting.carries import carry, is_carried
from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_quotients import Quotients
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["Value", "WordCases"]

Value = tuple[tuple[int, Polynomial], ...]
MOST_CASES = 24
MOST_CHOICES = 3  # conditions that decide which carry is meant


class WordCases(Letters):
    """The values of one kernel by cases; ``inside``: the guard under which values are being computed."""

    def __init__(self, form: NormalForm) -> None:
        super().__init__(form)
        self.ranges = Quotients(self)
        self.inside = ALWAYS
        self._letters_of_truths: dict[tuple[int, int], Polynomial] = {}  # by guard, and where it is asked of
        self._equal: dict[int, dict[int, Polynomial]] = {}  # letters that are known, by guard

    def truth(self, guard: int) -> Polynomial:
        """1 where a guard holds, else 0: carries as the quotients that they are."""
        if guard in (NEVER, ALWAYS):
            return ONE if guard == ALWAYS else ZERO
        found = self._letters_of_truths.get((guard, ALWAYS))
        if found is None:
            found = carry(self.guards, self.ranges, guard)
            if found is None:
                found = self.letter(f"holds.{len(self.truths)}", ZERO, ONE)
                letter = found.as_letter
                assert letter is not None
                self.truths[letter] = guard
            self._letters_of_truths[guard, ALWAYS] = found
        return found

    def truth_inside(self, guard: int) -> Polynomial:
        """The same of lanes that are ``inside``: there a number may be known to reach less far."""
        found, here = self.truth(guard), (guard, self.inside)
        if self.inside == ALWAYS or found.as_letter not in self.truths:
            return found
        if here not in self._letters_of_truths:
            with self.under(self.inside):
                self._letters_of_truths[here] = carry(self.guards, self.ranges, guard) or found
        return self._letters_of_truths[here]

    def number(self, guard: int) -> Value:
        """1 where a guard holds, else 0: by cases where a carry is one in some of them.

        An address with an offset that is chosen by workgroup carries otherwise for each choice.
        """
        return self.within(tuple(self._numbers(self._carried(guard), self.inside)), self.inside)

    def _carried(self, guard: int) -> int:
        """The carry alone that a guard is for lanes inside: masks say on which ways they were set, too."""
        guards, inside = self.guards, self.inside
        for number in guards.support(guard):
            if guards.is_some_lane_of(number, inside):
                guard = guards.with_variable(guard, number, value=True)
        for number in guards.support(guard):
            if not is_carried(guards, self.ranges, number):
                continue
            holds = guards.of(guards.variables[number])
            for one in (holds, guards.opposite(holds)):
                if guards.both(guard, inside) == guards.both(one, inside):
                    return one
        return guard

    def _numbers(self, guard: int, inside: int) -> Iterator[tuple[int, Polynomial]]:
        carried = {n: is_carried(self.guards, self.ranges, n) for n in self.guards.support(guard)}
        others = [n for n, is_one in carried.items() if not is_one]
        is_choice = 0 < len(others) <= MOST_CHOICES and all(map(self._is_of_workgroups, others))
        if not (is_choice and len(others) < len(carried)):
            with self.inside_of(inside):
                yield inside, self.truth_inside(guard)
            return
        number = min(others)
        holds = self.guards.of(self.guards.variables[number])
        for value, case in ((True, holds), (False, self.guards.opposite(holds))):
            both = self.guards.both(inside, case)
            if not self.guards.is_empty(both):
                yield from self._numbers(self.guards.with_variable(guard, number, value), both)

    @contextmanager
    def inside_of(self, guard: int) -> Iterator[None]:
        """Values are computed under a guard."""
        before, self.inside = self.inside, guard
        try:
            yield
        finally:
            self.inside = before

    # --- cases

    def within(self, value: Value, guard: int) -> Value:
        """The cases that are possible where a guard holds, each with what the guard says of its letters."""
        inside = ((self.guards.both(holds, guard), polynomial) for holds, polynomial in value)
        possible = [(both, polynomial) for both, polynomial in inside if not self.guards.is_empty(both)]
        return self.guards.cases((both, self.settled(polynomial, both)) for both, polynomial in possible)

    def settled(self, polynomial: Polynomial, guard: int) -> Polynomial:
        """With a number in place of letters that a guard decides."""
        for letter, value in self._decided(guard).items():
            if letter in polynomial.letters:
                polynomial = polynomial.replaced(letter, value)
        for letter in polynomial.letters & self.truths.keys():
            holds = self.truths[letter]
            if self.guards.implies(guard, holds):
                polynomial = polynomial.replaced(letter, ONE)
            elif self.guards.is_empty(self.guards.both(guard, holds)):
                polynomial = polynomial.replaced(letter, ZERO)
            elif (left := self.guards.given(holds, guard)) != holds:
                polynomial = polynomial.replaced(letter, self.truth(left))
        return polynomial

    def _decided(self, guard: int) -> dict[int, Polynomial]:
        """What numbers of workgroups are by the equations that a guard says.

        Found where nothing else is taken for a fact, since it is kept.
        """
        found = self._equal.get(guard)
        if found is None and self.ranges.facts:
            return {}
        if found is None:
            found = self._equal[guard] = {}
            for fact in self.guards.facts(guard):
                number = self._nothing(fact)
                for letter in sorted(number.letters - found.keys()):
                    factor = number.coefficient(letter)
                    if factor in (ONE, -ONE) and self._axis(letter).startswith("workgroup"):
                        rest = number.without(letter)
                        found[letter] = -rest if factor == ONE else rest
                        break
        return found

    def _is_of_workgroups(self, number: int) -> bool:
        """Whether nothing but numbers of workgroups decides a variable of guards."""
        bases = self.bases_of_guard(self.guards.of(self.guards.variables[number]))
        return all(self._axis(letter).startswith("workgroup") for letter in bases)

    def _nothing(self, fact: Condition) -> Polynomial:
        """What a fact says to be 0, of numbers that lanes agree in."""
        if fact.kind not in ("zero", "nonnegative"):
            return ZERO
        (number,) = fact.polynomials()
        if any(self._axis(letter) in ("lane", "wave") for letter in self.bases(number)):
            return ZERO
        return number if fact.kind == "zero" or self.ranges.interval(number).high == 0 else ZERO

    def _axis(self, letter: int) -> str:
        """The name of an axis; empty for other letters."""
        atom = self.form.atoms[letter]
        return str(atom.operands[0]) if atom.kind == "axis" else ""

    def each(self, value: Value, change: Callable[[Polynomial, int], Polynomial]) -> Value:
        """A function of a polynomial and its guard, in every case."""
        return self.within(tuple((holds, change(p, holds)) for holds, p in value), self.inside)

    def each_pair(
        self, left: Value, right: Value, join: Callable[[Polynomial, Polynomial, int], Polynomial]
    ) -> Value:
        """A function of two polynomials and the guard of both, in every case."""
        if len(left) == 1 and len(right) == 1:
            holds = left[0][0] if left[0][0] == right[0][0] else self.guards.both(left[0][0], right[0][0])
            return ((holds, join(left[0][1], right[0][1], holds)),)
        found = []
        for holds, p in left:
            for also, q in right:
                both = self.guards.both(holds, also)
                if not self.guards.is_empty(both):
                    found.append((both, join(self.settled(p, both), self.settled(q, both), both)))
        if len(found) > MOST_CASES:
            return ((self.inside, self.unknown("cases", tuple(found), 0, 2**64 - 1)),)
        return self.within(tuple(found), self.inside)

    def chosen(self, condition: int, first: Value, second: Value) -> Value:
        """``first`` where a condition holds, else ``second``."""
        yes = self.within(first, self.guards.both(condition, self.inside))
        no = self.within(second, self.guards.without(self.inside, condition))
        return self.within((*yes, *no), self.inside)

    @contextmanager
    def under(self, guard: int) -> Iterator[None]:
        """Inside, what a guard says of numbers is taken as a fact."""
        facts = tuple(self.guards.facts(guard))
        facts += tuple(self._past_ends(facts))
        if not facts:
            yield
            return
        self.ranges.facts += 1
        try:
            with self.form.under(facts[0] if len(facts) == 1 else Condition("and", facts)):
                yield
        finally:
            self.ranges.facts -= 1

    def _past_ends(self, facts: Sequence[Condition]) -> Iterator[Condition]:
        """What is not its end is past it: compilers compare a number that is at most n with n alone."""
        known = {fact.polynomials()[0] for fact in facts if fact.kind == "nonnegative"}
        for fact in facts:
            if fact.kind == "nonzero":
                (number,) = fact.polynomials()
                for one in (number, -number):
                    if one in known or self.ranges.interval(one).low >= 0:
                        yield Condition("nonnegative", (one.plus(-1),))
