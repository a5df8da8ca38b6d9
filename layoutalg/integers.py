"""Plain numbers where no symbol will do: values to bind, ids, origins, orders.

>>> integers([0, 2], "shuffle")
(0, 2)
>>> integers((0, 1.5), "shuffle")
Traceback (most recent call last):
    ...
layoutalg.errors.LengthError: shuffle[1]: wanted a number, got 1.5
"""

from __future__ import annotations

import operator
from typing import Any

from layoutalg.errors import LengthError
from layoutalg.length import sequence

__all__ = ["integer", "integers"]


def integers(values: Any, where: str) -> tuple[int, ...]:
    """A tuple of integers from any sequence of them."""
    return tuple(integer(value, f"{where}[{i}]") for i, value in enumerate(sequence(values, where)))


def integer(value: Any, where: str) -> int:
    """An integer; NumPy's count too, truth values do not."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    msg = f"{where}: wanted a number, got {value!r}"
    raise LengthError(msg) from None
