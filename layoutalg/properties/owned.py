"""Owned: threads hold every element of a tile exactly once, or exactly as often as they mean to.

A distribution that is wrong here reads or writes some elements twice and others never, without a word
(rocm-libraries#7528). The claims can be asked for the threads there really are, not only for those
the encoding was made for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from layoutalg.claim import AllOf, Claim, Comparison, IndexMap
from layoutalg.index.node import as_expression
from layoutalg.properties.arguments import distribution_of
from layoutalg.properties.covers import covers_map
from layoutalg.properties.one_to_one import one_to_one_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.distribution import TileDistribution
    from layoutalg.length import Length

__all__ = ["owned", "tile_bounds"]


def owned(
    distribution: TileDistribution, subject: str = "tile", threads: Sequence[Length] | None = None
) -> Claim:
    """Every element of the tile is held, and once by the threads of each copy.

    Copies are told apart by the R that belong to a P, so that replication on purpose is none. ``threads``:
    how many warps and lanes there are, if not as many as the encoding says.

    >>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
    >>> row = make_static_tile_distribution(read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<64, 4>>, tuple<sequence<1>>,"
    ...     " tuple<sequence<0>>, sequence<1>, sequence<1>>"
    ... ))
    >>> for claim in owned(row, threads=(32,)):
    ...     print(claim)
    held once: tile: for all 0 <= lane < 32, 0 <= y0 < 4, 0 <= lane' < 32, 0 <= y0' < 4: \
if 4*lane + y0 == 4*lane' + y0', then lane == lane' and y0 == y0'
    held at all: tile: for all 0 <= z0 < 256: there are 0 <= lane < 32, 0 <= y0 < 4 with 4*lane + y0 == z0
    """
    distribution = distribution_of(distribution, "owned")
    hidden = distribution.hidden_map(threads).outputs
    encoding = distribution.encoding
    copies = tuple(hidden[distribution.hidden_ids[0, r]] for r in encoding.owned_rs)
    outputs = (*hidden[: encoding.num_x], *copies)
    index_map = IndexMap(distribution.domain_of(threads), outputs)
    lengths = (*distribution.lengths, *(encoding.rs_lengths[r] for r in encoding.owned_rs))
    once = one_to_one_map(index_map, subject)
    reached = covers_map(index_map, tuple(map(as_expression, lengths)), subject)
    return AllOf("owned", subject, (_renamed(once, "held once"), _renamed(reached, "held at all")))


def tile_bounds(
    distribution: TileDistribution, subject: str = "tile", threads: Sequence[Length] | None = None
) -> Claim:
    """No thread holds an element outside the tile; ``threads`` as in :func:`owned`.

    >>> import layoutalg as la
    >>> tile = la.read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
    ...     " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    ... )
    >>> la.prove(la.tile_bounds(la.make_static_tile_distribution(tile)))
    proved by normal form
    """
    distribution = distribution_of(distribution, "tile bounds")
    index_map = distribution.index_map(threads)
    then = []
    for x, length in zip(index_map.outputs, distribution.lengths, strict=True):
        then += [Comparison(sympy.Integer(0), "<=", x), Comparison(x, "<", as_expression(length))]
    return Claim("in tile bounds", subject, index_map.domain, tuple(then))


def _renamed(claim: Claim, name: str) -> Claim:
    return replace(claim, name=name)
