"""The GPUs kernels are made for: wave size, shared memory, registers. Each row cites its source.

>>> Target.named("gfx942").wave_size
64

Every name given by a user passes :func:`known_target`: a mistyped one must never be taken for another target.

>>> known_target("mi350x")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: wanted a target of gfx908, ...; got 'mi350x' (the MI350X is gfx950)
>>> known_target("gfx95O", where="--arch")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: --arch: wanted a target of gfx908, ...; got 'gfx95O' (did you mean gfx950?)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import near_names

__all__ = ["EVERY_GPU", "TARGETS", "TARGET_NAMES", "LaunchLimits", "Target", "known_target"]

ROCM_SPECS = "ROCm documentation, GPU hardware specifications"
LLVM_USAGE = "LLVM, User Guide for AMDGPU Backend"
CUDA_GUIDE = "CUDA C++ Programming Guide, Technical Specifications per Compute Capability"

PRODUCTS = {  # as ROCm's GPU hardware specifications name them
    "gfx908": ("mi100",),
    "gfx90a": ("mi210", "mi250", "mi250x"),
    "gfx942": ("mi300a", "mi300x", "mi325x"),
    "gfx950": ("mi350x", "mi355x"),
    "gfx1100": ("rx7900xtx", "rx7900xt", "w7900"),
    "gfx1201": ("rx9070xt", "rx9070"),
}
TARGET_NAMES = tuple(PRODUCTS)


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

    @property
    def is_cdna(self) -> bool:
        """Whether it is a GPU for computing (gfx9), not for graphics."""
        return self.architecture.startswith("CDNA")

    @property
    def transposes_reads(self) -> bool:
        """Whether it has reads of shared memory that transpose (``ds_read_b64_tr_b16`` and the like).

        Source: AMD Instinct CDNA4 Instruction Set Architecture, chapter 11.

        >>> [name for name, row in TARGETS.items() if row.transposes_reads]
        ['gfx950']
        """
        return self.architecture == "CDNA4"


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


def known_target(name: object, known: Iterable[str] = TARGET_NAMES, *, where: str = "") -> str:
    """The name, if it is that of a target; else an error that names the near ones.

    ``known``: the targets of a table that has fewer; ``where``: the option or key that gave the name.
    """
    names = tuple(known)
    if isinstance(name, str) and name in names:
        return name
    place = f"{where}: " if where else ""
    msg = f"{place}wanted a target of {', '.join(names)}; got {name!r}"
    if not isinstance(name, str):
        raise LayoutError(msg, hint="the name of a GPU as LLVM has it, such as gfx942")
    if name in TARGET_NAMES:
        raise LayoutError(msg, hint=f"of {name} nothing is known here")
    plain = name.lower().replace("-", "").replace(" ", "").removeprefix("amd").removeprefix("instinct")
    product = next((gfx for gfx in names if plain in PRODUCTS.get(gfx, ())), None)
    near = near_names(name, names)
    hint = f"did you mean {' or '.join(near)}?" if near else "targets are named as LLVM names them"
    raise LayoutError(msg, hint=f"the {name.upper()} is {product}" if product else hint)
