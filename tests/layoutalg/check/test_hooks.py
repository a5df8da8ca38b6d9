"""What other tools run: the pre-commit hook and the GitHub action, executed as they would be."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.layoutalg.check.layouts import BAD, GOOD

ROOT = Path(__file__).parents[3]
ROWS = """namespace ck_tile { struct Rows { static constexpr auto Make() {
    return make_naive_tensor_descriptor(
        make_tuple(number<4>{}, number<8>{}), make_tuple(number<PITCH>{}, number<1>{}));
} }; }"""


def run(command, folder, **variables):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **variables, "PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def hook_named(name):
    """The hook of an id, with all that pre-commit wants of it."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert all({"id", "name", "entry", "language", "files", "pass_filenames"} <= set(hook) for hook in hooks)
    return next(hook for hook in hooks if hook["id"] == name)


KERNEL = """#include <hip/hip_runtime.h>
extern "C" __global__ void turn(const int* x, int* y) {
    __shared__ int s[128];
    s[threadIdx.x] = x[threadIdx.x];
    BARRIER
    y[threadIdx.x] = s[127 - threadIdx.x];
}
"""
LAUNCH = """
code = "turn.hip"
grid = [1]
block = [128]
arguments = [{type = "i32", shape = [128], fill = "arange"}, {type = "i32", shape = [128], is_output = true}]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1)])
def test_the_pre_commit_hook_takes_file_names(tmp_path, text, status):
    hook = hook_named("layoutalg-check")
    (tmp_path / "a.layout.toml").write_text(text, encoding="utf-8")
    done = run([*shlex.split(hook["entry"]), "a.layout.toml"], tmp_path)
    assert done.returncode == status, done.stderr


@pytest.mark.slow
def test_the_hook_for_ck_fails_where_a_changed_header_makes_a_new_problem(tmp_path):
    hook = hook_named("layoutalg-ck")
    header = "include/ck_tile/rows.hpp"
    assert re.match(hook["files"], header)
    (tmp_path / header).parent.mkdir(parents=True)
    command = shlex.split(hook["entry"])
    once = [*(word for word in command[:-2]), "--write-baseline", command[-1], header]
    statuses = {}
    for known in (8, 7):  # rows of 8 apart, as it should be, or overlapping ones that are known
        (tmp_path / header).write_text(ROWS.replace("PITCH", str(known)), encoding="utf-8")
        assert run(once, tmp_path).returncode == 0
        for pitch in (8, 7):
            (tmp_path / header).write_text(ROWS.replace("PITCH", str(pitch)), encoding="utf-8")
            statuses[known, pitch] = run([*command, header], tmp_path).returncode
    assert statuses == {(8, 8): 0, (8, 7): 1, (7, 8): 0, (7, 7): 0}


@pytest.mark.parametrize(
    ("text", "status"),
    [*(pytest.param(*case, marks=pytest.mark.slow) for case in ((GOOD, 0), (BAD, 1))), ("[", 2)],
)
def test_the_action_reports_and_fails_as_the_check_does(tmp_path, text, status):
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    (script,) = [step["run"] for step in action["runs"]["steps"] if " check $PATHS" in step.get("run", "")]
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


@pytest.mark.long
def test_the_action_installs_itself_beside_what_the_job_has(tmp_path):
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    assert steps[0]["with"]["update-environment"] is False
    (tmp_path / "a.layout.toml").write_text(GOOD, encoding="utf-8")
    variables = {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    variables |= {"PYTHON": sys.executable, "SOURCE": str(ROOT), "PATH": "/usr/bin:/bin"}
    variables |= {"PATHS": "a.layout.toml", "ARGS": "", "SARIF": "out.sarif"}
    steps = [step for step in steps if "if" not in step]
    for step in steps[1:]:
        done = run(["/bin/bash", "-e", "-c", step["run"]], tmp_path, **variables)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.sarif").exists()


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(("barrier", "status"), [("__syncthreads();", 0), ("", 1)])
def test_the_action_runs_kernels_under_the_sanitizer(tmp_path, barrier, status):
    """The step as it stands; what it installs is there already."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (step,) = [step for step in steps if " sanitize $KERNELS" in step.get("run", "")]
    assert "inputs.sanitize" in step["if"]
    (tmp_path / "turn.hip").write_text(KERNEL.replace("BARRIER", barrier), encoding="utf-8")
    (tmp_path / "turn.launch.toml").write_text(LAUNCH, encoding="utf-8")
    own = tmp_path / "layoutalg" / "bin"
    own.mkdir(parents=True)
    (own / "layoutalg").symlink_to(Path(sys.executable).parent / "layoutalg")
    (own / "pip").symlink_to("/bin/true")
    summary = tmp_path / "summary.md"
    variables = {"KERNELS": "turn.launch.toml", "ARGS": "", "SARIF": "out.sarif", "SOURCE": "."}
    variables |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary)}
    done = run(["bash", "-e", "-c", step["run"]], tmp_path, **variables)
    assert done.returncode == status, done.stderr
    assert (tmp_path / "out.sarif").exists()
    assert "layoutalg sanitize" in summary.read_text(encoding="utf-8")
    assert ("::error file=turn.hip,line=" in done.stdout) == bool(status)
