"""A hazard that was found: two instructions that stand closer than the hardware can bear.

>>> Hazard("trans", 0, 1, "v5", 1, 0, "a rule", "gfx942", ("reads", "writes"), ("v_add", "v_exp")).message
'v_add reads v5 0 wait states after v_exp writes it; gfx942 wants 1 (a rule): put s_nop 0 between'
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.codegen.gfx9.hazards.hazard_rule import Kind

__all__ = ["Hazard"]

MOST_OF_A_NOP = 16  # wait states of one s_nop: its operand has four bits
WORDS = {
    "writes": "writes",
    "hardware": "names",
    "data": "stores",
    "part": "writes part of",
    "touches": "uses",
    "c": "reads",
}


@dataclass(frozen=True)
class Hazard:
    """Two instructions by their places in the assembly, the register they share, and the wait states.

    ``wanted`` between them and ``found``; ``rule``: the name of the row that says so; ``roles``: how the
    later one and the earlier one use the register; ``mnemonics``: theirs, in the same order.
    """

    kind: Kind
    producer: int
    consumer: int
    register: str
    wanted: int
    found: int
    rule: str
    target: str
    roles: tuple[str, str]
    mnemonics: tuple[str, ...]

    @property
    def message(self) -> str:
        """What is wrong, and what would help."""
        later, earlier = self.mnemonics
        takes, gives = (WORDS.get(role, "reads") for role in self.roles)
        states = "wait state" if self.found == 1 else "wait states"
        if self.register:
            first = f"{later} {takes} {self.register} {self.found} {states} after {earlier} {gives} it"
        else:
            first = f"{later} comes {self.found} {states} after {earlier}"
        return f"{first}; {self.target} wants {self.wanted} ({self.rule}): put {self._nops} between"

    @property
    def _nops(self) -> str:
        """The ``s_nop`` that are missing."""
        missing = self.wanted - self.found
        full, rest = divmod(missing, MOST_OF_A_NOP)
        counts = [MOST_OF_A_NOP] * full + ([rest] if rest else [])
        return " and ".join(f"s_nop {count - 1}" for count in counts)
