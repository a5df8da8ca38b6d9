"""What goes wrong inside a kernel, with the instruction at which it did."""

from __future__ import annotations

from layoutalg.errors import LayoutError

__all__ = ["ExecutionFaultError", "UnknownInstructionError"]


class ExecutionFaultError(LayoutError):
    """The kernel read or wrote where it must not, or used a value nobody set."""


class UnknownInstructionError(LayoutError):
    """An instruction that has no row in the tables; it is never guessed."""
