"""Every address of our own kernels is lifted, agrees with the executor on every lane, and is as claimed."""

from __future__ import annotations

import pytest

from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.gfx9.lifting import Assumed, lift_kernel, validate_translation
from layoutalg.codegen.gfx9.lifting.every_thread import every_thread
from layoutalg.codegen.kernel import ArrayArgument
from layoutalg.proofs import prove
from tests.codegen.gfx9.lifting.agreement import compared
from tests.codegen.matrix_launches import EVERY, launch_called

DEFAULT = {"permute bf16 path=registers on gfx950", "blockwise_copy f64 on gfx942"}
SLOW = {"gemm bf16 rung=double on gfx90a", "gemm i8 rung=staged on gfx90a"}
RUN = [("gfx90a", "copy"), ("gfx90a", "image_to_column")]  # all threads, where formulas leave zeros open
EACH = 331  # each so-manieth is among the slow tests too


def own_kernels():
    """The whole matrix; the first tiers take a fixed sample of it."""
    for number, name in enumerate(EVERY):
        is_slow = name in SLOW or number % EACH == 1
        tier = () if name in DEFAULT else pytest.mark.slow if is_slow else pytest.mark.long
        yield pytest.param(name, id=name.replace(" ", "-"), marks=tier)


@pytest.mark.parametrize("kernel_name", [*own_kernels()])
def test_addresses_agree_with_the_executor(kernel_name):
    task = launch_called(kernel_name)
    kernel, prepared = task.kernel, prepared_task(task, task.memory())
    names = [argument.name for argument in kernel.arguments]
    found = compared(prepared, Assumed(kernel.domain, kernel.grid, kernel.block), names)
    assert not found.differing
    assert not found.opaque
    assert found.agreeing > 0


@pytest.mark.parametrize("kernel_name", [*own_kernels()])
def test_accesses_are_in_bounds_and_those_claimed_for_all_sizes(kernel_name):
    task = launch_called(kernel_name)
    kernel = task.kernel
    found = lift_kernel(kernel, task.compiled.code_object, prove=prove)
    vectors = [one for one in found.accesses if one.space != "scalar"]
    assert vectors
    choice = EVERY[kernel_name]
    if (choice.target, choice.family) in RUN and not all(one.is_understood for one in vectors):
        assert every_thread(kernel, task.compiled).is_shown
        return
    assert not [one.missing for one in vectors if not one.is_understood]
    assert not [f"{one.instruction}: {one.bounds}" for one in vectors if not one.bounds.is_shown]
    claimed = validate_translation(kernel.accesses, found)
    assert claimed, str(claimed)
    arrays = {claim.array for claim, _ in claimed.claims}
    assert {argument.name for argument in kernel.arguments if isinstance(argument, ArrayArgument)} <= arrays
