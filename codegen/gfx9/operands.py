"""Operands: which register, or which number, an instruction reads or writes.

>>> Operand.of("v[20:23]").registers, Operand.of("-4").bits, Operand.of("1.0").bits == 0x3F800000
(range(20, 24), 4294967292, True)
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError
from layoutalg.codegen.gfx9.registers import EXEC, LANES, VCC, Group, Registers

__all__ = ["Operand", "Reading"]

_RANGE = re.compile(r"^([vas])\[(\d+):(\d+)\]$")
_SINGLE = re.compile(r"^([vas])(\d+)$")
FLAT_SCRATCH = 102  # the scalar register that this pair is
_SPECIAL = {
    "vcc": ("s", VCC, 2),
    "vcc_lo": ("s", VCC, 1),
    "vcc_hi": ("s", VCC + 1, 1),
    "flat_scratch": ("s", FLAT_SCRATCH, 2),
    "flat_scratch_lo": ("s", FLAT_SCRATCH, 1),
    "flat_scratch_hi": ("s", FLAT_SCRATCH + 1, 1),
    "exec": ("s", EXEC, 2),
    "exec_lo": ("s", EXEC, 1),
    "exec_hi": ("s", EXEC + 1, 1),
}


@dataclass(frozen=True)
class Reading:
    """Values an instruction reads, with their marks; both broadcast to ``waves x 64``."""

    values: Any
    marks: Any


@dataclass(frozen=True)
class Operand:
    """An operand of an instruction: registers, or a number.

    ``bank`` is v, a, s, number, or the operand's own word (``off``, ``m0``, ``scc``); ``first`` and ``count``
    say which registers; ``bits`` are those of a number; ``is_indexed``: M0 is added (``register_indexing``).
    """

    bank: str
    first: int = 0
    count: int = 1
    bits: int = 0
    text: str = ""
    negate: bool = False
    absolute: bool = False
    is_indexed: bool = field(default=False, kw_only=True)

    @classmethod
    def of(cls, text: str) -> Operand:
        """The operand written like this."""
        if text.startswith("idx("):
            return replace(cls.of(text[4:-1]), is_indexed=True)
        word, negate, absolute = text, False, False
        if text.startswith("sext("):
            word = text[5:-1]
        if word.startswith("lit("):
            word = word[4:-1]
        if word.startswith("-") and not re.match(r"^-[\d.]", word):
            word, negate = word[1:], True
        if word.startswith("|"):
            word, absolute = word.strip("|"), True
        if word.startswith(("neg(", "abs(")):
            negate, absolute = negate or word.startswith("neg("), absolute or word.startswith("abs(")
            word = word[4:-1]
            if word.startswith("|"):
                word, absolute = word.strip("|"), True
        found = _RANGE.match(word)
        if found:
            low, high = int(found[2]), int(found[3])
            return cls(found[1], low, high - low + 1, 0, text, negate, absolute)
        found = _SINGLE.match(word)
        if found:
            return cls(found[1], int(found[2]), 1, 0, text, negate, absolute)
        if word in _SPECIAL:
            bank, first, count = _SPECIAL[word]
            return cls(bank, first, count, 0, text)
        if re.match(r"^-?(0x[0-9a-fA-F]+|\d+)$", word):
            return cls("number", 0, 1, int(word, 0) & 0xFFFFFFFF, word, negate, absolute)
        if re.match(r"^-?\d+\.\d*(e[-+]?\d+)?$", word):
            bits = struct.unpack("<I", struct.pack("<f", float(word)))[0]
            return cls("number", 0, 1, bits, word, negate, absolute)
        return cls(word, text=text)

    @property
    def registers(self) -> range:
        return range(self.first, self.first + self.count)

    @property
    def is_float_number(self) -> bool:
        return self.bank == "number" and "." in self.text

    def words(self, waves: Registers, group: Group, word: int = 0) -> Reading:
        """One 32-bit word of the operand, for vector arithmetic: rows of lanes, or a column."""
        number = self.first + word
        match self.bank:
            case "v" if self.is_indexed:
                at = number + waves.indices(group), waves.members(group)
                return Reading(waves.vector[at], waves.vector_set[at])
            case "v":
                return Reading(waves.vector[number][group], waves.vector_set[number][group])
            case "a":
                return Reading(waves.accumulator[number][group], waves.accumulator_set[number][group])
            case "s":
                values = waves.scalar[number][group][:, None]
                return Reading(values, waves.scalar_set[number][group][:, None])
            case "number":
                return Reading(np.full((1, 1), self.word_of_number(word), dtype=np.uint32), marks=True)
            case "lane":
                return Reading(np.arange(LANES, dtype=np.uint32)[None, :], marks=True)
            case "m0":
                return Reading(waves.m0[group][:, None], marks=True)
            case _:
                msg = f"{self.text} is no operand these tables can read"
                raise UnknownInstructionError(msg)

    def scalar_words(self, waves: Registers, group: Group, word: int = 0) -> Reading:
        """One 32-bit word of the operand for scalar arithmetic: one a wave."""
        number = self.first + word
        match self.bank:
            case "s":
                return Reading(waves.scalar[number][group], waves.scalar_set[number][group])
            case "number":
                return Reading(np.full(1, self.word_of_number(word), dtype=np.uint32), marks=True)
            case "m0":
                return Reading(waves.m0[group], marks=True)
            case "scc":
                return Reading(waves.scc[group].astype(np.uint32), marks=True)
            case _:
                msg = f"{self.text} is no scalar operand these tables can read"
                raise UnknownInstructionError(msg)

    def word_of_number(self, word: int) -> int:
        """Numbers are extended to 64 bits by their sign."""
        if word == 0:
            return self.bits
        return 0xFFFFFFFF if self.text.startswith("-") else 0
