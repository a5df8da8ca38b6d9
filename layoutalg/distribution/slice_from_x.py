"""A part of a tile as a distribution of its own: CK's ``slice_distribution_from_x``.

Threads keep their places, so only registers may be cut, and only along one factor of a dimension.
CK computes with less care than it says ("TODO: add validations not across p dim"): a cut that would
have to leave out threads gives another part of the tile than asked for. That is refused here.

Source: CK Tile, ``core/tensor/tile_distribution.hpp``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from layoutalg.distribution.distribution import TileDistribution
from layoutalg.distribution.encoding import RhId, TileDistributionEncoding
from layoutalg.errors import LengthError
from layoutalg.length import integers

__all__ = ["SlicedDistribution", "slice_distribution_from_x"]

WHERE = "slice_distribution_from_x"
TO_THE_END = -1


@dataclass(frozen=True)
class SlicedDistribution:
    """The distribution of the part, and which registers of the whole tile it is."""

    distribution: TileDistribution
    y_origins: tuple[int, ...]
    y_lengths: tuple[int, ...]


def slice_distribution_from_x(
    distribution: TileDistribution, x_slice_begins: Sequence[int], x_slice_ends: Sequence[int]
) -> SlicedDistribution:
    """The part from ``x_slice_begins`` to ``x_slice_ends``, the ends left out; an end of -1 is the last.

    >>> from layoutalg.distribution.encoding import TileDistributionEncoding
    >>> c = TileDistributionEncoding(
    ...     (), ((1, 4, 32), (4, 1, 4, 2, 4)), ((1, 2), (1, 2)), ((1, 1), (2, 3)), (1, 2, 2, 2), (0, 0, 2, 4)
    ... )
    >>> part = slice_distribution_from_x(TileDistribution(c), (0, 64), (-1, 96))
    >>> part.distribution.lengths, part.y_origins, part.y_lengths
    ((128, 32), (0, 2, 0, 0), (1, 1, 4, 4))
    """
    if not isinstance(distribution, TileDistribution):
        msg = f"{WHERE}: wanted a distribution, got a {type(distribution).__name__}"
        raise LengthError(msg, hint="make_static_tile_distribution(...) makes one of an encoding")
    encoding = distribution.encoding
    begins, ends = (
        integers(given, f"{WHERE}: {name}")
        for given, name in ((x_slice_begins, "x_slice_begins"), (x_slice_ends, "x_slice_ends"))
    )
    if not len(begins) == len(ends) == encoding.num_x:
        msg = f"{WHERE}: wanted {encoding.num_x} begins and ends, got {len(begins)} and {len(ends)}"
        raise LengthError(msg)
    if encoding.free_symbols:
        msg = f"{WHERE}: wanted numbers for all lengths, got symbols"
        raise LengthError(msg, hint="fix them with bind(...)")
    cuts = [_cut(encoding, x, *part) for x, part in enumerate(zip(begins, ends, strict=True))]
    origins = {factor: origin for cut in cuts for factor, (origin, _) in cut.items()}
    lengths = {factor: length for cut in cuts for factor, (_, length) in cut.items()}
    hs = tuple(
        tuple(lengths[major, minor] for minor in range(len(row)))
        for major, row in enumerate(encoding.hs_lengthss, start=1)
    )
    return SlicedDistribution(
        TileDistribution(replace(encoding, hs_lengthss=hs), distribution.facts),
        tuple(origins[factor] for factor in encoding.ys_factors),
        tuple(lengths[factor] for factor in encoding.ys_factors),
    )


def _cut(encoding: TileDistributionEncoding, x: int, begin: int, end: int) -> dict[RhId, tuple[int, int]]:
    """For each factor of a dimension, where the part begins in it, and how much of it the part takes."""
    row = [int(length) for length in encoding.hs_lengthss[x]]
    end = math.prod(row) if end == TO_THE_END else end
    where = f"{WHERE}: X{x} from {begin} to {end}"
    if not 0 <= begin < end <= math.prod(row):
        raise LengthError(f"{where}: wanted 0 <= begin < end <= {math.prod(row)}")
    found: dict[RhId, tuple[int, int]] = {}
    left, below = end - begin, 1  # what is still to be taken, and what one step of the factor covers
    is_cut = False
    for minor in reversed(range(len(row))):
        factor, length = (x + 1, minor), row[minor]
        taken = math.gcd(length, left)
        origin = begin // below % length
        if taken < length:
            _only_registers(encoding, factor, where)
        if (is_cut and taken > 1) or origin + taken > length:
            raise LengthError(f"{where}: the part is no box of even shares of the factors {tuple(row)}")
        is_cut = is_cut or taken < length
        found[factor] = (origin if taken < length else 0, taken)
        left //= taken
        below *= length
    if left != 1:
        raise LengthError(f"{where}: {end - begin} elements are not a product of parts of {tuple(row)}")
    if not is_cut and (x + 1, 0) not in encoding.ys_factors:
        msg = f"{where}: nothing is cut, and the first factor of the dimension belongs to threads"
        raise LengthError(msg, hint="CK stops here too: 'not sliced at y dim, please check'")
    return found


def _only_registers(encoding: TileDistributionEncoding, factor: RhId, where: str) -> None:
    if factor not in encoding.ys_factors:
        msg = f"{where}: this would cut factor {factor[1]}, which tells threads apart"
        raise LengthError(msg, hint="only registers can be cut; see the lengths of the Y of this dimension")
