"""One rule of hazards: after which instruction which other one has to wait, for which registers, how long.

>>> rule = HazardRule("result read", "trans", "transcendental", "writes", "not transcendental", "reads", 1)
>>> rule.wanted(0), rule.most
(1, 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["EVERY_TARGET", "HazardRule", "Kind"]

Kind = Literal["mfma", "valu", "trans"]
EVERY_TARGET = frozenset({"gfx908", "gfx90a", "gfx942", "gfx950"})


@dataclass(frozen=True)
class HazardRule:
    """A row: an instruction of class ``producer`` and a later one of class ``consumer`` share a register.

    ``gives`` and ``takes``: in which role each uses that register (``InstructionUses.registers``);
    ``wait_states``: how many must lie between them, or that by passes of the producer (none where there is no
    such number); ``same_registers``: the two sets must be equal, or must not be; ``same_mnemonic``: so must
    the names; ``between``: a class that must occur on the way; ``is_disputed``: only a strict search
    keeps it (``valu_rules`` says why).
    """

    name: str
    kind: Kind
    producer: str
    gives: str
    consumer: str
    takes: str
    wait_states: int | Mapping[int, int]
    targets: frozenset[str] = EVERY_TARGET
    same_registers: bool | None = None
    same_mnemonic: bool | None = None
    between: str = ""
    is_disputed: bool = False

    @property
    def most(self) -> int:
        """The wait states that are wanted at most."""
        return self.wait_states if isinstance(self.wait_states, int) else max(self.wait_states.values())

    @property
    def looks_for_last(self) -> bool:
        """Whether an earlier result no longer counts once a matrix instruction wrote its registers again."""
        return self.kind == "mfma" and self.gives == "writes" and self.producer in ("xdl", "sgemm", "dgemm")

    def wanted(self, passes: int) -> int:
        """The wait states for a producer of so many passes."""
        return self.wait_states if isinstance(self.wait_states, int) else self.wait_states.get(passes, 0)
