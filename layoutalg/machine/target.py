"""The GPUs kernels are made for: wave size, shared memory, registers. Each row cites its source.

>>> Target.named("gfx942").wave_size
64
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.target_name import known_target

__all__ = ["EVERY_GPU", "TARGETS", "LaunchLimits", "Target"]

ROCM_SPECS = "ROCm documentation, GPU hardware specifications"
LLVM_USAGE = "LLVM, User Guide for AMDGPU Backend"
CUDA_GUIDE = "CUDA C++ Programming Guide, Technical Specifications per Compute Capability"


@dataclass(frozen=True)
class Target:
    """Facts about one target.

    ``lds_bytes_per_workgroup`` is what one workgroup may allocate; ``source`` says where the row
    comes from.
    """

    name: str
    architecture: str
    wave_size: int
    lds_bytes_per_workgroup: int
    vgprs_per_lane: int
    source: str

    @classmethod
    def named(cls, name: str) -> Target:
        """The target LLVM knows by this name."""
        return TARGETS[known_target(name)]


_KIB = 1024
TARGETS = {
    row.name: row
    for row in (
        Target("gfx908", "CDNA1", 64, 64 * _KIB, 512, ROCM_SPECS),
        Target("gfx90a", "CDNA2", 64, 64 * _KIB, 512, ROCM_SPECS),
        Target("gfx942", "CDNA3", 64, 64 * _KIB, 512, ROCM_SPECS),
        Target("gfx950", "CDNA4", 64, 160 * _KIB, 512, ROCM_SPECS),
        Target("gfx1100", "RDNA3", 32, 64 * _KIB, 256, LLVM_USAGE),
        Target("gfx1201", "RDNA4", 32, 64 * _KIB, 256, LLVM_USAGE),
    )
}


@dataclass(frozen=True)
class LaunchLimits:
    """What a launch may ask for.

    ``access_bytes``: of one lane in one access to memory; ``threads``: of a workgroup; ``blocks``: workgroups
    along y and z; ``lds_bytes``: shared memory that a workgroup gets without being asked for more.
    """

    access_bytes: int
    threads: int
    blocks: int
    lds_bytes: int
    source: str


# For kernels whose text runs on AMD's and on NVIDIA's GPUs: AMD's allow no less.
EVERY_GPU = LaunchLimits(16, 1024, 65535, 48 * _KIB, CUDA_GUIDE)
