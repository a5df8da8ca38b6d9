"""Objects of classes: by constructor, by braces around the values of data members, those of bases first."""

from __future__ import annotations

from typing import Any

from sympy import Expr

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.calls import run
from layoutalg.ck.interpreter.class_members import bases_of, complete
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Builtin, ClassType, Overloads, Record, Scope, key
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import to_builtin
from layoutalg.ck.interpreter.overloads import chosen_overload
from layoutalg.ck.interpreter.packs import evaluated_list

__all__ = ["constructed", "initialized"]

Field = tuple[str, Declaration, ClassType]  # the name, its declaration, and the class that has it


def initialized(interp: Interpreter, kind: ClassType, items: list[Node], scope: Scope, place: str) -> Any:
    """An object of a class from items in braces: the class itself if it has no data, else a record."""
    named = [item for item in items if isinstance(item, syntax.Designated)]
    if not named or len(named) < len(items):
        return constructed(interp, kind, evaluated_list(interp, items, scope), place)
    complete(interp, kind)
    return _aggregate(interp, kind, {item.name: interp.evaluate(item.value, scope) for item in named})


def constructed(interp: Interpreter, kind: ClassType, given: list[Any], place: str) -> Any:
    """An object of a class from values: by the constructor that takes them, or member by member."""
    complete(interp, kind)
    fields = _fields(interp, kind)
    if not given and not fields:
        return kind
    makers = _constructors(kind)
    if makers:
        return _by_constructor(interp, kind, makers, given, place)
    if len(given) == 1 and (not fields or _is_of(kind, given[0])):
        return given[0]
    if len(given) > len(fields):
        raise RejectedError(f"{len(given)} values for the {len(fields)} members of {kind}", place)
    return _aggregate(interp, kind, {name: v for (name, _, _), v in zip(fields, given, strict=False)})


def _is_of(kind: ClassType, value: Any) -> bool:
    return key(value.kind if isinstance(value, Record) else value) == key(kind)


def _constructors(kind: ClassType) -> list[Declaration]:
    members = kind.declared.members
    return [
        d for d in members if d.kind == "function" and d.name == kind.declared.name and d.body is not None
    ]


def _fields(interp: Interpreter, kind: ClassType) -> list[Field]:
    """The data members, those of the bases first."""
    found: list[Field] = []
    for base in bases_of(interp, kind):
        if isinstance(base, ClassType):
            found += _fields(interp, base)
    own = [d for d in kind.declared.members if d.kind == "variable" and not d.is_static]
    return found + [(name, declared, kind) for declared in own for name in declared.names]


def _aggregate(interp: Interpreter, kind: ClassType, values: dict[str, Any]) -> Record:
    made = Record(kind, {})
    for name, declared, owner in _fields(interp, kind):
        if name in values:
            made.fields[name] = _converted(interp, owner, declared, values[name], no_narrowing=True)
        else:
            _default(interp, made, name, declared, owner)
    return made


def _default(interp: Interpreter, made: Record, name: str, declared: Declaration, owner: ClassType) -> None:
    if declared.value is not None and name == declared.name:
        given = interp.evaluate(declared.value, Scope(owner.scope, this=made))
        made.fields[name] = _converted(interp, owner, declared, given, no_narrowing=False)


def _by_constructor(
    interp: Interpreter, kind: ClassType, makers: list[Declaration], given: list[Any], place: str
) -> Any:
    if len(given) == 1 and _is_of(kind, given[0]):
        return given[0]
    made = Record(kind, {})
    for name, declared, owner in _fields(interp, kind):
        _default(interp, made, name, declared, owner)
    _construct(interp, made, kind, makers, given, place)
    return made if made.fields else kind


def _construct(
    interp: Interpreter,
    made: Record,
    kind: ClassType,
    makers: list[Declaration],
    given: list[Any],
    place: str,
) -> None:
    """Run the constructor that takes the values, on the members that one class adds to an object."""
    callee = Overloads(kind.declared.name, makers, kind.scope, kind, made)
    chosen = chosen_overload(interp, callee, given, place)
    scope = Scope(kind.scope, chosen.names, this=made)
    fields = {name: (declared, owner) for name, declared, owner in _fields(interp, kind)}
    with interp.calling(f"{kind.declared.name} ({chosen.declared.place})"):
        for target, items in chosen.declared.initialisers:
            name = target.name if isinstance(target, syntax.Name) else ""
            values = evaluated_list(interp, items, scope)
            if name in fields:
                declared, owner = fields[name]
                made.fields[name] = _member_value(interp, owner, declared, values)
            else:
                _construct_base(interp, made, interp.evaluate(target, scope), values, place)
        run(interp, chosen.declared.statements, scope)


def _construct_base(interp: Interpreter, made: Record, base: Any, given: list[Any], place: str) -> None:
    if not isinstance(base, ClassType):
        raise NotUnderstoodError("a base that is no class of the headers", place)
    makers = _constructors(base)
    if makers:
        _construct(interp, made, base, makers, given, place)
    elif given:
        found = constructed(interp, base, given, place)
        made.fields |= found.fields if isinstance(found, Record) else {}


def _member_value(interp: Interpreter, owner: ClassType, declared: Declaration, values: list[Any]) -> Any:
    if len(values) == 1:
        return _converted(interp, owner, declared, values[0], no_narrowing=False)
    kind = interp.evaluate(declared.type_node, owner.scope) if declared.type_node is not None else None
    if isinstance(kind, ClassType):
        return constructed(interp, kind, values, declared.place)
    if values:
        raise NotUnderstoodError(f"{len(values)} values for {declared.name}", declared.place)
    return to_builtin(kind.name, 0) if isinstance(kind, Builtin) else kind


def _converted(
    interp: Interpreter, owner: ClassType, declared: Declaration, value: Any, *, no_narrowing: bool
) -> Any:
    """The value of a data member: a number is converted to the member's type."""
    number = constant(value)
    if declared.type_node is None or not isinstance(number, int | float | Expr):
        return value
    found = interp.evaluate(declared.type_node, owner.scope)
    return to_builtin(found.name, number, no_narrowing=no_narrowing) if isinstance(found, Builtin) else value
