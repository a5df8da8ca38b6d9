"""Nests: lengths inside tuples inside tuples, as shapes, strides and indices of nested layouts are.

>>> flatten((4, (2, 4))), depth((4, (2, 4))), nest_text((4, (2, 4)))
((4, 2, 4), 2, '(4,(2,4))')
>>> nested_as((1, 2, 3), (4, (2, 4)))
(1, (2, 3))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from layoutalg.errors import LengthError
from layoutalg.length import Length, length, product, stride

__all__ = [
    "Nest",
    "as_lengths",
    "as_strides",
    "as_tuples",
    "column_major_strides",
    "congruent",
    "depth",
    "flatten",
    "mapped",
    "nest_text",
    "nested_as",
    "part",
    "total",
]

Nest = Any  # Length | tuple[Nest, ...]: a recursive type that no checker knows without a class


def flatten(nest: Nest) -> tuple[Any, ...]:
    """The leaves from left to right."""
    if isinstance(nest, tuple):
        return tuple(leaf for inner in nest for leaf in flatten(inner))
    return (nest,)


def total(nest: Nest) -> Length:
    """The product of the leaves."""
    return product(flatten(nest))


def depth(nest: Nest) -> int:
    """How deep tuples are nested; 0 for a single length."""
    return 1 + max(map(depth, nest), default=0) if isinstance(nest, tuple) else 0


def mapped(function: Callable[[Any], Any], nest: Nest) -> Nest:
    """The nest with a function applied to every leaf."""
    return tuple(mapped(function, inner) for inner in nest) if isinstance(nest, tuple) else function(nest)


def nested_as(leaves: Sequence[Any], profile: Nest) -> Nest:
    """Leaves in the nesting of another nest."""
    rest = iter(leaves)
    return mapped(lambda _: next(rest), profile)


def congruent(left: Nest, right: Nest) -> bool:
    """Whether two nests are nested alike."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(congruent, left, right))
    return not isinstance(left, tuple) and not isinstance(right, tuple)


def part(nest: Nest, places: Sequence[int], where: str) -> Nest:
    """What stands at a place, one number for each level."""
    for place in places:
        count = len(nest) if isinstance(nest, tuple) else 1
        if not isinstance(place, int) or not 0 <= place < count:
            msg = f"{where}: there is no part {place} in {nest_text(nest)}"
            raise LengthError(msg, hint=f"parts are 0 to {count - 1}")
        nest = nest[place] if isinstance(nest, tuple) else nest
    return nest


def column_major_strides(shape: Nest) -> Nest:
    """Packed strides, the first leaf fastest.

    >>> column_major_strides((4, (2, 4)))
    (1, (4, 8))
    """
    steps: list[Length] = []
    step: Length = 1
    for leaf in flatten(shape):
        steps.append(step)
        step = step * leaf
    return nested_as(steps, shape)


def as_lengths(values: Any, where: str) -> Nest:
    """A nest of lengths from lists or tuples."""
    return _checked(values, where, length)


def as_strides(values: Any, where: str) -> Nest:
    """A nest of strides from lists or tuples."""
    return _checked(values, where, stride)


def as_tuples(nest: Any) -> Nest:
    """Lists as tuples, all the way down.

    >>> as_tuples([1, [2, (3,)]])
    (1, (2, (3,)))
    """
    return tuple(map(as_tuples, nest)) if isinstance(nest, list | tuple) else nest


def nest_text(nest: Nest) -> str:
    """The nest as CuTe prints it."""
    if isinstance(nest, tuple):
        return f"({','.join(map(nest_text, nest))})"
    return str(nest)


def _checked(values: Any, where: str, check: Callable[[Any, str], Length]) -> Nest:
    if isinstance(values, list | tuple | range | Iterator):
        return tuple(_checked(value, f"{where}[{i}]", check) for i, value in enumerate(values))
    return check(values, where)
