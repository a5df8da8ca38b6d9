"""Random conditions: equal to what Python says at every point, decided where they are the same at each."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from layoutalg import Domain, simplify
from layoutalg.rules import NormalForm
from layoutalg.rules.condition import Condition
from layoutalg.rules.entailment import implied
from layoutalg.term import interpret_term
from layoutalg.term.parse import parse_term
from tests.corpus.groups import python_function

ALWAYS, NEVER = "0 == 0", "0 == 1"


def a_number(draw, names, depth):
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(names) if draw.random() < 0.8 else str(draw.randint(-3, 40))
    a, b = (a_number(draw, names, depth - 1) for _ in range(2))
    c = draw.choice((2, 3, 4, 5, 8, 16, 28, 64))
    forms = (
        *(f"({a} + {b})", f"({a} - {b})", f"{c}*({a})", f"({a})//{c}", f"({a})%{c}", f"({a})//{c}*{c}"),
        *(f"min({a}, {b})", f"max({a}, {b})", f"select({a} < {b}, {a}, {c})", f"({a} + {c - 9})"),
    )
    return draw.choice(forms)


def a_condition(draw, names, depth=2):
    op = draw.choice(("<", "<=", "==", "!=", ">=", ">"))
    one = f"{a_number(draw, names, depth)} {op} {a_number(draw, names, depth)}"
    join = draw.choice((" and ", " or ", "", "", ""))
    return f"{one}{join}{a_condition(draw, names, 1)}" if join else one


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (0, 120),
        pytest.param(3, 400, marks=pytest.mark.slow),
        pytest.param(1, 1000, marks=pytest.mark.long),
        pytest.param(2, 10_000, marks=pytest.mark.long),
    ],
)
def test_conditions_of_closed_ranges_are_equal_and_decided(seed, count):
    draw = random.Random(seed)
    for _ in range(count):
        names = ["x", "y"][: draw.randint(1, 2)]
        lows = {name: draw.choice((0, 0, 0, -5, 3)) for name in names}
        ends = {name: (low, low + draw.choice((1, 4, 7, 8, 16, 28, 64))) for name, low in lows.items()}
        text = a_condition(draw, names)
        found = str(simplify(text, Domain.of(ends)))
        given, computed = python_function(text), python_function(found)
        ranges = [range(*pair) for pair in ends.values()]
        points = [dict(zip(names, values, strict=True)) for values in itertools.product(*ranges)]
        answers = [given(point) for point in points]
        assert answers == [computed(point) for point in points], (text, ends, found)
        if len(set(answers)) == 1:
            assert found == (ALWAYS if answers[0] else NEVER), (text, ends, found)


def of_text(form, text) -> Condition:
    found: Any = interpret_term(parse_term(text), form, form.symbol)
    return found


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 9))])
def test_what_follows_from_another_condition_holds_at_every_point(seed):
    draw = random.Random(seed)
    shown = 0
    for _ in range(40):
        ends = {"x": (-5, 9), "y": (0, 12)}
        form = NormalForm(Domain.of(ends), eliminates=True)
        given, asked = (a_condition(draw, ["x", "y"], 1) for _ in range(2))
        one, other = (of_text(form, text) for text in (given, asked))
        if implied(form, other, [one]):
            shown += 1
            holds = [python_function(text) for text in (given, asked)]
            for x, y in itertools.product(range(-5, 9), range(12)):
                assert not holds[0]({"x": x, "y": y}) or holds[1]({"x": x, "y": y}), (given, asked)
    assert shown
