"""Parts of distributed tiles: exactly the asked elements, held by the threads that held them before."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.distribution import (
    TileDistributionEncoding,
    make_static_tile_distribution,
    slice_distribution_from_x,
)
from layoutalg.length import sizes
from tests.distribution_strategies import box, element, encodings
from tests.refusals import refused

C = TileDistributionEncoding(
    (), ((1, 4, 32), (4, 1, 4, 2, 4)), ((1, 2), (1, 2)), ((1, 1), (2, 3)), (1, 2, 2, 2), (0, 0, 2, 4)
)
WHOLE = make_static_tile_distribution(C)


@st.composite
def parts(draw, encoding):
    """Begin and end in each dimension: anything, a share, or everything."""
    begins, ends = [], []
    for n in encoding.x_lengths:
        share = draw(st.sampled_from([d for d in range(1, n + 1) if n % d == 0]))
        kind = draw(st.sampled_from(["share", "share", "whole", "any"]))
        if kind == "any":
            begin = draw(st.integers(0, n - 1))
            end = draw(st.integers(begin + 1, n))
        else:
            begin = 0 if kind == "whole" else share * draw(st.integers(0, n // share - 1))
            end = n if kind == "whole" else begin + share
        begins.append(begin)
        ends.append(-1 if end == n and draw(st.booleans()) else end)
    return begins, ends


def counted(encoding, begins, ends):
    """For each thread, the elements of the part and the registers they lie in."""
    stops = [n if end == -1 else end for n, end in zip(encoding.x_lengths, ends, strict=True)]
    found: dict[tuple[int, ...], set[object]] = {}
    for ps in box(encoding.p_lengths):
        found[ps] = set()
        for ys in box(encoding.y_lengths):
            xs = element(encoding, ps, ys)
            if all(b <= x < e for b, x, e in zip(begins, xs, stops, strict=True)):
                found[ps].add((tuple(x - b for x, b in zip(xs, begins, strict=True)), ys))
    return found


def sliced(encoding, part):
    """The same of the sliced distribution."""
    made = part.distribution.encoding
    return {
        ps: {
            (element(made, ps, ys), tuple(y + o for y, o in zip(ys, part.y_origins, strict=True)))
            for ys in box(made.y_lengths)
        }
        for ps in box(encoding.p_lengths)
    }


@given(encodings(dimensions=1, most=64) | encodings(dimensions=2, most=96), st.data())
def test_a_part_has_its_elements_and_no_others_or_is_refused(encoding, data):
    begins, ends = data.draw(parts(encoding))
    try:
        part = slice_distribution_from_x(make_static_tile_distribution(encoding), begins, ends)
    except LayoutError:
        return
    stops = [n if end == -1 else end for n, end in zip(encoding.x_lengths, ends, strict=True)]
    assert part.distribution.lengths == tuple(e - b for b, e in zip(begins, stops, strict=True))
    assert part.y_lengths == part.distribution.y_lengths
    assert sliced(encoding, part) == counted(encoding, begins, ends)


@given(encodings(dimensions=1, most=64, complete=True), st.data())
def test_even_shares_of_the_slowest_registers_are_never_refused(encoding, data):
    if (1, 0) not in encoding.ys_factors:
        return
    slowest = encoding.hs_lengthss[0][0]
    share = data.draw(st.sampled_from([d for d in range(1, slowest + 1) if slowest % d == 0]))
    below = encoding.x_lengths[0] // slowest
    begin = share * data.draw(st.integers(0, slowest // share - 1)) * below
    ends = [begin + share * below]
    part = slice_distribution_from_x(make_static_tile_distribution(encoding), [begin], ends)
    assert sliced(encoding, part) == counted(encoding, [begin], ends)


@pytest.mark.parametrize(("end", "row"), [(32, (1, 1, 4, 2, 4)), (8, (1, 1, 1, 2, 4)), (16, (1, 1, 2, 2, 4))])
def test_cks_documented_parts_are_as_documented(end, row):
    part = slice_distribution_from_x(WHOLE, (0, 0), (-1, end))
    assert part.distribution.encoding.hs_lengthss == ((1, 4, 32), row)
    assert part.y_origins == (0, 0, 0, 0)


def test_a_part_further_on_begins_in_later_registers():
    part = slice_distribution_from_x(WHOLE, (0, 80), (-1, 96))
    assert part.y_origins == (0, 2, 2, 0)
    assert part.y_lengths == (1, 1, 2, 4)


def rows(*lengths):
    """A tile of one dimension, all of it registers of one thread."""
    count = len(lengths)
    return make_static_tile_distribution(
        TileDistributionEncoding((), (lengths,), (), (), (1,) * count, tuple(range(count)))
    )


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (
            lambda: slice_distribution_from_x(WHOLE, (0, 0), (-1, 4)),
            "3",
        ),
        (
            lambda: slice_distribution_from_x(WHOLE, (0, 0), (64, -1)),
            "X0 0 64 1",
        ),
        (
            lambda: slice_distribution_from_x(rows(2, 3), (3,), (5,)),
            "2 3",
        ),
        (
            lambda: slice_distribution_from_x(rows(3, 4), (0,), (6,)),
            "3 4",
        ),
        (lambda: slice_distribution_from_x(rows(2, 4), (2,), (6,)), ""),
        (lambda: slice_distribution_from_x(rows(2, 4), (3,), (5,)), ""),
        (lambda: slice_distribution_from_x(rows(4), (0,), (3,)), "3"),
        (lambda: slice_distribution_from_x(WHOLE, (0, 0), (0, 32)), "0 128"),
        (lambda: slice_distribution_from_x(WHOLE, (-1, 0), (-1, 32)), "X0 -1 128 0"),
        (lambda: slice_distribution_from_x(WHOLE, (0, 0), (-1, 200)), "0 128"),
        (lambda: slice_distribution_from_x(WHOLE, (0,), (-1,)), "2 1"),
        (
            lambda: slice_distribution_from_x(WHOLE, (0, 0.5), (-1, 32)),
            "x_slice_begins[1]",
        ),
        (lambda: slice_distribution_from_x(WHOLE, 0, -1), "x_slice_begins"),
        (
            lambda: slice_distribution_from_x(C, (0, 0), (-1, 32)),
            "TileDistributionEncoding",
        ),
    ],
)
def test_what_is_no_part_is_refused_with_the_reason(call, facts):
    with refused(LayoutError, *facts.split()):
        call()


def test_a_dimension_of_threads_alone_is_refused_as_in_ck():
    lanes = make_static_tile_distribution(
        TileDistributionEncoding((), ((8, 2),), ((1,),), ((0,),), (1,), (1,))
    )
    with refused(LayoutError, "y"):
        slice_distribution_from_x(lanes, (0,), (-1,))


def test_symbolic_lengths_are_to_be_bound_first():
    m = sizes("M")
    tile = make_static_tile_distribution(TileDistributionEncoding((), ((m, 2),), (), (), (1, 1), (0, 1)))
    with refused(LayoutError):
        slice_distribution_from_x(tile, (0,), (2,))
    assert slice_distribution_from_x(tile.bind({m: 4}), (4,), (8,)).y_lengths == (2, 2)
