"""The workflows keep their word: what they run exists, they test what the package says it supports."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from layoutalg import __version__
from tests.release_notes import notes, released, version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
FILES = {path.stem: path for path in sorted((ROOT / ".github" / "workflows").iterdir())}
WORKFLOWS = {name: yaml.safe_load(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PROGRAM = Path(sys.executable).parent


def texts(value):
    """Every text below a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def steps(name):
    """The run blocks of a workflow."""
    jobs = WORKFLOWS[name]["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def step_of_release(word):
    (found,) = [step for step in steps("release") if word in step]
    return found


def bash(script, folder, **environment):
    path = f"{PROGRAM}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["/bin/bash", "-e", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **environment},
    )  # fmt: skip


def test_the_classifiers_are_the_matrix_and_its_lowest_is_required():
    told = [text.rpartition(" ")[2] for text in PROJECT["project"]["classifiers"] if ":: 3." in text]
    matrix = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert told == matrix
    assert PROJECT["project"]["requires-python"] == f">={matrix[0]}"
    assert PROJECT["tool"]["mypy"]["python_version"] == matrix[0]
    assert matrix == sorted(matrix, key=lambda text: [int(part) for part in text.split(".")])


def test_the_newest_release_of_the_changelog_is_this_version():
    assert released(CHANGELOG)[0] == __version__
    assert notes(CHANGELOG, __version__).count("### ") >= 3
    assert CHANGELOG.index("## Unreleased") < CHANGELOG.index(f"## {__version__}")


@pytest.mark.parametrize(
    "changelog", ["", "## 1.0.0\n\ntext\n", "## 1.0.0 (2026-01-01)\n\n## 0.9.0\n\ntext\n"]
)
def test_a_section_that_is_missing_undated_or_empty_is_an_error(changelog):
    with pytest.raises(SystemExit, match=r'no text below a heading "## 1\.0\.0 \(YEAR-MONTH-DAY\)"'):
        notes(changelog, "1.0.0")


def test_the_page_on_ci_names_the_tag_of_this_version():
    page = (ROOT / "notebooks" / "how_to" / "check_in_ci.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bv(\d+\.\d+\.\d+)\b", page)) == {__version__}


def test_no_version_is_an_error():
    with pytest.raises(SystemExit, match="states no __version__"):
        version("version = 1")


@pytest.mark.parametrize("name", [*WORKFLOWS])
def test_files_and_modules_that_a_workflow_names_exist(name):
    text = "\n".join(texts(WORKFLOWS[name]))
    for path in re.findall(r"(?<![\w/.])((?:\.ci|\.github|layoutalg|notebooks|tests)/[\w./-]*)", text):
        assert (ROOT / path).exists(), path
    for module in re.findall(r"-m (tests[\w.]*)", text):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file(), module
    for extra in re.findall(r"'\.\[(\w+)\]'", text):
        assert extra in PROJECT["project"]["optional-dependencies"]


def test_each_tier_of_the_tests_has_a_workflow():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^(.*pytest -n auto)$", readme, re.MULTILINE)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert command in steps("tests")
    assert "bash .ci/run" in steps("nightly")
    assert "-m slow" in script
    assert any("-m long" in step for step in steps("long"))
    for marker in ("slow", "long"):
        assert any(
            line.startswith(f"{marker}:") for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]
        )


def test_a_change_and_the_night_lint_and_check_types_alike():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("bash .ci/tools", "bash .ci/lint", "mypy layoutalg tests"):
        assert command in steps("tests")
        assert command in script
    required = WORKFLOWS["tests"]["jobs"]["tests"]["env"]
    assert set(required.values()) == {"required"}
    assert set(re.findall(r"(LAYOUTALG_\w+)=required", script)) == set(required)


@pytest.mark.parametrize("name", [*WORKFLOWS])
def test_a_workflow_may_read_ends_in_time_and_does_not_run_twice(name):
    workflow = WORKFLOWS[name]
    assert workflow["name"] == name
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"]
    for title, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 360
        assert ("permissions" in job) == ((name, title) == ("release", "release"))
    assert ("cancel-in-progress" in workflow["concurrency"]) == (name == "tests")


def test_actions_are_of_one_version_everywhere():
    page = (ROOT / "notebooks" / "how_to" / "check_in_ci.md").read_text(encoding="utf-8")
    used = {text for value in (*WORKFLOWS.values(), ACTION) for text in texts(value) if "@v" in text}
    used |= set(re.findall(r"uses: (actions/\S+)", page))
    assert len({text.partition("@")[0] for text in used}) == len(used)


def test_the_run_blocks_of_the_action_are_sound():
    blocks = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    scripts = [f"#!/bin/bash\n# shellcheck disable=SC2086,SC2154\n{{\n{block}\n}}\n" for block in blocks]
    done = subprocess.run(
        [PROGRAM / "shellcheck", "-"], input="\n".join(scripts), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("tagged", [False, True])
def test_a_version_that_has_its_tag_is_not_released_again(tmp_path, tagged):
    name = "-c user.name=a -c user.email=b"
    made = f"git init -q . && git remote add origin . && git {name} commit -q --allow-empty -m a"
    assert bash(made + (f" && git tag v{__version__}" if tagged else ""), tmp_path).returncode == 0
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    done = bash(step_of_release("git ls-remote"), tmp_path, **files)
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "output").read_text(encoding="utf-8")
    assert told == f"version={__version__}\nnew={'no' if tagged else 'yes'}\n"
    assert ("nothing to release" in done.stdout) == tagged


def test_only_a_new_version_is_built_and_released():
    (job,) = WORKFLOWS["release"]["jobs"].values()
    first = [step.get("id") for step in job["steps"]].index("version")
    for step in job["steps"][first + 1 :]:
        assert step["if"] == "steps.version.outputs.new == 'yes'"


def test_a_release_has_its_tag_notes_and_files(tmp_path):
    (tmp_path / "gh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > said\n', encoding="utf-8")
    (tmp_path / "gh").chmod(0o755)
    (tmp_path / "dist").mkdir()
    for name in ("a.whl", "a.tar.gz"):
        (tmp_path / "dist" / name).touch()
    known = {"VERSION": "1.2.3", "GITHUB_SHA": "abc", "RUNNER_TEMP": "temp", "GH_TOKEN": ""}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = bash(step_of_release("gh release create"), tmp_path, **known, PATH=path)
    assert done.returncode == 0, done.stderr
    wanted = ["release", "create", "v1.2.3", "dist/a.tar.gz", "dist/a.whl", "--target", "abc"]
    wanted += ["--title", "layoutalg 1.2.3", "--notes-file", "temp/notes.md"]
    assert (tmp_path / "said").read_text(encoding="utf-8").split("\n")[:-1] == wanted
