"""The sanitizer finds what is wrong with broken kernels, where it is, and nothing once they are mended."""

from __future__ import annotations

import importlib.util
from collections import Counter
from typing import Any

import pytest

from layoutalg.codegen.sanitizer import sanitize
from tests.codegen.sanitizer.broken_kernel import BrokenKernel, mended
from tests.codegen.sanitizer.broken_kernels import BROKEN, LEAST
from tests.golden.ck_import import has_headers

ASKED_FOR = {"same-value": {"select": ("same-value",)}}  # what is found only when it is asked for


def cases(kernels):
    """Parameters of a test: skipped if their compiler is not there, slow if it takes long."""
    no_headers = pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
    no_triton = pytest.mark.skipif(
        importlib.util.find_spec("triton") is None, reason="Triton is not installed"
    )
    of_form = {"ck_tile": (no_headers, pytest.mark.slow), "triton": (no_triton,)}
    of_check = {"endless": (pytest.mark.slow,)}
    return [
        pytest.param(
            one,
            id=f"{one.check}-{one.form}-{one.name}",
            marks=(*of_form.get(one.form, ()), *of_check.get(one.check, ())),
        )
        for one in kernels
    ]


def function_in(path, name) -> Any:
    """A Triton function from a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def sanitized(kernel: BrokenKernel, text: str, folder, **asked) -> Any:
    """What is found in a text, launched as the kernel is."""
    path = folder / f"{kernel.name}{kernel.suffix}"
    path.write_text(text, encoding="utf-8")
    launch = kernel.launch()
    options = {**launch.options, **asked}
    if kernel.form == "triton":
        function = function_in(path, kernel.name)
        return sanitize(function, launch.grid, *launch.arguments, target=kernel.target, **options)
    return sanitize(
        path,
        launch.grid,
        *launch.arguments,
        block=list(launch.block or ()),
        target=kernel.target,
        name=kernel.symbol,
        **options,
    )


def lines_of(kernel: BrokenKernel, finding: Any) -> set[int]:
    """The lines of the source that a finding names: that of the instruction, and that of the other one."""
    found = [place for place in (finding.place, finding.other) if place is not None]
    if kernel.suffix == ".s":
        return {place.assembly_line for place in found}
    return {place.source.line for place in found if place.source is not None}


def told(found: Any, kernel: BrokenKernel) -> str:
    """All findings in words, for a test that fails."""
    said = [f"{one.check.name} in {sorted(lines_of(kernel, one))}: {one.message}" for one in found.findings]
    return "\n".join([f"wanted {kernel.check} in {sorted(kernel.lines)}: {kernel.what}", *said])


@pytest.mark.sample(36, slow=24)
@pytest.mark.parametrize("kernel", cases(BROKEN))
def test_a_broken_kernel_is_found_at_its_line(kernel, tmp_path):
    found = sanitized(kernel, kernel.text, tmp_path, **ASKED_FOR.get(kernel.check, {}))
    of_class = [finding for finding in found.findings if finding.check.name == kernel.check]
    assert of_class, told(found, kernel)
    if kernel.has_place:
        assert any(lines_of(kernel, finding) & kernel.lines for finding in of_class), told(found, kernel)


@pytest.mark.sample(36, slow=24)
@pytest.mark.parametrize("kernel", cases(kernel for kernel in BROKEN if kernel.is_mended))
def test_of_a_mended_kernel_nothing_is_said(kernel, tmp_path):
    text = mended(kernel.text, kernel.suffix)
    assert text != kernel.text
    found = sanitized(kernel, text, tmp_path, **ASKED_FOR.get(kernel.check, {}))
    assert found.is_clean, told(found, kernel)
    assert not found.findings, told(found, kernel)


@pytest.mark.parametrize("kernel", cases(kernel for kernel in BROKEN if kernel.check in ASKED_FOR))
def test_what_was_not_asked_for_is_no_error(kernel, tmp_path):
    found = sanitized(kernel, kernel.text, tmp_path)
    assert found.is_clean, told(found, kernel)


def test_every_class_has_its_kernels():
    counted = Counter(kernel.check for kernel in BROKEN)
    assert {check: counted[check] >= least for check, least in LEAST.items()} == dict.fromkeys(LEAST, True)
    assert set(counted) == set(LEAST)


def test_kernels_differ_in_name_and_cover_forms_and_targets():
    assert len({(kernel.form, kernel.name) for kernel in BROKEN}) == len(BROKEN)
    assert {kernel.form for kernel in BROKEN} == {"hip", "assembly", "triton", "own", "ck_tile"}
    assert {kernel.target for kernel in BROKEN} == {"gfx908", "gfx90a", "gfx942", "gfx950"}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kernel", cases(kernel for kernel in BROKEN if kernel.form != "ck_tile"))
def test_a_line_is_marked(kernel):
    assert kernel.lines
