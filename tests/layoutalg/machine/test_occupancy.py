"""How many waves share a SIMD: by hand, and against what the compiler says of the code it made."""

from __future__ import annotations

import re

import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.machine import TARGETS, Target
from layoutalg.machine.occupancy import COMPUTE_UNITS, occupancy
from tests.refusals import refused

BY_HAND = [  # target, VGPRs, SGPRs, LDS bytes, threads; waves a SIMD, workgroups a unit, what keeps out more
    # 512 registers in steps of 8: 128 of them four times, 129 become 136 and fit three times
    (("gfx942", 128, 24, 0, 256), (4, 4, ("VGPRs",))),
    (("gfx942", 129, 24, 0, 256), (3, 3, ("VGPRs",))),
    (("gfx90a", 100, 24, 0, 256), (4, 4, ("VGPRs",))),  # 104 each
    (("gfx942", 100, 24, 0, 256), (4, 4, ("VGPRs",))),
    (("gfx950", 100, 24, 0, 256), (4, 4, ("VGPRs",))),
    (("gfx908", 100, 24, 0, 256), (2, 2, ("VGPRs",))),  # of 256 in steps of 4
    (("gfx942", 512, 24, 0, 256), (1, 1, ("VGPRs",))),
    # 64 KiB hold one workgroup of 33 KiB, its 4 waves on 4 SIMDs; two of 32 KiB
    (("gfx90a", 32, 24, 33 * 1024, 256), (1, 1, ("LDS",))),
    (("gfx90a", 32, 24, 32 * 1024, 256), (2, 2, ("LDS",))),
    # the last of 160 KiB: 32768 bytes take 26 blocks of 1280, of which 128 hold 4 and not 5
    (("gfx950", 32, 24, 32768, 256), (4, 4, ("LDS",))),
    (("gfx950", 32, 24, 32000, 256), (5, 5, ("LDS",))),
    # scalar registers matter from 101 on, and on CDNA1, which has room for 10 waves, from 81 on
    (("gfx942", 32, 102, 0, 256), (7, 7, ("SGPRs",))),
    (("gfx908", 24, 80, 0, 256), (10, 10, ("wave slots",))),
    (("gfx908", 24, 81, 0, 256), (9, 9, ("SGPRs",))),
    # RDNA: 1536 registers in steps of 24, 16 waves of 32 lanes; 8 waves of 256 threads on 4 SIMDs
    (("gfx1100", 96, 20, 0, 256), (16, 8, ("wave slots",))),
    (("gfx1100", 97, 20, 0, 256), (12, 6, ("VGPRs",))),
    (("gfx1201", 32, 20, 32768, 256), (8, 4, ("LDS",))),
    # one workgroup of 1024 threads is 16 waves, 4 a SIMD; two fill the unit
    (("gfx942", 128, 24, 0, 1024), (4, 1, ("VGPRs",))),
    (("gfx942", 32, 24, 0, 1024), (8, 2, ("wave slots",))),
]


@pytest.mark.parametrize(("needs", "held"), BY_HAND)
def test_occupancy_by_hand(needs, held):
    target, vgprs, sgprs, lds_bytes, threads = needs
    found = occupancy(target, vgprs=vgprs, sgprs=sgprs, lds_bytes=lds_bytes, threads=threads)
    assert (found.waves, found.workgroups, found.limited_by) == held


SOURCE = """#include <hip/hip_runtime.h>
extern "C" __global__ void __launch_bounds__({threads}) k(float* out) {{
  __shared__ float held[{words}];
  held[threadIdx.x % {words}] = out[threadIdx.x];
  __syncthreads();
  asm volatile("v_mov_b32 v{vgpr}, 0\\n s_mov_b32 s{sgpr}, 0" ::: "v{vgpr}", "s{sgpr}");
  {more}
  out[threadIdx.x] = held[(threadIdx.x + 1) % {words}];
}}
"""
ACCUMULATORS = 'asm volatile("v_accvgpr_write_b32 a{n}, v0" ::: "a{n}");'
COMPILED = [
    (64, 1, 24, 20),
    (256, 6000, 63, 85),
    (256, 1, 83, 99),
    (512, 5000, 95, 20),
    (1024, 16384, 40, 95),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("target", COMPUTE_UNITS)
@pytest.mark.parametrize(("threads", "words", "vgpr", "sgpr"), COMPILED)
def test_the_compiler_says_the_same(target, threads, words, vgpr, sgpr):
    has_accumulators = target in {"gfx908", "gfx90a", "gfx942", "gfx950"} and vgpr % 2
    more = ACCUMULATORS.format(n=vgpr // 2) if has_accumulators else ""
    source = SOURCE.format(threads=threads, words=words, vgpr=vgpr, sgpr=sgpr, more=more)
    compiled = compile_hip(source, Target.named(target))
    needs, said = compiled.resources, re.search(r"; Occupancy: (\d+)", compiled.assembly)
    assert said is not None
    found = occupancy(
        target, vgprs=needs.vgprs, sgprs=needs.sgprs, lds_bytes=needs.lds_bytes, threads=threads
    )
    assert found.waves == int(said[1])


def test_every_target_has_a_compute_unit():
    assert set(COMPUTE_UNITS) == set(TARGETS)
    assert all(unit.source for unit in COMPUTE_UNITS.values())


@pytest.mark.parametrize("threads", [0, 4096])
def test_workgroups_that_cannot_be_are_refused(threads):
    with refused(LayoutError, "1", "1024"):
        occupancy("gfx942", vgprs=8, sgprs=8, lds_bytes=0, threads=threads)
    with refused(LayoutError, "gfx908"):
        occupancy("gfx900", vgprs=8, sgprs=8, lds_bytes=0, threads=64)
