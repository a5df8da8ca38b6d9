"""Arguments for a kernel of somebody else: arrays, numbers and structs, where its metadata places them.

>>> Output(np.zeros(4), is_initialised=True).array.shape
(4,)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelArgument, KernelResources
from layoutalg.codegen.gfx9.kernel_arguments import explicit_places
from layoutalg.codegen.gfx9.launch import ArrayValue
from layoutalg.errors import LayoutError

__all__ = ["Output", "passed_arguments"]

POINTER = 8


@dataclass(frozen=True)
class Output:
    """An array that a kernel may write. ``is_initialised``: it may also read what was there before.

    >>> Output(np.zeros(4), is_initialised=True).array.shape
    (4,)
    """

    array: NDArray[Any]
    is_initialised: bool = False


def passed_arguments(
    resources: KernelResources,
    arguments: Sequence[Any] | Mapping[str, Any],
    *,
    pads: bool,
    named: Mapping[str, Any] | None = None,
) -> tuple[list[ArrayValue | int], list[KernelArgument]]:
    """What is passed, and where each of it lies in the argument block; members of a struct one by one.

    ``arguments``: all by name, or in order, those that are ``named`` left out. ``pads``: trailing pointers
    that are left out are null. Refused: what does not fit the kernel's arguments.
    """
    places = explicit_places(resources.arguments)
    told = ", ".join(f"{p.name or f'argument {n}'} ({p.kind}, {p.size} bytes)" for n, p in enumerate(places))
    by_name, rest = (arguments, []) if isinstance(arguments, Mapping) else (named or {}, list(arguments))
    if by_name:
        unknown = sorted(set(by_name) - {place.name for place in places})
        free = [place.name for place in places if place.name not in by_name]
        missing = [] if pads else free[len(rest) :]
        if unknown or missing:
            msg = f"{resources.name}: {'unknown' if unknown else 'missing'} arguments"
            msg += f" {', '.join(unknown or missing)}; it has {told or 'none by name'}"
            raise LayoutError(msg, hint="arguments without names in the metadata are passed in order")
        in_order, filled = iter(rest), {*by_name, *free[: len(rest)]}
        rest = [
            by_name[place.name] if place.name in by_name else next(in_order)
            for place in places
            if place.name in filled
        ] + list(in_order)
    given = list(rest)
    if pads:
        given += [0] * sum(place.kind == "global_buffer" for place in places[len(given) :])
    if len(given) != len(places):
        msg = f"{resources.name}: wanted {len(places)} arguments, got {len(given)}; it has {told or 'none'}"
        raise LayoutError(msg)
    every = [
        part
        for number, (value, place) in enumerate(zip(given, places, strict=True))
        for part in _parts(value, place, place.name or f"argument{number}")
    ]
    hidden = [place for place in resources.arguments if place.kind.startswith("hidden_")]
    return [_value(*part) for part in every], [*(place for _, place, _ in every), *hidden]


def _parts(value: Any, place: KernelArgument, name: str) -> list[tuple[Any, KernelArgument, str]]:
    """An argument with its place and name, or the members of a struct with theirs."""
    if not isinstance(value, Mapping):
        return [(value, place, name)]
    found = []
    for offset, member in sorted(value.items()):
        is_array = isinstance(member, Output) or (isinstance(member, np.ndarray) and member.ndim)
        size = POINTER if is_array else getattr(member, "nbytes", None)
        size = len(member) if isinstance(member, bytes) else size
        where = f"{name} at {offset}"
        if size is None:
            msg = f"{where}: wanted an array, bytes or a number with a type, got {member!r}"
            raise LayoutError(msg, hint="a number in a struct says its size: np.int32(5)")
        if offset + size > place.size:
            msg = f"{where}: {size} bytes do not fit in {name}, which has {place.size}"
            raise LayoutError(msg)
        kind = "global_buffer" if is_array else "by_value"
        found.append((member, replace(place, offset=place.offset + offset, size=size, kind=kind), where))
    return found


def _value(value: Any, place: KernelArgument, name: str) -> ArrayValue | int:
    array = value.array if isinstance(value, Output) else value
    if isinstance(array, np.ndarray) and array.ndim:
        if place.size != POINTER or place.kind == "by_value":
            msg = f"{name}: wanted a number of {place.size} bytes ({place.kind}), got an array"
            raise LayoutError(msg)
        copy = np.ascontiguousarray(array).copy()
        if isinstance(value, Output):
            return ArrayValue(name, copy, is_output=True, is_initialised=value.is_initialised)
        return ArrayValue(name, copy, is_output=False)
    if place.kind == "global_buffer" and value not in (0, None):
        msg = f"{name}: wanted an array, got {value!r}"
        raise LayoutError(msg, hint="an address is passed as an array; None passes a null pointer")
    return int.from_bytes(_bytes(value, place, name), "little")


def _bytes(value: Any, place: KernelArgument, name: str) -> bytes:
    """A number as the kernel takes it: of its own type if it has one, else of the size that is wanted."""
    if value is None:
        return bytes(place.size)
    if isinstance(value, (np.generic, np.ndarray)):
        found = bytes(np.asarray(value).tobytes())
    elif isinstance(value, (bytes, bytearray)):
        found = bytes(value)
    elif isinstance(value, float):
        kind = {2: np.float16, 4: np.float32, 8: np.float64}.get(place.size)
        found = b"" if kind is None else np.array(value, kind).tobytes()
    elif isinstance(value, int) and -(2 ** (8 * place.size - 1)) <= value < 2 ** (8 * place.size):
        found = (value % 2 ** (8 * place.size)).to_bytes(place.size, "little")
    else:
        found = b""
    if len(found) != place.size:
        msg = f"{name}: wanted {place.size} bytes, a number or a struct, got {value!r}"
        raise LayoutError(msg)
    return found
