"""What other tools run: the pre-commit hook and the GitHub action, executed as they would be."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.layoutalg.check.layouts import BAD, GOOD

ROOT = Path(__file__).parents[3]


def run(command, folder, **variables):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **variables, "PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1)])
def test_the_pre_commit_hook_takes_file_names(tmp_path, text, status):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {"id", "name", "entry", "language", "files", "pass_filenames"} <= set(hook)
    (tmp_path / "a.layout.toml").write_text(text, encoding="utf-8")
    done = run([*shlex.split(hook["entry"]), "a.layout.toml"], tmp_path)
    assert done.returncode == status, done.stderr


@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1), ("[", 2)])
def test_the_action_reports_and_fails_as_the_check_does(tmp_path, text, status):
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    script = action["runs"]["steps"][-1]["run"]
    (tmp_path / "a.layout.toml").write_text(text, encoding="utf-8")
    summary = tmp_path / "summary.md"
    own = tmp_path / "layoutalg" / "bin"  # what the step before makes
    own.mkdir(parents=True)
    (own / "layoutalg").symlink_to(Path(sys.executable).parent / "layoutalg")
    variables = {"PATHS": ".", "ARGS": "--jobs 1", "SARIF": "out.sarif"}
    done = run(
        ["bash", "-e", "-c", script],
        tmp_path,
        RUNNER_TEMP=str(tmp_path),
        GITHUB_STEP_SUMMARY=str(summary),
        **variables,
    )
    assert done.returncode == status, done.stderr
    assert (tmp_path / "out.sarif").exists()
    assert "layoutalg check" in summary.read_text(encoding="utf-8")
    assert ("::error file=a.layout.toml" in done.stdout) == bool(status)


@pytest.mark.slow
def test_the_action_installs_itself_beside_what_the_job_has(tmp_path):
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    assert steps[0]["with"]["update-environment"] is False
    (tmp_path / "a.layout.toml").write_text(GOOD, encoding="utf-8")
    variables = {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    variables |= {"PYTHON": sys.executable, "SOURCE": str(ROOT), "PATH": "/usr/bin:/bin"}
    variables |= {"PATHS": "a.layout.toml", "ARGS": "", "SARIF": "out.sarif"}
    for step in steps[1:]:
        done = run(["/bin/bash", "-e", "-c", step["run"]], tmp_path, **variables)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.sarif").exists()
