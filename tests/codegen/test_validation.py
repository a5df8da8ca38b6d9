"""The validation report: the same stages on the CPU and on GPUs, and no kernel stops the others."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.executors import CpuExecutor
from layoutalg.codegen.kernels.gemm import RUNGS
from layoutalg.codegen.kernels.kernel_family import KernelFamily
from layoutalg.codegen.matrix import kernel_matrix, validation
from layoutalg.codegen.matrix import report_entry as entries
from layoutalg.codegen.matrix.isolation import isolated_entries
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES, Choice, choices
from layoutalg.codegen.matrix.report_entry import EntrySettings, report_entry
from layoutalg.codegen.matrix.torch_baseline import Baseline
from layoutalg.codegen.matrix.validation import matrix, validate, validation_schema, validation_text
from layoutalg.proofs import prove
from tests.codegen.small_kernel import FACTOR, TEXT, small_kernel, spilling_text
from tests.refusals import refused

WRONG = TEXT.replace("factor * in[i]", "factor * in[i] + 1")
KERNELS: dict[str, tuple[Any, str, str | None, str]] = {  # a variant; what becomes of it, and where
    "good": (small_kernel, "passed", None, ""),
    "refuted": (lambda: small_kernel(edge=1), "failed", "proof", "i=63"),
    "no code": (
        lambda: small_kernel(TEXT.replace("int i", "int j")),
        "failed",
        "compilation",
        "'i'",
    ),
    "spills": (lambda: small_kernel(spilling_text()), "failed", "compilation", "spills"),
    "faulty": (
        lambda: small_kernel(TEXT.replace("in[i]", "in[i + 1]")),
        "failed",
        "execution",
        "512",
    ),
    "wrong": (lambda: small_kernel(WRONG), "failed", "agreement", "128 of 128 elements of out"),
    "no kernel": (lambda: 1 // 0, "failed", "build", "ZeroDivisionError"),
}


@pytest.fixture
def small(monkeypatch):
    """A matrix of one family: the small kernel whole and broken, a size of its own, one that is not there."""

    def configure(choice):
        if choice.options["variant"] == "absent":
            raise LayoutError("there is no such kernel")
        return choice.options["variant"]

    family = KernelFamily(
        name="small",
        configure=configure,
        build=lambda variant: KERNELS[variant][0](),
        small_sizes=lambda _: {"N": 128},
        elements=("f32",),
        options=(),
        variants=tuple({"variant": name} for name in (*KERNELS, "absent")),
        default_sizes={"N": 256, "factor": FACTOR},
        operations=lambda _, sizes: sizes["N"],
        is_portable=True,
    )
    monkeypatch.setattr(kernel_matrix, "FAMILIES", {"small": family})
    return family


def chosen(variant):
    return Choice("small", "gfx942", "f32", {"variant": variant})


@pytest.mark.parametrize("variant", KERNELS)
@pytest.mark.usefixtures("small")
def test_each_stage_catches_what_is_its_own(variant):
    entry = report_entry(chosen(variant), EntrySettings(CpuExecutor(), prove))
    _, status, stage, message = KERNELS[variant]
    assert (entry["status"], entry.get("failed_at")) == (status, stage)
    if message:
        assert message in entry["message"]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_one_failing_kernel_does_not_stop_the_others():
    told: list[dict[str, Any]] = []
    report = validate(list(choices("gfx942")), "cpu", prove, told=told.append)
    jsonschema.Draft202012Validator.check_schema(validation_schema())
    jsonschema.validate(json.loads(json.dumps(report)), validation_schema())
    assert report["counts"] == {"passed": 1, "failed": 6, "left out": 1}
    assert told == report["kernels"]
    text = validation_text(report)
    assert "1 passed, 6 failed, 1 left out" in text
    assert "| small f32 variant=good on gfx942 | passed | 1 proved |" in text
    assert "| small f32 variant=refuted on gfx942 | failed | 0 proved, 1 not |" in text
    assert "- small f32 variant=faulty on gfx942: execution: line" in text
    assert "- small f32 variant=absent on gfx942: there is no such kernel" in text
    assert "says nothing about speed" in text


@pytest.mark.usefixtures("small")
def test_devices_with_time_report_rates_and_what_stands_beside(monkeypatch):
    """The CPU's machine in the place of a GPU that takes a millisecond."""

    class Timed(CpuExecutor):
        def run(self, task):
            return replace(super().run(task), seconds=1e-3)

    monkeypatch.setattr(entries, "torch_baseline", lambda *_: Baseline("PyTorch matmul", 2e-3))
    settings = EntrySettings(Timed(), prove, (("random", True),), has_time=True)
    entry = report_entry(chosen("good"), settings)
    (run,) = entry["runs"]
    assert (run["seconds"], run["sizes"]) == (1e-3, {"N": 256, "factor": FACTOR})
    assert run["gigabytes_per_second"] == round(2 * 256 * 4 / 1e-3 / 1e9, 1)
    assert run["beside"]["name"] == "PyTorch matmul"
    assert run["beside"]["seconds"] == 2e-3
    report = validate([], "cpu", prove) | {"kernels": [entry]}
    jsonschema.validate(report, validation_schema())
    assert "| small f32 variant=good on gfx942 | N=256, factor=1.5 | 1000.0 |" in validation_text(report)


@pytest.mark.usefixtures("small")
def test_outputs_that_are_not_numbers_are_wrong_and_fit_the_schema(monkeypatch):
    spoiled = small_kernel(TEXT.replace("factor * in[i]", '__builtin_nanf("")'))
    monkeypatch.setitem(KERNELS, "wrong", (lambda: spoiled, "failed", "agreement", ""))
    report = validate([chosen("wrong")], "cpu", prove)
    jsonschema.validate(json.loads(json.dumps(report, allow_nan=False)), validation_schema())
    (entry,) = report["kernels"]
    assert entry["runs"][0]["agreement"]["out"]["largest_error"] is None
    assert "not a number" in validation_text(report)


def test_code_for_other_gpus_is_compiled_only():
    report = validate([Choice("transpose", "gfx1100", "f32")], "cpu", prove)
    (entry,) = report["kernels"]
    assert entry["status"] == "passed"
    assert "runs" not in entry
    assert "not run" in validation_text(report)


@pytest.mark.sample(5)
@pytest.mark.parametrize("variant", FAMILIES["parts_sum"].variants)
def test_the_sum_of_parts_is_validated_by_itself(variant):
    report = validate([Choice("parts_sum", "gfx942", "f16", variant)], "cpu", prove)
    assert report["counts"]["passed"] == 1
    assert len(report["kernels"][0]["runs"]) == 2


@pytest.mark.slow
def test_a_fault_that_ends_the_process_is_one_failed_kernel(tmp_path, monkeypatch):
    """A prover stands for the driver: it takes the process with it. The next kernel gets a new one."""
    (tmp_path / "ending_prover.py").write_text("import os\n\n\ndef end(claim):\n    os._exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    ending_prover = importlib.import_module("ending_prover")

    pair = [Choice("transpose", "gfx942", "f32"), Choice("transpose", "gfx942", "f16")]
    ended = list(isolated_entries(pair, "cpu", ending_prover.end, (("integers", False),), 0))
    assert [entry["failed_at"] for entry in ended] == ["execution", "execution"]
    assert "the process ended" in ended[0]["message"]
    whole = list(isolated_entries(pair[:1], "cpu", prove, (("integers", False),), 0))
    assert [entry["status"] for entry in whole] == ["passed"]


def test_the_quick_matrix_has_every_type_and_every_rung():
    quick = [c for target in ("gfx90a", "gfx942", "gfx950") for c in choices(target, is_quick=True)]
    types = {(c.family, c.element) for c in quick if not c.refusal}
    assert types == {(family.name, element) for family in FAMILIES.values() for element in family.elements}
    rungs = {c.options["rung"] for c in choices("gfx942", is_quick=True) if c.family == "gemm"}
    assert rungs == set(RUNGS)  # there are more types
    whole = list(choices("gfx942"))
    assert {c.options["rung"] for c in whole if c.family == "gemm"} >= {"naive", "xor", "double"}
    why = (
        "do not go together",
        "takes no block scales",
        "instruction for f4x2",
        "instruction for f6_word",
        "instruction for bf6_word",
        "share words along K",
        "wanted a K of the tile",
        "32x32 matrix instruction for f64",
    )
    assert all(any(words in c.refusal for words in why) for c in whole if c.refusal)


def test_the_matrix_is_that_of_the_executor():
    assert {c.target for c in matrix("cpu", [], is_quick=True)} == {"gfx90a", "gfx942", "gfx950"}
    assert {c.target for c in matrix("hip", ["gfx90a"], is_quick=True)} == {"gfx90a"}
    portable = {name for name, family in FAMILIES.items() if family.is_portable}
    assert {c.family for c in matrix("cuda", [], is_quick=False)} == portable
    assert "gemm" not in portable


@pytest.mark.parametrize(
    ("choice", "facts"),
    [
        (Choice("fft", "gfx942", "f32"), "'fft'"),
        (Choice("gemm", "gfx942", "f128"), "gemm f16"),
        (Choice("gemm", "gfx900", "f16"), "gfx908"),
        (Choice("gemm", "gfx90a", "f8"), "gfx90a"),
        (Choice("gemm", "gfx942", "f16", {"tile": (256, 128, 36)}), "8 36"),
    ],
)
def test_what_is_not_shipped_is_refused(choice, facts):
    with refused(LayoutError, *facts.split()):
        choice.kernel()


PARTS = 19  # of the matrix of a target


@pytest.mark.parametrize(
    ("first", "step"),
    [
        pytest.param(0, 240, marks=pytest.mark.slow),
        *(pytest.param(first, PARTS, marks=pytest.mark.long) for first in range(PARTS)),
    ],
)
@pytest.mark.parametrize("target", validation.EXECUTED_ON_CPU)
def test_the_matrix_passes_as_a_sample_and_whole(target, first, step):
    kernels = matrix("cpu", [target], is_quick=False)[first::step]
    report = validate(kernels, "cpu", prove)
    passed = [entry for entry in report["kernels"] if entry["status"] == "passed"]
    assert len(passed) == sum(not kernel.refusal for kernel in kernels), validation_text(report)
    assert all(len(entry["runs"]) == 2 for entry in passed)
