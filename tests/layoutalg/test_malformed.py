"""Malformed input: one line that names the argument, raised when the value is built, nothing else."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import re

import pytest
import sympy
from sympy import Symbol

import layoutalg as la
from layoutalg.transforms import Embed, Indexing, Merge, Pad, PassThrough, Unmerge, Xor

REAL = Symbol("r")
LOOSE = Symbol("loose", integer=True)
M, K = la.sizes("M K")
BASE = la.make_naive_tensor_descriptor_packed((4, 6))
IDENTITY = la.make_identity_tensor_adaptor((4, 6))
SPLIT = la.make_single_stage_tensor_adaptor([Unmerge((4, 6))], [(0,)], [(0, 1)])
BAD_LENGTHS = [
    0,
    -1,
    2.0,
    2.5,
    "8",
    None,
    True,
    [4],
    (4,),
    {},
    ...,
    REAL,
    LOOSE,
    sympy.Rational(1, 2),
    -M,
]
PASS = PassThrough(4), PassThrough(6)


def transforms():
    """Every transform with each bad length in each place."""
    good = {
        la.make_pass_through_transform: (8,),
        la.make_pad_transform: (8, 1, 1),
        la.make_left_pad_transform: (8, 1),
        la.make_right_pad_transform: (8, 1),
        la.make_freeze_transform: (3,),
        la.make_insert_transform: (3,),
        la.make_slice_transform: (8, 2, 5),
        la.make_modulo_transform: (4, 9),
        la.make_offset_transform: (8, 3),
        la.make_vectorize_transform: (4, 8),
    }
    allowed = {  # places where zero or a negative number means something
        (la.make_pad_transform, 1): (0,),
        (la.make_pad_transform, 2): (0,),
        (la.make_left_pad_transform, 1): (0,),
        (la.make_right_pad_transform, 1): (0,),
        (la.make_freeze_transform, 0): (0,),
        (la.make_slice_transform, 1): (0,),
        (la.make_offset_transform, 1): (0, -1, -M),
    }
    for make, arguments in good.items():
        for place in range(len(arguments)):
            for bad in BAD_LENGTHS:
                if bad in allowed.get((make, place), ()) and not isinstance(bad, bool):
                    continue
                if bad is LOOSE and (make, place) in allowed:
                    continue  # a pad or offset may be any integer symbol
                given = (*arguments[:place], bad, *arguments[place + 1 :])
                yield f"{make.__name__}{given}", lambda make=make, given=given: make(*given)
    sequences = {
        la.make_merge_transform: lambda bad: ((4, bad),),
        la.make_unmerge_transform: lambda bad: ((bad, 4),),
        la.make_replicate_transform: lambda bad: ((bad,),),
        la.make_xor_transform: lambda bad: ((8, bad),),
        la.make_embed_transform: lambda bad: ((bad, 4), (4, 1)),
    }
    for make, wrap in sequences.items():
        for bad in BAD_LENGTHS:
            yield f"{make.__name__}({bad!r})", lambda make=make, bad=bad, wrap=wrap: make(*wrap(bad))
        for bad in (4, "48", None, REAL):
            extra = ((1, 1),) if make is la.make_embed_transform else ()
            yield f"{make.__name__}({bad!r})", lambda make=make, bad=bad, extra=extra: make(bad, *extra)


def others():
    """Transforms, stages, descriptors, adaptors and coordinates put together wrongly."""
    transform, single = la.transform_tensor_descriptor, la.make_single_stage_tensor_adaptor
    naive, aligned = la.make_naive_tensor_descriptor, la.make_naive_tensor_descriptor_aligned
    cases = [
        lambda: Merge(()),
        lambda: Merge((4, 8), "v9"),
        lambda: Xor((8,)),
        lambda: Xor((8, 8, 8)),
        lambda: Xor((8, 8), with_modulo=1),
        lambda: Embed((4, 4), (1,)),
        lambda: Embed((4,), ("1",)),
        lambda: Embed((4,), (0.5,)),
        lambda: Unmerge((4, 4), "yes"),
        lambda: Pad(4, 1, 1, 0),
        lambda: la.make_slice_transform(8, 5, 5),
        lambda: la.make_slice_transform(8, 2, 9),
        lambda: Indexing.table(()),
        lambda: Indexing.table((1, "a")),
        lambda: Indexing(4, "i", sympy.Integer(1)),
        lambda: Indexing(4, M, "i"),
        lambda: naive((4, 4), (4,)),
        lambda: naive((4, 0), (4, 1)),
        lambda: naive(4, (4, 1)),
        lambda: naive((4, 4), 4),
        lambda: naive((4, 4), (REAL, 1)),
        lambda: naive((4, 4), (4, 1), guaranteed_vector_length=0),
        lambda: naive((4, 4), (4, 1), guaranteed_vector_stride="1"),
        lambda: aligned((4, 5), 0),
        lambda: aligned((), 8),
        lambda: aligned((4, K), 8),
        lambda: aligned((4, 5), M),
        lambda: la.make_naive_tensor_descriptor_with_offset((4,), (1,), "0"),
        lambda: la.make_naive_tensor_descriptor_packed("48"),
        lambda: transform(BASE, PASS, ((0,),), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), (1,)), ((0,),)),
        lambda: transform(BASE, PASS, ((0,), (0,)), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), (2,)), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), (-1,)), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), (1,)), ((0,), (0,))),
        lambda: transform(BASE, PASS, ((0,), (1,)), ((0,), (2,))),
        lambda: transform(BASE, PASS, ((0,), ("1",)), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), (True,)), ((0,), (1,))),
        lambda: transform(BASE, PASS, ((0,), None), ((0,), (1,))),
        lambda: transform(BASE, PASS, "01", ((0,), (1,))),
        lambda: transform(BASE, PASS, 0, ((0,), (1,))),
        lambda: transform(BASE, PASS[:1], ((0,),), ((0,),)),
        lambda: transform(BASE, PASS[0], ((0,),), ((0,),)),
        lambda: transform(BASE, (PASS[0], "pass"), ((0,), (1,)), ((0,), (1,))),
        lambda: transform(BASE, None, ((0,),), ((0,),)),
        lambda: transform(BASE, PASS[::-1], ((0,), (1,)), ((0,), (1,))),
        lambda: transform(BASE, (Merge((4, 5)),), ((0, 1),), ((0,),)),
        lambda: transform(BASE, (Merge((4, 6)),), ((0,),), ((0,),)),
        lambda: transform(BASE, (Merge((4, 6)),), ((0, 1),), ((0, 1),)),
        lambda: transform(BASE, (Merge((6, 4)),), ((0, 1),), ((0,),)),
        lambda: transform(BASE, (Unmerge((2, 3)), PASS[1]), ((0,), (1,)), ((0, 1), (2,))),
        lambda: transform(BASE, (Pad(5, 1, 1), PASS[1]), ((0,), (1,)), ((0,), (1,))),
        lambda: transform(BASE, (la.make_freeze_transform(4), PASS[1]), ((0,), (1,)), ((), (0,))),
        lambda: transform(BASE, (la.make_modulo_transform(5, 9), PASS[1]), ((0,), (1,)), ((0,), (1,))),
        lambda: transform(BASE, (PassThrough(M), PASS[1]), ((0,), (1,)), ((0,), (1,))),
        lambda: transform(IDENTITY, PASS, ((0,), (1,)), ((0,), (1,))),
        lambda: transform("descriptor", PASS, ((0,), (1,)), ((0,), (1,))),
        lambda: single(PASS, ((0,), (0,)), ((0,), (1,))),
        lambda: single(PASS, ((0,), (1,)), ((0,), (3,))),
        lambda: single(PASS, 3, ((0,), (1,))),
        lambda: la.transform_tensor_adaptor("adaptor", PASS, ((0,), (1,)), ((0,), (1,))),
        lambda: la.transform_tensor_adaptor(SPLIT, PASS[::-1], ((0,), (1,)), ((0,), (1,))),
        la.chain_tensor_adaptors,
        lambda: la.chain_tensor_adaptors(SPLIT, "above"),
        lambda: la.chain_tensor_adaptors(SPLIT, SPLIT),
        lambda: la.chain_tensor_adaptors(SPLIT, la.make_identity_tensor_adaptor((4, 5))),
        lambda: la.make_identity_tensor_adaptor(-1),
        lambda: la.make_identity_tensor_adaptor("2"),
        lambda: la.make_identity_tensor_adaptor((4, 0)),
        lambda: la.make_identity_tensor_adaptor(3).lengths,
        lambda: la.make_cluster_descriptor((4, 0)),
        lambda: la.make_cluster_descriptor((4, 8), (0, 0)),
        lambda: la.make_cluster_descriptor((4, 8), (1, 2)),
        lambda: la.make_cluster_descriptor((4, 8), 1),
        lambda: la.make_tensor_coordinate("BASE", (0, 0)),
        lambda: la.make_tensor_coordinate(BASE, (0,)),
        lambda: la.make_tensor_coordinate(BASE, (0, 0.5)),
        lambda: la.make_tensor_coordinate(BASE, (0, M)),
        lambda: la.make_tensor_coordinate(BASE, 3),
        lambda: la.make_tensor_coordinate(BASE, (1, 1)).moved((1,)),
        lambda: BASE.calculate_offset((1, "1")),
        lambda: BASE.calculate_offset((1, 2, 3)),
        lambda: BASE.merge(0, 2),
        lambda: BASE.merge(0, 0),
        lambda: BASE.unmerge(2, (2, 2)),
        lambda: BASE.unmerge(0, (3, 2)),
        lambda: BASE.pad("0", 1, 1),
        lambda: BASE.pad(0, -1, 1),
        lambda: BASE.slice(0, 0, 5),
        lambda: BASE.freeze(1, 6),
        lambda: BASE.permute(0, 0),
        lambda: BASE.permute(0),
        lambda: BASE.xor(0, 3),
        lambda: BASE.bind({"M": 3}),
        lambda: la.MagicDivision.of(0),
        lambda: la.MagicDivision.of(2**31),
        lambda: la.MagicDivision.of(7, 24),
        lambda: la.Domain.of({"x": 0}),
        lambda: la.Domain.of({"x": (4, 4)}),
        lambda: la.Domain.of({"x": 4}, {"x": (1, 2)}),
        lambda: la.Domain.of({"x": "N"}),
        lambda: la.Domain.of({"x": 4})["y"],
        lambda: la.Domain.of({"x": 4}).where(M),
        lambda: la.Domain.of({}, {"N": (1, 8, 0)}),
        lambda: la.Domain.of({}, {"N": (1,)}),
        lambda: la.Domain.of({}, {"N": (1, 8, None)}),
    ]
    for number, case in enumerate(cases):
        yield f"case {number}", case


CASES = [*transforms(), *others()]


def test_there_are_many_cases():
    assert len(CASES) > 200


@pytest.mark.sample(3)
@pytest.mark.parametrize("build", [build for _, build in CASES], ids=[name for name, _ in CASES])
def test_malformed_input_gets_one_clear_line(build):
    with pytest.raises(la.LayoutError) as caught:
        build()
    text = str(caught.value)
    assert "\n" not in text or isinstance(caught.value, la.ParseError)
    assert len(text) < 300
    assert re.search(r"[a-z]", text)
