"""Which bytes are code: the instructions that a kernel can come to from its entry.

What lies between them is data, or code of another kernel, and is not looked at.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from layoutalg.codegen.gfx9.decoding.decode import LONGEST, Decoded, decode
from layoutalg.codegen.gfx9.decoding.encoded import UndecodableError

__all__ = ["CodeBytes", "reached"]

ENDS = ("s_endpgm", "s_setpc_b64", "s_rfe_b64", "s_branch")  # what follows is not come to from here
WORD = 4


@dataclass(frozen=True)
class CodeBytes:
    """The content of a section of code that begins at ``address``.

    >>> CodeBytes(bytes.fromhex("010500020000 81bf"), 0x100, "gfx942").instruction(0x104).text
    's_endpgm'
    """

    content: bytes
    address: int
    target: str

    def at(self, address: int, size: int) -> bytes:
        first = address - self.address
        return self.content[first : first + size] if first >= 0 else b""

    def instruction(self, address: int) -> Decoded:
        """The instruction at an address; refused, with its bytes, where there is none."""
        given = self.at(address, LONGEST * WORD)
        given = given[: len(given) // WORD * WORD]
        if not given or address % WORD:
            msg = f"the flow leaves the code: address {address:#x} is outside"
            raise UndecodableError(msg)
        try:
            found = decode(struct.unpack(f"<{len(given) // WORD}I", given), address, self.target)
        except UndecodableError as error:
            msg = f"address {address:#x}: bytes {given[: 2 * WORD].hex(' ', WORD)}: {error.message}"
            raise UndecodableError(msg) from None
        return found


def reached(code: CodeBytes, entry: int) -> Mapping[int, Decoded]:
    """The instructions that can be come to from ``entry``, by address, in the order of addresses.

    A jump whose target stands in registers (``s_setpc_b64``) is not followed.
    """
    found: dict[int, Decoded] = {}
    todo = [entry]
    while todo:
        address = todo.pop()
        while address not in found:
            instruction = code.instruction(address)
            found[address] = instruction
            if instruction.branch is not None:
                todo.append(instruction.branch)
            if instruction.mnemonic in ENDS or instruction.mnemonic.startswith("s_endpgm"):
                break
            address += instruction.size
    return dict(sorted(found.items()))
