"""What is shown by products of facts holds at every point; what sizes of kernels need is shown."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain
from layoutalg.index.evaluate import evaluate
from layoutalg.proofs import prove
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.products_of_facts import shown_nonnegative

MOST = 5
POINTS = tuple(itertools.product(range(1, MOST + 1), range(1, MOST + 1), range(8)))


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=8, max_size=8), st.integers(3, 25), st.integers(1, 3))
def test_nothing_is_shown_that_is_negative_somewhere(factors, most, step):
    parts = ("1", "M", "K", "i", "M*K", "K*i", "i//3", "K*(i//3)")
    text = " + ".join(f"({factor})*({part})" for factor, part in zip(factors, parts, strict=True))
    domain = Domain.of(
        {"i": (0, 8)}, {"M": (1, MOST), "K": (1, MOST)}, [f"M*K <= {most}", f"{step}*i <= M + 7"]
    )
    form = NormalForm(domain)
    if shown_nonnegative(form, form.of(parse(text, domain))):
        for m, k, i in POINTS:
            if m * k <= most and step * i <= m + 7:
                assert evaluate(parse(text, domain), {"M": m, "K": k, "i": i}) >= 0


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("2**31 - 1 - K*M", ["(K + 16)*(M + 256) <= 2**31 - 1"]),
        ("2**31 - 1 - 256*K*w", ["(K + 16)*(M + 256) <= 2**31 - 1"]),
        ("2**31 - 1 - K*(256*w + 64*v + i)", ["(K + 16)*(M + 256) <= 2**31 - 1"]),
        ("2**31 - 1 - 2*(K*(256*w + 64*v + i//4) + i%4)", ["2*(K + 16)*(M + 256) <= 2**31 - 1"]),
        ("K*M - K*m - k - 1", []),
    ],
)
def test_offsets_of_kernels_are_shown_to_fit(text, facts):
    sizes = {"M": (1, None), "K": (4, None, 4)}
    axes = {"w": "(M + 255)//256", "v": 4, "i": 64, "m": "M", "k": "K"}
    domain = Domain.of(axes, sizes, facts)
    form = NormalForm(domain)
    assert shown_nonnegative(form, form.of(parse(text, domain)))


def test_without_the_fact_nothing_is_shown():
    domain = Domain.of({}, {"M": (1, None), "K": (1, None)})
    form = NormalForm(domain)
    assert not shown_nonnegative(form, form.of(parse("2**31 - K*M", domain)))


def test_an_end_divided_by_a_factor_is_none_where_another_term_may_be_negative():
    """``4*x + (M0 - M)//4 <= c`` says nothing of ``x <= c//4``: M may be large."""
    domain = Domain.of({"x": 10**9}, {"M": (1, None)}, ["4*x + (10**6 - M)//4 <= 10**7"])
    form = NormalForm(domain)
    assert not shown_nonnegative(form, form.of(parse("2500000 - x", domain)))
    bound = Claim("bound", "x", domain, (Comparison(parse("x", domain), "<=", parse("2500000", domain)),))
    assert not prove(bound)
