"""Emitted kernels give no warning of clang: they can be compiled with ``WARNINGS`` as errors."""

from __future__ import annotations

import pytest

from layoutalg.codegen.compile.toolchain import find_toolchain, run
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.errors import ToolError

TARGET = "gfx942"
WARNINGS = [
    *("-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wparentheses", "-Wshadow"),
    "-Wno-sign-conversion",  # HIP's indices are unsigned, ours are signed
]
EVERY = {str(choice): choice for choice in choices(TARGET) if not choice.refusal}


def require_clean(text, folder):
    tools, source = find_toolchain(), folder / "kernel.hip"
    source.write_text(text, encoding="utf-8")
    flags = ("-x", "hip", f"--offload-arch={TARGET}", "--offload-device-only", *tools.source_flags)
    run([*tools.clang, *flags, *WARNINGS, "-fsyntax-only", str(source)])


@pytest.mark.sample(240, slow=5)
@pytest.mark.parametrize("name", EVERY)
def test_no_kernel_gives_a_warning(name, tmp_path):
    require_clean(EVERY[name].kernel().text, tmp_path)


def test_all_families_are_among_those_that_always_run():
    assert {choice.family for choice in list(EVERY.values())[::8]} == {c.family for c in EVERY.values()}


def test_without_its_mark_an_unused_size_is_a_warning(tmp_path):
    text = EVERY[f"gemm f16 rung=naive on {TARGET}"].kernel().text
    with pytest.raises(ToolError, match="unused parameter 'M'"):
        require_clean(text.replace("[[maybe_unused]] ", ""), tmp_path)
