"""A few instructions run on chosen register contents: how tests look at single instructions."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Assembly, parse_assembly
from layoutalg.codegen.gfx9.device_memory import GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.native.native_fault import NativeFault
from layoutalg.codegen.gfx9.native.native_machine import NativeMachine, WorkgroupStart
from layoutalg.codegen.gfx9.native.program import native_program
from layoutalg.codegen.gfx9.register_indexing import with_indexed_operands
from layoutalg.codegen.gfx9.registers import LANES, lane_mask, pack_lanes
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

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
    written = parse_assembly(FRAME.format(body=lines, lds=lds, target=target))
    instructions = with_indexed_operands(written.instructions, set(written.labels.values()))
    return replace(written, instructions=instructions)


def run_snippet(
    lines: str,
    *,
    v: Mapping[int, Any] | None = None,
    s: Mapping[int, int] | None = None,
    waves: int = 1,
    lds: int = 0,
    buffers: Sequence[Any] = (),
    target: str = "gfx942",
    in_c: bool = True,
    scratch: int = 0,
) -> Snippet:
    """Run instructions on ``waves`` waves of one workgroup; with ``in_c`` in C too, where all is the same.

    ``v`` and ``s`` set registers (a number, a row of 64 lanes, or rows for all waves); the others hold
    no value. Each lane has ``scratch`` bytes of its own. Each buffer is an array; its address is put into
    ``s[20 + 2*i]``.
    """
    memory = GlobalMemory()
    local, group = LocalMemory(1, lds), np.zeros(waves, dtype=np.int64)
    state = Waves(waves, 64, 64, memory, local, workgroup=group, scratch_bytes=scratch)
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
    assembly = assemble(lines, lds, target)
    machine = Machine(assembly)
    native = _natively(assembly, state, lds) if in_c else None
    try:
        machine.run(state)
    except ExecutionFaultError:
        assert native is None or isinstance(native, NativeFault), "no fault in C"
        raise
    if native is not None:
        assert not isinstance(native, NativeFault), native
        _require_equal(state, memory, machine, native)
    return Snippet(state, memory, machine.counts.totals)


def _natively(assembly: Assembly, state: Waves, lds: int) -> NativeMachine | NativeFault:
    """The same run in compiled C, on copies: the machine after it, or where it found a fault."""
    memory = copy.deepcopy(state.memory)
    program = native_program(assembly, 64, 64)
    machine = NativeMachine(program, memory, lds, state.count, threads=1, scratch_bytes=state.scratch_bytes)
    machine.keeps_registers = True
    rows = np.concatenate([state.vector, state.accumulator]).transpose(1, 0, 2)
    marks = np.concatenate([state.vector_set, state.accumulator_set])
    packed = np.stack([pack_lanes(marks[register]) for register in range(len(marks))], axis=1)
    start = WorkgroupStart(
        np.ascontiguousarray(state.scalar.T),
        np.ascontiguousarray(state.scalar_set.T).astype(np.uint8),
        np.ascontiguousarray(rows),
        np.ascontiguousarray(packed),
    )
    try:
        machine.run([0], start)
    except NativeFault as fault:
        return fault
    return machine


def _require_equal(state: Waves, memory: GlobalMemory, machine: Machine, native: NativeMachine) -> None:
    """Registers with their marks, memory, counts and trace of both machines are the same."""
    for wave, left in enumerate(native.left):
        marks = np.concatenate([state.vector_set, state.accumulator_set])[:, wave]
        values = np.concatenate([state.vector, state.accumulator])[:, wave]
        assert (lane_mask(left.row_set) == marks).all()
        assert (left.row == values)[marks].all()
        scalars = state.scalar_set[:, wave]
        assert (left.scalar_set.astype(bool) == scalars).all()
        assert (left.scalar == state.scalar[:, wave])[scalars].all()
        assert bool(left.scc[0]) == state.scc[wave]
    for one, other in zip(memory.buffers, native.memory.buffers, strict=True):
        assert (one.content == other.content).all()
        assert (one.is_set == other.is_set).all()
    assert +native.counts.totals == +machine.counts.totals, (native.counts.totals, machine.counts.totals)
    assert native.executed == machine.executed
    assert native.trace == machine.trace
