"""Which instructions may come right before another one: by falling through, or by a branch.

Only what the entry leads to counts. Where a program goes on by an address (``s_setpc``), nothing is known to
follow.
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.assembly import Assembly

__all__ = ["JUMPS", "followers_of", "predecessors_of"]

ENDS = {
    "s_endpgm",
    "s_endpgm_saved",
    "s_branch",
    "s_setpc_b64",
    "s_swappc_b64",
    "s_rfe_b64",
    "s_cbranch_join",
}
JUMPS = ("s_branch", "s_cbranch_", "s_call_")


def predecessors_of(assembly: Assembly) -> dict[int, tuple[int, ...]]:
    """For each place that is reached from the entry, the places that lead to it.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> code = tuple(parse_instruction(line, 1) for line in ("s_nop 0", "s_cbranch_scc1 loop", "s_endpgm"))
    >>> predecessors_of(Assembly("kernel", "gfx942", code, {"loop": 0}, {}))
    {0: (1,), 1: (0,), 2: (1,)}
    """
    found: dict[int, list[int]] = {0: []} if assembly.instructions else {}
    waiting = list(found)
    while waiting:
        place = waiting.pop()
        for following in followers_of(assembly, place):
            if following not in found:
                found[following] = []
                waiting.append(following)
            found[following].append(place)
    return {place: tuple(found[place]) for place in sorted(found)}


def followers_of(assembly: Assembly, place: int) -> list[int]:
    """The places that may come right after one."""
    instruction = assembly.instructions[place]
    name = instruction.mnemonic
    found = [] if name in ENDS else [place + 1]
    if name.startswith(JUMPS):
        found += [assembly.labels[text] for text in instruction.operands if text in assembly.labels]
    return [one for one in dict.fromkeys(found) if one < len(assembly.instructions)]
