"""Atomic operations on global memory and the LDS: lane by lane, in the order of waves and lanes.

The value from before comes back with ``sc0`` (``glc`` before gfx940), in the LDS with ``_rtn``.
Sources: AMD Instinct MI300 Instruction Set Architecture, chapters 9.4, 10 and 11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.buffer_addresses import BufferAddress
from layoutalg.codegen.gfx9.global_addresses import GlobalAddress
from layoutalg.codegen.gfx9.lane_data import (
    Width,
    chosen_lanes,
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.local_transfer import LocalAccess
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.rows.atomic_rows import GLOBAL_ATOMICS, LDS_ATOMICS
from layoutalg.codegen.gfx9.rows.row import TYPES, VectorRow
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of, returns_value
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Execute, Word, words_of
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["Atomic", "atomic_of", "atomic_transfer"]


@dataclass(frozen=True)
class Atomic:
    """An atomic operation: its row, where the old value goes (or None), its data, and the other operands."""

    row: VectorRow
    target: Operand | None
    data: tuple[Operand, ...]
    address: tuple[str, ...]
    where: str  # global, flat, buffer or ds

    @property
    def width(self) -> Width:
        """What one number takes."""
        return Width(8 if self.row.results[0].endswith("64") else 4)

    @property
    def arithmetic(self) -> Arithmetic:
        """The operation on one lane's words: memory's first, then the data's."""
        kinds, each = self.row.sources, self.width.registers
        words = [Word(operand, number) for operand in self.data for number in range(each)]
        memory = words_of(Operand.of("v0"), each)

        def compute(*given: Any) -> tuple[Any, ...]:
            values = [_typed(kind, given[n * each : (n + 1) * each]) for n, kind in enumerate(kinds)]
            found = self.row.meaning(*values).astype(TYPES[self.row.results[0]])
            if each == 1:
                return (found.view(np.uint32),)
            both = found.view(np.uint64)
            return both.astype(np.uint32), (both >> np.uint64(32)).astype(np.uint32)

        return Arithmetic((*memory, *words), memory, ((),) * each, compute, is_scalar=True)


def _typed(kind: str, words: Any) -> Any:
    if len(words) == 1:
        return words[0].view(TYPES[kind])
    return (words[0].astype(np.uint64) | words[1].astype(np.uint64) << np.uint64(32)).view(TYPES[kind])


def atomic_of(instruction: Instruction) -> Atomic | None:
    """The atomic operation that an instruction is, or None if it is none that has a row."""
    found = re.match(r"^(global|flat|buffer)_atomic_(\w+)$", instruction.mnemonic)
    texts = list(instruction.operands)
    if found is not None and found[2] in GLOBAL_ATOMICS:
        row, returns = GLOBAL_ATOMICS[found[2]], returns_value(instruction)
        if found[1] == "buffer":
            operand = Operand.of(texts[0])
            return Atomic(row, operand if returns else None, _data(row, operand), tuple(texts[1:]), "buffer")
        target = Operand.of(texts.pop(0)) if returns else None
        place, data, *base = texts
        return Atomic(row, target, _data(row, Operand.of(data)), (place, *base), found[1])
    name = instruction.mnemonic.removeprefix("ds_")
    row_of_lds = LDS_ATOMICS.get(re.sub("_rtn(?=_)", "", name))
    if name == instruction.mnemonic or row_of_lds is None:
        return None
    target = Operand.of(texts.pop(0)) if "_rtn_" in name else None
    place, *data_texts = texts
    return Atomic(row_of_lds, target, tuple(Operand.of(text) for text in data_texts), (place,), "ds")


def _data(row: VectorRow, operand: Operand) -> tuple[Operand, ...]:
    """The numbers that registers hold: one, or the new one and that to compare with."""
    each = 2 if row.results[0].endswith("64") else 1
    count = len(row.sources) - 1
    return tuple(Operand(operand.bank, operand.first + n * each, each) for n in range(count))


def atomic_transfer(instruction: Instruction) -> Execute | None:
    """The execution of an atomic operation, or None if it has no row."""
    atomic = atomic_of(instruction)
    if atomic is None:
        return None
    return _on_lds(instruction, atomic) if atomic.where == "ds" else _on_memory(instruction, atomic)


def _on_memory(instruction: Instruction, atomic: Atomic) -> Execute:
    uses, size = registers_of(instruction), atomic.width.bytes
    addresses: Callable[[Waves, Group], tuple[Any, Any]]
    if atomic.where == "buffer":
        buffer = BufferAddress(instruction, 1, set())

        def addresses(waves: Waves, group: Group) -> tuple[Any, Any]:
            lanes = buffer.lanes(waves, group)
            return lanes.address, lanes.inside(size)
    else:
        plain = GlobalAddress(instruction, *(*atomic.address, "off")[:2])

        def addresses(waves: Waves, group: Group) -> tuple[Any, Any]:
            total, marks = plain.lanes(waves, group)
            chosen = chosen_lanes(total, marks, waves.active(group), instruction)
            return chosen, np.ones(len(chosen), dtype=bool)

    def execute(waves: Waves, group: Group) -> None:
        at, inside = addresses(waves, group)
        data = _words(waves, group, instruction, atomic)
        old = np.zeros((len(at), size), dtype=np.uint8)
        for some in _one_after_another(at, inside):
            held, known = waves.memory.load(at[some], size, instruction)
            if not known.all():
                msg = (
                    f"{instruction}: {int((~known.all(axis=1)).sum())} lanes change bytes that were never set"
                )
                raise ExecutionFaultError(msg)
            old[some] = held
            waves.memory.store(at[some], _changed(atomic, held, data[some]), instruction)
        _count(waves, group, "global")
        _give_back(waves, group, atomic, old)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _on_lds(instruction: Instruction, atomic: Atomic) -> Execute:
    """In the LDS; other atomics of the same place are no race, as reads are none."""
    refuse_unknown_modifiers(instruction, {"offset"})
    place, offset, size = Operand.of(atomic.address[0]), offset_of(instruction), atomic.width.bytes
    access = LocalAccess(instruction, size, is_write=False)

    def execute(waves: Waves, group: Group) -> None:
        low = place.words(waves, group)
        total = (low.values + np.uint32(offset)).astype(np.int64)
        grains = access.change(waves, group, total, low.marks)
        data = _words(waves, group, instruction, atomic)
        old = np.zeros((len(grains), size), dtype=np.uint8)
        for some in _one_after_another(grains[:, 0], np.ones(len(grains), dtype=bool)):
            held, known = waves.local.load(grains[some])
            if not known.all():
                msg = (
                    f"{instruction}: {int((~known.all(axis=1)).sum())} lanes change bytes that were never set"
                )
                raise ExecutionFaultError(msg)
            old[some] = held
            waves.local.store(grains[some], _changed(atomic, held, data[some]))
        _count(waves, group, "lds")
        _give_back(waves, group, atomic, old)

    return execute


def _words(waves: Waves, group: Group, instruction: Instruction, atomic: Atomic) -> Any:
    """The data of each lane that is switched on, as rows of words."""
    parts = [stored(waves, group, operand, atomic.width, instruction) for operand in atomic.data]
    return np.concatenate(parts, axis=1).view("<u4")


def _changed(atomic: Atomic, held: Any, data: Any) -> Any:
    words = [*np.ascontiguousarray(held).view("<u4").T, *data.T]
    results = atomic.arithmetic.compute(*(np.ascontiguousarray(word) for word in words))
    return np.stack([np.asarray(result, dtype="<u4") for result in results], axis=1).view(np.uint8)


def _one_after_another(places: Any, inside: Any) -> Iterator[Any]:
    """Lanes in turns, of which each has no place twice: the first of each place, then the second."""
    lanes = np.flatnonzero(inside)
    order = lanes[np.argsort(places[lanes], kind="stable")]
    if not len(order):
        return
    is_new = np.concatenate([[True], places[order][1:] != places[order][:-1]])
    numbers = np.arange(len(order)) - np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))
    for turn in range(int(numbers.max()) + 1):
        yield np.sort(order[numbers == turn])


def _give_back(waves: Waves, group: Group, atomic: Atomic, old: Any) -> None:
    if atomic.target is not None:
        marks = np.ones((len(old), atomic.width.registers), dtype=bool)
        write_loaded(waves, group, atomic.target, atomic.width, old, marks)


def _count(waves: Waves, group: Group, where: str) -> None:
    if waves.counts is not None:
        waves.counts.totals[f"{where}_atomics"] += int(waves.active(group).any(axis=1).sum())
