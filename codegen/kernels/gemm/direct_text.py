"""The text of an operand that goes from global memory straight to shared memory, by no register.

The hardware leaves what the lanes of a wave load side by side, from a place on that they share; a swizzled
layout comes about because each lane loads the element that belongs to its place. Nothing says when a copy is
there but the counter of loads. They go through buffer resources: of ``global_load_lds`` LLVM (22) believes
that the counter of LDS accesses counts it, too, and waits too little for the reads around it (mended in
llvm-project pull request 179305).
Source: LLVM, User Guide for AMDGPU Backend, ``llvm.amdgcn.raw.ptr.buffer.load.lds``; AMD Instinct MI300
Instruction Set Architecture, chapter 9.1.9 (loads into the LDS).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import sympy

from layoutalg.codegen.gfx9.waitcnt_scoreboard import COUNTERS_END
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.operand_text import OperandText
from layoutalg.codegen.text.source import INDENT
from layoutalg.codegen.text.strided_addresses import StridedText, strided_accesses

__all__ = ["BARRIER_ALONE", "DirectOperandText", "arrived"]

Lines = Iterator[str]
# ``__syncthreads`` would wait for all copies. The fences hold back the compiler, and cost nothing.
BARRIER_ALONE = (
    '__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");',
    "__builtin_amdgcn_s_barrier();",
    '__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");',
)


def arrived(under_way: int = 0) -> str:
    """A wait for all copies but those that were begun last, and for all that was read.

    >>> arrived(18)
    '__builtin_amdgcn_s_waitcnt(0x4072);  // vmcnt(18) lgkmcnt(0)'
    >>> arrived(80) == arrived(63)  # the counter has no more
    True
    """
    under_way = min(under_way, COUNTERS_END["vmcnt"])
    counts = under_way & 15 | under_way >> 4 << 14 | 7 << 4  # vmcnt in two parts, expcnt as it is
    return f"__builtin_amdgcn_s_waitcnt(0x{counts:04x});  // vmcnt({under_way}) lgkmcnt(0)"


class DirectOperandText(OperandText):
    """The statements that copy A or B to shared memory and read it there."""

    @cached_property
    def stores(self) -> StridedText:
        """Where the first lane's share goes, by number of the copy."""
        window = self.operand.store
        lane = window.distribution.ps[-1]
        offset = window.index_map().outputs[0].xreplace({lane: sympy.Integer(0)})
        return StridedText(f"{self.name}_copy", strided_accesses(window, offset, (-1,)), self.spell)

    def shared_memory(self) -> Lines:
        """An array for each buffer: in one, compilers wait for copies to any before reads of another."""
        names = [f"{self.name}_lds_{number}" for number in range(self.config.schedule.buffers)]
        kind, size = self.config.kind.hip, int(self.operand.lds.element_space_size)
        for name in names:
            yield f"__shared__ __attribute__((aligned(16))) {kind} {name}[{size}];"
        yield f"{kind}* const {self.name}_lds[{len(names)}] = {{{', '.join(names)}}};"

    def types_of_piece(self) -> Lines:
        """The type of a place in shared memory."""
        yield "typedef __attribute__((address_space(3))) void shared_memory;"

    def load_function(self) -> Lines:
        """The function that copies what may lie past an end."""
        assert self.operand.buffer_loads is not None
        yield from self.operand.buffer_loads.copy_function("shared_memory", "copied")

    def registers(self) -> Lines:
        """The fragments that outlive a turn, and where lanes copy from: nowhere past the last tile."""
        yield from self.fragments()
        if self.operand.whole:
            yield f"unsigned {self.name}_place;"

    def load_last(self) -> Lines:
        """Copy this thread's share of the last tile to the first buffer, what is there of it."""
        yield self.place_of_last()
        yield from self._copies(self.loads_of_last, "[0]")

    def load(self, buffer: str = "") -> Lines:
        """Copy this thread's share of a tile to a buffer of shared memory; of none that is there, nothing."""
        whole = self.operand.whole
        if whole:
            yield self.place_of_tile_left()
        yield from self._copies(self.loads, buffer, whole.access if whole else None)

    def _copies(self, loads: StridedText, buffer: str, whole: BufferAccess | None = None) -> Lines:
        """Copies of whole tiles, or of what of them is inside."""
        names = self._names(loads)
        yield from self._loops(loads, names)
        place = f"{loads.name}{loads.plus(names)}"
        into = f"(shared_memory*)({self.name}_lds{buffer} + {self.stores.address(names)})"
        if whole:
            copy = whole.copy_of_whole_tiles(into, f"{self.name}_from", f"{self.name}_place", place)
        else:
            copy = f"copied({self.name}_from, {into}, {place}, {self.is_inside(names)});"
        yield f"{INDENT * len(names)}{copy}"
