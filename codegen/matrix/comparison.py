"""Whether a run gave what it must, and how far it is off.

>>> import numpy as np
>>> from layoutalg.data_type import DataType
>>> agreement(np.float32([1, 2]), np.array([1.0, 2.5]), np.array([0.1, 0.1]), DataType.named("f32"))
Agreement(wrong=1, elements=2, largest_error=0.5, relative_norm=0.1857)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.kernel import ArrayArgument, Result
from layoutalg.data_type import DataType, to_numbers

if TYPE_CHECKING:
    from layoutalg.codegen.executors import Launch

__all__ = ["Agreement", "agreement", "agreements"]


@dataclass(frozen=True)
class Agreement:
    """``wrong``: elements farther off than allowed; ``relative_norm``: of the error (Frobenius)."""

    wrong: int
    elements: int
    largest_error: float
    relative_norm: float

    @property
    def is_good(self) -> bool:
        return self.wrong == 0


def agreement(found: NDArray[Any], wanted: NDArray[Any], allowed: NDArray[Any], kind: DataType) -> Agreement:
    """An output against the numbers it must be; what is not a number is wrong."""
    numbers = to_numbers(found, kind)
    error = np.abs(numbers - np.asarray(wanted, np.float64))
    wrong = int((~(error <= allowed)).sum())
    size = float(np.linalg.norm(np.asarray(wanted, np.float64)))
    norm = float(np.linalg.norm(error)) / size if size else float(np.linalg.norm(error))
    return Agreement(wrong, error.size, float(error.max(initial=0.0)), float(f"{norm:.4g}"))


def agreements(
    task: Launch,
    outputs: Mapping[str, NDArray[Any]],
    *,
    wanted: Result | None = None,
    written: Mapping[str, NDArray[np.bool_]] | None = None,
) -> dict[str, Agreement]:
    """Every output of a launch against the kernel's own reference; only elements ``written``, if given."""
    right = wanted or task.kernel.reference(task.given)
    kinds = {a.name: a.element for a in task.kernel.arguments if isinstance(a, ArrayArgument)}
    found = {}
    for name, numbers in right.numbers.items():
        part = written[name] if written else ...
        allowed = np.broadcast_to(right.allowed[name], numbers.shape)
        found[name] = agreement(outputs[name][part], numbers[part], allowed[part], kinds[name])
    return found
