"""Guards are sets of cases: each operation gives what a table of all cases gives."""

from __future__ import annotations

import itertools
import random

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER, Guards, OpaqueCondition

COUNT = 5


def table_of(guards, guard, letters):
    """The cases in which a guard holds, out of all."""
    found = []
    for values in itertools.product((False, True), repeat=COUNT):
        node = guard
        for letter, value in zip(letters, values, strict=True):
            (number,) = guards.support(letter)
            node = guards.with_variable(node, number, value=value)
        assert node in (NEVER, ALWAYS)
        found.append(node == ALWAYS)
    return found


def random_guards(seed):
    """Guards made by random operations, each with its table of cases."""
    rng, guards = random.Random(seed), Guards()
    letters = [guards.of(OpaqueCondition("given", (number,))) for number in range(COUNT)]
    cases = list(itertools.product((False, True), repeat=COUNT))
    made = [(letter, [case[n] for case in cases]) for n, letter in enumerate(letters)]
    for _ in range(40):
        (a, in_a), (b, in_b) = rng.choice(made), rng.choice(made)
        name, join = rng.choice(
            [
                ("both", lambda x, y: x and y),
                ("either", lambda x, y: x or y),
                ("without", lambda x, y: x and not y),
                ("differ", lambda x, y: x != y),
            ]
        )
        made.append((getattr(guards, name)(a, b), [join(x, y) for x, y in zip(in_a, in_b, strict=True)]))
    return guards, letters, made


def test_operations_give_the_cases_that_a_table_gives():
    for seed in range(20):
        guards, letters, made = random_guards(seed)
        for guard, wanted in made:
            assert table_of(guards, guard, letters) == wanted
            assert table_of(guards, guards.opposite(guard), letters) == [not one for one in wanted]


def test_equal_sets_are_the_same_guard():
    for seed in range(20):
        _, _, made = random_guards(seed)
        by_cases: dict[tuple[bool, ...], int] = {}
        for guard, cases in made:
            assert by_cases.setdefault(tuple(cases), guard) == guard


def test_given_agrees_inside_and_implies_is_a_subset():
    for seed in range(20):
        guards, letters, made = random_guards(seed)
        for (a, in_a), (b, in_b) in itertools.pairwise(made):
            left = table_of(guards, guards.given(a, b), letters)
            assert all(x == y for x, y, inside in zip(left, in_a, in_b, strict=True) if inside)
            assert guards.implies(a, b) == all(y for x, y in zip(in_a, in_b, strict=True) if x)


def test_a_law_leaves_out_the_cases_against_it():
    guards = Guards()
    a, b = (guards.of(OpaqueCondition("given", (number,))) for number in range(2))
    assert not guards.implies(a, b)
    guards.assume(guards.either(guards.opposite(a), b))
    assert guards.implies(a, b)
    assert not guards.implies(b, a)
    assert guards.is_empty(guards.without(a, b))


def test_literals_are_what_is_the_same_in_all_cases():
    cases = list(itertools.product((False, True), repeat=COUNT))
    for seed in range(20):
        guards, letters, made = random_guards(seed)
        numbers = [next(iter(guards.support(letter))) for letter in letters]
        for guard, inside in made:
            held = [case for case, holds in zip(cases, inside, strict=True) if holds]
            fixed = {
                (numbers[n], held[0][n])
                for n in range(COUNT)
                if held and len({case[n] for case in held}) == 1
            }
            assert set(guards.literals(guard)) == fixed
