"""CK of other versions, as other packages carry it: imported with shipped bindings, equal to the compiler."""

from __future__ import annotations

import importlib.util

import pytest

from layoutalg.check.lds_access import JudgedAccess, judged_accesses
from layoutalg.ck import attempt
from layoutalg.ck.builders import builders
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.errors import ToolError
from tests.layoutalg.ck.oracle.compiled import compiled

NOT_COMPILED = "BlockGemmARegBGmemCRegV1DefaultPolicy::MakeBSmemBlockDescriptor"  # by any compiler
# functions, and those of them that the compiler accepts and for which shipped bindings are wrong or missing
TREES = {
    "xformers==0.0.28.post3": (60, set()),
    "xformers==0.0.29": (90, {"MakeLSEaccRegTileDistribution"}),
    "flash-attn==2.7.4.post1": (127, {"MakeQRegTileDistribution"}),
    "flash-attn==2.8.0.post2": (150, set()),
    "flash-attn==2.8.3.post2": (185, set()),
}
FETCHED_BY_CI = "xformers==0.0.28.post3"
EACH = [pytest.param(tree, marks=() if tree == FETCHED_BY_CI else pytest.mark.long) for tree in TREES]
COMPILED = [
    pytest.param(tree, marks=pytest.mark.slow if tree == FETCHED_BY_CI else pytest.mark.long)
    for tree in TREES
]


def index_of(tree):
    try:
        return headers(find_root(tree), "gfx942")
    except ToolError as error:
        pytest.skip(f"{error.message}: {error.hint}")


@pytest.mark.slow
@pytest.mark.parametrize("tree", EACH)
def test_shipped_bindings_fit_each_version(tree):
    index = index_of(tree)
    functions, missing = TREES[tree]
    failed = set()
    rows = ordinals(builders(index)).items()
    for builder, ordinal in rows:
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        result = attempt(f"{builder.file}::{builder.name}#{ordinal}", bindings, index=index)
        if result.layout is None:
            failed.add(builder.name)
    assert len(rows) == functions
    assert {name.rpartition("::")[2] for name in failed - {NOT_COMPILED}} == missing


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no compiler: the wheel ziglang")
@pytest.mark.parametrize(
    "tree",
    [pytest.param(t, marks=pytest.mark.slow if t == FETCHED_BY_CI else pytest.mark.long) for t in TREES],
)
def test_the_compiled_headers_of_each_version_agree(tree):
    index = index_of(tree)
    outcome = compiled(find_root(tree), index)
    assert outcome.differ == {}
    assert outcome.not_compiled == {}
    assert len(outcome.agree) >= TREES[tree][0] - 6


@pytest.mark.parametrize("operand", "AB")
def test_reads_by_warps_of_an_older_block_gemm_are_judged(operand):
    """Its block GEMM has no distribution of its own: each warp reads the operand of its instruction."""
    index = index_of(FETCHED_BY_CI)
    name = f"BlockGemmPipelineAGmemBGmemCRegV1DefaultPolicy::Make{operand}LdsBlockDescriptor"
    file = "ops/gemm/pipeline/block_gemm_pipeline_agmem_bgmem_creg_v1_default_policy.hpp"
    bindings = default_bindings(file, name, index=index)
    judged = judged_accesses(f"{file}::{name}", bindings, index=index, defaults=True)
    assert {a.report.access.direction for a in judged if isinstance(a, JudgedAccess)} == {"write", "read"}
