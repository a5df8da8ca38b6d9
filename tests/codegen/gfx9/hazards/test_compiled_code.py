"""Code of the compiler has no hazards, and has one as soon as one of its ``s_nop`` is shorter.

All but those between loads that overwrite registers of addresses: they end a clause of loads that may be
replayed (LLVM: checkSoftClauseHazards, XNACK), which is no question of wait states.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from layoutalg.codegen.compile.compile_hip import compile_hip
from layoutalg.codegen.gfx9.assembly import Assembly, parse_assembly
from layoutalg.codegen.gfx9.hazards import hazards_of
from layoutalg.codegen.matrix.kernel_matrix import Choice, choices

MEMORY = ("global_", "buffer_", "flat_", "scratch_")
TARGETS = ("gfx90a", "gfx942", "gfx950")
QUICK = [
    Choice("gemm", "gfx950", "f64", {"rung": "16x16"}),
    Choice("gemm", "gfx90a", "i8", {"rung": "pipelined", "group_m": 2, "stages_result": True}),
    Choice("gemm", "gfx942", "f8", {"rung": "xor", "layouts": "rrr"}),
]
EVERY = [choice for target in TARGETS for choice in choices(target) if not choice.refusal]


def compiled(choice: Choice) -> Assembly:
    return parse_assembly(compile_hip(choice.kernel().text, choice.target).assembly)


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
@pytest.mark.parametrize("choice", QUICK, ids=str)
def test_no_wait_state_is_too_many(choice):
    assembly = compiled(choice)
    assert hazards_of(assembly, strictly=True) == ()
    nops = [n for n, one in enumerate(assembly.instructions) if one.mnemonic == "s_nop"]
    spared = [n for n in nops if not hazards_of(shortened(assembly, n), strictly=True)]
    assert [n for n in spared if not ends_a_clause(assembly, n)] == []


@pytest.mark.slow
@pytest.mark.parametrize("choice", EVERY[::25], ids=str)
def test_compiled_code_has_no_hazard(choice):
    assembly = compiled(choice)
    assert hazards_of(assembly, strictly=True) == ()
    assert hazards_of(assembly) == ()
