"""Polynomials against SymPy's."""

from __future__ import annotations

import sympy
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.rules.polynomial import Polynomial

SYMBOLS = sympy.symbols("a b c")
MONOMIALS = st.lists(st.integers(0, 2), max_size=3).map(lambda letters: tuple(sorted(letters)))
POLYNOMIALS = st.lists(st.tuples(MONOMIALS, st.integers(-9, 9)), max_size=5).map(Polynomial.sum_of)


def sympy_of(polynomial):
    return sum((c * sympy.prod([SYMBOLS[i] for i in m]) for m, c in polynomial), sympy.Integer(0))


@given(POLYNOMIALS, POLYNOMIALS)
def test_arithmetic_is_sympy_s(left, right):
    for found, expected in (
        (left + right, sympy_of(left) + sympy_of(right)),
        (left - right, sympy_of(left) - sympy_of(right)),
        (left * right, sympy_of(left) * sympy_of(right)),
        (-left, -sympy_of(left)),
    ):
        assert sympy.expand(sympy_of(found) - expected) == 0
    assert (left == right) == (sympy.expand(sympy_of(left) - sympy_of(right)) == 0)


@given(POLYNOMIALS, POLYNOMIALS.filter(bool), st.booleans())
def test_division_leaves_a_rest(number, divisor, exactly):
    quotient, rest = number.divided(divisor, exactly=exactly)
    assert quotient * divisor + rest == number


@given(POLYNOMIALS, POLYNOMIALS.filter(bool))
def test_a_multiple_divides_without_rest(number, divisor):
    quotient, rest = (number * divisor).divided(divisor)
    assert not rest
    assert quotient == number


@given(POLYNOMIALS, POLYNOMIALS, st.integers(0, 2))
def test_replacing_a_letter_is_substitution(polynomial, value, letter):
    found = polynomial.replaced(letter, value)
    expected = sympy_of(polynomial).subs(SYMBOLS[letter], sympy_of(value))
    assert sympy.expand(sympy_of(found) - expected) == 0
