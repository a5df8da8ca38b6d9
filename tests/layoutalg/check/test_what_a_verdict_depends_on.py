"""A kept verdict stands on all that was read: whatever changes, ``check`` says what it says without a cache.

Files of every kind that a run reads are changed in random order: headers, what they include, macros before
them, which tree is meant, layout files and their tables, Python files and the modules that they import. After
each change three runs must agree: with a cache in a new process, with a cache in this process, which has read
everything before, and without any in a new process, which is the oracle. What a run reads is watched as well.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from layoutalg.check.decide import Options, findings_of
from layoutalg.cli.main import app
from tests.forked_commands import forked_commands

ROOT = Path(__file__).parents[3]
KINDS = ("header", "step", "columns", "old_header", "old_step", "root", "layout", "module")
HEADER = """#include "ck_tile/sizes.hpp"
namespace ck_tile {{ struct Policy {{
  template <typename Problem> static constexpr auto MakeRows() {{
    return make_naive_tensor_descriptor(make_tuple(number<4>{{}}, number<COLUMNS>{{}}),
                                        make_tuple(number<{stride}>{{}}, number<STEP>{{}}));
  }} }}; }}
"""
OLD = HEADER.replace("ck_tile", "ck").replace("number<", "Number<").replace("COLUMNS", "8")
LAYOUT = """[tables.t]
lengths = [8]
range = [0, {end}]
one_to_one = true
[layout.rows]
from_ck = {{ target = "{target}", bind = {{ }} }}
claims = ["one-to-one"]
[layout.own]
index = {{ i = 8, j = 8 }}
offset = "8*t[i] + j"
size = 64
claims = ["in bounds", "one-to-one"]
"""
PYTHON = """import sys
sys.path.insert(0, {folder!r})
import sizes
import layoutalg as la
rows = la.make_naive_tensor_descriptor((4, 8), (sizes.STRIDE, 1))
"""


class Files:
    """The files of two projects and two trees of headers, each with two texts: a change takes the other."""

    def __init__(self, folder: Path, draw: random.Random) -> None:
        self.folder, self.draw, self.environment = folder, draw, dict(os.environ)
        self.turn: dict[tuple[str, str], int] = {}
        self.left: list[str] = []
        for kind in ("header", "step", "columns", "old_header", "old_step"):
            for tree in "ab":
                self.write(kind, tree)
            self.write(kind, draw.choice("ab"))
        for project in "pq":
            self.write("layout", project)
            self.write("module", project)
        self.root = "b"
        self.change("root")

    def write(self, kind: str, place: str) -> None:
        """Write a file of a tree or a project, with the other text than before."""
        number = self.turn[kind, place] = 1 - self.turn.get((kind, place), self.draw.randrange(2))
        name, text = getattr(self, kind)(number, place)
        path = self.folder / place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def header(self, number: int, _: str) -> tuple[str, str]:
        return "include/ck_tile/rows.hpp", HEADER.format(stride=(14, 16)[number])

    def old_header(self, number: int, _: str) -> tuple[str, str]:
        return "include/ck/rows.hpp", OLD.format(stride=(14, 16)[number])

    def step(self, number: int, _: str) -> tuple[str, str]:
        return "include/ck_tile/core/config.hpp", f"#define STEP {number + 1}\n"

    def old_step(self, number: int, _: str) -> tuple[str, str]:
        return "include/ck/ck.hpp", f"#define STEP {number + 1}\n"

    def columns(self, number: int, _: str) -> tuple[str, str]:
        text = f"namespace ck_tile {{ constexpr index_t COLUMNS = {number + 7}; }}\n"
        return "include/ck_tile/sizes.hpp", text

    def layout(self, number: int, place: str) -> tuple[str, str]:
        target = {"p": "rows.hpp", "q": "ck/rows.hpp"}[place] + "::Policy::MakeRows"
        return "own.layout.toml", LAYOUT.format(target=target, end=number + 8)

    def module(self, number: int, place: str) -> tuple[str, str]:
        folder = self.folder / place
        text = PYTHON.format(folder=str(folder))
        (folder / "own.layout.py").write_text(text, encoding="utf-8")
        return "sizes.py", f"STRIDE = {number + 7}\n"

    def change(self, kind: str = "") -> None:
        """Change one thing that the runs read; every kind comes before one comes again."""
        self.left = self.left or self.draw.sample(KINDS, len(KINDS))
        kind = kind or self.left.pop()
        if kind == "root":
            self.root = "ab"["ba".index(self.root)]
            self.environment["LAYOUTALG_CK_ROOT"] = str(self.folder / self.root)
        else:
            self.write(kind, self.draw.choice("pq") if kind in ("layout", "module") else self.root)


def said_by(text: str) -> list[tuple[str, ...]]:
    return [
        tuple(row[k] for k in ("file", "layout", "claim", "status", "summary"))
        for row in json.loads(text)["findings"]
    ]


@pytest.mark.parametrize(
    ("seed", "changes"),
    [
        (0, 8),  # every kind once
        pytest.param(1, 20, marks=pytest.mark.slow),
        *(pytest.param(n, 40, marks=pytest.mark.long) for n in range(2, 12)),
    ],
)
def test_whatever_changes_the_verdict_is_that_of_a_run_without_a_cache(tmp_path, monkeypatch, seed, changes):
    files = Files(tmp_path, random.Random(seed))
    monkeypatch.chdir(tmp_path)
    words = ["check", "p", "q", "--output-format", "json"]
    sets = set()
    with forked_commands() as commands:

        def new_process(*options: str) -> list[tuple[str, ...]]:
            call = [str(commands / "layoutalg"), *words, *options]
            done = subprocess.run(call, env=files.environment, capture_output=True, text=True, check=False)
            return said_by(done.stdout)

        for _ in range(changes):
            files.change()
            monkeypatch.setenv("LAYOUTALG_CK_ROOT", files.environment["LAYOUTALG_CK_ROOT"])
            oracle = new_process("--no-cache")
            assert new_process("--cache", "one") == oracle
            assert said_by(CliRunner().invoke(app, [*words, "--cache", "two"]).stdout) == oracle
            sets.add(tuple(oracle))
    assert len(sets) > changes // 3
    statuses = {row[3] for rows in sets for row in rows}
    assert {"proved", "refuted"} <= statuses


WATCH = """import json, os, sys
opened = set()
sys.addaudithook(lambda event, found: opened.add(os.path.abspath(found[0]))
                 if event == "open" and isinstance(found[0], str) else None)
from layoutalg.check.decide import Options, findings_of
for file in sys.argv[1:]:
    findings_of(file, Options())
print(json.dumps(sorted(opened)))
"""


def test_a_layout_file_is_read_with_its_headers_and_nothing_else(tmp_path):
    files = Files(tmp_path, random.Random(3))
    shipped = sorted((ROOT / "notebooks").rglob("*.layout.toml"))
    own = [*map(str, sorted(tmp_path.glob("*/*.toml"))), *map(str, shipped)]
    environment = {**files.environment, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *own],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    opened = set(json.loads(done.stdout))
    headers = {str(path) for path in tmp_path.glob("a/include/**/*.hpp")}
    installed = (
        sys.prefix,
        sys.base_prefix,
        *(str(ROOT / name) for name in ("layoutalg", "proofs", "codegen")),
    )
    others = {
        path for path in opened if not path.startswith((*installed, "/proc/", "/sys/", "/etc/", "/dev/"))
    }
    assert headers <= opened
    assert {path for path in others - {*own, *headers} if ".pytest_cache/bytecode" not in path} == set()


def test_without_headers_the_other_layouts_of_a_file_are_judged(tmp_path, monkeypatch):
    Files(tmp_path, random.Random(3))
    monkeypatch.setenv("LAYOUTALG_CK_ROOT", str(tmp_path / "nowhere"))
    file = str(tmp_path / "p" / "own.layout.toml")
    without, kept = (findings_of(file, Options(cache=name)) for name in ("", str(tmp_path / "kept")))
    said = [[(one.layout, one.claim, one.status) for one in found] for found in (without, kept)]
    assert said[0] == said[1]
    assert sum(one.status == "error" for one in kept) == 1
    assert {one.layout for one in kept if one.status in ("proved", "refuted")} == {"own"}
