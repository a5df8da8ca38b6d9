"""Vector arithmetic: each lane by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_moves import DPP_MODIFIERS, LaneMove
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.rows.output_modifiers import OUTPUT_MODIFIERS, with_modes
from layoutalg.codegen.gfx9.rows.row import TYPES, VectorRow
from layoutalg.codegen.gfx9.rows.target_rows import placement_of, special_row
from layoutalg.codegen.gfx9.rows.vector_rows import VECTOR_ROWS
from layoutalg.codegen.gfx9.sdwa import SDWA_MODIFIERS, Placement, SdwaOperand
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word, pair_of, words_of

__all__ = ["vector_arithmetic"]

U16, U32, U64 = np.uint16, np.uint32, np.uint64
ENCODING = re.compile("_(e32|e64|sdwa|dpp)$")
MASKS = ("mask", "exec")  # a bit a lane
IMPLIED = ("lane", "vcc")  # sources that are no operands
WIDE = ("u64", "i64", "f64")  # types of two registers
INLINE = range(-16, 65)  # integers that are no literals
SIGNS = ("u32", "f16", "f32", "f64")  # types of which a modifier may change the sign
HALF = ("u16", "i16", "f16")


@dataclass(frozen=True)
class Source:
    """A source of a row: an operand, the type that is read from it, and from which half of its register."""

    operand: Operand
    kind: str
    half: int

    @property
    def constant(self) -> Any:
        """A float of the row's type, where the operand is one that is written as a number; else None.

        A literal of 32 bits is the upper half of an ``f64`` (MI300 ISA, "Literal Expansion to 64 bits").
        """
        if self.kind == "f64" and self.operand.bank == "number" and not self.operand.is_float_number:
            written = int(self.operand.text, 0)
            bits = written % 2**64 if written in INLINE else (written & 0xFFFFFFFF) << 32
            return U64(bits).view(np.float64)
        if not self.operand.is_float_number or self.kind not in ("f16", "f64", "u16"):
            return None
        if self.kind == "f64":
            return np.float64(self.operand.text)
        number = np.float16(self.operand.text)
        return number.view(U16) if self.kind == "u16" else number

    @property
    def words(self) -> tuple[Word, ...]:
        if self.kind == "mask":
            return (Word(self.operand, is_mask=True),)
        if self.constant is not None:
            return ()
        return words_of(self.operand, 2 if self.kind in WIDE else 1)

    def typed(self, words: list[Any]) -> Any:
        """The value that the words hold."""
        if self.kind == "mask":
            return words[0]
        if self.constant is not None:
            return self.constant
        if isinstance(self.operand, SdwaOperand):
            words = [self.operand.part_of(words[0]), *words[1:]]
        if self.kind in WIDE:
            value = pair_of(*words).view(TYPES[self.kind])
        elif self.kind in HALF:
            value = (words[0] >> U32(16 * self.half)).astype(U16).view(TYPES[self.kind])
        else:
            value = words[0].view(TYPES[self.kind])
        if self.kind == "u32":  # the sign of a float, whatever the bits mean (v_cndmask)
            value = value & U32(0x7FFFFFFF) if self.operand.absolute else value
            return value ^ U32(0x80000000) if self.operand.negate else value
        if self.operand.absolute:
            value = np.abs(value)
        return -value if self.operand.negate else value


def vector_arithmetic(
    instruction: Instruction,
    target: str,
    *,
    flushes: bool = False,
    scaled_kinds: frozenset[str] = frozenset(),
) -> Arithmetic | None:
    """What a vector instruction computes on a target, or None if it has no row.

    ``flushes``: whether floats of 32 bits that are not normal count as 0; ``scaled_kinds``: whose results
    ``mul`` and ``div`` scale.
    """
    mnemonic = ENCODING.sub("", instruction.mnemonic)
    row = VECTOR_ROWS.get(mnemonic) or special_row(mnemonic, instruction, target)
    is_sdwa = instruction.mnemonic.endswith("_sdwa")
    is_dpp = instruction.mnemonic.endswith("_dpp")
    known = SDWA_MODIFIERS if is_sdwa else DPP_MODIFIERS if is_dpp else {"op_sel", "bitop3"}
    if row is None or set(instruction.modifiers) - known - OUTPUT_MODIFIERS:
        return None
    meaning = with_modes(row, instruction, flushes=flushes, scaled_kinds=scaled_kinds)
    if meaning is None:
        return None
    texts = list(instruction.operands)
    targets = [Operand.of("exec" if kind == "exec" else texts.pop(0)) for kind in row.results]
    halves = _halves(instruction, len(row.sources))
    sources = []
    for number, kind in enumerate(row.sources):
        if kind in IMPLIED:
            sources.append(Source(Operand.of(kind), "mask" if kind == "vcc" else "u32", 0))
        elif kind.startswith("old"):
            sources.append(Source(targets[kind.startswith("old1")], kind.partition(".")[2] or "u32", 0))
        else:
            operand = _operand(instruction, texts.pop(0), number if is_sdwa else None)
            if (operand.negate or operand.absolute) and kind not in SIGNS:
                return None
            sources.append(Source(operand, kind, halves[number]))
    placement = placement_of(mnemonic, instruction, len(row.sources))
    found = _of_row(replace(row, meaning=meaning), sources, targets, placement)
    found = replace(found, chooses=mnemonic == "v_cndmask_b32" and not (is_dpp or is_sdwa))
    move = LaneMove.of(instruction.modifiers) if is_dpp else None
    if is_dpp and move is None:
        return None
    return found if move is None else replace(found, moved=(move, len(sources[0].words)))


def _of_row(
    row: VectorRow, sources: list[Source], targets: list[Operand], placement: Placement | None
) -> Arithmetic:
    """A row on chosen operands; with a placement, the last source is what the register held."""
    read = [source.words for source in sources]
    every = tuple(word for words in read for word in words)
    everything = tuple(range(len(every)))
    low = tuple(number for number, word in enumerate(every) if not word.number)
    write, depends = [], []
    written: list[Word] = []
    for operand, kind in zip(targets, row.results, strict=True):
        words = (
            (Word(operand, is_mask=True),) if kind in MASKS else words_of(operand, 2 if kind in WIDE else 1)
        )
        written += words
        depends += [low if row.low_from_low and not word.number else everything for word in words]
        write.append(_writer(kind, None if kind in MASKS else placement))
    old = () if placement is None else (Word(targets[0]),)

    def compute(*values: Any) -> tuple[Any, ...]:
        given = iter(values)
        found = row.meaning(
            *(s.typed([next(given) for _ in of]) for s, of in zip(sources, read, strict=True))
        )
        results = found if len(row.results) > 1 else (found,)
        return tuple(
            word
            for put, result in zip(write, results, strict=True)
            for word in put(result, *values[len(every) :])
        )

    return Arithmetic((*every, *old), tuple(written), tuple(depends), compute, is_scalar=False)


def _writer(kind: str, placement: Placement | None) -> Callable[..., tuple[Any, ...]]:
    """A result of a type as words, put where a placement says; what it held before comes after the result."""

    def words(result: Any, *old: Any) -> tuple[Any, ...]:
        if kind in MASKS:
            return (result,)
        typed = result.astype(TYPES[kind])
        if kind in WIDE:
            both = typed.view(U64)
            return (both & U64(0xFFFFFFFF)).astype(U32), (both >> U64(32)).astype(U32)
        word = typed.view(U16).astype(U32) if kind in HALF else typed.view(U32)
        return (word if placement is None else placement.placed(word, old[0]),)

    return words


def _operand(instruction: Instruction, text: str, sdwa_source: int | None) -> Operand:
    """An operand; of an SDWA instruction the part that its modifier selects."""
    if sdwa_source is None:
        return Operand.of(text)
    return SdwaOperand.selected(text, instruction.modifiers.get(f"src{sdwa_source}_sel", "DWORD"))


def _halves(instruction: Instruction, count: int) -> list[int]:
    given = instruction.modifiers.get("op_sel", "")
    found = [int(bit) for bit in given.strip("[]").split(",") if bit]
    return (found + [0] * count)[:count]
