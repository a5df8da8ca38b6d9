"""The address of a memory instruction as formulas, and what a load leaves in registers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_array import FormulaArray
from layoutalg.codegen.gfx9.lifting.formula_registers import Registers
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.memory_form import MemoryForm
from layoutalg.codegen.gfx9.lifting.operand_values import Operands
from layoutalg.codegen.gfx9.lifting.register_uses import Register, registers_of_operand
from layoutalg.codegen.gfx9.lifting.word_formulas import Value
from layoutalg.codegen.gfx9.local_transfer import LDS_ADDRESS
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.word_arithmetic import Word
from layoutalg.rules.polynomial import ZERO

__all__ = ["Executed", "MemoryAccess"]

U32 = np.dtype(np.uint32)
BASE = np.uint64(2**48 - 1)  # bits of a resource that are its address
MOST = 2**32 - 1


@dataclass(frozen=True)
class Executed:
    """An access: the guard of the lanes that make it, and the cases of its address (or of its parts)."""

    place: int
    form: MemoryForm
    active: int
    addresses: tuple[Value, ...]  # one for each value moved
    base: Value | None = None  # of a buffer
    size: Value | None = None  # of a buffer
    lds: Value | None = None  # where it goes on to in the LDS


class MemoryAccess:
    """The memory instructions of one kernel."""

    def __init__(self, start: KernelStart, operands: Operands) -> None:
        self.start = start
        self.words = start.words
        self.operands = operands

    def run(self, place: int, form: MemoryForm, state: Registers) -> Executed | None:
        """The access of an instruction; None where no wave comes to it."""
        inside = state.path if form.space == "scalar" else state.active()
        self.words.inside = inside
        if self.words.guards.is_empty(inside):
            return None
        found = self._access(place, form, state, inside)
        if form.targets:
            self._loaded(place, form, found, state, inside)
        if form.space == "scalar" and state.some_lane_is_on():
            return replace(found, active=state.active())  # it is as one of these lanes would have it
        return found

    def _access(self, place: int, form: MemoryForm, state: Registers, inside: int) -> Executed:
        lds = self._to_lds(form, state, inside) if form.to_lds else None
        if form.space in ("lds", "scratch"):
            start = self._sum(form, state, inside)
            numbers = tuple(
                self.words.each(one.value, one.number)
                for one in (start + U32.type(offset) for offset in form.offsets)
            )
            return Executed(place, form, inside, numbers, lds=lds)
        if form.space == "buffer":
            return self._buffer(place, form, state, inside, lds)
        total = self._address(form, state, inside) + np.uint64(form.offsets[0] % 2**64)
        return Executed(place, form, inside, (total.value,), lds=lds)

    def _to_lds(self, form: MemoryForm, state: Registers, inside: int) -> Value:
        """M0, the offset, and the lane's place behind them."""
        start = self.operands.read(Word(Operand.of("m0")), state, inside) & U32.type(LDS_ADDRESS)
        own = self.words.lane.scaled(form.bytes).plus(form.offsets[0])
        return self.words.each(start.value, lambda p, _: p + own)

    def _sum(self, form: MemoryForm, state: Registers, inside: int) -> FormulaArray:
        """A vector and a scalar operand of 32 bits together."""
        found = FormulaArray(self.words, ((inside, ZERO),), U32)
        for part in (form.place, form.base):
            if part is not None:
                found = found + self.operands.read(Word(part), state, inside)
        return found

    def _address(self, form: MemoryForm, state: Registers, inside: int) -> FormulaArray:
        """A scalar and a vector part, or a pair of vector registers."""
        read = self.operands
        if form.base is None:
            assert form.place is not None
            return read.pair(form.place, state, inside)
        total = read.pair(form.base, state, inside)
        if form.more is not None:  # of a scalar access
            more = read.read(Word(form.more), state, inside).view(np.int32)
            return total + more.astype(np.int64).view(np.uint64)
        if form.place is not None:
            total = total + read.read(Word(form.place), state, inside).astype(np.uint64)
        return total

    def _buffer(
        self, place: int, form: MemoryForm, state: Registers, inside: int, lds: Value | None
    ) -> Executed:
        """Base and offset apart: the hardware compares the offset with the resource's length."""
        assert form.base is not None
        assert form.more is not None
        read = self.operands
        base = read.pair(Operand("s", form.base.first, 2), state, inside) & BASE
        stride = read.read(Word(form.base, 1), state, inside) >> U32.type(16) & U32.type(0x3FFF)
        size = read.read(Word(form.base, 2), state, inside).astype(np.uint64)
        total = read.read(Word(form.more), state, inside).astype(np.uint64) + np.uint64(form.offsets[0])
        if form.has_offset:
            assert form.place is not None
            own = read.read(Word(form.place, int(form.has_index)), state, inside)
            total = total + own.astype(np.uint64)
        if form.has_index:
            assert form.place is not None
            index = read.read(Word(form.place), state, inside)
            total = total + index.astype(np.uint64) * stride.astype(np.uint64)
        return Executed(place, form, inside, (total.value,), base.value, size.value, lds)

    def _loaded(self, place: int, form: MemoryForm, access: Executed, state: Registers, inside: int) -> None:
        """What is loaded: arguments, or an unknown."""
        words = self.words
        registers: list[Register] = [r for target in form.targets for r in registers_of_operand(target)]
        offset = None
        if form.space in ("scalar", "global") and len(access.addresses[0]) == 1:
            offset = self.start.kernarg_offset(access.addresses[0][0][1])
        for number, register in enumerate(registers):
            if offset is not None:
                value = self.start.argument_word(offset + 4 * number)
            else:
                here = self.words.here(by_lane=form.space != "scalar")
                operands = (place, number, access.addresses, *here)
                value = words.unknown(f"loaded at {place}", operands, 0, MOST)
            if register[0] == "s":
                state.put_scalar(register, ((inside, value),))
            else:
                state.put(register, ((inside, value),), inside)
