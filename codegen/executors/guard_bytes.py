"""Guard bytes around the buffers of a launch on a device, and what a kernel must have left as it was.

A kernel that changes a byte before or after a buffer, or an input, is faulty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.executor import Launch
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["GUARD_BYTES", "checked_outputs", "guarded", "unguarded"]

GUARD_BYTES = 4096  # a multiple of every alignment that is asked for
GUARD = 0xA5


def guarded(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of an array between guards."""
    host = np.full(array.nbytes + 2 * GUARD_BYTES, GUARD, np.uint8)
    host[GUARD_BYTES:-GUARD_BYTES] = array.reshape(-1).view(np.uint8)
    return host


def unguarded(kernel: str, key: str, host: NDArray[np.uint8], like: NDArray[Any]) -> NDArray[Any]:
    """The content of a buffer, of the type and shape of ``like``; refused where a guard was changed."""
    for where, guard in (("before", host[:GUARD_BYTES]), ("after", host[-GUARD_BYTES:])):
        changed = int((guard != GUARD).sum())
        if changed:
            raise ExecutionFaultError(f"{kernel}: {changed} bytes {where} {key} were overwritten")
    return host[GUARD_BYTES:-GUARD_BYTES].view(like.dtype).reshape(like.shape)


def checked_outputs(
    task: Launch, before: Mapping[str, NDArray[Any]], after: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The outputs among the contents after a launch; refused where an input was changed."""
    for key in (argument.name for argument in task.arrays if not argument.is_output):
        if after[key].tobytes() != before[key].tobytes():
            raise ExecutionFaultError(f"{task.kernel.name}: {key} was changed, which is an input")
    return task.outputs_in(after)
