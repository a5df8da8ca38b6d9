"""``rearrange`` against einops itself: the same elements at the same places, the same patterns refused."""

from __future__ import annotations

from typing import Any

import einops
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutalg import (
    LengthError,
    make_identity_tensor_adaptor,
    make_merge_transform,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    make_pass_through_transform,
    make_unmerge_transform,
    sizes,
    transform_tensor_adaptor,
    transform_tensor_descriptor,
)
from layoutalg.descriptor.rearrange_pattern import PatternError
from layoutalg.transforms import Freeze, Insert, PassThrough, Unmerge
from tests.refusals import refused

ROWS = make_naive_tensor_descriptor((256, 128), (128, 1))
SHAPE = (6, 8)
M, M1, M2, K = sizes("M M1 M2 K")


def offsets(descriptor):
    """Every offset, by index."""
    found = descriptor.calculate_offset(tuple(np.indices(descriptor.lengths)))
    return np.broadcast_to(found, descriptor.lengths)


def agree_with_einops(descriptor, pattern, **lengths):
    expected = einops.rearrange(offsets(descriptor), pattern, **lengths)
    found = descriptor.rearrange(pattern, **lengths)
    assert found.lengths == expected.shape
    np.testing.assert_array_equal(offsets(found), expected)
    assert found.element_space_size == descriptor.element_space_size


@pytest.mark.parametrize(
    ("pattern", "lengths"),
    [
        ("m k -> m k", {}),
        ("m k->k m", {}),
        ("m k -> (m k)", {}),
        ("m k -> (k m)", {}),
        ("(m1 m2) k -> m1 (m2 k)", {"m2": 3}),
        ("(m1 m2)(k1 k2)->(k1 m1)(k2 m2)", {"m1": 2, "k2": 4}),
        ("(m1 m2 m3) k -> m3 k m2 m1", {"m1": 3, "m3": 1}),
        ("m k -> 1 m () k", {}),
        ("(m 1) (k) -> k (1 m)", {"m": 6}),
        ("... -> ...", {}),
        ("m ... -> ... m", {}),
        ("m k ... -> (k m) ...", {}),
        ("... (k1 k2) -> (k2 ...) k1", {"k1": 2}),
        ("m ... -> (...) m", {}),
        ("... -> (...)", {}),
        ("m k ... -> m k (...)", {}),
        ("m k -> m k ()", {"k": 8, "m": 6}),
    ],
)
def test_offsets_are_where_einops_puts_them(pattern, lengths):
    agree_with_einops(make_naive_tensor_descriptor(SHAPE, (11, 1)), pattern, **lengths)


def spelled(draw, groups, *, is_left):
    def one(group):
        bare = len(group) == 1 and ((is_left and group == ["..."]) or draw(st.integers(0, 3)) < 3)
        return group[0] if bare else f"({' '.join(group)})"

    return " ".join(map(one, groups))


@st.composite
def patterns(draw):
    """A shape, a pattern that einops takes for it, and the lengths it needs."""
    left, shape = [], []
    lengths: dict[str, int] = {}
    for _ in range(draw(st.integers(0, 3))):
        parts = draw(st.lists(st.integers(1, 4), max_size=3))
        names = [f"x{len(lengths) + i}" for i in range(len(parts))]
        lengths |= zip(names, parts, strict=True)
        left.append(names)
        shape.append(int(np.prod(parts, dtype=int)))
    names = list(lengths)
    if draw(st.booleans()):
        place = draw(st.integers(0, len(left)))
        left.insert(place, ["..."])
        shape[place:place] = draw(st.lists(st.integers(1, 3), max_size=2))
        names.append("...")
    right, rest = [], list(draw(st.permutations(names)))
    while rest or draw(st.integers(0, 3)) == 3:
        count = draw(st.integers(0, min(3, len(rest))))
        right.append(rest[:count])
        rest = rest[count:]
    for group in left:
        if group and group != ["..."] and draw(st.booleans()):
            del lengths[draw(st.sampled_from(group))]
    pattern = f"{spelled(draw, left, is_left=True)} -> {spelled(draw, right, is_left=False)}"
    return tuple(shape), pattern, lengths


@pytest.mark.slow
@settings(max_examples=100)
@given(patterns(), st.data())
def test_any_pattern_gives_what_einops_gives(case, data):
    shape, pattern, lengths = case
    strides = tuple(data.draw(st.integers(0, 40)) for _ in shape)
    agree_with_einops(make_naive_tensor_descriptor(shape, strides), pattern, **lengths)


WORDS = ("x0", "x1", "y", "(", ")", "1", "2", "...", "_a", "b_", ".", "->", "+", "a1", "()", "")


@st.composite
def spoiled(draw):
    """A good case with one word or one length changed, mostly no longer good."""
    shape, pattern, lengths = draw(patterns())
    words = pattern.replace("(", " ( ").replace(")", " ) ").split()
    place = draw(st.integers(0, len(words) - 1))
    words[place : place + draw(st.integers(0, 1))] = [draw(st.sampled_from(WORDS))]
    if draw(st.booleans()):
        lengths = lengths | {draw(st.sampled_from(["x0", "x1", "y"])): draw(st.integers(1, 4))}
    return shape, " ".join(words), lengths


def einops_refuses(call):
    """Whether einops refuses; it unpacks the sides of a pattern without a look at their number."""
    try:
        call()
    except (einops.EinopsError, ValueError):
        return True
    return False


@given(spoiled())
def test_einops_and_we_refuse_the_same_patterns(case):
    shape, pattern, lengths = case
    descriptor = make_naive_tensor_descriptor_packed(shape)
    if einops_refuses(lambda: einops.rearrange(np.zeros(shape), pattern, **lengths)):
        with pytest.raises(PatternError) as caught:
            descriptor.rearrange(pattern, **lengths)
        assert 0 <= caught.value.position <= len(pattern)
    else:
        agree_with_einops(descriptor, pattern, **lengths)


WRONG = [  # pattern, lengths, what the message says, and the text that stands from the place on
    ("m k", {}, "wanted one ->, found 0", ""),
    ("m k -> k m -> m", {}, "wanted one ->, found 2", "-> m"),
    ("(m1 m2) k -> m1 m3 k", {"m2": 2}, "m3 stands on the right side only", "m3 k"),
    ("(m1 m2) k -> m1 k", {"m2": 2}, "m2 stands on the left side only", "m2) k -> m1 k"),
    ("m m -> m", {}, "m stands twice on this side", "m -> m"),
    ("m k -> k k m", {}, "k stands twice on this side", "k m"),
    ("(m1 m2 k -> m1 m2 k", {"m2": 2}, "this parenthesis is never closed", "(m1 m2 k -> m1 m2 k"),
    ("m1 m2) k -> m1 m2 k", {"m2": 2}, "this parenthesis was never opened", ") k -> m1 m2 k"),
    ("((m1 m2) k) -> m1 m2 k", {"m2": 2}, "a group within a group", "(m1 m2) k) -> m1 m2 k"),
    ("(m 3) k -> m 3 k", {}, "wanted a name, got the number 3", "3) k -> m 3 k"),
    ("m_ k -> k m_", {}, "wanted a name, got 'm_'", "m_ k -> k m_"),
    ("m .. k -> k m", {}, "wanted a name, got '.'", ".. k -> k m"),
    ("m, k -> k m", {}, "wanted a name, got ','", ", k -> k m"),
    ("(...) -> ...", {}, "... in parentheses on the left", "...) -> ..."),
    ("m k -> k ... m", {}, "... stands on the right side only", "... m"),
    ("m -> m", {}, "the left side is made for 1 dimensions, there are 2", "-> m"),
    ("m k n ... -> n m k ...", {}, "the left side is made for 3 or more dimensions, there are 2", "n ... ->"),
    ("1 k -> k", {}, "dimension 0 has length 6, the pattern says 1", "1 k -> k"),
    ("m () -> m", {}, "dimension 1 has length 8, the pattern says 1", "() -> m"),
    ("(m1 m2) k -> m1 m2 k", {}, "the lengths of m1 and m2 are open", "m2) k -> m1 m2 k"),
    (
        "(m1 m2) k -> m1 m2 k",
        {"m2": 4},
        "dimension 0 has length 6, which m2 = 4 does not divide",
        "(m1 m2) k",
    ),
    ("m (a b) -> m a b", {"a": 2, "b": 3}, "dimension 1 has length 8, the pattern says a * b = 6", "(a b)"),
    ("m k -> k m", {"k": 9}, "dimension 1 has length 8, the pattern says k = 9", "k -> k m"),
    ("m k -> k m", {"n": 9}, "a length is given for n, which the pattern does not name", ""),
]


@pytest.mark.parametrize(("pattern", "lengths", "message", "place"), WRONG)
def test_wrong_patterns_are_refused_with_their_place(pattern, lengths, message, place):
    assert einops_refuses(lambda: einops.rearrange(np.zeros(SHAPE), pattern, **lengths))
    with pytest.raises(PatternError) as caught:
        make_naive_tensor_descriptor_packed(SHAPE).rearrange(pattern, **lengths)
    problem, shown, caret = caught.value.message.split("\n")
    assert problem == f"rearrange: {message}"
    assert shown.strip() == pattern
    assert shown[len(caret) - 1 :].startswith(place)
    assert shown[len(caret) - 1 :] or not place
    assert caught.value.hint


def test_hints_name_what_was_probably_meant():
    with refused(PatternError, hint="rows"):
        ROWS.rearrange("rows columns -> columns row")
    with refused(PatternError, "m", "k"):
        ROWS.rearrange("m k -> m q")
    with refused(PatternError, hint="m2=..."):
        ROWS.rearrange("(m1 m2) k -> m1 m2 k")


@pytest.mark.parametrize("value", [0, -2, 2.5, "2", True, None])
def test_lengths_that_are_none_are_refused(value):
    with refused(LengthError, "rearrange", "m2"):
        ROWS.rearrange("(m1 m2) k -> m1 m2 k", m2=value)


def test_a_pattern_is_text():
    sides: Any = ("m k", "k m")
    with refused(ValueError):
        ROWS.rearrange(sides)


def test_it_is_what_one_writes_by_hand():
    split, through = make_unmerge_transform((4, 64)), make_pass_through_transform
    apart = transform_tensor_descriptor(ROWS, [split, through(128)], [(0,), (1,)], [(0, 1), (2,)])
    merge = make_merge_transform((64, 128))
    together = transform_tensor_descriptor(apart, [through(4), merge], [(0,), (1, 2)], [(0,), (1,)])
    assert ROWS.rearrange("(m1 m2) k -> m1 (m2 k)", m2=64) == together
    assert ROWS.rearrange("(m1 m2) k -> m1 m2 k", m1=4) == apart == ROWS.unmerge(0, (4, 64))
    moved = transform_tensor_descriptor(ROWS, [split, through(128)], [(0,), (1,)], [(2, 0), (1,)])
    assert ROWS.rearrange("(m1 m2) k -> m2 k m1", m1=4) == moved
    assert ROWS.rearrange("m k -> k m") == ROWS.permute(1, 0)
    assert ROWS.rearrange("m k -> (m k)") == ROWS.merge(0, 1)
    assert ROWS.rearrange("m k -> m k") is ROWS
    one = make_naive_tensor_descriptor((1, 4), (4, 1))
    assert one.rearrange("1 k -> k") == one.freeze(0, 0)
    assert [type(t) for t in one.rearrange("1 k -> k 1").transforms[1:]] == [
        Freeze,
        PassThrough,
        PassThrough,
        Insert,
    ]


def test_lengths_keep_their_form():
    descriptor = make_naive_tensor_descriptor((M * (K + 1), K), (K, 1))
    assert descriptor.rearrange("m k -> k m").lengths == (K, M * (K + 1))


def test_adaptors_too():
    identity = make_identity_tensor_adaptor((256, 128))
    by_hand = transform_tensor_adaptor(
        identity, [Unmerge((4, 64)), PassThrough(128)], [(0,), (1,)], [(0, 1), (2,)]
    )
    assert identity.rearrange("(m1 m2) k -> m1 m2 k", m2=64) == by_hand
    with refused(LengthError):
        make_identity_tensor_adaptor(2).rearrange("m k -> k m")


def test_symbolic_lengths_divide_where_they_do_for_all_sizes():
    def made(length, **lengths):
        return make_naive_tensor_descriptor((length, K), (K, 1)).rearrange("(a b) k -> a b k", **lengths)

    assert made(M1 * M2, a=M1) == make_naive_tensor_descriptor((M1 * M2, K), (K, 1)).unmerge(0, (M1, M2))
    assert made(256 * M, b=64).lengths == (4 * M, 64, K)
    assert made(M * M1 + M * M2, a=M).lengths == (M, M1 + M2, K)
    assert made(M, b=M).lengths == (1, M, K)
    assert made(M, a=M1, b=M2).lengths == (M1, M2, K)  # left open by the symbols, as unmerge leaves it
    for length, lengths in ((M, {"b": 64}), (M, {"b": M1}), (96 * M, {"b": 64}), (256, {"b": M})):
        with refused(PatternError):
            made(length, **lengths)
    with refused(PatternError, "a * b", "4*M"):
        made(2 * M, a=4, b=M)
    with refused(PatternError, "0", "M", "1"):
        make_naive_tensor_descriptor((M, K), (K, 1)).rearrange("1 k -> k")


def test_symbols_bound_after_are_numbers_rearranged():
    symbolic = make_naive_tensor_descriptor((M1 * M2, K), (K, 1)).rearrange("(a b) k -> b (a k)", a=M1)
    numbers = make_naive_tensor_descriptor((12, 5), (5, 1))
    assert symbolic.bind({"M1": 3, "M2": 4, "K": 5}) == numbers.rearrange("(a b) k -> b (a k)", a=3)
