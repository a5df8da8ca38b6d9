"""``layoutalg sanitize``: what it prints in each format, exit statuses, what is allowed, what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from junitparser import JUnitXml
from typer.testing import CliRunner

from layoutalg.check.testing import assert_clean
from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output
from layoutalg.codegen.kernel_checks import CHECKS, chosen_checks
from layoutalg.codegen.sanitizer import sanitize
from layoutalg.errors import LayoutError
from tests.layoutalg.check.test_pytest_plugin import run as run_pytest
from tests.refusals import refused

SCHEMAS = Path(__file__).parents[2] / "schemas"
SOURCE = """#include <hip/hip_runtime.h>
extern "C" __global__ void turn(const int* x, int* y) {
    __shared__ int s[128];
    s[threadIdx.x] = x[threadIdx.x];
    // what stands here may be allowed
    y[threadIdx.x] = s[127 - threadIdx.x];
}
"""
LAUNCH = """
code = "turn.hip"
target = "gfx942"
grid = [1]
block = [128]
[[arguments]]
type = "i32"
shape = [128]
fill = "arange"
[[arguments]]
type = "i32"
shape = [128]
is_output = true
"""
MENDED = SOURCE.replace("    // what stands here may be allowed\n", "    __syncthreads();\n")
RACE = re.compile(r"turn\.hip:[46]: LA921 lds race found: turn: lane \d+ of wave [01] of workgroup 0 ")


@pytest.fixture(name="folder")
def folder_with_a_kernel(tmp_path, monkeypatch):
    (tmp_path / "turn.hip").write_text(SOURCE)
    (tmp_path / "turn.launch.toml").write_text(LAUNCH)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    done = CliRunner().invoke(app, ["sanitize", *map(str, words)], env={"COLUMNS": "120"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.mark.usefixtures("folder")
def test_a_race_is_told_with_line_and_both_parties():
    status, text = run("turn.hip")
    assert status == 1
    assert RACE.search(text)
    assert "no barrier between them" in text
    assert "Look at: A missing __syncthreads()" in text
    assert text.endswith("1 kernel: 0 clean, 1 mistake (lds-race 1) in 1\n")


@pytest.mark.parametrize("what", ["turn.hip", "turn.launch.toml", "."])
def test_the_mended_kernel_is_clean(folder, what):
    (folder / "turn.hip").write_text(MENDED)
    assert run(what) == (0, "1 kernel: 1 clean\n")


def test_code_without_source_is_told_by_its_instructions(folder):
    made = compile_source(SOURCE, "gfx942")
    (folder / "turn.co").write_bytes(made.code_object)
    (folder / "turn.s").write_text(made.assembly)
    status, text = run("turn.co", "--launch", "turn.launch.toml")
    assert (status, bool(re.search(r"in: +ds_\w+ .* at 0x[0-9a-f]+$", text, re.MULTILINE))) == (1, True)
    status, text = run("turn.s", "--launch", "turn.launch.toml")
    line = int(re.findall(r"turn\.s:(\d+): LA921", text)[0])
    assert "ds_" in made.assembly.splitlines()[line - 1]


def test_every_format_can_be_written_at_once(folder):
    formats = [f"{name}={name}.txt" for name in ("concise", "json", "junit", "sarif", "github", "markdown")]
    status, text = run("turn.hip", *(f"--output-format={name}" for name in formats))
    assert (status, text) == (1, "")
    report = json.loads((folder / "json.txt").read_text())
    (found,) = [row for row in report["findings"] if row["status"] == "found"]
    assert (found["code"], found["claim"], report["exit_status"]) == ("LA921", "lds-race", 1)
    sarif = json.loads((folder / "sarif.txt").read_text())
    jsonschema.validate(sarif, json.loads(next(SCHEMAS.glob("sarif*.json")).read_text()))
    (result,) = sarif["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["artifactLocation"]["uri"]) == ("LA921", "turn.hip")
    suites = JUnitXml.fromfile(str(folder / "junit.txt"))
    usual = len(chosen_checks())
    assert (suites.tests, suites.failures, suites.errors) == (usual, 1, 0)
    assert (folder / "github.txt").read_text().startswith("::error file=turn.hip,line=")
    assert (folder / "markdown.txt").read_text().startswith("**layoutalg sanitize**: 1 kernel: 0 clean")


@pytest.mark.usefixtures("folder")
def test_checks_are_chosen_by_name_group_and_code():
    assert run("turn.hip", "--ignore", "lds-race")[0] == 0
    assert run("turn.hip", "--select", "memory")[0] == 0
    assert run("turn.hip", "--select", "LA92")[0] == 1
    with refused(LayoutError, "lds-rac", hint="lds-race"):
        run("turn.hip", "--select", "lds-rac")


def test_a_comment_with_a_reason_allows_it(folder):
    for line in ("    s[threadIdx.x] =", "    y[threadIdx.x] ="):
        text = (folder / "turn.hip").read_text()
        (folder / "turn.hip").write_text(
            text.replace(line, f"    // layoutalg: allow lds-race: all waves write alike\n{line}")
        )
    status, text = run("turn.hip")
    assert (status, "is allowed (all waves write alike)" in text) == (0, True)
    assert text.endswith("1 kernel: 1 clean; 1 suppressed\n")


def test_a_comment_without_a_reason_is_refused(folder):
    for line in ("    s[threadIdx.x] =", "    y[threadIdx.x] ="):
        text = (folder / "turn.hip").read_text()
        (folder / "turn.hip").write_text(text.replace(line, f"    // layoutalg: allow lds-race\n{line}"))
    with refused(LayoutError, "lds-race"):
        run("turn.hip")


def test_a_file_of_suppressions_allows_it_and_tells_what_is_not_needed(folder):
    rows = [("lds-race", "tur*", "known"), ("global-race", "*", "gone")]
    text = "\n".join(
        f'[[suppress]]\ncheck = "{check}"\nkernel = "{kernel}"\nreason = "{reason}"'
        for check, kernel, reason in rows
    )
    (folder / "allowed.toml").write_text(text)
    status, text = run("turn.hip", "--suppressions", "allowed.toml")
    assert status == 0
    assert "lds-race is allowed (known)" in text
    assert "allowed.toml:5: note" in text
    assert "global-race is allowed here (gone) and was not found" in text


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ('[[suppress]]\ncheck = "lds-race"\n', "allowed.toml:1 None"),
        ('[[suppress]]\ncheck = "race"\nreason = "r"\n', "race"),
        ('[[suppress]]\ncheck = "lds-race"\nreasn = "r"\n', "reasn reason"),
        ('[suppress]\ncheck = "lds-race"\n', "[[suppress]]"),
    ],
)
def test_suppressions_that_are_none_are_refused(folder, text, facts):
    (folder / "allowed.toml").write_text(text)
    with refused(LayoutError, *facts.split()):
        run("turn.hip", "--suppressions", "allowed.toml")


@pytest.mark.usefixtures("folder")
def test_a_baseline_keeps_known_mistakes():
    assert run("turn.hip", "--write-baseline", "known.json")[0] == 0
    status, text = run("turn.hip", "--baseline", "known.json")
    assert (status, "1 in the baseline" in text) == (0, True)


def test_a_python_file_names_its_runs(folder):
    (folder / "runs.py").write_text(
        "import numpy as np\n"
        "from layoutalg.codegen.executors import Output\n"
        "from layoutalg.codegen.sanitizer import sanitize\n"
        "def sanitize_turn():\n"
        "    x, y = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)\n"
        "    return sanitize('turn.hip', [1], x, Output(y), block=[128])\n"
    )
    assert run("runs.py")[0] == 1
    (folder / "runs.py").write_text("x = 1\n")
    with refused(LayoutError, "sanitize_..."):
        run("runs.py")


def test_one_that_cannot_be_run_does_not_lose_the_others(folder):
    (folder / "broken.launch.toml").write_text(LAUNCH.replace("turn.hip", "none.hip"))
    status, text = run("broken.launch.toml", "turn.hip")
    assert status == 2
    assert "cannot read" in text
    assert RACE.search(text)


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["other.hip"], "other.hip"),
        (["kernle"], "kernle"),
        (["turn.launch.toml", "--kernel", "none"], "none"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_run_is_refused(words, facts):
    with refused(LayoutError, *facts.split()):
        run(*words)


@pytest.mark.slow
def test_our_own_kernels_are_run_by_name():
    status, text = run("transpose", "--costs")
    assert status == 0
    assert re.search(r"bytes a lane", text)
    status, text = run("gemm", "--rung", "pipelined", "--m", "256", "--n", "128", "--k", "512", "--costs")
    assert status == 0
    assert re.search(r"main loop: matrix cores work for near memory [01]\.\d\d", text)


@pytest.mark.usefixtures("folder")
def test_assert_clean_explains_and_allows():
    x = np.arange(128, dtype=np.int32)
    with pytest.raises(AssertionError, match="LA921"):
        assert_clean("turn.hip", [1], x, Output(np.zeros(128, np.int32)), block=[128])
    output = Output(np.zeros(128, np.int32))
    assert_clean("turn.hip", [1], x, output, block=[128], allow={"lds-race": "a test"})


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_arguments_may_be_named():
    x, y = np.arange(128, dtype=np.int32), Output(np.zeros(128, np.int32))
    found = sanitize("turn.hip", [1], y=y, x=x, block=[128])
    assert [one.check.name for one in found.findings] == ["lds-race"]
    found = sanitize("turn.hip", [1], x, y=y, block=[128])
    assert [one.check.name for one in found.findings] == ["lds-race"]
    with refused(LayoutError, "z", "x", "y"):
        sanitize("turn.hip", [1], y=y, x=x, z=1, block=[128])
    with refused(LayoutError, "x"):
        sanitize("turn.hip", [1], y=y, block=[128])
    with refused(LayoutError, "2", "3"):
        sanitize("turn.hip", [1], x, x, y=y, block=[128])


@pytest.mark.usefixtures("folder")
def test_arguments_of_a_launch_file_may_have_any_name():
    Path("named.hip").write_text("""#include <hip/hip_runtime.h>
extern "C" __global__ void named(int* grid, int name, int target, int select) {
    grid[threadIdx.x] = name + target + select;
}
""")
    numbers = "".join(
        f'[[arguments]]\nname = "{name}"\ntype = "i32"\nvalue = 1\n' for name in ("select", "name", "target")
    )
    array = '[[arguments]]\nname = "grid"\ntype = "i32"\nshape = [64]\nis_output = true\n'
    Path("named.launch.toml").write_text(f"grid = [1]\nblock = [64]\n{numbers}{array}")
    status, text = run("named.hip")
    assert (status, "1 kernel: 1 clean" in text) == (0, True)


@pytest.mark.slow
def test_pytest_collects_launch_files(folder):
    status, text = run_pytest(folder)
    assert status == 1
    assert "turn is not clean" in text
    (folder / "turn.hip").write_text(MENDED)
    status, text = run_pytest(folder)
    assert (status, "1 passed" in text) == (0, True)
    assert run_pytest(folder, "--no-launches")[0] == 5


def test_codes_and_names_of_checks_are_told_apart():
    assert len({check.code for check in CHECKS}) == len({check.name for check in CHECKS}) == len(CHECKS)
    assert chosen_checks(["all"]) == CHECKS
