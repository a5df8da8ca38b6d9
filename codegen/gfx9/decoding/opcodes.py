"""Opcodes of the gfx9 encodings: what an instruction is called, and which operands its text has.

>>> opcodes("gfx942")["SOP1"][4]
Opcode(mnemonic='s_not_b32', operands=(Slot(role='D', width=1), Slot(role='a', width=1)))
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["TARGETS", "Opcode", "Slot", "opcodes"]

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950")
FILES = ("scalar.toml", "vector.toml", "memory.toml")
_SLOT = re.compile(r"^([dDSabcrpxyRB])(\d*)$")


@dataclass(frozen=True)
class Slot:
    """An operand of an instruction's text: its role (a letter or word of the tables) and its registers."""

    role: str
    width: int


@dataclass(frozen=True)
class Opcode:
    """One row: LLVM's mnemonic and the operands in the order in which they are written."""

    mnemonic: str
    operands: tuple[Slot, ...]

    def has(self, role: str) -> bool:
        return any(slot.role == role for slot in self.operands)

    def width(self, role: str) -> int:
        """The registers of the operand with this role, 1 if there is none."""
        return next((slot.width for slot in self.operands if slot.role == role), 1)

    @property
    def sources(self) -> int:
        """How many of ``a``, ``b`` and ``c`` it has."""
        return sum(slot.role in ("a", "b", "c") for slot in self.operands)


@cache
def opcodes(target: str) -> Mapping[str, Mapping[int, Opcode]]:
    """For each encoding the opcodes that ``target`` has, by number."""
    found: dict[str, dict[int, Opcode]] = {}
    for file in FILES:
        tables = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
        for encoding, table in tables.items():
            rows = found.setdefault(encoding, {})
            for key, value in table.items():
                if isinstance(value, str):
                    rows[int(key)] = _opcode(value)
                elif target in key.split("_"):
                    rows.update({int(number): _opcode(row) for number, row in value.items()})
    return found


def _opcode(row: str) -> Opcode:
    mnemonic, *operands = row.split()
    return Opcode(mnemonic, tuple(_slot(text) for text in operands))


def _slot(text: str) -> Slot:
    found = _SLOT.match(text)
    return Slot(found[1], int(found[2] or 1)) if found else Slot(text, 1)
