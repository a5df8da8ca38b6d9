"""Texts in groups: equal to what Python computes, and at the price of the cheapest form known."""

from __future__ import annotations

import pytest

from tests.corpus.groups import group_cases, python_function


@pytest.mark.parametrize("case", group_cases(), ids=str)
def test_forms_known_are_equal(case):
    points = case.points()
    given, expected = python_function(case.given, case.syntax), python_function(case.expected)
    assert points
    assert all(given(point) == expected(point) for point in points)
