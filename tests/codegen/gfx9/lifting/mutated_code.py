"""Compiled code with one instruction changed, as a wrong compiler or a wrong hand would have it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction

__all__ = ["Mutant", "changed", "mutants"]

INTEGER = re.compile(
    r"^(v_(add|sub|mul|mad|lsh|ash|and|or|xor|bfe|cmp|cndmask|mbcnt|mov)"
    r"|s_(add|sub|mul|lsh|ash|and|or|bfe|cmp|csel|mov|min|max)|s_c?branch)"
)
MEMORY = re.compile(r"^(global|buffer|ds)_")
OTHER_NAMES = (
    ("lshlrev", "lshrrev"),
    ("lshrrev_b", "ashrrev_i"),
    ("ashrrev_i", "lshrrev_b"),
    ("s_lshl_", "s_lshr_"),
    ("s_lshr_", "s_lshl_"),
    ("s_ashr_i", "s_lshr_b"),
    ("v_add_u32", "v_sub_u32"),
    ("v_sub_u32", "v_add_u32"),
    ("s_add_i32", "s_sub_i32"),
    ("s_sub_i32", "s_add_i32"),
    ("s_add_u32", "s_sub_u32"),
    ("v_and_b32", "v_or_b32"),
    ("v_or_b32", "v_xor_b32"),
    ("v_xor_b32", "v_and_b32"),
    ("_lt_", "_le_"),
    ("_gt_", "_ge_"),
    ("_ge_", "_gt_"),
    ("_le_", "_lt_"),
    ("_gt_i32", "_gt_u32"),
    ("_lt_i32", "_lt_u32"),
    ("s_and_b64", "s_or_b64"),
    ("s_and_saveexec_b64", "s_or_saveexec_b64"),
    ("scc1", "scc0"),
    ("scc0", "scc1"),
    ("lshl_add_u32", "lshl_or_b32"),
    ("lshl_or_b32", "and_or_b32"),
)
NUMBER = re.compile(r"^-?(0x[0-9a-f]+|\d+)$")


@dataclass(frozen=True)
class Mutant:
    """Code with another instruction at a place."""

    place: int
    before: str
    after: str
    assembly: Assembly


def mutants(assembly: Assembly) -> Iterator[Mutant]:
    """Immediates, opcodes, operands and offsets changed, one at a time."""
    for place, one in enumerate(assembly.instructions):
        for text in dict.fromkeys(_changed(one.text)):
            if text != one.text:
                yield changed(assembly, place, text)


def changed(assembly: Assembly, place: int, text: str) -> Mutant:
    """The code with another instruction at a place."""
    one = assembly.instructions[place]
    other = replace(parse_instruction(text, one.line), address=one.address)
    code = (*assembly.instructions[:place], other, *assembly.instructions[place + 1 :])
    return Mutant(place, one.text, text, replace(assembly, instructions=code))


def _changed(text: str) -> Iterator[str]:
    name, _, rest = text.partition(" ")
    if MEMORY.match(name):
        yield from _offsets(text)
        return
    if not INTEGER.match(name):
        return
    for old, new in OTHER_NAMES:
        if old in name:
            yield f"{name.replace(old, new)} {rest}"
    operands = rest.split(", ")
    for number, operand in enumerate(operands):
        if number and NUMBER.match(operand):
            value = int(operand, 0)
            for other in (value + 1, value * 2):
                yield f"{name} {', '.join([*operands[:number], str(other), *operands[number + 1 :]])}"
    if len(operands) >= 3 and not NUMBER.match(operands[-1]) and operands[-1][0] == operands[-2][0]:
        yield f"{name} {', '.join([*operands[:-2], operands[-1], operands[-2]])}"


def _offsets(text: str) -> Iterator[str]:
    found = re.search(r"offset:(\d+)", text)
    if found:
        yield text.replace(found[0], f"offset:{int(found[1]) + 16}")
        yield text.replace(found[0], "offset:0")
    elif "offset" not in text:
        yield f"{text} offset:64"
