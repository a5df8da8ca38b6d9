"""The simplifier: equal to what it was given, at every point."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from layoutalg import Domain, FloorDiv, MissingFactError, evaluate, parse, simplify
from layoutalg.domain.points import blocks
from layoutalg.index import Select
from layoutalg.index.evaluate import evaluate as plain
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.term import interpret_term
from layoutalg.term.parse import parse_term
from tests.refusals import refused
from tests.strategies import domains, expressions


def check_equal(expression, domain):
    found = simplify(expression, domain)
    program = interpret_term(found.program, SYMBOLIC, domain.__getitem__)
    for block in blocks(domain):
        expected = np.broadcast_to(evaluate(expression, block), len(next(iter(block.values()))))
        assert np.array_equal(np.broadcast_to(evaluate(found.expr, block), expected.shape), expected)
        assert np.array_equal(np.broadcast_to(evaluate(program, block), expected.shape), expected)


def same(left, right):
    """Whether two arrays agree, one of them perhaps a single number."""
    return bool(np.all(np.equal(left, right)))


@pytest.mark.slow
@pytest.mark.parametrize("depth", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_result_is_equal_everywhere(depth):
    @settings(max_examples=300)
    @given(st.data())
    def law(data):
        domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
        check_equal(data.draw(expressions(domain, depth=depth)), domain)

    law()


@given(st.data())
def test_every_step_that_is_explained_is_true(data):
    domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
    expression = data.draw(expressions(domain))
    assume(not expression.has(Select))  # a step inside a branch is true there alone
    for step in simplify(expression, domain, explain=True).steps:
        sides = [
            interpret_term(parse_term(text), SYMBOLIC, domain.__getitem__)
            for text in (step.before, step.after)
        ]
        for block in blocks(domain):
            assert same(*(evaluate(side, block) for side in sides)), str(step)


@given(st.data(), st.integers(0, 3))
def test_a_small_budget_gives_an_equal_form_that_is_no_dearer(data, budget):
    domain = data.draw(domains())
    expression = data.draw(expressions(domain))
    found = simplify(expression, domain, budget=budget)
    assert simplify(expression, domain).cost <= found.cost <= found.cost_before
    for block in blocks(domain):
        assert same(evaluate(expression, block), evaluate(found.expr, block))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_the_result_is_equal_everywhere_at_length(seed):
    @seeded(seed)
    @settings(settings.get_profile("slow"), max_examples=500)
    @given(st.data())
    def law(data):
        domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
        check_equal(data.draw(expressions(domain, depth=5)), domain)

    law()


CASES = [
    ("x // 28 * 28 + x % 28", {"x": 420}, {}, "x"),
    ("(x // (B*C) * B + x // C % B) * C + x % C", {"x": "A*B*C"}, {"A": 1, "B": 1, "C": 1}, "x"),
    ("(i*B*C + j*C + k) // (B*C)", {"i": "A", "j": "B", "k": "C"}, {"A": 1, "B": 1, "C": 1}, "i"),
    ("(x % 96 * 160 + x // 96) % 160 * 96 + (x % 96 * 160 + x // 96) // 160", {"x": 15360}, {}, "x"),
    ("tid % 64 // 8 * 8 + tid % 8 + tid // 64 * 64", {"tid": 256}, {}, "tid"),
    ("x % 12544 // 112 * 112 + x % 12544 % 112 + x // 12544 * 12544", {"x": 802816}, {}, "x"),
    ("min(8*N - x // N * 8, 8)", {"x": "N*N"}, {"N": 1}, "8"),
    ("x ^ x", {"x": 100}, {}, "0"),
    ("(x ^ 5) ^ 5", {"x": 64}, {}, "x"),
    ("x & 7", {"x": 8}, {}, "x"),
    ("(x | 8) - 8", {"x": 8}, {}, "x"),
    ("x // 64", {"x": 64}, {}, "0"),
    ("select(x < 64, x, 7)", {"x": 64}, {}, "x"),
]


@pytest.mark.parametrize(("text", "axes", "lowest", "expected"), CASES)
def test_identities_of_layouts_collapse(text, axes, lowest, expected):
    domain = Domain.of(axes, {name: (low, None) for name, low in lowest.items()})
    assert simplify(parse(text, domain), domain).expr == parse(expected, domain)


def test_xor_is_taken_apart_the_same_way_however_it_is_written():
    domain = Domain.of({"m": 128, "k": 64})
    written = parse("m*64 + (k // 8 ^ m % 8) * 8 + k % 8", domain)
    factored = parse("m*64 + (k ^ m % 8 * 8)", domain)
    assert simplify(written - factored, domain).expr == 0


def test_conditions_are_decided_by_ranges():
    domain = Domain.of({"i": 16}, {"N": (16, None)})
    i, N = domain["i"], domain["N"]
    assert simplify(i < 16, domain).expr == sympy.true
    assert simplify(i < N, domain).expr == sympy.true
    assert simplify(i > 20, domain).expr == sympy.false
    assert simplify(sympy.And(i < 16, i >= 3), domain).expr == sympy.Le(3, i)


def test_undefined_expressions_are_refused():
    domain = Domain.of({"x": 10})
    with refused(MissingFactError):
        simplify(FloorDiv.unchecked(domain["x"], domain["x"]), domain)


def test_it_is_deterministic():
    domain = Domain.of({"x": 4096, "y": 64}, {"K": (64, 1024, 64)})
    text = "(x // 8 ^ y % 8) * K + x % 64 // 8 + (x*64 + y) // 96"
    forms = {str(simplify(parse(text, domain), domain).program) for _ in range(3)}
    assert len(forms) == 1
    assert plain(simplify(parse(text, domain), domain).expr, {"x": 77, "y": 5, "K": 64}) == (
        (77 // 8 ^ 5) * 64 + 77 % 64 // 8 + (77 * 64 + 5) // 96
    )
