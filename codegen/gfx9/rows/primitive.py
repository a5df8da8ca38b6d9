"""Functions on arrays that whoever is no array computes in a way of its own.

A row's meaning is written with NumPy's operations, which other values can imitate (``__array_ufunc__``).
What takes more than such operations (a fused multiply-add, a table of numbers) is a primitive: a value that
has the method ``primitive`` is asked for the result.

>>> import numpy as np
>>> twice = primitive(lambda values: values * 2)
>>> twice(np.array([3])).tolist()
[6]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

__all__ = ["primitive"]


def primitive(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, computed by the first of its arguments that has a way of its own."""

    @wraps(function)
    def computed(*values: Any) -> Any:
        for value in values:
            own = getattr(value, "primitive", None)
            if own is not None:
                return own(function.__name__, values)
        return function(*values)

    return computed
