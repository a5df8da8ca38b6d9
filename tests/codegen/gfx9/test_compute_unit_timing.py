"""The model of a compute unit: each thing that waves share, by hand; then the main loops of whole kernels."""

from __future__ import annotations

import pytest

from layoutalg import LayoutError
from layoutalg.codegen.gfx9.assembly import parse_instruction
from layoutalg.codegen.gfx9.compute_unit_timing import compute_unit_time
from layoutalg.codegen.gfx9.issue_timing import Latencies, wave_time
from tests.benchmarks.loop_kernels import KERNELS
from tests.benchmarks.main_loops import shares, strays
from tests.golden.ck_import import has_headers
from tests.refusals import refused

TARGET = "gfx942"
SIMDS = 4
MFMA = "v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]"  # 16 cycles
LONG = "v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]"  # 32 cycles
VALU, SALU = "v_add_u32 v30, v30, v30", "s_add_u32 s0, s0, s1"
READ, LOAD = "ds_read_b128 v[4:7], v0", "global_load_dwordx4 v[40:43], v[44:45], off"
BARRIER = "s_barrier"
READS = [READ, READ, "s_waitcnt lgkmcnt(0)"]


def way(*lines):
    return [parse_instruction(line, 1) for line in lines]


def on_each_simd(*ways):
    """A workgroup with so many waves on every SIMD."""
    return [each for each in (way(*lines) for lines in ways) for _ in range(SIMDS)]


CASES = {  # until the first wave has issued its last instruction
    "a wave alone": (on_each_simd([VALU] * 3), 12),
    "one vector instruction in four cycles": (on_each_simd([VALU] * 3, [VALU] * 3), 8 + 8 + 4),
    "scalar ones of another wave beside them": (on_each_simd([VALU] * 3, [SALU] * 3), 12),
    "the matrix core changes hands": (on_each_simd([MFMA] * 3, [MFMA] * 3), 4 * 16 + 4),
    "and lets vector instructions by": (on_each_simd([MFMA] * 3, [VALU] * 4), 4 + 3 * 4 + 4 + 4),
    "four waves read, the first is served first": (on_each_simd(READS), 4 + 5 * 8 + 128),
    "eight do": (on_each_simd(READS, READS), 4 + 9 * 8 + 128),
    "memory serves all SIMDs": (on_each_simd([LOAD] * 2 + ["s_waitcnt vmcnt(0)"]), 4 + 5 * 16 + 800),
    "a barrier waits for the last": (on_each_simd(["s_nop 4", BARRIER, VALU], [BARRIER, VALU]), 20 + 32 + 4),
    "waves meet at different barriers": (
        on_each_simd([BARRIER, "s_nop 4", BARRIER], [BARRIER, BARRIER, VALU]),
        32 + 20,
    ),
    "turn by turn": (on_each_simd([VALU] * 5, ["s_setprio 0"] + [VALU] * 3), 24 + 4),
    "a higher priority first": (on_each_simd([VALU] * 5, ["s_setprio 1"] + [VALU] * 3), 4 + 3 * 4),
}


@pytest.mark.parametrize("name", CASES)
def test_each_thing_that_is_shared(name):
    waves, cycles = CASES[name]
    assert compute_unit_time(waves, TARGET).cycles == cycles


def test_only_waves_of_one_workgroup_wait_for_each_other():
    waves = on_each_simd(["s_nop 4", BARRIER, VALU])
    assert compute_unit_time(waves, TARGET, workgroups=2).cycles == 20 + 32 + 4


def test_half_of_the_rate_doubles_the_time_of_the_lds():
    waves = on_each_simd(READS, READS)
    assert compute_unit_time(waves, TARGET, latencies=Latencies(lds_bytes=64)).cycles == 4 + 9 * 16 + 128


def test_bank_conflicts_keep_the_lds():
    waves = on_each_simd(READS, READS)
    assert compute_unit_time(waves, TARGET, conflicts={"read": 8.0}).cycles == 4 + 9 * 16 + 128


def test_the_oldest_may_go_first():
    waves = on_each_simd([VALU] * 3, [VALU] * 3)
    assert compute_unit_time(waves, TARGET, oldest_first=True).cycles == 3 * 4


def test_the_matrix_cores_work_for_both_waves():
    short, long = (
        compute_unit_time(on_each_simd([MFMA] * count, [MFMA] * count), TARGET) for count in (3, 6)
    )
    assert (long - short).mfma_cycles == (2 * 3 * 16,) * SIMDS
    assert (long - short).shares == (1.0,) * SIMDS


def steady(turn, workgroups, **more):
    """The share of a loop's turns alone, after so many that waves have found their distance."""
    short, long = (
        compute_unit_time(on_each_simd(turn * turns), TARGET, workgroups=workgroups, **more)
        for turns in (40, 60)
    )
    return (long - short).mfma_share


TURN = [LOAD, "s_waitcnt vmcnt(0)", *[LONG] * 32]
PRODUCTS = 32 * 32


def alone(memory):
    """A turn of one wave: the load, its way, and the products; nobody waits for the last."""
    return 4 + 16 + memory + PRODUCTS - 32 + 4


@pytest.mark.parametrize("memory", [500, 800])
def test_a_second_wave_hides_the_latency_of_memory(memory):
    latencies = Latencies(memory=memory)
    assert steady(TURN, 1, latencies=latencies) == pytest.approx(PRODUCTS / alone(memory), abs=0.002)
    assert steady(TURN, 2, latencies=latencies) == pytest.approx(1, abs=0.005)


def test_but_not_one_longer_than_its_own_products():
    found = steady(TURN, 2, latencies=Latencies(memory=1600))
    assert found == pytest.approx(2 * PRODUCTS / alone(1600), abs=0.005)


def test_the_lds_bounds_a_loop():
    reads = 8  # of 8 cycles each for 8 waves: 512 cycles; products of two waves 256
    turn = [READ] * reads + ["s_waitcnt lgkmcnt(8)"] + [LONG] * 4
    assert steady(turn, 2) == pytest.approx(256 / 512, abs=0.01)
    assert steady(turn, 2, latencies=Latencies(lds_bytes=64)) == pytest.approx(256 / 1024, abs=0.01)


def test_one_wave_on_each_simd_is_the_model_of_one_wave():
    lines = way(*([MFMA, VALU, SALU, "v_add_u32 v0, v0, v0", BARRIER, "s_nop 3", "s_cbranch_scc1 on"] * 5))
    found = compute_unit_time([lines] * SIMDS, TARGET)
    alone = wave_time(lines, TARGET)
    assert (found.cycles, found.mfma_cycles) == (alone.cycles, (alone.mfma_cycles,) * SIMDS)


@pytest.mark.parametrize(("waves", "workgroups"), [([], 1), ([[]], 1), ([way(VALU)], 0)])
def test_nothing_to_run_is_refused(waves, workgroups):
    with refused(LayoutError):
        compute_unit_time(waves, TARGET, workgroups=workgroups)


@pytest.mark.long
@pytest.mark.parametrize("name", KERNELS)
def test_main_loops_of_kernels_are_as_measured_before(name):
    if name.startswith("Triton"):
        pytest.importorskip("triton", reason="no Triton: pip install triton")
    if name.startswith("CK Tile") and not has_headers():
        pytest.skip("no CK headers: layoutalg ck fetch")
    assert not strays({name: shares(KERNELS[name](TARGET))})
