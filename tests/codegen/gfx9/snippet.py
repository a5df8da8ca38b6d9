"""A few instructions run on chosen register contents: how tests look at single instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Assembly, parse_assembly
from layoutalg.codegen.gfx9.device_memory import GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["Snippet", "run_snippet"]

FRAME = """
.amdgcn_target "amdgcn-amd-amdhsa--{target}"
snippet:
{body}
 s_endpgm
.section .rodata
.amdhsa_kernel snippet
 .amdhsa_group_segment_fixed_size {lds}
.end_amdhsa_kernel
"""


@dataclass(frozen=True)
class Snippet:
    """The state after a run: ``v[n]`` rows of lanes, ``s[n]`` one word a wave, ``scc``, ``exec``."""

    waves: Waves
    memory: GlobalMemory
    counts: Mapping[str, int]

    def v(self, register: int, wave: int = 0) -> Any:
        return self.waves.vector[register, wave]

    def s(self, register: int, wave: int = 0) -> int:
        return int(self.waves.scalar[register, wave])

    def scc(self, wave: int = 0) -> bool:
        return bool(self.waves.scc[wave])

    def pair(self, register: int, wave: int = 0) -> int:
        return self.s(register, wave) | self.s(register + 1, wave) << 32

    @property
    def vcc(self) -> int:
        return self.pair(106)

    @property
    def exec(self) -> int:
        return self.pair(126)


def assemble(lines: str, lds: int = 0, target: str = "gfx942") -> Assembly:
    return parse_assembly(FRAME.format(body=lines, lds=lds, target=target))


def run_snippet(
    lines: str,
    *,
    v: Mapping[int, Any] | None = None,
    s: Mapping[int, int] | None = None,
    waves: int = 1,
    lds: int = 0,
    buffers: Sequence[Any] = (),
    target: str = "gfx942",
) -> Snippet:
    """Run instructions on ``waves`` waves of one workgroup.

    ``v`` and ``s`` set registers (a number, a row of 64 lanes, or rows for all waves); the others hold
    no value. Each buffer is an array; its address is put into ``s[20 + 2*i]``.
    """
    memory = GlobalMemory()
    state = Waves(waves, 64, 64, memory, LocalMemory(1, lds), workgroup=np.zeros(waves, dtype=np.int64))
    for register, value in (v or {}).items():
        lanes = np.broadcast_to(np.asarray(value, dtype=np.uint32), (waves, LANES))
        state.write_vector(register, slice(None), lanes, np.ones((waves, LANES), dtype=bool))
    for register, number in (s or {}).items():
        state.write_scalar(register, slice(None), np.asarray(number, dtype=np.uint32))
    for i, array in enumerate(buffers):
        content = array.reshape(-1).view(np.uint8)
        placed = memory.add(f"buffer{i}", content, is_set=True, is_writable=True)
        address = np.full(waves, placed.address, dtype=np.uint64)
        state.write_scalar64(20 + 2 * i, slice(None), address)
    machine = Machine(assemble(lines, lds, target))
    machine.run(state)
    return Snippet(state, memory, machine.counts.totals)
