"""Members of old CK's numbers, sequences, tuples, arrays, descriptors and adaptors.

Those that are not listed are read from the classes of its headers.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr

from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import Array, Builtin, Constant, Sequence, Tuple
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.library.value_members import Member, always, element, method, static_values
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["OLD_MEMBERS"]


def _count(_: Interpreter, value: Any, *__: Any) -> int:
    return len(value.values if isinstance(value, Sequence) else value.items)


def _static_count(interp: Interpreter, value: Any, *_: Any) -> Constant:
    return Constant(_count(interp, value))


def _length(_: Interpreter, value: Any, explicit: tuple[Any, ...], given: list[Any]) -> Constant:
    return Constant(value.lengths[constant(explicit[0] if explicit else given[0])])


def _offset(_: Interpreter, value: Any, __: Any, given: list[Any]) -> Any:
    return _mapped(value, _point(given[0]))[0]


def _bottom(_: Interpreter, value: Any, __: Any, given: list[Any]) -> Tuple:
    return Tuple(_mapped(value, _point(given[0])))


def _mapped(value: TensorAdaptor, point: tuple[Any, ...]) -> tuple[Any, ...]:
    """The bottom index, as expressions where the point has some: a thread's number may be left open."""
    if not any(isinstance(each, Expr) for each in point):
        return tuple(value.calculate_bottom_index(point))
    hidden = value.hidden_expressions(point)
    return tuple(hidden[i] for i in value.bottom_dimension_hidden_ids)


def _point(value: Any) -> tuple[Any, ...]:
    items = value.values if isinstance(value, Sequence) else value.items
    return tuple(constant(item) for item in items)


_ELEMENTS: dict[str, Member] = {
    "At": method(element),
    "operator[]": method(element),
    "operator()": method(element),
}
_SEQUENCE: dict[str, Member] = {
    **_ELEMENTS,
    "Get": method(element),
    "Size": method(_static_count),
    "GetSize": method(_static_count),
    "mSize": _count,
    "Type": lambda _, value: value,
    "data_type": lambda *_: Builtin("int"),
}
_TUPLE: dict[str, Member] = {
    **_ELEMENTS,
    "Size": method(_count),
    "IsTuple": method(always),
    "first": lambda _, value: value.items[0],  # of a pair
    "second": lambda _, value: value.items[1],
}
_ARRAY: dict[str, Member] = {
    **_ELEMENTS,
    "Size": method(_count),
    "size": method(_count),
    "at": method(element),
}
_CONSTANT: dict[str, Member] = {
    "value": lambda _, value: value.value,
    "type": lambda _, value: value,
    "value_type": lambda _, value: type_of(value.value),
    "operator()": method(lambda _, v, *__: v.value),
}
_ADAPTOR: dict[str, Member] = {
    "GetNumOfTopDimension": method(lambda _, v, *__: v.rank),
    "GetNumOfBottomDimension": method(lambda _, v, *__: len(v.bottom_dimension_hidden_ids)),
    "GetNumOfHiddenDimension": method(lambda _, v, *__: v.num_hidden_dimensions),
    "GetTransforms": method(lambda _, v, *__: Tuple(tuple(v.transforms))),
    "GetElementSize": method(lambda _, v, *__: v.element_size),
    "GetTopDimensionLength": method(_length),
    "CalculateBottomIndex": method(_bottom),
    "IsKnownAtCompileTime": method(always),
}
_DESCRIPTOR: dict[str, Member] = {
    **_ADAPTOR,
    "GetNumOfDimension": method(lambda _, v, *__: v.rank),
    "GetNumOfVisibleDimension": method(lambda _, v, *__: v.rank),
    "GetLength": method(_length),
    "GetLengths": method(lambda _, v, *__: static_values(v.lengths)),
    "GetElementSpaceSize": method(lambda _, v, *__: v.element_space_size),
    "CalculateOffset": method(_offset),
}
OLD_MEMBERS: tuple[tuple[type, dict[str, Member]], ...] = (
    (Sequence, _SEQUENCE),
    (Tuple, _TUPLE),
    (Array, _ARRAY),
    (Constant, _CONSTANT),
    (TensorDescriptor, _DESCRIPTOR),
    (TensorAdaptor, _ADAPTOR),
)
