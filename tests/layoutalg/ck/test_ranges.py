"""What ranges decide of a condition holds at every point."""

from __future__ import annotations

import itertools

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol

from layoutalg.ck import symbol
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.importer import import_layout
from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.ck.symbolic_imports import import_symbolic
from layoutalg.index import FloorDiv, FloorMod, Max, Min

A, B = (Symbol(name, integer=True, positive=True) for name in "ab")


def forms():
    leaves = st.sampled_from([A, B]) | st.integers(-4, 9).map(sympy.Integer)
    positive = st.sampled_from([A, B]) | st.integers(1, 6).map(sympy.Integer)

    def grown(inner):
        return (
            st.builds(lambda x, y: x + y, inner, inner)
            | st.builds(lambda x, y: x - y, inner, inner)
            | st.builds(lambda x, y: x * y, inner, inner)
            | st.builds(FloorDiv, inner, positive)
            | st.builds(FloorMod, inner, positive)
            | st.builds(Min, inner, inner)
            | st.builds(Max, inner, inner)
        )

    return st.recursive(leaves, grown, max_leaves=6)


RELATIONS = [sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge, sympy.Eq, sympy.Ne]


@pytest.mark.slow
@settings(max_examples=150)
@given(forms(), forms(), st.sampled_from(RELATIONS), st.integers(1, 4), st.integers(1, 4), st.integers(0, 3))
def test_what_is_decided_holds_at_every_point(left, right, relation, low_a, low_b, span):
    condition = relation(left, right)
    highs = {A: low_a + span, B: None}
    found = Ranges({A: low_a, B: low_b}, highs).truth(condition)
    if found is None:
        return
    for a, b in itertools.product(range(low_a, low_a + span + 1), range(low_b, low_b + 9)):
        assert bool(condition.subs({A: a, B: b})) is found, (condition, a, b)


def test_common_conditions_are_decided():
    ranges = Ranges({A: 4, B: 1}, {A: None, B: 8})
    assert ranges.truth(A * 8 > 16) is True
    assert ranges.truth(B > 8) is False
    assert ranges.truth(A * B - A >= 0) is True
    assert ranges.truth(A > 5) is None


HEADER = """
namespace ck_tile {
struct P
{
    template <typename Problem>
    static constexpr auto Make()
    {
        constexpr index_t n = (Problem::kM - 20) SIGN 3 + 9;
        return make_naive_tensor_descriptor_packed(make_tuple(number<n>{}, number<2>{}));
    }
};
} // namespace ck_tile
"""


@pytest.mark.parametrize("sign", ["/", "%"])
def test_what_may_be_negative_is_not_divided(sign):
    """C++ rounds towards zero: (10 - 20) / 3 is -3, the quotient of the algebra -4."""
    index = Index("gfx942", {})
    index.add("p.hpp", HEADER.replace("SIGN", sign))
    target = "p.hpp::P::Make"
    assert import_layout(target, {"Problem.kM": 10}, index=index).layout.lengths[0] == (
        6 if sign == "/" else 8
    )
    [path] = import_symbolic(target, {"Problem.kM": symbol(min=1)}, index=index)
    assert path.found is None
    assert "may be negative" in path.failure
    [path] = import_symbolic(target, {"Problem.kM": symbol(min=20)}, index=index)
    assert path.found is not None
    layout = path.found.layout
    for size in (20, 21, 40):
        assert layout.bind({"kM": size}) == import_layout(target, {"Problem.kM": size}, index=index).layout
