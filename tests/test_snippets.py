"""What the pages tell others to paste works: CI configurations, tests, settings, layout files."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml

from layoutalg.check.settings import from_table
from layoutalg.codegen.executors.launch_file import SCHEMA, read_launch
from tests.layoutalg.check.layouts import BAD, GOOD

ROOT = Path(__file__).parent.parent
SITE = ROOT / "notebooks"
CI = SITE / "how_to" / "check_in_ci.md"
FIXED = {"LAYOUTALG_CK_ROOT": str(SITE / "examples" / "ck_tree")}


def blocks(page, language):
    """The code blocks of a page in a language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def of_ci(first):
    """The block of the page on CI that begins with a comment naming its file."""
    (text,) = [text for text in blocks(CI, "yaml") if text.startswith(f"# {first}")]
    return yaml.safe_load(text)


def run(command, folder):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **FIXED, "PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "page", [CI, SITE / "how_to" / "sweep_configurations.md"], ids=lambda page: page.stem
)
def test_hooks_of_pre_commit_that_are_named_exist(page):
    known = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    named = [yaml.safe_load(text) for text in blocks(page, "yaml") if "hooks:" in text]
    assert named
    for configuration in named:
        (repository,) = configuration["repos"]
        if repository["repo"] == "local":
            continue
        assert set(repository) == {"repo", "rev", "hooks"}
        assert {hook["id"] for hook in repository["hooks"]} <= known


def of_pre_commit():
    """The hook of the page on CI that needs no repository."""
    texts = [yaml.safe_load(text) for text in blocks(CI, "yaml") if "repo: local" in text]
    ((repository,),) = [one["repos"] for one in texts]
    (hook,) = repository["hooks"]
    return hook


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1)])
def test_the_local_hook_fails_as_it_should(tmp_path, text, status):
    hook = of_pre_commit()
    assert hook["language"] == "system"
    (tmp_path / "a.layout.toml").write_text(text, encoding="utf-8")
    done = run([*shlex.split(hook["entry"]), "a.layout.toml"], tmp_path)
    assert done.returncode == status, done.stdout + done.stderr


def test_the_local_hook_takes_layout_files_only():
    files = re.compile(of_pre_commit()["files"])
    assert all(map(files.search, ["a.layout.toml", "deep/b.layout.py"]))
    assert not any(map(files.search, ["layout.toml", "pyproject.toml", "a.layout.tomlx", "a.py"]))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1)])
def test_the_last_step_of_the_plain_job_checks(tmp_path, text, status):
    job = of_ci(".github/workflows/layouts-by-pip.yml")
    *_, install, check = job["jobs"]["layouts"]["steps"]
    assert install["run"] == 'pip install --quiet "$PACKAGE"'
    assert "PACKAGE" in job["env"]
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "a.layout.toml").write_text(text, encoding="utf-8")
    done = run(["/bin/bash", "-e", "-c", check["run"]], tmp_path)
    assert done.returncode == status, done.stderr
    assert (tmp_path / "layoutalg.sarif").exists()


def test_the_page_tells_every_input_of_the_action_with_its_default():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    rows = re.findall(r"^\| `([\w-]+)` \| *(.*?) *\|", CI.read_text(encoding="utf-8"), re.MULTILINE)
    told = {name: default.strip().strip("`") for name, default in rows}
    for name, row in action["inputs"].items():
        wanted = "the action's own source" if name == "version" else row["default"]
        assert told[name] == wanted, name


def test_the_job_of_github_gives_the_action_what_it_takes():
    job = of_ci(".github/workflows/layouts.yml")["jobs"]["layouts"]
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (ours,) = [step for step in job["steps"] if "/layoutalg@" in step["uses"]]
    assert set(ours["with"]) <= set(action["inputs"])
    (upload,) = [step for step in job["steps"] if "upload-sarif" in step["uses"]]
    assert upload["with"]["sarif_file"] == action["inputs"]["sarif"]["default"]
    assert upload["if"] == "always()"
    assert job["permissions"]["security-events"] == "write"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (BAD, 1)])
def test_the_script_of_gitlab_fails_as_it_should_and_leaves_its_reports(tmp_path, text, status):
    job = of_ci(".gitlab-ci.yml")["layouts"]
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "a.layout.toml").write_text(text, encoding="utf-8")
    install, *script = job["script"]
    assert shlex.split(install)[:2] == ["pip", "install"]
    done = run(["/bin/bash", "-e", "-c", "\n".join(script)], tmp_path)
    assert done.returncode == status, done.stderr
    for file in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
        assert (tmp_path / file).exists()
    assert job["artifacts"]["when"] == "always"


@pytest.mark.slow
def test_the_tests_of_the_page_pass_and_can_fail(tmp_path):
    (text,) = [text for text in blocks(CI, "python") if text.startswith("# test_layouts.py")]
    for wrong, status in (("", 0), ("(1, 65536)", 1)):
        bad = text.replace(wrong, "(1, None)") if wrong else text
        (tmp_path / "test_layouts.py").write_text(bad, encoding="utf-8")
        done = run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_layouts.py"], tmp_path
        )
        assert done.returncode == status, done.stdout


def test_the_settings_of_the_page_are_settings():
    (text,) = [text for text in blocks(CI, "toml") if "[tool.layoutalg]" in text]
    table = tomllib.loads(text)["tool"]["layoutalg"]
    settings = from_table(table, "pyproject.toml")
    assert settings.recheck == "z3"
    from_default = {name.replace("-", "_") for name in table}
    assert from_default == set(vars(settings))  # all there are


def layout_files():
    """Every layout file that a page shows."""
    for page in sorted(SITE.rglob("*.md")):
        for number, text in enumerate(blocks(page, "toml")):
            if re.search(r"^\[layout\.", text, re.MULTILINE):
                yield pytest.param(text, "row % 16" not in text, id=f"{page.stem}-{number}")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "is_right"), list(layout_files()))
def test_layout_files_of_the_pages_are_proved(tmp_path, text, is_right):
    (tmp_path / "a.layout.toml").write_text(text, encoding="utf-8")
    done = run(["layoutalg", "check", "a.layout.toml", "--output-format", "concise"], tmp_path)
    assert done.returncode == (not is_right), done.stdout + done.stderr


LAUNCH = SITE / "reference" / "launch_files.md"


def keys_of_launch_files():
    """The keys of the schema: of the file, and of an argument."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return set(schema["properties"]), set(schema["properties"]["arguments"]["items"]["properties"])


def test_the_page_on_launch_files_tells_and_shows_every_key():
    page = LAUNCH.read_text(encoding="utf-8")
    told = set(re.findall(r"`(?:\[\[)?(\w+)(?:\]\])?`", re.sub(r"```.*?```", "", page, flags=re.DOTALL)))
    (text,) = blocks(LAUNCH, "toml")
    shown = tomllib.loads(text)
    of_file, of_argument = keys_of_launch_files()
    assert (of_file | of_argument) - told == set()
    assert of_file == set(shown)
    assert of_argument == set().union(*shown["arguments"])


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(("rows", "agrees"), [(16, True), (15, False)])
def test_the_example_of_launch_files_runs_as_it_says(tmp_path, rows, agrees):
    (text,), (source,) = blocks(LAUNCH, "toml"), blocks(LAUNCH, "cpp")
    file = tmp_path / "twice.launch.toml"
    file.write_text(text.replace("value = 16\n", f"value = {rows}\n"), encoding="utf-8")
    (tmp_path / "twice.hip").write_text(source, encoding="utf-8")
    x, *_ = read_launch(file).arguments()
    np.save(tmp_path / "y.npy", 2 * x)
    done = run(["layoutalg", "run", "twice.hip", "--launch", file.name], tmp_path)
    assert (": agree" in done.stdout) == agrees, done.stdout + done.stderr
    assert done.returncode == (not agrees)


@pytest.mark.parametrize(
    ("page", "folder"),
    [("own_kernel", "turn"), ("sanitize_kernels", "."), ("run_a_kernel", "."), ("lift_binaries", ".")],
)
def test_listings_of_example_files_are_the_files(page, folder):
    """A listing that leaves the include or an argument out does not work when it is pasted."""
    path = SITE / "how_to" / f"{page}.md"
    files = [*(SITE / "examples" / folder).glob("*.hip"), *(SITE / "examples" / folder).glob("*.launch.toml")]
    known = {_code(file.read_text(encoding="utf-8")) for file in files}
    shown = [text for text in blocks(path, "cpp") if "__global__" in text and "x_sizes" not in text]
    shown += [text for text in blocks(path, "toml") if "[[arguments]]" in text]
    assert shown
    for text in shown:
        assert _code(text) in known, text


def _code(text):
    return re.sub(r"\s+", " ", re.sub(r"(//|#(?!include)).*", "", text)).strip()


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(("fact", "status"), [("columns <= pitch", 0), ("columns <= 2*pitch", 1)])
def test_a_struct_that_the_kernel_fills_can_be_lifted_and_its_fact_is_needed(tmp_path, fact, status):
    page = SITE / "how_to" / "lift_binaries.md"
    (source,) = [text for text in blocks(page, "cpp") if "x_sizes" in text]
    (facts,) = [text for text in blocks(page, "toml") if "pitch" in text]
    (tmp_path / "clear.hip").write_text(source, encoding="utf-8")
    (tmp_path / "clear.facts.toml").write_text(facts.replace("columns <= pitch", fact), encoding="utf-8")
    command = ["layoutalg", "lift", "clear.hip", "--target", "gfx942", "--facts", "clear.facts.toml"]
    done = run(command, tmp_path)
    assert done.returncode == status, done.stdout + done.stderr
