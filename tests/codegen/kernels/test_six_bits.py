"""GEMM of FP6 and BF6, whose numbers share words: exact beside plain bit arithmetic; others are caught."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import RUNGS, configured, gemm
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.leading_dimensions import with_leading_dimensions
from layoutalg.codegen.project import KernelProject, write_project
from layoutalg.codegen.sanitizer import sanitize_launch
from layoutalg.data_type import DataType, from_numbers, to_numbers
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import replaced, require_caught
from tests.refusals import refused

GFX950 = Target.named("gfx950")
SMALL = {"tile": (64, 64, 48), "waves": (2, 2)}
SCALED = {"has_block_scales": True}
STREAMED: dict[str, Any] = {"instruction": (32, 32), "order": "streamed"}
CASES: dict[str, dict[str, Any]] = {
    "f6": {"element": "f6_word"},
    "f6, scaled": {"element": "f6_word"} | SCALED,
    "bf6": {"element": "bf6_word"} | STREAMED,
    "bf6, scaled": {"element": "bf6_word"} | STREAMED | SCALED,
    "one read": {"element": "f6_word", "tile": (128, 128, 24), "instruction": (32, 32)},
    "one read, scaled": {"element": "f6_word", "tile": (128, 128, 24), "instruction": (32, 32)} | SCALED,
    "four steps, scaled": {"element": "f6_word", "tile": (64, 64, 96), "k1": 8, "instruction": (32, 32)}
    | SCALED,
    "two reads, scaled": {"element": "bf6_word", "tile": (64, 64, 96)} | SCALED,
    "C as registers are": {"element": "f6_word", "is_c_transposed": False} | SCALED,
    "eight bytes": {"element": "f6_word", "k1": 2},
    "leading dimensions": {"element": "f6_word", "has_leading_dimensions": True} | SCALED,
    "epilogue": {"element": "bf6_word", "epilogue": "relu(c + bias_n)", "stages_result": True},
    "parts of K": {"element": "f6_word", "split_k": 2},
}
KINDS = {"f6_word": ml_dtypes.float6_e2m3fn, "bf6_word": ml_dtypes.float6_e3m2fn}


@cache
def config_of(name: str):
    return configured("pipelined", target="gfx950", **SMALL | CASES[name])


made = cache(gemm)


def numbers_of(words, kind):
    """Rows of words as numbers: each row is one long integer, of which a number has six bits."""
    rows = []
    for row in words:
        bits = int.from_bytes(row.astype("<u4").tobytes(), "little")
        rows.append([bits >> 6 * i & 63 for i in range(len(row) * 16 // 3)])
    return np.array(rows, np.uint8).view(kind).astype(np.float64)


def task_of(config, sizes=None, text=None, style="integers"):
    kernel = made(config)
    if text is not None:
        kernel = replace(kernel, text=text(kernel.text))
    sizes = sizes or (2 * config.tile[0], config.tile[1], 3 * config.split_k * config.tile[2])
    given = with_leading_dimensions(kernel, dict(zip("MNK", sizes, strict=True)))
    return Launch(kernel, compile_hip(kernel.text, GFX950), given, inputs_of(kernel, given, style, 7))


def product_of(task, config):
    """The product by NumPy, of what the bits of A, B and their scales are."""
    sides = []
    for name in "ab":
        numbers = numbers_of(task.inputs[name], KINDS[config.element])
        if config.has_block_scales:
            scales = task.inputs[f"{name}_scales"].view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
            numbers = numbers * np.repeat(scales, 32, axis=1)
        sides.append(numbers)
    return sides[0] @ sides[1].T


def require_right(config, sizes=None, style="integers"):
    task = task_of(config, sizes, style=style)
    result = CpuExecutor().run(task)
    found = compare_outputs(task, result.outputs, written=result.written)["c"]
    assert found.is_good
    assert found.largest_error == 0  # sums of these are exact
    if config.becomes.is_plain and config.split_k == 1:
        assert np.array_equal(result.outputs["c"], product_of(task, config))


@pytest.mark.parametrize("name", KINDS)
@given(st.data())
def test_sixteen_numbers_lie_in_three_words_one_after_the_other(name, data):
    kind = DataType.named(name)
    patterns = data.draw(st.lists(st.integers(0, 63), min_size=16, max_size=16))
    whole = sum(pattern << 6 * place for place, pattern in enumerate(patterns))
    words = np.array([whole >> 32 * place & (2**32 - 1) for place in range(3)], np.uint32)
    numbers = np.array(patterns, np.uint8).view(KINDS[name]).astype(np.float64)
    assert np.array_equal(to_numbers(words, kind), numbers)
    without_sign = np.where(numbers == 0, 0.0, numbers)  # a negative zero is written as zero
    assert np.array_equal(to_numbers(from_numbers(numbers, kind), kind), without_sign)
    if not np.signbit(numbers[numbers == 0]).any():
        assert np.array_equal(from_numbers(numbers, kind), words)


def test_numbers_that_do_not_fill_words_are_refused():
    kind = DataType.named("f6_word")
    with refused(LayoutError, "16", "12"):
        from_numbers(np.zeros(8), kind)
    with refused(LayoutError, "3", "4"):
        to_numbers(np.zeros(4, np.uint32), kind)


@pytest.mark.slow
@pytest.mark.sample(18, slow=6)
@pytest.mark.parametrize("name", CASES)
def test_claims_are_proved_and_the_product_is_exact(name):
    config = config_of(name)
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    assert sum(claim.name == "right scale" for claim in kernel.claims) == 2 * config.has_block_scales
    assert any(claim.name == "conflict-free" for claim in kernel.claims)
    require_right(config)


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("rung", RUNGS)
def test_rungs_are_proved_and_exact(rung):
    for element in KINDS:
        config = configured(rung, target="gfx950", element=element)
        assert emit(made(config), prove) == made(config).text
        require_right(config, style="random")


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(
    ("target", "element", "tile_k"), [("gfx942", "f16", 96), ("gfx942", "i8", 192), ("gfx950", "f4x2", 192)]
)
def test_rows_of_other_types_may_be_as_long(target, element, tile_k):
    config = configured("pipelined", target=target, element=element, tile=(64, 64, tile_k), waves=(2, 2))
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    sizes = {"M": 64, "N": 128, "K": 3 * tile_k}
    task = Launch(kernel, compile_hip(kernel.text, target), sizes, inputs_of(kernel, sizes, "integers", 3))
    assert compare_outputs(task, CpuExecutor().run(task).outputs)["c"].largest_error == 0


ENDS: dict[str, dict[str, Any]] = {
    "whole vectors": {},
    "any word": {"size_multiples": (1, 1, 1)},
    "masked": {"size_multiples": (1, 1, 2), "masks_every_tile": True},
    "streamed": STREAMED | {"size_multiples": (1, 1, 1)},
    "scaled": SCALED,
    "scaled, streamed": SCALED | STREAMED | {"size_multiples": (1, 1, 2)},
    "scaled, leading dimensions": SCALED | {"has_leading_dimensions": True},
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENDS)
def test_rows_and_columns_end_anywhere_and_k_with_a_pack(name):
    config = configured("pipelined", target="gfx950", element="f6_word", has_tails=True, **SMALL | ENDS[name])
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    part_n, part_k = GemmTiles(config).problem.multiples[1:]
    assert part_k == {"any word": 3, "streamed": 3, "masked": 6, "scaled, streamed": 6}.get(name, 12)
    for m, n, k in (
        (1, 1, 1),
        (65, 17, 48 // part_k - 1),
        (130, 15, 48 // part_k + 1),
        (3, 16, 96 // part_k),
    ):
        require_right(config, (m, n * part_n, k * part_k))


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize(
    ("name", "has_tails"),
    [
        *(("f6", False), ("f6", True), ("bf6, scaled", True), ("bf6", True)),
        *(("f6, scaled", False), ("f6, scaled", True), ("bf6", False), ("bf6, scaled", False)),
    ],
)
def test_compiled_addresses_are_those_claimed(name, has_tails):
    kernel = made(replace(config_of(name), has_tails=has_tails))
    assert validated_kernel(kernel, compile_hip(kernel.text, GFX950), prove)


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("name", ["f6, scaled", "bf6", "eight bytes", "two reads, scaled"])
def test_compiled_c_gives_the_same_and_the_sanitizer_has_nothing_to_say(name):
    task = task_of(config_of(name), style="random")
    python, c = (CpuExecutor(native=native).run(task).outputs["c"] for native in (False, True))
    assert np.array_equal(python, c)
    found = sanitize_launch(task)
    assert not found.findings
    assert not found.stopped


@pytest.mark.slow
@pytest.mark.parametrize("name", ["f6", "bf6, scaled", "one read"])
def test_no_word_is_moved_by_itself(name):
    """Pieces that feed two instructions are read whole: shared memory moves 16 bytes a lane."""
    assembly = task_of(config_of(name)).compiled.assembly
    moves = {line.split()[0] for line in assembly.splitlines() if line.strip().startswith("ds_")}
    assert moves == {"ds_write_b128", "ds_read_b128"}


BROKEN_TEXT = {
    "numbers taken for BF6": (", 2, 2, ", ", 3, 3, "),
    "words in another order": ("0, 1, 2, 3, 4, 5)", "1, 0, 2, 3, 4, 5)"),
    "words of the other instruction": ("6, 7, 8, 9, 10, 11)", "0, 1, 2, 3, 4, 5)"),
    "pieces of other words": ("+ r * 16)", "+ r * 12)"),
    "a scale of the next block": (", 1, a_scales", ", 2, a_scales"),
    "a scale of another lane": ("(lane / 16 * 2)", "(lane / 16)"),
}


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught(name):
    config = config_of("f6, scaled")
    task = task_of(config, text=replaced(*BROKEN_TEXT[name]))
    require_caught(lambda: np.array_equal(CpuExecutor().run(task).outputs["c"], product_of(task, config)))


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a target without": ({"target": "gfx942"}, "16x16 f6_word"),
    "rows of B": ({"layouts": "rrr"}, "K rrr"),
    "columns of A": ({"layouts": "ccr"}, "K ccr"),
    "half a read": ({"tile": (64, 64, 24)}, "K 48"),
    "three times four blocks": (
        {"tile": (64, 64, 72), "waves": (2, 2), "instruction": (32, 32)} | SCALED,
        "K 12",
    ),
    "sixteen blocks": ({"tile": (64, 64, 96), "k1": 8} | SCALED, "8 K 16"),
    "a K1 that parts a number": ({"k1": 1}, "2 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_lie_in_words_along_k_is_refused(name):
    fields, facts = REFUSED[name]
    with refused(LayoutError, *facts.split()):
        configured("pipelined", **{"target": "gfx950", "element": "f6_word"} | fields)


@pytest.mark.slow
def test_sizes_that_end_inside_a_number_are_refused():
    kernel = made(replace(config_of("f6"), has_tails=True, size_multiples=(1, 1, 1)))
    kernel.check_sizes({"M": 1, "N": 1, "K": 6})
    with refused(LayoutError, "K = 16", "3"):
        kernel.check_sizes({"M": 1, "N": 1, "K": 16})


def test_a_project_is_refused_since_no_element_is_a_number(tmp_path):
    config = config_of("f6")
    sizes = dict(zip("MNK", config.tile, strict=True))
    with refused(LayoutError):
        write_project(KernelProject(made(config), "six", "gfx950", sizes), tmp_path / "six")
