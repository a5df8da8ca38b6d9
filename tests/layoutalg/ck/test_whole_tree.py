"""The whole of CK Tile: targets that differ, what no compiler accepts, sizes left open."""

from __future__ import annotations

import pytest

from layoutalg.ck import Symbol, builders, import_layout, symbol
from layoutalg.ck.cpp.cpp_errors import RejectedError
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.ck.symbolic_imports import import_symbolic
from tests.golden.ck_import import has_headers, headers
from tests.refusals import refused

pytestmark = pytest.mark.skipif(
    not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
)
TILES = {"kTileM", "kTileN", "kTileK", "kHeadDim", "kBlockM", "kBlockN"}


def targets(arch):
    index = headers(arch)
    rows = sorted(ordinals(builders(index)).items(), key=lambda row: (row[0].file, row[0].declared.begin))
    return [(f"{b.file}::{b.name}#{n}", default_bindings(b.file, b.name, n, index=index)) for b, n in rows]


@pytest.mark.slow
def test_a_function_that_no_compiler_accepts_is_rejected():
    where = "block_gemm_areg_bgmem_creg_v1_default_policy.hpp::BlockGemmARegBGmemCRegV1DefaultPolicy"
    file, index = "gemm/block/block_gemm_areg_bgmem_creg_v1_default_policy.hpp", headers("gfx942")
    bindings = default_bindings(file, "", index=index)
    with refused(RejectedError, "make_xor_transform", "2"):
        import_layout(f"{where}::MakeBSmemBlockDescriptor", bindings, index=index)


@pytest.mark.slow
def test_banks_of_the_target_are_seen():
    """64 banks on gfx950, 32 before: the overload is chosen by a tag's type."""
    where = "gemm_universal_pipeline_ag_bg_cr_policy.hpp"
    bindings = default_bindings(where, "", index=headers("gfx942")) | {"kTileK": 32}
    found = {
        arch: import_layout(
            f"{where}::UniversalGemmBasePolicy::MakeALdsBlockDescriptor", bindings, index=headers(arch)
        ).layout
        for arch in ("gfx942", "gfx950")
    }
    first = {arch: layout.transforms[0].up_lengths[0] for arch, layout in found.items()}
    assert first["gfx950"] == 2 * first["gfx942"]


def left_open(bindings):
    """Tile sizes as symbols: at least what they were, in the same powers of two."""
    return {
        k: symbol(min=v, multiple_of=min(v & -v, 64)) if k in TILES and isinstance(v, int) else v
        for k, v in bindings.items()
    }


@pytest.mark.slow
def test_most_are_imported_with_tile_sizes_left_open_and_no_fork():
    rows = targets("gfx942")
    whole = 0
    for target, bindings in rows:
        paths = import_symbolic(target, left_open(bindings), index=headers("gfx942"), spare=bindings)
        if len(paths) != 1 or paths[0].found is None:
            continue
        whole += 1
        layout = paths[0].found.layout
        layout = getattr(layout, "encoding", layout)
        values = {}
        for key, given in left_open(bindings).items():
            if isinstance(given, Symbol):
                step = given.multiple_of
                values[f"{key}_over_{step}" if step > 1 else key] = bindings[key] // step
        names = {symbol.name for symbol in layout.free_symbols}
        bound = layout.bind({k: v for k, v in values.items() if k in names})
        concrete = import_layout(target, bindings, index=headers("gfx942")).layout
        assert bound == getattr(concrete, "encoding", concrete), target
    assert whole >= 0.7 * len(rows)
