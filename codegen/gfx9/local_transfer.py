"""LDS instructions: reads, writes, and the exchanges between lanes that go through the LDS.

A ``2`` form moves two values, whose offsets count values (times 64 for ``st64``).
``ds_read_b64_tr_b16`` (gfx950): sixteen lanes read 4 rows of 16 halves, each lane a quarter of a row, and
each lane gets a column; ``ds_read_b64_tr_b8`` does so with 8 rows of 16 bytes.
Sources: AMD Instinct MI300 Instruction Set Architecture, chapter 11; for the
transposing read AMD Instinct CDNA4 Instruction Set Architecture, chapter 11, and CK Tile's use of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.device_memory import MAX_ALIGNMENT, WORD, alignment_of
from layoutalg.codegen.gfx9.lane_data import (
    LDS_WIDTHS,
    Width,
    chosen_lanes,
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.lane_moves import swizzle_of
from layoutalg.codegen.gfx9.lds_races import LdsAccess
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["LDS_ADDRESS", "LdsArrival", "LocalAccess", "lds_bytes_of", "lds_grain", "local_transfer"]

Execute = Callable[[Waves, Group], None]
_FORM = re.compile(r"^ds_(read|write)(2(?:st64)?)?_(\w+)$")
TRANSPOSED = {"b64_tr_b16": 2, "b64_tr_b8": 1}  # bytes of an element
GLOBAL_TO_LDS = {"dword": 4, "dwordx3": 12, "dwordx4": 16}
LDS_ADDRESS = 0x3FFFF  # bits of M0 that say where: enough for 160 KiB; a place past the end is a fault
SIXTEEN = 16  # lanes that exchange what they read


def local_transfer(instruction: Instruction) -> Execute | None:
    """The execution of an LDS instruction, or None if it has no row."""
    if instruction.mnemonic in ("ds_bpermute_b32", "ds_permute_b32"):
        return _permute(instruction, pushes=instruction.mnemonic == "ds_permute_b32")
    if instruction.mnemonic == "ds_swizzle_b32":
        return _swizzle(instruction)
    found = _FORM.match(instruction.mnemonic)
    if found is None:
        return None
    way, pair, kind = found.groups()
    if way == "read" and not pair and kind in TRANSPOSED:
        return _read(instruction, LDS_WIDTHS["b64"], "", _transposed(TRANSPOSED[kind]))
    if kind not in LDS_WIDTHS:
        return None
    return (_read if way == "read" else _write)(instruction, LDS_WIDTHS[kind], pair or "")


def lds_bytes_of(instruction: Instruction) -> int:
    """The bytes that one access of an instruction takes of the LDS, 0 if it does not go there."""
    name = instruction.mnemonic
    if "_load_lds_" in name or "lds" in instruction.modifiers:
        return GLOBAL_TO_LDS.get(name.rpartition("_")[2], 0)
    if name.startswith("ds_") and re.search("_(rtn_)?[a-z]+(32|64|16)$", name) and not _FORM.match(name):
        return 0 if "perm" in name or "swizzle" in name else 8 if name.endswith("64") else 4
    found = _FORM.match(name)
    if found is None:
        return 0
    kind = "b64" if found[3] in TRANSPOSED else found[3]
    return LDS_WIDTHS[kind].bytes if kind in LDS_WIDTHS else 0


def lds_grain(instructions: Iterable[Instruction], most: int = MAX_ALIGNMENT) -> int:
    """The largest piece of the LDS, at most so large, that every access of instructions takes whole."""
    sizes = {(lds_bytes_of(instruction), arrives_in_lds(instruction)) for instruction in instructions}
    return min((min(lds_alignment(*size), most) for size in sizes if size[0]), default=1)


def arrives_in_lds(instruction: Instruction) -> bool:
    """Whether an instruction loads from global memory straight into the LDS."""
    return not instruction.mnemonic.startswith("ds_")


def lds_alignment(size: int, is_arrival: bool) -> int:  # noqa: FBT001
    """What the LDS wants of an access: what arrives from global memory begins at any word (M0[17:2])."""
    return min(alignment_of(size), WORD) if is_arrival else alignment_of(size)


class LocalAccess:
    """What reads and writes of the LDS have in common: checks, counts, and the watch for races."""

    def __init__(self, instruction: Instruction, size: int, *, is_write: bool) -> None:
        self.instruction = instruction
        self.uses = registers_of(instruction)
        self.size = size
        self.is_write = is_write
        self.is_arrival = arrives_in_lds(instruction)

    def read(self, waves: Waves, group: Group, offsets: Any, marks: Any) -> tuple[Any, Any]:
        """The bytes that the lanes which are switched on read, and the marks of their words."""
        access = self._access(waves, group, offsets, marks)
        waves.local.races.touch(access, self.instruction, waves.first_of_workgroup)
        waves.scoreboard.issue(self.uses, group, self.instruction, access)
        return waves.local.load(access.grains)

    def write(self, waves: Waves, group: Group, offsets: Any, marks: Any, data: Any) -> None:
        """Write a row of bytes for each lane that is switched on."""
        access = self._access(waves, group, offsets, marks)
        grains, local = access.grains, waves.local
        changes = ~local.holds(grains, data)
        local.store(grains, data)
        access = replace(access, changes=changes, agrees=local.holds(grains, data))
        local.races.touch(access, self.instruction, waves.first_of_workgroup)
        waves.scoreboard.issue(self.uses, group, self.instruction, access)

    def change(self, waves: Waves, group: Group, offsets: Any, marks: Any) -> Any:
        """The grains of an atomic operation, which races as a read does: others of its kind are no danger."""
        access = self._access(waves, group, offsets, marks, counted=False)
        waves.local.races.touch(access, self.instruction, waves.first_of_workgroup)
        waves.scoreboard.issue(self.uses, group, self.instruction, access)
        return access.grains

    def _access(
        self, waves: Waves, group: Group, offsets: Any, marks: Any, *, counted: bool = True
    ) -> LdsAccess:
        active = waves.active(group)
        chosen = chosen_lanes(offsets, marks, active, self.instruction)
        workgroups = np.broadcast_to(waves.workgroup[group][:, None], active.shape)[active]
        span = self.size, min(lds_alignment(self.size, self.is_arrival), waves.local.alignment)
        grains = waves.local.grains_at(workgroups, chosen, span, self.instruction)
        if counted and waves.counts is not None:
            waves.counts.lds("write" if self.is_write else "read", self.size, offsets, active)
        numbers = np.broadcast_to(waves.numbers[group][:, None], active.shape)[active]
        return LdsAccess(grains, numbers, self.is_write, self.instruction.place)


class LdsArrival:
    """Loads from global memory straight into the LDS: lane ``l`` to M0 + offset + ``l`` times its bytes."""

    def __init__(self, instruction: Instruction, size: int) -> None:
        self._access = LocalAccess(instruction, size, is_write=True)
        self._offset = offset_of(instruction)

    def put(self, waves: Waves, group: Group, data: Any) -> None:
        """Write a row of bytes for each lane that is switched on."""
        start = (waves.m0[group] & np.uint32(LDS_ADDRESS)).astype(np.int64)[:, None] + self._offset
        places = start + np.arange(LANES) * self._access.size
        self._access.write(waves, group, places, np.True_, data)


def _offsets(instruction: Instruction, width: Width, pair: str) -> list[int]:
    refuse_unknown_modifiers(instruction, {"offset0", "offset1"} if pair else {"offset"})
    if not pair:
        return [offset_of(instruction)]
    unit = width.bytes * (64 if pair == "2st64" else 1)
    return [offset_of(instruction, name) * unit for name in ("offset0", "offset1")]


def _wrapped(start: Any, offset: int) -> Any:
    """LDS addresses have 32 bits: a negative start and an offset can meet inside."""
    return (start + np.uint32(offset)).astype(np.int64)


def _read(instruction: Instruction, width: Width, pair: str, rearranged: Any = None) -> Execute:
    target, place = (Operand.of(text) for text in instruction.operands)
    offsets = _offsets(instruction, width, pair)
    targets = [Operand(target.bank, target.first + i * width.registers) for i in range(len(offsets))]
    access = LocalAccess(instruction, width.bytes, is_write=False)

    def execute(waves: Waves, group: Group) -> None:
        low = place.words(waves, group)
        known = low.marks.copy()  # the first target may be the register of the address
        places = [_wrapped(low.values, offset) for offset in offsets]
        for register, start in zip(targets, places, strict=True):
            data, marks = access.read(waves, group, start, known)
            if rearranged is not None:
                data, marks = rearranged(data, marks)
            write_loaded(waves, group, register, width, data, marks)

    return execute


def _write(instruction: Instruction, width: Width, pair: str) -> Execute:
    place, *values = (Operand.of(text) for text in instruction.operands)
    offsets = _offsets(instruction, width, pair)
    access = LocalAccess(instruction, width.bytes, is_write=True)

    def execute(waves: Waves, group: Group) -> None:
        low = place.words(waves, group)
        for operand, offset in zip(values, offsets, strict=True):
            data = stored(waves, group, operand, width, instruction)
            access.write(waves, group, _wrapped(low.values, offset), low.marks, data)

    return execute


def _transposed(size: int) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Sixteen lanes hold rows of 16 elements of ``size`` bytes, some lanes a row; each lane gets a column."""
    each = 8 // size  # elements of a lane, rows of sixteen lanes

    def rearranged(data: Any, marks: Any) -> tuple[Any, Any]:
        shape = (-1, each, SIXTEEN // each, each)  # sixteens, rows, lanes of a row, elements of a lane
        elements = data.view(f"<u{size}").reshape(shape)
        columns = np.ascontiguousarray(elements.transpose(0, 2, 3, 1)).reshape(-1, each)
        known = np.repeat(marks, each // 2, axis=1).reshape(shape).transpose(0, 2, 3, 1)
        return columns.view(np.uint8), known.reshape(-1, 2, each // 2).all(axis=2)

    return rearranged


def _swizzle(instruction: Instruction) -> Execute | None:
    """Each lane gets the value of a lane that the offset tells, 0 from one that is switched off."""
    move = swizzle_of(instruction)
    if move is None:
        return None
    target, source = (Operand.of(text) for text in instruction.operands)
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        given = source.words(waves, group)
        values, marks = move.moved(given.values, given.marks, waves.active(group))
        waves.write_vector(target.first, group, values, marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _permute(instruction: Instruction, *, pushes: bool) -> Execute:
    """Each lane gets the value of the lane that its address names (in bytes, modulo a wave's 256).

    ``pushes``: the address names the lane that gets the value; of several the last one stays, 0 where none.
    """
    refuse_unknown_modifiers(instruction, {"offset"})
    target, place, source = (Operand.of(text) for text in instruction.operands)
    offset, uses = offset_of(instruction), registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        shape = (waves.size(group), LANES)
        low, given = place.words(waves, group), source.words(waves, group)
        active = waves.active(group)
        chosen_lanes(low.values, low.marks, active, instruction)
        lanes = (np.broadcast_to(low.values, shape).astype(np.int64) + offset) // 4 % LANES
        if pushes:
            lanes, there = _senders(lanes, active)
        on = there if pushes else np.take_along_axis(active, lanes, axis=1)
        values = np.take_along_axis(np.broadcast_to(given.values, shape), lanes, axis=1)
        marks = np.take_along_axis(np.broadcast_to(given.marks, shape), lanes, axis=1)
        waves.write_vector(target.first, group, np.where(on, values, np.uint32(0)), marks | ~on)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _senders(lanes: Any, active: Any) -> tuple[Any, Any]:
    """The lane that sends to each lane, and whether one does."""
    waves, senders = np.nonzero(active)
    found, there = np.zeros(lanes.shape, dtype=np.int64), np.zeros(lanes.shape, dtype=bool)
    at = waves, lanes[waves, senders]
    found[at], there[at] = senders, True  # the last assignment stays
    return found, there
