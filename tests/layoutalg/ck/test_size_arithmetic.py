"""Division of sizes that are left open: exact for polynomials, refused by zero."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol

from layoutalg.ck import symbol
from layoutalg.ck.open_sizes.size_arithmetic import exact_quotient
from layoutalg.ck.symbolic_imports import import_symbolic
from layoutalg.index import FloorDiv
from tests.layoutalg.ck.headers import index_of

A, B = (Symbol(name, integer=True, positive=True) for name in "ab")
LETTERS = (A, B, FloorDiv(A + 3, B))
TERMS = st.builds(
    lambda number, powers: number * sympy.Mul(*(x**p for x, p in zip(LETTERS, powers, strict=True))),
    st.integers(-6, 6),
    st.tuples(*[st.integers(0, 2)] * len(LETTERS)),
)
POLYNOMIALS = st.lists(TERMS, max_size=3).map(lambda terms: sympy.Add(*terms))


@given(POLYNOMIALS, POLYNOMIALS.filter(bool))
def test_a_product_is_divided_by_its_factor(left, right):
    assert exact_quotient(left * right, right) == sympy.expand(left)


@given(POLYNOMIALS, POLYNOMIALS.filter(bool))
def test_an_exact_quotient_is_one(left, right):
    found = exact_quotient(left, right)
    if found is not None:
        assert sympy.expand(found * right - left) == 0


def test_fractions_are_no_quotients():
    assert exact_quotient(A, 2) is exact_quotient(2 * A, 4) is exact_quotient(1, A) is None
    assert exact_quotient(A, 0) is None


@pytest.mark.parametrize("sign", ["/", "%"])
def test_nothing_is_divided_by_zero(sign):
    body = f"constexpr index_t n = Problem::kM {sign} 0; return make_tuple(number<n>{{}});"
    text = f"struct P {{ template <typename Problem> static constexpr auto Make() {{ {body} }} }};"
    (path,) = import_symbolic("a.hpp::P::Make", {"Problem.kM": symbol()}, index=index_of(text))
    assert f"rejected by CK: kM {sign} 0" in path.failure
