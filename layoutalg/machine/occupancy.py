"""How many waves share a SIMD: what registers, shared memory and the size of a workgroup leave room for.

A SIMD holds the registers of all waves it runs, handed out in steps; a workgroup runs on the SIMDs of one
compute unit (CDNA) or workgroup processor (RDNA), whose shared memory it takes a part of.

>>> occupancy("gfx942", vgprs=212, sgprs=24, lds_bytes=49152, threads=256)
Occupancy(waves=1, workgroups=1, limited_by=('LDS',))
>>> occupancy("gfx942", vgprs=129, sgprs=24, lds_bytes=0, threads=256)  # 136 of 512 registers a wave
Occupancy(waves=3, workgroups=3, limited_by=('VGPRs',))
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.errors import LayoutError
from layoutalg.machine.target import Target, known_target

__all__ = ["COMPUTE_UNITS", "ComputeUnit", "Occupancy", "occupancy"]

LLVM = "LLVM, AMDGPUBaseInfo.cpp and GCNSubtarget.cpp: the numbers the compiler schedules for"
_KIB = 1024


@dataclass(frozen=True)
class ComputeUnit:
    """What the workgroups of one compute unit share.

    ``vgprs``: of a lane, for all waves of a SIMD; ``vgpr_step`` and ``lds_step``: in what steps they are
    handed out; ``waves_by_sgprs``: up to so many scalar registers, so many waves; ``most_workgroups``: of
    more than one wave each; ``count``: how many a GPU has (MI100; one die of MI250; MI300X; MI355X; RX 7900
    XTX and RX 9070 XT in pairs). ``dies``: to how many workgroups are dealt in turn, each with an L2 cache of
    its own (AMD's XCDs). Source of both: ROCm documentation, GPU hardware specifications.
    """

    target: str
    simds: int
    most_waves: int
    vgprs: int
    vgpr_step: int
    lds_bytes: int
    lds_step: int
    most_workgroups: int
    waves_by_sgprs: tuple[tuple[int, int], ...]
    count: int
    source: str = LLVM
    dies: int = 1

    @classmethod
    def of(cls, target: str) -> ComputeUnit:
        """The compute unit of a target."""
        return COMPUTE_UNITS[known_target(target, COMPUTE_UNITS)]


@dataclass(frozen=True)
class Occupancy:
    """``waves`` of a SIMD and ``workgroups`` of a compute unit that run at once, and what keeps out more."""

    waves: int
    workgroups: int
    limited_by: tuple[str, ...]


_GFX9_SGPRS = ((80, 10), (88, 9), (100, 8), (102 + 6, 7))  # 6 more hold VCC, XNACK and the flat scratch
COMPUTE_UNITS = {
    row.target: row
    for row in (
        ComputeUnit("gfx908", 4, 10, 256, 4, 64 * _KIB, 512, 16, _GFX9_SGPRS, 120),
        ComputeUnit("gfx90a", 4, 8, 512, 8, 64 * _KIB, 512, 16, _GFX9_SGPRS, 104),
        ComputeUnit("gfx942", 4, 8, 512, 8, 64 * _KIB, 512, 16, _GFX9_SGPRS, 304, dies=8),
        ComputeUnit("gfx950", 4, 8, 512, 8, 160 * _KIB, 1280, 16, _GFX9_SGPRS, 256, dies=8),
        ComputeUnit("gfx1100", 4, 16, 1536, 24, 128 * _KIB, 1024, 32, (), 48),  # two units of a processor
        ComputeUnit("gfx1201", 4, 16, 1536, 24, 128 * _KIB, 1024, 32, (), 32),
    )
}


def occupancy(target: str, *, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> Occupancy:
    """Waves a SIMD holds of a kernel that needs so much.

    ``vgprs``: vector registers of a lane, the accumulation registers among them.
    """
    unit = ComputeUnit.of(target)
    waves_of_group = -(-threads // Target.named(target).wave_size)
    if not 1 <= waves_of_group <= unit.simds * unit.most_waves:
        msg = f"occupancy on {target}: wanted 1 to 1024 threads, got {threads}"
        raise LayoutError(msg)
    groups = {
        "workgroup size": unit.simds * unit.most_waves // waves_of_group,
        "workgroups": unit.most_workgroups if waves_of_group > 1 else unit.simds * unit.most_waves,
        "LDS": unit.lds_bytes // _rounded(lds_bytes, unit.lds_step) if lds_bytes else 1 << 30,
    }
    waves = {what: -(-count * waves_of_group // unit.simds) for what, count in groups.items()}
    waves["VGPRs"] = unit.vgprs // _rounded(max(vgprs, 1), unit.vgpr_step)
    waves["SGPRs"] = next((most for top, most in unit.waves_by_sgprs if sgprs <= top), unit.most_waves)
    fewest = min(unit.most_waves, *waves.values())
    limits = tuple(what for what, count in waves.items() if count == fewest < unit.most_waves)
    resident = min(*groups.values(), fewest * unit.simds // waves_of_group)
    return Occupancy(fewest, resident, limits or ("wave slots",))


def _rounded(count: int, step: int) -> int:
    return -(-count // step) * step
