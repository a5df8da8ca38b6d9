"""What is made for the site out of the code: it is whole, and its commands show what is said."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from layoutalg.check.codes import CODES
from tests.golden.ck_import import has_headers

EXTENSIONS = Path(__file__).parents[2] / "notebooks" / "extensions"


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("tables")


def test_every_rule_code_has_an_entry(tables):
    text = "\n".join(tables.rule_codes())
    assert re.findall(r"^`(LA\d+)` (.*)$", text, re.MULTILINE) == [(code.id, code.claim) for code in CODES]


def test_every_command_has_a_section_with_its_options(tables):
    text = "\n".join(tables.command_line())
    for name in ("check", "banks", "sanitize", "lift", "simplify", "kernel", "ck sweep", "ck diff"):
        assert re.search(rf"^##+ layoutalg {name}$", text, re.MULTILINE), name
    assert "`--output-format`" in text


def test_every_finding_has_a_section(tables):
    found = tomllib.loads(tables.FINDINGS.read_text(encoding="utf-8"))["finding"]
    text = "\n".join(tables.ck_findings())
    assert text.count("\n### ") + text.startswith("### ") == len(found)
    assert {one["kind"] for one in found} == set(tables.KINDS)


@pytest.mark.slow_sample(3)
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
@pytest.mark.parametrize("part", range(3))
def test_the_command_below_each_finding_shows_it(tables, part):
    told: dict[str, str] = {}
    for found in tomllib.loads(tables.FINDINGS.read_text(encoding="utf-8"))["finding"][part::3]:
        (command,) = re.findall(r"```sh\n(.*)\n```", "\n".join(tables._finding(found)))
        if command not in told:
            words = [sys.executable, "-m", *shlex.split(command)]
            environment = {**os.environ, "COLUMNS": "300"}
            done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
            told[command] = done.stdout + done.stderr
        is_shown = f"{found['claim']}: refuted" in told[command]
        assert is_shown or (found["claim"] == "compiles" and "rejected by CK" in told[command]), command


def test_the_archive_has_every_file_that_a_command_names(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    names = importlib.import_module("example_files").write_archive(tmp_path / "examples.zip")
    root = EXTENSIONS.parents[1]
    kept = subprocess.run(
        [shutil.which("git") or "git", "ls-files", "notebooks/examples"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert sorted(names) == sorted(kept)
    assert "notebooks/examples/tile.layout.toml" in names
    with zipfile.ZipFile(tmp_path / "examples.zip") as archive:
        for name in names:
            assert archive.read(name) == (root / name).read_bytes()


def test_no_two_examples_have_one_name():
    files = [path.name for path in (EXTENSIONS.parent / "examples").rglob("*.*.toml")]
    assert sorted(files) == sorted(set(files))
