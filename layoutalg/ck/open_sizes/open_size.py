"""Sizes left open in a binding, and the expressions that stand for them in an import.

>>> size = symbol_of("symbol(min=64, multiple_of=32)")
>>> size == symbol(min=64, multiple_of=32), size
(True, Symbol(minimum=64, multiple_of=32, maximum=None))
>>> sizes_of({"Problem.kM": size})[0]
{'Problem.kM': 32*kM_over_32}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Symbol as Size

from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.errors import LayoutError

__all__ = ["Symbol", "sizes_of", "symbol", "symbol_of"]


@dataclass(frozen=True)
class Symbol:
    """An integer of which only a range and a divisor are known; no maximum is None."""

    minimum: int = 1
    multiple_of: int = 1
    maximum: int | None = None


def symbol(*, min: int = 1, multiple_of: int = 1, max: int | None = None) -> Symbol:  # noqa: A002
    """A size that is not known: at least ``min``, a multiple of ``multiple_of``, at most ``max``."""
    if min < 1 or multiple_of < 1 or (max is not None and max < min):
        raise LayoutError(
            f"symbol: wanted 1 <= min <= max and multiple_of >= 1, got {min}, {max}, {multiple_of}"
        )
    return Symbol(min, multiple_of, max)


def symbol_of(text: str) -> Symbol:
    """The size that a text such as ``symbol(min=64, multiple_of=32)`` describes; else ``LayoutError``."""
    values: dict[str, int] = {}
    for part in text.removeprefix("symbol(").removesuffix(")").split(","):
        if part.strip():
            name, _, number = part.partition("=")
            if name.strip() not in {"min", "max", "multiple_of"} or not number.strip().isdigit():
                raise LayoutError(f"wanted symbol(min=, max=, multiple_of=), got {text!r}")
            values[name.strip()] = int(number)
    return symbol(**values)


def sizes_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], Ranges]:
    """Expressions for the sizes left open among bindings, and the ranges of the symbols in them.

    Each expression is ``multiple_of`` times a positive integer symbol.
    """
    values: dict[str, Any] = {}
    low: dict[Size, int] = {}
    high: dict[Size, int | None] = {}
    for key, wanted in given.items():
        if isinstance(wanted, Symbol):
            name, step = key.rpartition(".")[2].rstrip("_"), wanted.multiple_of
            size = Size(name if step == 1 else f"{name}_over_{step}", integer=True, positive=True)
            values[key] = step * size
            low[size] = -(-wanted.minimum // step)
            high[size] = None if wanted.maximum is None else wanted.maximum // step
    return values, Ranges(low, high)
