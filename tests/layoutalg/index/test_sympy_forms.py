"""Conversion from and to SymPy's own functions."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from sympy import Function, Max, Min, Mod, Piecewise, Symbol, ceiling, floor

from layoutalg import FloorDiv, FloorMod, LayoutError, evaluate, from_sympy, to_sympy
from layoutalg.index import IndexNode
from tests.refusals import refused

X = Symbol("x", integer=True, nonnegative=True)
Y = Symbol("y", integer=True, nonnegative=True)
POINTS = {X: np.arange(60) % 17, Y: np.arange(60) // 3}


@pytest.mark.parametrize(
    ("given", "meaning"),
    [
        (4 * floor(X / 4) + 1, lambda x, y: 4 * (x // 4) + 1),
        (ceiling(X / 4), lambda x, y: -(-x // 4)),
        (floor(X / 4 + Y / 8), lambda x, y: (2 * x + y) // 8),
        (floor((X - 20) / 3), lambda x, y: (x - 20) // 3),
        (Mod(X + Y, 5), lambda x, y: (x + y) % 5),
        (Max(X, Y, 3) - Min(X, Y), lambda x, y: np.maximum(np.maximum(x, y), 3) - np.minimum(x, y)),
        (
            Piecewise((X, Y < 4), (Y, X > 8), (7, True)),
            lambda x, y: np.where(y < 4, x, np.where(x > 8, y, 7)),
        ),
        (Function("xor")(X, 5), lambda x, y: x ^ 5),
        (floor(floor(X / 2) / 3), lambda x, y: x // 2 // 3),
    ],
)
def test_from_sympy_keeps_the_meaning(given, meaning):
    found = from_sympy(given)
    assert not found.has(floor, ceiling, Mod, Piecewise)
    assert evaluate(found, POINTS).tolist() == meaning(POINTS[X], POINTS[Y]).tolist()


def test_to_sympy_uses_sympy_s_own_functions_and_comes_back():
    tree = 3 * FloorDiv(X, 4) + FloorMod(Y, 5)
    out = to_sympy(tree)
    assert not out.atoms(IndexNode)
    back = from_sympy(out)
    assert evaluate(back, POINTS).tolist() == evaluate(tree, POINTS).tolist()
    assert to_sympy(FloorMod(X, 5), mod_as_floor=False) == Mod(X, 5, evaluate=False)


def test_remainders_go_out_as_floors_because_sympy_s_mod_is_wrong():
    """sympy#28744: Mod(2*Mod(x, 3), 8) at x = 2 gives 0 instead of 4."""
    assert to_sympy(FloorMod(2 * FloorMod(X, 3), 8)).subs(X, 2) == 4


def test_fractions_and_open_piecewise_are_refused():
    with refused(LayoutError):
        from_sympy(Mod(X / 4, 3))
    with refused(LayoutError):
        from_sympy(Piecewise((X, X < 4)))
    assert from_sympy(sympy.Integer(3)) == 3
