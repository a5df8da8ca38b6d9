"""The argument block of a launch: explicit arguments, and the hidden ones that the compiler asks for.

Source: LLVM, "User Guide for AMDGPU Backend", section "Code Object V5 Metadata" (value kinds). Buffers for
printf, host calls, heaps and queues are none: their addresses are 0, and following one is a fault.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelArgument
from layoutalg.errors import LayoutError

__all__ = ["argument_block", "dispatch_packet", "explicit_places"]

NO_BUFFER = (
    "hidden_none",
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_multigrid_sync_arg",
    "hidden_heap_v1",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_queue_ptr",
    "hidden_private_base",
    "hidden_shared_base",
)
WHOLE = 16  # the compiler may load this many bytes where the last arguments begin


def explicit_places(places: Sequence[KernelArgument]) -> list[KernelArgument]:
    """The arguments that a caller passes."""
    return [place for place in places if not place.kind.startswith("hidden_")]


def argument_block(
    numbers: Sequence[int],
    places: Sequence[KernelArgument],
    size: int,
    shape: tuple[Sequence[int], Sequence[int], int],
) -> NDArray[np.uint8]:
    """The block's content: ``numbers`` for explicit arguments, the others from the launch's ``shape``.

    ``shape``: workgroups and threads along three axes, bytes of dynamic LDS.
    """
    content = np.zeros(math.ceil(max(size, 1) / WHOLE) * WHOLE, dtype=np.uint8)
    given = iter(numbers)
    for place in places:
        is_hidden = place.kind.startswith("hidden_")
        number = _hidden(place.kind, *shape) if is_hidden else next(given, None)
        if number is None:
            break
        encoded = (number % 2 ** (8 * place.size)).to_bytes(place.size, "little")
        content[place.offset : place.offset + place.size] = np.frombuffer(encoded, np.uint8)
    return content


def _hidden(kind: str, grid: Sequence[int], block: Sequence[int], dynamic_lds: int) -> int:
    for axis, name in enumerate("xyz"):
        of_axis = {
            f"hidden_block_count_{name}": grid[axis],
            f"hidden_group_size_{name}": block[axis],
            f"hidden_remainder_{name}": 0,  # every workgroup is whole
            f"hidden_global_offset_{name}": 0,
        }
        if kind in of_axis:
            return of_axis[kind]
    if kind == "hidden_grid_dims":
        return max((axis + 1 for axis in range(3) if grid[axis] * block[axis] > 1), default=1)
    if kind == "hidden_dynamic_lds_size":
        return dynamic_lds
    if kind not in NO_BUFFER:
        msg = f"the argument kind {kind} is none that a launch can fill in"
        raise LayoutError(msg)
    return 0


def dispatch_packet(grid: Sequence[int], block: Sequence[int], lds: int, arguments: int) -> NDArray[np.uint8]:
    """The packet that ``dispatch_ptr`` points at (HSA, kernel dispatch packet): 64 bytes."""
    threads = [count * size for count, size in zip(grid, block, strict=True)]
    packed = struct.pack("<HH3HH3III", 2, 3, *block, 0, *threads, 0, lds) + struct.pack(
        "<QQQQ", 0, arguments, 0, 0
    )
    return np.frombuffer(packed, np.uint8).copy()
