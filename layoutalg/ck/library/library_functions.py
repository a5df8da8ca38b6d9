"""CK's and std's functions on numbers, sequences and tuples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import arithmetic
from layoutalg.ck.interpreter.conversions import constant, convert, type_of
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Builtin,
    Constant,
    Native,
    NativeTemplate,
    Sequence,
    Tuple,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import to_builtin
from layoutalg.ck.interpreter.operators import binary, with_sizes
from layoutalg.ck.library.library_templates import number_of
from layoutalg.index import Max, Min
from layoutalg.reading.input_limits import CK_ELEMENTS

__all__ = ["CK_FUNCTIONS", "STANDARD_FUNCTIONS"]

Explicit = tuple[Any, ...]


def sequence_values(value: Any) -> tuple[Any, ...]:
    """The numbers in a sequence, an array or a tuple; ``NotUnderstoodError`` for anything else."""
    if isinstance(value, Sequence):
        return value.values
    if isinstance(value, Tuple | Array):
        return tuple(constant(i) for i in value.items)
    raise NotUnderstoodError(f"a {type(value).__name__} taken for a sequence")


def _extreme(name: str) -> Callable[..., Any]:
    node, choose = (Max, max) if name == "max" else (Min, min)

    def applied(interp: Interpreter, explicit: Explicit, arguments: list[Any]) -> Any:
        if explicit:
            arguments = [convert(interp, explicit[0], a) for a in arguments]
        elif any(isinstance(a, Constant) for a in arguments):  # the other one is an index_t
            arguments = [a if isinstance(a, Constant) else to_builtin("int", a) for a in arguments]
        values = [constant(a) for a in arguments]
        if any(isinstance(v, Expr) for v in values):
            found = values[0]
            for value in values[1:]:
                found = node(found, value)
            return found
        runtime = {type_of(constant(a)) for a in arguments if not isinstance(a, Constant)}
        if len(runtime) > 1:
            raise RejectedError(f"{name} of two types")
        return choose(values)

    return applied


def _gcd(_: Interpreter, __: Explicit, arguments: list[Any]) -> Any:
    values = [to_builtin("int", constant(a)) for a in arguments]
    is_static = all(isinstance(a, Constant) for a in arguments)
    found = math.gcd(*values)
    return Constant(found) if is_static else found


def _lcm(interp: Interpreter, explicit: Explicit, arguments: list[Any]) -> Any:
    """As CK computes it: the product, which must not overflow, divided by the greatest common divisor."""
    *rest, found = arguments
    for value in reversed(rest):
        product = binary(interp, "*", value, found, "lcm")
        found = binary(interp, "/", product, _gcd(interp, explicit, [value, found]), "lcm")
    return found


def _make_tuple(_: Interpreter, __: Explicit, arguments: list[Any]) -> Tuple:
    return Tuple(tuple(arguments))


def _generate_tuple(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Tuple:
    function, count = arguments[0], int(constant(arguments[1]))
    CK_ELEMENTS.check(count, "generate_tuple")
    return Tuple(tuple(interp.handlers.call(interp, function, [Constant(i)], "") for i in range(count)))


def _generate_sequence(interp: Interpreter, explicit: Explicit, arguments: list[Any]) -> Sequence:
    found = _generate_tuple(interp, explicit, arguments)
    return Sequence(tuple(map(number_of, found.items)))


def _generate_array(interp: Interpreter, explicit: Explicit, arguments: list[Any]) -> Array:
    return Array([constant(i) for i in _generate_tuple(interp, explicit, arguments).items])


def _concat(_: Interpreter, __: Explicit, arguments: list[Any]) -> Any:
    if all(isinstance(a, Sequence) for a in arguments):
        return Sequence(tuple(n for a in arguments for n in a.values))
    return Tuple(
        tuple(i for a in arguments for i in (a.items if isinstance(a, Tuple) else sequence_values(a)))
    )


def _merge_sequences(_: Interpreter, __: Explicit, arguments: list[Any]) -> Sequence:
    return Sequence(tuple(number_of(n) for a in arguments for n in sequence_values(a)))


def _like(value: Any, items: tuple[Any, ...]) -> Any:
    if isinstance(value, Sequence):
        return Sequence(tuple(map(number_of, items)))
    return Tuple(items) if isinstance(value, Tuple) else Array(list(items))


def _all(value: Any) -> tuple[Any, ...]:
    return value.values if isinstance(value, Sequence) else tuple(value.items)


def _permuted(items: tuple[Any, ...], order: tuple[Any, ...]) -> tuple[Any, ...]:
    if sorted(order) != list(range(len(items))):
        raise RejectedError(f"{order} is no order of {len(items)}")
    return tuple(items[i] for i in order)


def _new_to_old(_: Interpreter, __: Explicit, arguments: list[Any]) -> Any:
    return _like(arguments[0], _permuted(_all(arguments[0]), sequence_values(arguments[1])))


def _old_to_new(_: Interpreter, __: Explicit, arguments: list[Any]) -> Any:
    order = sequence_values(arguments[1])
    inverse = tuple(sorted(range(len(order)), key=order.__getitem__))
    return _like(arguments[0], _permuted(_all(arguments[0]), inverse))


def _reduce(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Any:
    values, function, result = _all(arguments[0]), arguments[1], arguments[2]
    bounds = [int(constant(a)) for a in arguments[3:]]
    begin, end, step = (*bounds, *(0, len(values), 1)[len(bounds) :])
    for i in range(begin, end, step):
        result = interp.handlers.call(interp, function, [result, values[i]], "")
    return result


def _scan(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Any:
    """``container_reverse_exclusive_scan``."""
    values, function, running = _all(arguments[0]), arguments[1], arguments[2]
    found = []
    for value in reversed(values):
        found.append(running)
        running = interp.handlers.call(interp, function, [running, value], "")
    return _like(arguments[0], tuple(reversed(found)))


def _transform_sequences(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Sequence:
    function, *rest = arguments
    rows = zip(*(sequence_values(a) for a in rest), strict=True)
    found = (interp.handlers.call(interp, function, [Constant(v) for v in row], "") for row in rows)
    return Sequence(tuple(map(number_of, found)))


def _to_sequence(_: Interpreter, __: Explicit, arguments: list[Any]) -> Sequence:
    return Sequence(tuple(map(number_of, sequence_values(arguments[0]))))


def _first(_: Interpreter, __: Explicit, arguments: list[Any]) -> Sequence:
    """CK's macro ``TO_SEQUENCE(array, count)``."""
    values, count = sequence_values(arguments[0]), int(constant(arguments[1]))
    if count > len(values):
        raise RejectedError(f"the first {count} of {len(values)}")
    return Sequence(tuple(map(number_of, values[:count])))


def _divide_ceil(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Any:
    left, right = (constant(a) for a in arguments)
    if isinstance(left, Expr) or isinstance(right, Expr):
        return with_sizes(interp, "/", left + right - 1, right, "integer_divide_ceil")
    try:
        found = arithmetic("/", arithmetic("-", arithmetic("+", left, right), 1), right)
    except ArithmeticError as error:
        raise RejectedError(f"integer_divide_ceil({left}, {right}): {error}") from None
    return Constant(found) if all(isinstance(a, Constant) for a in arguments) else found


def _same(_: Interpreter, __: Explicit, arguments: list[Any]) -> Any:
    return arguments[0]


def _get(interp: Interpreter, explicit: Explicit, arguments: list[Any]) -> Any:
    method = interp.handlers.member(interp, arguments[0], "at", place="get")
    return interp.handlers.call(interp, method, [Constant(int(constant(explicit[0])))], "get")


def _unpack(interp: Interpreter, _: Explicit, arguments: list[Any]) -> Any:
    values = arguments[1]
    items = values.items if isinstance(values, Tuple) else tuple(map(Constant, values.values))
    return interp.handlers.call(interp, arguments[0], list(items), "unpack")


def _assert(interp: Interpreter, _: Explicit, arguments: list[Any]) -> None:
    """The macro of C, which CK's host code uses for what its arguments must hold."""
    if constant(arguments[0]) is False and not interp.types_only:
        raise RejectedError("an assert fails")


def _is_power_of_two(_: Interpreter, __: Explicit, arguments: list[Any]) -> bool:
    value = to_builtin("int", constant(arguments[0]))
    return value > 0 and value & (value - 1) == 0


def _functor(sign: str) -> NativeTemplate:
    """``std::multiplies<T>`` and its like: an object that applies an operator to two numbers of the type."""

    def made(_: Interpreter, kinds: Explicit, __: Any) -> Native:
        def applied(interp: Interpreter, _: Explicit, given: list[Any]) -> Any:
            if not kinds or kinds[0] == Builtin("void"):
                return binary(interp, sign, given[0], given[1], "")
            left, right = (convert(interp, kinds[0], v) for v in given)
            return convert(interp, kinds[0], binary(interp, sign, left, right, ""))

        return Native(sign, applied)

    return NativeTemplate(sign, made)


def _functions(rows: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    return {name: Native(name, row) for name, row in rows.items()}


CK_FUNCTIONS: dict[str, Any] = _functions(
    {
        "min": _extreme("min"),
        "max": _extreme("max"),
        "gcd": _gcd,
        "lcm": _lcm,
        "make_tuple": _make_tuple,
        "tie": _make_tuple,
        "generate_tuple": _generate_tuple,
        "generate_sequence_v2": _generate_sequence,
        "generate_array": _generate_array,
        "container_concat": _concat,
        "concat_tuple": _concat,
        "merge_sequences": _merge_sequences,
        "container_reorder_given_new2old": _new_to_old,
        "container_reorder_given_old2new": _old_to_new,
        "container_reduce": _reduce,
        "container_reverse_exclusive_scan": _scan,
        "transform_sequences": _transform_sequences,
        "to_sequence": _to_sequence,
        "integer_divide_ceil": _divide_ceil,
        "TO_SEQUENCE": _first,
        "unpack": _unpack,
        "assert": _assert,
        "is_power_of_two_integer": _is_power_of_two,
    }
)
STANDARD_FUNCTIONS: dict[str, Any] = _functions(
    {
        "min": _extreme("min"),
        "max": _extreme("max"),
        "forward": _same,
        "move": _same,
        "get": _get,
        "make_tuple": _make_tuple,
        "make_pair": _make_tuple,
    }
) | {"multiplies": _functor("*"), "plus": _functor("+"), "minus": _functor("-")}
