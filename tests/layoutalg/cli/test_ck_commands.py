"""``layoutalg ck`` and ``from_ck`` on headers of our own, in a folder that stands for CK's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from layoutalg.ck import fetch
from layoutalg.ck.importer import EXAMPLE
from layoutalg.cli.main import app
from layoutalg.errors import LayoutError, ToolError
from tests.refusals import refused

TARGET = "ops/policy.hpp::Policy::MakeDesc"
BOUND = ["--bind", "Problem.kM=64"]


@pytest.fixture
def ck(tmp_path, monkeypatch):
    """Runs a command with a tree of one header."""
    folder = tmp_path / "tree" / "include" / "ck_tile" / "ops"
    folder.mkdir(parents=True)
    (folder / "policy.hpp").write_text(EXAMPLE)
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path / "tree"))

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, ["ck", *arguments], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.output

    return run


def test_list_names_functions_and_what_they_want(ck):
    out = ck("list")
    assert "ops/policy.hpp::Policy::MakeDesc  descriptor, line 6  <Problem>" in out
    assert "nothing that makes a layout" in ck("list", "elsewhere")


def test_needs_gives_bind_options(ck):
    said = "  # a guess, read at include/ck_tile/ops/policy.hpp:8:41\n"
    assert ck("needs", TARGET) == f"--bind Problem.kM=64{said}"
    assert ck("needs", TARGET, "--emit", "toml") == f'"Problem.kM" = 64{said}'


def test_import_in_three_formats(ck):
    names: dict[str, Any] = {}
    exec(ck("import", TARGET, *BOUND), names)  # noqa: S102
    assert names["make_desc"].lengths == (64, 8)
    assert json.loads(ck("import", TARGET, *BOUND, "--emit", "json"))["lengths"] == [64, 8]
    assert ck("import", TARGET, *BOUND, "--emit", "toml").startswith("[layout.MakeDesc]\nfrom_ck = ")


def test_bindings_from_a_file_and_the_command_line_wins(ck, tmp_path):
    path = tmp_path / "b.toml"
    path.write_text("[Problem]\nkM = 32\n")
    assert "'lengths': " not in ck("show", TARGET, "--bind-file", str(path))
    found = json.loads(ck("import", TARGET, "--bind-file", str(path), *BOUND, "--emit", "json"))
    assert found["lengths"] == [64, 8]


def test_show_and_check_say_how_the_import_went(ck):
    assert "static_asserts: 1 hold, 0 not checked" in ck("show", TARGET, *BOUND)
    out = ck("check", TARGET, *BOUND)
    assert "one-to-one: proved" in out


def test_a_failure_has_its_word_its_place_and_the_calls(ck):
    with refused(LayoutError, "policy.hpp:8:41", "Policy::MakeDesc"):
        ck("import", TARGET)
    with refused(LayoutError, "static_assert"):
        ck("check", TARGET, "--bind", "Problem.kM=9")


def test_sizes_left_open_are_shown_with_their_assumptions(ck):
    out = ck("show", TARGET, "--bind", "Problem.kM=symbol(min=1)")
    assert "assumed: include/ck_tile/ops/policy.hpp:9:9: kM % 8 == 0" in out


def test_from_ck_in_a_layout_file(ck, tmp_path):
    path = tmp_path / "a.layout.toml"
    path.write_text(ck("import", TARGET, *BOUND, "--emit", "toml") + '\nclaims = ["bijective"]\n')
    result = CliRunner().invoke(app, ["check", str(path), "--no-cache"])
    assert result.exit_code == 0, result.output
    assert "2 claims: 2 proved" in result.output
    path.write_text(path.read_text().replace("= 64", "= 9"))
    result = CliRunner().invoke(app, ["check", str(path), "--no-cache"])
    assert result.exit_code == 2
    assert "layout.MakeDesc.from_ck: static_assert fails" in result.output


def test_no_headers_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.delenv("LAYOUTALG_CK_ROOT", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with refused(ToolError):
        fetch.find_root()


def test_a_wheel_that_is_not_the_pinned_one_is_refused(tmp_path):
    path = tmp_path / "x.whl"
    path.write_bytes(b"something else")
    with refused(ToolError):
        fetch.unpack(path, tmp_path / "out", fetch.PINNED.sha256)
    assert not (tmp_path / "out").exists()


def test_nothing_outside_the_root_is_read(ck, tmp_path):
    outside = tmp_path / "outside.hpp"
    outside.write_text(EXAMPLE.replace("Policy", "Secret"))
    (tmp_path / "tree" / "include" / "ck_tile" / "link.hpp").symlink_to(outside)
    assert "Secret" not in ck("list")
