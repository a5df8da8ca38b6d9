"""Records of what moves data between registers and memory."""

from __future__ import annotations

import re
from typing import Any

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.atomic_transfer import Atomic, atomic_of
from layoutalg.codegen.gfx9.lane_data import LDS_WIDTHS, WIDTHS, offset_of
from layoutalg.codegen.gfx9.lane_moves import swizzle_of
from layoutalg.codegen.gfx9.local_transfer import GLOBAL_TO_LDS, TRANSPOSED
from layoutalg.codegen.gfx9.native.record import (
    COHERENT,
    HAS_BASE,
    HAS_INDEX,
    HAS_OFFSET,
    KINDS,
    RETURNS,
    TRANSPOSING,
    NativeProgram,
    has_only,
    put_width,
    put_words,
    row_of,
)
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.word_arithmetic import Word, words_of

__all__ = ["MEMORY_RECORDS"]

ZERO = Word(Operand.of("0"))
PUSHES = {"ds_bpermute_b32": "lds_permute", "ds_permute_b32": "lds_push"}


def _put_scope(program: NativeProgram, record: Any, instruction: Instruction) -> None:
    """Whether an access goes past the caches of its compute unit (LLVM, AMDGPU Memory Model)."""
    hint = "sc1" if program.assembly.target in ("gfx942", "gfx950") else "glc"
    record["flags"] |= COHERENT * (hint in instruction.modifiers)


def _address(program: NativeProgram, record: Any, place: str, base: str, data: list[Word]) -> None:
    """The address operands of an access to global memory, and the data behind them."""
    where, start = Operand.of(place), Operand.of(base)
    is_based = start.bank == "s"
    words = [Word(where), Word(start), Word(start, 1)] if is_based else [Word(where), Word(where, 1), ZERO]
    record["flags"] |= HAS_BASE * is_based
    put_words(program, record, "source", [*words, *data])


def _global(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^(?:global|flat)_(load_lds|load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in (GLOBAL_TO_LDS if found[1] == "load_lds" else WIDTHS):
        return False
    operands = [*instruction.operands, "off"]
    record["offset"][0] = offset_of(instruction)
    if found[1] == "load_lds":
        record["kind"], record["bytes"] = KINDS["global_to_lds"], GLOBAL_TO_LDS[found[2]]
        record["offset"][1] = offset_of(instruction)
        _address(program, record, operands[0], operands[1], [])
        return has_only(instruction, {"offset"})
    put_width(record, WIDTHS[found[2]])
    _put_scope(program, record, instruction)
    record["kind"] = KINDS[f"global_{found[1]}"]
    if found[1] == "load":
        put_words(program, record, "target", [Word(Operand.of(operands[0]))])
        _address(program, record, operands[1], operands[2], [])
    else:
        _address(program, record, operands[0], operands[2], [Word(Operand.of(operands[1]))])
    return has_only(instruction, {"offset"})


def _buffer_address(
    program: NativeProgram, record: Any, instruction: Instruction, first: int, data: list[Word]
) -> None:
    """Index or offset, offset beside an index, resource, offset of the wave, and the data behind them."""
    place, resource, more = (Operand.of(text) for text in instruction.operands[first : first + 3])
    has_index, has_offset = ("idxen" in instruction.modifiers, "offen" in instruction.modifiers)
    record["offset"][0] = offset_of(instruction)
    record["flags"] |= HAS_INDEX * has_index | HAS_OFFSET * has_offset
    own = Word(place) if has_index or has_offset else ZERO
    beside = Word(place, 1) if has_index and has_offset else ZERO
    words = [own, beside, *(Word(resource, number) for number in range(4)), Word(more)]
    put_words(program, record, "source", [*words, *data])


def _buffer(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^buffer_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS:
        return False
    if "lds" in instruction.modifiers:
        if found[2] not in GLOBAL_TO_LDS:
            return False
        record["kind"], record["bytes"] = KINDS["buffer_to_lds"], GLOBAL_TO_LDS[found[2]]
        record["offset"][1] = offset_of(instruction)
        _buffer_address(program, record, instruction, 0, [])
        return has_only(instruction, {"offset", "offen", "idxen", "lds"})
    put_width(record, WIDTHS[found[2]])
    _put_scope(program, record, instruction)
    record["kind"] = KINDS[f"buffer_{found[1]}"]
    data = Word(Operand.of(instruction.operands[0]))
    _buffer_address(program, record, instruction, 1, [data] if found[1] == "store" else [])
    if found[1] == "load":
        put_words(program, record, "target", [data])
    return has_only(instruction, {"offset", "offen", "idxen"})


def _atomic(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    atomic = atomic_of(instruction)
    if atomic is None:
        return False
    data = [Word(operand, number) for operand in atomic.data for number in range(atomic.width.registers)]
    put_width(record, atomic.width)
    record["elements"], record["row"] = len(data), row_of(program, atomic.arithmetic)
    record["flags"] |= RETURNS * (atomic.target is not None)
    if atomic.target is not None:
        put_words(program, record, "target", [Word(atomic.target)])
    _atomic_address(program, record, instruction, atomic, data)
    return has_only(instruction, {"offset", "offen", "idxen"})


def _atomic_address(
    program: NativeProgram, record: Any, instruction: Instruction, atomic: Atomic, data: list[Word]
) -> None:
    record["offset"][0] = offset_of(instruction)
    if atomic.where == "ds":
        record["kind"] = KINDS["lds_atomic"]
        put_words(program, record, "source", [Word(Operand.of(atomic.address[0])), *data])
    elif atomic.where == "buffer":
        record["kind"] = KINDS["buffer_atomic"]
        _buffer_address(program, record, instruction, 1, data)
    else:
        record["kind"] = KINDS["atomic"]
        place, base = (*atomic.address, "off")[:2]
        _address(program, record, place, base, data)


def _scratch(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^scratch_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS:
        return False
    put_width(record, WIDTHS[found[2]])
    record["kind"], record["offset"][0] = KINDS[f"scratch_{found[1]}"], offset_of(instruction)
    texts = list(instruction.operands)
    data = Word(Operand.of(texts.pop(0 if found[1] == "load" else 1)))
    parts = [ZERO if text == "off" else Word(Operand.of(text)) for text in texts]
    put_words(program, record, "source", [*parts, data] if found[1] == "store" else parts)
    if found[1] == "load":
        put_words(program, record, "target", [data])
    return has_only(instruction, {"offset"})


def _scalar(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^s_(load|store)_dword(?:x(\d+))?$", instruction.mnemonic)
    if found is None:
        return False
    target, base, offset = (Operand.of(text) for text in instruction.operands[:3])
    record["kind"], count = KINDS[f"scalar_{found[1]}"], int(found[2] or 1)
    record["bytes"], record["offset"][0] = 4 * count, offset_of(instruction)
    data = words_of(target, count) if found[1] == "store" else ()
    put_words(program, record, "source", [Word(base), Word(base, 1), Word(offset), *data])
    put_words(program, record, "target", [Word(target)] if found[1] == "load" else [])
    return has_only(instruction, {"offset"})


def _lds(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    operands = [Operand.of(text) for text in instruction.operands]
    if instruction.mnemonic == "ds_swizzle_b32":
        return _swizzle(program, record, instruction)
    if instruction.mnemonic in PUSHES:
        record["kind"], record["offset"][0] = KINDS[PUSHES[instruction.mnemonic]], offset_of(instruction)
        put_words(program, record, "source", [Word(operand) for operand in operands[1:]])
        put_words(program, record, "target", [Word(operands[0])])
        return has_only(instruction, {"offset"})
    found = re.match(r"^ds_(read|write)(2(?:st64)?)?_(\w+)$", instruction.mnemonic)
    transposes = found is not None and found[3] in TRANSPOSED
    if found is None or (found[3] not in LDS_WIDTHS and not transposes):
        return False
    width = LDS_WIDTHS["b64" if transposes else found[3]]
    put_width(record, width)
    if transposes:
        record["flags"] |= TRANSPOSING
        record["elements"] = 8 // TRANSPOSED[found[3]]
    record["kind"], record["parts"] = KINDS[f"lds_{found[1]}"], 2 if found[2] else 1
    unit = width.bytes * (64 if found[2] == "2st64" else 1)
    names = ("offset0", "offset1") if found[2] else ("offset",)
    for part, name in enumerate(names):
        record["offset"][part] = offset_of(instruction, name) * (unit if found[2] else 1)
    if found[1] == "read":
        put_words(program, record, "source", [Word(operands[1])])
        parts = [Word(operands[0], part * width.registers) for part in range(len(names))]
        put_words(program, record, "target", parts)
    else:
        put_words(program, record, "source", [Word(operand) for operand in operands])
    return has_only(instruction, set(names))


def _swizzle(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    move = swizzle_of(instruction)
    if move is None:
        return False
    record["kind"], record["move"] = KINDS["lds_swizzle"], program.moves.setdefault(move, len(program.moves))
    put_words(program, record, "target", [Word(Operand.of(instruction.operands[0]))])
    put_words(program, record, "source", [Word(Operand.of(instruction.operands[1]))])
    return True


MEMORY_RECORDS = (_global, _buffer, _atomic, _scratch, _scalar, _lds)
