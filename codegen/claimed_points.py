"""What a claimed access is at each thread of some workgroups: elements by number, nothing symbolic.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.codegen.claimed_access import in_waves
>>> from layoutalg.data_type import DataType
>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"lane": 64, "warp": 1, "y0": 2})
>>> lane, warp, y = (axis.symbol for axis in domain.axes)
>>> loads = ClaimedAccess("a", "load", DataType.named("f16"), IndexMap(domain, (2 * lane + y,)), in_waves())
>>> threads, elements = claimed_elements(loads, launched_threads((64,), (1,), [0]))
>>> threads[:4], elements[:4]
(array([0, 0, 1, 1]), array([0, 1, 2, 3]))
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.claimed_access import LANES, ClaimedAccess
from layoutalg.domain import Variable
from layoutalg.index.evaluate import evaluate

__all__ = ["claimed_elements", "launched_threads"]

Values = Mapping[str, Any]  # of symbols by name: numbers, or arrays with one number for each thread
Integers = NDArray[np.int64]
THREAD = "its number"  # among those that are looked at: no axis has such a name


def launched_threads(block: Sequence[int], grid: Sequence[int], workgroups: Sequence[int]) -> dict[str, Any]:
    """Lane, wave and workgroup of all threads of the workgroups with these numbers, one after another."""
    size = math.prod(block)
    number = np.repeat(np.asarray(workgroups, dtype=np.int64), size)
    thread = np.tile(np.arange(size), len(workgroups))
    found: dict[str, Any] = {
        THREAD: np.arange(len(thread)),
        "lane": thread % LANES,
        "wave": thread // LANES,
    }
    for axis, extent in zip("xyz", (*grid, 1, 1), strict=False):
        number, found[f"workgroup_{axis}"] = np.divmod(number, extent)
    return found


def claimed_elements(access: ClaimedAccess, launched: Values) -> tuple[Integers, Integers] | None:
    """The threads that access elements, by their numbers among the launched ones, and which elements.

    ``launched``: what :func:`launched_threads` says, and sizes by name. None where what the elements are
    depends on more than that.
    """
    axes = {axis.name: axis for axis in access.map.domain.axes}
    used = set().union(*(part.free_symbols for part in (*access.map.outputs, *access.map.when)))
    counted = [axis for axis in axes.values() if axis.symbol in used and axis.name not in access.launch]
    is_known = {symbol.name for symbol in used} <= {*launched, *axes}
    if not is_known or any(axis.lower is None or axis.upper is None for axis in counted):
        return None
    of_launch = set().union(*(expression.free_symbols for expression in access.launch.values()))
    needed = {THREAD, *(symbol.name for symbol in used | of_launch)}
    launched = {name: value for name, value in launched.items() if name in needed or not np.ndim(value)}
    registers = {axis.name: np.arange(*_ends(axis, launched), axis.multiple_of) for axis in counted}
    points = _points(launched, registers)
    for name, expression in access.launch.items():
        if name in axes:
            value = np.broadcast_to(evaluate(expression, points), points[THREAD].shape)
            lower, upper = _ends(axes[name], launched)
            points = _where((lower <= value) & (value < upper), points | {name: value})
    for condition in access.map.when:
        points = _where(evaluate(condition, points), points)
    elements = np.broadcast_to(evaluate(access.map.offset, points), points[THREAD].shape)
    return points[THREAD], np.asarray(elements)


def _points(launched: Values, counted: Mapping[str, Integers]) -> dict[str, Any]:
    """What is known of the launch at all values of the axes that are ``counted``, one after the other."""
    found = np.meshgrid(launched[THREAD], *counted.values(), indexing="ij")
    thread, *others = (values.ravel() for values in found)
    of_launch = {name: value[thread] if np.ndim(value) else value for name, value in launched.items()}
    return of_launch | dict(zip(counted, others, strict=True))


def _where(condition: Any, points: Values) -> dict[str, Any]:
    """The points at which a condition holds."""
    holds = np.broadcast_to(condition, points[THREAD].shape)
    return {name: value[holds] if np.ndim(value) else value for name, value in points.items()}


def _ends(axis: Variable, sizes: Values) -> tuple[int, int]:
    numbers = {name: value for name, value in sizes.items() if np.ndim(value) == 0}
    return int(evaluate(axis.lower, numbers)), int(evaluate(axis.upper, numbers))
