"""Batches: one launch for many products, proved for all strides, run with gaps, caught where confused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import lift_kernel, validate_translation
from layoutalg.codegen.kernels.batches import BATCH
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.gemm_problem import STRIDE_A, STRIDE_B, STRIDE_C, K
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.batch_strides import with_batch_strides
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.leading_dimensions import with_leading_dimensions
from layoutalg.data_type import to_numbers
from layoutalg.domain import Domain
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, refuted, require_caught, require_refused, with_statements_of
from tests.codegen.kernels.numpy_product import product, rounded_up
from tests.codegen.kernels.test_gemm import CDNA, RDNA, of_type
from tests.refusals import refused

FACTORS = {"alpha": 0.5, "beta": -2.0}
SMALL: dict[str, Any] = {"tile": (64, 64, 32), "waves": (2, 2)}
ODD: dict[str, Any] = {"has_tails": True, "size_multiples": (1, 1, 1)}
BESIDE = "relu(c + bias_n) + d; c"

made = cache(gemm)  # kernels that several tests look at


def batched(rung="pipelined", **fields):
    return configured(rung, is_batched=True, **fields)


def task_of(config, lengths, *, count=3, kernel=None, **steps):
    """A launch with gaps between rows and between matrices, of each array others, but for these ``steps``."""
    kernel = kernel or made(config)
    factors = {name: value for name, value in FACTORS.items() if name in config.becomes.scalars}
    sizes = dict(zip("MNK", lengths, strict=True)) | {"batch_count": count} | factors | steps
    chosen = with_batch_strides(kernel, with_leading_dimensions(kernel, sizes))
    code = compile_hip(kernel.text, Target.named(config.target))
    return Launch(kernel, code, chosen, inputs_of(kernel, chosen))


def wanted(config, task):
    """The products by NumPy's own, and what an epilogue makes of them."""
    found = product(config, task)
    if config.has_scale:
        found = 0.5 * found - 2.0 * to_numbers(task.inputs["d"], config.result)
    if config.epilogue:
        bias, d = (to_numbers(task.inputs[name], config.result) for name in ("bias_n", "d"))
        return {"c": np.maximum(found + bias, 0) + d, "e": found}
    return {"c": found}


def is_right(config, task):
    found = CpuExecutor().run(task).outputs
    right = wanted(config, task)
    assert found.keys() == right.keys()
    return all(np.array_equal(to_numbers(found[name], config.result), right[name]) for name in right)


CASES: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "whole tiles": ({}, (128, 64, 96)),
    "tails": ({"has_tails": True}, (65, 72, 40)),
    "odd sizes and steps": (ODD | {"has_leading_dimensions": True}, (67, 65, 37)),
    "less than a tile": (ODD, (1, 3, 1)),
    "what is beside": (ODD | {"epilogue": BESIDE, "stages_result": True}, (65, 67, 33)),
    "scaled": ({"has_scale": True, "has_leading_dimensions": True}, (64, 128, 64)),
    "through LDS": ({"stages_result": True}, (128, 64, 32)),
    "masked": (ODD | {"masks_every_tile": True}, (66, 65, 35)),
    "streamed": (
        {"order": "streamed", "instruction": (32, 32), "tile": (64, 64, 64), "has_tails": True},
        (65, 72, 72),
    ),
    "as registers are": ({"is_c_transposed": False}, (64, 64, 32)),
}


def require_right(config, lengths):
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    assert is_right(config, task_of(config, lengths))


@pytest.mark.slow
@pytest.mark.sample(18, slow=6)
@pytest.mark.parametrize("name", CASES)
def test_every_product_of_a_batch_is_right(name):
    fields, lengths = CASES[name]
    require_right(batched(**SMALL | fields), lengths)


@pytest.mark.slow_sample(24)
@pytest.mark.parametrize("layouts", LAYOUTS)
@pytest.mark.parametrize("name", CASES)
def test_matrices_by_rows_or_columns(name, layouts):
    fields, lengths = CASES[name]
    whole = 1 if "size_multiples" in fields else 8
    near = rounded_up(lengths, [whole] * 3)
    require_right(batched(layouts=layouts, **SMALL | fields), near)


@pytest.mark.slow_sample(384)
@pytest.mark.parametrize(("target", "element"), [(t, e) for t, types in CDNA.items() for e in types])
@pytest.mark.parametrize("name", CASES)
def test_every_type_everywhere(name, target, element):
    fields, lengths = CASES[name]
    tile = of_type({"tile": (128, 128, 32), "instruction": (16, 16)} | fields, element)
    if element == "i8" and ("epilogue" in fields or "has_scale" in fields):
        with refused(LayoutError):
            batched(target=target, element=element, **tile)
        return
    config = batched(target=target, element=element, waves=(2, 2), **tile)
    part = 1 if config.size_multiples else 16
    parts = (part, part, part * config.kind.unpacked[2]) if config.has_tails else config.tile
    require_right(config, rounded_up(lengths, parts))


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("rung", ["naive", "double", "staged"])
def test_rungs_take_batches(rung):
    config = batched(rung)
    require_right(config, (config.tile[0], config.tile[1], 3 * config.tile[2]))


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("target", RDNA)
@pytest.mark.parametrize("has_tails", [False, True])
def test_rdna_kernels_are_proved_and_compile(target, has_tails):
    kernel = made(batched(target=target, has_tails=has_tails, has_leading_dimensions=True))
    assert emit(kernel, prove) == kernel.text
    assert compile_hip(kernel.text, Target.named(target)).resources.spills == 0


# --- strides

XOR = batched("xor", **SMALL)


@pytest.mark.parametrize("steps", [{"batch_stride_b": 0}, {"batch_stride_a": 0, "batch_stride_b": 8}])
def test_what_is_read_may_overlap_or_be_shared(steps):
    task = task_of(XOR, (64, 64, 64), **steps)
    if steps == {"batch_stride_b": 0}:
        assert task.memory()["b"].size == 64 * 64
        assert all(np.array_equal(one, task.inputs["b"][0]) for one in task.inputs["b"])
    assert is_right(XOR, task)


@pytest.mark.slow
def test_rows_of_the_matrices_may_take_turns():
    """As heads lie in a tensor of (sequence, head, channel): each row of A has a row of every product."""
    config = batched(**SMALL, **ODD, has_leading_dimensions=True)
    task = task_of(config, (70, 65, 33), lda=3 * 33, batch_stride_a=33)
    assert task.memory()["a"].size == 3 * 70 * 33
    assert is_right(config, task)


def test_matrices_that_share_memory_and_differ_are_refused():
    task = task_of(XOR, (64, 64, 64), batch_stride_b=0)
    other = task.inputs["b"].copy()
    other[1] += 1
    with refused(LayoutError):
        replace(task, inputs=task.inputs | {"b": other})


@pytest.mark.slow
def test_a_batch_of_one_is_the_product_alone():
    task = task_of(XOR, (128, 64, 64), count=1)
    alone = made(replace(XOR, is_batched=False))
    sizes = {name: task.sizes[name] for name in "MNK"}
    inputs = {name: array[0] for name, array in task.inputs.items()}
    single = Launch(alone, compile_hip(alone.text, "gfx942"), sizes, inputs)
    first, second = (CpuExecutor().run(one).outputs["c"] for one in (task, single))
    assert np.array_equal(first[0], second)


def test_without_the_option_nothing_changes():
    alone, kernel = made(replace(XOR, is_batched=False)), made(XOR)
    strides = ["batch_stride_a", "batch_stride_b", "batch_stride_c", "batch_count"]
    assert [argument.name for argument in alone.arguments] == [*"abcMNK"]
    assert [argument.name for argument in kernel.arguments] == [*"abcMNK", *strides]
    assert "batch" not in alone.text
    assert kernel.name == f"{alone.name}_batched"
    assert not [claim for claim in alone.claims if "batch" in claim.subject or claim.name == "right place"]


WRONG_SIZES = {
    "C that overlaps": ({"batch_stride_c": 4088}, "batch_stride_c M*N"),
    "no whole vectors": ({"batch_stride_a": 4100}, "batch_stride_a 4100 8"),
    "backwards": ({"batch_stride_b": -8}, "batch_stride_b -8"),
    "a stride beyond 32 bits": ({"batch_stride_a": 2**31}, "batch_stride_a 2147483648"),
    "no products": ({"batch_count": 0}, "batch_count 0"),
    "more than a launch has": ({"batch_count": 65536}, "batch_count 65536"),
}


@pytest.mark.parametrize("name", WRONG_SIZES)
def test_strides_that_were_not_proved_are_refused(name):
    change, facts = WRONG_SIZES[name]
    sizes = {"M": 64, "N": 64, "K": 64, "batch_count": 2, "batch_stride_c": 4096}
    sizes |= {"batch_stride_a": 4096, "batch_stride_b": 0}
    made(XOR).check_sizes(sizes)
    with refused(LayoutError, *facts.split()):
        made(XOR).check_sizes(sizes | change)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a split": ({"split_k": 2}, ""),
    "groups": ({"group_m": 2}, ""),
    "dies": ({"xcds": 8}, ""),
    "block scales": (
        {"target": "gfx950", "element": "f8", "tile": (128, 128, 128), "has_block_scales": True},
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name):
    fields, facts = REFUSED[name]
    with refused(LayoutError, *facts.split()):
        batched(**fields)


# --- compiled code

LIFTED: dict[str, tuple[str, dict[str, Any]]] = {
    "naive": ("naive", {}),
    "small": ("pipelined", {**SMALL, "has_leading_dimensions": True}),
    "tails": ("pipelined", {**SMALL, "has_tails": True}),
    "odd": ("pipelined", {**SMALL, **ODD, "layouts": "crr"}),
    "beside": ("pipelined", {**SMALL, "epilogue": BESIDE}),
}


def lifted(kernel, target="gfx942"):
    code = compile_hip(kernel.text, Target.named(target)).code_object
    return validate_translation(kernel.accesses, lift_kernel(kernel, code, prove=prove))


@pytest.mark.slow_sample(16)
@pytest.mark.parametrize("target", ["gfx942", "gfx90a", "gfx950"])
@pytest.mark.parametrize("name", LIFTED)
def test_compiled_code_goes_where_is_claimed_for_every_stride_and_count(name, target):
    """Also where a batch is longer than 2**31 elements: up to 65535 times a stride below that."""
    rung, fields = LIFTED[name]
    kernel = made(batched(rung, target=target, **fields))
    assert lifted(kernel, target)


@pytest.mark.slow
def test_a_product_of_batch_and_stride_in_32_bits_is_seen_in_compiled_code():
    kernel = made(batched("naive"))
    short = edited(
        kernel, r"\(long long\)batch_stride_b \* batch", "(int)((unsigned)batch_stride_b * (unsigned)batch)"
    )
    found = lifted(short)
    assert not found
    assert "no load of b is claimed there" in str(found) or "load of b: not shown" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("array", ["a", "b", "c"])
def test_a_matrix_that_is_not_moved_to_is_seen_in_compiled_code(array):
    kernel = made(batched("naive"))
    assert not lifted(edited(kernel, rf"\b{array} \+= [^;]*;", ""))


# --- broken on purpose


def begins(operand, begin):
    """A or B from another place."""

    def breaks(tiles):
        tiles.__dict__[operand] = replace(getattr(tiles, operand), begin=begin)

    return breaks


def result_begins(begin):
    def breaks(tiles):
        tiles.__dict__["result_begin"] = begin

    return breaks


WRONG_BEGINS = {  # what is confused, and the fault (None: a wrong result)
    "B by the stride of A": (begins("b", BATCH * STRIDE_A), None),
    "A by the stride of B": (begins("a", BATCH * STRIDE_B), "out of bounds"),
    "A of the first product": (begins("a", sympy.Integer(0)), None),
    "B of the next product": (begins("b", (BATCH + 1) * STRIDE_B), "out of bounds"),
    "A by its rows": (begins("a", BATCH * K), None),
    "C of the first product": (result_begins(sympy.Integer(0)), "never written"),
    "C by the stride of B": (result_begins(BATCH * STRIDE_B), "out of bounds|between rows"),
    "C of the next product": (result_begins((BATCH + 1) * STRIDE_C), "out of bounds"),
}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        pytest.param(name, SMALL | more, marks=pytest.mark.long if n else pytest.mark.slow)
        for more in ({}, ODD)
        for n, name in enumerate(WRONG_BEGINS)
    ],
)
def test_another_begin_of_one_matrix_is_refuted_and_caught(name, fields):
    breaks, fault = WRONG_BEGINS[name]
    config = batched("pipelined", **fields)
    kernel, right, wrong = made(config), GemmTiles(config), GemmTiles(config)
    breaks(wrong)
    require_refused(replace(kernel, claims=claims_of(wrong)), "right place")
    task = task_of(config, (64, 128, 64), kernel=with_statements_of(kernel, right, wrong))
    require_caught(lambda: is_right(config, task), "" if fields != SMALL else fault)


def test_where_products_may_overlap_claims_are_refuted():
    tiles = GemmTiles(XOR)
    sizes = tiles.problem.sizes
    facts = tuple(fact for fact in sizes.facts if STRIDE_C not in fact.free_symbols)
    tiles.problem.__dict__["sizes"] = Domain(sizes.variables, facts)
    assert "one-to-one" in refuted(claims_of(tiles))


@pytest.mark.slow
@pytest.mark.parametrize(("array", "multiple"), [("a", 8), ("b", 8), ("c", 4)])
def test_where_matrices_begin_anywhere_vectors_are_not_aligned(array, multiple):
    tiles = GemmTiles(XOR)
    sizes = tiles.problem.sizes
    tiles.problem.__dict__["sizes"] = Domain(
        tuple(
            replace(v, multiple_of=multiple // 2) if v.name == f"batch_stride_{array}" else v
            for v in sizes.variables
        ),
        sizes.facts,
    )
    assert "vector aligned" in refuted(claims_of(tiles))
