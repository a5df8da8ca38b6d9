"""Buffer loads and stores through a raw resource: what lies beyond its length reads as 0 and is not written.

A resource is four scalar registers: the base address (48 bits), a stride (which says nothing where neither
index nor swizzle is on), the length in bytes, and flags. Each 32-bit word of an access is checked by itself.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 9.1.5 (buffer resource, range checking).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import (
    WIDTHS,
    Width,
    chosen_lanes,
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scalar import read_scalar
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["buffer_transfer"]

Execute = Callable[[Waves, Group], None]
U64, I64 = np.uint64, np.int64
ADD_TID = 23  # bit of the resource's last word


def buffer_transfer(instruction: Instruction) -> Execute | None:
    """The execution of a buffer load or store, or None if it has no row."""
    found = re.match(r"^buffer_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS or "lds" in instruction.modifiers:
        return None
    return (_load if found[1] == "load" else _store)(instruction, WIDTHS[found[2]])


def _places(instruction: Instruction) -> Callable[..., tuple[Any, Any, Any]]:
    """``vaddr|off, resource, soffset``: base address, offset and length of each lane that is switched on."""
    refuse_unknown_modifiers(instruction, {"offset", "offen"})
    place, resource, more = (Operand.of(text) for text in instruction.operands[1:])
    constant, has_offset = offset_of(instruction), "offen" in instruction.modifiers
    halves = (resource, Operand("s", resource.first + 2, 2))

    def places(waves: Waves, group: Group) -> tuple[Any, Any, Any]:
        (base, known), (size, size_known) = (read_scalar(half, "u64", waves, group) for half in halves)
        extra, extra_known = read_scalar(more, "u32", waves, group)
        marks = np.asarray(known & size_known & extra_known)[..., None]
        _require_raw(instruction, base, size)
        offsets = np.asarray(extra).astype(I64)[..., None] + constant
        if has_offset:
            low = place.words(waves, group)
            offsets, marks = offsets + low.values.astype(I64), np.logical_and(marks, low.marks)
        active = waves.active(group)
        chosen = chosen_lanes(offsets, marks, active, instruction)
        start = np.broadcast_to((base & U64(2**48 - 1))[:, None], active.shape)[active]
        length = np.broadcast_to((size & U64(0xFFFFFFFF)).astype(I64)[:, None], active.shape)[active]
        return start, chosen, length

    return places


def _require_raw(instruction: Instruction, base: Any, size: Any) -> None:
    """Refuse a resource whose stride matters: swizzled, or with the lane's number as its index."""
    is_swizzled = (base >> U64(63)).any()
    adds_lane = (size >> U64(32 + ADD_TID) & U64(1)).any()
    if is_swizzled or adds_lane:
        what = "is swizzled" if is_swizzled else "adds the number of the lane"
        msg = f"{instruction}: wanted a raw buffer, got a resource that {what}"
        raise ExecutionFaultError(msg)


def _load(instruction: Instruction, width: Width) -> Execute:
    target, places, uses = (
        Operand.of(instruction.operands[0]),
        _places(instruction),
        registers_of(instruction),
    )
    word = min(4, width.bytes)

    def execute(waves: Waves, group: Group) -> None:
        start, offsets, length = places(waves, group)
        data = np.zeros((len(start), width.bytes), dtype=np.uint8)
        marks = np.ones((len(start), width.registers), dtype=bool)
        inside = offsets + width.bytes <= length
        at = start + offsets.astype(U64)
        data[inside], marks[inside] = waves.memory.load(at[inside], width.bytes, instruction)
        for first in range(0, width.bytes, word):
            part = ~inside & (offsets + first + word <= length)
            if part.any():
                found, known = waves.memory.load(at[part] + U64(first), word, instruction)
                data[part, first : first + word], marks[part, first // 4] = found, known[:, 0]
        _count(waves, group, "read", width, at, inside)
        write_loaded(waves, group, target, width, data, marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _store(instruction: Instruction, width: Width) -> Execute:
    source, places, uses = (
        Operand.of(instruction.operands[0]),
        _places(instruction),
        registers_of(instruction),
    )
    word = min(4, width.bytes)

    def execute(waves: Waves, group: Group) -> None:
        start, offsets, length = places(waves, group)
        data = stored(waves, group, source, width, instruction)
        inside = offsets + width.bytes <= length
        at = start + offsets.astype(U64)
        waves.memory.store(at[inside], data[inside], instruction)
        for first in range(0, width.bytes, word):
            part = ~inside & (offsets + first + word <= length)
            if part.any():
                rows = np.ascontiguousarray(data[part, first : first + word])
                waves.memory.store(at[part] + U64(first), rows, instruction)
        _count(waves, group, "write", width, at, inside)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _count(waves: Waves, group: Group, direction: Any, width: Width, at: Any, inside: Any) -> None:
    """Lanes that reach memory with their whole width count."""
    if waves.counts is None:
        return
    active = waves.active(group).copy()
    addresses = np.zeros(active.shape, dtype=U64)
    addresses[active] = at
    active[active] = inside
    waves.counts.memory(direction, width.bytes, addresses, active)
