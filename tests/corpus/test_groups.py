"""Texts in groups: equal to what Python computes, and at the price of the cheapest form known."""

from __future__ import annotations

import pytest

from layoutalg import simplify
from layoutalg.rules.from_text import parse_term_in
from layoutalg.term.cost import Pricing
from layoutalg.term.parse import parse_term
from tests.corpus.groups import group_cases, python_function

DEARER = {  # than the cheapest form known; equal all the same
    *(("facts", 11), ("facts", 15), ("selections", 17)),  # a selection in place of a quotient; two residues
    *(("minmax", 3), ("parity", 5), ("parity", 8), ("parity", 9), ("parity", 10), ("parity", 23)),
    *(("transposed_digits", 6), ("truncation", 10), ("truncation", 15)),
    *(("users", 4), ("users", 15)),  # masks of what may be negative
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", group_cases(), ids=str)
def test_forms_known_are_equal(case):
    points = case.points()
    given, expected = python_function(case.given, case.syntax), python_function(case.expected)
    assert points
    assert all(given(point) == expected(point) for point in points)


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", group_cases(), ids=str)
def test_forms_found_are_equal_and_as_cheap(case):
    domain = case.domain()
    found = simplify(parse_term_in(case.given, domain, syntax=case.syntax), domain)
    given, computed = python_function(case.given, case.syntax), python_function(str(found))
    assert all(given(point) == computed(point) for point in case.points())
    pricing = Pricing([size.name for size in domain.parameters])
    is_as_cheap = pricing.total(found.program) <= pricing.total(parse_term(case.expected))
    assert is_as_cheap == ((case.group, case.number) not in DEARER)
