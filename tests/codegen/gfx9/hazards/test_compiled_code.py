"""Code of the compiler has no hazards, and has one as soon as one of its ``s_nop`` is shorter.

All but those between loads that overwrite registers of addresses: they end a clause of loads that may be
replayed (LLVM: checkSoftClauseHazards, XNACK), which is no question of wait states.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from layoutalg.codegen.gfx9.assembly import Assembly, parse_assembly
from layoutalg.codegen.gfx9.hazards import hazards_of
from tests.codegen.matrix_launches import EVERY, code_called

MEMORY = ("global_", "buffer_", "flat_", "scratch_")
QUICK = [
    "gemm f64 rung=16x16 on gfx950",
    "gemm i8 rung=pipelined group_m=2 stages_result=True on gfx90a",
    "gemm f8 rung=xor layouts=rrr on gfx942",
]


def compiled(kernel_name: str) -> Assembly:
    return parse_assembly(code_called(kernel_name).assembly)


def shortened(assembly: Assembly, place: int) -> Assembly:
    """The same code with one wait state less."""
    code = list(assembly.instructions)
    count = int(code[place].operands[0], 0)
    if count:
        code[place] = replace(code[place], operands=(str(count - 1),))
        return replace(assembly, instructions=tuple(code))
    del code[place]
    labels = {name: at - (at > place) for name, at in assembly.labels.items()}
    return replace(assembly, instructions=tuple(code), labels=labels)


def ends_a_clause(assembly: Assembly, place: int) -> bool:
    around = assembly.instructions[place - 1 : place + 2 : 2]
    return all(one.mnemonic.startswith(MEMORY) for one in around)


@pytest.mark.sample(3)
@pytest.mark.parametrize("kernel_name", QUICK)
def test_no_wait_state_is_too_many(kernel_name):
    assembly = compiled(kernel_name)
    assert hazards_of(assembly, strictly=True) == ()
    nops = [n for n, one in enumerate(assembly.instructions) if one.mnemonic == "s_nop"]
    spared = [n for n in nops if not hazards_of(shortened(assembly, n), strictly=True)]
    assert [n for n in spared if not ends_a_clause(assembly, n)] == []


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("kernel_name", [*EVERY][::25])
def test_compiled_code_has_no_hazard(kernel_name):
    assembly = compiled(kernel_name)
    assert hazards_of(assembly, strictly=True) == ()
    assert hazards_of(assembly) == ()
