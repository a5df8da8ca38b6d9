"""What a loop does to the registers that it carries: where they stand after ``turn`` turns.

The body is executed on letters for what is carried. A register that comes out ``s`` higher than it went in is
``start + s*turn``; one that comes back to itself after a few turns (two buffers that change places) is a
selection by the rest of ``turn``. This is induction: the letters stand for anything, the start is what leads
into the loop. What fits neither stays unknown in each turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.register_uses import Register
from layoutalg.codegen.gfx9.lifting.replacement import replaced, replaced_in_guard
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["Carried", "LastTurn", "last_turn", "solved"]

MOST_PERIOD = 8
MOST_STEPS = 6  # cases of what the body makes of a register


@dataclass(frozen=True)
class Carried:
    """A word that a loop carries, or a pair of them that are one number of 64 bits.

    ``letter`` stands for it where the body begins, ``after`` is what the body makes of it, by cases.
    """

    registers: tuple[Register, ...]
    letter: int
    bits: int
    start: Value
    after: Value = ()


def solved(words: Words, carried: Mapping[int, Carried], turn: Polynomial) -> dict[int, Value]:
    """For each letter whose values are known, those values as a formula of ``turn``."""
    found: dict[int, Value] = {}
    after = {letter: one.after[0][1] for letter, one in carried.items() if len(one.after) == 1}
    for letter, one in carried.items():
        if not one.after:
            continue
        value = _of_numbers(words, carried, letter, turn)
        if value is None and len(one.after) == 1:
            value = _of_one(words, carried, after, letter, turn) or _anew(words, carried, letter, turn)
        elif value is None:
            value = _of_steps(words, carried, letter, turn) or _until(words, carried, letter, turn)
        if value is not None:
            found[letter] = value
    return found


def _anew(words: Words, carried: Mapping[int, Carried], letter: int, turn: Polynomial) -> Value | None:
    """A register that each turn sets anew: what the turn before made of it, in the first one its start."""
    one = carried[letter]
    if len(one.start) > 1 or words.bases(one.after[0][1]) & carried.keys():
        return None
    (of_turn,), (made,), (start,) = turn.letters, (p for _, p in one.after), (p for _, p in one.start)
    before = words.reduced(replaced(words, made, {of_turn: turn.plus(-1)}), one.bits)
    if not words.reduced(replaced(words, made, {of_turn: Polynomial.constant(-1)}) - start, one.bits):
        return ((ALWAYS, before),)
    later = words.compared("nonnegative", turn.plus(-1), ALWAYS)
    return words.within(((later, before), (words.guards.opposite(later), start)), ALWAYS)


def _until(words: Words, carried: Mapping[int, Carried], letter: int, turn: Polynomial) -> Value | None:
    """A register that keeps what it holds up to some turn, and holds something else from there on.

    Such is a step of a cursor, which becomes 0 where the cursor is to stop.
    """
    one = carried[letter]
    kept = [holds for holds, p in one.after if p == Polynomial.letter(letter)]
    ends = {p for _, p in one.after if p != Polynomial.letter(letter)}
    if len(kept) != 1 or len(ends) != 1:
        return None
    (end,) = ends
    if words.bases(end) & (carried.keys() | turn.letters):
        return None
    guards, keeps = words.guards, _choice(words, one, kept[0])
    changes = _changes(words, [keeps, guards.opposite(keeps)], turn)
    if changes is None:
        return None
    first, change = changes[0]  # the condition that fails first
    if not guards.implies(first, keeps) or not guards.implies(keeps, first):
        return None
    still = words.compared("nonnegative", change - turn, ALWAYS)
    kept_as_started = ((guards.both(holds, still), p) for holds, p in one.start)
    return words.within((*kept_as_started, (guards.opposite(still), end)), ALWAYS)


def _of_one(
    words: Words,
    carried: Mapping[int, Carried],
    after: Mapping[int, Polynomial],
    letter: int,
    turn: Polynomial,
) -> Value | None:
    one = carried[letter]
    own = Polynomial.letter(letter)
    turns = turn.letters
    composed = [own]
    for period in range(1, MOST_PERIOD + 1):
        last = composed[-1]
        unknown = (words.bases(last) & carried.keys()) - after.keys()
        if unknown:
            return None
        used = {x: after[x] for x in words.bases(last) & carried.keys()}
        if period > 1 and any(_depends_on_turn(words, carried, p, turn) for p in used.values()):
            return None  # each turn does something else
        following = words.reduced(replaced(words, last, used), one.bits)
        step = words.reduced(following - own, one.bits)
        bases = words.bases(step)
        if not bases & carried.keys() and not bases & turns:
            return _periodic(words, carried, composed, step, period, turn, one)
        if len(following.terms) > 64 or following == last:
            return None
        composed.append(following)
    return None


def _of_numbers(words: Words, carried: Mapping[int, Carried], letter: int, turn: Polynomial) -> Value | None:
    """A register that takes some numbers in turn, as one that counts buffers does: by counting.

    What decides its next number is it and others like it; all of them begin with numbers, and do so again
    after a few turns.
    """
    numbers = _numbers_of_start(words, carried, letter)
    if numbers is None:
        return None
    states = [numbers]
    while len(states) <= MOST_PERIOD:
        following = {x: _next_number(words, carried[x], states[-1]) for x in numbers}
        if following == numbers:
            break
        if None in following.values():
            return None
        states.append(following)  # type: ignore[arg-type]
    else:
        return None
    form, period = words.form, len(states)
    rest = turn - form.divided(turn, form.integer(period)).scaled(period)
    values = [state[letter] for state in states]
    step = values[1] - values[0] if period > 1 else 0
    if all(after - before == step for before, after in pairwise(values)):
        return ((ALWAYS, rest.scaled(step).plus(values[0])),)
    cases = ((words.compared("zero", rest.plus(-n), ALWAYS), value) for n, value in enumerate(values))
    return words.within(tuple((holds, Polynomial.constant(value)) for holds, value in cases), ALWAYS)


def _numbers_of_start(words: Words, carried: Mapping[int, Carried], letter: int) -> dict[int, int] | None:
    """The numbers with which a register begins, and all others that decide what becomes of it."""
    found: dict[int, int] = {}
    waiting = [letter]
    while waiting:
        now = waiting.pop()
        one = carried.get(now)
        start = one.start[0][1].as_integer if one is not None and len(one.start) == 1 else None
        if one is None or start is None or not one.after or len(found) >= MOST_PERIOD:
            return None
        found[now] = start % (1 << one.bits)
        for holds, polynomial in one.after:
            needed = words.bases(polynomial) | words.bases_of_guard(_choice(words, one, holds))
            waiting += (needed & carried.keys()) - found.keys()
    return found


def _choice(words: Words, one: Carried, holds: int) -> int:
    """What tells a case of what the body makes of a register from the others."""
    return words.guards.given(holds, reduce(words.guards.either, (case for case, _ in one.after)))


def _next_number(words: Words, one: Carried, state: Mapping[int, int]) -> int | None:
    """What the body makes of a register where those that decide it hold these numbers."""
    given = {letter: Polynomial.constant(number) for letter, number in state.items()}
    chosen = [
        p for holds, p in one.after if replaced_in_guard(words, _choice(words, one, holds), given) != NEVER
    ]
    number = replaced(words, chosen[0], given).as_integer if len(chosen) == 1 else None
    return None if number is None else number % (1 << one.bits)


def _depends_on_turn(
    words: Words, carried: Mapping[int, Carried], after: Polynomial, turn: Polynomial
) -> bool:
    """Whether what the body makes of a register depends on the turn, beside what is carried."""
    alone = replaced(words, after, dict.fromkeys(carried, ZERO))
    return bool(words.bases(alone) & turn.letters)


def _of_steps(words: Words, carried: Mapping[int, Carried], letter: int, turn: Polynomial) -> Value | None:
    """A register that rises by one step up to some turn, and by others from there on."""
    one, guards = carried[letter], words.guards
    if len(one.after) > MOST_STEPS:
        return None
    steps = [words.reduced(p - Polynomial.letter(letter), one.bits) for _, p in one.after]
    if any(words.bases(step) & (carried.keys() | turn.letters) for step in steps):
        return None
    changes = _changes(words, [holds for holds, _ in one.after], turn)
    if changes is None:
        return None
    risen, before, before_holds = ZERO, ZERO, NEVER
    for holds, change in (*changes, (ALWAYS, None)):
        here = guards.without(holds, before_holds)
        there = [
            step
            for (case, _), step in zip(one.after, steps, strict=True)
            if not guards.is_empty(guards.both(case, here))
        ]
        if len(there) > 1:
            return None
        end = turn if change is None else words.form.minimum(turn, change)
        if there:
            risen = risen + there[0] * (end - before)
        before, before_holds = end, holds
    return tuple((holds, words.reduced(p + risen, one.bits)) for holds, p in one.start)


def _changes(words: Words, cases: Sequence[int], turn: Polynomial) -> list[tuple[int, Polynomial]] | None:
    """Conditions that hold up to some turn, with the first turn at which they fail: the shortest first.

    Those that tell cases apart. None where one does not hold as long as another one does.
    """
    guards, found = words.guards, []
    letter = next(iter(turn.letters))
    told = [dict(guards.literals(case)) for case in cases]
    for number in frozenset().union(*map(guards.support, cases)):
        if number in told[0] and len({literals.get(number) for literals in told}) == 1:  # in all of them
            continue
        variable = guards.variables[number]
        if isinstance(variable, OpaqueCondition) or variable.kind != "nonnegative":
            continue
        (polynomial,) = variable.polynomials()
        if letter not in words.bases(polynomial):
            continue
        own = guards.of(variable)
        for value, holds in ((True, own), (False, guards.opposite(own))):
            change = _first_failing(words, "nonnegative", polynomial, letter, value)
            if change is not None:
                found.append((holds, change))
                break
    in_order = sorted(found, key=lambda one: sum(_is_within(words, other, one) for other in found))
    if not in_order or any(not _is_within(words, a, b) for a, b in pairwise(in_order)):
        return None
    return in_order


def _is_within(words: Words, one: tuple[int, Polynomial], other: tuple[int, Polynomial]) -> bool:
    """Whether a condition that holds up to a turn fails no later than another one; which is then a law."""
    guards = words.guards
    if guards.implies(one[0], other[0]):
        return True
    if words.ranges.facts or not words.ranges.is_shown(other[1] - one[1]):
        return False
    guards.assume(guards.either(guards.opposite(one[0]), other[0]))
    return True


def _periodic(
    words: Words,
    carried: Mapping[int, Carried],
    composed: list[Polynomial],
    step: Polynomial,
    period: int,
    turn: Polynomial,
    one: Carried,
) -> Value | None:
    """``base[turn % period] + step*(turn // period)``."""
    if period == 1:
        return tuple((holds, words.reduced(p + step * turn, one.bits)) for holds, p in one.start)
    starts: dict[int, Polynomial] = {}
    for polynomial in composed:
        for letter in words.bases(polynomial) & carried.keys():
            start = carried[letter].start
            if len(start) != 1:
                return None
            starts[letter] = start[0][1]
    form = words.form
    quotient = form.divided(turn, form.integer(period))
    rest = turn - quotient.scaled(period)
    cases = []
    for number, polynomial in enumerate(composed):
        base = replaced(words, polynomial, starts)
        value = words.reduced(base + step * quotient, one.bits)
        cases.append((words.compared("zero", rest.plus(-number), ALWAYS), value))
    return words.within(tuple(cases), ALWAYS)


@dataclass(frozen=True)
class LastTurn:
    """The number of a loop's last turn, by its condition.

    ``goes_on``: the guard of another turn; ``wraps``: whether a number on the way was not shown to fit its
    type.
    """

    last: Polynomial
    goes_on: int
    wraps: bool


def last_turn(words: Words, ahead: int, letter: int) -> LastTurn | None:
    """The last turn, where another one follows if ``ahead`` holds: by a comparison linear in the turn."""
    guards = words.guards
    for number, value in guards.literals(ahead):
        variable = guards.variables[number]
        if isinstance(variable, OpaqueCondition):
            continue
        (given,) = variable.polynomials()
        if letter not in words.bases(given):
            continue
        wraps = {
            x: ZERO for x in given.letters & words.wraps.keys() if letter in words.bases(Polynomial.letter(x))
        }
        polynomial = given
        for x in wraps:
            polynomial = polynomial.replaced(x, ZERO)
        found = _first_failing(words, variable.kind, polynomial, letter, value)
        if found is not None:
            goes_on = guards.of(variable)
            return LastTurn(found, goes_on if value else guards.opposite(goes_on), bool(wraps))
    return None


def _first_failing(
    words: Words,
    kind: str,
    polynomial: Polynomial,
    letter: int,
    value: bool,  # noqa: FBT001
) -> Polynomial | None:
    """The first turn at which ``a + b*turn`` is no longer >= 0 (or not 0); None where there may be none."""
    if kind == "nonnegative" and not value:
        polynomial, value = (-polynomial).plus(-1), True
    factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
    if factor is None or not value or letter in words.bases(rest) | words.bases(factor):
        return None
    if kind == "nonnegative":
        if not words.ranges.is_shown((-factor).plus(-1)):
            return None
        found = words.ranges.quotient(rest, -factor).plus(1)
        return found if words.ranges.is_shown(found) else words.form.maximum(found, ZERO)
    if kind == "nonzero":
        if words.ranges.is_shown(factor.plus(-1)):
            factor, rest = -factor, -rest
        if not words.ranges.is_shown((-factor).plus(-1)):
            return None
        found = words.ranges.quotient(rest, -factor)
        is_met = not rest + found * factor and words.ranges.is_shown(found)
        return found if is_met else None
    return None
