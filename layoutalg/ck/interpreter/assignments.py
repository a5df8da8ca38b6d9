"""Assignment to variables and elements: a new number is converted to the type of the old one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Expr

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.integer_types import Integer
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import Array, Builtin, ClassType, Enumerator, Record, Scope
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import to_builtin
from layoutalg.ck.interpreter.operators import binary

__all__ = ["assigned", "step", "stepped"]


def assigned(interp: Interpreter, node: syntax.Assign, scope: Scope) -> Any:
    """``target = value``, ``target += value`` and their like."""
    new = interp.evaluate(node.value, scope)
    if node.operator != "=":
        new = binary(interp, node.operator[:-1], interp.evaluate(node.target, scope), new, node.place)
    return _stored(interp, node.target, new, scope)


def stepped(interp: Interpreter, node: syntax.Step, scope: Scope) -> Any:
    """``target++`` and ``target--``; the value is the old one."""
    return step(interp, node.operator, node.target, scope, node.place)


def step(interp: Interpreter, sign: str, target: Node, scope: Scope, place: str) -> Any:
    """Add or subtract one, for ``++`` or ``--`` on either side of the target; the old value."""
    old = interp.evaluate(target, scope)
    if isinstance(old, bool):
        raise RejectedError(f"{sign} of a bool", place)
    _stored(interp, target, binary(interp, sign[0], old, 1, place), scope)
    return old


def _stored(interp: Interpreter, target: Node, value: Any, scope: Scope) -> Any:
    """Store a value in a variable or an element; the value as it is stored."""
    if isinstance(target, syntax.Name):
        holder = scope.holder(target.name)
        if holder is not None:
            found = _as_before(holder.names[target.name], value, target.place)
            holder.names[target.name] = found
            return found
        this = scope.object()
        if isinstance(this, Record) and target.name in {n for d in _data(this) for n in d.names}:
            return _to_member(interp, this, target.name, value, target.place)
    if isinstance(target, syntax.Member):
        base = interp.evaluate(target.base, scope)
        if isinstance(base, Record):
            return _to_member(interp, base, target.name, value, target.place)
    element = _element(target)
    if element is not None:
        base = interp.evaluate(element[0], scope)
        if isinstance(base, Array):
            at = constant(interp.evaluate(element[1], scope))
            if not isinstance(at, int) or not 0 <= at < len(base.items):
                raise RejectedError(f"element {at} of {len(base.items)}", target.place)
            base.items[at] = _as_before(base.items[at], value, target.place)
            return base.items[at]
    raise NotUnderstoodError("an assignment to this", target.place)


def _data(this: Record) -> Iterator[Declaration]:
    """The data members of an object."""
    waiting: list[Any] = [this.kind]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, ClassType):
            yield from (d for d in kind.declared.members if d.kind == "variable" and not d.is_static)
            waiting += kind.bases or []


def _to_member(interp: Interpreter, this: Record, name: str, value: Any, place: str) -> Any:
    """Store a value in a data member; a number is converted to the member's type."""
    if name in this.fields:
        this.fields[name] = _as_before(this.fields[name], value, place)
        return this.fields[name]
    declared = next((d for d in _data(this) if name in d.names), None)
    if declared is None or declared.type_node is None:
        raise NotUnderstoodError(f"an assignment to {name}", place)
    kind = interp.evaluate(declared.type_node, this.kind.scope)
    number = isinstance(constant(value), int | float | Expr) and isinstance(kind, Builtin)
    this.fields[name] = to_builtin(kind.name, constant(value)) if number else value
    return this.fields[name]


def _element(target: Node) -> tuple[Node, Node] | None:
    """The base and the position in ``base[position]``, ``base(position)`` or ``base.at(position)``."""
    if isinstance(target, syntax.Index):
        return target.base, target.position
    if isinstance(target, syntax.Call):
        callee = target.callee
        return callee.base if isinstance(callee, syntax.Member) else callee, target.arguments[0]
    return None


def _as_before(old: Any, new: Any, place: str) -> Any:
    """The new value, converted to the type of the old one where that is a number."""
    if isinstance(old, int | float):
        return to_builtin(type_of(old).name, constant(new))
    if isinstance(old, Enumerator) and not (isinstance(new, Enumerator) and new.enum == old.enum):
        raise RejectedError(f"something else than a value of {old.enum.declared.name}", place)
    if isinstance(old, Expr) and isinstance(new, Integer):
        raise NotUnderstoodError(f"{new} of type {new.kind} in place of {old}, a size not known", place)
    return new
