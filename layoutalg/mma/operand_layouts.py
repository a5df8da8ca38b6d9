"""By which rules the operands of matrix instructions lie in lanes and registers.

CDNA (MFMA). A and B: a lane has one row of one block and neighbours along K. D: a lane has one column; rows
come in groups of four neighbours, dealt out to the lanes of that column in turn (in groups of one for 64-bit
results). A block that finds no lanes of its own goes to further registers.

RDNA (WMMA), 16 rows or columns to 16 lanes. RDNA3 gives all 16-lane groups of a wave the same A and B and
deals the rows of D out one at a time. RDNA4 shares A and B out as well; there a wave of 64 halves what a lane
of a wave of 32 holds, and lanes from 32 on have the second halves.

>>> FAMILIES["mfma"].output(32, 32, 1, 32, 64).hs_lengthss
((4, 2, 4), (32,))
>>> FAMILIES["mfma"].output(16, 16, 4, 32, 64).hs_lengthss
((1, 4, 4), (16,), (4, 1))
>>> FAMILIES["wmma_rdna3"].input(16, 16, 1, 16, 32).rs_lengths
(2,)
>>> FAMILIES["wmma_rdna4"].output(16, 16, 1, 32, 64).hs_lengthss
((2, 2, 4), (16,))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.distribution.encoding import RhId
from layoutalg.length import Lengths

__all__ = ["FAMILIES", "Family", "encoding_of_digits"]

# The first number of a digit, CK's major number: R, then the dimensions of X. Rows are those of the
# operand: M for A and D, N for B.
COPY, ROW, K, BLOCK = 0, 1, 2, 3
COLUMN = K

Digits = tuple[RhId, ...]
ROWS_IN_A_GROUP = 4
BYTE_RUN = 16  # neighbours along K that one lane holds of an 8-bit operand of the f8f6f4 instructions
RUN_BITS = 64  # of K that one lane of RDNA4 holds side by side: two registers


def encoding_of_digits(
    lengths: tuple[Lengths, ...], lane: Digits, element: Digits, copies: Lengths = ()
) -> TileDistributionEncoding:
    """The encoding whose lane and element count through these digits, slowest first.

    ``lengths``: for each dimension of X the lengths of its digits; a digit is named by dimension and place.

    The A operand of a 32x8 half-precision instruction: the lane is (which half of K, row), the element is
    where in that half.

    >>> a = encoding_of_digits(((32,), (2, 4)), lane=((K, 0), (ROW, 0)), element=((K, 1),))
    >>> a.x_lengths, a.p_lengths, a.y_lengths
    ((32, 8), (64,), (4,))
    """
    return TileDistributionEncoding(
        copies,
        lengths,
        (tuple(major for major, _ in lane),),
        (tuple(minor for _, minor in lane),),
        tuple(major for major, _ in element),
        tuple(minor for _, minor in element),
    )


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


Rule = Callable[[int, int, int, int, int], TileDistributionEncoding]


@dataclass(frozen=True)
class Family:
    """``input``: A or B from rows, K, blocks, bits of an element, lanes; ``output``: D from M, N and those.

    ``output_slot_bits``: the least that an element of D takes of a register, however small it is;
    ``units_per_cu``: how many such instructions a compute unit runs at a time, where a source says so.
    """

    input: Rule
    output: Rule
    output_slot_bits: int = 0
    units_per_cu: int | None = None


FAMILIES = {
    # Four matrix cores to a compute unit: the rate that AMD's calculator prints is 4 * FLOPs / cycles.
    "mfma": Family(mfma_input, mfma_output, units_per_cu=4),
    "mfma_f8f6f4": Family(f8f6f4_input, mfma_output, units_per_cu=4),
    # 16-bit results of RDNA3 sit in the low halves of registers; OPSEL would choose the high ones.
    "wmma_rdna3": Family(copied_input, dealt_output, output_slot_bits=32),
    "wmma_rdna4": Family(shared_input, shared_output),
}
