"""The demo tells the truth: what it prints is in its files, and its files say how to run it again."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from layoutalg.codegen.compile.code_object import read_code_object
from layoutalg.codegen.executors.run_file import run_schema


def layoutalg(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "layoutalg", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment or None,
    )


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    done = layoutalg("demo", "--out", str(folder))
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.mark.slow
def test_the_summary_has_the_blog_s_numbers(demo):
    _, out = demo
    assert "offset 8578, hidden index (8578, 67, 2, 1, 3, 2)" in out
    assert "(4, 64, 128) -> merge -> (4, 8192): offset 8192*i0 + i1" in out
    assert "K*(M2*i0 + i1) + i2" in out
    assert "2560 x 32, 80x1 workgroups: equal to NumPy's transpose" in out
    assert "refuted" not in out
    assert "unknown" not in out
    assert "\x1b" not in out


@pytest.mark.slow
def test_the_run_file_fits_its_schema_and_names_what_is_there(demo):
    folder, _ = demo
    run = json.loads((folder / "run.json").read_text())
    jsonschema.Draft202012Validator.check_schema(run_schema())
    jsonschema.validate(run, run_schema())
    assert run["grid"] == [80, 1, 1]
    assert run["block"] == [8, 8, 1]
    assert [argument["name"] for argument in run["arguments"]] == ["in", "out", "M", "K"]
    (kernel,) = read_code_object((folder / run["code_object"]).read_bytes())
    assert (kernel.name, kernel.target) == (run["kernel"], run["target"])
    arrays = {}
    for argument in run["arguments"][:2]:
        for moment in ("initial", "expected"):
            if moment in argument:
                place = argument[moment]
                with np.load(folder / place["file"]) as stored:
                    arrays[argument["name"], moment] = stored[place["array"]]
                assert list(arrays[argument["name"], moment].shape) == argument["shape"]
    assert np.array_equal(arrays["out", "expected"], arrays["in", "initial"].T)
    assert set(np.unique(arrays["in", "initial"])) == set(range(-5, 6))


@pytest.mark.slow
def test_a_run_file_that_lacks_something_does_not_fit(demo):
    folder, _ = demo
    run = json.loads((folder / "run.json").read_text())
    for key in ("target", "kernel", "grid", "arguments"):
        broken = {k: v for k, v in run.items() if k != key}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, run_schema())
    del run["arguments"][1]["expected"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(run, run_schema())


@pytest.mark.slow
def test_everything_promised_is_written(demo):
    folder, out = demo
    for name in (
        "descriptor.svg",
        "closed_forms.json",
        "report.json",
        "run.json",
        "initial.npz",
        "expected.npz",
    ):
        assert (folder / name).stat().st_size > 0
        assert name in out
    for target in ("gfx90a", "gfx942", "gfx950"):
        assert (
            f'.amdgcn_target "amdgcn-amd-amdhsa--{target}'
            in (folder / f"transpose_f32_32x32.{target}.s").read_text()
        )
    certificates = [json.loads(path.read_text()) for path in folder.glob("certificates/*/*.json")]
    assert len(certificates) == 20
    assert {certificate["verdict"] for certificate in certificates} == {"proved"}
    report = json.loads((folder / "report.json").read_text())
    assert all(needs["spills"] == 0 for needs in report["code_objects"].values())
    assert [run["equal"] for run in report["runs"]] == [True, True]
    assert not list(folder.rglob(".*"))


@pytest.mark.slow
def test_the_pictures_are_whole_and_self_contained(demo):
    folder, _ = demo
    for path in folder.glob("*.svg"):
        text = path.read_text()
        root = ET.fromstring(text)
        assert root.tag.endswith("svg")
        assert "prefers-color-scheme: dark" in text
        assert "http" not in text.replace("http://www.w3.org/", "")
    assert "id 0 = 8578<" in (folder / "descriptor.svg").read_text()


def test_doctor_says_what_is_there():
    done = layoutalg("doctor")
    assert done.returncode == 0
    assert "found    ziglang" in done.stdout or "found    rocm" in done.stdout
    for name in ("AMD GPU", "NVIDIA GPU", "hip-python", "PyTorch", "cvc5"):
        assert name in done.stdout


@pytest.mark.slow
def test_without_a_compiler_there_is_one_clear_error(tmp_path):
    """A compiler cannot be found when its wheel is hidden and ROCm's root is empty."""
    script = tmp_path / "sitecustomize.py"
    script.write_text(
        "import importlib.util as u\nreal = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'ziglang' else real(name, *a)\n"
    )
    root = str(Path(__file__).parents[3])
    environment = {"PYTHONPATH": f"{tmp_path}:{root}", "ROCM_PATH": str(tmp_path), "PATH": "/nonexistent"}
    done = layoutalg("demo", "--out", str(tmp_path / "out"), **environment)
    assert done.returncode == 2
    hint = done.stderr.splitlines()[-1]
    assert hint.startswith("hint: pip install ziglang==")
    assert "no compiler for AMD GPUs" in done.stderr
    assert "Traceback" not in done.stderr
    missing = layoutalg("doctor", **environment)
    assert "missing  compiler" in missing.stdout
    assert hint.removeprefix("hint: ") in missing.stdout


@pytest.mark.slow
@pytest.mark.sample(6)
@pytest.mark.parametrize("arguments", [("demo", "--target", "gfx900"), ("absent",), ("demo", "--speed", "3")])
def test_wrong_usage_ends_with_status_two(arguments, tmp_path):
    done = layoutalg(*arguments, *(("--out", str(tmp_path)) if arguments[0] == "demo" else ()))
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr
