"""Index nodes: their meaning on integers, when they are refused, how SymPy may handle them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol

from layoutalg import (
    BitAnd,
    BitOr,
    BitXor,
    Domain,
    FloorDiv,
    FloorMod,
    LayoutError,
    Max,
    Min,
    MissingFactError,
    Select,
    ShiftLeft,
    ShiftRight,
)
from tests.refusals import refused

X = Symbol("x", integer=True, nonnegative=True)
N = Symbol("n", integer=True, positive=True)
ANY = Symbol("a", integer=True)
NATURAL = st.integers(0, 10**6)

PYTHON: dict[Any, Any] = {
    FloorDiv: lambda a, b: a // b,
    FloorMod: lambda a, b: a % b,
    BitXor: lambda a, b: a ^ b,
    BitAnd: lambda a, b: a & b,
    BitOr: lambda a, b: a | b,
    Min: min,
    Max: max,
}


@pytest.mark.parametrize("node", PYTHON)
@given(left=NATURAL, right=st.integers(1, 10**6))
def test_on_integers_a_node_is_python_s_operation(node, left, right):
    assert node(left, right) == PYTHON[node](left, right)


@given(left=st.integers(0, 1000), right=st.integers(0, 40))
def test_shifts_are_powers_of_two(left, right):
    assert ShiftLeft(left, right) == left * 2**right
    assert ShiftRight(left, right) == left // 2**right


@given(number=st.integers(-1000, 1000), divisor=st.integers(1, 50))
def test_division_rounds_down_and_its_remainder_is_never_negative(number, divisor):
    quotient, remainder = FloorDiv(number, divisor), FloorMod(number, divisor)
    assert quotient * divisor + remainder == number
    assert 0 <= remainder < divisor


@pytest.mark.parametrize(
    ("build", "missing"),
    [
        (lambda: FloorDiv(X, 0), "not positive"),
        (lambda: FloorMod(X, -3), "not positive"),
        (lambda: FloorDiv(X, X), "the divisor x may be 0 or negative"),
        (lambda: FloorMod(X, ANY), "the divisor a may be 0 or negative"),
        (lambda: FloorDiv(X, N - 1), "the divisor n - 1 may be 0 or negative"),
        (lambda: BitXor(ANY, 3), "the operand a may be negative"),
        (lambda: BitAnd(X, -1), "is negative"),
        (lambda: BitOr(X - 1, 1), "the operand x - 1 may be negative"),
        (lambda: ShiftLeft(X, ANY), "the operand a may be negative"),
        (lambda: FloorDiv(Symbol("real"), 4), "nothing says that real is an integer"),
        (lambda: FloorDiv(sympy.Rational(1, 2), 4), "not an integer"),
        (lambda: FloorDiv(X), "wanted 2 operands"),
        (lambda: Select(X, X, X), "is not a condition"),
    ],
)
def test_what_is_not_surely_defined_is_refused_when_built(build, missing):
    with pytest.raises(LayoutError) as caught:
        build()
    assert missing in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_domain_says_more_than_assumptions():
    domain = Domain.of({"i": (3, 9)}, {"K": (64, 4096, 64)})
    K, i = domain["K"], domain["i"]
    with pytest.raises(MissingFactError):
        FloorDiv(i, i - 2)
    assert FloorDiv(i, i - 2, domain=domain).args == (i, i - 2)
    FloorDiv(i, FloorDiv(K, 64), domain=domain)
    with refused(MissingFactError, "0"):
        FloorDiv(i, i - 3, domain=domain)


def test_inside_a_branch_the_condition_is_a_fact():
    domain = Domain.of({"x": 10, "y": 10})
    x, y = domain["x"], domain["y"]
    domain.check(Select.unchecked(y > 0, FloorDiv.unchecked(x, y), sympy.Integer(0)))
    domain.check(Select.unchecked(x >= y, BitXor.unchecked(x - y, 3), x))
    with pytest.raises(MissingFactError):
        domain.check(Select.unchecked(y >= 0, FloorDiv.unchecked(x, y), sympy.Integer(0)))
    with pytest.raises(MissingFactError):
        domain.check(Select.unchecked(x >= y, x, BitXor.unchecked(x - y, 3)))


def test_sympy_may_rebuild_print_compare_and_pickle_nodes():
    tree = FloorMod(FloorDiv(X, 4) * 3 + X, 5)
    assert tree.subs(X, 101) == (101 // 4 * 3 + 101) % 5
    assert tree.xreplace({X: N}).free_symbols == {N}
    assert pickle.loads(pickle.dumps(tree)) == tree  # noqa: S301  our own bytes
    assert sympy.expand(2 * (tree + 1)) == 2 * tree + 2
    assert str(tree) == "(x + 3*(x // 4)) % 5"
    assert r"\bmod" in sympy.latex(tree)
    assert r"\lfloor" in sympy.latex(tree)
    assert tree.is_integer
    assert tree.is_nonnegative


def test_nodes_do_not_rewrite_themselves():
    """SymPy's floor would; then the unsimplified side of a rule could not be written down."""
    assert FloorDiv(4 * X + 3, 4).args == (4 * X + 3, sympy.Integer(4))
    assert FloorMod(2 * FloorMod(X, 3), 8).subs(X, 2) == 4
