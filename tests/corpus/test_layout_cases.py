"""The corpus of layouts: equal, as cheap as the best form known, never dearer than given."""

from __future__ import annotations

import pytest

from layoutalg import Domain, Simplifier, simplify
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.term import interpret_term
from layoutalg.term.cost import cost
from layoutalg.term.parse import parse_term
from tests.corpus import layout_cases, points, python_value

by_id = pytest.mark.parametrize("case", layout_cases(), ids=lambda case: case["id"])


@by_id
def test_the_form_is_equal_and_as_cheap_as_the_best_known(case):
    domain = Domain.from_corpus(case)
    found = simplify(case["raw"], domain)
    best = cost(parse_term(case["best"]), [p["name"] for p in case["params"]])
    assert found.cost <= min(best, found.cost_before)
    for point in points(case, 400):
        assert python_value(str(found), point) == python_value(case["raw"], point)
        assert interpret_term(found.program, C_INTEGERS, point.__getitem__) == python_value(
            case["raw"], point
        )


@by_id
def test_the_form_does_not_depend_on_how_the_input_was_written(case):
    domain = Domain.from_corpus(case)
    assert simplify(simplify(case["raw"], domain).program, domain).cost <= simplify(case["raw"], domain).cost
    assert simplify(case["best"], domain).cost <= simplify(case["raw"], domain).cost


def test_a_form_found_in_haste_is_not_kept():
    case = next(case for case in layout_cases() if case["id"] == "lds_xor_tid")
    simplifier = Simplifier(Domain.from_corpus(case), budget=1)
    hasty = simplifier(case["raw"])
    simplifier.budget = 2000
    assert simplifier(case["raw"]).cost < hasty.cost
