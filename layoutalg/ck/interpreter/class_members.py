"""Members of classes and of their bases, evaluated when asked for; assertions of classes."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.interpreter.assertions import check_assertion
from layoutalg.ck.interpreter.cpp_values import ABSENT, ClassType, Overloads, Template
from layoutalg.ck.interpreter.declared_values import declared_value
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["bases_of", "class_member", "complete", "derives_from"]


def class_member(interp: Interpreter, owner: ClassType, name: str, *, this: Any = None) -> Any:
    """A member by name, of the class itself or else of a base; ``ABSENT`` if there is none."""
    if owner.table is None:
        owner.table = _table(owner)
    if this is not None and name in getattr(this, "fields", {}):
        return this.fields[name]
    if name in owner.known:
        return owner.known[name]
    found = owner.table.get(name)
    if found is None:
        return _inherited(interp, owner, name, this)
    if name in owner.evaluating and found[0].kind == "alias":
        return ABSENT  # in ``using X = X<...>`` the second is one further out
    outermost = name not in owner.evaluating
    owner.evaluating.add(name)
    try:
        made = _member(interp, owner, name, found, this)
    finally:
        if outermost:
            owner.evaluating.discard(name)
    if not isinstance(made, Overloads) and not interp.types_only:
        owner.known[name] = made
    return made


def _table(owner: ClassType) -> dict[str, list[Declaration]]:
    table: dict[str, list[Declaration]] = {}
    for declared in owner.declared.members:
        if declared.kind == "function" and declared.name == owner.declared.name:
            continue  # a constructor: the name itself is the class
        names = declared.names if declared.kind == "variable" else [declared.name]
        for name in names:
            table.setdefault(name, []).append(declared)
        if declared.kind == "enum" and not declared.is_static:
            for name, _ in declared.enumerators:
                table.setdefault(name, []).append(declared)
    return table


def _inherited(interp: Interpreter, owner: ClassType, name: str, this: Any) -> Any:
    for base in bases_of(interp, owner):
        if isinstance(base, ClassType):
            found = class_member(interp, base, name, this=this)
        else:
            found = interp.handlers.member(interp, base, name, default=ABSENT)
        if found is not ABSENT:
            return found
    return ABSENT


def bases_of(interp: Interpreter, owner: ClassType) -> list[Any]:
    """The base classes of a class, evaluated once."""
    if owner.bases is None:
        owner.bases = []
        parent = owner.scope.parent
        found: list[Any] = []
        for node in owner.declared.bases if parent is not None else []:
            assert parent is not None
            found.append(interp.evaluate(node.pattern if isinstance(node, syntax.Expand) else node, parent))
        owner.bases = found
    return owner.bases


def derives_from(interp: Interpreter, owner: Any, base: Any) -> bool:
    """Whether a class is another one or inherits from it."""
    if owner is base or owner == base:
        return True
    return isinstance(owner, ClassType) and any(
        derives_from(interp, b, base) for b in bases_of(interp, owner)
    )


def complete(interp: Interpreter, owner: ClassType) -> None:
    """Check the assertions of a class and its bases, the first time that something of it is used."""
    if owner.is_complete:
        return
    owner.is_complete = True
    for declared in owner.declared.members:
        if declared.kind == "assert" and declared.value is not None:
            with interp.calling(f"{owner.declared.name} ({owner.declared.place})"):
                check_assertion(interp, declared.value, owner.scope, declared.place, declared.message)
    for base in bases_of(interp, owner):
        if isinstance(base, ClassType):
            complete(interp, base)


def _member(interp: Interpreter, owner: ClassType, name: str, found: list[Declaration], this: Any) -> Any:
    first = next((d for d in found if d.kind != "class" or d.body is not None), found[0])
    if first.kind == "function":
        return Overloads(name, [d for d in found if d.kind == "function"], owner.scope, owner, this)
    same = [d for d in found if d.kind == first.kind]
    if any(d.headers for d in same):
        return Template(name, same, owner.scope)
    if first.kind == "using":
        return _used(interp, owner, name, first, this)
    if first.kind == "variable" and not first.is_static and first.value is None:
        if interp.types_only and first.type_node is not None:
            return interp.handlers.convert(interp, interp.evaluate(first.type_node, owner.scope), 1)
        raise NotUnderstoodError(
            f"{owner.declared.name}::{name} is known at run time only",
            first.place,
            hint=f"add `--bind self.{name}=...`",
        )
    made = declared_value(interp, name, first, owner.scope)
    if made is ABSENT:
        raise NotUnderstoodError(f"a member of kind {first.kind}", first.place)
    return made


def _used(interp: Interpreter, owner: ClassType, name: str, declared: Declaration, this: Any) -> Any:
    """``using Base::name;``."""
    found = _inherited(interp, owner, name, this)
    if found is ABSENT:
        raise NotUnderstoodError(f"{name} is in no base of {owner.declared.name}", declared.place)
    return found
