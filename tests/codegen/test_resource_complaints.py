"""What of a kernel's registers and memory is a reason not to run it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.compile.compile_hip import resource_complaints
from layoutalg.machine import Target
from tests.codegen.small_kernel import TEXT

TARGET = Target.named("gfx942")


@pytest.mark.parametrize(
    ("vgprs", "sgprs", "scratch", "is_told"),
    [
        (0, 0, 0, False),
        (1, 0, 0, False),
        (1, 0, 8, True),
        (0, 1, 0, True),
        (1, 1, 0, True),
        (0, 0, 64, False),
    ],
)
def test_only_what_an_accumulation_register_keeps_is_no_spill(vgprs, sgprs, scratch, is_told):
    fine = compile_hip(TEXT, TARGET).resources
    made = replace(fine, vgpr_spills=vgprs, sgpr_spills=sgprs, scratch_bytes=scratch)
    assert bool(resource_complaints(made, TARGET, allow_spills=False)) == is_told
    assert not resource_complaints(made, TARGET, allow_spills=True)
