"""Emitted kernels give no warning of clang: they can be compiled with ``WARNINGS`` as errors."""

from __future__ import annotations

import pytest

from layoutalg.codegen.compile.toolchain import find_toolchain, run
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES
from layoutalg.errors import ToolError
from tests.codegen.matrix_launches import EVERY, kernel_called

TARGET = "gfx942"
WARNINGS = [
    *("-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wparentheses", "-Wshadow"),
    "-Wno-sign-conversion",  # HIP's indices are unsigned, ours are signed
]
SLOW = 20  # one in so many
NAMES = [name for name, choice in EVERY.items() if choice.target == TARGET]


def require_clean(text, folder):
    tools, source = find_toolchain(), folder / "kernel.hip"
    source.write_text(text, encoding="utf-8")
    flags = ("-x", "hip", f"--offload-arch={TARGET}", "--offload-device-only", *tools.source_flags)
    run([*tools.clang, *flags, *WARNINGS, "-fsyntax-only", str(source)])


@pytest.mark.sample(240, slow=SLOW)
@pytest.mark.parametrize("kernel_name", NAMES)
def test_no_kernel_gives_a_warning(kernel_name, tmp_path):
    require_clean(kernel_called(kernel_name).text, tmp_path)


def test_all_families_are_among_the_slow_ones():
    assert {EVERY[name].family for name in NAMES[::SLOW]} == set(FAMILIES)


def test_without_its_mark_an_unused_size_is_a_warning(tmp_path):
    text = kernel_called(f"gemm f16 rung=naive on {TARGET}").text
    with pytest.raises(ToolError, match="'M'"):
        require_clean(text.replace("[[maybe_unused]] ", ""), tmp_path)
