"""Which instructions addresses, lane masks and branches depend on: only those are followed.

Registers of lanes that are off keep their values, so a write of a vector register ends the need for it only
where all lanes are on (``whole``: those places).
"""

from __future__ import annotations

from collections.abc import Sequence

from layoutalg.codegen.gfx9.lifting.loops_of_flow import ControlFlow
from layoutalg.codegen.gfx9.lifting.register_uses import Register, RegisterUses

__all__ = ["Needed"]


class Needed:
    """The instructions that matter (``places``), and the registers needed where each block begins."""

    def __init__(self, flow: ControlFlow, uses: Sequence[RegisterUses], whole: frozenset[int]) -> None:
        self._flow = flow
        self._uses = uses
        self._whole = whole
        self.at_start: dict[int, frozenset[Register]] = {n: frozenset() for n in range(len(flow.blocks))}
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(flow.blocks))):
                found = self._before(number)
                if found != self.at_start[number]:
                    self.at_start[number], changed = found, True
        self.places = frozenset(place for number in self.at_start for place in self._matters(number))

    def _after(self, number: int) -> set[Register]:
        found: set[Register] = set()
        for follower in self._flow.blocks[number].followers:
            found |= self.at_start[follower]
        return found

    def _before(self, number: int) -> frozenset[Register]:
        needed = self._after(number)
        block = self._flow.blocks[number]
        for place in range(block.last, block.first - 1, -1):
            self._step(needed, place)
        return frozenset(needed)

    def _step(self, needed: set[Register], place: int) -> bool:
        """What is needed before an instruction, of what is needed after it; whether it matters."""
        uses = self._uses[place]
        matters = uses.is_wanted or not needed.isdisjoint(uses.writes)
        if matters:
            ends_need = not uses.is_partial or place in self._whole
            needed.difference_update(w for w in uses.writes if ends_need or w[0] not in ("v", "a"))
            needed.update(uses.wanted)
            needed.update(uses.reads)
        return matters

    def _matters(self, number: int) -> list[int]:
        needed = self._after(number)
        block = self._flow.blocks[number]
        places = range(block.last, block.first - 1, -1)
        return [place for place in places if self._step(needed, place)]
