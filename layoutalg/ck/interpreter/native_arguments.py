"""Template arguments of library values, for deduction: ``sequence<1, 2>`` has 1 and 2."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.interpreter.conversions import type_of
from layoutalg.ck.interpreter.cpp_values import Constant, Sequence, Tuple
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistributionEncoding

__all__ = ["NUMBERS", "native_arguments"]

NUMBERS = frozenset(("constant", "number", "bool_constant", "long_number"))


def native_arguments(name: str, value: Any) -> tuple[Any, ...] | None:
    """The arguments with which the named library template makes the value; None if it does not."""
    if isinstance(value, Sequence) and name == "sequence":
        return value.values
    if isinstance(value, Tuple) and name == "tuple":
        return value.items
    if isinstance(value, TensorDescriptor) and name == "tensor_descriptor":
        return (value,)  # one opaque argument
    if isinstance(value, Constant) and name in NUMBERS:
        return (value.value,)
    if isinstance(value, Constant) and name == "integral_constant":
        return (type_of(value.value), value.value)
    if isinstance(value, TileDistributionEncoding) and name == "tile_distribution_encoding":
        return tuple(map(_rows, vars(value).values()))
    return None


def _rows(values: tuple[Any, ...]) -> Sequence | Tuple:
    is_nested = bool(values) and isinstance(values[0], tuple)
    return Tuple(tuple(map(Sequence, values))) if is_nested else Sequence(values)
