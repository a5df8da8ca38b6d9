"""From a code object to what is executed: the instructions that its bytes are, and what its descriptor says.

Assembly text beside the code object is never executed. It must assemble to the same code, and lends the
numbers of its lines to messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from layoutalg.codegen.compile.assemble import assemble
from layoutalg.codegen.compile.code_object import KernelResources, open_elf
from layoutalg.codegen.compile.kernel_descriptor import DESCRIPTOR_BYTES
from layoutalg.codegen.compile.loaded_object import LoadedObject, load_object
from layoutalg.codegen.gfx9.assembly import (
    Assembly,
    UnknownInstructionError,
    parse_assembly,
    parse_instruction,
)
from layoutalg.codegen.gfx9.decoding.decode import Decoded
from layoutalg.codegen.gfx9.decoding.opcodes import TARGETS
from layoutalg.codegen.gfx9.decoding.reached import CodeBytes, reached
from layoutalg.codegen.gfx9.decoding.round_trip import lost
from layoutalg.codegen.gfx9.decoding.scalar_text import BRANCH_LABEL
from layoutalg.codegen.gfx9.register_indexing import with_indexed_operands
from layoutalg.errors import LayoutError, ToolError

__all__ = ["executable"]

KERNELS = 32  # kept
ENTRY_OFFSET = slice(16, 24)  # bytes of a descriptor that the linker fills in


@lru_cache(maxsize=KERNELS)
def executable(code_object: bytes, kernel: str | None = None, text: str | None = None) -> Assembly:
    """The kernel of a code object, decoded; ``text`` is the assembly that is said to be its own.

    Refused: a target that is not gfx9, several kernels without a choice, a descriptor with modes that the CPU
    does not have, an instruction whose bytes do not come back when it is assembled again, and a ``text``
    that is not this code.
    """
    loaded = load_object(code_object)
    if loaded.target not in TARGETS:
        msg = f"the CPU executes {', '.join(TARGETS)}, not {loaded.target}"
        raise LayoutError(msg)
    resources = loaded.kernel(kernel)
    complaints = loaded.descriptor(resources).complaints(loaded.target)
    if complaints:
        msg = f"{resources.name}: the kernel descriptor's {complaints[0]}"
        raise LayoutError(msg)
    code = CodeBytes(loaded.code, loaded.code_address, loaded.target)
    found = reached(code, loaded.entry(resources))
    _require_round_trip(found, code, resources.name)
    lines = {} if text is None else _lines(loaded, resources, text)
    if not lines.keys() >= found.keys():
        lines = {}  # all of them or none, so that a number in a message says one thing
    return _assembly(loaded, resources, found, lines)


def _require_round_trip(found: Mapping[int, Decoded], code: CodeBytes, name: str) -> None:
    missing = lost(found, code)
    for address, instruction in missing.items():
        given = code.at(address, instruction.size).hex(" ", 4)
        msg = f"{name}: address {address:#x}: bytes {given} are not executed: they read {instruction.text!r},"
        msg += f" which the assembler does not make of it ({len(missing)} such instructions of {len(found)})"
        raise UnknownInstructionError(msg)


def _assembly(
    loaded: LoadedObject, resources: KernelResources, found: Mapping[int, Decoded], lines: Mapping[int, int]
) -> Assembly:
    places = {address: number for number, address in enumerate(found)}
    labels = {
        BRANCH_LABEL.format(decoded.branch): places[decoded.branch]
        for decoded in found.values()
        if decoded.branch is not None
    }
    instructions = tuple(
        replace(parse_instruction(decoded.text, lines.get(address, 0)), address=address)
        for address, decoded in found.items()
    )
    instructions = with_indexed_operands(instructions, set(labels.values()))
    directives = loaded.descriptor(resources).directives(loaded.target)
    return Assembly(resources.name, loaded.target, instructions, labels, directives, loaded)


def _lines(loaded: LoadedObject, resources: KernelResources, text: str) -> Mapping[int, int]:
    """The line of each address, once the text is known to be this code."""
    try:
        made = assemble(text, loaded.target)
    except ToolError as error:
        msg = f"the assembly beside the code object cannot be assembled: {error.message}"
        raise LayoutError(msg) from None
    _require_same(loaded, resources, made)
    code = CodeBytes(loaded.code, loaded.code_address, loaded.target)
    address = loaded.entry(resources)
    found: dict[int, int] = {}
    for written in parse_assembly(text, resources.name).instructions:
        try:
            decoded = code.instruction(address)
        except LayoutError:
            return found
        if decoded.mnemonic.removesuffix("_e32") != written.mnemonic.removesuffix("_e32"):
            return found  # something that is no instruction stands between
        found[address] = written.line
        address += decoded.size
    return found


def _require_same(loaded: LoadedObject, resources: KernelResources, made: bytes) -> None:
    """Refuse an object file whose kernel is not the one of the code object, relocated bytes apart."""
    elf = open_elf(made)
    symbols = {symbol.name: symbol for symbol in elf.get_section_by_name(".symtab").iter_symbols()}
    parts = ((resources.name, loaded.entry(resources), None), (f"{resources.name}.kd",) * 2 + (ENTRY_OFFSET,))
    for name, place, filled in parts:
        if name not in symbols:
            msg = f"the assembly beside the code object has no symbol {name}"
            raise LayoutError(msg)
        symbol = symbols[name]
        section = elf.get_section(symbol["st_shndx"])
        size = DESCRIPTOR_BYTES if filled else symbol["st_size"]
        first = symbol["st_value"]
        theirs = bytearray(section.data()[first : first + size])
        address = loaded.symbol(place) if isinstance(place, str) else place
        ours = bytearray(loaded.bytes_at(address, size))
        for offset in _filled_in(elf, section):
            if 0 <= offset - first < size:
                ours[offset - first : offset - first + 8] = theirs[offset - first : offset - first + 8]
        if filled:
            ours[filled] = theirs[filled]
        if ours != theirs:
            at = next(n for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
            msg = f"the assembly is not the code object's: {name} differs at address {address + at:#x}"
            raise LayoutError(msg, hint="assemble and link it anew, or leave the assembly away")


def _filled_in(elf: object, section: object) -> list[int]:
    """Where the linker fills in addresses: offsets in a section."""
    name = f".rela{section.name}"  # type: ignore[attr-defined]
    table = elf.get_section_by_name(name)  # type: ignore[attr-defined]
    return [] if table is None else [entry["r_offset"] for entry in table.iter_relocations()]
