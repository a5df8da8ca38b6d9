"""Types of values, and values as a type has them."""

from __future__ import annotations

from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.integer_types import TYPES, kind_of, promoted
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.class_members import complete, derives_from
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

__all__ = [
    "compatible",
    "constant",
    "convert",
    "element",
    "explicitly",
    "is_condition",
    "is_number",
    "listed",
    "one_of",
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
    """Whether a condition holds; conditions on symbols are decided elsewhere."""
    value = constant(value)
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, Enumerator) and not value.is_scoped:
        return value.value != 0
    if isinstance(value, Boolean | Expr):
        return interp.decide(value, place)
    raise NotUnderstoodError(f"wanted a condition, got {_kind(value)}", place)


def type_of(value: Any) -> Any:
    """What ``decltype`` of a value is; empty types are their own."""
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
    interp: Interpreter, kind: Any, value: Any, scope: Scope | None = None, *, is_kept: bool = False
) -> Any:
    """A value, or items in braces, as an object of the type; ``is_kept``: a number may not change."""
    if isinstance(value, Braces) and isinstance(kind, Builtin | EnumType | Array):
        return one_of(kind, value.items) if isinstance(kind, Builtin) else listed(kind, value.items)
    if isinstance(kind, Builtin):
        if not isinstance(value, syntax.Braces):
            return to_builtin(kind.name, constant(value), is_kept=is_kept)
    elif isinstance(kind, EnumType) and isinstance(value, int):
        raise RejectedError(f"{value} for {kind.declared.name} without a cast")
    if isinstance(value, syntax.Braces):
        assert scope is not None
        return _from_braces(interp, kind, value, scope)
    return value


def _from_braces(interp: Interpreter, kind: Any, braces: syntax.Braces, scope: Scope) -> Any:
    items = braces.items
    if isinstance(kind, ClassType):
        return constructed(interp, kind, items, scope, braces.place)
    values = evaluated_list(interp, items, scope)
    if isinstance(kind, Builtin):
        return one_of(kind, values, is_kept=braces.bracket == "{")
    return listed(kind, values)


def one_of(kind: Builtin, values: list[Any], *, is_kept: bool = True) -> Any:
    """The number in braces; 0 where there is none."""
    if len(values) > 1:
        raise RejectedError(f"{len(values)} values for one {kind.name}")
    value = constant(values[0]) if values else 0
    return to_builtin(kind.name, value, is_kept=is_kept and bool(values))


def listed(kind: Any, values: list[Any]) -> Any:
    """Items in braces as an object of a type that is no class of the headers and no number."""
    if isinstance(kind, Array):
        zero = kind.zero()
        return kind.fresh([element(zero, constant(v)) for v in values])
    if isinstance(kind, Tuple) and values:
        return Tuple(tuple(values))
    if isinstance(kind, EnumType):
        number = constant(values[0]) if values else 0
        if isinstance(number, Enumerator):
            return number
        if not kind.is_fixed:
            raise RejectedError(f"{number} for {kind.declared.name} without a cast")
        return enumerator(kind, to_builtin(kind.underlying, number, is_kept=True))
    return values[0] if values else kind


def element(zero: Any, value: Any) -> Any:
    """What stands in braces, as an element of an array that has this one too."""
    if isinstance(value, Array):
        return Array([element(zero, v) for v in value.items])
    if not isinstance(zero, int | float):
        return value
    return to_builtin(type_of(zero).name, value, is_kept=True)


def explicitly(interp: Interpreter, kind: Any, value: Any) -> Any:
    """A value that a cast converts: enumerators to numbers, and numbers to enumerators."""
    value = constant(value)
    if isinstance(value, Enumerator) and kind != value.enum and isinstance(kind, Builtin | EnumType):
        value = value.number
    if isinstance(kind, EnumType) and isinstance(value, int):
        return enumerator(kind, value)
    return convert(interp, kind, value)


def constructed(interp: Interpreter, kind: ClassType, items: list[Node], scope: Scope, place: str) -> Any:
    """An object of a class: the class itself where it has no data, else a record of its members."""
    complete(interp, kind)
    fields = [d for d in kind.declared.members if d.kind == "variable" and not d.is_static]
    if not items and not fields:
        return kind
    makers = [d for d in kind.declared.members if d.kind == "function" and d.name == kind.declared.name]
    if makers:
        raise NotUnderstoodError(f"the constructor of {kind.declared.name}", place)
    values: dict[str, Any] = {}
    named = [item for item in items if isinstance(item, syntax.Designated)]
    if named and len(named) == len(items):
        values = {item.name: interp.evaluate(item.value, scope) for item in named}
    else:
        given = evaluated_list(interp, items, scope)
        if not fields and len(given) == 1:
            return given[0]
        values = {d.name: v for d, v in zip(fields, given, strict=False)}
    for declared in fields:
        if declared.name in values:
            values[declared.name] = _field(interp, kind, declared, values[declared.name], is_kept=True)
        elif declared.value is not None:
            given = interp.evaluate(declared.value, kind.scope)
            values[declared.name] = _field(interp, kind, declared, given, is_kept=False)
    return Record(kind, values)


def _field(interp: Interpreter, owner: ClassType, declared: Declaration, value: Any, *, is_kept: bool) -> Any:
    """A number as the type of the data member has it; other values are themselves."""
    number = constant(value)
    if declared.type_node is None or not isinstance(number, int | float | Expr):
        return value
    found = interp.evaluate(declared.type_node, owner.scope)
    return to_builtin(found.name, number, is_kept=is_kept) if isinstance(found, Builtin) else value


def compatible(interp: Interpreter, kind: Any, value: Any) -> int | None:
    """How well an argument fits a parameter's type; None not at all.

    0 exactly, 1 promoted, 2 converted, from 3 by the conversion of its class.
    """
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
    if isinstance(kind, ClassType) and isinstance(actual, ClassType) and derives_from(interp, actual, kind):
        return 2
    return None


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"
