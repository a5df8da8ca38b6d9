"""The model of a wave's time: each rule alone, by hand; then whole kernels."""

from __future__ import annotations

import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch, RunResult
from layoutalg.codegen.executors.loop_time import loop_time
from layoutalg.codegen.gfx9.assembly import parse_instruction
from layoutalg.codegen.gfx9.issue_timing import Latencies, wave_time
from layoutalg.codegen.kernels.gemm import RUNGS, configured, gemm
from layoutalg.machine import Target
from tests.codegen.kernels.test_gemm import inputs_of
from tests.refusals import refused

MFMA = "v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]"  # 16 cycles
CASES = {
    "one issue in four cycles": (["s_add_u32 s0, s0, s1", "v_add_u32 v0, v0, v1"], 8),
    "matrix cores work on": ([MFMA, "v_add_u32 v20, v20, v20"], 8),
    "and one after the other": ([MFMA, MFMA], 20),
    "an unrelated vector instruction does not wait": ([MFMA, "v_add_u32 v20, v20, v20", MFMA], 20),
    "one that wants the result does": ([MFMA, "v_add_u32 v20, v0, v0"], 16 + 12 + 4),
    "a read is there when served": (["ds_read_b128 v[4:7], v0", "s_waitcnt lgkmcnt(0)"], 4 + 4 * 8 + 128),
    "the second waits for the first": (
        ["ds_read_b128 v[4:7], v0"] * 2 + ["s_waitcnt lgkmcnt(0)"],
        4 + 64 + 128,
    ),
    "a wait for all but one": (["ds_read_b128 v[4:7], v0"] * 2 + ["s_waitcnt lgkmcnt(1)"], 4 + 32 + 128),
    "global memory": (["global_load_dwordx4 v[4:7], v[0:1], off", "s_waitcnt vmcnt(0)"], 4 + 64 + 800),
    "barrier and branch": (["s_barrier", "s_cbranch_scc1 next"], 32 + 32),
    "idle": (["s_nop 2"], 12),
}


@pytest.mark.parametrize("name", CASES)
def test_each_rule(name):
    lines, cycles = CASES[name]
    assert wave_time([parse_instruction(line, 1) for line in lines], "gfx942").cycles == cycles


def test_bank_conflicts_take_their_time():
    lines = [parse_instruction(line, 1) for line in ("ds_read_b128 v[4:7], v0", "s_waitcnt lgkmcnt(0)")]
    plain, slow = (wave_time(lines, "gfx942", conflicts=c).cycles for c in (None, {"read": 28.0}))
    assert slow - plain == 4 * 28


def loop_of(rung, latencies):
    config = configured(rung)
    kernel = gemm(config)
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    runs: list[RunResult] = []
    for turns in (4, 8):
        sizes = {"M": config.tile[0], "N": config.tile[1], "K": turns * config.tile[2]}
        runs.append(CpuExecutor().run(Launch(kernel, compiled, sizes, inputs_of(config, sizes))))
    return [loop_time(compiled, runs[0], runs[1], each) for each in latencies]


@pytest.mark.slow
@pytest.mark.parametrize("rung", ["pipelined", pytest.param("staged", marks=pytest.mark.slow)])
def test_the_pipelined_loop_keeps_the_matrix_cores_busy(rung):
    usual, near = loop_of(rung, [Latencies(), Latencies(lds=64, memory=320)])
    assert usual.mfma_share >= 0.85
    assert near.mfma_share >= usual.mfma_share
    assert usual.valu / usual.mfma <= 0.25


IDLE = [rung for rung in RUNGS if rung not in {"pipelined", "staged"}]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rung", [pytest.param(rung, marks=() if rung == "naive" else pytest.mark.slow) for rung in IDLE]
)
def test_loops_that_wait_do_not(rung):
    [found] = loop_of(rung, [Latencies()])
    assert found.mfma_share < 0.5


def test_runs_elsewhere_are_refused():
    compiled, elsewhere = compile_hip(gemm().text, Target.named("gfx942")), RunResult({}, "a GPU", 0.0)
    with refused(LayoutError):
        loop_time(compiled, elsewhere, elsewhere)
