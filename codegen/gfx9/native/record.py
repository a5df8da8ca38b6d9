"""An instruction as the record that the C machine runs (``wave.h``), and what is common to making one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly, Instruction
from layoutalg.codegen.gfx9.lane_data import Width
from layoutalg.codegen.gfx9.lane_moves import LaneMove
from layoutalg.codegen.gfx9.native.matrix_tables import MatrixTables
from layoutalg.codegen.gfx9.native.row_source import RowSource, row_source
from layoutalg.codegen.gfx9.registers import SCALARS
from layoutalg.codegen.gfx9.waitcnt_scoreboard import BANK_SIZE, QUEUES, registers_of
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word

__all__ = ["KINDS", "MOST_WAVES", "RECORD", "NativeProgram", "NotNativeError"]

HERE = Path(__file__).parent
HEADER = (HERE / "wave.h").read_text(encoding="utf-8")


def names_of(first: str, header: str = "wave.h") -> dict[str, int]:
    """The names of a header's enumeration that begins with ``first``, in small letters, with numbers."""
    found = re.search(rf"enum {{\s*({first}\b[^}}]*)}}", (HERE / header).read_text(encoding="utf-8"))
    assert found is not None, first
    return {name.strip().lower(): number for number, name in enumerate(found[1].split(","))}


MOST_WAVES = int(HEADER.partition("MOST_WAVES = ")[2].partition(" ")[0])  # of a workgroup
KINDS = names_of("NOTHING")
_BANKS = names_of("NUMBER")
BANKS = {**_BANKS, "v": _BANKS["row"], "a": _BANKS["row"], "s": _BANKS["scalar"]}  # by an operand's own name
MASK, INDEXED = _BANKS["mask"], _BANKS["indexed"]
READ, LOADED = 1, 2
SIGNED, HIGH, KEEPS_OTHER_HALF, TRANSPOSING, HAS_BASE, HAS_OFFSET, HAS_INDEX, RETURNS, COHERENT = (
    1 << n for n in range(9)
)
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
        *((name, "i4") for name in ("moved", "move", "elements", "sum", "indexed", "is_vector")),
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
        if operand.is_indexed:  # with the number of registers that there are
            return (INDEXED, self._row(operand.bank, number), self.accumulators)
        if operand.bank == "number":
            return (BANKS["number"], 0, operand.word_of_number(word.number))
        return (BANKS[operand.bank], number if operand.bank == "s" else self._row(operand.bank, number), 0)

    def _row(self, bank: str, number: int) -> int:
        return self.register(bank, number) if bank in "va" else 0


def put_registers(program: NativeProgram, record: Any, instruction: Instruction) -> None:
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


def put_words(program: NativeProgram, record: Any, name: str, words: list[Word] | tuple[Word, ...]) -> None:
    if len(words) > len(record[name]):
        msg = f"{len(words)} words"
        raise NotNativeError(msg)
    record[f"{name}s"] = len(words)
    for place, word in enumerate(words):
        record[name][place] = program.word(word)


def put_width(record: Any, width: Width) -> None:
    record["bytes"] = width.bytes
    record["flags"] = SIGNED * width.signed | HIGH * width.high | KEEPS_OTHER_HALF * width.keeps_other_half


def has_only(instruction: Instruction, known: set[str]) -> bool:
    """Whether all modifiers are known; the hints for caches are."""
    return not set(instruction.modifiers) - known - {"sc0", "sc1", "nt", "glc", "slc"}


def row_of(program: NativeProgram, arithmetic: Arithmetic) -> int:
    """The number of the row that an instruction computes."""
    try:
        source = row_source(arithmetic)
    except (KeyError, TypeError, AttributeError) as error:  # an operation that has no spelling in C
        raise NotNativeError(str(error)) from None
    return program.rows.setdefault(source, len(program.rows))
