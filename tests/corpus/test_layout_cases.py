"""The corpus of layouts: equal, as cheap as the best form known, never dearer than given."""

from __future__ import annotations

import random

import pytest

from layoutalg import Domain, simplify
from layoutalg.c_integers import C_INTEGERS
from layoutalg.cost import cost
from layoutalg.parse import parse_term
from layoutalg.term import run
from tests.corpus import layout_cases

by_id = pytest.mark.parametrize("case", layout_cases(), ids=lambda case: case["id"])


def python_value(text, point):
    """Python itself is the oracle: the corpus is written in its syntax."""
    return eval(text, {"min": min, "max": max}, dict(point))  # noqa: S307  our own data


def points(case, count):
    """Corners and random points of a case, parameters first."""
    draw = random.Random(case["id"])
    for number in range(count):
        point: dict[str, int] = {}
        for row in case["params"]:
            step = row["multiple_of"]
            low, high = -(-row["lo"] // step), row["hi"] // step
            point[row["name"]] = step * (low, high, draw.randint(low, high))[min(number, 2)]
        for row in case["vars"]:
            last = python_value(str(row["hi"]), point) - 1
            point[row["name"]] = (row["lo"], last, draw.randint(row["lo"], last))[min(number, 2)]
        yield point


@by_id
def test_the_form_is_equal_and_as_cheap_as_the_best_known(case):
    domain = Domain.from_corpus(case)
    found = simplify(case["raw"], domain)
    best = cost(parse_term(case["best"]), [p["name"] for p in case["params"]])
    assert found.cost <= min(best, found.cost_before)
    for point in points(case, 400):
        assert python_value(str(found), point) == python_value(case["raw"], point)
        assert run(found.program, C_INTEGERS, point.__getitem__) == python_value(case["raw"], point)


@by_id
def test_the_form_does_not_depend_on_how_the_input_was_written(case):
    domain = Domain.from_corpus(case)
    assert simplify(simplify(case["raw"], domain).program, domain).cost <= simplify(case["raw"], domain).cost
    assert simplify(case["best"], domain).cost <= simplify(case["raw"], domain).cost
