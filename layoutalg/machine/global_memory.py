"""Global memory: how wide a lane may access it, and in what pieces it comes.

>>> GlobalMemory.of("gfx942").line_bytes, GlobalMemory.of("gfx942").widest_bytes
(128, 16)
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.machine.target import known_target

__all__ = ["BUFFER_REACH", "GLOBAL_MEMORY", "GlobalMemory"]

BUFFER_REACH = 2**32  # bytes: num_records and the byte offset of a buffer resource have 32 bits
GUIDE = "nod-ai/amd-shark-ai, AMDGPU kernel optimization guide (lines of L1 and L2 of gfx942)"
ROCM_SPECS = "ROCm documentation, GPU hardware specifications (L2 cache line)"
TO_LDS = "LLVM, AMDGPU.td (FeatureLDSLoadB96_B128)"
HBM = "CK bank-conflict slides, 2026-04: transactions of HBM are modelled with 64 bytes"


@dataclass(frozen=True)
class GlobalMemory:
    """The sizes in which one target moves global memory.

    ``line_bytes``: a cache line of L2; ``transaction_bytes``: the least that comes from memory;
    ``widest_bytes``: the most that one lane moves in one instruction; ``to_lds_bytes``: the most that goes
    straight to LDS so, 0 where nothing does.
    """

    target: str
    line_bytes: int
    transaction_bytes: int
    widest_bytes: int
    to_lds_bytes: int
    source: str

    @classmethod
    def of(cls, target: str) -> GlobalMemory:
        """The row of a target."""
        where = f"nothing is known about the global memory of {target!r}"
        return GLOBAL_MEMORY[known_target(target, GLOBAL_MEMORY, where=where)]


GLOBAL_MEMORY = {
    row.target: row
    for row in (
        GlobalMemory("gfx908", 64, 64, 16, 4, ROCM_SPECS),
        GlobalMemory("gfx90a", 128, 64, 16, 4, ROCM_SPECS),
        GlobalMemory("gfx942", 128, 64, 16, 4, f"{GUIDE}; {HBM}"),
        GlobalMemory("gfx950", 128, 64, 16, 16, f"as gfx942: {GUIDE}; {HBM}; {TO_LDS}"),
        GlobalMemory("gfx1100", 128, 64, 16, 0, ROCM_SPECS),
        GlobalMemory("gfx1201", 128, 64, 16, 0, ROCM_SPECS),
    )
}
