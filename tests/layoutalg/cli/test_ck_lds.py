"""``layoutalg ck check`` of a layout of shared memory, on a policy of our own."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from tests.layoutalg.ck.lds_policy import POLICY

TARGET = "policy.hpp::Policy::MakeALdsBlockDescriptor"
HALF = ["--bind", "Problem.ADataType=half_t"]


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Runs ``ck check`` with a tree of one header."""
    folder = tmp_path / "tree" / "include" / "ck_tile"
    folder.mkdir(parents=True)
    (folder / "policy.hpp").write_text(POLICY)
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path / "tree"))

    def run(target, pad, *arguments, code=0):
        bound = [] if pad is None else ["--bind", f"Problem.kPad={pad}"]
        command = ["ck", "check", target, *bound, *arguments]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == code, result.output
        return result.output

    return run


def test_pairs_are_named_judged_and_decide_the_status(check):
    out = check(TARGET, 0, *HALF, code=1)
    assert "MakeALdsBlockDescriptor write with Policy::MakeADramTileDistribution: ds_write_b128" in out
    assert "MakeALdsBlockDescriptor read with Policy::MakeARegTileDistribution: ds_read_b128" in out
    assert "8-way bank conflict" in out
    assert "worst: phase 0 (lanes 0-3, 20-23)" in out
    assert "conflict-free: refuted" in out
    assert out.count("conflict-free: proved") == 1
    assert check(TARGET, 8, *HALF).count("conflict-free: proved") == 2


def test_writer_and_reader_may_be_named(check):
    out = check(TARGET, 0, "--writer", "MakeADramTileDistribution", "--element", "f16")
    assert "read with" not in out
    assert "conflict-free: proved" in out
    reader = ["--reader", "policy.hpp::Policy::MakeARegTileDistribution", "--element", "f16"]
    assert "8-way" in check(TARGET, 0, *reader, code=1)
    assert "ds_read_b64" in check(TARGET, 8, *reader, "--width", "4", code=1)


def test_what_names_do_not_tell_is_not_judged_and_fails_only_where_it_was_asked_for(check):
    assert "not judged: its element type is not known" in check(TARGET, 0)
    other = "policy.hpp::Policy::MakeBLdsBlockDescriptor"
    misfit = "a tile of 32x64 does not fit a layout of 48x64"
    assert misfit in check(other, None, "--element", "f16")
    assert misfit in check(other, None, "--element", "f16", "--writer", "MakeBDramTileDistribution", code=1)
    unknown = ["--writer", "MakeNothing", "--element", "f16"]
    assert "policy.hpp has no Policy::MakeNothing" in check(TARGET, 0, *unknown, code=1)
    assert "policy.hpp has no Policy::MakeNothing" in check(TARGET, 0, *unknown, "--defaults", code=1)


def test_other_layouts_have_no_accesses(check):
    result = check("policy.hpp::Policy::MakeARegTileDistribution", None)
    assert "write" not in result
