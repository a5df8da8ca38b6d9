"""GEMM with block scales (MX), numbers and scales as ml_dtypes has them; others are refuted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.data_type import to_numbers
from layoutalg.machine import Target
from layoutalg.mma import BlockGemm
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted, replaced
from tests.refusals import refused

GFX950 = Target.named("gfx950")
CASES: dict[str, dict[str, Any]] = {
    "f4x2": {"element": "f4x2", "tile": (64, 64, 64), "instruction": (16, 16)},
    "f4x2, two steps of 32x32": {"element": "f4x2", "tile": (64, 64, 64), "instruction": (32, 32)},
    "f4x2, two words": {"element": "f4x2", "tile": (64, 64, 128), "instruction": (32, 32)},
    "f8": {"element": "f8", "tile": (64, 64, 128), "instruction": (16, 16)},
    "f8, half a word": {"element": "f8", "tile": (64, 64, 64), "instruction": (32, 32)},
    "bf8": {"element": "bf8", "tile": (64, 64, 128), "instruction": (32, 32)},
    "B by rows": {"element": "f4x2", "tile": (64, 64, 64), "layouts": "rrr"},
    "both by columns of C": {"element": "f8", "tile": (64, 64, 128), "layouts": "crr"},
    "turned by reads": {"element": "f8", "tile": (64, 64, 128), "instruction": (32, 32), "layouts": "rrr"},
    "both turned by reads": {
        "element": "bf8",
        "tile": (64, 64, 256),
        "instruction": (32, 32),
        "layouts": "crr",
        "order": "streamed",
    },
    "streamed": {"element": "f4x2", "tile": (64, 64, 128), "instruction": (32, 32), "order": "streamed"},
    "streamed, two words of bytes": {"element": "f8", "tile": (64, 64, 256), "order": "streamed"},
    "C as registers are": {"element": "f4x2", "tile": (64, 64, 64), "is_c_transposed": False},
}
KINDS = {"f8_ocp": ml_dtypes.float8_e4m3fn, "bf8_ocp": ml_dtypes.float8_e5m2}


@cache
def config_of(name: str) -> GemmConfig:
    return configured("pipelined", target="gfx950", has_block_scales=True, waves=(2, 2), **CASES[name])


made = cache(gemm)


def numbers_of(patterns, scales, config, rows):
    """Rows by K, by ml_dtypes alone."""
    by_rows = patterns if config.is_k_first(rows) else patterns.T
    if config.element == "f4x2":
        each = np.stack([by_rows & 15, by_rows >> 4], axis=-1).reshape(len(by_rows), -1)
        numbers = each.view(ml_dtypes.float4_e2m1fn).astype(np.float64)
    else:
        numbers = np.ascontiguousarray(by_rows).view(KINDS[config.element]).astype(np.float64)
    return numbers * np.repeat(scales.view(ml_dtypes.float8_e8m0fnu).astype(np.float64), 32, axis=1)


def ran(config, text=None, sizes=None):
    """What a GEMM gives for small integers, and the product of what ml_dtypes says that these are."""
    kernel = made(config)
    if text is not None:
        kernel = replace(kernel, text=text(kernel.text))
    sizes = sizes or {"M": 128, "N": 64, "K": 3 * config.tile[2]}
    task = Launch(kernel, compile_hip(kernel.text, GFX950), sizes, inputs_of(kernel, sizes, "integers", 7))
    found = to_numbers(CpuExecutor().run(task).outputs["c"], config.result)
    sides = ((name, rows) for name, rows in (("a", "M"), ("b", "N")))
    a, b = (numbers_of(task.inputs[n], task.inputs[f"{n}_scales"], config, rows) for n, rows in sides)
    return found, a @ b.T


@pytest.mark.slow
@pytest.mark.sample(24, slow=6)
@pytest.mark.parametrize("name", CASES)
def test_claims_are_proved_and_the_product_is_exact(name):
    config = config_of(name)
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    assert sum(claim.name == "right scale" for claim in kernel.claims) == 2
    found, wanted = ran(config)
    assert np.array_equal(found, wanted)


@pytest.mark.slow
def test_leading_dimensions_bound_the_rows_of_scales():
    config = replace(config_of("f4x2"), has_tails=True, has_leading_dimensions=True)
    assert not refuted(claims_of(GemmTiles(config)))


TAILS = [
    "f4x2",
    "f4x2, two words",
    "f8, half a word",
    "B by rows",
    "streamed",
    "streamed, two words of bytes",
]


@pytest.mark.long
@pytest.mark.parametrize("name", TAILS)
def test_sizes_need_not_be_whole_tiles(name):
    """The last tile of K has from one block to all of them, rows of A and B end anywhere."""
    config = replace(config_of(name), has_tails=True)
    kernel, block = made(config), config.block_elements
    assert emit(kernel, prove) == kernel.text
    blocks = config.tile[2] // block
    for m, n, count in (
        (1, 4, 1),
        (65, 68, blocks - 1),
        (64, 128, blocks + 1),
        (130, 60, 2 * blocks),
        (3, 64, 3 * blocks - 1),
    ):
        found, wanted = ran(config, sizes={"M": m, "N": n, "K": count * block})
        assert np.array_equal(found, wanted)


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize("has_tails", [False, True])
@pytest.mark.parametrize("name", ["f4x2", "streamed"])
def test_compiled_addresses_are_those_claimed(name, has_tails):
    kernel = made(replace(config_of(name), has_tails=has_tails))
    assert validated_kernel(kernel, compile_hip(kernel.text, GFX950), prove)


def test_rows_end_with_whole_blocks():
    config = replace(config_of("f8"), has_tails=True, size_multiples=(1, 1, 16))
    assert GemmTiles(config).problem.multiples == (1, 1, 32)


@pytest.mark.slow
def test_lanes_that_hold_other_blocks_are_refuted():
    """Runs of 8-bit elements put together, as kernels without scales do, make blocks of no one scale."""
    config = config_of("f8")
    tiles = GemmTiles(config)
    assert not refuted(claims_of(tiles))
    block = config.block
    config.__dict__["block"] = BlockGemm(block.instruction, block.waves, block.rounds, block.k_steps, 1, True)
    try:
        assert refuted(claims_of(GemmTiles(config))) == {"right scale"}
    finally:
        config.__dict__["block"] = block


BROKEN_TEXT = {
    "another byte": (", 0, a_scales", ", 1, a_scales"),
    "scales of the tile before": ("left >= 0 ? 4", "left > 0 ? 4"),
    "a block of another lane": (">> 8 * (lane / 16)", ">> 8 * (lane / 32)"),
    "scales that stay": ("b_scales_next += left >= 0 ? 4 : 0", "b_scales_next += 0"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught(name):
    found, wanted = ran(config_of("f4x2"), replaced(*BROKEN_TEXT[name]))
    assert not np.array_equal(found, wanted)


REFUSED: dict[str, dict[str, Any]] = {
    "a type without": {"element": "f16"},
    "a target without": {"target": "gfx942", "element": "f8"},
    "a mask for every tile": {"element": "f4x2", "has_tails": True, "masks_every_tile": True},
    "a split": {"element": "f4x2", "split_k": 2},
    "another order": {"element": "f4x2", "order": "double"},
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_scales_is_refused(name):
    fields: dict[str, Any] = {"target": "gfx950", "has_block_scales": True} | REFUSED[name]
    with refused(LayoutError):
        configured("pipelined", **fields)
