"""A few lines of assembly, and whether they have hazards."""

from __future__ import annotations

from layoutalg.codegen.gfx9.assembly import Assembly, parse_assembly
from layoutalg.codegen.gfx9.hazards import Hazard, hazards_of

__all__ = ["hazards_at_last", "snippet"]

FRAME = """
.amdgcn_target "amdgcn-amd-amdhsa--{target}"
snippet:
{body}
.section .rodata
.amdhsa_kernel snippet
.end_amdhsa_kernel
"""


def snippet(body: str, target: str) -> Assembly:
    """Lines of assembly as a kernel."""
    return parse_assembly(FRAME.format(body=body, target=target))


def hazards_at_last(
    lines: tuple[str, ...], wait_states: int, target: str, *, strictly: bool = True
) -> list[Hazard]:
    """The hazards of which the last line is the later one, with wait states put before it."""
    nops = [f"s_nop {min(16, wait_states - done) - 1}" for done in range(0, wait_states, 16)]
    assembly = snippet("\n".join([*lines[:-1], *nops, lines[-1]]), target)
    last = len(assembly.instructions) - 1
    return [hazard for hazard in hazards_of(assembly, strictly=strictly) if hazard.consumer == last]
