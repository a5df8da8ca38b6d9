"""Where the matrix instructions of CDNA keep their operands.

A and B: a lane has one row of one block and neighbours along K. D: a lane has one column; rows come in groups
of four neighbours, dealt out to the lanes of that column in turn (in groups of one for 64-bit results).
A block that finds no lanes of its own goes to further registers.

>>> mfma_input(32, 8, blocks=1, bits=16, wave_size=64).hs_lengthss
((32,), (2, 4))
>>> mfma_output(32, 32, blocks=1, bits=32, wave_size=64).hs_lengthss
((4, 2, 4), (32,))
>>> mfma_output(16, 16, blocks=4, bits=32, wave_size=64).hs_lengthss
((1, 4, 4), (16,), (4, 1))
"""

from __future__ import annotations

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.mma.lane_digits import BLOCK, COLUMN, ROW, K, encoding_of_digits

__all__ = ["f8f6f4_input", "mfma_input", "mfma_output"]

ROWS_IN_A_GROUP = 4
BYTE_RUN = 16  # neighbours along K that one lane holds of an 8-bit operand of the f8f6f4 instructions


def mfma_input(rows: int, k: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """A (rows are M) or B (rows are N): the lane is (part of K, block, row), the element is along K.

    CK writes it with the digits ``kABKLane`` and ``kABKPerLane`` of K.
    """
    del bits
    lanes = wave_size // (rows * blocks)
    return _input(rows, k, blocks, lanes, run=k // lanes)


def f8f6f4_input(rows: int, k: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """As ``mfma_input``, but 8-bit elements come in two runs of 16, half of K apart.

    >>> f8f6f4_input(32, 64, blocks=1, bits=8, wave_size=64).hs_lengthss
    ((32,), (2, 2, 16))
    >>> f8f6f4_input(32, 64, blocks=1, bits=4, wave_size=64).hs_lengthss
    ((32,), (2, 32))
    """
    lanes = wave_size // (rows * blocks)
    return _input(rows, k, blocks, lanes, run=BYTE_RUN if bits == 8 else k // lanes)


def _input(rows: int, k: int, blocks: int, lanes: int, run: int) -> TileDistributionEncoding:
    runs = k // (lanes * run)
    digits = (lanes, run) if runs == 1 else (runs, lanes, run)
    lane_digit, run_digit = (K, len(digits) - 2), (K, len(digits) - 1)
    element = (run_digit,) if runs == 1 else ((K, 0), run_digit)
    if blocks == 1:
        return encoding_of_digits(((rows,), digits), (lane_digit, (ROW, 0)), element)
    return encoding_of_digits(((rows,), digits, (blocks,)), (lane_digit, (BLOCK, 0), (ROW, 0)), element)


def mfma_output(m: int, n: int, blocks: int, bits: int, wave_size: int) -> TileDistributionEncoding:
    """C and D: the lane is (group of rows, block, column), the element (block, group of rows, row in group).

    CK writes it with the digits ``kCM0PerLane``, ``kCMLane`` and ``kCM1PerLane`` of M.
    """
    group = 1 if bits == 64 else ROWS_IN_A_GROUP
    group_lanes = min(wave_size // n, m // group)
    groups = m // (group * group_lanes)
    block_lanes = wave_size // (n * group_lanes)
    rows, lane_row = (groups, group_lanes, group), (ROW, 1)
    element = ((ROW, 0), (ROW, 2))
    if blocks == 1:
        return encoding_of_digits((rows, (n,)), (lane_row, (COLUMN, 0)), element)
    lengths = (rows, (n,), (blocks // block_lanes, block_lanes))
    return encoding_of_digits(lengths, (lane_row, (BLOCK, 1), (COLUMN, 0)), ((BLOCK, 0), *element))
