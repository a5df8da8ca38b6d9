"""Which waves run next: all waves at the same place together, block by block.

Waves of a batch advance in lock step as far as they agree. Where they part, the group that is furthest
behind runs first, so that groups meet again; now and then the foremost one does, for which others may be
waiting in a loop. A barrier holds a wave until every wave of its workgroup that has not ended has reached
one: arrivals count, not places, so waves may wait at different lines (ping-pong).

Checked on the way: that registers are not used while they are being loaded (``waitcnt_scoreboard``), that
waves of a workgroup do not race in the LDS (``lds_races``). Hazards, which want independent instructions or
``s_nop`` between two others, are found without running anything (``hazards``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.atomic_transfer import atomic_transfer
from layoutalg.codegen.gfx9.buffer_transfer import buffer_transfer
from layoutalg.codegen.gfx9.cross_lane import cross_lane_operation
from layoutalg.codegen.gfx9.global_transfer import global_transfer, scalar_load, scalar_store
from layoutalg.codegen.gfx9.local_transfer import lds_grain, local_transfer
from layoutalg.codegen.gfx9.matrix_cores import matrix_operation
from layoutalg.codegen.gfx9.mixed import mixed_arithmetic
from layoutalg.codegen.gfx9.mode_register import SETS_REGISTER, require_same_modes
from layoutalg.codegen.gfx9.packed import packed_arithmetic
from layoutalg.codegen.gfx9.registers import EXEC, VCC, Group
from layoutalg.codegen.gfx9.scalar import scalar_arithmetic
from layoutalg.codegen.gfx9.scratch_transfer import scratch_transfer
from layoutalg.codegen.gfx9.vector import vector_arithmetic
from layoutalg.codegen.gfx9.waitcnt_scoreboard import (
    RegistersOf,
    WaitcntScoreboard,
    indexed_registers,
    registers_of,
    waits_of,
)
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Execute, executed
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["Machine", "arithmetic_of", "execution_of"]

RUNNING, WAITING, ENDED = 0, 1, 2
FAIR = 256  # turns after which the foremost group has one
MOST_STEPS = 50_000_000  # instructions of one batch before it is taken to hang
NO_EFFECT = {
    "s_nop",
    "s_sleep",
    "s_setprio",
    "s_inst_prefetch",
    "s_set_gpr_idx_off",
    "v_nop",
    "v_clrexcp",
    "buffer_inv",
    "buffer_wbl2",
    "buffer_wbinvl1",
    "buffer_wbinvl1_vol",
    "s_dcache_inv",
    "s_dcache_wb",
    "s_icache_inv",
    "s_incperflevel",
    "s_decperflevel",
    "s_ttracedata",
}  # fmt: skip

VECTOR = ("v_", "ds_", "global_", "flat_", "scratch_", "buffer_")

TABLES: tuple[Callable[[Instruction], Execute | None], ...] = (
    cross_lane_operation,
    global_transfer,
    local_transfer,
    buffer_transfer,
    atomic_transfer,
    scratch_transfer,
    scalar_load,
    scalar_store,
)

_CONDITIONS: dict[str, Callable[[Waves, Group], NDArray[np.bool_]]] = {
    "s_branch": lambda waves, group: np.ones(waves.size(group), dtype=bool),
    "s_cbranch_scc0": lambda waves, group: ~waves.scc[group],
    "s_cbranch_scc1": lambda waves, group: waves.scc[group],
    "s_cbranch_vccz": lambda waves, group: waves.scalar64(VCC, group) == 0,
    "s_cbranch_vccnz": lambda waves, group: waves.scalar64(VCC, group) != 0,
    "s_cbranch_execz": lambda waves, group: waves.scalar64(EXEC, group) == 0,
    "s_cbranch_execnz": lambda waves, group: waves.scalar64(EXEC, group) != 0,
}
FLOW = {*_CONDITIONS, "s_barrier", "s_endpgm"}


@dataclass
class Machine:
    """A kernel that is decoded once and runs batches of waves; ``unchecked``: checks that are left out.

    ``counts``: costs of memory accesses; ``trace``: the spans of instructions that the first wave went
    through.
    """

    assembly: Assembly
    unchecked: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        target, instructions = self.assembly.target, self.assembly.instructions
        self._code = [_decoded(instruction, self.assembly) for instruction in instructions]
        self._uses = [registers_of(instruction) for instruction in instructions]
        checks_waits = "waits" not in self.unchecked
        self._touched = [uses.touched * checks_waits for uses in self._uses]
        self.times = np.zeros(len(instructions), dtype=np.int64)
        self._indexed = {n: bits for n, one in enumerate(instructions) if (bits := indexed_registers(one))}
        self._is_vector = [one.mnemonic.startswith(VECTOR) for one in instructions]
        self._may_skip = any(one.mnemonic == "s_setvskip" for one in instructions)
        self.counts = AccessCounts(target)
        self.trace: list[tuple[int, int]] = []
        self.costs: dict[int, Counter[str]] = {}  # of accesses by instruction: kept by the machine in C
        self._traces = True
        # places that branches lead to: groups of waves may meet there
        self._entries = frozenset(self.assembly.labels.values())

    @property
    def executed(self) -> Counter[str]:
        """How often each kind of instruction was executed, counted once a wave."""
        found: Counter[str] = Counter()
        for instruction, times in zip(self.assembly.instructions, self.times.tolist(), strict=True):
            if times:
                found[instruction.mnemonic] += times
        return found

    def run(self, waves: Waves) -> None:
        """Run all waves of a batch to their end."""
        waves.scoreboard = WaitcntScoreboard(waves.count)
        waves.counts = self.counts
        waves.local.divide(lds_grain(self.assembly.instructions, waves.local.alignment))
        waves.local.races.is_checked = "races" not in self.unchecked
        status = np.zeros(waves.count, dtype=np.int8)
        steps = turns = 0
        with np.errstate(all="ignore"):
            while True:
                running = status == RUNNING
                if not running.any():
                    if (status == ENDED).all():
                        self._traces = False
                        return
                    self._release(waves, status)
                    continue
                turns += 1
                places = waves.program_counter[running]
                place = int(places.max() if turns % FAIR == 0 else places.min())
                chosen = running & (waves.program_counter == place)
                group: Group = slice(None) if chosen.all() else np.flatnonzero(chosen)
                length = self._run_block(waves, group, place, status)
                steps += length
                if self._traces and chosen[0]:
                    self.trace.append((place, place + length))
                if steps > MOST_STEPS:
                    msg = f"{self.assembly.name} did not end within {MOST_STEPS} steps"
                    raise ExecutionFaultError(msg)

    def _run_block(self, waves: Waves, group: Group, place: int, status: Any) -> int:
        """Run a group up to and including the next instruction that directs the flow."""
        size, first, scoreboard = waves.size(group), place, waves.scoreboard
        while True:
            instruction = self._instruction(place)
            self.times[place] += size
            if scoreboard.registers & self._touched[place]:
                scoreboard.require(self._uses[place], group, instruction)
            if instruction.mnemonic in FLOW:
                self._flow(waves, group, place, status)
                return place - first + 1
            execute = self._code[place]
            if execute is not None:
                self._execute(execute, waves, group, place)
            place += 1
            if place in self._entries:
                waves.program_counter[group] = place
                return place - first

    def _execute(self, execute: Execute, waves: Waves, group: Group, place: int) -> None:
        """An instruction in those waves that do not pass over it."""
        if place in self._indexed:
            self._require_indexed(waves, group, place)
        if self._may_skip and self._is_vector[place] and waves.skips[group].any():
            group = waves.members(group)[~waves.skips[group]]
            if not len(group):
                return
        execute(waves, group)

    def _require_indexed(self, waves: Waves, group: Group, place: int) -> None:
        """Refuse registers that are still being loaded, of those that M0 chooses."""
        if "waits" in self.unchecked:
            return
        members, indices = waves.members(group), waves.indices(group)
        for index in np.unique(indices):
            uses = RegistersOf(self._indexed[place] << int(index), 0, 0, "")
            waves.scoreboard.require(uses, members[indices == index], self.assembly.instructions[place])

    def _instruction(self, place: int) -> Instruction:
        if place >= len(self.assembly.instructions):
            msg = f"{self.assembly.name}: ran past its last instruction"
            raise ExecutionFaultError(msg)
        return self.assembly.instructions[place]

    def _flow(self, waves: Waves, group: Group, place: int, status: Any) -> None:
        instruction = self.assembly.instructions[place]
        following = place + 1
        if instruction.mnemonic == "s_endpgm":
            status[group] = ENDED
        elif instruction.mnemonic == "s_barrier":
            status[group] = WAITING
            waves.program_counter[group] = following
        else:
            self._require_condition(waves, group, instruction)
            taken = _CONDITIONS[instruction.mnemonic](waves, group)
            target = self.assembly.labels[instruction.operands[0]]
            waves.program_counter[group] = np.where(taken, target, following)

    @staticmethod
    def _require_condition(waves: Waves, group: Group, instruction: Instruction) -> None:
        if "vcc" in instruction.mnemonic:
            marks = waves.scalar_set[VCC][group] & waves.scalar_set[VCC + 1][group]
            if not marks.all():
                msg = f"{instruction}: branches on a condition that was never set"
                raise ExecutionFaultError(msg)

    def _release(self, waves: Waves, status: Any) -> None:
        """Let all that wait pass their barrier: the others have ended, and nobody waits for those."""
        status[status == WAITING] = RUNNING
        under_way = waves.scoreboard.lds_under_way()
        waves.local.races.pass_barrier(under_way, waves.first_of_workgroup)


def arithmetic_of(instruction: Instruction, assembly: Assembly) -> Arithmetic | None:
    """What an instruction computes from words, or None if it is no arithmetic that has a row."""
    return (
        scalar_arithmetic(instruction)
        or packed_arithmetic(instruction)
        or mixed_arithmetic(instruction)
        or vector_arithmetic(
            instruction,
            assembly.target,
            flushes=assembly.flushes_denormals,
            scaled_kinds=assembly.scaled_kinds,
        )
    )


def _decoded(instruction: Instruction, assembly: Assembly) -> Execute | None:
    """How to execute an instruction; one that is not known is refused when it is come to, not before."""
    try:
        return execution_of(instruction, assembly)
    except UnknownInstructionError as error:
        unknown = error

    def refuse(_waves: Waves, _group: Group) -> None:
        raise unknown

    return refuse


def execution_of(instruction: Instruction, assembly: Assembly) -> Execute | None:
    """How to execute an instruction; None if it changes nothing that is modelled here.

    One that has no row is refused by its name.
    """
    if instruction.mnemonic in NO_EFFECT or instruction.mnemonic in FLOW:
        return None
    if instruction.mnemonic == "s_waitcnt":
        most = waits_of(instruction)
        return lambda waves, group: waves.scoreboard.wait(most, group)
    if instruction.mnemonic in SETS_REGISTER:
        require_same_modes(instruction, assembly)
        return None
    for table in TABLES:
        execute = table(instruction)
        if execute is not None:
            return execute
    arithmetic = arithmetic_of(instruction, assembly)
    if arithmetic is not None:
        return executed(arithmetic)
    execute = matrix_operation(instruction, assembly.target)
    if execute is not None:
        return execute
    msg = f"no row for {instruction.mnemonic} ({instruction})"
    raise UnknownInstructionError(msg)
