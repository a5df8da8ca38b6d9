"""`//`, `%`, cdiv and round_up on sizes mean what Python means by them, wherever a length may stand."""

from __future__ import annotations

import random

import pytest

import layoutalg as la
from layoutalg.errors import LayoutError
from layoutalg.index.sympy_forms import as_index
from tests.refusals import refused

M, K = la.sizes("M K")


def formula(draw, depth):
    if depth == 0:
        return draw.choice(["M", "K", str(draw.randint(1, 9))])
    op = draw.choice(["+", "*", "//", "%", "-"])
    right = (
        draw.choice(["M", "K", "4", "7", "2*K", "(M+K)"])
        if op in ("//", "%")
        else formula(draw, draw.randint(0, depth - 1))
    )
    return f"({formula(draw, depth - 1)} {op} {right})"


def has_product_of_remainders(text):
    """What SymPy itself gets wrong before anyone sees it (sympy#28744)."""
    return "%" in text and "*" in text


@pytest.mark.slow
def test_formulas_of_sizes_are_exact():
    draw, compared = random.Random(1), 0
    for _ in range(1500):
        text = formula(draw, draw.randint(1, 3))
        if has_product_of_remainders(text):
            continue
        value = eval(text, {"M": M, "K": K})  # noqa: S307  a formula of ours
        try:
            found = as_index(value)
        except LayoutError:
            continue
        for m, k in ((1, 1), (5, 3), (12, 8), (3, 11)):
            compared += 1
            try:
                got = la.evaluate(found, {"M": m, "K": k}) if not isinstance(found, int) else found
            except LayoutError:  # SymPy takes a quotient of a product for whole: said aloud
                break
            assert got == eval(text, {"M": m, "K": k}), text  # noqa: S307
    assert compared > 2000


@pytest.mark.parametrize("number", range(1, 40, 3))
@pytest.mark.parametrize("divisor", [1, 2, 7, 32])
def test_cdiv_and_round_up(number, divisor):
    tiles = -(-number // divisor)
    assert (la.cdiv(number, divisor), la.round_up(number, divisor)) == (tiles, tiles * divisor)
    at = {"M": number, "K": divisor}
    assert la.evaluate(la.cdiv(M, K), at) == tiles
    assert la.evaluate(la.round_up(M, K), at) == tiles * divisor
    domain = la.Domain.of({}, {"M": (1, None), "K": (1, None)})
    assert la.evaluate(la.parse("round_up(M, K) - cdiv(M, K)", domain), at) == tiles * divisor - tiles


def test_the_engine_knows_what_a_quotient_rounded_up_is():
    domain = la.Domain.of({}, {"M": (1, None), "T": (1, None)})
    covers = la.Comparison(domain["M"], "<=", la.cdiv(domain["M"], domain["T"]) * domain["T"])
    assert la.prove(la.Claim("covers", "tiles", domain, (covers,)))


def test_sizes_in_lengths_domains_facts_and_claims():
    rows = la.make_naive_tensor_descriptor(((M + 3) // 4, 8), (8, 1))
    assert la.prove(rows)
    domain = la.Domain.of({"i": (M + 3) // 4 * 4}, {"M": (1, None)}, [(M + 1) // 2 <= 8])
    assert str(domain) == "Domain: 0 <= i < 4*((M + 3) // 4); for all 1 <= M; where M + 1 < 18"
    assert la.prove(la.Claim("small", "i", domain, (la.Comparison(domain["i"] // 4, "<=", (M + 3) // 4),)))


def test_a_remainder_that_sympy_squares_is_refused():
    with refused(LayoutError, hint="la.FloorMod"):
        as_index((2 * ((M + 3) % 3)) % 8)
