"""Claims over axes that start late, go in steps or depend on each other, against enumeration by loops."""

from __future__ import annotations

import sympy
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import Domain, IndexMap, LayoutError, Proved, Refuted, evaluate, parse
from layoutalg.domain import Variable
from layoutalg.proofs import MEMBERS, prove
from layoutalg.properties import covers_map, monotone_map, vector_access_map
from tests.refusals import refused


@given(st.integers(-5, 9), st.integers(1, 12), st.sampled_from([1, 2, 4]), st.integers(-9, 9), st.data())
def test_vectors_start_at_the_lower_end(low, length, width, start, data):
    stride = data.draw(st.sampled_from([1, 1, 2]))
    domain = Domain.of({"i": (low, low + length)})
    offset = parse(f"{stride}*i + {start}", domain)
    whole = length % width == 0 and all(
        (stride * first + start) % width == 0
        and all(stride * (first + lane) + start == stride * first + start + lane for lane in range(width))
        for first in range(low, low + length, width)
    )
    try:
        verdict = prove(vector_access_map(IndexMap(domain, (offset,)), domain["i"], width, "i"))
    except LayoutError:  # no vector fits
        assert length < width
        return
    assert isinstance(verdict, Proved if whole else Refuted)


ENDS = ("3", "5", "i + 1", "6 - i", "i // 2 + 1", "min(i + 2, 4)", "1 + i % 2", "5 if i == 1 else 4")


@given(
    st.sampled_from(ENDS), st.sampled_from(["0", "0", "i", "i // 3", "i % 2"]), st.integers(2, 6), st.data()
)
def test_covers_of_axes_that_depend_on_each_other(end, low, rows, data):
    columns = data.draw(st.integers(2, 6))
    try:
        domain = Domain.of({"i": rows, "j": (low, end)})
    except LayoutError:  # an axis that is empty for certain
        return
    offset = parse(f"{columns}*i + j", domain)
    claim = covers_map(IndexMap(domain, (offset,)), (sympy.Integer(rows * columns),), "rows")
    reached = {
        columns * i + j
        for i in range(rows)
        for j in range(*(int(evaluate(parse(e, Domain.of({"i": rows})), {"i": i})) for e in (low, end)))
    }
    truth = set(range(rows * columns)) <= reached
    for name, member in MEMBERS.items():
        found = member(claim)
        if isinstance(found, Proved | Refuted):
            assert isinstance(found, Proved) == truth, name


def test_large_triangles_cover_no_square():
    for rows, columns, ends in (
        (64, 64, ("i", 64)),
        (64, 64, (0, "min(i+1,64)")),
        (1000, 1000, ("i // 999", 1000)),
    ):
        domain = Domain.of({"i": rows, "j": ends})
        lengths = (sympy.Integer(rows), sympy.Integer(columns))
        claim = covers_map(IndexMap(domain, (domain["i"], domain["j"])), lengths, "triangle")
        assert isinstance(prove(claim), Refuted)


def test_an_axis_in_steps_is_followed_by_its_next_value():
    symbol = sympy.Symbol("i", integer=True, nonnegative=True)
    domain = Domain((Variable(symbol, sympy.Integer(0), sympy.Integer(64), multiple_of=4),))
    rises, falls = (IndexMap(domain, (parse(t, domain),)) for t in ("i - i % 4 * 9", "i - i % 8 // 4 * 7"))
    assert isinstance(prove(monotone_map(rises, symbol, "i")), Proved)
    assert isinstance(prove(monotone_map(falls, symbol, "i")), Refuted)
    with refused(LayoutError, "4"):
        vector_access_map(rises, symbol, 4, "i")
