"""Facts about machines, as tables with sources."""

from layoutalg.machine.target import EVERY_GPU, TARGET_NAMES, TARGETS, LaunchLimits, Target, known_target

__all__ = ["EVERY_GPU", "TARGETS", "TARGET_NAMES", "LaunchLimits", "Target", "known_target"]
