"""Split K in one kernel: workgroups add their parts to C; right for all sizes, caught where it is not."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.executors.run_file import save_run
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.block_order import BLOCK_M
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.leading_dimensions import with_leading_dimensions
from layoutalg.data_type import to_numbers
from layoutalg.index import FloorDiv
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, require_caught, require_refused
from tests.codegen.kernels.numpy_product import product, rounded_up
from tests.codegen.kernels.test_gemm import CDNA, RDNA, of_type
from tests.refusals import refused

SMALL: dict[str, Any] = {"tile": (64, 64, 32), "waves": (2, 2)}
ODD: dict[str, Any] = {"has_tails": True, "size_multiples": (1, 1, 1)}

made = cache(gemm)  # kernels that several tests look at


def added(rung="pipelined", **fields):
    return configured(rung, **{"split_k": 3, "adds_atomically": True} | fields)


def task_of(config, lengths, kernel=None):
    kernel = kernel or made(config)
    sizes = dict(zip("MNK", lengths, strict=True)) | ({"batch_count": 3} if config.is_batched else {})
    sizes = {p.name: 0 for p in kernel.domain.parameters if "stride" in p.name} | sizes
    chosen = with_leading_dimensions(kernel, sizes)
    code = compile_hip(kernel.text, Target.named(config.target))
    return Launch(kernel, code, chosen, inputs_of(kernel, chosen))


def is_right(config, task):
    found = CpuExecutor().run(task).outputs["c"]
    return np.array_equal(to_numbers(found, config.result), product(config, task))


CASES: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "whole tiles": ({}, (128, 64, 192)),
    "tails": ({"has_tails": True}, (65, 72, 168)),
    "odd sizes and steps": (ODD | {"has_leading_dimensions": True}, (67, 65, 137)),
    "parts without a tile": (ODD, (1, 3, 33)),
    "one part": ({"split_k": 1, "has_tails": True}, (65, 72, 40)),
    "one odd part": (ODD | {"split_k": 1}, (63, 65, 67)),
    "masked": (ODD | {"masks_every_tile": True}, (66, 65, 35)),
    "streamed": (
        {"order": "streamed", "instruction": (32, 32), "tile": (64, 64, 64), "has_tails": True},
        (65, 72, 264),
    ),
    "a simple order": ({"order": "simple"}, (64, 64, 96)),
}


def require_right(config, lengths):
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    assert is_right(config, task_of(config, lengths))


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("name", CASES)
def test_parts_add_up(name):
    fields, lengths = CASES[name]
    require_right(added(**SMALL | fields), lengths)


@pytest.mark.slow_sample(28)
@pytest.mark.parametrize("layouts", LAYOUTS[1:])
@pytest.mark.parametrize("name", CASES)
def test_matrices_by_rows_or_columns(name, layouts):
    fields, lengths = CASES[name]
    whole = 1 if "size_multiples" in fields else 8
    near = rounded_up(lengths, [whole] * 3)
    require_right(added(layouts=layouts, **SMALL | fields), near)


@pytest.mark.slow_sample(248)
@pytest.mark.parametrize(("target", "element"), [(t, e) for t, types in CDNA.items() for e in types])
@pytest.mark.parametrize("name", CASES)
def test_every_type_everywhere(name, target, element):
    fields, lengths = CASES[name]
    tile = of_type({"tile": (128, 128, 32), "instruction": (16, 16)} | fields, element)
    config = added(target=target, element=element, waves=(2, 2), **tile)
    whole = (*config.tile[:2], config.tile[2] * config.split_k)
    of_k = config.kind.unpacked[2]
    parts = whole if not config.has_tails else (1, 1, of_k) if config.size_multiples else (16, 16, 16 * of_k)
    require_right(config, rounded_up(lengths, parts))


@pytest.mark.slow
@pytest.mark.parametrize("target", RDNA)
def test_rdna_adds(target):
    kernel = made(added(target=target, has_tails=True))
    assert emit(kernel, prove) == kernel.text
    assert "global_atomic_add_f32" in compile_hip(kernel.text, target).assembly


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("has_tails", [False, True])
def test_the_hardware_adds_lanes_side_by_side(target, has_tails):
    """One instruction a register and no loop of comparisons; the lanes of a row touch its lines once."""
    config = added(target=target, has_tails=has_tails, **SMALL)
    code = compile_hip(made(config).text, target).assembly
    of_lane = config.tile[0] * config.tile[1] // config.threads
    assert code.count("buffer_atomic_add_f32" if has_tails else "global_atomic_add_f32") == of_lane
    assert "cmpswap" not in code


def test_what_c_held_before_counts():
    config = added(**SMALL, has_tails=True)
    task = task_of(config, (65, 72, 104))
    memory = task.memory()
    before = np.arange(65 * 72, dtype=np.float32).reshape(65, 72)
    memory["c"][:] = before
    prepared_task(task, memory, None).run()
    assert np.array_equal(memory["c"], before + product(config, task))


def test_a_sampled_tile_has_all_its_parts():
    config = added(**SMALL)
    task = task_of(config, (128, 192, 192))
    found = CpuExecutor(workgroups=[4]).run(task)
    assert found.counters["workgroups"] == 3
    assert found.written["c"].sum() == 64 * 64
    assert np.array_equal(found.outputs["c"][64:, 64:128], product(config, task)[64:, 64:128])


def test_a_saved_run_begins_with_zeros(tmp_path):
    config = added(**SMALL)
    task = task_of(config, (64, 64, 96))
    file = save_run(tmp_path, task, CpuExecutor().run(task).outputs)
    again = read_run(file)
    assert np.array_equal(CpuExecutor().run(again).outputs["c"], product(config, task))


@pytest.mark.slow
def test_it_is_planned_for_all_workgroups():
    sizes = {"M": 256, "N": 256, "K": 65536}
    one, many = (planned(sizes, split_k=parts, adds_atomically=True).candidates[0] for parts in (1, 16))
    assert many.config.adds_atomically
    assert not many.config.stages_result
    assert many.cost < one.cost / 4


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("has_tails", [True, False])
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_compiled_addresses_are_those_claimed(target, has_tails):
    kernel = made(added(target=target, has_tails=has_tails, **SMALL))
    found = validated_kernel(kernel, compile_hip(kernel.text, target), prove)
    assert found is not None
    assert found.is_proved, str(found)


# --- wrong ones


def test_parts_that_are_stored_instead_are_caught():
    config = added(**SMALL)
    kernel = edited(made(config), r"unsafeAtomicAdd\((.*), (\(float\)acc.*)\);", r"*(\1) = \2;")
    require_caught(lambda: is_right(config, task_of(config, (64, 64, 192), kernel)), None)


def test_rows_to_which_nothing_is_added_are_caught():
    config = added(**SMALL, has_tails=True)
    kernel = edited(made(config), r"is_inside \? 4u", "is_inside && offset >= 72 ? 4u")
    require_caught(
        lambda: is_right(config, task_of(config, (64, 72, 104), kernel)), "72 elements of c were never"
    )


def test_a_part_that_all_workgroups_add_is_caught():
    config = added(**SMALL)
    kernel = edited(made(config), r"\bblockIdx\.z\b", "0")
    require_caught(lambda: is_right(config, task_of(config, (64, 64, 192), kernel)), None)


def test_places_of_other_rows_are_caught():
    config = added(**SMALL, has_tails=True)
    kernel = edited(made(config), r"is_inside \? 4u \* offset", "is_inside ? 4u * offset + 4u * 72u")
    require_caught(lambda: is_right(config, task_of(config, (64, 72, 104), kernel)))


@pytest.mark.slow
def test_parts_of_which_one_comes_twice_are_refused(monkeypatch):
    shorter = property(lambda self: self.config.tile[2] * (self.tiles_of_k - 1))
    monkeypatch.setattr(GemmProblem, "part_of_k", shorter)
    require_refused(gemm(added(**SMALL, has_tails=True)), "one to one|covers|in memory")


@pytest.mark.slow
def test_rows_of_c_that_two_workgroups_make_are_refused(monkeypatch):
    twice = property(lambda self: FloorDiv.unchecked(self.config.tile[0] * BLOCK_M, sympy.Integer(2)))
    monkeypatch.setattr(GemmProblem, "first_row", twice)
    require_refused(gemm(added(**SMALL)), "one to one|covers")


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({"output": "f16", "split_k": 1}, "f32"),
        ({"has_scale": True}, ""),
        ({"epilogue": "relu(c)"}, ""),
        ({"stages_result": True}, ""),
        ({"is_c_transposed": True}, "C"),
    ],
)
def test_what_does_not_go_together_is_refused(fields, facts):
    with refused(LayoutError, *facts.split()):
        added(**fields)
