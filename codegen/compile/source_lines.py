"""Which line of a source file an address of a code object comes from, as its debug information says.

Inlined functions of a runtime's own headers (a barrier, a reduction of Triton's) are stepped out of: what
counts is the line of the user's that called them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from elftools.dwarf.descriptions import describe_form_class

from layoutalg.codegen.compile.code_object import damage_refused, open_elf

__all__ = ["SourceLine", "SourceLines", "source_lines"]

OF_A_RUNTIME = ("hip_stand_in/", "/opt/rocm", "triton/language/", "include/hip/", "__clang_hip")
OBJECTS = 16  # kept


@dataclass(frozen=True)
class SourceLine:
    """A file as the compiler knew it, and a line in it."""

    file: str
    line: int

    @property
    def is_of_a_runtime(self) -> bool:
        """Whether it lies in a header that no user wrote."""
        return any(part in self.file for part in OF_A_RUNTIME)

    def __str__(self) -> str:
        return f"{PurePosixPath(self.file).name}:{self.line}"


@dataclass(frozen=True)
class Inlined:
    """Addresses at which a function stands inlined, and the line that calls it."""

    first: int
    end: int
    call: SourceLine


@dataclass
class SourceLines:
    """The line table of a code object; empty where it has no debug information."""

    addresses: list[int] = field(default_factory=list)
    lines: list[SourceLine | None] = field(default_factory=list)
    inlined: list[Inlined] = field(default_factory=list)

    @property
    def main_file(self) -> str:
        """The file that most lines come from, headers of a runtime apart; empty without lines."""
        files = Counter(line.file for line in self.lines if line is not None and not line.is_of_a_runtime)
        return files.most_common(1)[0][0] if files else ""

    def at(self, address: int) -> SourceLine | None:
        """The user's line that an address comes from, None where that is not known."""
        chain = self.chain(address)
        return next((line for line in chain if not line.is_of_a_runtime), chain[0] if chain else None)

    def chain(self, address: int) -> list[SourceLine]:
        """The line itself, then the lines that called it, the innermost first."""
        number = bisect_right(self.addresses, address) - 1
        found = self.lines[number] if number >= 0 else None
        if found is None:
            return []
        around = [one for one in self.inlined if one.first <= address < one.end]
        return [found, *(one.call for one in sorted(around, key=lambda one: one.end - one.first))]


@lru_cache(maxsize=OBJECTS)
def source_lines(code_object: bytes) -> SourceLines:
    """What the debug information of a code object (``-gline-tables-only`` is enough) says of its lines."""
    with damage_refused():
        return _read(open_elf(code_object))


def _read(elf: Any) -> SourceLines:
    found = SourceLines()
    if not elf.has_dwarf_info() or elf.get_section_by_name(".debug_line") is None:
        return found
    told: Any = elf.get_dwarf_info()
    rows: list[tuple[int, SourceLine | None]] = []
    for unit in told.iter_CUs():
        program = told.line_program_for_CU(unit)
        if program is None:
            continue
        names = _names(program)
        for entry in program.get_entries():
            state = entry.state
            if state is None or not (state.line or state.end_sequence):
                continue  # what has no line continues the one before it
            known = None if state.end_sequence else SourceLine(names[state.file], state.line)
            rows.append((state.address, known))
        found.inlined += _inlined(told, unit, names)
    # the end of a sequence gives way to a line that begins at the same address
    rows.sort(key=lambda row: (row[0], row[1] is not None))
    found.addresses, found.lines = [row[0] for row in rows], [row[1] for row in rows]
    return found


def _names(program: Any) -> dict[int, str]:
    """The files of a line program by the numbers that it uses."""
    header = program.header
    is_new = header["version"] >= 5
    folders = [_text(folder) for folder in header["include_directory"]]
    found = {}
    for number, file in enumerate(header["file_entry"], start=0 if is_new else 1):
        name, folder = _text(file.name), file.dir_index - (0 if is_new else 1)
        path = PurePosixPath(folders[folder]) / name if 0 <= folder < len(folders) else PurePosixPath(name)
        found[number] = str(path)
    return found


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _inlined(told: Any, unit: Any, names: dict[int, str]) -> Iterator[Inlined]:
    """Every place at which a function of a unit stands inlined."""
    base = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    for entry in unit.iter_DIEs():
        if entry.tag != "DW_TAG_inlined_subroutine" or "DW_AT_call_line" not in entry.attributes:
            continue
        file = names.get(entry.attributes["DW_AT_call_file"].value, "")
        call = SourceLine(file, entry.attributes["DW_AT_call_line"].value)
        for first, end in _ranges(told, unit, entry, base.value if base else 0):
            yield Inlined(first, end, call)


def _ranges(told: Any, unit: Any, entry: Any, base: int) -> list[tuple[int, int]]:
    attributes = entry.attributes
    if "DW_AT_low_pc" in attributes:
        first, high = attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
        is_length = describe_form_class(high.form) == "constant"
        return [(first, first + high.value if is_length else high.value)]
    if "DW_AT_ranges" not in attributes:
        return []
    lists = told.range_lists()
    found = []
    for part in lists.get_range_list_at_offset(attributes["DW_AT_ranges"].value, unit):
        if hasattr(part, "base_address"):
            base = part.base_address
        elif getattr(part, "is_absolute", False):
            found.append((part.begin_offset, part.end_offset))
        else:
            found.append((base + part.begin_offset, base + part.end_offset))
    return found
