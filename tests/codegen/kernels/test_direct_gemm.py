"""Tiles that go from global memory straight to shared memory: four buffers, swizzled by where lanes load."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, Proved
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.expected_loop import ExpectedLoop
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.schedule import SCHEDULES
from layoutalg.distribution import PlacedDistribution
from layoutalg.memory import RowSwizzle
from layoutalg.proofs import prove
from layoutalg.properties import bijective
from tests.codegen.kernels.broken import refuted, require_caught
from tests.codegen.kernels.test_gemm import launched, made
from tests.refusals import refused

DIRECT = SCHEDULES["direct"]
SMALL: dict[str, Any] = {"tile": (64, 64, 32), "waves": (2, 2), "instruction": (32, 32)}
KINDS: dict[str, dict[str, Any]] = {
    "f16": SMALL,
    "bf16": SMALL | {"instruction": (16, 16)},
    "i8": SMALL | {"tile": (64, 64, 64)},
    "f8": SMALL | {"tile": (64, 64, 64)},
    "f4x2": SMALL | {"tile": (64, 64, 64)},
    "f32": SMALL | {"tile": (64, 64, 16)},
    "f64": SMALL | {"tile": (64, 64, 8), "instruction": (16, 16)},
}
FIELDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "rows as they are": {"lds": "row-major"},
    "split": {"split_k": 2},
    "masked": {"masks_every_tile": True},
    "staged": {"stages_result": True},
    "scaled": {"has_scale": True, "stages_result": True},
    "dies": {"xcds": 8},
    "any rows": {"size_multiples": (1, 1, 8)},
}


def direct(element="f16", target="gfx950", **fields):
    return configured(
        "pipelined", target=target, element=element, order="direct", **(KINDS[element] | fields)
    )


def bytes_of_operands(m, n, k):
    """What is to be loaded of A and B of f16, where each is once."""
    return 2 * k * (m + n)


@pytest.mark.slow
@pytest.mark.parametrize("tiles", range(1, 10))
def test_any_number_of_tiles_gives_the_whole_product(tiles):
    """Turns come by fours, and what is left over behind the loop; past the last tile nothing is copied."""
    m, n, k = 67, 72, 32 * tiles - 24
    found, result = launched(direct(), sizes=(m, n, k))
    assert found.is_good
    assert found.largest_error == 0
    assert result.counters["global_load_bytes"] == 2 * bytes_of_operands(m, n, k)  # for two tiles of each


@pytest.mark.slow_sample(12)
@pytest.mark.parametrize("element", KINDS)
def test_every_type_is_exact_and_every_claim_proved(element):
    config = direct(element)
    kernel = made(config)
    assert all(isinstance(prove(claim), Proved) for claim in kernel.claims)
    names = {claim.name for claim in kernel.claims}
    assert {"lanes side by side", "read where it was left", "arrived", "conflict-free"} <= names
    k = config.tile[2]
    assert launched(config, sizes=(66, 72, 6 * k - k // 2))[0].is_good


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("name", FIELDS)
def test_with_all_that_kernels_can_do(name):
    config = direct(**FIELDS[name])
    assert all(isinstance(prove(claim), Proved) for claim in made(config).claims)
    assert launched(config, sizes=(67, 72, 200))[0].is_good


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_other_targets_copy_four_bytes_a_lane(target):
    config = direct(target=target, tile=(64, 64, 32), waves=(2, 2))
    found, result = launched(config, sizes=(70, 68, 136))
    assert found.is_good
    assert result.counters["global_loads"] == result.counters["global_loads_of_4_bytes"]


@pytest.mark.slow
def test_nothing_is_stored_to_shared_memory_and_waits_are_those_of_the_schedule():
    """As many copies may be under way as two tiles have."""
    kernel = made(direct())
    code = compile_hip(kernel.text, "gfx950").assembly
    assert "ds_write" not in code
    assert "s_waitcnt vmcnt(4) lgkmcnt(0)" in code
    assert len(re.findall(r"buffer_load_dwordx4 .* lds\n", code)) >= 4 * 2


@pytest.mark.parametrize("edit", [{"buffers": 3}, {"fragments": 1}])
def test_a_buffer_or_a_set_of_fragments_less_is_refuted(edit):
    assert refuted(replace(DIRECT, **edit).claims())


@pytest.mark.parametrize(("under_way", "is_right"), [(0, True), (2, True), (3, False)])
def test_no_more_may_be_under_way_than_tiles_begun_since(under_way, is_right):
    arrive, *others = DIRECT.turn
    order = replace(DIRECT, turn=(replace(arrive, under_way=under_way), *others))
    assert (refuted(order.claims()) == set()) == is_right


@pytest.mark.slow
def test_a_layout_that_its_reader_does_not_know_is_refuted():
    tiles = GemmTiles(direct())
    operand = tiles.a
    other = RowSwizzle(64, 32, 8, width=4, rows_per_step=1)
    held = operand.load.distribution
    assert isinstance(held, PlacedDistribution)
    assert other.elements != held.elements
    loads = replace(held, elements=other.elements)
    tiles.__dict__["a"] = replace(operand, load=replace(operand.load, distribution=loads))
    assert refuted(claims_of(tiles)) == {"read where it was left"}


BROKEN_TEXT = {  # an edit of the text, by which the result is wrong
    "a tile more under way": (r"s_waitcnt\(0x0074\)", "s_waitcnt(0x0078)"),
    "no barrier": (r"__builtin_amdgcn_s_barrier\(\);", ""),
    "the place of the neighbour": (r"a_copy = 512 \* warp", "a_copy = 512 * (warp ^ 1)"),
    "lanes load as rows are": (r"a_first = .*;", "a_first = K * (lane / 4) + 8 * (lane % 4);"),
    "turns left over": (r"turns % 4 > 1", "turns % 4 > 9"),
    "the last tile is another": (r"tile_k \* \(turns - 1\)", "tile_k * turns"),
    "no tile past the last": (r"left > 0", "left >= -8"),
    "a tile that is left out": (r"int left = turns - 1", "int left = turns - 2"),
}


@pytest.mark.sample(8, slow=4)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_text_is_caught(name):
    old, new = BROKEN_TEXT[name]

    def broken(text):
        found = re.sub(old, new, text)
        assert found != text
        return found

    def is_right():
        found, result = launched(direct(), sizes=(m, n, k), text=broken)
        return found.is_good and result.counters["global_load_bytes"] == bytes_of_operands(m, n, k)

    m, n, k = 64, 64, 32 * 10 + 8
    require_caught(is_right)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "whole tiles": ({"has_tails": False}, ""),
    "columns of A": ({"layouts": "crr"}, "K"),
    "padding": ({"lds": "padded"}, ""),
    "odd K": ({"size_multiples": (1, 1, 1)}, "K"),
    "too much": ({"tile": (256, 256, 64), "waves": (4, 2)}, "262144"),
    "RDNA": ({"target": "gfx1100", "instruction": (16, 16)}, "0"),
    "wide elements": ({"element": "f64", "target": "gfx942"}, "4"),
    "rounds along a row": ({"tile": (64, 64, 96)}, "12"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_copied_is_refused(name):
    fields, facts = REFUSED[name]
    with refused(LayoutError, *facts.split()):
        direct(**fields)


def test_rows_for_which_no_swizzle_is_free_of_conflicts_are_refused():
    config = direct("f8", tile=(64, 64, 128), instruction=(16, 16))
    with refused(LayoutError):
        _ = GemmTiles(config).a


@pytest.mark.slow_sample(16)
@pytest.mark.parametrize("element", ["f8", "f6_word", "i8"])
@pytest.mark.parametrize("sizes", [(300, 300, 960), (1024, 1024, 3840), (48, 4096, 7680)])
def test_what_is_planned_is_proved(element, sizes):
    config = planned(dict(zip("MNK", sizes, strict=True)), target="gfx950", element=element).config
    assert all(isinstance(prove(claim), Proved) for claim in made(config).claims)


def test_an_order_that_copies_without_waiting_or_leaves_too_much_is_refuted():
    arrive, *others = DIRECT.turn
    never = replace(DIRECT, turn=tuple(others))
    of_a = replace(DIRECT, turn=tuple(step for step in DIRECT.turn if step.of != "b"))
    three = [replace(step, ahead=3) if step.what == "copy" else step for step in others]
    short = replace(DIRECT, buffers=3, turn=(replace(arrive, under_way=1), *three))
    assert all(refuted(order.claims()) == {"arrived"} for order in (never, of_a, short))


@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("step", [1, 2, 4])
def test_a_swizzle_of_rows_leads_back(width, step):
    swizzle = RowSwizzle(16, 24 * 8, 8, width, step)
    rows, columns = np.indices((16, 24 * 8))
    element = swizzle.elements.calculate_bottom_index((rows, columns))
    assert (swizzle.layout.calculate_offset(element) == rows * 24 * 8 + columns).all()
    assert isinstance(prove(bijective(swizzle.elements)), Proved)


@pytest.mark.slow
def test_it_is_planned_where_lines_are_halves_in_any_case():
    """FP8 a line deep needs too many registers for two waves a SIMD; of f16 each line is read once."""
    tile = (256, 256, 64)
    plans = {kind: planned(target="gfx950", element=kind, tile=tile).config for kind in ("f8", "f16")}
    assert {kind: plan.order for kind, plan in plans.items()} == {"f8": "direct", "f16": "streamed"}


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize("element", ["f16", "f8", "i8", "f4x2"])
def test_whole_lines_are_planned_for_one_wave_with_twice_the_registers(element):
    """Each fragment serves more products, so that what goes through the LDS is less."""
    found = planned(target="gfx950", element=element).candidates[0]
    assert (found.loop.occupancy.waves, found.lines_twice) == (1, 1)
    usual, _, half = found.shares.values()
    assert usual > 0.9
    assert half > 0.59


@pytest.mark.slow
def test_the_loop_is_expected_to_wait_for_hardly_anything():
    loop = ExpectedLoop(direct("f8", tile=(256, 256, 64), waves=(4, 2)))
    assert loop.share() > 0.95
    assert loop.registers <= 232


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("element", ["f16", "f8"])
def test_compiled_addresses_are_those_claimed(element):
    kernel = made(direct(element, stages_result=element == "f8"))
    found = validated_kernel(kernel, compile_hip(kernel.text, "gfx950"), prove)
    assert found is not None
    assert found.is_proved, str(found)
