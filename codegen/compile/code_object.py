"""What a compiled code object says of its kernels: registers, spills, memory, where arguments lie.

It stands in a MessagePack note of the ELF file (LLVM, "User Guide for AMDGPU Backend",
section "Code Object Metadata").
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import MissingToolError, ToolError
from layoutalg.extras import install_command
from layoutalg.reading.near_names import not_one_of

__all__ = ["KernelArgument", "KernelResources", "open_elf", "read_code_object"]

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
    elf = open_elf(content)
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
    arguments = tuple(
        KernelArgument(
            entry[".offset"],
            entry[".size"],
            entry[".value_kind"],
            entry.get(".name", "").removesuffix(COERCED),
        )
        for entry in kernel.get(".args", [])
    )
    return KernelResources(
        name=kernel[".name"],
        target=target,
        vgprs=kernel.get(".vgpr_count", 0),
        agprs=kernel.get(".agpr_count", 0),
        sgprs=kernel.get(".sgpr_count", 0),
        vgpr_spills=kernel.get(".vgpr_spill_count", 0),
        sgpr_spills=kernel.get(".sgpr_spill_count", 0),
        lds_bytes=kernel.get(".group_segment_fixed_size", 0),
        scratch_bytes=kernel.get(".private_segment_fixed_size", 0),
        wave_size=kernel.get(".wavefront_size", 64),
        max_workgroup=kernel.get(".max_flat_workgroup_size", 1024),
        argument_bytes=kernel.get(".kernarg_segment_size", 0),
        arguments=arguments,
    )
