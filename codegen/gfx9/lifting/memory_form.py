"""What a memory instruction moves and how its operands make the address: the forms of gfx9 as data.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> form = memory_form(parse_instruction("global_load_dwordx4 v[20:23], v0, s[4:5] offset:16", 1))
>>> form.space, form.direction, form.bytes, form.offsets
('global', 'load', 16, (16,))
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.atomic_transfer import atomic_of
from layoutalg.codegen.gfx9.lane_data import LDS_WIDTHS, WIDTHS, offset_of
from layoutalg.codegen.gfx9.local_transfer import GLOBAL_TO_LDS, TRANSPOSED
from layoutalg.codegen.gfx9.operands import Operand

__all__ = ["MemoryForm", "memory_form"]

_GLOBAL = re.compile(r"^(global|flat)_(load_lds|load|store)_(\w+)$")
_BUFFER = re.compile(r"^buffer_(load|store)_(\w+)$")
_SCRATCH = re.compile(r"^scratch_(load|store)_(\w+)$")
_LOCAL = re.compile(r"^ds_(read|write)(2(?:st64)?)?_(\w+)$")
_SCALAR = re.compile(r"^s_(load|store)_dword(?:x(\d+))?$")
OFF = "off"


@dataclass(frozen=True)
class MemoryForm:
    """One memory instruction: where it goes (``space``), which way, bytes of a lane each time.

    ``place`` and ``base`` are the address operands (a vector and a scalar one); of a buffer ``base`` is its
    resource and ``more`` the scalar offset. ``offsets``: constants, one for each value moved. ``targets``:
    registers that are written. ``to_lds``: the data goes on to the LDS.
    """

    space: str
    direction: str
    bytes: int
    place: Operand | None
    base: Operand | None
    offsets: tuple[int, ...]
    targets: tuple[Operand, ...] = ()
    more: Operand | None = None
    has_index: bool = False
    has_offset: bool = False
    to_lds: bool = False

    @property
    def addresses(self) -> tuple[Operand, ...]:
        """The operands that the address is made of."""
        return tuple(part for part in (self.place, self.base, self.more) if part is not None)


def memory_form(instruction: Instruction) -> MemoryForm | None:
    """The form of a memory instruction, or None if it is none that is known."""
    name = instruction.mnemonic
    for pattern, read in (
        (_GLOBAL, _global),
        (_BUFFER, _buffer),
        (_SCRATCH, _scratch),
        (_LOCAL, _local),
        (_SCALAR, _scalar),
    ):
        found = pattern.match(name)
        if found is not None:
            return read(instruction, found)
    return _atomic(instruction)


def _operand(text: str) -> Operand | None:
    return None if text == OFF else Operand.of(text)


def _wide(text: str, count: int) -> Operand:
    operand = Operand.of(text)
    return Operand(operand.bank, operand.first, count)


def _global(instruction: Instruction, found: re.Match[str]) -> MemoryForm | None:
    texts, offsets = instruction.operands, (offset_of(instruction),)
    if found[2] == "load_lds":
        size = GLOBAL_TO_LDS.get(found[3])
        if size is None:
            return None
        place, base = (*texts, OFF)[:2]
        return MemoryForm("global", "load", size, _operand(place), _operand(base), offsets, to_lds=True)
    if found[3] not in WIDTHS:
        return None
    width = WIDTHS[found[3]]
    if found[2] == "load":
        target, place, base = (*texts, OFF)[:3]
        targets: tuple[Operand, ...] = (_wide(target, width.registers),)
    else:
        place, _, base = (*texts, OFF)[:3]
        targets = ()
    return MemoryForm("global", found[2], width.bytes, _operand(place), _operand(base), offsets, targets)


def _buffer(instruction: Instruction, found: re.Match[str]) -> MemoryForm | None:
    to_lds = "lds" in instruction.modifiers
    if found[2] not in WIDTHS or (to_lds and found[2] not in GLOBAL_TO_LDS):
        return None
    width = WIDTHS[found[2]]
    first = 0 if to_lds else 1
    place, base, more = instruction.operands[first : first + 3]
    has_index, has_offset = "idxen" in instruction.modifiers, "offen" in instruction.modifiers
    is_load = found[1] == "load" and not to_lds
    return MemoryForm(
        "buffer",
        found[1],
        width.bytes,
        _operand(place) if has_index or has_offset else None,
        Operand.of(base),
        (offset_of(instruction),),
        (_wide(instruction.operands[0], width.registers),) if is_load else (),
        Operand.of(more),
        has_index,
        has_offset,
        to_lds,
    )


def _scratch(instruction: Instruction, found: re.Match[str]) -> MemoryForm | None:
    if found[2] not in WIDTHS:
        return None
    width, texts = WIDTHS[found[2]], instruction.operands
    place, base = (texts[1], texts[2]) if found[1] == "load" else (texts[0], texts[2])
    targets = (_wide(texts[0], width.registers),) if found[1] == "load" else ()
    offsets = (offset_of(instruction),)
    return MemoryForm("scratch", found[1], width.bytes, _operand(place), _operand(base), offsets, targets)


def _local(instruction: Instruction, found: re.Match[str]) -> MemoryForm | None:
    kind = "b64" if found[3] in TRANSPOSED else found[3]
    if kind not in LDS_WIDTHS:
        return None
    width, pair = LDS_WIDTHS[kind], found[2]
    unit = width.bytes * (64 if pair == "2st64" else 1)
    names = ("offset0", "offset1") if pair else ("offset",)
    offsets = tuple(offset_of(instruction, name) * (unit if pair else 1) for name in names)
    is_read = found[1] == "read"
    place = Operand.of(instruction.operands[1 if is_read else 0])
    targets = (_wide(instruction.operands[0], width.registers * len(offsets)),) if is_read else ()
    direction = "load" if is_read else "store"
    return MemoryForm("lds", direction, width.bytes, place, None, offsets, targets)


def _scalar(instruction: Instruction, found: re.Match[str]) -> MemoryForm:
    data, base, more = instruction.operands[:3]
    count = int(found[2] or 1)
    targets = (_wide(data, count),) if found[1] == "load" else ()
    offsets = (offset_of(instruction),)
    return MemoryForm("scalar", found[1], 4 * count, None, _wide(base, 2), offsets, targets, Operand.of(more))


def _atomic(instruction: Instruction) -> MemoryForm | None:
    atomic = atomic_of(instruction)
    if atomic is None:
        return None
    targets = () if atomic.target is None else (_wide_of(atomic.target, atomic.width.registers),)
    offsets = (offset_of(instruction),)
    size = atomic.width.bytes
    if atomic.where == "buffer":
        has_index, has_offset = "idxen" in instruction.modifiers, "offen" in instruction.modifiers
        place, base, more = atomic.address[:3]
        return MemoryForm(
            "buffer", "atomic", size, _operand(place) if has_index or has_offset else None,
            Operand.of(base), offsets, targets, Operand.of(more), has_index, has_offset,
        )  # fmt: skip
    if atomic.where == "ds":
        return MemoryForm("lds", "atomic", size, Operand.of(atomic.address[0]), None, offsets, targets)
    place, base = (*atomic.address, OFF)[:2]
    return MemoryForm("global", "atomic", size, _operand(place), _operand(base), offsets, targets)


def _wide_of(operand: Operand, count: int) -> Operand:
    return Operand(operand.bank, operand.first, count)
