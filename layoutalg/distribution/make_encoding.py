"""Encodings from encodings: one inside another, with dimensions reduced away, with Y in another order.

Source: CK Tile, ``core/tensor/tile_distribution_encoding.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from layoutalg.distribution.encoding import RhId, TileDistributionEncoding
from layoutalg.errors import LengthError
from layoutalg.length import integers

__all__ = [
    "make_embed_tile_distribution_encoding",
    "make_reduce_tile_distribution_encoding",
    "shuffle_tile_distribution_encoding",
]


def make_embed_tile_distribution_encoding(
    outer: TileDistributionEncoding, inner: TileDistributionEncoding
) -> TileDistributionEncoding:
    """Tiles of ``inner`` laid out by ``outer``: how CK puts a warp's instruction into a block.

    Two warps, one above the other, each with a 32x8 operand held by 64 lanes:

    >>> warps = TileDistributionEncoding((), ((2,), (1,)), ((1,),), ((0,),), (2,), (0,))
    >>> lanes = TileDistributionEncoding((), ((32,), (2, 4)), ((2, 1),), ((0, 0),), (2,), (1,))
    >>> block = make_embed_tile_distribution_encoding(warps, lanes)
    >>> block.x_lengths, block.p_lengths
    ((64, 8), (2, 64))
    """
    for given in (outer, inner):
        if not isinstance(given, TileDistributionEncoding):
            msg = f"make_embed_tile_distribution_encoding: wanted encodings, got {given!r}"
            raise LengthError(msg)
    if outer.num_x != inner.num_x:
        msg = "make_embed_tile_distribution_encoding: wanted as many dimensions outside as inside,"
        raise LengthError(f"{msg} got {outer.num_x} and {inner.num_x}")
    before = [len(row) for row in outer.rhs_lengthss]

    def pushed(majors: Sequence[int], minors: Sequence[int]) -> tuple[int, ...]:
        return tuple(minor + before[major] for major, minor in zip(majors, minors, strict=True))

    inner_ps = zip(inner.ps_to_rhss_major, inner.ps_to_rhss_minor, strict=True)
    return TileDistributionEncoding(
        outer.rs_lengths + inner.rs_lengths,
        tuple(o + i for o, i in zip(outer.hs_lengthss, inner.hs_lengthss, strict=True)),
        outer.ps_to_rhss_major + inner.ps_to_rhss_major,
        outer.ps_to_rhss_minor + tuple(pushed(*rows) for rows in inner_ps),
        outer.ys_to_rhs_major + inner.ys_to_rhs_major,
        outer.ys_to_rhs_minor + pushed(inner.ys_to_rhs_major, inner.ys_to_rhs_minor),
    )


def make_reduce_tile_distribution_encoding(
    encoding: TileDistributionEncoding, reduce_dim_xs: Sequence[int]
) -> TileDistributionEncoding:
    """The encoding of a tile reduced over some dimensions.

    Registers of a reduced dimension disappear; what its threads are told apart by becomes R, since all
    of them then hold the same sum.

    >>> c_warp = TileDistributionEncoding((), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2))
    >>> rows = make_reduce_tile_distribution_encoding(c_warp, (1,))
    >>> rows.rs_lengths, rows.x_lengths
    ((32,), (32,))
    """
    given = integers(reduce_dim_xs, "make_reduce_tile_distribution_encoding: reduce_dim_xs")
    reduced = {x + 1 for x in given}
    unknown = [x for x in given if not 0 <= x < encoding.num_x]
    if unknown:
        msg = f"make_reduce_tile_distribution_encoding: there is no dimension {unknown[0]} of X"
        raise LengthError(msg, hint=f"they are 0 to {encoding.num_x - 1}")
    kept = [major for major in range(1, encoding.num_x + 1) if major not in reduced]
    renamed: dict[RhId, RhId] = {(0, r): (0, r) for r in range(encoding.num_r)}
    rs = list(encoding.rs_lengths)
    for major, row in enumerate(encoding.hs_lengthss, start=1):
        for minor, factor_length in enumerate(row):
            if major not in reduced:
                renamed[major, minor] = (1 + kept.index(major), minor)
            elif (major, minor) not in encoding.ys_factors:
                renamed[major, minor] = (0, len(rs))
                rs.append(factor_length)
    ps = [[renamed[factor] for factor in factors] for factors in encoding.ps_factors]
    ys = [renamed[factor] for factor in encoding.ys_factors if factor[0] not in reduced]
    return TileDistributionEncoding(
        tuple(rs),
        tuple(encoding.hs_lengthss[major - 1] for major in kept),
        tuple(tuple(major for major, _ in factors) for factors in ps),
        tuple(tuple(minor for _, minor in factors) for factors in ps),
        tuple(major for major, _ in ys),
        tuple(minor for _, minor in ys),
    )


def shuffle_tile_distribution_encoding(
    encoding: TileDistributionEncoding, shuffle: Sequence[int]
) -> TileDistributionEncoding:
    """The same distribution with registers in another order: new Y ``i`` is old Y ``shuffle[i]``.

    CK calls it ``tile_distribution_encoding_shuffle_t``.
    """
    order = integers(shuffle, "shuffle")
    if sorted(order) != list(range(encoding.num_y)):
        msg = f"shuffle: wanted an order of the {encoding.num_y} dimensions Y, got {order}"
        raise LengthError(msg)
    return replace(
        encoding,
        ys_to_rhs_major=tuple(encoding.ys_to_rhs_major[i] for i in order),
        ys_to_rhs_minor=tuple(encoding.ys_to_rhs_minor[i] for i in order),
    )
