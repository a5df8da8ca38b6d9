"""A code object as it lies in memory when a kernel of it runs: code, data, descriptors.

Addresses are those of the ELF file; a loader adds one base to all of them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from layoutalg.codegen.compile.code_object import (
    KernelResources,
    damage_refused,
    open_elf,
    read_code_object,
)
from layoutalg.codegen.compile.kernel_descriptor import DESCRIPTOR_BYTES, KernelDescriptor
from layoutalg.errors import LayoutError, ToolError

__all__ = ["LoadedObject", "Relocation", "Segment", "load_object", "relocated"]

LARGEST = 1 << 28  # bytes of a segment that is loaded: hundreds of times the largest library's
HIGHEST = 1 << 40  # addresses of a code object, which begins at 0; the base comes on top
OF_THE_COMPILER = ".AMDGPU."  # .csdata and .gpr_maximums: LLVM, AMDGPUAsmPrinter.cpp
RELOCATIONS = {3: "R_AMDGPU_ABS64", 13: "R_AMDGPU_RELATIVE64"}  # both: the address, of 64 bits


@dataclass(frozen=True)
class Segment:
    """Bytes at an address, zeros included."""

    address: int
    content: bytes
    is_writable: bool


@dataclass(frozen=True)
class Relocation:
    """A word of 64 bits at ``place`` that must hold ``address`` plus the base."""

    place: int
    address: int


@dataclass(frozen=True)
class LoadedObject:
    """What a code object consists of: its kernels, the section of code, what is loaded."""

    kernels: tuple[KernelResources, ...]
    code: bytes
    code_address: int
    segments: tuple[Segment, ...]
    relocations: tuple[Relocation, ...]
    symbols: tuple[tuple[str, int, int], ...]
    is_compiled: bool  # by LLVM from source or IR, which leaves sections of its own, not assembled alone

    @property
    def target(self) -> str:
        return self.kernels[0].target

    def kernel(self, name: str | None = None) -> KernelResources:
        """The only kernel, or the one named; refused, with the names there are, where that is none."""
        names = [kernel.name for kernel in self.kernels]
        if name is None and len(names) == 1:
            return self.kernels[0]
        if name not in names:
            wanted = "one kernel" if name is None else f"the kernel {name}"
            msg = f"wanted {wanted}, got a code object with {', '.join(names) or 'none'}"
            raise LayoutError(msg, hint="--kernel NAME, or kernel=, chooses one")
        return self.kernels[names.index(name)]

    def descriptor(self, kernel: KernelResources) -> KernelDescriptor:
        return KernelDescriptor.of(self.bytes_at(self.symbol(f"{kernel.name}.kd"), DESCRIPTOR_BYTES))

    def entry(self, kernel: KernelResources) -> int:
        """The address of the kernel's first instruction."""
        return self.symbol(f"{kernel.name}.kd") + self.descriptor(kernel).kernel_code_entry_byte_offset

    def symbol(self, name: str) -> int:
        for found, address, _ in self.symbols:
            if found == name:
                return address
        msg = f"the code object has no symbol {name}"
        raise LayoutError(msg)

    def bytes_at(self, address: int, size: int) -> bytes:
        for segment in self.segments:
            first = address - segment.address
            if first >= 0 and first + size <= len(segment.content):
                return segment.content[first : first + size]
        msg = f"the code object has no {size} bytes at address {address:#x}"
        raise LayoutError(msg)


def load_object(content: bytes) -> LoadedObject:
    """The code object in these bytes, linked; refused where it is none or has no code."""
    kernels = read_code_object(content)
    with damage_refused():
        return _loaded(kernels, open_elf(content))


def _loaded(kernels: tuple[KernelResources, ...], elf: Any) -> LoadedObject:
    text = elf.get_section_by_name(".text")
    if text is None or not kernels:
        msg = "wanted a code object with code, got one without kernels"
        raise LayoutError(msg)
    segments = tuple(map(_segment, elf.iter_segments("PT_LOAD")))
    ends = sorted((one.address, one.address + len(one.content)) for one in segments)
    if any(end > begin for (_, end), (begin, _) in pairwise(ends)):
        raise ToolError("the code object is damaged: two segments lie in the same place")
    tables = [
        table for name in (".symtab", ".dynsym") if (table := elf.get_section_by_name(name)) is not None
    ]
    symbols = tuple(
        (symbol.name, symbol["st_value"], symbol["st_size"])
        for table in tables
        for symbol in table.iter_symbols()
        if symbol.name
    )
    relocations = tuple(_relocations(elf))
    is_compiled = any(section.name.startswith(OF_THE_COMPILER) for section in elf.iter_sections())
    return LoadedObject(kernels, text.data(), text["sh_addr"], segments, relocations, symbols, is_compiled)


def _segment(segment: Any) -> Segment:
    address, size, in_file = segment["p_vaddr"], segment["p_memsz"], segment["p_filesz"]
    if not in_file <= size <= LARGEST or address + size > HIGHEST:
        msg = f"a segment of {size} bytes at {address:#x}, {in_file} of them in the file"
        raise ToolError(f"the code object is damaged: {msg}: wanted at most {LARGEST} below {HIGHEST:#x}")
    return Segment(address, segment.data() + bytes(size - in_file), bool(segment["p_flags"] & 2))


def _relocations(elf: object) -> list[Relocation]:
    """What the loader writes into data: addresses of the object's own symbols."""
    found = []
    for section in elf.iter_sections():  # type: ignore[attr-defined]
        if section["sh_type"] != "SHT_RELA":
            continue
        symbols = elf.get_section(section["sh_link"])  # type: ignore[attr-defined]
        for entry in section.iter_relocations():
            if entry["r_info_type"] not in RELOCATIONS:
                msg = f"relocation type {entry['r_info_type']}: wanted {', '.join(RELOCATIONS.values())}"
                raise LayoutError(msg)
            number = entry["r_info_sym"]
            symbol = symbols.get_symbol(number)["st_value"] if number else 0
            found.append(Relocation(entry["r_offset"], symbol + entry["r_addend"]))
    return found


def relocated(segment: Segment, relocations: tuple[Relocation, ...], base: int) -> bytes:
    """The content of a segment as it is with all addresses ``base`` higher."""
    content = bytearray(segment.content)
    for relocation in relocations:
        first = relocation.place - segment.address
        if 0 <= first <= len(content) - 8:
            struct.pack_into("<Q", content, first, relocation.address + base)
    return bytes(content)
