"""States that wait for the blocks that they lead to."""

from __future__ import annotations

from layoutalg.codegen.gfx9.lifting.formula_registers import Registers

__all__ = ["Ways"]


class Ways:
    """States by block; where several wait for one they are joined when it is come to."""

    def __init__(self) -> None:
        self._states: dict[int, list[Registers]] = {}

    def add(self, block: int, state: Registers) -> None:
        """Let a state wait for a block."""
        self._states.setdefault(block, []).append(state)

    def take(self, block: int) -> Registers | None:
        """What all states that waited for a block are together; None where none did."""
        found: Registers | None = None
        for state in self._states.pop(block, ()):
            found = state if found is None else found.joined(state)
        return found
