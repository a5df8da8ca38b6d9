"""Which elements of an output some workgroups of a launch store, as the kernel claims of itself.

>>> from types import SimpleNamespace
>>> from layoutalg.codegen.kernels.copy.family import COPY
>>> kernel = COPY.build(SimpleNamespace(target="gfx942", element="f32", options={"lengths": (1032,)}))
>>> out = kernel.arguments[1]
>>> kernel.grid_for({}), [int(claimed_stores(kernel, {}, out, 1032, [one]).sum()) for one in (0, 1)]
((2,), [1024, 8])
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.claimed_access import LANES, ClaimedAccess
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.domain import Variable
from layoutalg.index.evaluate import evaluate

__all__ = ["claimed_stores"]

Values = Mapping[str, Any]  # of symbols by name: numbers, or arrays with one number for each thread


def claimed_stores(
    kernel: Kernel, sizes: Values, output: ArrayArgument, elements: int, workgroups: Sequence[int]
) -> NDArray[np.bool_]:
    """Marks of those of the ``elements`` of an output's memory that ``workgroups``, by number, store.

    Not marked is what depends on more than the launch; nothing is where a kernel claims no accesses.
    """
    known = {parameter.name: int(sizes[parameter.name]) for parameter in kernel.domain.parameters}
    wanted = (output.name, "store", output.element)
    stores = [one for one in kernel.accesses if (one.array, one.way, one.kind) == wanted]
    marks = np.zeros(elements, dtype=bool)
    for number in workgroups:
        launched = known | _launched(kernel, kernel.grid_for(sizes), number)
        for access in stores:
            places = _places(access, launched)
            marks[places[(places >= 0) & (places < elements)]] = True
    return marks


def _launched(kernel: Kernel, grid: Sequence[int], number: int) -> dict[str, Any]:
    """Lane, wave and workgroup in all threads of the workgroup with this number."""
    threads = np.arange(math.prod(kernel.block))
    found: dict[str, Any] = {"lane": threads % LANES, "wave": threads // LANES}
    for axis, extent in zip("xyz", (*grid, 1, 1), strict=False):
        number, found[f"workgroup_{axis}"] = divmod(number, extent)
    return found


def _places(access: ClaimedAccess, launched: Values) -> NDArray[np.int64]:
    """The elements that the threads of a workgroup store; none where that is not known."""
    axes = {axis.name: axis for axis in access.map.domain.axes}
    used = set().union(*(part.free_symbols for part in (*access.map.outputs, *access.map.when)))
    counted = [axis for axis in axes.values() if axis.symbol in used and axis.name not in access.launch]
    is_known = {symbol.name for symbol in used} <= {*launched, *axes}
    if not is_known or any(axis.lower is None or axis.upper is None for axis in counted):
        return np.zeros(0, np.int64)
    points = _points(launched, {axis.name: np.arange(*_ends(axis, launched)) for axis in counted})
    for name, expression in access.launch.items():
        if name in axes:
            value = np.broadcast_to(evaluate(expression, points), points["lane"].shape)
            lower, upper = _ends(axes[name], launched)
            points = _where((lower <= value) & (value < upper), points | {name: value})
    for condition in access.map.when:
        points = _where(evaluate(condition, points), points)
    return np.asarray(evaluate(access.map.offset, points))


def _points(launched: Values, counted: Mapping[str, NDArray[np.int64]]) -> dict[str, Any]:
    """What is known of the launch at all values of the axes that are ``counted``, one after the other."""
    threads = np.arange(len(launched["lane"]))
    thread, *others = (found.ravel() for found in np.meshgrid(threads, *counted.values(), indexing="ij"))
    of_launch = {name: value[thread] if np.ndim(value) else value for name, value in launched.items()}
    return of_launch | dict(zip(counted, others, strict=True))


def _where(condition: Any, points: Mapping[str, Any]) -> dict[str, Any]:
    """The points at which a condition holds."""
    holds = np.broadcast_to(condition, points["lane"].shape)
    return {name: value[holds] if np.ndim(value) else value for name, value in points.items()}


def _ends(axis: Variable, sizes: Values) -> tuple[int, int]:
    numbers = {name: value for name, value in sizes.items() if np.ndim(value) == 0}
    return int(evaluate(axis.lower, numbers)), int(evaluate(axis.upper, numbers))
