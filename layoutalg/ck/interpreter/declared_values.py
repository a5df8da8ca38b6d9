"""What single declarations make: classes, enumerations, values of variables."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.integer_types import TYPES, fits
from layoutalg.ck.interpreter.cpp_values import (
    ABSENT,
    Builtin,
    ClassType,
    Constant,
    Enumerator,
    EnumType,
    Scope,
    Sequence,
    Template,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import literal_like, to_builtin
from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["class_type", "declared_enum", "declared_value"]

WIDER = ("int", "unsigned int", "long", "unsigned long")  # what an enumeration without a type may have


def class_type(
    declared: Declaration, scope: Scope, template: Template | None = None, arguments: tuple[Any, ...] = ()
) -> ClassType:
    """A class whose members are looked up in a scope of its own inside of this one."""
    made = ClassType(declared, Scope(scope), template, arguments)
    made.scope.owner = made
    return made


def declared_value(interp: Interpreter, name: str, declared: Declaration, scope: Scope) -> Any:
    """What one declaration makes that is neither a template nor a function; ``ABSENT`` for other kinds."""
    match declared.kind:
        case "class":
            return class_type(declared, scope)
        case "enum":
            return declared_enum(interp, declared, scope, name)
        case "alias" if declared.type_node is not None:
            return interp.evaluate(declared.type_node, scope)
        case "variable":
            return declared_variable(interp, declared, scope)
    return ABSENT


def declared_enum(interp: Interpreter, declared: Declaration, scope: Scope, name: str) -> Any:
    """The enumeration, or its enumerator if the name is not the enumeration's own."""
    key = (declared, scope)
    if key not in interp.results:
        interp.results[key] = _enum(interp, declared, scope)
    made = interp.results[key]
    if name == declared.name:
        return made
    return Enumerator(made, name, dict(made.values)[name])


def _enum(interp: Interpreter, declared: Declaration, scope: Scope) -> EnumType:
    fixed = _underlying(interp, declared, scope)
    inner, following = scope.inner(), 0
    values: list[tuple[str, int]] = []
    for name, node in declared.enumerators:
        if node is not None:
            given = interp.evaluate(node, inner)
            following = given.value if isinstance(given, Constant) else given
        number = (
            to_builtin(fixed, following, no_narrowing=True) if fixed else literal_like(_number(following))
        )
        inner.names[name] = number
        values.append((name, int(number)))
        following = int(number) + 1
    underlying = fixed or next((k for k in WIDER if all(fits(k, v) for _, v in values)), WIDER[-1])
    return EnumType(declared, tuple(values), underlying, is_fixed=bool(fixed))


def _underlying(interp: Interpreter, declared: Declaration, scope: Scope) -> str:
    """The underlying type that is written or implied; "" where it depends on the numbers."""
    if declared.underlying is None:
        return "int" if declared.is_static else ""
    kind = interp.evaluate(declared.underlying, scope)
    if not isinstance(kind, Builtin) or kind.name not in TYPES:
        raise NotUnderstoodError(f"an enumeration of {kind}", declared.place)
    return kind.name


def _number(value: Any) -> int:
    """The number that an enumerator's initialiser gives, where no underlying type is written."""
    number = value.number if isinstance(value, Enumerator) and not value.is_scoped else value
    if not isinstance(number, int):
        raise RejectedError(f"{value} is no integer")
    return number


def declared_variable(interp: Interpreter, declared: Declaration, scope: Scope) -> Any:
    """The value of a variable's initialiser, converted to the declared type."""
    if declared.value is None and declared.is_static and declared.type_node is not None:
        kind = interp.evaluate(declared.type_node, scope)
        if isinstance(kind, ClassType):
            return interp.handlers.constructed(interp, kind, [], declared.place)
        if isinstance(kind, TensorAdaptor | Sequence | Constant):  # an empty type is its value
            return kind
    if declared.value is None:
        raise NotUnderstoodError(f"{declared.name} has no value in the source", declared.place)
    if declared.type_node is not None and isinstance(declared.value, syntax.Braces):
        kind = interp.evaluate(declared.type_node, scope)
        return interp.handlers.convert(interp, kind, declared.value, scope)
    value = interp.evaluate(declared.value, scope)
    if declared.type_node is None or syntax.is_auto(declared.type_node):
        return value
    return interp.handlers.convert(interp, interp.evaluate(declared.type_node, scope), value, scope)
