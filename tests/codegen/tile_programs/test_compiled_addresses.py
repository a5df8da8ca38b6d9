"""What tile programs compile to goes where their claims are of: each access, in every turn, as often."""

from __future__ import annotations

import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.gfx9.lifting import lift_kernel, validate_translation
from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.proofs import prove
from tests.codegen.tile_programs.test_examples import module

PROGRAMS = [
    ("layernorm", "layernorm"),
    *(
        pytest.param(*names, marks=pytest.mark.slow)
        for names in (
            ("padded_gemm", "padded_gemm"),
            ("naive_gemm", "transposed_c"),
            ("naive_gemm", "standard_c"),
            ("attention", "attention"),
        )
    ),
]


def kernel_and_code(file, name, target, change=lambda text: text):
    kernel = kernel_of_program(getattr(module(file), name), target)
    return kernel, compile_source(change(kernel.text), target).code_object


@pytest.mark.parametrize("target", ["gfx942", pytest.param("gfx90a", marks=pytest.mark.long)])
@pytest.mark.parametrize(("file", "name"), PROGRAMS)
def test_compiled_addresses_are_those_that_are_claimed(file, name, target):
    kernel, code = kernel_and_code(file, name, target)
    lifted = lift_kernel(kernel, code, prove=prove)
    assert all(access.is_understood for access in lifted.accesses)
    assert validate_translation(kernel.accesses, lifted)


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("512 * warp + 8 * lane", "512 * (warp ^ 1) + 8 * lane"),  # the LDS, by other waves
        ("(long)turn_0 * 32", "(long)turn_0 * 16"),  # half as far a turn
        ("- 1020 * (lane / 32)", "- 1016 * (lane / 32)"),  # other elements of a row
        ("255 * N * (workgroup_x", "127 * N * (workgroup_x"),  # other rows of C
        ("turn_0 < K / 32", "turn_0 < K / 32 - 1"),  # a turn too few
    ],
)
def test_text_that_goes_elsewhere_is_not_shown(written, instead):
    def change(text):
        assert written in text
        return text.replace(written, instead)

    kernel, code = kernel_and_code("naive_gemm", "transposed_c", "gfx942", change)
    assert not validate_translation(kernel.accesses, lift_kernel(kernel, code, prove=prove))
