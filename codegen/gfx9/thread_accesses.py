"""Which bytes of which array each thread accesses, found by running the code on arrays without values.

What was never set spreads through registers; using it as an address, in a branch or to switch lanes off is
a fault. So where such a run ends without one, the launch alone decides who accesses what, whatever the
arrays hold. Loads from the LDS give nothing that is set either: addresses that go through it are a fault.
Arrays lie across a multiple of 4 GiB, so that sums of addresses carry into the higher word, and do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.gfx9.access_counts import NotedAccesses
from layoutalg.codegen.gfx9.assembly import Assembly, Instruction
from layoutalg.codegen.gfx9.device_memory import WORD, Buffer, GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.kernel_arguments import argument_block
from layoutalg.codegen.gfx9.launch import CHECKS, Dispatch, started
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import EXEC, LANES, Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Execute
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError, Kernel
from layoutalg.machine.lds import Direction

__all__ = ["ThreadAccess", "UnsetLaunch"]

USES_SCC = ("s_cbranch_scc", "s_cselect_", "s_cmov_", "s_addc_", "s_subb_")
COMPARES = ("s_cmp_", "s_cmpk_", "s_bitcmp")
ALLOCATED = 256  # bytes to which what is allocated is aligned
HIGH_WORD = 1 << 32
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class ThreadAccess:
    """One instruction in some waves of a batch, of the lanes that reach memory.

    ``array``: the argument, or None for the LDS; ``threads``: by their number in the batch, the first of a
    wave for all of it where the scalar unit loads (``is_of_wave``); ``offsets``: in bytes from its begin.
    """

    array: str | None
    way: Literal["load", "store"]
    bytes: int
    threads: Integers
    offsets: Integers
    is_of_wave: bool = False


class UnsetLaunch:
    """A kernel without arguments but arrays, at its whole grid, with arrays that hold no values."""

    def __init__(self, kernel: Kernel, assembly: Assembly, resources: KernelResources) -> None:
        self.assembly = assembly
        self.block = kernel.block
        self.grid = kernel.grid_for({})
        self._memory = memory = _UnsetMemory()
        self.arrays = [memory.add_array(one) for one in kernel.arguments if isinstance(one, ArrayArgument)]
        dispatch = Dispatch(self.grid, self.block, kernel.dynamic_lds, lds_alignment=kernel.lds_alignment)
        places = [one.address for one in self.arrays]
        content = argument_block(places, resources.arguments, resources.argument_bytes, dispatch.extents)
        self._start = started(assembly, memory, content, dispatch)

    def accesses(self, workgroups: Integers) -> list[ThreadAccess]:
        """What the threads of these workgroups access, numbered one workgroup after another."""
        waves = self._start.batch(workgroups)
        waves.stores_unset = True
        waves.local = _UnsetLocal(len(workgroups), self._start.lds_bytes, self._start.lds_alignment)
        size, each = math.prod(self.block), self._start.waves
        first = np.arange(waves.count) // each * size + np.arange(waves.count) % each * LANES
        machine = _NotingMachine(self.assembly, first, self.arrays)
        self._memory.machine = machine
        machine.run(waves)
        return machine.found


class _UnsetMemory(GlobalMemory):
    """Memory that keeps nothing, and tells a machine what its scalar unit loads."""

    machine: _NotingMachine

    def add_array(self, argument: ArrayArgument) -> Buffer:
        """Place an array across a multiple of 4 GiB, none of it set."""
        content = np.zeros(int(argument.space) * argument.element.bytes, np.uint8)
        alignment = min(WORD, argument.element.bytes) if argument.begins_anywhere else WORD
        before = len(content) // 2 // ALLOCATED * ALLOCATED
        self._next = (self._next // HIGH_WORD + 2) * HIGH_WORD - before
        return self.add(
            argument.name, content, is_set=False, is_writable=argument.is_output, alignment=alignment
        )

    def load(self, addresses: NDArray[np.uint64], size: int, what: object) -> tuple[Any, Any]:
        if isinstance(what, Instruction) and what.mnemonic.startswith("s_"):
            self.machine.note_scalar(addresses, size)
        return super().load(addresses, size, what)

    def store(self, addresses: NDArray[np.uint64], data: NDArray[np.uint8], what: object) -> None:
        for buffer, _, _ in self._places(addresses, data.shape[1], what):
            if not buffer.is_writable:
                msg = f"{what}: writes to {buffer.name}, which is an input"
                raise ExecutionFaultError(msg)


class _UnsetLocal(LocalMemory):
    """An LDS that keeps nothing."""

    def store(self, grains: Integers, data: NDArray[np.uint8]) -> None:
        del grains, data


class _NotingMachine(Machine):
    """A machine that keeps who accesses what; ``first``: the number of each wave's first thread."""

    def __init__(self, assembly: Assembly, first: Integers, arrays: Sequence[Buffer]) -> None:
        super().__init__(assembly, frozenset(CHECKS))
        self.found: list[ThreadAccess] = []
        self.counts = NotedAccesses(assembly.target, self._note)
        self._first = first
        self._arrays = arrays
        self._now: tuple[Waves, Group] | None = None
        self._scc_is_unset = np.zeros(len(first), dtype=bool)
        self._read = [_scalars_read(one) for one in assembly.instructions]

    # --- what arrays hold decides nothing

    def _execute(self, execute: Execute, waves: Waves, group: Group, place: int) -> None:
        self._now = waves, group
        self._follow_scc(waves, group, place)
        super()._execute(execute, waves, group, place)

    def _flow(self, waves: Waves, group: Group, place: int, status: Any) -> None:
        self._follow_scc(waves, group, place)
        self._require_set(waves, group, EXEC)
        super()._flow(waves, group, place, status)

    def _follow_scc(self, waves: Waves, group: Group, place: int) -> None:
        """Whether the condition code may come of what is not set; then nothing may depend on it.

        M0 and the lanes that are on must not come of it at all.
        """
        instruction = self.assembly.instructions[place]
        name = instruction.mnemonic
        if name.startswith(USES_SCC) and self._scc_is_unset[group].any():
            raise ExecutionFaultError(f"{name}: depends on a condition that was never set")
        read = self._read[place]
        if not read:
            return
        marks = [
            reading.scalar_words(waves, group, n).marks for reading in read for n in range(reading.count)
        ]
        is_set = np.logical_and.reduce(np.broadcast_arrays(np.ones(waves.size(group), bool), *marks))
        decides = instruction.operands[0] == "m0" or name.endswith("_saveexec_b64")
        if decides and not is_set.all():
            raise ExecutionFaultError(f"{instruction}: depends on a value that was never set")
        if name.startswith(COMPARES):
            self._scc_is_unset[group] = ~is_set
        else:
            self._scc_is_unset[group] |= ~is_set

    def _require_set(self, waves: Waves, group: Group, register: int) -> None:
        if not (waves.scalar_set[register][group] & waves.scalar_set[register + 1][group]).all():
            raise ExecutionFaultError(
                f"{self.assembly.name}: which lanes are on depends on a value that was never set"
            )

    # --- who accesses what

    def _note(self, direction: Direction, size: int, places: Any, active: Any, is_shared: bool) -> None:  # noqa: FBT001
        """An access of the lanes that are on."""
        waves, group = self._where()
        self._require_set(waves, group, EXEC)
        lanes = self._first[group][:, None] + np.arange(LANES)
        threads = np.broadcast_to(lanes, active.shape)[active]
        offsets = np.broadcast_to(places, active.shape)[active].astype(np.int64)
        way: Literal["load", "store"] = "store" if direction == "write" else "load"
        if is_shared:
            self.found.append(ThreadAccess(None, way, size, threads, offsets))
        else:
            self.found += self._of_arrays(way, size, threads, offsets, is_of_wave=False)

    def note_scalar(self, addresses: Any, size: int) -> None:
        """A load by the scalar unit, for all lanes of a wave."""
        _, group = self._where()
        places = np.asarray(addresses).astype(np.int64)
        self.found += self._of_arrays("load", size, self._first[group], places, is_of_wave=True)

    def _where(self) -> tuple[Waves, Group]:
        assert self._now is not None
        return self._now

    def _of_arrays(
        self,
        way: Literal["load", "store"],
        size: int,
        threads: Integers,
        places: Integers,
        *,
        is_of_wave: bool,
    ) -> Iterator[ThreadAccess]:
        """One for each array that is accessed; other memory is no array's."""
        for array in self._arrays:
            offsets = places - array.address
            here = (offsets >= 0) & (offsets < len(array.content))
            if here.any():
                yield ThreadAccess(array.name, way, size, threads[here], offsets[here], is_of_wave)


def _scalars_read(instruction: Instruction) -> list[Operand]:
    """The scalar registers that an instruction of the scalar unit computes with."""
    name = instruction.mnemonic
    if not name.startswith("s_") or name.startswith(
        ("s_load_", "s_waitcnt", "s_cbranch", "s_branch", "s_nop")
    ):
        return []
    texts = instruction.operands[0 if name.startswith(COMPARES) else 1 :]
    return [one for one in map(Operand.of, texts) if one.bank == "s"]
