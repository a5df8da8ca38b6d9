"""Types of values, and conversions of values to types: implicit, by braces, by casts."""

from __future__ import annotations

from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.ck_library import OLD_CK
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import TYPES, kind_of, promoted
from layoutalg.ck.interpreter.class_members import derives_from
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Bound,
    Braces,
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    EnumType,
    Record,
    Scope,
    Tuple,
    key,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import enumerator, to_builtin
from layoutalg.ck.interpreter.packs import evaluated_list
from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = [
    "as_element",
    "cast",
    "constant",
    "conversion_rank",
    "convert",
    "is_condition",
    "is_number",
    "list_initialized",
    "list_initialized_number",
    "truth",
    "type_of",
]


def is_number(value: Any) -> bool:
    """A number, or a size not known yet."""
    return isinstance(value, int | float | Expr)


def is_condition(value: Any) -> bool:
    """A condition on sizes not known yet; a symbol is a size, though SymPy lets it be a condition too."""
    return isinstance(value, Boolean) and not isinstance(value, Expr)


def constant(value: Any) -> Any:
    """The number in ``number<...>``; other values are themselves."""
    return value.value if isinstance(value, Constant) else value


def truth(interp: Interpreter, value: Any, place: str) -> bool:
    """Whether a condition holds; one on sizes left open is decided by the path that is followed."""
    value = constant(value)
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, Enumerator) and not value.is_scoped:
        return value.value != 0
    if isinstance(value, Boolean | Expr):
        return interp.decide(value, place)
    raise NotUnderstoodError(f"wanted a condition, got {_kind(value)}", place)


def type_of(value: Any) -> Any:
    """The type of a value, as ``decltype`` gives it; an empty type and its value are one."""
    if isinstance(value, int):
        return Builtin(kind_of(value))
    if isinstance(value, Expr):
        return Builtin("int")
    if isinstance(value, Boolean):
        return Builtin("bool")
    if isinstance(value, float):
        return Builtin("float")
    if isinstance(value, Enumerator):
        return value.enum
    if isinstance(value, Tuple):
        return Tuple(tuple(map(type_of, value.items)))
    if isinstance(value, Record):
        return value.kind
    return value


def convert(
    interp: Interpreter, kind: Any, value: Any, scope: Scope | None = None, *, no_narrowing: bool = False
) -> Any:
    """A value, or items in braces, converted to a type; ``no_narrowing`` refuses numbers that change."""
    if isinstance(value, Braces) and isinstance(kind, Builtin | EnumType | Array):
        return (
            list_initialized_number(kind, value.items)
            if isinstance(kind, Builtin)
            else list_initialized(kind, value.items)
        )
    if isinstance(kind, Builtin):
        if not isinstance(value, syntax.Braces):
            return to_builtin(kind.name, constant(value), no_narrowing=no_narrowing)
    elif isinstance(kind, EnumType) and isinstance(value, int):
        raise RejectedError(f"{value} for {kind.declared.name} without a cast")
    if isinstance(value, Braces) and isinstance(kind, ClassType):
        return interp.handlers.constructed(interp, kind, value.items, "")
    if isinstance(value, syntax.Braces):
        assert scope is not None
        return _from_braces(interp, kind, value, scope)
    return value


def _from_braces(interp: Interpreter, kind: Any, braces: syntax.Braces, scope: Scope) -> Any:
    items = braces.items
    if isinstance(kind, ClassType):
        return interp.handlers.initialized(interp, kind, items, scope, braces.place)
    values = evaluated_list(interp, items, scope)
    if isinstance(kind, Builtin):
        return list_initialized_number(kind, values, no_narrowing=braces.bracket == "{")
    return list_initialized(kind, values)


def list_initialized_number(kind: Builtin, values: list[Any], *, no_narrowing: bool = True) -> Any:
    """A number initialised from braces; 0 from empty ones."""
    if len(values) > 1:
        raise RejectedError(f"{len(values)} values for one {kind.name}")
    value = constant(values[0]) if values else 0
    return to_builtin(kind.name, value, no_narrowing=no_narrowing and bool(values))


def list_initialized(kind: Any, values: list[Any]) -> Any:
    """An array, a tuple or an enumerator initialised from the items in braces."""
    if isinstance(kind, Array):
        zero = kind.zero()
        return kind.fresh([as_element(zero, constant(v)) for v in values])
    if isinstance(kind, Tuple) and values:
        return Tuple(tuple(values))
    if isinstance(kind, EnumType):
        number = constant(values[0]) if values else 0
        if isinstance(number, Enumerator):
            return number
        if not kind.is_fixed:
            raise RejectedError(f"{number} for {kind.declared.name} without a cast")
        return enumerator(kind, to_builtin(kind.underlying, number, no_narrowing=True))
    return values[0] if values else kind


def as_element(zero: Any, value: Any) -> Any:
    """A value in braces converted to the type of an array's elements; ``zero`` is one of these."""
    if isinstance(value, Array):
        return Array([as_element(zero, v) for v in value.items])
    if not isinstance(zero, int | float):
        return value
    return to_builtin(type_of(zero).name, value, no_narrowing=True)


def cast(interp: Interpreter, kind: Any, value: Any) -> Any:
    """A value converted by a cast, which also makes numbers of enumerators and enumerators of numbers."""
    value = constant(value)
    if isinstance(value, Enumerator) and kind != value.enum and isinstance(kind, Builtin | EnumType):
        value = value.number
    if isinstance(kind, EnumType) and isinstance(value, int):
        return enumerator(kind, value)
    return convert(interp, kind, value)


def conversion_rank(interp: Interpreter, kind: Any, value: Any) -> int | None:
    """How well an argument fits a parameter's type; None if it does not.

    0 exactly, 1 by promotion, 2 by conversion; 3 more where ``number<...>`` becomes a number first.
    """
    if isinstance(value, Braces) and isinstance(kind, ClassType | Array | Builtin):
        count = len(value.items)
        return None if isinstance(kind, Array) and kind.items and count > len(kind.items) else 2
    if isinstance(kind, Builtin):
        inner = constant(value)
        if kind.name == "auto":
            return 0
        if isinstance(inner, Enumerator) and not inner.is_scoped:
            return 1 if kind.name == promoted(inner.enum.underlying) else 2
        if not isinstance(inner, int | float | Expr | Boolean):
            return None
        name = type_of(inner).name
        is_promoted = name in TYPES and kind.name == promoted(name)
        fit = 0 if name == kind.name else 1 if is_promoted else 2
        return fit + 3 if isinstance(value, Constant) else fit
    if isinstance(kind, EnumType):
        return 0 if isinstance(value, Enumerator) and value.enum == kind else None
    if isinstance(kind, Array) and isinstance(value, Array):
        return 0 if not kind.items or len(kind.items) == len(value.items) else None
    if isinstance(value, Bound):
        return 0 if isinstance(kind, ClassType | Bound) else None
    actual = type_of(value)
    if key(actual) == key(kind) or key(value) == key(kind):
        return 0
    if isinstance(kind, TensorAdaptor) and isinstance(value, TensorAdaptor):
        return 0 if interp.index.library is OLD_CK and _parts(kind) == _parts(value) else None
    if isinstance(kind, ClassType) and isinstance(actual, ClassType) and derives_from(interp, actual, kind):
        return 2
    return None


def _parts(value: TensorAdaptor) -> Any:
    """What makes the type of a descriptor whose sizes are known at run time only."""
    return (
        type(value),
        [type(transform) for transform in value.transforms],
        value.lower_dimension_hidden_idss,
        value.upper_dimension_hidden_idss,
        value.top_dimension_hidden_ids,
    )


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"
