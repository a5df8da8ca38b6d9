"""The kernel descriptor of a code object: what the hardware sets up before a kernel's first instruction.

64 bytes under the symbol ``NAME.kd``. Source: LLVM, "User Guide for AMDGPU Backend", section "Kernel
Descriptor for GFX6-GFX12"; fields are called as there.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from layoutalg.errors import LayoutError

__all__ = ["DESCRIPTOR_BYTES", "KernelDescriptor"]

DESCRIPTOR_BYTES = 64
NEAREST_EVEN, ALLOW_DENORMALS, FLUSH_DENORMALS = 0, 3, 0
VGPR_GRANULE = 8  # of targets whose registers and accumulators are one file; gfx908 has granules of 4
USER_SGPRS = (
    "private_segment_buffer",
    "dispatch_ptr",
    "queue_ptr",
    "kernarg_segment_ptr",
    "dispatch_id",
    "flat_scratch_init",
    "private_segment_size",
)


@dataclass(frozen=True)
class KernelDescriptor:
    """The fields of a descriptor, by LLVM's names in lower case; sizes in bytes, registers per lane."""

    group_segment_fixed_size: int
    private_segment_fixed_size: int
    kernarg_size: int
    kernel_code_entry_byte_offset: int
    rsrc1: int
    rsrc2: int
    rsrc3: int
    kernel_code_properties: int
    kernarg_preload: int

    @classmethod
    def of(cls, content: bytes) -> KernelDescriptor:
        """The descriptor in these 64 bytes.

        >>> KernelDescriptor.of(bytes(64)).float_denorm_mode_32
        0
        """
        if len(content) != DESCRIPTOR_BYTES:
            msg = f"wanted a kernel descriptor of {DESCRIPTOR_BYTES} bytes, got {len(content)}"
            raise LayoutError(msg)
        lds, scratch, arguments, entry = struct.unpack_from("<III4xq", content)
        rsrc3, rsrc1, rsrc2, properties, preload = struct.unpack_from("<IIIHH", content, 44)
        return cls(lds, scratch, arguments, entry, rsrc1, rsrc2, rsrc3, properties, preload)

    @property
    def float_denorm_mode_32(self) -> int:
        return self.rsrc1 >> 16 & 3

    @property
    def flushes_denormals(self) -> bool:
        """Whether float operations of 32 bits take and give 0 for numbers that are not normal."""
        return self.float_denorm_mode_32 == FLUSH_DENORMALS

    def complaints(self, target: str) -> list[str]:
        """What the CPU cannot do as this descriptor asks, each with its field's name."""
        found = [
            f"{name} is {value}: wanted {wanted}"
            for name, value, wanted in (
                ("FLOAT_ROUND_MODE_32", self.rsrc1 >> 12 & 3, "0, to nearest even"),
                ("FLOAT_ROUND_MODE_16_64", self.rsrc1 >> 14 & 3, "0, to nearest even"),
                ("FP16_OVFL", self.rsrc1 >> 26 & 1, "0"),
                ("ENABLE_WAVEFRONT_SIZE32", self.kernel_code_properties >> 10 & 1, "0, waves of 64 lanes"),
                ("ENABLE_EXCEPTION", self.rsrc2 >> 24 & 0x7F, "0"),
            )
            if value
        ]
        if self.rsrc1 >> 18 & 3 != ALLOW_DENORMALS:
            found.append(f"FLOAT_DENORM_MODE_16_64 is {self.rsrc1 >> 18 & 3}: wanted 3, as they are")
        if self.float_denorm_mode_32 not in (ALLOW_DENORMALS, FLUSH_DENORMALS):
            found.append(f"FLOAT_DENORM_MODE_32 is {self.float_denorm_mode_32}: wanted 0 or 3")
        if self.rsrc3 >> 16 & 1 and target != "gfx908":
            found.append("TG_SPLIT is 1: wanted 0, the waves of a workgroup on one compute unit")
        return found

    def directives(self, target: str) -> Mapping[str, int]:
        """The fields as the ``.amdhsa_`` directives of assembly call them."""
        has_one_file = target != "gfx908"
        granule = VGPR_GRANULE if has_one_file else VGPR_GRANULE // 2
        registers = ((self.rsrc1 & 0x3F) + 1) * granule
        found = {
            "group_segment_fixed_size": self.group_segment_fixed_size,
            "private_segment_fixed_size": self.private_segment_fixed_size,
            "next_free_vgpr": registers if has_one_file else 2 * registers,
            "accum_offset": 4 * ((self.rsrc3 & 0x3F) + 1) if has_one_file else registers,
            "user_sgpr_count": self.rsrc2 >> 1 & 0x1F,
            "user_sgpr_kernarg_preload_length": self.kernarg_preload & 0x7F,
            "user_sgpr_kernarg_preload_offset": self.kernarg_preload >> 7,
            "system_sgpr_private_segment_wavefront_offset": self.rsrc2 & 1,
            "system_sgpr_workgroup_info": self.rsrc2 >> 10 & 1,
            "system_vgpr_workitem_id": self.rsrc2 >> 11 & 3,
            "float_denorm_mode_32": self.float_denorm_mode_32,
            "ieee_mode": self.rsrc1 >> 23 & 1,
        }
        for bit, name in enumerate(USER_SGPRS):
            found[f"user_sgpr_{name}"] = self.kernel_code_properties >> bit & 1
        for bit, axis in enumerate("xyz", start=7):
            found[f"system_sgpr_workgroup_id_{axis}"] = self.rsrc2 >> bit & 1
        return found
