"""What changed between two trees of CK: every kind of change, on small headers of our own."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from layoutalg.check import ck_diff
from layoutalg.check.ck_diff import compared_trees
from layoutalg.cli.ck_diff import WORDS
from layoutalg.cli.main import app
from tests.layoutalg.ck.headers import index_of

FOURS = "number<4>{}, number<1>{}"
HEAD = "CK_TILE_HOST_DEVICE static constexpr auto"


def function(name, lengths, strides, vector="number<8>{}, number<1>{}"):
    """A policy's function that makes a plain descriptor."""
    lengths, strides = (", ".join(f"number<{n}>{{}}" for n in numbers) for numbers in (lengths, strides))
    made = f"make_naive_tensor_descriptor(make_tuple({lengths}), make_tuple({strides}), {vector})"
    return f"{HEAD} {name}() {{ return {made}; }}"


MERGED = f"""{HEAD} MakeRows() {{
    return transform_tensor_descriptor(
        make_naive_tensor_descriptor(make_tuple(number<4>{{}}, number<2>{{}}, number<8>{{}}),
                                     make_tuple(number<16>{{}}, number<8>{{}}, number<1>{{}}),
                                     number<8>{{}}, number<1>{{}}),
        make_tuple(make_merge_transform(make_tuple(number<4>{{}}, number<2>{{}})),
                   make_pass_through_transform(number<8>{{}})),
        make_tuple(sequence<0, 1>{{}}, sequence<2>{{}}), make_tuple(sequence<0>{{}}, sequence<1>{{}}));
}}"""
OLD = {
    "same, written in another way": function("MakeRows", (8, 8), (8, 1)),
    "another pitch": function("MakePitch", (8, 8), (8, 1)),
    "rows on one place": function("MakeTwice", (8, 8), (8, 1), FOURS),
    "gone": function("MakeGone", (4,), (1,)),
    "no longer imported": function("MakeLost", (4,), (1,)),
}
NEW = {
    "same, written in another way": MERGED,
    "another pitch": function("MakePitch", (8, 8), (16, 1)),
    "rows on one place": function("MakeTwice", (8, 8), (4, 1), FOURS),
    "new": function("MakeNew", (4,), (1,)),
    "no longer imported": function("MakeLost", ("kMissing",), (1,)),
}


def index(parts):
    return index_of(f"struct Policy {{ {' '.join(parts.values())} }};")


def test_every_kind_of_change_is_told_and_nothing_else():
    found = compared_trees(index(OLD), index(NEW))
    assert found.functions == (5, 5)
    assert found.shared == 4
    names = {kind: [c.function.rpartition("::")[2] for c in found.of(kind)] for kind in WORDS}
    assert names.pop("verdict") == ["MakeTwice"]
    assert names.pop("layout") == ["MakePitch", "MakeTwice"]
    assert names == {"gone": ["MakeGone"], "new": ["MakeNew"], "import": ["MakeLost"]}
    assert "i0=1" in found.of("layout")[0].witness
    (turned,) = found.of("verdict")
    assert (turned.claim, turned.before, turned.after) == ("one-to-one", "proved", "refuted")
    assert turned.is_worse
    assert "i0" in turned.witness


def test_the_other_way_round_a_verdict_is_mended():
    found = compared_trees(index(NEW), index(OLD))
    assert [change.is_worse for change in found.of("verdict")] == [False]


def test_a_tree_beside_itself_has_no_changes():
    assert compared_trees(index(OLD), index(OLD)).changes == ()


def test_a_function_that_moved_to_another_file_is_the_same():
    moved = index({})
    moved.add("b/policy.hpp", f"namespace ck_tile {{ struct Policy {{ {OLD['gone']} }}; }}")
    assert compared_trees(index({"gone": OLD["gone"]}), moved).changes == ()


@pytest.fixture
def trees(tmp_path, monkeypatch):
    monkeypatch.delenv("LAYOUTALG_CK_ROOT", raising=False)
    for name, parts in (("old", OLD), ("new", NEW)):
        folder = tmp_path / name / "include" / "ck_tile"
        folder.mkdir(parents=True)
        text = f"namespace ck_tile {{ struct Policy {{ {' '.join(parts.values())} }}; }}"
        (folder / "policy.hpp").write_text(text, encoding="utf-8")
    return str(tmp_path / "old"), str(tmp_path / "new")


def test_the_command_tells_changes_and_fails_where_a_verdict_got_worse(trees):
    done = CliRunner().invoke(app, ["ck", "diff", *trees])
    assert done.exit_code == 1
    assert "gone     policy.hpp::Policy::MakeGone" in done.output
    assert "of 4 in both: 1 imported in one only, 2 with another layout, 1 verdicts turned" in done.output
    assert CliRunner().invoke(app, ["ck", "diff", *trees, "--path", "MakePitch"]).exit_code == 0


def test_the_command_gives_json(trees):
    done = CliRunner().invoke(app, ["ck", "diff", *trees, "--output-format", "json"])
    rows = json.loads(done.output)["changes"]
    assert {row["kind"] for row in rows} == {"gone", "new", "import", "layout", "verdict"}


def test_trees_that_are_not_there_are_refused(trees, tmp_path):
    done = CliRunner().invoke(app, ["ck", "diff", trees[0], str(tmp_path)])
    assert done.exit_code != 0
    assert "no CK headers" in str(done.exception or done.output)


def test_of_several_claims_of_one_name_one_that_fails_is_told(monkeypatch):
    """Two reads of one layout: that the second is free does not hide the first."""

    def access(is_proved):
        report = SimpleNamespace(access=SimpleNamespace(direction="read"), degree=8, worst="phase 0")
        return SimpleNamespace(is_proved=is_proved, report=report)

    monkeypatch.setattr(ck_diff, "JudgedAccess", SimpleNamespace)
    monkeypatch.setattr(ck_diff, "is_lds_name", lambda _: True)
    said = {"old": [True, True], "new": [True, False, True]}
    old, new = (index({"rows": function("MakeRows", (8, 8), (8, 1))}) for _ in said)
    rows = {id(old): said["old"], id(new): said["new"]}
    monkeypatch.setattr(ck_diff, "judged_accesses", lambda *_, index, **__: map(access, rows[id(index)]))
    (turned,) = compared_trees(old, new).of("verdict")
    assert (turned.before, turned.after, turned.witness) == ("proved", "refuted", "8-way: phase 0")
