"""Seeded defects: a good layout is proved, and each way of breaking it is refuted with a witness."""

from __future__ import annotations

import pytest

from layoutalg import (
    Domain,
    IndexMap,
    Proved,
    Refuted,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
    parse,
    sizes,
)
from layoutalg.domain.points import contains
from layoutalg.proofs import prove
from layoutalg.proofs.theorems.lemmas import alone
from layoutalg.properties import (
    agree,
    bijective,
    covers,
    divides,
    fits_24bit_unmerge,
    fits_buffer,
    fits_index_type,
    fits_magic_division,
    inverse_of,
    logical_bounds,
    memory_bounds,
    monotone,
    one_to_one,
    one_writer,
    same_map,
    vector_access,
    xor_permutes,
)
from layoutalg.transforms import (
    Embed,
    Freeze,
    Indexing,
    Insert,
    LeftPad,
    Merge,
    Modulo,
    Offset,
    Pad,
    PassThrough,
    Replicate,
    RightPad,
    Slice,
    Unmerge,
    Vectorize,
    Xor,
)

M, K, N = sizes("M K N")
P = Domain.of({}, {"M": (64, 4096, 64), "K": (64, 4096, 64)})
PM, PK = P["M"], P["K"]


def chain(base, *transforms, lower=None, upper=None):
    ids = [(i,) for i in range(len(transforms))]
    return base.transform(list(transforms), lower or ids, upper or ids, check_lengths=False)


def packed(*lengths):
    return make_naive_tensor_descriptor_packed(lengths)


def of_map(text, axes, parameters=None):
    domain = Domain.of(axes, parameters or {})
    return IndexMap(domain, tuple(parse(t, domain) for t in text.split(";")))


def access(layout):
    return vector_access(layout, 1, 4)


def threads(index_map):
    return one_writer(index_map, (index_map.domain["tid"],), "store")


LDS = of_map("row;col;row*64 + (col ^ (row % 8) * 8)", {"row": 32, "col": 64})

CASES = {  # name: claim builder, good, broken
    "embed: stride too small": (
        one_to_one,
        make_naive_tensor_descriptor((M, K), (K, 1)),
        make_naive_tensor_descriptor((M, K), (K - 1, 1)),
    ),
    "embed: dimensions swapped": (
        lambda d: same_map(d, packed(M, K)),
        make_naive_tensor_descriptor((M, K), (K, 1)),
        make_naive_tensor_descriptor((M, K), (1, M)),
    ),
    "embed: gap": (covers, packed(M, K), make_naive_tensor_descriptor((M, K), (K + 1, 1))),
    "pass_through: off by one": (
        memory_bounds,
        chain(packed(M), PassThrough(M)),
        chain(packed(M), PassThrough(M + 1)),
    ),
    "pad: mask dropped": (
        memory_bounds,
        chain(packed(M), Pad(M, 1, 1)),
        chain(packed(M), Pad(M, 1, 1, True)),
    ),
    "pad: too long": (memory_bounds, chain(packed(M), Pad(M, 1, 1)), chain(packed(M), Pad(M + 1, 1, 1))),
    "left_pad: mask dropped": (
        memory_bounds,
        chain(packed(M), LeftPad(M, 2)),
        chain(packed(M), LeftPad(M, 2, True)),
    ),
    "right_pad: mask dropped": (
        memory_bounds,
        chain(packed(M), RightPad(M, 2)),
        chain(packed(M), RightPad(M, 2, True)),
    ),
    "slice: past the end": (
        logical_bounds,
        chain(packed(8), Slice(8, 1, 8)),
        chain(packed(7), Slice(8, 1, 8)),
    ),
    "offset: past the end": (memory_bounds, chain(packed(9), Offset(8, 1)), chain(packed(9), Offset(8, 2))),
    "base offset counted twice": (
        memory_bounds,
        make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 3),
        chain(packed(4, 8), Offset(4, 3), PassThrough(8)),
    ),
    "merge: swapped lengths": (
        lambda a: inverse_of(alone(Unmerge((M, K))), a),
        alone(Merge((M, K))),
        alone(Merge((K, M))),
    ),
    "merge: a length cut": (
        covers,
        packed(M, K).merge(0, 1),
        chain(packed(M, K), Merge((M, 1)), lower=[(0, 1)], upper=[(0,)]),
    ),
    "unmerge: off by one": (
        memory_bounds,
        packed(M * K).unmerge(0, (M, K)),
        chain(packed(M * K), Unmerge((M + 1, K)), lower=[(0,)], upper=[(0, 1)]),
    ),
    "unmerge: swapped": (
        lambda a: inverse_of(a, alone(Merge((M, K)))),
        alone(Unmerge((M, K))),
        alone(Unmerge((K, M))),
    ),
    "xor: columns no power of two": (xor_permutes, packed(M, 8).xor(0, 1), packed(M, 6).xor(0, 1)),
    "xor: leaves its row": (logical_bounds, packed(8, 8).xor(0, 1), packed(8, 6).xor(0, 1)),
    "xor: without modulo": (
        logical_bounds,
        packed(16, 8).xor(0, 1),
        chain(packed(16, 8), Xor((16, 8), False), lower=[(0, 1)], upper=[(0, 1)]),
    ),
    "modulo: too short": (one_to_one, chain(packed(8), Modulo(8, 8)), chain(packed(8), Modulo(7, 8))),
    "freeze: past the end": (
        memory_bounds,
        chain(packed(8, 4), Freeze(7), PassThrough(4), upper=[(), (0,)]),
        chain(packed(8, 4), Freeze(8), PassThrough(4), upper=[(), (0,)]),
    ),
    "insert: a second index for one element": (
        one_to_one,
        packed(8),
        chain(packed(8), PassThrough(8), Insert(2), lower=[(0,), ()], upper=[(0,), (1,)]),
    ),
    "replicate: not one-to-one": (
        one_to_one,
        packed(8),
        chain(packed(8), PassThrough(8), Replicate((2, 2)), lower=[(0,), ()], upper=[(0,), (1, 2)]),
    ),
    "vectorize: too long": (
        memory_bounds,
        chain(packed(32), Vectorize(4, 8)),
        chain(packed(32), Vectorize(4, 9)),
    ),
    "indexing: an entry twice": (
        one_to_one,
        chain(packed(8), Indexing.table((3, 1, 2))),
        chain(packed(8), Indexing.table((3, 1, 3))),
    ),
    "indexing: past the end": (
        memory_bounds,
        chain(packed(8), Indexing.table((3, 7))),
        chain(packed(8), Indexing.table((3, 8))),
    ),
    "vector: length no multiple": (access, packed(4, 8), packed(4, 10)),
    "vector: pitch no multiple": (
        access,
        make_naive_tensor_descriptor((M, 8), (12, 1)),
        make_naive_tensor_descriptor((M, 8), (10, 1)),
    ),
    "vector: split inside": (access, packed(4, 8), make_naive_tensor_descriptor((4, 8), (16, 2))),
    "vector: swizzle inside": (
        access,
        chain(packed(8, 2, 4), Xor((8, 2)), PassThrough(4), lower=[(0, 1), (2,)], upper=[(0, 1), (2,)]).merge(
            1, 2
        ),
        packed(8, 8).xor(0, 1),
    ),
    "vector: pad no multiple": (access, packed(4, 8).pad(1, 4, 4), packed(4, 8).pad(1, 2, 2)),
    "vector: base not aligned": (
        access,
        make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 4),
        make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 2),
    ),
    "int32: product wraps": (fits_index_type, packed(PM, PK).assuming(P), packed(PM * 1024, PK).assuming(P)),
    "int32: element space wraps": (
        fits_index_type,
        make_naive_tensor_descriptor((4, 4), (2**29, 1)),
        make_naive_tensor_descriptor((5, 4), (2**29, 1)),
    ),
    "buffer: beyond 4 GiB": (lambda d: fits_buffer(d, 4), packed(2**15, 2**15), packed(2**15, 2**15 + 1)),
    "magic division: beyond 31 bits": (
        fits_magic_division,
        packed(2**15, 2**16).merge(0, 1),
        packed(2**16, 2**16).merge(0, 1),
    ),
    "magic division: negative": (
        fits_magic_division,
        packed(4, 8).merge(0, 1),
        packed(4, 8).merge(0, 1).pad(0, 1, 1),
    ),
    "24 bits: too large": (
        fits_24bit_unmerge,
        chain(packed(2**23), Unmerge((2, 2**22), True), lower=[(0,)], upper=[(0, 1)]),
        chain(packed(2**27), Unmerge((2, 2**25), True), lower=[(0,)], upper=[(0, 1)]),
    ),
    "monotone: negative stride": (
        lambda d: monotone(d, 1),
        packed(M, K),
        make_naive_tensor_descriptor((M, K), (K, -1)),
    ),
    "monotone: xor": (lambda d: monotone(d, 1), packed(8, 8), packed(8, 8).xor(0, 1)),
    "bijective: overlap": (
        bijective,
        packed(M, K),
        make_naive_tensor_descriptor((4, 8), (7, 1)),
    ),
    "divides: tail": (lambda n: divides(64, n, P, "tiles"), PK, PK + 8),
    "divides: by nothing": (lambda n: divides(n, PK, P, "tiles"), 64, 0),
    "agree: swizzle on one side": (
        lambda r: agree(LDS, r, "LDS"),
        LDS,
        of_map("row;col;row*64 + col", {"row": 32, "col": 64}),
    ),
    "one writer: threads overlap": (
        threads,
        of_map("tid*4 + v", {"tid": "T", "v": 4}, {"T": (1, 1024)}),
        of_map("tid*3 + v", {"tid": "T", "v": 4}, {"T": (1, 1024)}),
    ),
}


def claims(build, subject):
    return tuple(build(subject))


@pytest.mark.parametrize("name", CASES)
def test_a_seeded_defect_is_refuted_with_a_witness(name):
    build, good, broken = CASES[name]
    for claim in claims(build, good):
        assert isinstance(prove(claim), Proved), claim
    refuted = 0
    for claim in claims(build, broken):
        verdict = prove(claim)
        if not isinstance(verdict, Refuted):
            continue
        refuted += 1
        assert contains(claim.domain, dict(verdict.point))
        assert verdict.explanation
        if claim.witness is None:
            assert not claim.holds(verdict.point)
    assert refuted


def test_every_transform_has_a_seeded_defect():
    kinds = {
        kind.kind
        for kind in (
            Embed,
            Freeze,
            Indexing,
            Insert,
            LeftPad,
            Merge,
            Modulo,
            Offset,
            Pad,
            PassThrough,
            Replicate,
            RightPad,
            Slice,
            Unmerge,
            Vectorize,
            Xor,
        )
    }
    assert kinds == {name.partition(":")[0] for name in CASES} & kinds
