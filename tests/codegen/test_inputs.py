"""Inputs of checks: the same for the same seed, exact where they are to be."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.matrix.inputs import inputs_of, numbers_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.data_type import DataType, to_numbers
from tests.refusals import refused

TYPES = ["f64", "f32", "f16", "bf16", "f8_fnuz", "bf8_fnuz", "f8_ocp", "bf8_ocp", "i8", "i32", "u8"]


@pytest.mark.parametrize("name", TYPES)
def test_integers_are_exact_and_small_in_every_type(name):
    kind = DataType.named(name)
    found = numbers_of(kind, (40, 50), "integers", np.random.default_rng(1))
    assert found.dtype == kind.numpy
    lowest = 0 if name == "u8" else -3
    assert set(np.unique(to_numbers(found, kind))) == set(range(lowest, 4))


@pytest.mark.parametrize("name", TYPES)
def test_random_numbers_are_not_integers_unless_the_type_is(name):
    kind = DataType.named(name)
    numbers = to_numbers(numbers_of(kind, (40, 50), "random", np.random.default_rng(1)), kind)
    is_whole = bool((numbers == np.round(numbers)).all())
    assert is_whole == (name in {"i8", "i32", "u8"})


def test_a_seed_names_the_inputs_of_a_kernel():
    kernel, sizes = Choice("gemm", "gfx942", "f16").kernel(), {"M": 256, "N": 128, "K": 32}
    one, same, other = (inputs_of(kernel, sizes, "random", seed) for seed in (1, 1, 2))
    assert {name: array.shape for name, array in one.items()} == {"a": (256, 32), "b": (128, 32)}
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not any(np.array_equal(one[name], other[name]) for name in one)


def test_inputs_for_sizes_that_are_not_admissible_are_refused():
    kernel = Choice("gemm", "gfx942", "f16").kernel()
    with refused(LayoutError, "M = 250", "256"):
        inputs_of(kernel, {"M": 250, "N": 128, "K": 32})
    with refused(LayoutError, "integers", "random", "ones"):
        inputs_of(kernel, {"M": 256, "N": 128, "K": 32}, "ones")
