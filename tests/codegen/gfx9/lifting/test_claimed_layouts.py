"""Lifted accesses beside layouts that are claimed, in words, as layouts, and as findings of a check."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from layoutalg.check.lift_report import LiftReport, findings_of
from layoutalg.claim import IndexMap
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.gfx9.lifting import (
    ClaimedLayout,
    compare_with_layouts,
    explained,
    facts_of,
    lift,
    read_facts,
)
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, NoPointError
from layoutalg.proofs import prove
from tests.refusals import refused

EXAMPLES = Path(__file__).parents[4] / "notebooks" / "examples"
OVERLAPPING = """#include <hip/hip_runtime.h>
extern "C" __global__ void fill(float* y, int n) {
    int i = blockIdx.x*128 + threadIdx.x;
    if (i < n) y[i] = 1;
}"""


@cache
def _scaled():
    facts = read_facts(EXAMPLES / "scale.facts.toml")
    return lift(EXAMPLES / "scale.hip", facts, target="gfx942", prove=prove)


def _rows(strides, way=""):
    domain = Domain.of({"row": "rows", "column": "columns"}, {"rows": (1, 65536), "columns": (64, 65536, 64)})
    row, column, columns = domain["row"], domain["column"], domain["columns"]
    offset = columns * row + column if strides == "rows" else row + domain["rows"] * column
    return ClaimedLayout("y", IndexMap(domain, (offset,)), DataType.named("f32"), way)


def test_addresses_are_elements_of_a_claimed_tensor():
    ((access, shown),) = compare_with_layouts(_scaled(), {"y": _rows("rows")})
    assert access.buffer == "y"
    assert str(shown) == "an element of y: (4*workgroup_x + wave, 64*turn + lane): proved"


def test_addresses_of_another_tensor_are_not():
    ((_, shown),) = compare_with_layouts(_scaled(), {"y": _rows("columns")})
    assert not shown.is_shown
    assert "no index was found for offset" in str(shown)


def test_a_layout_of_a_buffer_that_is_not_there_is_refused():
    with refused(LayoutError, "scale", "x", "lds", "y"):
        [*compare_with_layouts(_scaled(), {"y_load": _rows("rows", "load")})]


def test_a_window_says_who_goes_where():
    domain = Domain.of({"lane": 64, "wave": 4})
    lane, wave = domain["lane"], domain["wave"]
    for offset, is_right in ((64 * wave + lane, True), (64 * wave + 63 - lane, False)):
        layout = ClaimedLayout("lds", IndexMap(domain, (offset,)), DataType.named("f32"))
        found = [shown.is_shown for _, shown in compare_with_layouts(_scaled(), {"lds": layout})]
        assert found == [is_right, is_right]


def test_layouts_are_told_in_words():
    load, *_, store = [one for one in _scaled().accesses if one.space != "scalar"]
    rows = "row-major, rows of 4*columns bytes: (4*workgroup_x + wave, 64*turn + lane) in pieces of 4 bytes"
    assert [*explained(store)] == [
        f"{rows}; shown to stay within its row",
        "lanes and waves: (64,4):(4,0) in bytes",
    ]
    assert next(iter(explained(load))).startswith(rows)


def test_bounds_that_fail_have_a_point():
    load = next(one for one in _scaled().accesses if one.buffer == "x")
    point = load.bounds.refuted.point
    places, _ = load.offsets(**{name: value for name, value in point.items() if name != "lane"})
    assert places[point["lane"]] + 4 > 4 * point["rows"] * point["columns"]


def test_the_last_byte_of_an_access_counts():
    known = {"sizes": {"n": [1, 65536]}, "launch": {"block": [256], "grid": ["(n + 127)//128"]}}
    code = compile_source(OVERLAPPING, "gfx942", lines_of="f.hip").code_object
    for extent, is_within in (("4*n", True), ("4*n - 1", False)):
        store = lift(code, facts_of(known | {"extents": {"y": extent}}), prove=prove).accesses[-1]
        assert (store.bounds.is_shown, store.bounds.refuted is None) == (is_within, is_within)


def test_two_threads_that_store_to_one_place_are_told():
    code = compile_source(OVERLAPPING, "gfx942", lines_of="f.hip").code_object
    known = {"sizes": {"n": [1, 65536]}, "launch": {"block": [256], "grid": ["(n + 127)//128"]}}
    store = lift(code, facts_of(known), prove=prove).accesses[-1]
    assert store.one_writer is not None
    assert store.one_writer.refuted is not None
    point = store.one_writer.refuted.point
    names = ("lane", "wave", "workgroup_x")
    places = [128 * point[f"workgroup_x{x}"] + 64 * point[f"wave{x}"] + point[f"lane{x}"] for x in ("", "'")]
    assert places[0] == places[1]
    assert [point[name] for name in names] != [point[f"{name}'"] for name in names]


PIECES = """#include <hip/hip_runtime.h>
typedef float f4 __attribute__((ext_vector_type(4), aligned(%d)));
extern "C" __global__ void pieces(float* y) { *(f4*)(y + %d*threadIdx.x) = f4{1, 2, 3, 4}; }"""
ONE_WAVE = {"launch": {"block": [64], "grid": [1]}}


@pytest.mark.parametrize(("step", "is_proved"), [(4, True), (2, False), (5, True)])
def test_stores_that_overlap_have_two_writers(step, is_proved):
    """16 bytes at 8 times the lane begin apart and overlap; at 20 times it they do not, unaligned."""
    code = compile_source(PIECES % (16 if step == 4 else 4, step), "gfx942", lines_of="p.hip").code_object
    (store,) = (one for one in lift(code, facts_of(ONE_WAVE), prove=prove).accesses if one.space != "scalar")
    assert store.bytes == 16
    assert store.one_writer is not None
    assert store.one_writer.is_shown == is_proved
    assert is_proved or store.one_writer.refuted is not None


@pytest.mark.parametrize("name", ["lane", "i"])
@pytest.mark.parametrize(("low", "is_right"), [(0, True), (4, False)])
def test_an_axis_begins_where_the_layout_says(name, low, is_right):
    domain = Domain.of({name: (low, 64), "v": 4})
    places = IndexMap(domain, (4 * domain[name] + domain["v"],))
    code = compile_source(PIECES % (16, 4), "gfx942", lines_of="p.hip").code_object
    layout = ClaimedLayout("y", places, DataType.named("f32"))
    ((_, shown),) = compare_with_layouts(lift(code, facts_of(ONE_WAVE), prove=prove), {"y": layout})
    assert shown.is_shown == is_right


def test_facts_that_contradict_each_other_are_refused():
    known = {"facts": ["n > 20"], "sizes": {"n": [1, 10]}}
    code = compile_source(OVERLAPPING, "gfx942", lines_of="f.hip").code_object
    with refused(NoPointError):
        lift(code, facts_of(known | ONE_WAVE), prove=prove)


def test_a_lifted_access_is_a_layout():
    store = [one for one in _scaled().accesses if one.buffer == "y"][-1]
    places = store.index_map.bind({"rows": 8, "columns": 128})
    found, active = store.offsets(
        wave=1, workgroup_x=1, workgroup_y=0, workgroup_z=0, turn=1, rows=8, columns=128
    )
    assert [int(places(lane, 1, 1, 0, 0, 1)) for lane in range(64)] == found.tolist()
    assert active.all()
    assert store.wave_access.scalars == 4


def test_findings_are_those_of_a_check():
    lifted = _scaled()
    report = LiftReport.of(findings_of(lifted, (), "scale.hip"))
    assert report.exit_status == 1
    assert [f"{f.place} {f.code} {f.status}" for f in report.problems] == ["scale.hip:9 LA101 refuted"]
    assert {f.code for f in report.findings} == {"LA101", "LA211", "LA303", "LA602", "LA702"}
