"""Sweeps of configurations: on a small tree of our own, and on CK's, held against enumeration."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg.check import ck_confirm, ck_sweep
from layoutalg.check.ck_confirm import with_confirmations
from layoutalg.check.ck_sweep import findings_of_unit, swept
from layoutalg.check.findings_page import causes_of
from layoutalg.ck import attempt, import_layout
from layoutalg.ck.configurations import Choices, configurations_of, units_of
from layoutalg.ck.cpp.ck_library import OLD_CK
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.cli.main import app
from tests.golden.ck_import import has_headers
from tests.layoutalg.ck.headers import index_of

HEADER = """
namespace ck_tile {
struct TilePolicy
{
    template <typename Problem>
    static constexpr auto MakeRows()
    {
        constexpr index_t kM = Problem::kM;
        constexpr index_t kK = Problem::kK;
        static_assert(kK % 8 == 0, "K must be whole vectors");
        constexpr auto rows = make_naive_tensor_descriptor(
            make_tuple(number<kM>{}, number<kK / 8>{}, number<8>{}),
            make_tuple(number<kK>{}, number<8>{}, number<1>{}), number<8>{}, number<1>{});
        constexpr auto turned = transform_tensor_descriptor(rows,
            make_tuple(make_xor_transform(make_tuple(number<kM>{}, number<kK / 8>{})),
                       make_pass_through_transform(number<8>{})),
            make_tuple(sequence<0, 1>{}, sequence<2>{}), make_tuple(sequence<0, 1>{}, sequence<2>{}));
        return transform_tensor_descriptor(turned,
            make_tuple(make_pass_through_transform(number<kM>{}),
                       make_merge_transform(make_tuple(number<kK / 8>{}, number<8>{}))),
            make_tuple(sequence<0>{}, sequence<1, 2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    }
};
}
"""
PLAIN = """struct P { static constexpr auto M() {
    return make_naive_tensor_descriptor_packed(make_tuple(number<64>{}, number<96>{}));
} };"""
TARGET = "tile_policy.hpp::TilePolicy::MakeRows"
DEPTHS = {64: "proved", 192: "refuted", 128: "proved", 100: "rejected", 24: "refuted"}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    folder = tmp_path / "tree" / "include" / "ck_tile"
    folder.mkdir(parents=True)
    (folder / "tile_policy.hpp").write_text(HEADER)
    rows = [f"K{k},{TARGET},64,{k}" for k in DEPTHS] + [f"again,{TARGET},64,192"]
    (tmp_path / "mine.csv").write_text("name,target,Problem.kM,Problem.kK\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, ["ck", "sweep", *arguments])


def test_verdicts_belong_to_configurations(tree):
    done = run("mine.csv", "--tree", "tree", "--no-cache", "--output-format", "json=found.json")
    assert done.exit_code == 1, done.output
    rows = json.loads((tree / "found.json").read_text())["findings"]
    for depth, wanted in DEPTHS.items():
        mine = [row for row in rows if row["layout"].startswith(f"K{depth}")]
        bad = {row["claim"] for row in mine if row["status"] != "proved"}
        if wanted == "rejected":
            assert bad == {"accepted by CK"}
        else:
            assert {"one-to-one", "xor permutes"} <= {row["claim"] for row in mine}
            assert bool(bad) == (wanted == "refuted")
            assert ("xor permutes" in bad) == (wanted == "refuted")
    assert any(row["file"] == "mine.csv" and row["line"] == 3 for row in rows)
    assert (
        "named functions: 5 configurations, 5 functions with bindings: 2 refuted, 1 rejected by CK"
        in done.output
    )
    assert "5 configurations of 6 rows" in done.output


def test_a_second_run_takes_what_is_kept(tree, monkeypatch):
    options = ("mine.csv", "--tree", "tree", "--cache", "kept.sqlite", "--output-format", "concise=found.txt")
    first = run(*options).exit_code, (tree / "found.txt").read_text()

    def judged(*_, **__):
        raise AssertionError("judged again")

    monkeypatch.setattr(ck_sweep, "findings_of_unit", judged)
    assert (run(*options).exit_code, (tree / "found.txt").read_text()) == first
    header = tree / "tree/include/ck_tile/tile_policy.hpp"
    header.write_text(HEADER.replace("% 8 == 0", "% 4 == 0"))
    assert isinstance(run(*options).exception, AssertionError)  # another header, other verdicts


@pytest.mark.slow
def test_processes_find_the_same(tree):
    said = []
    for jobs in ("1", "2"):
        run(
            "mine.csv", "--tree", "tree", "--no-cache", "--jobs", jobs, "--output-format", "concise=found.txt"
        )
        said.append((tree / "found.txt").read_text())
    assert said[0] == said[1] != ""


def test_the_page_says_what_sets_the_failing_apart_and_how_to_see_it_again(tree):
    run(
        "mine.csv",
        "--tree",
        "tree",
        "--no-cache",
        "--output-format",
        "concise=a.txt",
        "--findings",
        "page.md",
    )
    page = (tree / "page.md").read_text()
    assert page.startswith("# Findings\n")
    assert "The number of columns must be a power of two" in page
    assert "`K192` (mine.csv:3), `K24` (mine.csv:6)" in page
    assert "fails in 2 configurations, holds in 2." in page
    command = next(line for line in page.splitlines() if line.startswith("layoutalg ck check"))
    again = CliRunner().invoke(app, shlex.split(command)[1:])
    assert again.exit_code == 1
    assert "refuted at" in again.output
    assert "unused" not in again.output


def test_a_parameter_that_sets_the_failing_apart_is_named(tree):
    (tree / "mine.toml").write_text(
        "".join(
            f'[[configuration]]\ntarget = "{TARGET}"\nname = "K{k}"\n'
            f"parameters = {{ tile_k = {k}, tile_m = 64 }}\nbind.Problem = {{ kM = 64, kK = {k} }}\n"
            for k in (64, 128, 192, 320)
        )
    )
    found = configurations_of(["mine.toml"], headers(find_root("tree"), "gfx942"))
    causes = causes_of(swept(found.configurations, find_root("tree"), "gfx942"))
    xor = next(cause for cause in causes if cause.finding.claim == "xor permutes")
    assert xor.setting_apart == "All that fail have tile_k = 192 or 320; it holds with tile_k = 64, 128."


@pytest.mark.parametrize("options", [("--ignore", "LA1,LA2,LA5,LA8"), ("--select", "LA3")])
@pytest.mark.usefixtures("tree")
def test_rules_are_chosen(options):
    name, words = options
    chosen = [word for code in words.split(",") for word in (name, code)]
    done = run("mine.csv", "--tree", "tree", "--no-cache", *chosen)
    assert done.exit_code == 0, done.output


def test_known_problems_do_not_fail(tree):
    options = ("mine.csv", "--tree", "tree", "--no-cache")
    assert "known problems" in run(*options, "--write-baseline", "known.json").output
    done = run(*options, "--baseline", "known.json", "--output-format", "junit=a.xml")
    assert done.exit_code == 0, done.output
    assert ET.fromstring((tree / "a.xml").read_text()).tag == "testsuites"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("x,nowhere.hpp::A::B\n", "no header is called nowhere.hpp"),
        (f"x,{TARGET}\n", "Problem::kM"),
    ],
)
def test_what_cannot_be_judged_is_an_error_of_its_row(tree, rows, said):
    (tree / "mine.csv").write_text(f"name,target\n{rows}")
    done = run("mine.csv", "--tree", "tree", "--no-cache")
    assert done.exit_code == 2
    assert "mine.csv:2: LA001" in done.output
    assert said in done.output


def test_a_kernel_that_is_not_known_is_told_with_the_near_ones(tree):
    (tree / "mine.csv").write_text("name,kernel,tile_m\nx,gemm compv8,64\ny,gemm compv3,64\n")
    done = run("mine.csv", "--tree", "tree", "--no-cache")
    assert done.exit_code == 2
    assert "gemm compv3" in done.output
    assert "y: the kernel gemm compv3 needs " in done.output


# CK's own headers

with_headers = pytest.mark.skipif(not has_headers(), reason="CK's headers are not fetched")


@pytest.mark.long
@with_headers
@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_verdicts_of_the_tile_engine_are_those_of_enumeration(tmp_path, arch):
    values = {"tile_m": [64, 128], "tile_n": [64], "tile_k": [32, 64, 96, 192], "warp_m": [2], "warp_n": [2]}
    values |= {"warp_k": [1], "warp_tile_m": [16, 32], "warp_tile_n": [16], "warp_tile_k": [16]}
    (tmp_path / "engine.json").write_text(
        json.dumps({"tile_config": {n: {"values": v} for n, v in values.items()}})
    )
    index = headers(find_root(), arch)
    choices = Choices(("fp16",), ("rcr", "ccr"))
    found = configurations_of([str(tmp_path / "engine.json")], index, choices).configurations
    seen = {"proved": 0, "refuted": 0}
    for unit in {unit for one in found for unit in units_of(one, index) if "LdsBlock" in unit.target}:
        bindings = dict(unit.bindings)
        layout = attempt(unit.target, bindings, index=index, spare=bindings).layout
        if layout is None:  # CK has no such instruction
            continue
        grids = np.indices(tuple(map(int, layout.lengths))).reshape(len(layout.lengths), -1)
        offsets = np.asarray(layout(*grids))
        is_true = {
            "one-to-one": len(np.unique(offsets)) == offsets.size,
            "in memory bounds": offsets.min() >= 0 and offsets.max() < int(layout.element_space_size),
        }
        for finding in findings_of_unit(unit, find_root()):
            if finding.claim in is_true and finding.layout == unit.function:
                assert finding.status == ("proved" if is_true[finding.claim] else "refuted")
                seen[finding.status] += 1
    assert min(seen.values()) > 2


@pytest.mark.slow
@with_headers
def test_every_configuration_of_the_examples_is_judged():
    index = headers(find_root(), "gfx942")
    found = configurations_of([str(find_root() / "example")], index, Choices(("fp16", "fp8")))
    kernels = {one.kernel for one in found.configurations}
    assert len(found.configurations) >= 200
    assert len(kernels) >= 12
    sample = found.configurations[::12]
    done = swept(sample, find_root(), "gfx942")
    assert {finding.summary for finding in done.findings if finding.status == "error"} == set()
    assert any(finding.status == "refuted" for finding in done.findings)


@pytest.mark.long
@with_headers
def test_kernels_of_old_ck_are_judged_by_their_names(tmp_path):
    names = [
        "a8w8_rowwise_256x16x64x512_16x16_1x1_32x8x1_32x8x1_1x16x1x16_4x4x1_1x1_intrawave_v3",
        "bf16_batched_64x16x16x64_16x16_1x1_8x8x1_8x8x1_1x16x1x4_4x4x1_1x1_interwave_v2",
        "a8w8_bpreshuffle_128x16x32x512_16x16_16x16_32x4x1_32x4x1_1x16x1x8_4x4x1_1x1_intrawave_v1",
    ]
    path = tmp_path / "tuned.csv"
    path.write_text("cu_num,kernelName\n" + "\n".join(f"304,{name}" for name in names) + "\n")
    found = configurations_of([str(path)], headers(find_root(), "gfx942")).configurations
    done = swept(found, find_root(), "gfx942")
    rows = {name: [f for f in done.findings if f.layout.startswith(name)] for name in names}
    assert all(len(some) > 5 for some in rows.values())
    failing = {f.claim for some in rows.values() for f in some if f.status != "proved"}
    assert failing <= {"conflict-free"}, failing
    for some in rows.values():
        accesses = {f.layout.rpartition(", ")[2].partition(" ")[0] for f in some if " with " in f.layout}
        assert accesses == {"write", "read"}
        assert {"aligned in LDS", "in logical bounds", "vector contiguous"} <= {f.claim for f in some}
    seen = 0
    for one in done.judged:
        if "::GetABlockDescriptor" in one.unit.target:
            index = headers(find_root(), "gfx942", OLD_CK)
            bindings = dict(one.unit.bindings)
            made = import_layout(one.unit.target, bindings, index=index, spare=bindings)
            for configuration in one.configurations:
                sizes = re.search(r"_\d+x(\d+)x\d+x(\d+)_", configuration.name)
                assert sizes, configuration.name
                depth, rows_of_a, vector = map(int, made.layout.lengths)
                assert (rows_of_a, depth * vector) == tuple(map(int, sizes.groups()))
                seen += 1
    assert seen == len(names)


@pytest.mark.long
@with_headers
def test_findings_are_confirmed_by_the_compiler_where_asked(tmp_path, monkeypatch):
    values = {"tile_m": 64, "tile_n": 64, "tile_k": 96, "warp_m": 2, "warp_n": 2, "warp_k": 1}
    values |= {"warp_tile_m": 32, "warp_tile_n": 32, "warp_tile_k": 16}
    tiles = {name: {"values": [value]} for name, value in values.items()}
    (tmp_path / "engine.json").write_text(json.dumps({"tile_config": tiles}))
    index = headers(find_root(), "gfx942")
    found = configurations_of([str(tmp_path / "engine.json")], index).configurations
    done = swept(found, find_root(), "gfx942")
    told = [
        row.details[-1] for row in with_confirmations(done, find_root()).findings if row.status == "refuted"
    ]
    assert len(told) > 5
    assert {detail.partition(": ")[2].split()[0] for detail in told} == {"the", "refuses"}
    assert any("X0 * Y1" in detail for detail in told)
    other = import_layout("a.hpp::P::M", {}, index=index_of(PLAIN))  # a layout that the headers do not make
    monkeypatch.setattr(ck_confirm, "attempt", lambda *_, **__: other)
    lds = [one.unit for one in done.judged if "::MakeALdsBlock" in one.unit.target]
    assert list(ck_confirm.confirmations(lds, find_root()).values()) == [ck_confirm.DIFFERS]
