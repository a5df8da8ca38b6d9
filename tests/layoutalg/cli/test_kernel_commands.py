"""``layoutalg kernel``, ``compile``, ``run`` and ``validate`` as they are typed."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.compile.code_object import read_code_object
from layoutalg.codegen.matrix import kernel_matrix
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.matrix.validation import validation_schema
from layoutalg.errors import LayoutError, ToolError
from layoutalg.extras import install_command
from tests.codegen.small_kernel import FACTOR, TEXT, small_kernel, spilling_text
from tests.refusals import refused

RUNNER = CliRunner()


def invoked(*arguments, code=0, text=None):
    found = RUNNER.invoke(app, list(map(str, arguments)), catch_exceptions=False, input=text)
    assert found.exit_code == code, found.output
    return found


def printed(*arguments, code=0, text=None):
    return invoked(*arguments, code=code, text=text).stdout


@pytest.fixture
def scale(monkeypatch):
    """The small kernel in the place of the transpose; what is given replaces it by a broken one."""

    def put(kernel):
        family = replace(
            kernel_matrix.FAMILIES["transpose"],
            build=lambda _: kernel,
            default_sizes={"N": 128, "factor": FACTOR},
            small_sizes=lambda _: {"N": 128, "factor": FACTOR},
        )
        monkeypatch.setattr(kernel_matrix, "FAMILIES", {"transpose": family})

    return put


@pytest.mark.slow
def test_a_kernel_is_printed_and_compiles():
    text = printed("kernel", "gemm", "--rung", "xor", "--type", "bf16")
    assert text == Choice("gemm", "gfx942", "bf16", {"rung": "xor"}).kernel().text
    table = printed("compile", "-", text=text).splitlines()
    assert table[0].split()[:6] == ["kernel", "target", "compiler", "VGPRs", "AGPRs", "SGPRs"]
    assert table[1].split()[1] == "gfx942"


@pytest.mark.slow
def test_each_claim_is_explained(tmp_path):
    text = printed("kernel", "gemm", "--rung", "xor", "--explain", "-o", tmp_path / "g.hip")
    kernel = Choice("gemm", "gfx942", "f16", {"rung": "xor"}).kernel()
    lines = text.splitlines()
    assert lines[0] == f"{kernel.name} for gfx942"
    assert lines[1].split() == ["claim", "subject", "verdict", "decided", "by", "ms"]
    assert len(lines) == 3 + len(kernel.claims)
    assert all(" proved " in line for line in lines[2:-1])
    assert any(line.startswith("conflict-free") and "exhaustion" in line for line in lines)
    assert lines[-1].startswith(f"{len(kernel.claims)} of {len(kernel.claims)} claims proved in ")
    assert (tmp_path / "g.hip").read_text() == kernel.text


@pytest.mark.slow
def test_several_targets_are_several_files(tmp_path):
    found = invoked(
        "kernel", "gemm", "--rung", "naive", "--target", "gfx90a;gfx942,gfx1100", "-o", tmp_path / "g.hip"
    )
    names = {"g.gfx90a.hip", "g.gfx942.hip", "g.gfx1100.hip"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert found.stdout == ""
    assert found.stderr.count("for M = 3328, N = 4096, K = 4096 launch with grid (") == len(names)
    assert "wmma" in (tmp_path / "g.gfx1100.hip").read_text()


def test_a_kernel_of_fixed_sizes_is_launched_for_none(tmp_path):
    found = invoked("kernel", "copy", "--lengths", "64", "-o", tmp_path / "c.hip")
    assert " claims proved; launch with grid (1)" in found.stderr


@pytest.mark.slow
def test_options_reach_the_configuration(tmp_path):
    path = tmp_path / "g.hip"
    arguments = ["--tile", "128x128x32", "--waves", "2x2", "--lds", "padded", "--order", "double"]
    printed("kernel", "gemm", *arguments, "--layouts", "rrr", "--instruction", "16x16", "-o", path)
    fields = {"tile": (128, 128, 32), "waves": (2, 2), "lds": "padded", "order": "double"}
    fields |= {"layouts": "rrr", "instruction": (16, 16)}
    assert path.read_text() == Choice("gemm", "gfx942", "f16", fields).kernel().text


@pytest.mark.parametrize("explain", [True, False])
def test_a_claim_that_is_refuted_stops_the_kernel(scale, tmp_path, explain):
    scale(small_kernel(edge=1))
    path = tmp_path / "t.hip"
    found = invoked("kernel", "transpose", "-o", path, *(["--explain"] if explain else []), code=1)
    assert not path.exists()
    assert "scale: in bounds (in) is refuted at i=63: i + 1 < 64 is false: 64 < 64" in found.stderr
    assert ("0 of 1 claims proved" in found.stdout) == explain


@pytest.mark.parametrize("text", [TEXT.replace("factor * in[i]", "factor * in"), spilling_text()])
def test_a_kernel_that_does_not_compile_is_not_written(scale, tmp_path, text):
    scale(small_kernel(text))
    path = tmp_path / "t.hip"
    with pytest.raises(ToolError):
        printed("kernel", "transpose", "-o", path)
    assert not path.exists()


def test_a_claim_that_is_unknown_stops_it_too(scale, tmp_path, monkeypatch):
    from layoutalg.cli import claims_table  # noqa: PLC0415
    from layoutalg.verdict import Unknown  # noqa: PLC0415

    scale(small_kernel())
    monkeypatch.setattr(claims_table, "prove", lambda _: Unknown("nobody could tell"))
    found = invoked("kernel", "transpose", "-o", tmp_path / "t.hip", code=1)
    assert "is unknown: nobody could tell" in found.stderr
    assert not list(tmp_path.iterdir())
    assert "unknown" in invoked("run", "transpose", code=1).stderr


def test_one_broken_target_stops_all(scale, tmp_path):
    scale(small_kernel(edge=1))
    invoked("kernel", "transpose", "--target", "gfx90a;gfx942", "-o", tmp_path / "t.hip", code=1)
    assert not list(tmp_path.iterdir())


MISUSE = {
    "an unknown kernel": (("kernel", "fft"), "'fft'"),
    "an unknown type": (("kernel", "transpose", "--type", "f31"), "transpose f32"),
    "an unknown target": (("kernel", "gemm", "--target", "gfx900"), "gfx908"),
    "no target": (("compile", "-", "--target", ";"), ""),
    "several targets without files": (("kernel", "gemm", "--target", "gfx90a;gfx942"), ""),
    "a size that is no multiple": (
        ("kernel", "gemm", "--rung", "naive", "--n", "100"),
        "N 100 128",
    ),
    "a size that no plan takes": (
        ("kernel", "gemm", "--n", "101", "--size-multiples", "1x4x8"),
        "N 4 101",
    ),
    "a size it has not": (("kernel", "transpose", "--n", "128"), "--n 128"),
    "an option it has not": (
        ("kernel", "transpose", "--rung", "xor"),
        "--rung",
    ),
    "a tile of two": (("kernel", "gemm", "--tile", "256x128"), "--tile 256x128 MxNxK"),
    "a tile of words": (("run", "gemm", "--tile", "large"), "--tile large MxNxK"),
    "a length of 0": (
        ("kernel", "copy", "--lengths", "0x5"),
        "--lengths 0x5 1 5 2147483647 64x100x256",
    ),
    "six lengths": (("kernel", "permute", "--lengths", "2x2x2x2x2x2"), "1 5"),
    "a length that no int holds": (("kernel", "copy", "--lengths", f"{10**20}x5"), "1 5"),
    "a stride of 0": (
        ("kernel", "image_to_column", "--strides", "0x1"),
        "--strides 0x1 1 3 2147483647 1x1",
    ),
    "too few pads": (("kernel", "copy", "--pads", "1"), "2 200x136 1"),
    "too many pads": (("kernel", "copy", "--pads", "1x1x1"), "2 200x136 3"),
    "too many elements": (
        ("kernel", "blockwise_copy", "--lengths", "65536x65536"),
        "2147483648",
    ),
    "no count": (("run", "gemm", "--split-k", "0"), "--split-k 0"),
    "a factor it has not": (("run", "gemm", "--alpha", "2"), "--alpha 2.0"),
    "a flag it has not": (("run", "transpose", "--tails"), "--tails"),
    "an unknown rung": (("run", "gemm", "--rung", "best"), ""),
    "an unknown executor": (
        ("run", "gemm", "--on", "tpu"),
        "'tpu'",
    ),
    "unknown inputs": (("run", "transpose", "--inputs", "ones"), ""),
    "a sample on a GPU": (
        ("run", "transpose", "--on", "cuda", "--workgroups", "2", "--target", "gfx942"),
        "",
    ),
    "no source": (("compile", "absent.hip"), "absent.hip"),
    "no such run": (("run", "absent/run.json"), "absent/run.json"),
    "validation of nothing": (("validate", "--on", "tpu"), ""),
}


PLANNED = {"a size that no plan takes", "a factor it has not"}  # told after the kernel is planned


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in PLANNED else ()) for name in MISUSE]
)
def test_misuse_is_told(name):
    arguments, facts = MISUSE[name]
    with refused((LayoutError, ToolError), *facts.split()):
        printed(*arguments)


def test_code_objects_and_assembly_are_kept(tmp_path):
    path = tmp_path / "scale.hip"
    path.write_text(TEXT)
    text = printed("compile", path, "--target", "gfx90a;gfx1201", "--asm", "-o", tmp_path / "built")
    names = {f"scale.{target}.{suffix}" for target in ("gfx90a", "gfx1201") for suffix in ("co", "s")}
    assert {found.name for found in (tmp_path / "built").iterdir()} == names
    (kernel,) = read_code_object((tmp_path / "built" / "scale.gfx90a.co").read_bytes())
    row = text.splitlines()[1].split()
    needs = [kernel.vgprs, kernel.agprs, kernel.sgprs, kernel.spills, kernel.lds_bytes, kernel.scratch_bytes]
    assert row[:2] == ["scale", "gfx90a"]
    assert row[3:9] == list(map(str, needs))
    assert row[9:11] == ["8", "32"]
    assembly = invoked("compile", path, "--asm")
    assert assembly.stdout.lstrip().startswith(".amdgcn_target")
    assert "VGPRs" in assembly.stderr


def test_a_source_finds_what_lies_beside_it(tmp_path):
    (tmp_path / "factor.h").write_text("#define FACTOR 2\n")
    path = tmp_path / "scale.hip"
    path.write_text('#include "factor.h"\n' + TEXT.replace("factor *", "FACTOR *"))
    assert "gfx942" in printed("compile", path, "--target", "gfx942")


def test_sources_with_several_kernels_are_listed(tmp_path):
    path = tmp_path / "two.hip"
    path.write_text(TEXT + TEXT.split("\n\n", 1)[1].replace("scale(", "other("))
    assert [line.split()[0] for line in printed("compile", path).splitlines()] == ["kernel", "scale", "other"]


@pytest.mark.slow
def test_spills_fail_unless_allowed():
    text = spilling_text()
    found = invoked("compile", "-", text=text, code=1)
    assert "scale spills " in found.stderr
    assert int(found.stdout.splitlines()[1].split()[6]) > 0
    assert "spills" not in invoked("compile", "-", "--allow-spills", text=text).stderr


def test_source_in_error_names_file_and_target():
    with pytest.raises(ToolError, match="gfx942"):
        printed("compile", "-", text="this is no C")
    too_much = "__shared__ float h[20000]; h[i] = N; __syncthreads()"
    with pytest.raises(ToolError):
        printed("compile", "-", text=TEXT.replace("out[i] =", f"{too_much}; out[i] = h[N] +"))


@pytest.mark.slow
def test_a_run_is_checked_saved_and_repeated(tmp_path):
    arguments = [
        "--rung",
        "double",
        "--type",
        "f8",
        "--m",
        "256",
        "--n",
        "256",
        "--k",
        "128",
        "--inputs",
        "random",
    ]
    first = printed("run", "gemm", *arguments, "--seed", "7", "--save", tmp_path)
    assert "c              65536 elements compared: agree;" in first
    assert "that is not device time" in first
    assert "write conflict cycles 0, reads" in first
    again = printed("run", tmp_path / "run.json")
    assert "c              65536 elements compared: agree;" in again
    counted = ("registers", "waves", "instructions", "LDS", "global memory", "matrix cores")
    one, other = ([x for x in text.splitlines() if x.startswith(counted)] for text in (first, again))
    assert one == other
    assert len(one) == len(counted)
    sample = printed("run", tmp_path, "--workgroups", "1")
    assert "2x1x1 workgroups of 256, 1 of them run" in sample
    with refused(LayoutError, "--m"):
        printed("run", tmp_path, "--m", "256")


def test_a_saved_run_that_no_longer_agrees_fails(tmp_path):
    printed("run", "transpose", "--m", "64", "--k", "64", "--save", tmp_path)
    with np.load(tmp_path / "expected.npz") as stored:
        spoiled = stored["out"].copy()
    spoiled[1, 2] += 1
    np.savez(tmp_path / "expected.npz", out=spoiled)
    assert "1 are WRONG" in printed("run", tmp_path, code=1)


def test_a_run_without_check_compares_nothing():
    text = printed("run", "transpose", "--m", "64", "--k", "64")
    assert "not compared (--check does)" in text
    assert "compared:" not in text


def test_wrong_and_faulty_kernels_end_with_status_one(scale, tmp_path):
    scale(small_kernel(TEXT.replace("in[i]", "in[i ^ 1]")))
    assert "are WRONG" in printed("run", "transpose", "--check", code=1)
    scale(small_kernel(TEXT.replace("in[i]", "in[i + 64]")))
    found = invoked("run", "transpose", "--save", tmp_path, code=1)
    assert "the kernel is faulty: line" in found.stderr
    assert (tmp_path / "run.json").exists()
    assert "the kernel is faulty" in invoked("run", tmp_path, code=1).stderr


@pytest.mark.slow
def test_factors_tails_and_parts_of_k_are_options(tmp_path):
    sizes = ["--m", "260", "--n", "132", "--k", "40"]
    arguments = ["--rung", "xor", "--tails", "--scale", "--alpha", "2", "--beta", "0.25"]
    text = printed("run", "gemm", *arguments, *sizes, "--save", tmp_path)
    assert "34320 elements compared: agree" in text
    assert "alpha = 2.0, beta = 0.25" in text
    assert "34320 elements compared: agree" in printed("run", tmp_path)
    parts = ["--type", "i8", "--split-k", "2", "--m", "256", "--n", "128", "--k", "128"]
    text = printed("run", "gemm", *parts, "--check")
    assert "2x4x2 workgroups" in text
    assert "65536 elements compared: agree" in text


def test_proofs_come_before_a_run_unless_told(scale):
    scale(small_kernel(edge=1))
    assert "is refuted at i=63" in invoked("run", "transpose", "--check", code=1).stderr
    assert "agree" in printed("run", "transpose", "--check", "--unproved")


@pytest.mark.slow
def test_large_runs_are_sampled(monkeypatch):
    from layoutalg.cli import run  # noqa: PLC0415

    monkeypatch.setattr(run, "MOST_OPERATIONS", 1000)
    asked = "run gemm --rung xor --tile 64x64x32 --m 1024 --n 512 --k 64 --check"
    text = printed(*asked.split())
    assert "sampled on the CPU: 4 workgroups" in text
    assert "8x16 workgroups of 256, 4 of them run" in text
    assert "16384 elements compared: agree" in text


@pytest.mark.slow
def test_validation_reports_and_fails_as_a_whole(scale, tmp_path):
    scale(small_kernel())
    text = printed("validate", "--target", "gfx942;gfx1100", "--report", tmp_path)
    assert "8 passed, 0 failed, 0 left out" in text
    report = json.loads((tmp_path / "validation.json").read_text())
    jsonschema.validate(report, validation_schema())
    assert "| transpose f16 on gfx942 | passed |" in (tmp_path / "validation.md").read_text()
    scale(small_kernel(edge=1))
    failed = printed("validate", "--quick", "--target", "gfx942", code=1)
    assert "failed at proof  transpose f32 on gfx942" in failed
    assert "0 passed, 2 failed, 0 left out" in failed


@pytest.mark.long
def test_a_quick_validation_of_one_target_passes(tmp_path):
    text = printed("validate", "--quick", "--target", "gfx90a", "--report", tmp_path)
    assert ", 0 failed, " in text
    report = json.loads((tmp_path / "validation.json").read_text())
    jsonschema.validate(report, validation_schema())
    assert report["counts"]["passed"] >= 7
    assert all(e["resources"]["spills"] == 0 for e in report["kernels"] if e["status"] == "passed")


@pytest.mark.parametrize("on", ["hip", "cuda"])
def test_a_missing_gpu_is_one_clear_error(on):
    for command in (("run", "transpose"), ("validate",)):
        with pytest.raises(ToolError) as caught:
            printed(*command, "--on", on)
        assert install_command(on) in caught.value.hint
