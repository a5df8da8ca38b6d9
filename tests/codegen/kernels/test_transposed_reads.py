"""Reads that transpose (gfx950): GEMMs of all layouts are right, proved, free of conflicts, turn nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.expected_loop import ExpectedLoop
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.data_type import to_numbers
from layoutalg.distribution import make_static_tile_distribution
from layoutalg.mma import in_pieces
from layoutalg.mma.transposing_read import SIXTEEN, addressed, source_of
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import edited, require_caught, require_refused
from tests.codegen.kernels.numpy_product import product

TILES = {1: (128, 128, 128), 2: (128, 128, 64)}
ODD: dict[str, Any] = {"has_tails": True, "size_multiples": (1, 1, 1)}
ENDS: dict[str, dict[str, Any]] = {"whole tiles": {}, "tails": {"has_tails": True}, "odd sizes": ODD}
BYTES = {"f16": 2, "bf16": 2, "i8": 1, "f8": 1, "bf8": 1}

made = cache(gemm)  # kernels that several tests look at


def turned(element="f16", layouts="rrr", **fields):
    shape: dict[str, Any] = {
        "tile": TILES[BYTES[element]],
        "waves": (2, 2),
        "instruction": (32, 32),
        "order": "streamed",
    }
    return configured("pipelined", target="gfx950", element=element, layouts=layouts, **shape | fields)


def sizes_of(config):
    m, n, k = config.tile
    if not config.has_tails:
        return {"M": m, "N": n, "K": 3 * k}
    return (
        {"M": m + 3, "N": n + 5, "K": 2 * k + 7}
        if config.size_multiples
        else {"M": 144, "N": 16, "K": k + 48}
    )


def is_right(config, kernel=None):
    kernel = kernel or made(config)
    sizes = sizes_of(config)
    task = Launch(kernel, compile_hip(kernel.text, "gfx950"), sizes, inputs_of(kernel, sizes))
    found = CpuExecutor().run(task)
    assert found.counters.get("lds_read_conflict_cycles", 0) == 0
    return np.array_equal(to_numbers(found.outputs["c"], config.result), product(config, task))


def require_right(config):
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    assert is_right(config)


@pytest.mark.slow_sample(48)
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("layouts", LAYOUTS[1:])
@pytest.mark.parametrize("element", BYTES)
def test_products_are_right(element, layouts, ends):
    require_right(turned(element, layouts, **ENDS[ends]))


@pytest.mark.slow_sample(12)
@pytest.mark.parametrize(
    "fields",
    [
        {"order": "pipelined"},
        {"tile": (192, 192, 64)},
        {"tile": (320, 192, 64)},
        {"waves": (4, 2), "tile": (256, 256, 64)},
        {"has_leading_dimensions": True, "stages_result": True},
        {"is_batched": True, "has_tails": True},
        {"split_k": 2, "adds_atomically": True},
    ],
    ids=str,
)
def test_with_all_that_a_gemm_may_be(fields):
    kernel = made(turned(layouts="crr", **fields))
    assert emit(kernel, prove) == kernel.text
    if not fields.keys() & {"has_leading_dimensions", "is_batched", "split_k"}:
        assert is_right(turned(layouts="crr", **fields))


@pytest.mark.slow
@pytest.mark.parametrize(("element", "read"), [("f16", "ds_read_b64_tr_b16"), ("i8", "ds_read_b64_tr_b8")])
def test_nothing_is_turned_in_registers(element, read):
    config = turned(element)
    code = compile_hip(made(config).text, "gfx950").assembly
    assert read in code
    assert "v_perm_b32" not in code
    assert not any(move.turned for move in ExpectedLoop(config).moves)
    assert read not in compile_hip(made(turned(element, instruction=(16, 16))).text, "gfx950").assembly


@pytest.mark.slow
@pytest.mark.parametrize("layouts", ["rrr", "crr"])
def test_compiled_addresses_are_those_claimed(layouts):
    kernel = made(turned(layouts=layouts))
    found = validated_kernel(kernel, compile_hip(kernel.text, "gfx950"), prove)
    assert found is not None
    assert found.is_proved, str(found)


@pytest.mark.slow_sample(10)
@pytest.mark.parametrize("layouts", ["rrr", "ccr", "crr"])
@pytest.mark.parametrize("element", ["f16", "i8"])
def test_other_layouts_are_planned_nearly_as_well(element, layouts):
    one, other = (
        planned(target="gfx950", element=element, layouts=named).candidates[0] for named in ("rcr", layouts)
    )
    assert one.cost > 0.92 * other.cost


@pytest.mark.parametrize("name", ["f16", "i8"])
@pytest.mark.parametrize("side", [16, 32])
def test_each_lane_gets_what_it_is_to_hold(name, side):
    """By plain arrays: sixteen lanes are rows of sixteen elements, transposed."""
    config = turned(name, instruction=(side, side))
    each = 8 // BYTES[name]
    held = in_pieces(config.instruction_row.b, each)
    reads = make_static_tile_distribution(addressed(held))
    holds = make_static_tile_distribution(held)
    for piece in range(int(holds.y_lengths[0]) if len(holds.y_lengths) > 1 else 1):
        ys = (piece,) if len(holds.y_lengths) > 1 else ()
        for lane in range(64):
            for element in range(each):
                first, column = lane // SIXTEEN * SIXTEEN, lane % SIXTEEN
                reader = first + element * (SIXTEEN // each) + column // each
                assert tuple(map(int, source_of(lane, element, each))) == (reader, column % each)
                assert holds(lane, *ys, element) == reads(reader, *ys, column % each)


# --- wrong ones


@pytest.mark.slow
def test_plain_reads_are_caught():
    config = turned()
    kernel = edited(
        made(config),
        r"__builtin_amdgcn_ds_read_tr16_b64_v4i16\((.*)place\)",
        r"*reinterpret_cast<const column*>(place)",
    )
    require_caught(lambda: is_right(config, kernel), None)


@pytest.mark.slow
def test_lanes_that_read_what_they_hold_are_refused(monkeypatch):
    monkeypatch.setattr("layoutalg.codegen.kernels.gemm.tiles.addressed", lambda held: held)
    require_refused(gemm(turned()), "transposed|vector access|aligned")
