"""Statements, one handler a kind; None goes on, a signal ends the block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.assertions import check_assertion
from layoutalg.ck.interpreter.conversions import constant, convert, element, truth
from layoutalg.ck.interpreter.cpp_values import Array, Builtin, Sequence, Template, Tuple
from layoutalg.ck.interpreter.declared_values import class_type, declared_enum
from layoutalg.ck.interpreter.interpreter_state import Handler, Interpreter
from layoutalg.ck.interpreter.scope import Scope
from layoutalg.reading.limits import CK_LOOP

__all__ = ["STATEMENTS", "Return"]


@dataclass
class Return:
    """The value a function gives back."""

    value: Any


@dataclass
class Loop:
    """``break`` or ``continue``."""

    word: str


def _block(interp: Interpreter, node: Node, scope: Scope) -> Any:
    inner = scope.inner()
    for statement in node.parts[0]:
        signal = interp.execute(statement, inner)
        if signal is not None:
            return signal
    return None


def _if(interp: Interpreter, node: Node, scope: Scope) -> Any:
    _, condition, yes, no = node.parts
    if truth(interp, interp.evaluate(condition, scope), node.place):
        return interp.execute(yes, scope.inner())
    return interp.execute(no, scope.inner()) if no is not None else None


def _return(interp: Interpreter, node: Node, scope: Scope) -> Any:
    value = node.parts[0]
    return Return(None if value is None else interp.evaluate(value, scope))


def _variable(interp: Interpreter, node: Node, scope: Scope) -> None:
    name, kind_node, value, _ = node.parts
    is_auto = kind_node.kind == "builtin" and kind_node.parts[0] == "auto"
    if is_auto or kind_node.kind == "pointer":
        if value is None:
            raise NotUnderstoodError(f"{name} has no value", node.place)
        scope.names[name] = interp.evaluate(value, scope)
        return
    if kind_node.kind == "array":
        scope.names[name] = Array([]) if value is None else _array(interp, kind_node, value, scope)
        return
    kind = interp.evaluate(kind_node, scope)
    if value is None:
        scope.names[name] = kind.fresh() if isinstance(kind, Array) else kind
        if isinstance(kind, Builtin):
            scope.names[name] = convert(interp, kind, 0)
    elif value.kind == "braces":
        scope.names[name] = convert(interp, kind, value, scope)
    else:
        scope.names[name] = convert(interp, kind, interp.evaluate(value, scope))


def _array(interp: Interpreter, kind_node: Node, value: Node, scope: Scope) -> Any:
    """``T name[] = {...}``."""
    kind, found = interp.evaluate(kind_node.parts[0], scope), interp.evaluate(value, scope)
    if not isinstance(kind, Builtin) or kind.name == "auto":
        return found
    return element(convert(interp, kind, 0), found)


def _bindings(interp: Interpreter, node: Node, scope: Scope) -> None:
    names, value_node = node.parts
    value = interp.evaluate(value_node, scope)
    items = value.values if isinstance(value, Sequence) else getattr(value, "items", None)
    if items is None or len(items) != len(names):
        raise NotUnderstoodError("a value taken apart that is no tuple", node.place)
    scope.names.update(zip(names, items, strict=True))


def _alias(interp: Interpreter, node: Node, scope: Scope) -> None:
    name, kind = node.parts
    scope.names[name] = interp.evaluate(kind, scope)


def _local(interp: Interpreter, node: Node, scope: Scope) -> None:
    declared = node.parts[0]
    if declared.headers:
        scope.names[declared.name] = Template(declared.name, [declared], scope)
    elif declared.kind == "enum":
        scope.names[declared.name] = declared_enum(interp, declared, scope, declared.name)
    else:
        scope.names[declared.name] = class_type(declared, scope)


def _for(interp: Interpreter, node: Node, scope: Scope) -> Any:
    first, condition, step, body = node.parts
    inner = scope.inner()
    interp.execute(first, inner)
    for _ in range(CK_LOOP.most):
        if condition is not None and not truth(interp, interp.evaluate(condition, inner), node.place):
            return None
        signal = interp.execute(body, inner.inner())
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, Loop) and signal.word == "break":
            return None
        if step is not None:
            interp.evaluate(step, inner)
    raise NotUnderstoodError(f"a loop of more than {CK_LOOP.most} rounds (limit {CK_LOOP.name})", node.place)


def _while(interp: Interpreter, node: Node, scope: Scope) -> Any:
    condition, body = node.parts
    for _ in range(CK_LOOP.most):
        if not truth(interp, interp.evaluate(condition, scope), node.place):
            return None
        signal = interp.execute(body, scope.inner())
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, Loop) and signal.word == "break":
            return None
    raise NotUnderstoodError(f"a loop of more than {CK_LOOP.most} rounds (limit {CK_LOOP.name})", node.place)


def _each(interp: Interpreter, node: Node, scope: Scope) -> Any:
    name, values_node, body, kind_node = node.parts
    values = interp.evaluate(values_node, scope)
    items = values.values if isinstance(values, Sequence) else getattr(values, "items", None)
    if not isinstance(items, list | tuple) or isinstance(values, Tuple):
        raise NotUnderstoodError("a loop over this", node.place)
    kind = interp.evaluate(kind_node, scope)
    for item in items:
        signal = interp.execute(body, scope.inner({name: convert(interp, kind, constant(item))}))
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, Loop) and signal.word == "break":
            return None
    return None


def _assert(interp: Interpreter, node: Node, scope: Scope) -> None:
    check_assertion(interp, node.parts[0], scope, node.place, node.parts[1])


def _unread(_: Interpreter, node: Node, __: Scope) -> None:
    raise NotUnderstoodError(f"a statement with {node.parts[0]}", node.place)


def _declarations(interp: Interpreter, node: Node, scope: Scope) -> None:
    for part in node.parts[0]:
        interp.execute(part, scope)


def _expression(interp: Interpreter, node: Node, scope: Scope) -> None:
    interp.evaluate(node.parts[0], scope)


STATEMENTS: dict[str, Handler] = {
    "block": _block,
    "if": _if,
    "return": _return,
    "variable": _variable,
    "declarations": _declarations,
    "bindings": _bindings,
    "alias": _alias,
    "using namespace": lambda *_: None,
    "local": _local,
    "for": _for,
    "while": _while,
    "each": _each,
    "assert": _assert,
    "unread": _unread,
    "expression": _expression,
    "break": lambda *_: Loop("break"),
    "continue": lambda *_: Loop("continue"),
}
