"""What was decoded, assembled again: an instruction whose bytes do not come back is not executed.

So the decoder need not be trusted: the compiler's assembler says what a text means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from layoutalg.codegen.compile.assemble import assemble
from layoutalg.codegen.compile.code_object import open_elf
from layoutalg.codegen.gfx9.decoding.decode import Decoded
from layoutalg.codegen.gfx9.decoding.reached import CodeBytes
from layoutalg.codegen.gfx9.decoding.scalar_text import BRANCH_LABEL
from layoutalg.errors import ToolError

__all__ = ["assembly_text", "lost"]

_COMPLAINT = re.compile(r"code\.s:(\d+):\d+: error")


def assembly_text(instructions: Mapping[int, Decoded], first: int) -> list[str]:
    """Lines that put each instruction where it was; ``first`` is the address at which the code begins.

    Labels stand where branches lead to. A branch to what is no instruction gets a label of its own.
    """
    targets = {found.branch for found in instructions.values() if found.branch is not None}
    lines = [
        f".set {BRANCH_LABEL.format(target)}, . + {target - first}"
        for target in sorted(targets - set(instructions))
    ]
    for address, found in instructions.items():
        lines.append(f".org {address - first}")
        if address in targets:
            lines.append(f"{BRANCH_LABEL.format(address)}:")
        lines.append(found.text)
    return lines


def lost(instructions: Mapping[int, Decoded], code: CodeBytes) -> Mapping[int, Decoded]:
    """The instructions whose bytes are others when their text is assembled, or that are refused there."""
    if not instructions:
        return {}
    first = min(instructions)
    refused: set[int] = set()
    while True:
        kept = {address: found for address, found in instructions.items() if address not in refused}
        lines = assembly_text(kept, first)
        try:
            made = assemble("\n".join(lines) + "\n", code.target)
        except ToolError as error:
            more = {_owner(lines, int(number), first) for number in _COMPLAINT.findall(error.message)}
            if not more - refused:
                raise
            refused |= more
            continue
        text = open_elf(made).get_section_by_name(".text").data()
        return {
            address: found
            for address, found in instructions.items()
            if address in refused or text[address - first :][: found.size] != code.at(address, found.size)
        }


def _owner(lines: list[str], number: int, first: int) -> int:
    """The address of the instruction that stands before or at a line of which the assembler complained."""
    above = lines[: number - 1] if lines[number - 1].startswith(".org") else lines[:number]
    return next(int(line.split()[1]) + first for line in reversed(above) if line.startswith(".org"))
