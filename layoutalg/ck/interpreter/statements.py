"""Statements: a handler for each kind of node.

A handler gives None, or a ``Return`` or ``LoopExit`` after which the rest of the block is not run.
"""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp import statement_syntax, syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.assertions import check_assertion
from layoutalg.ck.interpreter.conversions import as_element, constant, convert, truth
from layoutalg.ck.interpreter.cpp_values import Array, Builtin, Scope, Sequence, Template, Tuple
from layoutalg.ck.interpreter.declared_values import class_type, declared_enum
from layoutalg.ck.interpreter.interpreter_state import Handler, Interpreter, LoopExit, Return
from layoutalg.reading.input_limits import CK_LOOP

__all__ = ["STATEMENTS"]


def _block(interp: Interpreter, node: statement_syntax.Block, scope: Scope) -> Any:
    inner = scope.inner()
    for statement in node.statements:
        signal = interp.execute(statement, inner)
        if signal is not None:
            return signal
    return None


def _if(interp: Interpreter, node: statement_syntax.If, scope: Scope) -> Any:
    if truth(interp, interp.evaluate(node.condition, scope), node.place):
        return interp.execute(node.yes, scope.inner())
    return interp.execute(node.no, scope.inner()) if node.no is not None else None


def _return(interp: Interpreter, node: statement_syntax.Return, scope: Scope) -> Any:
    return Return(None if node.value is None else interp.evaluate(node.value, scope))


def _variable(interp: Interpreter, node: statement_syntax.Variable, scope: Scope) -> None:
    name, value = node.name, node.value
    if isinstance(node.type, syntax.Pointer) or syntax.is_auto(node.type):
        if value is None:
            raise NotUnderstoodError(f"{name} has no value", node.place)
        scope.names[name] = interp.evaluate(value, scope)
        return
    if isinstance(node.type, syntax.Array):
        scope.names[name] = Array([]) if value is None else _array(interp, node.type.element, value, scope)
        return
    kind = interp.evaluate(node.type, scope)
    if value is None:
        scope.names[name] = kind.fresh() if isinstance(kind, Array) else kind
        if isinstance(kind, Builtin):
            scope.names[name] = convert(interp, kind, 0)
    elif isinstance(value, syntax.Braces):
        scope.names[name] = convert(interp, kind, value, scope)
    else:
        scope.names[name] = convert(interp, kind, interp.evaluate(value, scope))


def _array(interp: Interpreter, of_elements: Node, value: Node, scope: Scope) -> Any:
    """``T name[] = {...}``."""
    kind, found = interp.evaluate(of_elements, scope), interp.evaluate(value, scope)
    if not isinstance(kind, Builtin) or kind.name == "auto":
        return found
    return as_element(convert(interp, kind, 0), found)


def _bindings(interp: Interpreter, node: statement_syntax.Bindings, scope: Scope) -> None:
    value = interp.evaluate(node.value, scope)
    items = value.values if isinstance(value, Sequence) else getattr(value, "items", None)
    if items is None or len(items) != len(node.names):
        raise NotUnderstoodError("a value taken apart that is no tuple", node.place)
    scope.names.update(zip(node.names, items, strict=True))


def _alias(interp: Interpreter, node: statement_syntax.Alias, scope: Scope) -> None:
    scope.names[node.name] = interp.evaluate(node.type, scope)


def _local(interp: Interpreter, node: statement_syntax.Local, scope: Scope) -> None:
    declared = node.declared
    if declared.headers:
        scope.names[declared.name] = Template(declared.name, [declared], scope)
    elif declared.kind == "enum":
        scope.names[declared.name] = declared_enum(interp, declared, scope, declared.name)
    else:
        scope.names[declared.name] = class_type(declared, scope)


def _for(interp: Interpreter, node: statement_syntax.For, scope: Scope) -> Any:
    condition, inner = node.condition, scope.inner()
    interp.execute(node.first, inner)
    for _ in range(CK_LOOP.most):
        if condition is not None and not truth(interp, interp.evaluate(condition, inner), node.place):
            return None
        signal = interp.execute(node.body, inner.inner())
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, LoopExit) and signal.word == "break":
            return None
        if node.step is not None:
            interp.evaluate(node.step, inner)
    raise NotUnderstoodError(f"a loop of more than {CK_LOOP.most} rounds (limit {CK_LOOP.name})", node.place)


def _while(interp: Interpreter, node: statement_syntax.While, scope: Scope) -> Any:
    for _ in range(CK_LOOP.most):
        if not truth(interp, interp.evaluate(node.condition, scope), node.place):
            return None
        signal = interp.execute(node.body, scope.inner())
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, LoopExit) and signal.word == "break":
            return None
    raise NotUnderstoodError(f"a loop of more than {CK_LOOP.most} rounds (limit {CK_LOOP.name})", node.place)


def _each(interp: Interpreter, node: statement_syntax.Each, scope: Scope) -> Any:
    values = interp.evaluate(node.values, scope)
    items = values.values if isinstance(values, Sequence) else getattr(values, "items", None)
    if not isinstance(items, list | tuple) or isinstance(values, Tuple):
        raise NotUnderstoodError("a loop over this", node.place)
    kind = interp.evaluate(node.type, scope)
    for item in items:
        signal = interp.execute(node.body, scope.inner({node.name: convert(interp, kind, constant(item))}))
        if isinstance(signal, Return):
            return signal
        if isinstance(signal, LoopExit) and signal.word == "break":
            return None
    return None


def _assert(interp: Interpreter, node: statement_syntax.Assert, scope: Scope) -> None:
    check_assertion(interp, node.condition, scope, node.place, node.message)


def _unread(_: Interpreter, node: statement_syntax.Unread, __: Scope) -> None:
    if node.word == "throw":
        raise RejectedError("CK throws here", node.place)
    raise NotUnderstoodError(f"a statement with {node.word}", node.place)


def _declarations(interp: Interpreter, node: statement_syntax.Declarations, scope: Scope) -> None:
    for variable in node.variables:
        interp.execute(variable, scope)


def _expression(interp: Interpreter, node: statement_syntax.Expression, scope: Scope) -> None:
    interp.evaluate(node.value, scope)


STATEMENTS: dict[type[Node], Handler] = {
    statement_syntax.Block: _block,
    statement_syntax.If: _if,
    statement_syntax.Return: _return,
    statement_syntax.Variable: _variable,
    statement_syntax.Declarations: _declarations,
    statement_syntax.Bindings: _bindings,
    statement_syntax.Alias: _alias,
    statement_syntax.UsingNamespace: lambda *_: None,
    statement_syntax.Local: _local,
    statement_syntax.For: _for,
    statement_syntax.While: _while,
    statement_syntax.Each: _each,
    statement_syntax.Assert: _assert,
    statement_syntax.Unread: _unread,
    statement_syntax.Expression: _expression,
    statement_syntax.Break: lambda *_: LoopExit("break"),
    statement_syntax.Continue: lambda *_: LoopExit("continue"),
}
