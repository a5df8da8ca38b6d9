"""Moving data: which table has a memory instruction, and in which pieces a kernel takes the LDS."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.buffer_transfer import buffer_transfer
from layoutalg.codegen.gfx9.global_transfer import global_transfer, scalar_load
from layoutalg.codegen.gfx9.local_transfer import lds_bytes_of, local_transfer
from layoutalg.codegen.gfx9.memory import alignment_of
from layoutalg.codegen.gfx9.state import Group, Waves

__all__ = ["lds_grain", "transfer_operation"]

Execute = Callable[[Waves, Group], None]


def transfer_operation(instruction: Instruction) -> Execute | None:
    """The execution of a memory instruction, or None if it has no row."""
    for table in (global_transfer, local_transfer, buffer_transfer, scalar_load):
        execute = table(instruction)
        if execute is not None:
            return execute
    return None


def lds_grain(instructions: Iterable[Instruction]) -> int:
    """The largest piece of the LDS that every access of these instructions takes whole."""
    sizes = {lds_bytes_of(instruction) for instruction in instructions} - {0}
    return min(map(alignment_of, sizes), default=1)
