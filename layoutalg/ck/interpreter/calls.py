"""Calls: the best overload is chosen, its parameters are bound, its body is run."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.syntax import Node, is_auto
from layoutalg.ck.interpreter.class_members import class_member, complete
from layoutalg.ck.interpreter.conversions import cast, convert
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Bound,
    Builtin,
    ClassType,
    Closure,
    Constant,
    EnumType,
    Native,
    NativeTemplate,
    Overloads,
    Pack,
    Record,
    Scope,
    Template,
    key,
)
from layoutalg.ck.interpreter.deduction import Deduction
from layoutalg.ck.interpreter.interpreter_state import Interpreter, Return
from layoutalg.ck.interpreter.overloads import Candidate, chosen_overload, fit_arguments

__all__ = ["call"]


def call(interp: Interpreter, callee: Any, arguments: list[Any], place: str) -> Any:
    """The result of a call."""
    if isinstance(callee, Overloads):
        return _call_overloads(interp, callee, arguments, place)
    if isinstance(callee, Native):
        return callee.function(interp, callee.explicit, arguments)
    if isinstance(callee, Closure):
        return _call_closure(interp, callee, arguments, place)
    if isinstance(callee, Array) and arguments:
        method = interp.handlers.member(interp, callee, "operator()", place=place)
        return interp.handlers.call(interp, method, arguments, place)
    if isinstance(callee, Constant) and not arguments:
        return callee.value
    if isinstance(callee, Builtin) and len(arguments) <= 1:
        return cast(interp, callee, arguments[0] if arguments else 0)
    if isinstance(callee, EnumType) and len(arguments) == 1:
        return cast(interp, callee, arguments[0])
    if isinstance(callee, Record | ClassType):
        return _call_object(interp, callee, arguments, place)
    if isinstance(callee, NativeTemplate | Template):
        raise NotUnderstoodError(
            f"template arguments of {callee.name} are deduced from its constructor", place
        )
    if not arguments and not isinstance(callee, Bound):
        return callee  # an empty type made by T()
    raise NotUnderstoodError(f"a call of a {type(callee).__name__}", place)


def _call_object(interp: Interpreter, callee: Any, arguments: list[Any], place: str) -> Any:
    kind = callee.kind if isinstance(callee, Record) else callee
    found = class_member(interp, kind, "operator()", this=callee)
    if isinstance(found, Overloads) and (arguments or any(not d.arguments for d in found.declared)):
        return call(interp, found, arguments, place)
    if not arguments and isinstance(callee, Record):
        return callee
    return interp.handlers.constructed(interp, kind, arguments, place)


def _call_closure(interp: Interpreter, callee: Closure, arguments: list[Any], place: str) -> Any:
    function = callee.node
    deduction = Deduction(interp, function.template_parameters, callee.scope)
    fits = fit_arguments(interp, deduction, function.parameters, arguments)
    if fits is None:
        raise RejectedError("a lambda is called with arguments that do not fit", place)
    scope = Scope(callee.scope, deduction.found)
    with interp.calling(f"a lambda ({function.place})"):
        value = run(interp, function.body, scope)
    result = function.result
    return value if result is None else convert(interp, interp.evaluate(result, scope), value)


def run(interp: Interpreter, body: list[Node], scope: Scope) -> Any:
    """Run the statements of a body; the value that they return, None without a ``return``."""
    for statement in body:
        signal = interp.execute(statement, scope)
        if isinstance(signal, Return):
            return signal.value
    return None


def _call_overloads(interp: Interpreter, callee: Overloads, arguments: list[Any], place: str) -> Any:
    if callee.owner is not None:
        complete(interp, callee.owner)
    name = _memo_key(callee, arguments, types_only=interp.types_only > 0)
    if name is not None and name in interp.results:
        return interp.results[name]
    chosen = chosen_overload(interp, callee, arguments, place)
    value = _run(interp, callee, chosen)
    if name is not None:
        interp.results[name] = value
    return value


def _memo_key(callee: Overloads, arguments: list[Any], *, types_only: bool) -> Any:
    """The key under which a result is remembered; None where it may depend on more than the arguments."""
    if callee.this is not None:
        return None
    name = (callee.declared[0], callee.scope, key(callee.explicit), key(tuple(arguments)), types_only)
    try:
        hash(name)
    except TypeError:
        return None
    return None if any(isinstance(a, Closure | Record | Pack) for a in arguments) else name


def _run(interp: Interpreter, callee: Overloads, chosen: Candidate) -> Any:
    declared = chosen.declared
    scope = Scope(callee.scope, chosen.names, this=callee.this)
    with interp.calling(f"{_owner(callee)}{callee.name} ({declared.place})"):
        if declared.body is None:
            if declared.result is None:
                raise NotUnderstoodError(f"{callee.name} has no body", declared.place)
            return interp.evaluate(declared.result, scope)
        value = run(interp, declared.statements, scope)
        result = declared.result
        if result is None or is_auto(result):
            return value
        if value is None:
            return None
        return convert(interp, interp.evaluate(result, scope), value)


def _owner(callee: Overloads) -> str:
    return f"{callee.owner.declared.name}::" if callee.owner is not None else ""
