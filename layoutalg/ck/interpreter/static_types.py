"""Types of expressions that are not evaluated: the type of ``?:`` depends on both of its branches.

A type is the name of a built-in one, an enumeration, or None where it is not known.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NotUnderstoodError
from layoutalg.ck.cpp.integer_types import TYPES, common, promoted
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.conversions import constant, type_of
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Builtin,
    Constant,
    Enumerator,
    EnumType,
    Native,
    Overloads,
    Scope,
    Sequence,
)
from layoutalg.ck.interpreter.interpreter_state import Interpreter, Log
from layoutalg.ck.interpreter.number_conversions import to_builtin
from layoutalg.ck.interpreter.overloads import chosen_overload
from layoutalg.ck.interpreter.packs import evaluated_list

__all__ = ["as_chosen"]

COMMON = frozenset(("min", "max", "integer_divide_ceil", "lcm"))  # have the type of their arguments
_WIDEST = frozenset(("unsigned long", "unsigned long long"))  # no other integer type changes them
_TRUTHS = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||", "and", "or"))


def as_chosen(interp: Interpreter, value: Any, other: Node, scope: Scope) -> Any:
    """The value of the branch that was taken, converted to the common type of both branches."""
    inner = constant(value)
    here = _of(inner)
    if here is None:
        return value
    there = _type(interp, other, scope)
    if here == there or (there is None and interp.path is not None):
        return value
    if there is None and here in _WIDEST:
        return value
    found = _common(here, there)
    if found is None:
        raise NotUnderstoodError("a choice whose other branch does not tell its type", other.place)
    return to_builtin(found, inner)


def _of(value: Any) -> Any:
    """The type of a number, a size not known yet, a condition or an enumerator."""
    if isinstance(value, int | float | Expr | Boolean):
        return type_of(value).name
    return value.enum if isinstance(value, Enumerator) else None


def _arithmetic(kind: Any) -> str | None:
    """The arithmetic type that a type is converted to in an operator."""
    if isinstance(kind, EnumType):
        return None if kind.declared.is_static else kind.underlying
    return kind if isinstance(kind, str) else None


def _common(left: Any, right: Any) -> str | None:
    one, other = _arithmetic(left), _arithmetic(right)
    if one is None or other is None:
        return None
    if one in TYPES and other in TYPES:
        return common(one, other)
    return "double" if "double" in {one, other} else "float"


def _type(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """The type of an expression, as far as it is known without running code that may be invalid here."""
    match node:
        case syntax.Paren() | syntax.Reference():
            return _type(interp, node.inner, scope)
        case syntax.Step():
            return _type(interp, node.target, scope)
        case syntax.Comma():
            return _type(interp, node.right, scope)
        case syntax.Int() | syntax.Float() | syntax.Bool() | syntax.Name() | syntax.Qualified():
            return _of(constant(_tried(interp, node, scope)))
        case syntax.Sizeof() | syntax.PackSize():
            return "unsigned long"
        case syntax.Noexcept():
            return "bool"
        case syntax.Unary():
            return _of_unary(node.operator, _arithmetic(_type(interp, node.operand, scope)))
        case syntax.Assign():
            return _type(interp, node.target, scope)
        case syntax.Binary():
            left, right = _type(interp, node.left, scope), _type(interp, node.right, scope)
            return _of_binary(node.operator, left, right)
        case syntax.Choice():
            left, right = _type(interp, node.yes, scope), _type(interp, node.no, scope)
            return left if left == right else _common(left, right)
        case syntax.Cast() | syntax.Construct():
            return _named(interp, node.type, scope)
        case syntax.Call():
            return _of_call(interp, node, scope)
        case syntax.Index():
            return _of_element(_tried(interp, node.base, scope))
        case syntax.Member():
            return _of(constant(_tried(interp, node, scope)))
    return None


def _of_unary(sign: str, kind: str | None) -> str | None:
    if kind is None or sign in {"*", "&"}:
        return None
    if sign in {"!", "not"}:
        return "bool"
    return promoted(kind) if kind in TYPES and sign in {"-", "+", "~"} else kind


def _of_binary(sign: str, left: Any, right: Any) -> str | None:
    one, other = _arithmetic(left), _arithmetic(right)
    if sign in _TRUTHS and left is not None and right is not None:
        return "bool"
    if one is None or other is None:
        return None
    if sign in {"<<", ">>"}:
        return promoted(one) if one in TYPES else None
    return _common(one, other)


def _tried(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """The value of an expression, or None where it cannot be evaluated."""
    try:
        return interp.evaluate(node, scope)
    except ImportFailedError:
        return None


def _named(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """The type that a node names; for ``number<...>``, the type of its value."""
    kind = _tried(interp, node, scope)
    if isinstance(kind, Builtin):
        return None if kind.name == "auto" else kind.name
    return kind if isinstance(kind, EnumType) else _of(constant(kind))


def _of_element(base: Any) -> Any:
    """The type of the elements of an array or a sequence."""
    return "int" if isinstance(base, Sequence) else _of(base.zero()) if isinstance(base, Array) else None


def _of_call(interp: Interpreter, node: syntax.Call, scope: Scope) -> Any:
    """The type of a call: the type that is constructed, the declared result, or the type of the value."""
    callee = node.callee
    if isinstance(callee, syntax.Member) and callee.name in {"at", "get", "operator[]", "operator()"}:
        base = _tried(interp, callee.base, scope)
        if isinstance(base, Sequence | Array):
            return _of_element(base)
    found = _tried(interp, callee, scope)
    if isinstance(found, Builtin | EnumType):
        return found.name if isinstance(found, Builtin) else found
    if isinstance(found, Array):
        return _of_element(found)
    if isinstance(found, Native) and found.name in COMMON:
        given = [_type(interp, argument, scope) for argument in node.arguments]
        return reduce(_common, given[1:], given[0]) if given else None
    if isinstance(found, Overloads):
        kinds = {_named(interp, r, found.scope) for d in found.declared if (r := d.result) is not None}
        if len(kinds) == 1 and None not in kinds and all(d.result is not None for d in found.declared):
            return kinds.pop()
        return _of_chosen(interp, found, node, scope)
    return _of_result(interp, node, scope) if isinstance(found, Native | Constant) else None


def _of_chosen(interp: Interpreter, callee: Overloads, node: syntax.Call, scope: Scope) -> Any:
    """The result type of the overload that is called, by its declaration or its value."""
    if interp.path is not None or _changes(node):
        return None
    try:
        arguments = evaluated_list(interp, node.arguments, scope)
        chosen = chosen_overload(interp, callee, arguments, node.place)
    except ImportFailedError:
        return None
    result = chosen.declared.result
    told = None if result is None else _named(interp, result, Scope(callee.scope, chosen.names))
    return told or _of_result(interp, node, scope)


def _of_result(interp: Interpreter, node: Node, scope: Scope) -> Any:
    """The type of a call's value, without leaving entries in the log.

    None where the call might change a variable or decide about sizes left open.
    """
    if interp.path is not None or _changes(node):
        return None
    log, interp.log = interp.log, Log()
    try:
        return _of(constant(_tried(interp, node, scope)))
    finally:
        log.read |= interp.log.read
        interp.log = log


def _changes(part: Any) -> bool:
    """Whether an expression contains an assignment."""
    if isinstance(part, Node):
        is_step = isinstance(part, syntax.Unary) and part.operator in {"++", "--"}
        return is_step or isinstance(part, syntax.Assign | syntax.Step) or _changes(part.parts)
    return isinstance(part, list | tuple) and any(map(_changes, part))
