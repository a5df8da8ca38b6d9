"""What is saved of a run is enough to repeat it, on any executor, without the kernel's builder."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, cast

import jsonschema
import numpy as np
import pytest
import sympy

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.executors.run_file import run_schema, save_launch
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError, Result, ScalarArgument
from layoutalg.codegen.kernels.transpose import permute
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.data_type import DATA_TYPES
from layoutalg.machine import Target
from tests.codegen.small_kernel import FACTOR, N, small_kernel
from tests.refusals import refused

CASES = [("f16", "integers"), ("bf16", "random"), ("f8", "random"), ("f64", "random")]
REST = [("f16", "random"), ("bf8", "random"), ("i8", "random"), ("f32", "random")]


def task_of(kernel, sizes, style="integers"):
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    return Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, style, seed=2))


def written(task, folder):
    return save_launch(folder, task, task.kernel.reference(task.given))


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("element", "style"), [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in REST)]
)
def test_a_gemm_read_back_gives_the_same_bits(element, style, tmp_path):
    choice = Choice("gemm", "gfx942", element, {"rung": "prefetch"})
    task = task_of(choice.kernel(), choice.small_sizes(), style)
    path = written(task, tmp_path)
    content = json.loads(path.read_text())
    jsonschema.validate(content, run_schema())
    again = read_run(path)
    first, second = CpuExecutor().run(task), CpuExecutor().run(again)
    assert first.outputs["c"].tobytes() == second.outputs["c"].tobytes()
    assert first.counters == second.counters
    assert compare_outputs(task, first.outputs)["c"].is_good
    assert compare_outputs(again, second.outputs)["c"].is_good
    spoiled = second.outputs["c"].copy()
    spoiled[3, 5] = spoiled[3, 5] ^ 0x40 if spoiled.dtype.kind == "u" else spoiled[3, 5] + 64
    assert compare_outputs(again, {"c": spoiled})["c"].wrong == 1


def test_a_factor_is_saved_as_a_number(tmp_path):
    task = task_of(small_kernel(), {"N": 128, "factor": FACTOR})
    path = written(task, tmp_path)
    content = json.loads(path.read_text())
    jsonschema.validate(content, run_schema())
    assert content["arguments"][3] == {"name": "factor", "kind": "scalar", "type": "f32", "value": FACTOR}
    again = read_run(tmp_path)
    assert compare_outputs(again, CpuExecutor([1]).run(again).outputs)["out"].wrong == np.count_nonzero(
        task.inputs["in"][:64]
    )
    assert compare_outputs(again, CpuExecutor().run(again).outputs)["out"].is_good


def test_the_schema_wants_whole_numbers_for_sizes(tmp_path):
    content = json.loads(written(task_of(small_kernel(), {"N": 64, "factor": 2.0}), tmp_path).read_text())
    content["arguments"][2]["value"] = 1.5
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, run_schema())


def test_every_fact_of_an_argument_is_kept(tmp_path):
    kernel, scalars = small_kernel(), [ScalarArgument(f"x_{kind}", kind) for kind in ("f16", "f32", "f64")]
    source, target, *sizes = cast("tuple[Any, ...]", kernel.arguments)
    apart = {"lengths": (1, 1, N), "leading": N + 8, "batch_stride": 2 * N, "begins_anywhere": True}
    arrays = (replace(source, **apart), replace(target, lengths=(1, 1, N), is_added_to=True))
    kept = {field.name for field in fields(ArrayArgument) if getattr(source, field.name) != field.default}
    changed = {
        field.name
        for field in fields(ArrayArgument)
        if any(getattr(one, field.name) != field.default for one in arrays)
    }
    assert kept | changed == {field.name for field in fields(ArrayArgument)}
    values = {"N": 64, "factor": 2.0, **{scalar.name: 0.1 for scalar in scalars}}
    task = task_of(replace(kernel, arguments=(*arrays, *sizes, *scalars)), values)
    path = written(task, tmp_path)
    again = read_run(path)
    for before, after in zip(task.kernel.arguments, again.kernel.arguments, strict=True):
        assert type(before) is type(after)
        for field in fields(before):
            assert getattr(after, field.name) == at_64(getattr(before, field.name)), field.name
    assert again.sizes == values
    content = json.loads(path.read_text())
    for fact in ("begins_anywhere", "is_added_to"):  # older files have no such key
        assert [entry.pop(fact, False) for entry in content["arguments"][:2]].count(True) == 1
    path.write_text(json.dumps(content))
    older = read_run(path)
    assert not any(one.begins_anywhere or one.is_added_to for one in older.arrays)


def at_64(value):
    """A fact of an argument where N is 64."""
    if isinstance(value, tuple):
        return tuple(map(at_64, value))
    return value.subs(N, 64) if isinstance(value, sympy.Expr) else value


def test_a_run_whose_vectors_begin_anywhere_is_repeated(tmp_path):
    kernel = permute((3, 11, 65), (2, 0, 1), "f16")
    task = task_of(kernel, {})
    assert any(argument.begins_anywhere for argument in task.arrays)
    written(task, tmp_path)
    again = read_run(tmp_path)
    assert compare_outputs(again, CpuExecutor().run(again).outputs)["out"].is_good


@pytest.mark.slow
def test_a_run_whose_shared_memory_is_read_in_unaligned_pairs_is_repeated(tmp_path):
    """clang reads elements of a vector's part together, where shared memory is aligned to an element."""
    task = task_of(permute((60, 31, 65, 2), (1, 0, 3, 2), "i8", path="interleaved"), {})
    assert task.kernel.lds_alignment == 1
    path = written(task, tmp_path)
    again = read_run(path)
    assert again.kernel.lds_alignment == 1
    assert compare_outputs(again, CpuExecutor().run(again).outputs)["out"].is_good
    for executor in (CpuExecutor(), CpuExecutor(native=False)):
        strict = replace(again, kernel=replace(again.kernel, lds_alignment=16))
        with pytest.raises(ExecutionFaultError, match=r"\b0x2\b"):
            executor.run(strict)


def test_the_schema_has_all_types_of_whole_bytes():
    types = run_schema()["$defs"]["array_argument"]["properties"]["type"]["enum"]
    wanted = [kind.name for kind in DATA_TYPES if kind.bits % 8 == 0 and not kind.by_target]
    assert sorted(types) == sorted(wanted)


def test_infinities_are_saved_as_what_is_wanted(tmp_path):
    task = task_of(small_kernel(), {"N": 64, "factor": FACTOR})
    numbers = np.where(np.arange(64) < 2, np.inf, 1.0)
    path = save_launch(tmp_path, task, Result({"out": numbers}, {"out": 2.0**-24 * numbers}))
    json.loads(path.read_text(), parse_constant=pytest.fail)
    wanted = read_run(path).kernel.reference({})
    assert np.array_equal(wanted.numbers["out"], numbers)
    assert np.isfinite(wanted.allowed["out"][2:]).all()


def removed(key):
    return lambda content, folder: content.pop(key)


BROKEN = {
    "no such file": (lambda content, folder: (folder / "initial.npz").unlink(), "initial.npz"),
    "no assembly": (lambda content, folder: (folder / content["assembly"]).unlink(), ""),
    "another kernel": (lambda content, folder: content.update(kernel="other"), ""),
    "another schema": (lambda content, folder: content.update(schema="run-9"), "run-9"),
    "a key is missing": (removed("grid"), "'grid'"),
    "another shape": (lambda content, folder: content["arguments"][0].update(shape=[32]), "[64]"),
    "no such array": (lambda c, folder: c["arguments"][0]["initial"].update(array="x"), "KeyError"),
    "no such target": (lambda content, folder: content.update(target="gfx900"), ""),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_run_is_refused(name, tmp_path):
    change, facts = BROKEN[name]
    path = written(task_of(small_kernel(), {"N": 64, "factor": 2.0}), tmp_path)
    content = json.loads(path.read_text())
    change(content, tmp_path)
    path.write_text(json.dumps(content))
    with refused(LayoutError, *facts.split()):
        read_run(path)


def test_what_is_no_run_is_refused(tmp_path):
    with refused(LayoutError):
        read_run(tmp_path)
    path = tmp_path / "run.json"
    path.write_text("[]")
    with refused(LayoutError, "layoutalg-run-1", "list"):
        read_run(path)
    path.write_text("{")
    with refused(LayoutError):
        read_run(path)
