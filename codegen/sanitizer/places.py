"""Where instructions stand and what addresses mean, in words: for messages about one launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from layoutalg.codegen.compile.source_lines import SourceLine, SourceLines
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.registers import SCALARS
from layoutalg.codegen.gfx9.wave_start import FIRST_VGPRS
from layoutalg.codegen.sanitizer.kernel_finding import CodePlace

__all__ = ["Places", "register_named"]

SOURCE = (".hip", ".py")  # a compiler that keeps what it made may know a file by its former name
FAR = 1 << 40  # bytes from a buffer at which an address is no longer said to be beside it


@dataclass(frozen=True)
class Places:
    """The code of a launch with its lines, and its memory: ``name, address, bytes`` of each buffer.

    ``file``: what the user calls the code; ``lines`` of its source, as the code object knows them.
    """

    assembly: Assembly
    lines: SourceLines
    buffers: Sequence[tuple[str, int, int]]
    file: str

    def of(self, number: int) -> CodePlace | None:
        """The place of an instruction, None for -1."""
        if not 0 <= number < len(self.assembly.instructions):
            return None
        one = self.assembly.instructions[number]
        chain = self.lines.chain(one.address) if one.address is not None else []
        source = self.lines.at(one.address) if one.address is not None else None
        callers = tuple(self._as_called(line) for line in chain[1:])
        called = None if source is None else self._as_called(source)
        return CodePlace(number, one.text, one.address, one.line, called, callers)

    @cached_property
    def _renamed(self) -> str:
        """The file of the code's lines that the user calls otherwise; empty where there is none."""
        return self.lines.main_file if PurePath(self.file).suffix in SOURCE else ""

    def _as_called(self, line: SourceLine) -> SourceLine:
        return replace(line, file=self.file) if line.file and line.file == self._renamed else line

    def file_and_line(self, place: CodePlace | None) -> tuple[str, int]:
        """What a report points to: the source line, else the line of the assembly, else the file."""
        if place is None:
            return self.file, 1
        if place.assembly_line and self.file.endswith(".s"):
            return self.file, place.assembly_line
        if place.source is not None:
            return place.source.file, place.source.line
        return self.file, place.assembly_line or 1

    def address(self, space: str, address: int, size: int) -> str:
        """An address in words: ``4 bytes at offset 400 of x, which has 400``."""
        bytes_ = f"{size} byte{'s' if size != 1 else ''}"
        if space == "in_lds":
            return f"{bytes_} at LDS offset {address}"
        if space == "in_scratch":
            signed = address - (1 << 64) if address >> 63 else address
            return f"{bytes_} at offset {signed} of its scratch memory"
        inside = [b for b in self.buffers if b[1] <= address < b[1] + b[2]]
        before = [b for b in self.buffers if b[1] <= address]
        after = [b for b in self.buffers if b[1] > address]
        if inside:
            name, start, length = inside[0]
            end = f", which ends at {length}" if address + size > start + length else ""
            return f"{bytes_} at offset {address - start} of {name}{end}"
        if before and address - before[-1][1] < FAR:
            name, start, length = before[-1]
            return f"{bytes_} at offset {address - start} of {name}, which has {length} bytes"
        if after and after[0][1] - address < FAR:
            return f"{bytes_} {after[0][1] - address} bytes before {after[0][0]}"
        return f"{bytes_} at address {address:#x}, where there is no buffer"


def register_named(assembly: Assembly, number: int) -> str:
    """The register of a number of the machine in C: rows of vectors, of accumulators, then scalars.

    Empty for -1 and what is no register.
    """
    total = assembly.directives["next_free_vgpr"]
    vectors = assembly.directives.get("accum_offset", total) if assembly.names_accumulators else total
    vectors, rows = max(vectors, FIRST_VGPRS), max(total, vectors, FIRST_VGPRS)
    if not 0 <= number < rows + SCALARS:
        return ""
    if number >= rows:
        return f"s{number - rows}"
    return f"v{number}" if number < vectors else f"a{number - vectors}"
