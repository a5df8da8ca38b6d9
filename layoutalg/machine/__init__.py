"""Facts about machines, as tables with sources."""

from layoutalg.machine.target import TARGETS, Target

__all__ = ["TARGETS", "Target"]
