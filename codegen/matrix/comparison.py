"""Outputs of a run compared with what they must be: how many elements are wrong, and how far they are off.

>>> import numpy as np
>>> from layoutalg.data_type import DataType
>>> compare(np.float32([1, 2]), np.array([1.0, 2.5]), np.array([0.1, 0.1]), DataType.named("f32"))
OutputComparison(wrong=1, elements=2, largest_error=0.5, relative_norm=0.1857)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors import Launch
from layoutalg.codegen.kernel import ArrayArgument, Result
from layoutalg.data_type import DataType, to_numbers

__all__ = ["OutputComparison", "compare", "compare_outputs"]


@dataclass(frozen=True)
class OutputComparison:
    """An output compared with what it must be.

    ``wrong``: elements farther off than allowed; ``relative_norm``: of the error (Frobenius).
    """

    wrong: int
    elements: int
    largest_error: float
    relative_norm: float

    @property
    def is_good(self) -> bool:
        return self.wrong == 0


def compare(
    found: NDArray[Any], wanted: NDArray[Any], allowed: NDArray[Any], kind: DataType
) -> OutputComparison:
    """An output ``found`` beside the numbers ``wanted``.

    Wrong is what is not a number, and what anything is allowed of: it cannot be compared. An infinity is
    right where one of its sign is wanted.
    """
    numbers, wanted = to_numbers(found, kind), np.asarray(wanted, np.float64)
    is_beyond = np.isinf(wanted) & (numbers == wanted) & np.isfinite(allowed)
    with np.errstate(invalid="ignore"):
        error = np.where(is_beyond, 0.0, np.abs(numbers - wanted))
    wrong = int((~(is_beyond | ((error <= allowed) & np.isfinite(allowed)))).sum())
    size = float(np.linalg.norm(wanted[np.isfinite(wanted)]))
    norm = float(np.linalg.norm(error)) / size if size else float(np.linalg.norm(error))
    return OutputComparison(wrong, error.size, float(error.max(initial=0.0)), float(f"{norm:.4g}"))


def compare_outputs(
    task: Launch,
    outputs: Mapping[str, NDArray[Any]],
    *,
    wanted: Result | None = None,
    written: Mapping[str, NDArray[np.bool_]] | None = None,
) -> dict[str, OutputComparison]:
    """The outputs of a launch beside ``wanted``, or the kernel's own reference; only elements ``written``."""
    right = wanted or task.kernel.reference(task.given)
    kinds = {a.name: a.element for a in task.kernel.arguments if isinstance(a, ArrayArgument)}
    found = {}
    for name, numbers in right.numbers.items():
        part = written[name] if written else ...
        allowed = np.broadcast_to(right.allowed[name], numbers.shape)
        found[name] = compare(outputs[name][part], numbers[part], allowed[part], kinds[name])
    return found
