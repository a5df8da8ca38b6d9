"""Tile distribution encodings that tests are run on, small enough to be enumerated, and their meaning."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from layoutalg.distribution import TileDistributionEncoding

__all__ = ["box", "element", "encodings"]

LENGTHS = st.sampled_from([1, 2, 2, 3, 4])


@st.composite
def encodings(
    draw: st.DrawFn, *, dimensions: int | None = None, most: int = 200, complete: bool = False
) -> TileDistributionEncoding:
    """Any factors, each given to some P, to Y or to nobody; ``complete``: none to nobody."""
    count = draw(st.integers(1, 3)) if dimensions is None else dimensions
    hs = [draw(st.lists(LENGTHS, min_size=1, max_size=4)) for _ in range(count)]
    while math.prod(map(math.prod, hs)) > most:
        longest = max(hs, key=math.prod)
        longest[longest.index(max(longest))] = 1
    rs = draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2))
    factors = [(major, minor) for major, row in enumerate(hs, 1) for minor in range(len(row))]
    places = draw(st.permutations([*factors, *((0, r) for r in range(len(rs)))]))
    threads: list[list[tuple[int, int]]] = [[] for _ in range(draw(st.integers(0, 2)))]
    ys = []
    for factor in places:
        owner = draw(st.integers(0, 4))
        if threads and (owner < 2 or factor[0] == 0):
            threads[owner % len(threads)].append(factor)
        elif factor[0] and (complete or owner < 4):
            ys.append(factor)
    ps = [thread for thread in threads if thread]
    return TileDistributionEncoding(
        tuple(rs),
        tuple(map(tuple, hs)),
        tuple(tuple(major for major, _ in p) for p in ps),
        tuple(tuple(minor for _, minor in p) for p in ps),
        tuple(major for major, _ in ys),
        tuple(minor for _, minor in ys),
    )


def box(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All indices below some lengths."""
    return itertools.product(*map(range, lengths))


def element(encoding: TileDistributionEncoding, ps: Sequence[int], ys: Sequence[int]) -> tuple[int, ...]:
    """The element of thread ``ps`` at ``ys``, from the definition of an encoding."""
    digits = {}
    for major, minor, y in zip(encoding.ys_to_rhs_major, encoding.ys_to_rhs_minor, ys, strict=True):
        digits[major, minor] = y
    for majors, minors, p in zip(encoding.ps_to_rhss_major, encoding.ps_to_rhss_minor, ps, strict=True):
        rest = p
        for factor in reversed(list(zip(majors, minors, strict=True))):
            length = (encoding.rs_lengths, *encoding.hs_lengthss)[factor[0]][factor[1]]
            rest, digits[factor] = divmod(rest, length)
    found = []
    for major, row in enumerate(encoding.hs_lengthss, 1):
        x = 0
        for minor, length in enumerate(row):
            x = x * length + digits.get((major, minor), 0)
        found.append(x)
    return tuple(found)
