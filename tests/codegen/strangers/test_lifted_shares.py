"""How much of strangers' kernels is understood, with the facts that each of them needs written down."""

from __future__ import annotations

import re

import pytest

from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.gfx9.lifting import facts_of, lift
from tests.codegen.strangers.aiter_objects import code_object
from tests.codegen.strangers.ck_tile_kernels import GEMMS
from tests.codegen.strangers.test_ck_tile import loaded
from tests.golden.ck_import import has_headers

SHARE = 0.95
USUAL = [1, 8192]
STRIDE = [512, 8192, 16]  # bytes of a row, at least those that offsets of instructions take away
FEW = [1, 64]
BLOCK, GRID = [256], [64, 64, 64]
OBJECTS = {
    "gfx942/layer_norm.co": {},
    "gfx942/layer_norm_qnt.co": {},
    "gfx942/i8gemm/I8gemm_bf16_perTokenI8_BpreShuffle_128x128.co": {"P[ABC]": STRIDE},
    "gfx942/gemm_a8w8_m128_noSplitK.co": {"P[ABC]": STRIDE},
    "gfx942/gemm_a8w8_m128_splitK.co": {"P[ABC]": STRIDE, "KS": [4, 4]},
    "gfx942/fmha_v3_fwd/MI300/fwd_hd128_bf16_rtne.co": {},
    "gfx950/fmha_v3_fwd/fwd_hd128_bf16.co": {},
    "gfx942/pa/pa_bf16_noquant_gqa8_1tg_4w.co": {"batch|GQA": FEW},
    "gfx942/mla/mla_dec_stage1_bf16_a16w16_subQ16_mqa16.co": {"batch|mblk": FEW},
    "gfx942/fmoe_b16.co": {},
    "gfx942/flatmm_uk_gfx9_f16f8_128x256x128_1x4x1_16x16x32.co": {},
}


def share_of(found):
    """Accesses that are formulas, of those that data do not decide."""
    open_ones = [one for one in found.accesses if not one.is_understood]
    by_data = [one for one in open_ones if any(why.startswith("data-dependent") for why in one.missing)]
    lifted = len(found.accesses) - len(open_ones)
    return lifted / (len(found.accesses) - len(by_data)), len(by_data)


@pytest.mark.long
@pytest.mark.parametrize("name", OBJECTS)
def test_nearly_all_of_amds_objects_is_understood(name):
    content = code_object(name)
    kernel = load_object(content).kernels[0]
    known = OBJECTS[name]
    sizes = {
        place.name: next((ends for like, ends in known.items() if re.fullmatch(like, place.name)), USUAL)
        for place in kernel.arguments
        if place.kind == "by_value" and place.size == 4
    }
    facts = facts_of({"sizes": sizes, "launch": {"block": BLOCK, "grid": GRID}})
    share, _ = share_of(lift(content, facts, kernel=kernel.name))
    assert share >= SHARE


@pytest.mark.long
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("name", GEMMS)
def test_a_gemm_of_ck_tile_is_understood_through_its_partitioner(name, target):
    """Workgroups are dealt out to dies, then to groups of tiles: divisions by numbers of tiles."""
    content, kernel, places = loaded(GEMMS[name], target, 10)
    m, n, *sizes, batch = (f"arguments_{place:#x}" for place in places[3:])
    tile_m, tile_n = map(int, dict(GEMMS[name].macros)["TILE"].split(",")[:2])
    known = {size: [1, 16384] for size in (m, n, *sizes)} | {batch: [1, 1]}
    grid = [f"(({m} + {tile_m - 1})//{tile_m})*(({n} + {tile_n - 1})//{tile_n})"]
    found = lift(content, facts_of({"sizes": known, "launch": {"block": BLOCK, "grid": grid}}), kernel=kernel)
    share, by_data = share_of(found)
    assert share >= SHARE
    assert not by_data
    assert all(one.bounds.is_shown for one in found.accesses if one.space == "lds")
