"""Facts about machines, as tables with sources."""

from layoutalg.machine.target import EVERY_GPU, TARGETS, LaunchLimits, Target

__all__ = ["EVERY_GPU", "TARGETS", "LaunchLimits", "Target"]
