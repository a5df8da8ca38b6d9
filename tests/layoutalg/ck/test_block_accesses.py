"""Who writes and reads the layouts of old CK's kernels: against plain enumerations of a kernel of our own."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import product

import pytest

from layoutalg.check.lds_access import JudgedAccess, NotJudged, judged_accesses
from layoutalg.ck import builders
from layoutalg.ck.block_accesses import ThreadAccess, block_accesses, is_block_layout
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.lds_pairs import is_lds_name
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.verdict import Proved, Refuted
from tests.golden.ck_import import has_headers, old_headers
from tests.layoutalg.ck.old_kernel import KERNEL, TARGET, kernel_bindings, kernel_index

A = f"{TARGET}::GetABlockDescriptor"
SLICE = (1, 64, 32)
needs_headers = pytest.mark.skipif(
    not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
)


def accesses(**given):
    """The accesses to A, by direction."""
    found, _ = block_accesses(A, kernel_bindings(**given), kernel_index())
    return {one.direction: one for one in found}


def judged_of(direction, index, **given):
    """The one access to A in a direction, judged."""
    found = judged_accesses(A, kernel_bindings(**given), index=index)
    judged = [one for one in found if isinstance(one, JudgedAccess)]
    [one] = [one for one in judged if one.report.access.direction == direction]
    return one


def verdicts_of(judged):
    """The verdicts by the names of their claims."""
    return {claim.name: verdict for claim, verdict in zip(judged.claims, judged.verdicts, strict=True)}


def offsets(access, scalars):
    """The offsets of each thread, as the map gives them point by point."""
    index_map, found = access.index_map(64, scalars), defaultdict(set)
    axes = index_map.domain.axes
    for at in product(*(range(0, int(v.upper), v.multiple_of) for v in axes)):
        point = {v.symbol: n for v, n in zip(axes, at, strict=True)}
        if all(condition.xreplace(point) for condition in index_map.when):
            named = {v.name: n for v, n in zip(axes, at, strict=True)}
            found[64 * named["wave"] + named["lane"]].add(int(index_map.outputs[0].xreplace(point)))
    return dict(found)


def written(cluster, order, pad, vector):
    """What CK's transfer does: threads fill the cluster in the arrange order, each has a slice of its own."""
    own = [n // c for n, c in zip(SLICE, cluster, strict=True)]
    found = defaultdict(set)
    for thread in range(math.prod(cluster)):
        left, at = thread, [0, 0, 0]
        for d in reversed(order):  # the last of the order runs fastest
            left, at[d] = divmod(left, cluster[d])
        for i, j, k in product(range(own[0]), range(own[1]), range(0, own[2], vector)):
            row, column = at[1] * own[1] + j, at[2] * own[2] + k
            found[thread].add((at[0] * own[0] + i) * 64 * (32 + pad) + row * (32 + pad) + column)
    return dict(found)


@pytest.mark.parametrize(
    ("cluster", "order"),
    [((1, 64, 4), (0, 1, 2)), ((1, 64, 4), (0, 2, 1)), ((1, 16, 4), (2, 0, 1)), ((1, 32, 2), (1, 0, 2))],
)
@pytest.mark.parametrize("pad", [0, 8])
def test_threads_of_a_group_write_their_slices(cluster, order, pad):
    texts = (", ".join(map(str, row)) for row in (cluster, order))
    access = accesses(cluster=next(texts), order=next(texts), pad=pad)["write"]
    assert access.scalars == 8
    assert offsets(access, 8) == written(cluster, order, pad, 8)


@pytest.mark.parametrize("lanes", [16, 32])
def test_a_block_gemm_reads_where_its_threads_begin_and_its_loops_move(lanes):
    wanted = defaultdict(set)
    for thread, m, k in product(range(256), range(64 // lanes), range(2)):
        row, column = thread % lanes + m * lanes, 8 * (thread % 64 // lanes) + 16 * k
        wanted[thread].add(row * 40 + column)
    assert offsets(accesses(lanes=lanes)["read"], 8) == dict(wanted)


def degree(access, size=2, banks=32):
    """The most dwords of one bank that the lanes of a quarter of a wave want at a time, for ds_write_b128."""
    rows, most = offsets(access, 8), 0
    for first in range(0, len(rows), 8):  # eight lanes fill all banks
        for number in range(len(rows[first])):
            wanted = defaultdict(set)
            for lane in range(first, first + 8):
                dword = sorted(rows[lane])[number] * size // 4
                for one in range(dword, dword + 4):
                    wanted[one % banks].add(one)
            most = max(most, *map(len, wanted.values()))
    return most


@pytest.mark.parametrize(("pad", "order"), [(0, "0, 1, 2"), (0, "0, 2, 1"), (8, "0, 1, 2"), (8, "0, 2, 1")])
def test_conflicts_of_writes_are_those_of_a_plain_count(pad, order):
    given = {"pad": pad, "order": order}
    judged = judged_of("write", kernel_index(), **given)
    wanted = degree(accesses(**given)["write"])
    assert judged.report.degree == wanted
    assert isinstance(verdicts_of(judged)["conflict-free"], Proved if wanted == 1 else Refuted)


def test_reads_out_of_the_layout_are_refuted():
    verdicts = verdicts_of(judged_of("read", kernel_index(rounds="3")))
    assert isinstance(verdicts["in logical bounds"], Refuted)
    assert isinstance(verdicts["vector contiguous"], Proved)


def test_vectors_that_end_out_of_the_layout_are_refuted():
    index = kernel_index(depth=28)  # elements 28 to 35 of 32
    verdicts = verdicts_of(judged_of("read", index, lanes=64))
    assert isinstance(verdicts["in logical bounds"], Refuted)
    assert isinstance(verdicts_of(judged_of("read", kernel_index(), lanes=64))["in logical bounds"], Proved)


def test_vectors_that_are_not_contiguous_are_refuted():
    every_other = KERNEL.replace("Number<32 + Pad>{}, Number<1>{}", "Number<64 + 2 * Pad>{}, Number<2>{}")
    verdicts = verdicts_of(judged_of("write", kernel_index(every_other)))
    assert isinstance(verdicts["vector contiguous"], Refuted)


def reasons(function, index=None, **given):
    found = judged_accesses(f"{TARGET}::{function}", kernel_bindings(**given), index=index or kernel_index())
    return {one.direction: one.reason for one in found if isinstance(one, NotJudged)}


@pytest.mark.parametrize(
    ("function", "given", "said"),
    [
        ("GetBBlockDescriptor", {}, {"write": "registers are bypassed", "read": "no transfer or block GEMM"}),
        ("GetCBlockDescriptor", {}, {"write": "problem is declared nowhere"}),
        ("GetABlockDescriptor", {"cluster": "1, 48, 4"}, {"write": "does not divide a slice of 1x64x32"}),
    ],
)
def test_what_is_not_judged_has_a_reason(function, given, said):
    found = reasons(function, **given)
    assert all(text in found[direction] for direction, text in said.items()), found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("_Float16", "pk_i4_t", "its element type pk_i4_t is packed, or not known"),
        ("index_t Lanes>\nstruct", "index_t MPerWmma>\nstruct", "WMMA, which gfx942 does not have"),
    ],
)
def test_classes_of_other_elements_or_instructions_have_a_reason(old, new, said):
    text = KERNEL.replace(old, new).replace("descriptor()), Lanes>", "descriptor()), MPerWmma>")
    text = f"namespace ck {{ struct pk_i4_t {{ }}; }}\n{text}".replace(
        "Descriptor()), Lanes", "Descriptor()), 32"
    )
    found = reasons("GetABlockDescriptor", kernel_index(text))
    assert any(said in reason for reason in found.values()), found


def test_threads_that_take_different_ways_are_not_judged():
    id_of = "if(threadIdx.x >= 128) { return 1; } return threadIdx.x;"
    index = kernel_index()
    changed = index.sources["include/ck/transfers.hpp"].text.replace("return threadIdx.x;", id_of)
    other = kernel_index()
    other.spaces.clear()
    other.add("include/ck/transfers.hpp", changed)
    other.add("include/ck/grid/gridwise_toy.hpp", index.sources["include/ck/grid/gridwise_toy.hpp"].text)
    assert "threads take different ways" in reasons("GetABlockDescriptor", other)["write"]


def test_only_layouts_of_kernels_are_in_shared_memory():
    assert is_block_layout(A)
    assert is_lds_name(f"{A}#1")
    assert not is_block_layout("ck/block/blockwise_toy.hpp::Blockwise::GetCBlockDescriptor_M_N")
    assert not is_block_layout("ops/grid/policy.hpp::Policy::GetABlockDescriptor")
    assert not is_lds_name("ck/grid/gridwise_toy.hpp::GridwiseToy::MakeAGridDescriptor")


@pytest.mark.long
@needs_headers
def test_the_kernels_of_old_ck_are_judged_with_the_shipped_bindings():
    index, found = old_headers("gfx942"), Counter[str]()
    for builder, ordinal in list(ordinals(builders(index)).items()):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        if not is_block_layout(target):
            continue
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        for one in judged_accesses(target, bindings, index=index):
            found[type(one).__name__] += 1
            if isinstance(one, JudgedAccess):
                assert all(isinstance(v, Proved | Refuted) for v in one.verdicts), one
                assert isinstance(verdicts_of(one)["in logical bounds"], Proved), one
                assert isinstance(verdicts_of(one)["vector contiguous"], Proved), one
    assert found["JudgedAccess"] >= 200
    assert found["NotJudged"] <= 70


@pytest.mark.slow
@needs_headers
def test_every_access_has_the_threads_of_its_block():
    kernel = "ck/tensor_operation/gpu/grid/gridwise_gemm_xdl_cshuffle_v3.hpp::GridwiseGemm_xdl_cshuffle_v3"
    target = f"{kernel}::GetABlockDescriptor_AK0PerBlock_MPerBlock_AK1"
    index = old_headers("gfx942")
    builder = next(b for b in builders(index) if b.name == target.partition(".hpp::")[2])
    found, read = block_accesses(target, default_bindings(builder.file, builder.name, 1, index=index), index)
    assert len(found) == 2
    assert {one.threads for one in found if isinstance(one, ThreadAccess)} == {256}
    assert "class" in read
