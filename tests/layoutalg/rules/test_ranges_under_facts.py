"""Ranges under facts hold every value at every point that the facts leave; tile partitioners get theirs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutalg.domain import Domain
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.from_text import parse
from layoutalg.rules.linear_search import is_shown_by_products
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.ranges_under_facts import RangesUnderFacts

MOST = 4
NAMES = ("M", "N", "p", "i")
PARTS = (
    "1",
    "M",
    "N",
    "p",
    "i",
    "M*N",
    "p//N",
    "p//(2*N)",
    "p%N",
    "(p + i)//N",
    "i//2",
    "N*(p//N)",
    "min(p, M)",
)
FACTS = ("p//N <= M - 2", "i <= N", "M <= 2", "N <= 2", "p >= 3", "2*(p//(2*N)) >= M - 1", "i + p <= 7")
FACTORS = st.lists(st.integers(-3, 3), min_size=len(PARTS), max_size=len(PARTS))
CHOSEN = st.lists(st.sampled_from(FACTS), max_size=3, unique=True)


def domain_of(facts):
    return Domain.of({"p": "M*N", "i": 6}, {"M": (1, MOST), "N": (1, MOST)}, facts)


def points(facts):
    """All points that the facts leave, by trying each."""
    for m, n in itertools.product(range(1, MOST + 1), repeat=2):
        for p, i in itertools.product(range(m * n), range(6)):
            at = dict(zip(NAMES, (m, n, p, i), strict=True))
            if all(eval(fact, {}, at) for fact in facts):  # noqa: S307  texts of this file
                yield at


def sum_of(factors):
    return " + ".join(f"({factor})*({part})" for factor, part in zip(factors, PARTS, strict=True) if factor)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(FACTORS, CHOSEN)
def test_every_value_is_within(factors, facts):
    text = sum_of(factors) or "0"
    form, plain = NormalForm(domain_of([])), domain_of([])
    known = tuple(part for fact in facts for part in form.of(parse(fact, plain)).nonnegative_parts())
    expression = parse(text, plain)
    found = RangesUnderFacts(form, known).interval(form.of(expression))
    for at in points(facts):
        assert found.low <= evaluate(expression, at) <= found.high


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(FACTORS, CHOSEN, st.integers(-8, 8))
def test_nothing_is_shown_by_products_that_is_negative_somewhere(factors, facts, constant):
    domain = domain_of(facts)
    expression = parse(f"{constant} + {sum_of(factors) or 0}", domain)
    form = NormalForm(domain)
    if is_shown_by_products(form, form.of(expression)):
        for at in points(facts):
            assert evaluate(expression, at) >= 0


@pytest.mark.parametrize(
    ("text", "facts", "most"),
    [
        ("w", ["N <= 128"], 63),
        ("w", ["M <= 256"], 127),
        ("w//((N + 127)//128)", [], 63),
        ("w//(4*((N + 127)//128))", [], 15),
        ("w//(4*((N + 127)//128))", ["w//((N + 127)//128) < 8"], 1),
        ("w % (4*((N + 127)//128))", [], 511),
    ],
)
def test_tiles_of_a_partitioner_are_counted(text, facts, most):
    sizes = {"M": (1, 16384), "N": (1, 16384)}
    domain = Domain.of({"w": "((M + 255)//256)*((N + 127)//128)"}, sizes)
    form = NormalForm(domain)
    known = tuple(part for fact in facts for part in form.of(parse(fact, domain)).nonnegative_parts())
    found = RangesUnderFacts(form, known).interval(form.of(parse(text, domain)))
    assert found == (0, most)
