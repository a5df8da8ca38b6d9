"""Ranges against enumeration: what is shown must hold, and much must be shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import Domain, evaluate, parse
from layoutalg.domain.points import blocks
from layoutalg.rules import NormalForm
from tests.strategies import domains, expressions


def values(expression, domain):
    return np.concatenate(
        [
            np.broadcast_to(evaluate(expression, block), len(next(iter(block.values()))))
            for block in blocks(domain)
        ]
    )


@given(st.data())
def test_what_is_shown_holds(data):
    domain = data.draw(domains(with_parameter=True))
    expression = data.draw(expressions(domain))
    offset = data.draw(st.integers(-40, 40))
    form = NormalForm(domain)
    polynomial = form.of(expression)
    found = values(expression, domain)
    low, high = form.bounds.interval(polynomial)
    assert low <= found.min()
    assert found.max() <= high
    if form.bounds.is_nonnegative(polynomial.plus(offset)):
        assert (found + offset >= 0).all()
    if form.bounds.is_nonnegative((-polynomial).plus(offset)):
        assert (offset - found >= 0).all()


@pytest.mark.parametrize(
    ("parameters", "axes", "text"),
    [
        ({"B": (1, None), "C": (1, None)}, {"j": "B", "k": "C"}, "B*C - 1 - (j*C + k)"),
        ({"A": (1, None), "B": (1, None)}, {"x": "A*B"}, "A - 1 - x // B"),
        ({"N": (8, None, 8)}, {"x": "N"}, "N // 8 - 1 - x // 8"),
        ({}, {"x": 4096}, "63 - (x - 64*(x // 64))"),
        ({}, {"x": 4096}, "7 - (x // 8 - 8*(x // 64))"),
        ({"PN": (1, 256)}, {"p": "32*PN"}, "3 - p // (8*PN)"),
        ({}, {"i": 16, "j": 8}, "127 - (8*i + (j ^ i % 8))"),
        ({"M": (1, None), "N": (1, None)}, {}, "N*M - 4*N*(M // 4)"),
        ({"M": (1, None), "N": (1, None)}, {}, "64*N*((M + 63) // 64) - N*M"),
    ],
)
def test_ranges_of_layouts_are_exact(parameters, axes, text):
    domain = Domain.of(axes, parameters)
    form = NormalForm(domain)
    gap = form.of(parse(text, domain))
    assert form.bounds.is_nonnegative(gap)
    assert not form.bounds.is_nonnegative(gap.plus(-1))


def test_facts_are_used():
    domain = Domain.of({}, {"M": (1, None), "K": (1, None)})
    M, K = domain["M"], domain["K"]
    form = NormalForm(domain.where(M * K <= 1000, K >= M))
    assert form.bounds.is_nonnegative(form.of(1000 - M * K))
    assert form.bounds.is_nonnegative(form.of(K - M))
    assert not form.bounds.is_nonnegative(form.of(999 - M * K))


@pytest.mark.parametrize("group", [1, 2, 3])
def test_offsets_in_rows_of_a_die_fit_where_facts_bound_their_product(group):
    """Blocks of 64 rows from the first one of a die on, which a guard ends, and that the matrix is small."""
    sizes = {"M": (1, None), "N": (1, None)}
    rows = "((M + 63) // 64)"
    axes = {
        "x": 8,
        "y": f"{group}*((N + 127)//128)",
        "z": f"({rows} + {8 * group - 1}) // {8 * group}",
        "r": 64,
    }
    facts = [parse("2**31 - 1 - (M + 64)*(N + 128) >= 0", Domain.of({}, sizes))]
    domain = Domain.of(axes, sizes, facts)
    form = NormalForm(domain)
    row = f"({rows}*x // 8 + {group}*z + y % {group})"
    guard = form.of(parse(f"{rows}*(x + 1) // 8 - 1 - {row}", domain))
    offset = form.of(parse(f"(64*{row} + r)*N + 128*(y // {group})", domain))
    most = form.integer(2**31 - 1)
    assert not form.bounds.is_nonnegative(most - offset)
    form.bounds.assume((*form.bounds.facts, guard))
    assert form.bounds.is_nonnegative(most - offset)
    assert not form.bounds.is_nonnegative(most - offset.scaled(2))


def test_the_range_of_a_selection_holds_both_branches():
    domain = Domain.of({"x": 40, "y": 7}, {"K": (1, 300)})
    form = NormalForm(domain)
    assert form.bounds.interval(form.of(parse("select(x < 5, K // 3, y)", domain))) == (0, 100)
    assert form.bounds.interval(form.of(parse("select(x < 5, -K, y)", domain))) == (-300, 6)
