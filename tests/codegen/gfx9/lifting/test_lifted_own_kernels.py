"""Every address of our own kernels is lifted, agrees with the executor on every lane, and is as claimed."""

from __future__ import annotations

import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.gfx9.lifting import Assumed, lift_kernel, validate_translation
from layoutalg.codegen.gfx9.lifting.every_thread import every_thread
from layoutalg.codegen.kernel import ArrayArgument
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.gfx9.lifting.agreement import compared

TARGETS = ("gfx90a", "gfx942", "gfx950")
DEFAULT = {"permute bf16 path=registers on gfx950", "blockwise_copy f64 on gfx942"}
SLOW = {"gemm bf16 rung=double on gfx90a", "gemm i8 rung=staged on gfx90a"}
RUN = [("gfx90a", "copy"), ("gfx90a", "image_to_column")]  # all threads, where formulas leave zeros open
EACH = 151  # each so-manieth is among the slow tests too


def own_kernels():
    """The whole matrix; the first tiers take a fixed sample of it."""
    every = [choice for target in TARGETS for choice in choices(target) if not choice.refusal]
    for number, choice in enumerate(every):
        is_slow = str(choice) in SLOW or number % EACH == 1
        tier = () if str(choice) in DEFAULT else pytest.mark.slow if is_slow else pytest.mark.long
        yield pytest.param(choice, id=str(choice).replace(" ", "-"), marks=tier)


def launched(choice):
    kernel = choice.kernel()
    sizes = choice.sizes_for(kernel, is_large=False)
    compiled = compile_hip(kernel.text, Target.named(choice.target))
    return kernel, Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", 0))


@pytest.mark.parametrize("choice", [*own_kernels()])
def test_addresses_agree_with_the_executor(choice):
    kernel, task = launched(choice)
    prepared = prepared_task(task, task.memory())
    names = [argument.name for argument in kernel.arguments]
    found = compared(prepared, Assumed(kernel.domain, kernel.grid, kernel.block), names)
    assert not found.differing
    assert not found.opaque
    assert found.agreeing > 0


@pytest.mark.parametrize("choice", [*own_kernels()])
def test_accesses_are_in_bounds_and_those_claimed_for_all_sizes(choice):
    kernel, task = launched(choice)
    found = lift_kernel(kernel, task.compiled.code_object, prove=prove)
    vectors = [one for one in found.accesses if one.space != "scalar"]
    assert vectors
    if (choice.target, choice.family) in RUN and not all(one.is_understood for one in vectors):
        assert every_thread(kernel, task.compiled).is_shown
        return
    assert not [one.missing for one in vectors if not one.is_understood]
    assert not [f"{one.instruction}: {one.bounds}" for one in vectors if not one.bounds.is_shown]
    claimed = validate_translation(kernel.accesses, found)
    assert claimed, str(claimed)
    arrays = {claim.array for claim, _ in claimed.claims}
    assert {argument.name for argument in kernel.arguments if isinstance(argument, ArrayArgument)} <= arrays
