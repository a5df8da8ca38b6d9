"""Nested layouts that tests are run on, small enough to be enumerated."""

from __future__ import annotations

import math
from typing import Any

import pycute
from hypothesis import strategies as st

from layoutalg.layout import Layout, make_layout
from layoutalg.layout.nest import flatten, nested_as

__all__ = [
    "compact_layouts",
    "indices",
    "layouts",
    "offsets",
    "profiles",
    "pycute_layout",
    "shapes",
    "tilers",
]

LENGTHS = st.sampled_from([1, 2, 2, 3, 4, 4, 6, 8])
STRIDES = st.sampled_from([0, 1, 1, 2, 3, 4, 6, 8, 12, 16])


@st.composite
def shapes(draw: st.DrawFn, *, most: int = 64) -> Any:
    """A length, or up to three parts that are lengths or tuples of lengths."""
    leaf = LENGTHS
    inner = leaf | st.lists(leaf, min_size=1, max_size=3).map(tuple)
    shape = draw(leaf | st.lists(inner, min_size=1, max_size=3).map(tuple))
    while math.prod(flatten(shape)) > most:
        longest = max(flatten(shape))
        leaves = list(flatten(shape))
        leaves[leaves.index(longest)] = 1
        shape = nested_as(leaves, shape)
    return shape


@st.composite
def layouts(draw: st.DrawFn, *, most: int = 64) -> Layout:
    """Any strides: offsets may meet, skip or stand still."""
    shape = draw(shapes(most=most))
    count = len(flatten(shape))
    strides = draw(st.lists(STRIDES, min_size=count, max_size=count))
    return make_layout(shape, nested_as(strides, shape))


@st.composite
def compact_layouts(draw: st.DrawFn, *, most: int = 64, gaps: bool = True) -> Layout:
    """One-to-one: the leaves in any order, each stride a multiple of what those below it span."""
    shape = draw(shapes(most=most))
    leaves = flatten(shape)
    strides, step = [0] * len(leaves), 1
    for place in draw(st.permutations(range(len(leaves)))):
        step *= draw(st.sampled_from([1, 1, 2, 3])) if gaps else 1
        strides[place] = step
        step *= leaves[place]
    return make_layout(shape, nested_as(strides, shape))


@st.composite
def tilers(draw: st.DrawFn, layout: Layout) -> Any:
    """A tiler for each of the first modes, nested where the layout is; now and then one for the whole."""
    if layout.rank == 1 or not isinstance(layout.shape, tuple) or draw(st.integers(0, 4)) == 0:
        count = int(layout.size)
        length = draw(st.sampled_from([n for n in range(1, count + 1) if count % n == 0]))
        return draw(st.sampled_from([length, make_layout(length, 1), make_layout(length, count // length)]))
    modes = layout.modes[: draw(st.integers(1, layout.rank))]
    return tuple(draw(tilers(mode)) for mode in modes)


@st.composite
def profiles(draw: st.DrawFn, shape: Any) -> Any:
    """A nesting of indices for a shape: as nested or less."""
    if not isinstance(shape, tuple) or draw(st.booleans()):
        return 0
    return tuple(draw(profiles(part)) for part in shape)


@st.composite
def indices(draw: st.DrawFn, shape: Any) -> Any:
    """An index of the shape, as nested or less."""
    if not isinstance(shape, tuple) or draw(st.booleans()):
        return draw(st.integers(0, math.prod(flatten(shape)) - 1))
    return tuple(draw(indices(part)) for part in shape)


def offsets(layout: Layout) -> list[int]:
    """The offset of every index in order, counted by hand: the first leaf is fastest."""
    found = [0]
    for length, stride in zip(flatten(layout.shape), flatten(layout.stride), strict=True):
        found = [i * stride + rest for i in range(length) for rest in found]
    return found


def pycute_layout(layout: Layout | Any) -> Any:
    """The same layout, or tiler of layouts, for pycute."""
    if isinstance(layout, tuple):
        return tuple(map(pycute_layout, layout))
    return pycute.Layout(layout.shape, layout.stride) if isinstance(layout, Layout) else layout
