"""Type traits and constants of the C++ standard library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layoutalg.ck.cpp.cpp_errors import RejectedError
from layoutalg.ck.cpp.integer_types import C_TYPES, TYPES, integer
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.class_members import derives_from
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Builtin,
    ClassType,
    Constant,
    EnumType,
    Native,
    NativeTemplate,
    Sequence,
    Traits,
    Tuple,
    key,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import builtin, to_builtin
from layoutalg.ck.library.library_templates import (
    Arguments,
    array_of,
    counted,
    element_of,
    integral_constant,
    items_of,
    number_of,
    plain,
    table_of,
)

__all__ = ["STANDARD_TYPES"]


def _both(rows: dict[str, Callable[[Arguments], bool]]) -> dict[str, Any]:
    """Traits with a truth value: ``trait<T>``, which has the member ``value``, and ``trait_v<T>``."""
    types = table_of({name: (lambda v, row=row: Constant(row(v))) for name, row in rows.items()})  # type: ignore[misc]
    return types | {f"{n}_v": NativeTemplate(f"{n}_v", plain(row)) for n, row in rows.items()}


def _with_type(rows: dict[str, Callable[[Arguments], Any]]) -> dict[str, Any]:
    """Traits with a type: ``trait<T>``, which has the member ``type``, and ``trait_t<T>``."""
    types = table_of({name: (lambda v, row=row: Traits({"type": row(v)})) for name, row in rows.items()})  # type: ignore[misc]
    return types | {f"{n}_t": NativeTemplate(f"{n}_t", plain(row)) for n, row in rows.items()}


def _is_float(values: Arguments) -> bool:
    return type_of(values[0]) in {Builtin("float"), Builtin("double"), Builtin("_Float16")}


def _is_integral(values: Arguments) -> bool:
    kind = type_of(values[0])
    return isinstance(kind, Builtin) and kind.name in TYPES


def _enable_if(values: Arguments) -> Any:
    if not constant(values[0]):
        raise RejectedError("enable_if without")
    return values[1] if len(values) > 1 else Builtin("void")


def _conditional(values: Arguments) -> Any:
    return values[1] if constant(values[0]) else values[2]


def same(values: Arguments) -> bool:
    """``std::is_same``."""
    left, right = map(_as_type, values)
    return bool(key(left) == key(right))


def _as_type(value: Any) -> Any:
    """A type that is compared; that of an array is its length and the type of its elements."""
    if isinstance(value, Array):
        return "array", len(value.items), _as_type(value.items[0]) if value.items else None
    return type_of(value)


def _is_base_of(interp: Interpreter, values: Arguments, _: Node) -> bool:
    return derives_from(interp, values[1], values[0])


_SAME_TYPE = [
    "remove_cv",
    "remove_const",
    "remove_reference",
    "remove_cvref",
    "decay",
    "add_const",
    "add_volatile",
]
STANDARD_TYPES: dict[str, Any] = {
    **_both(
        {
            "is_same": same,
            "is_integral": _is_integral,
            "is_floating_point": _is_float,
            "is_arithmetic": lambda v: _is_integral(v) or _is_float(v),
            "is_void": lambda v: v[0] == Builtin("void"),
            "is_class": lambda v: isinstance(v[0], ClassType),
            "is_enum": lambda v: isinstance(type_of(v[0]), EnumType),
            "is_const": lambda _: False,
            "is_reference": lambda _: False,
            "is_pointer": lambda v: isinstance(v[0], Tuple) and v[0].items[:1] == ("pointer",),
            "is_copy_constructible": lambda _: True,
            "conjunction": lambda v: all(constant(i) for i in v),
            "disjunction": lambda v: any(constant(i) for i in v),
            "negation": lambda v: not constant(v[0]),
        }
    ),
    **_with_type({"conditional": _conditional, "enable_if": _enable_if, "tuple_element": element_of}),
    **_with_type({name: lambda v: type_of(v[0]) for name in _SAME_TYPE}),
    **table_of(
        {
            "void_t": lambda _: Builtin("void"),
            "tuple_size": lambda v: Constant(integer("unsigned long", len(items_of(v[0])))),
            "tuple_size_v": lambda v: integer("unsigned long", len(items_of(v[0]))),
            "integral_constant": integral_constant,
            "bool_constant": lambda v: Constant(to_builtin("bool", constant(v[0]), no_narrowing=True)),
            "tuple": lambda v: Tuple(tuple(v)),
            "array": array_of,
            "vector": lambda _: Array([]),
            "index_sequence": lambda v: Sequence(tuple(map(number_of, v))),
            "make_index_sequence": lambda v: Sequence(tuple(range(counted(v[0], "make_index_sequence")))),
            "declval": lambda v: Native("declval", lambda *_: v[0]),
        }
    ),
    "is_base_of_v": NativeTemplate("is_base_of_v", _is_base_of),
    "true_type": Constant(value=True),
    "false_type": Constant(value=False),
    **{name: builtin(stands) for name, stands in C_TYPES.items()},
}
