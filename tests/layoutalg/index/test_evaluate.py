"""The plain evaluator against Python's own integers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import FloorDiv, LayoutError, Select, evaluate, parse
from layoutalg.domain import Domain
from layoutalg.term.as_terms import to_term
from tests.refusals import refused
from tests.strategies import domains, expressions


def by_python(expression, values):
    """The value by Python's own operators, on the printed text: shares nothing with the evaluator."""
    text = str(to_term(expression))
    names = dict(values) | {"min": min, "max": max, "select": lambda c, a, b: a if c else b}
    return eval(text, {"__builtins__": {}}, names)  # noqa: S307  our own text


@given(st.data())
def test_arrays_and_numbers_agree_with_python(data):
    domain = data.draw(domains())
    expression = data.draw(expressions(domain))
    names = [axis.name for axis in domain.axes]
    points = list(itertools.product(*(range(int(axis.upper)) for axis in domain.axes)))[:200]
    columns = dict(zip(names, np.array(points).T, strict=True))
    found = np.broadcast_to(evaluate(expression, columns), len(points))
    expected = [by_python(expression, dict(zip(names, point, strict=True))) for point in points]
    assert found.tolist() == expected
    assert evaluate(expression, dict(zip(names, points[-1], strict=True))) == expected[-1]


@given(st.data())
def test_what_sympy_prints_of_an_index_means_the_same_in_python(data):
    domain = data.draw(domains())
    expression = data.draw(expressions(domain))
    sign = data.draw(st.sampled_from([1, -1, 3]))
    point = {axis.name: int(axis.upper) - 1 for axis in domain.axes}
    names = point | {"min": min, "max": max, "select": lambda c, a, b: a if c else b}
    found = eval(str(sign * expression), {"__builtins__": {}}, names)  # noqa: S307  our own text
    assert found == sign * evaluate(expression, point)


def test_a_branch_is_computed_only_where_it_is_taken():
    domain = Domain.of({"x": 5})
    x = domain["x"]
    guarded = Select.unchecked(x > 0, FloorDiv.unchecked(12, x), sympy.Integer(-1))
    assert evaluate(guarded, {x: np.arange(5)}).tolist() == [-1, 12, 6, 4, 3]


def test_undefined_points_and_missing_values_are_reported():
    domain = Domain.of({"x": 5, "y": 5})
    x, y = domain["x"], domain["y"]
    with refused(LayoutError, "y", "0"):
        evaluate(FloorDiv.unchecked(x, y), {x: 1, y: 0})
    with refused(LayoutError, "y", "x"):
        evaluate(x + y, {x: 1})
    with refused(LayoutError, "sin"):
        evaluate(sympy.sin(x), {x: 1})


def test_shapes_broadcast():
    domain = Domain.of({"i": 4, "j": 8})
    found = evaluate(parse("i*8 + (j ^ i)", domain), {"i": np.arange(4)[:, None], "j": np.arange(8)})
    assert found.shape == (4, 8)
    assert found[3, 5] == 3 * 8 + (5 ^ 3)


WIDE = (2**31, 2**61 + 5, 2**62 - 1, 2**63 - 1, -(2**63), 2**63, 2**70 + 3)


@pytest.mark.parametrize(
    "text",
    [
        "100*x",
        "x*x - x",
        "(x // 3)*x % 17",
        "x*x*x // (1 + y)",
        "(y + 3) << (y + 40)",
        "(y + 3) << (5*y)",
        "(y*y + 7002) >> (4*y)",
    ],
)
def test_arrays_never_wrap(text):
    expression = parse(text, Domain.of({"x": (None, None), "y": 20}))
    points = [{"x": x, "y": y} for x in WIDE for y in (0, 1, 19)]
    for chosen in (points, [p for p in points if -(2**63) <= p["x"] < 2**63], points[:3]):
        arrays = {name: np.array([point[name] for point in chosen]) for name in ("x", "y")}
        assert evaluate(expression, arrays).tolist() == [by_python(expression, point) for point in chosen]


def test_words_of_other_kinds_are_read_or_refused():
    x = Domain.of({"x": 5})["x"]
    assert evaluate(x + 1, {x: np.array([2**63, 5], dtype=np.uint64)}).tolist() == [2**63 + 1, 6]
    assert evaluate(x + 1, {x: np.array([3], dtype=np.uint8)}).tolist() == [4]
    with refused(LayoutError, "x", "float64"):
        evaluate(x + 1, {x: np.array([0.5])})
