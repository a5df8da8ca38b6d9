"""What ends a run of the machine in C.

>>> NativeFault(3, 1, 40, 41, hangs=False).workgroup
3
"""

from __future__ import annotations

__all__ = ["NativeFault"]


class NativeFault(Exception):  # noqa: N818  what it means is told by another machine
    """Something is at fault in a workgroup of those that were started, at an instruction in a line."""

    def __init__(self, workgroup: int, wave: int, instruction: int, line: int, *, hangs: bool) -> None:
        super().__init__(workgroup, wave, instruction, line, hangs)
        self.workgroup = workgroup
        self.wave = wave
        self.instruction = instruction
        self.line = line
        self.hangs = hangs
