"""Compiled code is held to the kernel's claims: proved for what compilers make, and for no changed code."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
import sympy

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in, in_waves
from layoutalg.codegen.compile import compile_hip, compile_source
from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.gfx9.lifting import (
    every_thread,
    facts_of,
    lane_guards,
    lift,
    lift_kernel,
    validate_translation,
    validated_kernel,
)
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.proofs import prove
from tests.codegen.gfx9.lifting.agreement import traced
from tests.codegen.gfx9.lifting.mutated_code import changed, mutants
from tests.codegen.matrix_launches import launch_called
from tests.refusals import refused

# --- changed code

MUTATED = (
    "transpose f32 on gfx942",
    "permute f16 on gfx942",
    "parts_sum f32 on gfx942",
    "copy f32 lengths=1001 on gfx90a",
    "blockwise_copy f16 on gfx942",
    "gemm f16 rung=naive on gfx942",
    "gemm f16 rung=prefetch on gfx942",
    "gemm f16 rung=double on gfx90a",
)
FEW, TRIED = 2, 8  # most changes of a GEMM are of what it computes
TIERS = {FEW: (), 5: (pytest.mark.slow,), 120: (pytest.mark.long,)}  # so many mutants of each kernel


def tiers():
    for name in MUTATED:
        for count, marks in TIERS.items():
            if count == FEW and name.startswith("gemm"):
                continue
            yield pytest.param(name, count, id=f"{name}-{count}".replace(" ", "-"), marks=marks)


@pytest.mark.sample(9, slow=6)
@pytest.mark.parametrize(("kernel_name", "count"), [*tiers()])
def test_code_that_goes_elsewhere_is_not_proved(kernel_name, count):
    """Each change that the executor sees in addresses, or stumbles over, is one that is not proved."""
    task = launch_called(kernel_name)
    content = task.compiled.code_object
    prepared = prepared_task(task, task.memory())
    wanted = _places(prepared, prepared.assembly)
    every = [*mutants(prepared.assembly)]
    chosen = np.random.default_rng(5).permutation(len(every))[: TRIED * count]
    differing = 0
    for number in chosen:
        if differing == count:
            break
        mutant = every[number]
        if _places(prepared, mutant.assembly) == wanted:
            continue
        differing += 1
        try:
            found = validate_translation(
                task.kernel.accesses, lift_kernel(task.kernel, content, mutant.assembly, prove)
            )
        except LayoutError:
            continue
        assert not found, f"{mutant.before} -> {mutant.after}"
    if count > FEW:
        assert differing > min(count, len(every)) // 4


def _places(prepared, assembly):
    """The addresses of all lanes that take part, by instruction and wave; what goes wrong instead."""
    found = defaultdict(list)
    fresh = replace(prepared, assembly=assembly)
    try:
        passages = traced(fresh)
    except Exception as error:  # noqa: BLE001  a fault of changed code, of any kind
        return type(error).__name__
    for passage in passages:
        at = np.where(passage.active, passage.addresses, -1)
        found[passage.place, passage.number, passage.wave].append(at.tolist())
    return dict(found)


@pytest.mark.slow
@pytest.mark.parametrize("last", [False, True])
def test_an_element_that_is_stored_twice_takes_the_place_of_another(last):
    """With two buffers the other one is stored elsewhere in the code: each time must be whole."""
    task = launch_called("gemm f16 rung=double on gfx942")
    code = prepared_task(task, task.memory()).assembly
    moved = [
        changed(code, place, one.text.replace("offset:8192", "offset:4096"))
        for place, one in enumerate(code.instructions)
        if one.text.startswith("ds_write_b128") and one.text.endswith("offset:8192")
    ]
    assert moved
    lifted = lift_kernel(task.kernel, task.compiled.code_object, moved[-last].assembly, prove)
    assert "not equally often" in str(validate_translation(task.kernel.accesses, lifted))


@pytest.mark.slow
@pytest.mark.parametrize("rung", ["prefetch", pytest.param("double", marks=pytest.mark.slow)])
def test_windows_are_gone_through_as_often_as_claimed(rung):
    task = launch_called(f"gemm f16 rung={rung} on gfx942")
    lifted = lift_kernel(task.kernel, task.compiled.code_object, prove=prove)
    assert validate_translation(task.kernel.accesses, lifted)
    more = [c if c.times is None else replace(c, times=c.times + 1) for c in task.kernel.accesses]
    found = validate_translation(more, lifted)
    assert {shown.what for _, shown in found.claims if "times" in shown.missing} == {
        *("every store of a_lds", "every load of a_lds", "every store of b_lds", "every load of b_lds")
    }


# --- the words of what is not shown

FILL = """#include <hip/hip_runtime.h>
extern "C" __global__ void fill(float* y, int n) {
    int i = blockIdx.x*256 + threadIdx.x;
    if (i < n) y[i] = 1;
}"""
SIZES = {"sizes": {"n": [1, 65536]}, "launch": {"block": [256], "grid": ["(n + 255)//256"]}}


def _filled(offset, valid, upper="(n + 255)//256"):
    domain = Domain.of({"block": upper, "lane": 64, "warp": 4}, {"n": (1, 65536)})
    block, lane, warp, n = (domain[name] for name in ("block", "lane", "warp", "n"))
    values = {"block": block, "lane": lane, "warp": warp, "n": n}
    places = IndexMap(
        domain, (sympy.sympify(offset, values),), tuple(sympy.sympify(c, values) for c in valid)
    )
    claim = ClaimedAccess("y", "store", DataType.named("f32"), places, in_waves({block: "blockIdx.x"}))
    lifted = lift(
        compile_source(FILL, "gfx942", lines_of="fill.hip").code_object, facts_of(SIZES), prove=prove
    )
    return validate_translation([claim], lifted)


def test_what_is_claimed_is_proved():
    found = _filled("256*block + 64*warp + lane", ["256*block + 64*warp + lane < n"])
    assert found
    assert str(found) == "addresses of the compiled code: proved (1 accesses)"


def test_another_place_is_not_claimed():
    found = _filled("256*block + 64*warp + lane + 1", ["256*block + 64*warp + lane < n"])
    assert not found
    assert "no store of y is claimed there" in str(found)


def test_code_that_does_more_than_is_claimed_is_not_proved():
    found = _filled("256*block + 64*warp + lane", ["256*block + 64*warp + lane < n - 1"])
    assert "no store of y is claimed there" in str(found)


def test_code_that_does_less_than_is_claimed_is_not_proved():
    found = _filled("256*block + 64*warp + lane", [])
    assert "every store of y: not shown (not all of its elements)" in str(found)


WALK = """#include <hip/hip_runtime.h>
extern "C" __global__ void walk(float* y, const int* stop, int n) {
    #pragma clang loop unroll(disable) vectorize(disable) interleave(disable)
    for (int t = 0; t < n; ++t) {
        y[64*t + threadIdx.x] = 1;
        %s
    }
}"""


def _walked(early, turns):
    """A walk of n turns beside a claim of so many."""
    domain = Domain.of({"lane": 64, "t": turns}, {"n": (1, 4096)})
    places = IndexMap(domain, (64 * domain["t"] + domain["lane"],))
    claim = ClaimedAccess("y", "store", DataType.named("f32"), places, in_waves(), (domain["t"],))
    sizes = {"sizes": {"n": [1, 4096]}, "launch": {"block": [64], "grid": [1]}}
    code = compile_source(WALK % early, "gfx942", lines_of="walk.hip").code_object
    return validate_translation([claim], lift(code, facts_of(sizes), prove=prove))


@pytest.mark.parametrize(("early", "is_whole"), [("", True), ("if (stop[t]) break;", False)])
def test_a_loop_that_may_end_early_reaches_not_every_turn(early, is_whole):
    found = _walked(early, "n")
    assert all(shown.is_shown for _, shown in found.accesses)
    assert bool(found) == is_whole
    assert is_whole or "not all of its elements" in str(found)


def test_a_turn_after_the_last_one_is_not_claimed():
    assert "no store of y is claimed there" in str(_walked("", "n - 1"))


def test_a_kernel_without_claims_is_refused():
    with refused(LayoutError):
        validate_translation(
            [],
            lift(
                compile_source(FILL, "gfx942", lines_of="fill.hip").code_object, facts_of(SIZES), prove=prove
            ),
        )


def test_threads_along_two_axes():
    assert str(built_in("threadIdx.x", (8, 8))) == "(lane + 64*wave) % 8"
    with refused(LayoutError, "threadIdx", "blockIdx"):
        built_in("gridDim.x")


def test_of_more_cases_than_are_told_apart_formulas_show_nothing(monkeypatch):
    """Then all threads are run, if they are not too many."""
    kernel = Choice("copy", "gfx942", "f16", {"lengths": (20, 21), "pads": (1, 1)}).kernel()
    compiled = compile_hip(kernel.text, "gfx942")
    monkeypatch.setattr(lane_guards, "MOST_NODES", 10)
    found = validated_kernel(kernel, compiled, prove)
    assert found is not None
    assert not found.is_shown_by_formulas
    assert found.is_proved
    monkeypatch.setattr(every_thread, "MOST_ELEMENTS", 10)
    found = validated_kernel(kernel, compiled, prove)
    assert not found
    assert "tells at most 10 combinations" in str(found)
