"""How the waves of a launch begin: what the hardware puts into their registers before the first instruction.

Source: LLVM, "User Guide for AMDGPU Backend", section "Initial Kernel Execution State".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.device_memory import MAX_ALIGNMENT, Buffer, GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.kernel_arguments import dispatch_packet
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.scratch_memory import PRIVATE_SEGMENT
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["FIRST_VGPRS", "WaveStart"]

FIRST_VGPRS = 3  # that the hardware may set before a kernel starts
DISPATCH = "dispatch packet"
USER_SGPRS = (  # order and size in which the hardware hands them out
    ("private_segment_buffer", 4),
    ("dispatch_ptr", 2),
    ("queue_ptr", 2),
    ("kernarg_segment_ptr", 2),
    ("dispatch_id", 2),
    ("flat_scratch_init", 2),
    ("private_segment_size", 1),
)
PACKED_IDS = ("gfx90a", "gfx942", "gfx950")  # all three workitem ids in one register


@dataclass(frozen=True)
class WaveStart:
    """What is the same for all waves of a launch when they start: code, sizes, memory, the argument block."""

    assembly: Assembly
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    memory: GlobalMemory
    kernargs: Buffer
    dynamic_lds: int
    lds_alignment: int = MAX_ALIGNMENT

    @property
    def lds_bytes(self) -> int:
        return self.assembly.directives.get("group_segment_fixed_size", 0) + self.dynamic_lds

    @property
    def scratch_bytes(self) -> int:
        """What each lane keeps for itself."""
        return self.assembly.directives.get("private_segment_fixed_size", 0)

    @property
    def waves(self) -> int:
        """The waves of a workgroup."""
        return math.ceil(math.prod(self.block) / LANES)

    @property
    def registers_of_lanes(self) -> tuple[int, int]:
        """How many vector registers and accumulators a wave has: they share one file.

        Where a kernel names no accumulators, all are vector registers, wherever accumulators would begin.
        """
        total = self.assembly.directives["next_free_vgpr"]
        offset = self.assembly.directives.get("accum_offset", total)
        if not self.assembly.names_accumulators:
            return max(total, FIRST_VGPRS), 0
        return max(offset, FIRST_VGPRS), max(0, total - offset)

    def batch(self, ids: NDArray[np.int64], *, only_first: bool = False) -> Waves:
        """The waves of some workgroups, with the registers the hardware sets before a kernel starts.

        ``only_first``: with room for those registers alone, and without LDS.
        """
        size, per_group = math.prod(self.block), self.waves
        vgprs, agprs = (FIRST_VGPRS, 0) if only_first else self.registers_of_lanes
        waves = Waves(
            len(ids) * per_group,
            vgprs=vgprs,
            agprs=agprs,
            memory=self.memory,
            local=LocalMemory(len(ids), 0 if only_first else self.lds_bytes, self.lds_alignment),
            workgroup=np.repeat(np.arange(len(ids)), per_group),
            scratch_bytes=0 if only_first else self.scratch_bytes,
        )
        self._set_scalars(waves, np.repeat(ids, per_group))
        thread = np.tile(np.arange(per_group * LANES).reshape(per_group, LANES), (len(ids), 1))
        _set_thread_ids(waves, self.assembly, thread, self.block)
        if size % LANES:
            alive = (thread < size).astype(np.uint64) << np.arange(LANES, dtype=np.uint64)
            waves.write_scalar64(126, slice(None), alive.sum(axis=1, dtype=np.uint64))
        return waves

    def _set_scalars(self, waves: Waves, ids: NDArray[np.int64]) -> None:
        directives, following = self.assembly.directives, 0
        for name, words in USER_SGPRS:
            if not directives.get(f"user_sgpr_{name}", 0):
                continue
            if name == "private_segment_buffer":
                for word, value in enumerate(PRIVATE_SEGMENT):
                    waves.write_scalar(following + word, slice(None), np.uint32(value))
            address = self._address(name)
            if address is not None:
                waves.write_scalar64(following, slice(None), np.full(waves.count, address, dtype=np.uint64))
            following += words  # the others are not provided: reading one is a fault
        first = directives.get("user_sgpr_kernarg_preload_offset", 0)
        preloaded = self.kernargs.content.view("<u4")[first:]
        for word in range(directives.get("user_sgpr_kernarg_preload_length", 0)):
            waves.write_scalar(following + word, slice(None), preloaded[word])
        following = directives.get("user_sgpr_count", following)
        grid = self.grid
        coordinates = (ids % grid[0], ids // grid[0] % grid[1], ids // (grid[0] * grid[1]))
        for axis, values in zip("xyz", coordinates, strict=True):
            if directives.get(f"system_sgpr_workgroup_id_{axis}", 0):
                waves.write_scalar(following, slice(None), values.astype(np.uint32))
                following += 1
        following += directives.get("system_sgpr_workgroup_info", 0)
        if directives.get("system_sgpr_private_segment_wavefront_offset", 0):
            waves.write_scalar(following, slice(None), np.uint32(0))  # every wave has scratch of its own

    def _address(self, name: str) -> int | None:
        """What a pair of user registers points at; None for what is not provided."""
        if name == "kernarg_segment_ptr":
            return self.kernargs.address
        if name == "dispatch_ptr":
            named = next((b for b in self.memory.buffers if b.name == DISPATCH), None)
            if named is None:
                packet = dispatch_packet([*self.grid], [*self.block], self.lds_bytes, self.kernargs.address)
                named = self.memory.add(DISPATCH, packet, is_set=True, is_writable=False)
            return named.address
        return None


def _set_thread_ids(
    waves: Waves, assembly: Assembly, thread: NDArray[np.int64], block: tuple[int, int, int]
) -> None:
    ids = (thread % block[0], thread // block[0] % block[1], thread // (block[0] * block[1]))
    count = assembly.directives.get("system_vgpr_workitem_id", 0) + 1
    marks = np.ones(thread.shape, dtype=bool)
    if assembly.target in PACKED_IDS:
        packed = sum(values << (10 * axis) for axis, values in enumerate(ids[:count]))
        waves.write_vector(0, slice(None), np.asarray(packed).astype(np.uint32), marks)
        return
    for register, values in enumerate(ids[:count]):
        waves.write_vector(register, slice(None), values.astype(np.uint32), marks)
