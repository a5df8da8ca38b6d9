"""Encodings from digits: what a lane's number and an element's number count through.

The A operand of a 32x8 half-precision instruction: the lane is (which half of K, row), the element is
where in that half.

>>> a = encoding_of_digits(((32,), (2, 4)), lane=((K, 0), (ROW, 0)), element=((K, 1),))
>>> a.x_lengths, a.p_lengths, a.y_lengths
((32, 8), (64,), (4,))
"""

from __future__ import annotations

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.distribution.encoding import RhId
from layoutalg.length import Lengths

__all__ = ["BLOCK", "COLUMN", "COPY", "ROW", "K", "encoding_of_digits"]

# The first number of a digit, CK's major number: R, then the dimensions of X. Rows are those of the
# operand: M for A and D, N for B.
COPY, ROW, K, BLOCK = 0, 1, 2, 3
COLUMN = K

Digits = tuple[RhId, ...]


def encoding_of_digits(
    lengths: tuple[Lengths, ...], lane: Digits, element: Digits, copies: Lengths = ()
) -> TileDistributionEncoding:
    """The encoding whose lane and element count through these digits, slowest first.

    ``lengths``: for each dimension of X the lengths of its digits; a digit is named by dimension and place.
    """
    return TileDistributionEncoding(
        copies,
        lengths,
        (tuple(major for major, _ in lane),),
        (tuple(minor for _, minor in lane),),
        tuple(major for major, _ in element),
        tuple(minor for _, minor in element),
    )
