"""What a compiled code object says of its kernels: registers, spills, memory, where arguments lie.

It stands in a MessagePack note of the ELF file (LLVM, "User Guide for AMDGPU Backend",
section "Code Object Metadata").
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import LayoutError, MissingToolError, ToolError, shown
from layoutalg.extras import install_command
from layoutalg.reading.near_names import not_one_of

__all__ = ["KernelArgument", "KernelResources", "damage_refused", "open_elf", "read_code_object"]

MOST = 2**32 - 1  # of counts and sizes: fields of the kernel descriptor have 32 bits
MOST_ARGUMENTS = 1 << 20  # bytes; HIP passes at most 4 KiB, and all of them are filled before a launch

NOTE_NAME = "AMDGPU"
NOTE_TYPE = 32  # NT_AMDGPU_METADATA
MACHINE_MASK = 0xFF  # EF_AMDGPU_MACH
MACHINES = {
    0x2F: "gfx906",
    0x30: "gfx908",
    0x3F: "gfx90a",
    0x4C: "gfx942",
    0x4F: "gfx950",
    0x36: "gfx1030",
    0x41: "gfx1100",
    0x48: "gfx1200",
    0x4E: "gfx1201",
}
_TARGET = re.compile(r"(gfx[0-9a-f]+)(?::[\w+:-]*)?$")  # behind vendor and system; features may follow
COERCED = ".coerce"  # what clang adds to the name of a pointer that it makes a global one


@dataclass(frozen=True)
class KernelArgument:
    """A kernel argument's place in the argument block, in bytes, and its kind."""

    offset: int
    size: int
    kind: str
    name: str = ""


@dataclass(frozen=True)
class KernelResources:
    """What one kernel needs of a compute unit; sizes in bytes, registers per lane."""

    name: str
    target: str
    vgprs: int
    agprs: int
    sgprs: int
    vgpr_spills: int
    sgpr_spills: int
    lds_bytes: int
    scratch_bytes: int
    wave_size: int
    max_workgroup: int
    argument_bytes: int
    arguments: tuple[KernelArgument, ...]

    @property
    def spills(self) -> int:
        return self.vgpr_spills + self.sgpr_spills


@contextmanager
def damage_refused() -> Iterator[None]:
    """Refuse a code object whose parts contradict each other: its readers fail in many ways then.

    >>> with damage_refused():
    ...     b"code".decode("ascii")[9]
    Traceback (most recent call last):
        ...
    layoutalg.errors.ToolError: the code object is damaged: IndexError: string index out of range
    """
    try:
        yield
    except (LayoutError, ToolError):
        raise
    except Exception as error:  # noqa: BLE001  pyelftools and msgpack raise errors of any kind
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise ToolError(f"the code object is damaged: {what}") from None


def open_elf(content: bytes) -> Any:
    """The ELF file in these bytes, as ``pyelftools`` reads it."""
    try:
        from elftools.common.exceptions import ELFError  # noqa: PLC0415  needed only where code is compiled
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415
    except ImportError as error:
        msg = f"reading a code object needs the package {error.name}"
        raise MissingToolError(msg, hint=install_command("compile")) from None
    try:
        return ELFFile(io.BytesIO(content))
    except (ELFError, EOFError) as error:
        msg = f"wanted a code object, an ELF file, got {len(content)} bytes that are none: {error}"
        raise ToolError(msg) from None


def read_code_object(content: bytes) -> tuple[KernelResources, ...]:
    """The kernels of the ELF file ``content``, with what each needs; refused where it has no metadata.

    The target is the one the metadata names (of any vendor and system), else the machine of the ELF header.
    """
    with damage_refused():
        return _read(open_elf(content))


def _read(elf: Any) -> tuple[KernelResources, ...]:
    notes = _notes(elf)
    named = _TARGET.search(str(notes.get("amdhsa.target", "")))
    target = named[1] if named else MACHINES.get(elf["e_flags"] & MACHINE_MASK, "")
    if not target:
        machine = f"{elf['e_flags'] & MACHINE_MASK:#x}"
        raise not_one_of("a machine", machine, MACHINES.values(), where="the code object")
    return tuple(_resources(kernel, target) for kernel in notes.get("amdhsa.kernels", []))


def _notes(elf: Any) -> dict[str, Any]:
    try:
        import msgpack  # noqa: PLC0415  needed only where code is compiled
        from elftools.elf.sections import NoteSection  # noqa: PLC0415
    except ImportError as error:
        msg = f"reading a code object needs the package {error.name}"
        raise MissingToolError(msg, hint=install_command("compile")) from None
    for section in elf.iter_sections():
        if isinstance(section, NoteSection):
            for note in section.iter_notes():
                if note["n_name"] == NOTE_NAME and note["n_type"] in (
                    NOTE_TYPE,
                    "NT_AMDGPU_METADATA",
                ):
                    description = note["n_descdata"]
                    found: dict[str, Any] = msgpack.unpackb(description)
                    return found
    msg = "the code object has no AMDGPU metadata note"
    raise ToolError(msg)


def _resources(kernel: dict[str, Any], target: str) -> KernelResources:
    def count(key: str, otherwise: int = 0, most: int = MOST) -> int:
        return _count(kernel.get(key, otherwise), key, most)

    size = count(".kernarg_segment_size", most=MOST_ARGUMENTS)
    arguments = tuple(_argument(entry, size) for entry in kernel.get(".args", []))
    return KernelResources(
        name=_text(kernel[".name"], ".name"),
        target=target,
        vgprs=count(".vgpr_count"),
        agprs=count(".agpr_count"),
        sgprs=count(".sgpr_count"),
        vgpr_spills=count(".vgpr_spill_count"),
        sgpr_spills=count(".sgpr_spill_count"),
        lds_bytes=count(".group_segment_fixed_size"),
        scratch_bytes=count(".private_segment_fixed_size"),
        wave_size=count(".wavefront_size", 64),
        max_workgroup=count(".max_flat_workgroup_size", 1024),
        argument_bytes=size,
        arguments=arguments,
    )


def _argument(entry: dict[str, Any], size: int) -> KernelArgument:
    offset, bytes_ = _count(entry[".offset"], ".offset", size), _count(entry[".size"], ".size", size)
    if offset + bytes_ > size:
        msg = f"an argument of {bytes_} bytes at {offset} lies outside the {size} bytes of arguments"
        raise ToolError(f"the code object is damaged: {msg}")
    name = _text(entry.get(".name", ""), ".name").removesuffix(COERCED)
    return KernelArgument(offset, bytes_, _text(entry[".value_kind"], ".value_kind"), name)


def _count(value: Any, key: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ToolError(f"the code object is damaged: {key}: wanted 0 to {most}, got {shown(value)}")
    return value


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise ToolError(f"the code object is damaged: {key}: wanted a text, got {shown(value)}")
    return value
