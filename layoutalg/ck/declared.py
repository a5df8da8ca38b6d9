"""Values of single declarations: classes, enumerations, variables."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.declarations import Declaration
from layoutalg.ck.interpreter import Interpreter
from layoutalg.ck.scope import Scope
from layoutalg.ck.trouble import NotUnderstoodError
from layoutalg.ck.values import ClassType, Enumerator, EnumType, Template

__all__ = ["class_type", "declared_class", "declared_enum", "declared_variable"]


def class_type(
    declared: Declaration, scope: Scope, template: Template | None = None, arguments: tuple[Any, ...] = ()
) -> ClassType:
    """A class whose members see the scope."""
    made = ClassType(declared, Scope(scope), template, arguments)
    made.scope.owner = made
    return made


def declared_class(declared: Declaration, scope: Scope) -> ClassType:
    """A class that is no template."""
    return class_type(declared, scope)


def declared_enum(interp: Interpreter, declared: Declaration, scope: Scope, name: str) -> Any:
    """An enumeration, or one of its values where they are visible around it."""
    key = (declared, scope)
    if key not in interp.results:
        interp.results[key] = _enum(interp, declared, scope)
    made = interp.results[key]
    if name == declared.name:
        return made
    return Enumerator(made, name, dict(made.values)[name])


def _enum(interp: Interpreter, declared: Declaration, scope: Scope) -> EnumType:
    inner, following = scope.inner(), 0
    values = []
    for name, node in declared.enumerators:
        if node is not None:
            given = interp.evaluate(node, inner)
            following = given.value if isinstance(given, Enumerator) else int(given)
        inner.names[name] = following
        values.append((name, following))
        following += 1
    return EnumType(declared, tuple(values))


def declared_variable(interp: Interpreter, declared: Declaration, scope: Scope) -> Any:
    """The value of a constant, as its type has it."""
    if declared.value is None:
        raise NotUnderstoodError(f"{declared.name} has no value in the source", declared.place)
    if declared.type_node is not None and declared.value.kind == "braces":
        kind = interp.evaluate(declared.type_node, scope)
        return interp.handlers.convert(interp, kind, declared.value, scope)
    value = interp.evaluate(declared.value, scope)
    if declared.type_node is None or (
        declared.type_node.kind == "builtin" and declared.type_node.parts[0] == "auto"
    ):
        return value
    return interp.handlers.convert(interp, interp.evaluate(declared.type_node, scope), value, scope)
