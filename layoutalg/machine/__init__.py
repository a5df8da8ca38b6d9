"""Facts about machines, as tables with sources."""

from layoutalg.machine.target import TARGET_NAMES, TARGETS, Target, known_target

__all__ = ["TARGETS", "TARGET_NAMES", "Target", "known_target"]
