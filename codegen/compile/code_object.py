"""What a compiled code object says of its kernels: registers, spills, memory, where arguments lie.

It stands in a MessagePack note of the ELF file (LLVM, "User Guide for AMDGPU Backend",
section "Code Object Metadata").
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["KernelArgument", "KernelResources", "read_code_object"]

NOTE_NAME = "AMDGPU"
NOTE_TYPE = 32  # NT_AMDGPU_METADATA


@dataclass(frozen=True)
class KernelArgument:
    """A kernel argument's place in the argument block, in bytes, and its kind."""

    offset: int
    size: int
    kind: str


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


def read_code_object(content: bytes) -> tuple[KernelResources, ...]:
    """The kernels of the ELF file ``content``, with what each needs; refused where it has no metadata."""
    notes = _notes(content)
    target = str(notes["amdhsa.target"]).removeprefix("amdgcn-amd-amdhsa--")
    return tuple(_resources(kernel, target) for kernel in notes["amdhsa.kernels"])


def _notes(content: bytes) -> dict[str, Any]:
    try:
        import msgpack  # noqa: PLC0415  needed only where code is compiled
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415
        from elftools.elf.sections import NoteSection  # noqa: PLC0415
    except ImportError as error:
        msg = f"reading a code object needs the package {error.name}"
        raise ToolError(msg, hint=install_command("compile")) from None
    for section in ELFFile(io.BytesIO(content)).iter_sections():
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
        KernelArgument(entry[".offset"], entry[".size"], entry[".value_kind"])
        for entry in kernel.get(".args", [])
    )
    return KernelResources(
        name=kernel[".name"],
        target=target,
        vgprs=kernel[".vgpr_count"],
        agprs=kernel.get(".agpr_count", 0),
        sgprs=kernel[".sgpr_count"],
        vgpr_spills=kernel.get(".vgpr_spill_count", 0),
        sgpr_spills=kernel.get(".sgpr_spill_count", 0),
        lds_bytes=kernel[".group_segment_fixed_size"],
        scratch_bytes=kernel[".private_segment_fixed_size"],
        wave_size=kernel[".wavefront_size"],
        max_workgroup=kernel[".max_flat_workgroup_size"],
        argument_bytes=kernel[".kernarg_segment_size"],
        arguments=arguments,
    )
