"""Points that are tried: of the domain, at which the facts hold; found where facts leave few."""

from __future__ import annotations

import pytest

from layoutalg import Domain
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.tried_points import BLOCK, ENOUGH

SPACES = [
    ({"x": 64, "y": (-9, 30)}, {}, "63 <= x + y", "a narrow corner"),
    ({"x": (0, 13), "y": (5, 50)}, {}, "x <= 0 and 48 <= y", "ends of both"),
    ({"x": (None, None), "y": (None, None)}, {}, "1 <= x and 1 <= y", "open at both ends, as sizes are"),
    ({"x": (None, 5), "y": (3, None)}, {"S": (1, None)}, "S <= y", "open at one end"),
]


def defined(tried, polynomial, points):
    """The values at the points, each of which must have one."""
    values = list(tried.values(polynomial, points))
    assert None not in values
    return [value for value in values if value is not None]


@pytest.mark.parametrize(
    ("axes", "sizes", "fact", "why"), SPACES, ids=lambda value: value if type(value) is str else ""
)
def test_points_are_of_the_domain_and_hold_the_facts(axes, sizes, fact, why):
    domain = Domain.of(axes, sizes)
    form = NormalForm(domain)
    form.assume(form.of(parse(fact, domain)))
    tried, facts = form.bounds.falsifier.anywhere, form.bounds.facts
    letters = [form.symbol(variable.name) for variable in domain.variables]
    points = tried.points(facts)
    assert points, why
    assert all(value >= 0 for one in facts for value in defined(tried, one, points))
    for variable, letter in zip(domain.variables, letters, strict=True):
        values = defined(tried, letter, range(16 * BLOCK))
        if variable.lower is not None:
            assert min(values) >= int(variable.lower)
        if variable.upper is not None:
            assert max(values) < int(variable.upper)


def test_sizes_open_at_both_ends_are_positive_somewhere():
    form = NormalForm(Domain.of({"x": (None, None)}))
    tried = form.bounds.falsifier.anywhere
    values = defined(tried, form.symbol("x"), range(BLOCK))
    assert min(values) < 0 < max(values)


def test_large_sizes_whose_product_a_fact_bounds_are_tried_small():
    """As those of a GEMM: far up no point meets the facts, which leaves what is false to searches."""
    domain = Domain.of({}, dict.fromkeys("MNK", (1, 2**26)))
    form = NormalForm(domain)
    for fact in ("M*K + 24*M + 320*K", "N*K + 24*N + 64*K", "M*N + 320*M + 192*N"):
        form.assume(form.of(parse(f"{fact} <= 2147483647", domain)))
    tried, facts = form.bounds.falsifier.anywhere, form.bounds.facts
    assert len(tried.points(facts)) >= ENOUGH
    larger = form.symbol("M") * form.symbol("K") - form.symbol("N")
    assert form.bounds.falsifier.refute(larger, facts)
    assert form.bounds.falsifier.refute(-larger, facts)


def test_no_point_has_an_axis_of_nothing():
    """Where an axis has no value, what is said of it is met nowhere, whatever else decides it."""
    domain = Domain.of({"t": "S - 9"}, {"S": (1, None)})
    form = NormalForm(domain)
    falsifier = form.bounds.falsifier
    few, never = (form.of(parse(text, domain)) for text in ("S <= 5", "t*t == 2"))
    assert falsifier.holds((few,), form.bounds.facts)
    assert not falsifier.holds((few.or_(never),), form.bounds.facts)
    assert falsifier.holds((never.negated(),), form.bounds.facts)
