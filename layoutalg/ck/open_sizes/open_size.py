"""Sizes left open in a binding, and the expressions that stand for them in an import.

>>> size = symbol_of("symbol(min=64, multiple_of=32)")
>>> size == symbol(min=64, multiple_of=32), size
(True, Symbol(minimum=64, multiple_of=32, maximum=None))
>>> sizes_of({"Problem.kM": size, "kargs.lengths": (symbol(), 3)})[0]
{'Problem.kM': 32*kM_over_32, 'kargs.lengths': (lengths0, 3)}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Symbol as Size

from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.errors import LayoutError
from layoutalg.reading.spelled_integer import spelled_integer

__all__ = ["Symbol", "has_open_sizes", "sizes_of", "symbol", "symbol_of"]


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
            value = spelled_integer(number, "symbol")
            if name.strip() not in {"min", "max", "multiple_of"} or value is None:
                raise LayoutError(f"wanted symbol(min=, max=, multiple_of=), got {text!r}")
            values[name.strip()] = value
    return symbol(**values)


def has_open_sizes(given: Mapping[str, Any]) -> bool:
    """Whether a binding, or an entry of a list among bindings, is left open."""
    return any(isinstance(each, Symbol) for value in given.values() for each in _entries(value))


def _entries(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def sizes_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], Ranges]:
    """Expressions for the sizes left open among bindings, and the ranges of the symbols in them.

    Each expression is ``multiple_of`` times a positive integer symbol. Of a list with open entries it is
    the list with expressions for these.
    """
    values: dict[str, Any] = {}
    low: dict[Size, int] = {}
    high: dict[Size, int | None] = {}
    for key, wanted in given.items():
        name, made = key.rpartition(".")[2].rstrip("_"), list[Any]()
        for number, entry in enumerate(_entries(wanted)):
            if not isinstance(entry, Symbol):
                made.append(entry)
                continue
            own, step = f"{name}{number}" if isinstance(wanted, tuple) else name, entry.multiple_of
            size = Size(own if step == 1 else f"{own}_over_{step}", integer=True, positive=True)
            made.append(step * size)
            low[size] = -(-entry.minimum // step)
            high[size] = None if entry.maximum is None else entry.maximum // step
        if has_open_sizes({key: wanted}):
            values[key] = tuple(made) if isinstance(wanted, tuple) else made[0]
    return values, Ranges(low, high)
