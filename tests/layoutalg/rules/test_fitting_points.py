"""Points that are chosen for facts: of the domain, where all of the facts hold, with both ends among them."""

from __future__ import annotations

from typing import Any

import pytest

from layoutalg import Domain
from layoutalg.domain.points import contains
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.fitting_points import FittingPoints
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm

LARGEST = 2**31 - 1
LIMITS = (
    f"M*lda + 64*lda <= {LARGEST}",
    f"N*ldb + 64*ldb <= {LARGEST}",
    f"M*ldc + 64*ldc <= {LARGEST}",
    "K <= lda",
    "K <= ldb",
    "N <= ldc",
)
GEMM = (
    {"lane": 64, "wave": 4, "block": (0, None), "turn": (0, None)},
    dict.fromkeys(("M", "N", "K", "lda", "ldb", "ldc"), (1, None)),
)
SPACES: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "loop and guard of a GEMM": (*GEMM, (*LIMITS, "257 <= K", "2*turn + 4 <= (K + 127)//128")),
    "last rows of a GEMM": (*GEMM, (*LIMITS, "64*block + 16*wave < M", "M <= 64*block + 16*wave + lane")),
    "one value": ({"x": 1000}, {"S": (1, None)}, ("7*x <= 3*S", "3*S <= 7*x", "11 <= S")),
    "open at both ends": ({"x": (None, None), "y": (None, None)}, {}, ("x + 5000 <= y", "y <= x + 5003")),
}


def under(space):
    """The domain of a space and its normal form, where its facts are assumed."""
    axes, sizes, facts = SPACES[space]
    domain = Domain.of(axes, sizes)
    form = NormalForm(domain)
    for fact in facts:
        form.assume(form.of(parse(fact, domain)))
    return domain, form


@pytest.mark.parametrize("space", SPACES)
def test_facts_hold_at_points_chosen_for_them(space):
    domain, form = under(space)
    points = FittingPoints(form.atoms, form.bounds.facts)
    inside = points.points(form.bounds.facts)
    assert inside
    values = {v.name: [*points.values(form.symbol(v.name), inside)] for v in domain.variables}
    for here in (dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)):
        assert all(evaluate(parse(fact, domain), here) for fact in SPACES[space][2]), here
        assert contains(domain, here)


@pytest.mark.parametrize(
    "false",  # that none of these is negative
    [
        f"{LARGEST - 2**26} - (64*block + 63)*lda",
        "M - 64*block - 16*wave - 2",
        "64*block + 16*wave + lane - 30 - M",
        "62 - lane",
        "lane - 20",
    ],
)
def test_what_is_false_is_refuted_without_a_search(false):
    domain, form = under("last rows of a GEMM")
    assert form.bounds.falsifier.refute(form.of(parse(false, domain)), form.bounds.facts)
