"""Where the matrix instructions of RDNA keep their operands: 16 rows or columns to 16 lanes.

RDNA3 gives all 16-lane groups of a wave the same A and B and deals the rows of D out one at a time. RDNA4
shares A and B out as well; there a wave of 64 halves what a lane of a wave of 32 holds, and lanes from 32
on have the second halves.

>>> copied_input(16, 16, blocks=1, bits=16, wave_size=32).rs_lengths
(2,)
>>> dealt_output(16, 16, blocks=1, bits=32, wave_size=32).hs_lengthss
((8, 2, 1), (16,))
>>> shared_output(16, 16, blocks=1, bits=32, wave_size=64).hs_lengthss
((2, 2, 4), (16,))
"""

from __future__ import annotations

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.mma.lane_digits import COLUMN, COPY, ROW, K, encoding_of_digits

__all__ = ["copied_input", "dealt_output", "shared_input", "shared_output"]

RUN_BITS = 64  # of K that one lane of RDNA4 holds side by side: two registers


def copied_input(rows: int, k: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """A or B on RDNA3: the lane is (copy, row), the element is along K."""
    del blocks, bits
    copies = (wave_size // rows,)
    return encoding_of_digits(((rows,), (k,)), ((COPY, 0), (ROW, 0)), ((K, 0),), copies)


def dealt_output(m: int, n: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """C and D on RDNA3: the lane is (row modulo groups of lanes, column)."""
    del blocks, bits
    groups = wave_size // n
    rows = (m // groups, groups, 1)
    return encoding_of_digits((rows, (n,)), ((ROW, 1), (COLUMN, 0)), ((ROW, 0), (ROW, 2)))


def shared_input(rows: int, k: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """A or B on RDNA4: in a wave of 32 the lane is (part of K, row), the element is (run, along K).

    >>> shared_input(16, 16, blocks=1, bits=16, wave_size=32).hs_lengthss
    ((16,), (2, 2, 4))
    >>> shared_input(16, 16, blocks=1, bits=8, wave_size=32).hs_lengthss
    ((16,), (2, 8))
    """
    del blocks
    held = k // 2
    run = min(held, RUN_BITS // bits)
    upper_half = wave_size == 64
    if held > run:  # two runs; in a wave of 64 the lanes from 32 on have the second
        lengths = ((rows,), (2, 2, run))
        if upper_half:
            return encoding_of_digits(lengths, ((K, 0), (K, 1), (ROW, 0)), ((K, 2),))
        return encoding_of_digits(lengths, ((K, 1), (ROW, 0)), ((K, 0), (K, 2)))
    if upper_half:  # one run, cut in two
        return encoding_of_digits(((rows,), (2, 2, run // 2)), ((K, 1), (K, 0), (ROW, 0)), ((K, 2),))
    return encoding_of_digits(((rows,), (2, run)), ((K, 0), (ROW, 0)), ((K, 1),))


def shared_output(m: int, n: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """C and D on RDNA4: the lane is (half of M, column); in a wave of 64 (quarter, half, column)."""
    del blocks, bits
    if wave_size == 32:
        return encoding_of_digits(((2, m // 2), (n,)), ((ROW, 0), (COLUMN, 0)), ((ROW, 1),))
    lane = ((ROW, 1), (ROW, 0), (COLUMN, 0))
    return encoding_of_digits(((2, 2, m // 4), (n,)), lane, ((ROW, 2),))
