"""The examples of the documents this project comes from (CK blog, CK Tile docs, CK wrapper)."""

from __future__ import annotations

import pytest
from sympy import expand

from layoutalg import (
    Proved,
    make_embed_transform,
    make_merge_transform,
    make_merge_transform_v4_no_carry,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_aligned,
    make_naive_tensor_descriptor_packed,
    make_pad_transform,
    make_pass_through_transform,
    make_replicate_transform,
    make_slice_transform,
    make_tensor_coordinate,
    make_unmerge_transform,
    move_tensor_coordinate,
    sizes,
    transform_tensor_descriptor,
)
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.proofs import prove
from layoutalg.properties import covers, memory_bounds, one_to_one, same_map
from layoutalg.transforms import Embed


def test_blog_descriptor():
    unmerge = make_unmerge_transform((4, 64))
    assert unmerge.lower((1, 3), C_INTEGERS) == (67,)
    base = make_naive_tensor_descriptor((256, 128), (128, 1))
    assert base.lengths == (256, 128)
    rows = transform_tensor_descriptor(
        base, (unmerge, make_pass_through_transform(128)), ((0,), (1,)), ((0, 1), (2,))
    )
    assert rows.lengths == (4, 64, 128)
    assert rows.calculate_offset((1, 3, 2)) == 8578
    assert make_tensor_coordinate(rows, (1, 3, 2)).hidden_index == (8578, 67, 2, 1, 3, 2)
    assert [t.kind for t in rows.transforms] == ["embed", "unmerge", "pass_through"]
    assert rows.lower_dimension_hidden_idss == ((0,), (1,), (2,))
    assert rows.upper_dimension_hidden_idss == ((1, 2), (3, 4), (5,))
    assert rows.top_dimension_hidden_ids == (3, 4, 5)


def test_blog_merge_v4_moves_like_v3():
    rows = make_naive_tensor_descriptor((256, 128), (128, 1)).unmerge(0, (4, 64))
    merge = make_merge_transform_v4_no_carry((64, 128))
    merged = transform_tensor_descriptor(
        rows, (make_pass_through_transform(4), merge), ((0,), (1, 2)), ((0,), (1,))
    )
    assert merged.lengths == (4, 8192)
    i0, i1 = merged.index
    assert merged.offset == 8192 * i0 + i1
    coordinate = make_tensor_coordinate(merged, (1, 127))
    moved = move_tensor_coordinate(coordinate, (1, 130))
    assert moved.hidden_index == make_tensor_coordinate(merged, (2, 257)).hidden_index


def test_blog_split_for_all_sizes():
    M, M1, M2, K = sizes("M M1 M2 K")
    split = make_naive_tensor_descriptor((M, K), (K, 1)).unmerge(0, (M1, M2))
    i0, i1, i2 = split.index
    assert split.lengths == (M1, M2, K)
    assert expand(split.offset - (K * (M2 * i0 + i1) + i2)) == 0
    assert str(split.offset) == "K*(M2*i0 + i1) + i2"


def test_merge_after_unmerge_is_the_identity_for_all_sizes():
    A, B, C = sizes("A B C")
    packed = make_naive_tensor_descriptor_packed((A, B, C))
    assert packed.merge(0, 1, 2).offset == packed.merge(0, 1, 2).index[0]
    round_trip = packed.merge(0, 1, 2).unmerge(0, (A, B, C))
    assert expand(round_trip.offset - packed.offset) == 0
    assert isinstance(prove(same_map(round_trip, packed)), Proved)


def test_custom_strides():
    tensor = make_naive_tensor_descriptor((3, 4), (8, 1))
    assert tensor.calculate_offset((1, 2)) == 10
    assert tensor.element_space_size == 20  # the document's 24 rounds the last row up


def test_packed_and_aligned():
    assert make_naive_tensor_descriptor_packed((3, 4)).calculate_offset((1, 2)) == 6
    aligned = make_naive_tensor_descriptor_aligned((4, 5), 8)
    assert aligned.transforms[0] == Embed((4, 5), (8, 1))
    assert aligned.element_space_size == 29  # the document's 32 rounds the last row up


def test_two_by_six_as_two_by_two_by_three():
    made = make_naive_tensor_descriptor_packed((2, 6)).unmerge(1, (2, 3))
    assert made.lengths == (2, 2, 3)
    assert made.upper_dimension_hidden_idss == ((1, 2), (3,), (4, 5))
    i0, i1, i2 = made.index
    assert made.offset == 6 * i0 + 3 * i1 + i2


@pytest.mark.parametrize("symbolic", [False, True])
def test_five_dimensional_block_as_three(symbolic):
    issues, waves_m, waves_k, wave, vector = 64, 4, 2, 64, 4
    if symbolic:
        issues, waves_m, waves_k = sizes("NumIssues wavesPerM wavesPerK")
    block = make_naive_tensor_descriptor_packed((issues, waves_m, waves_k, wave, vector))
    seen = transform_tensor_descriptor(
        block,
        (
            make_pass_through_transform(issues),
            make_merge_transform((waves_m, waves_k)),
            make_merge_transform((wave, vector)),
        ),
        ((0,), (1, 2), (3, 4)),
        ((0,), (1,), (2,)),
    )
    i0, i1, i2 = seen.index
    assert expand(seen.offset - (256 * (waves_m * waves_k * i0 + i1) + i2)) == 0
    for claim in (memory_bounds(seen), one_to_one(seen), covers(seen)):
        assert isinstance(prove(claim), Proved)


def test_transposition():
    M, N = sizes("M N")
    matrix = make_naive_tensor_descriptor_packed((M, N))
    turned = transform_tensor_descriptor(
        matrix,
        (make_pass_through_transform(N), make_pass_through_transform(M)),
        ((1,), (0,)),
        ((0,), (1,)),
    )
    assert turned.lengths == (N, M)
    i0, i1 = turned.index
    assert turned.offset == N * i1 + i0
    assert turned == matrix.permute(1, 0)


def test_padding_for_convolution():
    N, C, H, W, pad_h, pad_w = sizes("N C H W pad_h pad_w")
    image = make_naive_tensor_descriptor_packed((N, C, H, W))
    padded = transform_tensor_descriptor(
        image,
        (
            make_pass_through_transform(N),
            make_pass_through_transform(C),
            make_pad_transform(H, pad_h, pad_h),
            make_pad_transform(W, pad_w, pad_w),
        ),
        ((0,), (1,), (2,), (3,)),
        ((0,), (1,), (2,), (3,)),
    )
    assert padded.lengths == (N, C, H + 2 * pad_h, W + 2 * pad_w)
    assert isinstance(prove(memory_bounds(padded)), Proved)
    assert isinstance(prove(one_to_one(padded)), Proved)
    small = padded.bind({"N": 1, "C": 1, "H": 4, "W": 5, "pad_h": 1, "pad_w": 2})
    assert small.is_valid_index((0, 0, 1, 2))
    assert not small.is_valid_index((0, 0, 0, 2))
    assert not small.is_valid_index((0, 0, 1, 7))
    assert small.calculate_offset((0, 0, 1, 2)) == 0


def test_slicing():
    part = transform_tensor_descriptor(
        make_naive_tensor_descriptor_packed((8, 10)),
        (make_slice_transform(8, 2, 5), make_slice_transform(10, 4, 9)),
        ((0,), (1,)),
        ((0,), (1,)),
    )
    assert part.lengths == (3, 5)
    i0, i1 = part.index
    assert part.offset == 10 * i0 + i1 + 24


def test_padding_on_transposed_strides():
    base = make_naive_tensor_descriptor((3, 4), (1, 3))
    padded = base.pad(0, 1, 1).pad(1, 0, 0)
    assert padded.lengths == (5, 4)
    assert padded.calculate_offset((1, 2)) == 6


def test_nested_merges_with_symbols():
    A, B, C, D = sizes("A B C D")
    nested = make_naive_tensor_descriptor_packed((A, B, C, D)).merge(0, 1, 2).unmerge(0, (A * B, C))
    i0, i1, i2 = nested.index
    assert nested.lengths == (A * B, C, D)
    assert expand(nested.offset - (D * (C * i0 + i1) + i2)) == 0


def test_block_tile_with_vectors():
    block = transform_tensor_descriptor(
        make_naive_tensor_descriptor_packed((64, 64)),
        (make_unmerge_transform((8, 8)), make_unmerge_transform((8, 8))),
        ((0,), (1,)),
        ((0, 2), (1, 3)),
    )
    assert block.lengths == (8, 8, 8, 8)
    tm, tn, vm, vn = block.index
    assert block.offset == 512 * tm + 8 * tn + 64 * vm + vn


def test_a_scalar_broadcast_by_replicate():
    M, N = sizes("M N")
    scalar = make_naive_tensor_descriptor_packed(())
    assert scalar.lengths == ()
    assert scalar.element_space_size == 1
    assert scalar.calculate_offset(()) == 0
    broadcast = transform_tensor_descriptor(scalar, (make_replicate_transform((M, N)),), ((),), ((0, 1),))
    assert broadcast.lengths == (M, N)
    assert broadcast.offset == 0
    assert not isinstance(prove(one_to_one(broadcast)), Proved)
    assert isinstance(prove(covers(broadcast)), Proved)


def test_convolution_window():
    """Sliding windows: embed over a padded dimension, overlapping on purpose."""
    H, R = sizes("H R")
    rows = make_naive_tensor_descriptor_packed((H,)).pad(0, 1, 1)
    windows = transform_tensor_descriptor(
        rows, (make_embed_transform((H + 3 - R, R), (1, 1)),), ((0,),), ((0, 1),)
    )
    assert windows.lengths == (H + 3 - R, R)
    assert isinstance(prove(memory_bounds(windows)), Proved)
