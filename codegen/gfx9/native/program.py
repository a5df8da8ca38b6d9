"""Instructions as the records that the C machine runs (``wave.h``), and the rows of arithmetic they need."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.arithmetic import Arithmetic, Word
from layoutalg.codegen.gfx9.assembly import Assembly, Instruction
from layoutalg.codegen.gfx9.lane_data import LDS_WIDTHS, WIDTHS, Width, offset_of
from layoutalg.codegen.gfx9.lane_moves import LaneMove
from layoutalg.codegen.gfx9.local_transfer import GLOBAL_TO_LDS, TRANSPOSED, lds_grain
from layoutalg.codegen.gfx9.machine import NO_EFFECT, arithmetic_of
from layoutalg.codegen.gfx9.matrix_cores import matrix_of
from layoutalg.codegen.gfx9.native.matrix_tables import MatrixTables, constant_bits, matrix_tables
from layoutalg.codegen.gfx9.native.row_source import RowSource, row_source
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import SCALARS
from layoutalg.codegen.gfx9.waitcnt_scoreboard import BANK_SIZE, QUEUES, registers_of, waits_of

__all__ = ["NativeProgram", "NotNativeError", "native_program"]

KINDS = {
    name: number
    for number, name in enumerate(
        [
            "nothing",
            "vector",
            "wave",
            "first_lane",
            "matrix",
            "global_load",
            "global_store",
            "global_to_lds",
            "buffer_load",
            "buffer_store",
            "scalar_load",
            "lds_read",
            "lds_write",
            "lds_permute",
            "wait",
            "branch",
            "barrier",
            "end",
        ]
    )
}
CONDITIONS = ("", "_scc0", "_scc1", "_vccz", "_vccnz", "_execz", "_execnz")
BANKS = {"number": 0, "v": 1, "a": 1, "s": 2, "m0": 3, "scc": 4, "lane": 6}
MASK = 5
READ, LOADED = 1, 2
SIGNED, HIGH, KEEPS_OTHER_HALF, TRANSPOSING, HAS_BASE, HAS_OFFSET = 1, 2, 4, 8, 16, 32
MOST_SOURCES, MOST_TARGETS, MOST_RANGES = 12, 6, 8
WORD = [("bank", "i4"), ("index", "i4"), ("value", "u4")]
RECORD = np.dtype(
    [
        *((name, "i4") for name in ("kind", "row", "sources", "targets")),
        ("source", WORD, MOST_SOURCES),
        ("target", WORD, MOST_TARGETS),
        ("depends", "u4", MOST_TARGETS),
        *((name, "i4") for name in ("ranges", "queue")),
        ("range", [("first", "i4"), ("count", "i4"), ("how", "i4")], MOST_RANGES),
        *((name, "i4") for name in ("loaded", "loads", "bytes", "parts", "flags")),
        *((name, "i4") for name in ("condition", "jump", "is_entry")),
        ("wait", "i4", len(QUEUES)),
        *((name, "i4") for name in ("moved", "move", "elements", "more")),
        ("offset", "i8", 2),
    ],
    align=True,
)


class NotNativeError(Exception):
    """An instruction that the C machine has no code for: the one in Python runs the kernel."""


@dataclass
class NativeProgram:
    """The records of a kernel; ``rows`` and ``matrices`` are what their ``row`` counts."""

    assembly: Assembly
    accumulators: int  # the number of the first row of accumulators
    rows_of_lanes: int
    grain: int
    records: NDArray[Any] = field(init=False)
    rows: dict[RowSource, int] = field(default_factory=dict)
    matrices: dict[Any, tuple[int, MatrixTables]] = field(default_factory=dict)
    moves: dict[LaneMove, int] = field(default_factory=dict)

    def register(self, bank: str, number: int) -> int:
        """The place of a register: rows of lanes (v, then a), and scalars behind them."""
        return number + {"v": 0, "a": self.accumulators, "s": self.rows_of_lanes}[bank]

    def count_of(self, bank: str) -> int:
        """How many registers there are of a kind."""
        return {"v": self.accumulators, "a": self.rows_of_lanes - self.accumulators, "s": SCALARS}[bank]

    def word(self, word: Word) -> tuple[int, int, int]:
        """A word as the C knows it: its bank, which of it, and the bits of a number."""
        operand = word.operand
        if operand.bank not in BANKS:
            msg = f"{operand.text} as an operand"
            raise NotNativeError(msg)
        number = operand.first + word.number
        if word.is_mask:
            return (MASK, number, 0)
        if operand.bank == "number":
            return (BANKS["number"], 0, operand.word_of_number(word.number))
        return (BANKS[operand.bank], number if operand.bank == "s" else self._row(operand.bank, number), 0)

    def _row(self, bank: str, number: int) -> int:
        return self.register(bank, number) if bank in "va" else 0


def native_program(assembly: Assembly, vgprs: int, agprs: int) -> NativeProgram:
    """The program of a kernel with so many registers; :class:`NotNativeError` names what it lacks."""
    grain = lds_grain(assembly.instructions)
    program = NativeProgram(assembly, vgprs, vgprs + agprs, grain)
    records = np.zeros(len(assembly.instructions) + 1, dtype=RECORD)
    records["wait"] = -1
    records["queue"] = -1
    for place in assembly.labels.values():
        records[place]["is_entry"] = 1
    for record, instruction in zip(records, assembly.instructions, strict=False):
        _registers(program, record, instruction)
        for maker in MAKERS:
            if maker(program, record, instruction):
                break
        else:
            msg = f"{instruction}"
            raise NotNativeError(msg)
    records[-1]["kind"] = KINDS["end"]
    program.records = records
    return program


def _registers(program: NativeProgram, record: Any, instruction: Instruction) -> None:
    """Which registers the scoreboard looks at."""
    uses = registers_of(instruction)
    found = [(READ, *span) for span in _spans(program, uses.read)]
    found += [(LOADED, *span) for span in _spans(program, uses.written)]
    if len(found) > MOST_RANGES:
        msg = f"{instruction}: {len(found)} spans of registers"
        raise NotNativeError(msg)
    record["ranges"] = len(found)
    for place, (how, first, count) in enumerate(found):
        record["range"][place] = (first, count, how)
    if uses.queue:
        record["queue"] = QUEUES.index(uses.queue)
    for first, count in _spans(program, uses.loaded):
        record["loaded"], record["loads"] = first, count


def _spans(program: NativeProgram, bits: int) -> list[tuple[int, int]]:
    """Spans of consecutive registers of a set."""
    found = []
    while bits:
        first = (bits & -bits).bit_length() - 1
        count = (~(bits >> first) & -~(bits >> first)).bit_length() - 1
        bank = "vas"[first // BANK_SIZE]
        if first % BANK_SIZE + count > program.count_of(bank):
            msg = f"{bank}{first % BANK_SIZE + count - 1}, which the kernel does not ask for"
            raise NotNativeError(msg)
        found.append((program.register(bank, first % BANK_SIZE), count))
        bits &= ~(((1 << count) - 1) << first)
    return found


def _words(program: NativeProgram, record: Any, name: str, words: list[Word] | tuple[Word, ...]) -> None:
    if len(words) > len(record[name]):
        msg = f"{len(words)} words"
        raise NotNativeError(msg)
    record[f"{name}s"] = len(words)
    for place, word in enumerate(words):
        record[name][place] = program.word(word)


def _flow(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    name = instruction.mnemonic
    if name in NO_EFFECT:
        record["kind"] = KINDS["nothing"]
    elif name == "s_waitcnt":
        record["kind"] = KINDS["wait"]
        for queue, left in waits_of(instruction).items():
            record["wait"][QUEUES.index(queue)] = left
    elif name == "s_barrier":
        record["kind"] = KINDS["barrier"]
    elif name == "s_endpgm":
        record["kind"] = KINDS["end"]
    elif name == "s_branch" or name.startswith("s_cbranch_"):
        condition = name.removeprefix("s_branch").removeprefix("s_cbranch")
        if condition not in CONDITIONS:
            return False
        record["kind"], record["condition"] = KINDS["branch"], CONDITIONS.index(condition)
        record["jump"] = program.assembly.labels[instruction.operands[0]]
    else:
        return False
    return True


def _arithmetic(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    if instruction.mnemonic == "v_readfirstlane_b32":
        record["kind"] = KINDS["first_lane"]
        target, source = (Word(Operand.of(text)) for text in instruction.operands)
        _words(program, record, "source", [source])
        _words(program, record, "target", [target])
        return True
    arithmetic = arithmetic_of(instruction, program.assembly)
    if arithmetic is None:
        return False
    record["kind"] = KINDS["wave" if arithmetic.is_scalar else "vector"]
    _words(program, record, "source", arithmetic.sources)
    _words(program, record, "target", arithmetic.targets)
    for place, depends in enumerate(arithmetic.depends):
        record["depends"][place] = sum(1 << number for number in depends)
    if arithmetic.moved is not None:
        move, record["moved"] = arithmetic.moved
        record["move"] = program.moves.setdefault(move, len(program.moves))
    record["row"] = program.rows.setdefault(_source_of(arithmetic), len(program.rows))
    return True


def _source_of(arithmetic: Arithmetic) -> RowSource:
    try:
        return row_source(arithmetic)
    except (KeyError, TypeError, AttributeError) as error:  # an operation that has no spelling in C
        raise NotNativeError(str(error)) from None


def _matrix(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    if not instruction.mnemonic.startswith("v_mfma_"):
        return False
    mma = matrix_of(instruction, program.assembly.target)
    tables = matrix_tables(mma)
    result, *sources = (Operand.of(text) for text in instruction.operands)
    if tables is None or sources[0].bank == "number" or sources[1].bank == "number":
        return False
    record["kind"] = KINDS["matrix"]
    record["row"] = program.matrices.setdefault(mma, (len(program.matrices), tables))[0]
    _words(program, record, "source", [Word(source) for source in sources])
    if sources[2].bank == "number":
        bits = constant_bits(instruction, program.assembly.target)
        if bits is None:
            return False
        record["source"][2] = (BANKS["number"], 0, bits)
    _words(program, record, "target", [Word(result)])
    return True


def _width(record: Any, width: Width) -> None:
    record["bytes"] = width.bytes
    record["flags"] = SIGNED * width.signed | HIGH * width.high | KEEPS_OTHER_HALF * width.keeps_other_half


def _global(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^global_(load_lds|load|store)_(\w+)$", instruction.mnemonic)
    operands = [Operand.of(text) for text in instruction.operands]
    if found is None:
        return False
    if found[1] == "load_lds":
        if found[2] not in GLOBAL_TO_LDS:
            return False
        record["kind"], record["bytes"] = KINDS["global_to_lds"], GLOBAL_TO_LDS[found[2]]
        place, base, data = operands[0], operands[1], None
        record["offset"][1] = offset_of(instruction)
    elif found[2] not in WIDTHS:
        return False
    else:
        _width(record, WIDTHS[found[2]])
        record["kind"] = KINDS[f"global_{found[1]}"]
        place, data = (operands[1], operands[0]) if found[1] == "load" else (operands[0], operands[1])
        base = operands[2]
    record["offset"][0] = offset_of(instruction)
    words = [Word(place), Word(base), Word(base, 1)] if base.bank == "s" else [Word(place), Word(place, 1)]
    record["flags"] |= HAS_BASE * (base.bank == "s")
    if found[1] == "store" and data is not None:
        words = [*words, *[words[-1]] * (3 - len(words)), Word(data)]
    _words(program, record, "source", words)
    if found[1] == "load" and data is not None:
        _words(program, record, "target", [Word(data)])
    return _modifiers(instruction, {"offset"})


def _buffer(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    found = re.match(r"^buffer_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS or "lds" in instruction.modifiers:
        return False
    data, place, resource, more = (Operand.of(text) for text in instruction.operands)
    _width(record, WIDTHS[found[2]])
    record["kind"] = KINDS[f"buffer_{found[1]}"]
    record["offset"][0] = offset_of(instruction)
    record["flags"] |= HAS_OFFSET * ("offen" in instruction.modifiers)
    address = Word(place) if "offen" in instruction.modifiers else Word(Operand.of("0"))
    words = [address, *(Word(resource, number) for number in range(4)), Word(more)]
    _words(program, record, "source", words if found[1] == "load" else [*words, Word(data)])
    if found[1] == "load":
        _words(program, record, "target", [Word(data)])
    return _modifiers(instruction, {"offset", "offen"})


def _scalar_load(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    if not instruction.mnemonic.startswith("s_load_dword"):
        return False
    target, base, offset = (Operand.of(text) for text in instruction.operands[:3])
    record["kind"] = KINDS["scalar_load"]
    record["bytes"] = 4 * int(instruction.mnemonic.removeprefix("s_load_dword").removeprefix("x") or 1)
    _words(program, record, "source", [Word(base), Word(base, 1), Word(offset)])
    _words(program, record, "target", [Word(target)])
    return _modifiers(instruction, set())


def _lds(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    operands = [Operand.of(text) for text in instruction.operands]
    if instruction.mnemonic == "ds_bpermute_b32":
        record["kind"], record["offset"][0] = KINDS["lds_permute"], offset_of(instruction)
        _words(program, record, "source", [Word(operand) for operand in operands[1:]])
        _words(program, record, "target", [Word(operands[0])])
        return _modifiers(instruction, {"offset"})
    found = re.match(r"^ds_(read|write)(2(?:st64)?)?_(\w+)$", instruction.mnemonic)
    transposes = found is not None and found[3] in TRANSPOSED
    if found is None or (found[3] not in LDS_WIDTHS and not transposes):
        return False
    width = LDS_WIDTHS["b64" if transposes else found[3]]
    _width(record, width)
    if transposes:
        record["flags"] |= TRANSPOSING
        record["elements"] = 8 // TRANSPOSED[found[3]]
    record["kind"], record["parts"] = KINDS[f"lds_{found[1]}"], 2 if found[2] else 1
    unit = width.bytes * (64 if found[2] == "2st64" else 1)
    names = ("offset0", "offset1") if found[2] else ("offset",)
    for part, name in enumerate(names):
        record["offset"][part] = offset_of(instruction, name) * (unit if found[2] else 1)
    if found[1] == "read":
        _words(program, record, "source", [Word(operands[1])])
        parts = [Word(operands[0], part * width.registers) for part in range(len(names))]
        _words(program, record, "target", parts)
    else:
        _words(program, record, "source", [Word(operand) for operand in operands])
    return _modifiers(instruction, set(names))


def _modifiers(instruction: Instruction, known: set[str]) -> bool:
    """Whether all modifiers are known; the hints for caches are."""
    return not set(instruction.modifiers) - known - {"sc0", "sc1", "nt", "glc", "slc"}


MAKERS: tuple[Callable[[NativeProgram, Any, Instruction], bool], ...] = (
    _flow,
    _global,
    _buffer,
    _scalar_load,
    _lds,
    _matrix,
    _arithmetic,
)
