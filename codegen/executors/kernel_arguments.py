"""The argument block of a launch: addresses and numbers where the code object says they belong."""

from __future__ import annotations

from collections.abc import Mapping

from layoutalg.codegen.executors.executor import Launch
from layoutalg.codegen.kernel import ArrayArgument
from layoutalg.errors import ToolError

__all__ = ["argument_block"]

HIDDEN = "hidden_"  # arguments that the runtime fills in


def argument_block(task: Launch, addresses: Mapping[str, int]) -> bytes:
    """The bytes of a launch's arguments; ``addresses``: where each array lies on the device."""
    places = [place for place in task.compiled.resources.arguments if not place.kind.startswith(HIDDEN)]
    if len(places) != len(task.kernel.arguments):
        msg = f"{task.kernel.name}: the code object has {len(places)} arguments,"
        raise ToolError(f"{msg} the kernel {len(task.kernel.arguments)}")
    block = bytearray(max((place.offset + place.size for place in places), default=0))
    for argument, place in zip(task.kernel.arguments, places, strict=True):
        if isinstance(argument, ArrayArgument):
            number = addresses[argument.name]
        else:
            number = argument.bits(task.sizes[argument.name])
        block[place.offset : place.offset + place.size] = number.to_bytes(place.size, "little")
    return bytes(block)
