"""The README's two commands are the ones that are tested."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands():
    return re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)


def test_ci_runs_the_test_command_of_the_readme():
    _, test = commands()
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert test in script


def test_both_commands_start_from_nothing():
    assert len(commands()) == 2
    for command in commands():
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")


def test_files_the_readme_names_exist():
    for name in re.findall(r"`((?:layoutalg|codegen|proofs|tests)/[\w/.]+)`", README):
        assert (ROOT / name).exists(), name


def test_nothing_committed_names_a_machine():
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if path.suffix in {".py", ".md", ".toml", ".json", ".h"} and not any(
            p.startswith(".") for p in parts
        ):
            assert "/root/" not in path.read_text(encoding="utf-8", errors="ignore").replace('"/root/"', "")
