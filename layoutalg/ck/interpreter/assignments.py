"""Variables and elements given new values, which take the type that the old ones have."""

from __future__ import annotations

from typing import Any

from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import Integer
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import Array, Enumerator
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.number_conversions import to_builtin
from layoutalg.ck.interpreter.operators import binary
from layoutalg.ck.interpreter.scope import Scope

__all__ = ["assigned", "stepped"]


def assigned(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """``target = value``, ``target += value`` and their like."""
    sign, target, value = node.parts
    new = interp.evaluate(value, scope)
    if sign != "=":
        new = binary(interp, sign[:-1], interp.evaluate(target, scope), new, node.place)
    return _stored(interp, target, new, scope)


def stepped(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """``target++`` and ``++target``; the value is the old one."""
    sign, target = node.parts
    old = interp.evaluate(target, scope)
    if isinstance(old, bool):
        raise RejectedError(f"{sign} of a bool", node.place)
    _stored(interp, target, binary(interp, sign[0], old, 1, node.place), scope)
    return old


def _stored(interp: Interpreter, target: Node, value: Any, scope: Scope) -> Any:
    """The value that a variable or an element has when it was given a new one."""
    if target.kind == "name":
        holder = scope.holder(target.parts[0])
        if holder is not None:
            found = _as_before(holder.names[target.parts[0]], value, target.place)
            holder.names[target.parts[0]] = found
            return found
    if target.kind in {"index", "call"}:
        base_node = target.parts[0]
        if target.kind == "call" and base_node.kind == "member":
            base_node = base_node.parts[0]
        base = interp.evaluate(base_node, scope)
        position = target.parts[1][0] if target.kind == "call" else target.parts[1]
        if isinstance(base, Array):
            at = constant(interp.evaluate(position, scope))
            if not isinstance(at, int) or not 0 <= at < len(base.items):
                raise RejectedError(f"element {at} of {len(base.items)}", target.place)
            base.items[at] = _as_before(base.items[at], value, target.place)
            return base.items[at]
    raise NotUnderstoodError("an assignment to this", target.place)


def _as_before(old: Any, new: Any, place: str) -> Any:
    """A new value of the type that the old one has, where that is a number."""
    if isinstance(old, int | float):
        return to_builtin(type_of(old).name, constant(new))
    if isinstance(old, Enumerator) and not (isinstance(new, Enumerator) and new.enum == old.enum):
        raise RejectedError(f"something else than a value of {old.enum.declared.name}", place)
    if isinstance(old, Expr) and isinstance(new, Integer):
        raise NotUnderstoodError(f"{new} of type {new.kind} in place of {old}, a size not known", place)
    return new
