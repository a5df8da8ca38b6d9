"""CK's templates: numbers, sequences, tuples, arrays, vectors, and those that generate sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import C_TYPES
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Builtin,
    ClassType,
    Constant,
    Native,
    NativeTemplate,
    Sequence,
    Template,
    Traits,
    Tuple,
    Vector,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import builtin, to_builtin
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistributionEncoding
from layoutalg.reading.input_limits import CK_ELEMENTS, CK_LOOP

__all__ = ["CK_TYPES", "number_of", "plain"]

Arguments = tuple[Any, ...]


def counted(value: Any, what: str) -> int:
    """A number of elements to make; refused beyond the limit ``CK_ELEMENTS``."""
    count = int(constant(value))
    CK_ELEMENTS.check(count, what)
    return count


def element_of(values: Arguments) -> Any:
    at, items = int(constant(values[0])), items_of(values[1])
    if not 0 <= at < len(items):
        raise RejectedError(f"element {at} of a tuple of {len(items)}")
    return type_of(items[at])


def items_of(value: Any) -> Arguments:
    if isinstance(value, Sequence):
        return tuple(map(Constant, value.values))
    if isinstance(value, Tuple):
        return value.items
    raise NotUnderstoodError(f"a {type(value).__name__} taken for a tuple")


def _pack_element(values: Arguments) -> Any:
    at = int(constant(values[0]))
    if not 0 <= at < len(values) - 1:
        raise RejectedError(f"element {at} of a pack of {len(values) - 1}")
    return values[1 + at]


def _arithmetic(values: Arguments) -> Sequence:
    begin, end, step = (int(number_of(v)) for v in values)
    CK_ELEMENTS.check(abs(end - begin) // max(abs(step), 1), "arithmetic_sequence_gen")
    has_content = (step > 0 and begin < end) or (step < 0 and begin > end)
    return (
        Sequence(tuple(begin + i * step for i in range(int((end - begin) / step))))
        if has_content
        else Sequence(())
    )


def _vector(values: Arguments) -> Vector:
    element, count = type_of(values[0]), int(constant(values[1]))
    if isinstance(element, Vector):
        return Vector(element.element, element.count * count)
    return Vector(element, count)


def array_of(values: Arguments) -> Array:
    count, element = counted(values[1], "array"), values[0]
    zero = to_builtin(element.name, 0) if isinstance(element, Builtin) else 0
    return Array([Array(list(element.items)) if isinstance(element, Array) else zero for _ in range(count)])


def _vector_traits(values: Arguments) -> Traits:
    kind = type_of(values[0])
    if isinstance(kind, Vector):
        return Traits({"scalar_type": kind.element, "vector_size": kind.count})
    return Traits({"scalar_type": kind, "vector_size": 1})


def _encoding(values: Arguments) -> TileDistributionEncoding:
    rows = []
    for value in values:
        if isinstance(value, Sequence):
            rows.append(value.values)
        elif isinstance(value, Tuple) and all(isinstance(i, Sequence) for i in value.items):
            rows.append(tuple(i.values for i in value.items))
        else:
            raise NotUnderstoodError("tile_distribution_encoding of something else than sequences")
    return TileDistributionEncoding(*rows)


def _descriptor(values: Arguments) -> TensorDescriptor:
    if len(values) == 1 and isinstance(values[0], TensorDescriptor):
        return values[0]
    raise NotUnderstoodError("tensor_descriptor with its arguments written out")


def number_of(value: Any) -> Any:
    """A template argument converted to ``index_t``; ``RejectedError`` for types and other numbers."""
    inner = constant(value)
    if isinstance(inner, Builtin | ClassType | Template | Tuple | Sequence):
        raise RejectedError("a type where a number is wanted")
    return to_builtin("int", inner, no_narrowing=True)


def integral_constant(values: Arguments) -> Constant:
    """``integral_constant<T, v>``."""
    kind, value = type_of(values[0]), constant(values[1])
    return Constant(to_builtin(kind.name, value, no_narrowing=True) if isinstance(kind, Builtin) else value)


def plain(function: Callable[[Arguments], Any]) -> Callable[..., Any]:
    """A template handler that uses only the template arguments, not the interpreter or the place."""

    def applied(_: Interpreter, values: Arguments, __: Node) -> Any:
        return function(values)

    return applied


def table_of(rows: dict[str, Callable[[Arguments], Any]]) -> dict[str, Any]:
    return {name: NativeTemplate(name, plain(row)) for name, row in rows.items()}


def _static_for(interp: Interpreter, values: Arguments, node: Node) -> Native:
    begin, end, step = (int(number_of(v)) for v in values)
    if step == 0:
        raise RejectedError("static_for with step 0", node.place)
    CK_LOOP.check(abs(end - begin) // abs(step), "static_for")

    def each(_: Interpreter, __: Arguments, arguments: list[Any]) -> None:
        for i in range(begin, end, step):
            interp.handlers.call(interp, arguments[0], [Constant(i)], node.place)

    return Native("static_for", each)


def _generated(interp: Interpreter, values: Arguments, node: Node) -> Traits:
    count, function = counted(values[0], "sequence_gen"), values[1]
    found = (interp.handlers.call(interp, function, [Constant(i)], node.place) for i in range(count))
    return Traits({"type": Sequence(tuple(map(number_of, found)))})


CK_TYPES: dict[str, Any] = {
    **table_of(
        {
            "constant": lambda v: Constant(constant(v[0])),
            "number": lambda v: Constant(number_of(v[0])),
            "long_number": lambda v: Constant(to_builtin("long", constant(v[0]), no_narrowing=True)),
            "bool_constant": lambda v: Constant(to_builtin("bool", constant(v[0]), no_narrowing=True)),
            "integral_constant": integral_constant,
            "sequence": lambda v: Sequence(tuple(map(number_of, v))),
            "tuple": lambda v: Tuple(tuple(v)),
            "array": array_of,
            "remove_cvref_t": lambda v: type_of(v[0]),
            "remove_reference_t": lambda v: type_of(v[0]),
            "remove_cv_t": lambda v: type_of(v[0]),
            "__type_pack_element": _pack_element,
            "make_index_sequence": lambda v: Sequence(tuple(range(counted(v[0], "make_index_sequence")))),
            "arithmetic_sequence_gen": lambda v: Traits({"type": _arithmetic(v)}),
            "uniform_sequence_gen": lambda v: Traits(
                {"type": Sequence((number_of(v[1]),) * counted(v[0], "uniform_sequence_gen"))}
            ),
            "sequence_merge": lambda v: Traits({"type": Sequence(tuple(n for s in v for n in s.values))}),
            "ext_vector_t": _vector,
            "vector_traits": _vector_traits,
            "tile_distribution_encoding": _encoding,
            "tensor_descriptor": _descriptor,
        }
    ),
    "static_for": NativeTemplate("static_for", _static_for),
    "sequence_gen": NativeTemplate("sequence_gen", _generated),
    "index_t": Builtin("int"),
    "long_index_t": Builtin("long"),
    **{name: builtin(stands) for name, stands in C_TYPES.items()},
}
