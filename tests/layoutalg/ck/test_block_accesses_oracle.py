"""Accesses of old CK's kernels to shared memory, against CK's own transfers compiled for the host and run."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from layoutalg.ck.block_accesses import LANE, ThreadAccess, block_accesses
from layoutalg.ck.class_text import class_text
from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.ck.shipped_bindings import shipped_bindings
from layoutalg.index.evaluate import evaluate
from tests.golden.ck_import import has_headers, old_headers
from tests.layoutalg.ck.oracle.recorded import C_READ, C_WRITE, OPERAND, program, recorded

pytestmark = [
    pytest.mark.skipif(
        not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
    ),
    pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no compiler: the wheel ziglang"),
]
GRID = "ck/tensor_operation/gpu/grid"
KERNEL = f"{GRID}/gridwise_gemm_xdl_cshuffle_v3.hpp::GridwiseGemm_xdl_cshuffle_v3"
FUNCTIONS = {
    "A": "GetABlockDescriptor_AK0PerBlock_MPerBlock_AK1",
    "B": "GetBBlockDescriptor_BK0PerBlock_NPerBlock_BK1",
    "C": "GetCShuffleBlockDescriptor_MBlock_MPerBlock_NBlock_NPerBlock",
}
COPIES = ("8, 32, 1", "8, 32, 1", "1, 32, 1, 8")  # threads along A, B and C
ROWS, COLUMNS = ("Row", "Col"), ("Col", "Row")  # of A and of B
FOUR, ONE = ("4, 64, 1", "4, 64, 1", "1, 32, 1, 8"), ("8, 8, 1", "8, 8, 1", "1, 16, 1, 4")
INSTANCES = {  # layouts, block size, tile and vectors, MFMA and tiles of a wave, copies, pipeline
    "padded": (*ROWS, 256, (256, 256, 32, 8, 8), (32, 4, 4), *FOUR, "v4"),
    "xor": (*ROWS, 256, (128, 128, 64, 8, 8), (32, 2, 2), *COPIES, "v3"),
    "folded": (*COLUMNS, 256, (128, 128, 64, 8, 8), (16, 4, 4), *COPIES, "v1"),
    "one wave": (*ROWS, 64, (16, 16, 64, 8, 8), (16, 1, 1), *ONE, "v2"),
}
LAYOUT = "ck::tensor_layout::gemm::"


def device(rows):
    """An instance of the device operation whose kernel is judged."""
    a, b, block, (m, n, k, ak1, bk1), (mn, mx, nx), copy_a, copy_b, copy_c, version = rows
    names = {"Row": f"{LAYOUT}RowMajor", "Col": f"{LAYOUT}ColumnMajor"}
    same = "ck::tensor_operation::element_wise::PassThrough"
    types = "_Float16, _Float16, ck::Tuple<>, _Float16, float, _Float16"
    scalars = int(copy_c.split(", ")[3]) and 4
    return (
        f"ck::tensor_operation::device::DeviceGemm_Xdl_CShuffleV3R1<{names[a]}, {names[b]}, ck::Tuple<>, "
        f"{names['Row']}, {types}, {same}, {same}, {same}, "
        "ck::tensor_operation::device::GemmSpecialization::Default, "
        f"{block}, {m}, {n}, {k}, {ak1}, {bk1}, {mn}, {mn}, {mx}, {nx}, "
        f"ck::Sequence<{copy_a}>, ck::Sequence<1, 0, 2>, ck::Sequence<1, 0, 2>, 2, 8, 8, false, "
        f"ck::Sequence<{copy_b}>, ck::Sequence<1, 0, 2>, ck::Sequence<1, 0, 2>, 2, 8, 8, false, "
        f"1, 1, ck::Sequence<{copy_c}>, {scalars}, ck::BlockGemmPipelineScheduler::Intrawave, "
        f"ck::BlockGemmPipelineVersion::{version}, _Float16, _Float16, _Float16>"
    )


def bindings_of(name, letter):
    index, target = old_headers("gfx942"), f"{KERNEL}::{FUNCTIONS[letter]}"
    given, text = shipped_bindings(target, index), device(INSTANCES[name])
    return target, given | {"Device": text, "class": f"{text}::GridwiseGemm64"}


def told(name):
    """What is read of the headers: by access the offsets of each thread, sorted."""
    found: dict[str, list[list[list[int]]]] = {}
    for letter in FUNCTIONS:
        target, given = bindings_of(name, letter)
        accesses, _ = block_accesses(target, given, old_headers("gfx942"))
        for access in accesses:
            assert isinstance(access, ThreadAccess), access
            key = f"{letter} {access.direction}"
            found.setdefault(key, []).append(offsets_of_threads(access))
    assert all(len(rows) == 1 for rows in found.values()), {key: len(rows) for key, rows in found.items()}
    return {key: rows[0] for key, rows in found.items()}


def offsets_of_threads(access):
    """The offsets of the first elements of all accesses, a list for each thread."""
    index_map = access.index_map(64, access.scalars)
    axes = list(index_map.domain.variables)
    grids = np.meshgrid(*(np.arange(0, int(v.upper), v.multiple_of) for v in axes), indexing="ij")
    points = {v.name: grid.ravel() for v, grid in zip(axes, grids, strict=True)}
    offsets = np.broadcast_to(evaluate(index_map.outputs[0], points), points["lane"].shape)
    threads = points["wave"] * 64 + points[LANE.name]
    rows: list[list[int]] = [[] for _ in range(access.threads)]
    for thread, offset in zip(threads.tolist(), offsets.tolist(), strict=True):
        rows[thread].append(int(offset))
    return [sorted(set(row)) for row in rows]


def run(name):
    """What CK's own transfers do, with the template arguments of the same class."""
    target, given = bindings_of(name, "A")
    index = old_headers("gfx942")
    interp = Run(index, given)
    with nested_code():
        owner, _ = interp.owner_of(found_builder(index, Target.of(target))[0])
    assert owner is not None
    values = {p.name: v for p, v in zip(owner.declared.parameters, owner.arguments, strict=False)}
    text = {key: class_text(value, index) for key, value in values.items() if key in WANTED}
    parts, threads = [], INSTANCES[name][2]
    for letter, m, k in (("A", "M", "AK1Value"), ("B", "N", "BK1Value")):
        depth = f"{int(text['KPerBlock']) // int(text[k])}"
        rows = "M" if letter == "A" else "N"
        parts.append(
            OPERAND.format(
                letter=letter,
                lower=letter.lower(),
                threads=threads,
                function=FUNCTIONS[letter],
                slice=f"Sequence<{depth}, {text[f'{rows}PerBlock']}, {text[k]}>",
                cluster=text[f"{letter}BlockTransferThreadClusterLengths_{letter}K0_{m}_{letter}K1"],
                order=text[f"{letter}BlockTransferThreadClusterArrangeOrder"],
                scalars=text[f"{letter}BlockTransferDstScalarPerVector_{letter}K1"],
                type="_Float16",
                desc="a_block_desc_m0_m1_m2_k" if letter == "A" else "b_block_desc_n0_n1_n2_k",
            )
        )
    of_c = {"threads": threads, "function": FUNCTIONS["C"], "type": "_Float16"}
    shuffled = {"m": text["CShuffleMXdlPerWavePerShuffle"], "n": text["CShuffleNXdlPerWavePerShuffle"]}
    parts.append(C_WRITE.format(**of_c, **shuffled))
    cluster = text["CShuffleBlockTransferClusterLengths_MBlock_MPerBlock_NBlock_NPerBlock"]
    scalars = text["CShuffleBlockTransferScalarPerVector_NPerBlock"]
    parts.append(C_READ.format(**of_c, cluster=cluster, scalars=scalars))
    return recorded(program(given["class"], given["include"], parts), find_root(), "gfx942")


WANTED = {
    "KPerBlock",
    "MPerBlock",
    "NPerBlock",
    "AK1Value",
    "BK1Value",
    "ABlockTransferThreadClusterLengths_AK0_M_AK1",
    "BBlockTransferThreadClusterLengths_BK0_N_BK1",
    "ABlockTransferThreadClusterArrangeOrder",
    "BBlockTransferThreadClusterArrangeOrder",
    "ABlockTransferDstScalarPerVector_AK1",
    "BBlockTransferDstScalarPerVector_BK1",
    "CShuffleMXdlPerWavePerShuffle",
    "CShuffleNXdlPerWavePerShuffle",
    "CShuffleBlockTransferClusterLengths_MBlock_MPerBlock_NBlock_NPerBlock",
    "CShuffleBlockTransferScalarPerVector_NPerBlock",
}


@pytest.mark.long
@pytest.mark.parametrize("name", INSTANCES)
def test_threads_go_where_compiled_transfers_go(name):
    found, wanted = told(name), run(name)
    assert sorted(wanted) == ["A read", "A write", "B read", "B write", "C read", "C write"]
    assert all(len(rows) == INSTANCES[name][2] and all(rows) for rows in wanted.values())
    assert found == wanted
