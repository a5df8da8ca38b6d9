"""The families of matrix instructions: by which rules operands lie in lanes and registers.

>>> FAMILIES["mfma"].output(16, 16, 1, 32, 64).hs_lengthss
((1, 4, 4), (16,))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.mma.mfma import f8f6f4_input, mfma_input, mfma_output
from layoutalg.mma.wmma import copied_input, dealt_output, shared_input, shared_output

__all__ = ["FAMILIES", "Family"]

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
