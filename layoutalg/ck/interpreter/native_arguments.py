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
        rows = [Tuple(tuple(map(Sequence, r))) if r and isinstance(r[0], tuple) else r for r in _six(value)]
        return tuple(r if isinstance(r, Tuple) else Sequence(r) for r in rows)
    return None


def _six(value: TileDistributionEncoding) -> tuple[Any, ...]:
    return tuple(vars(value).values())
