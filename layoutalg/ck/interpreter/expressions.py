"""Expressions and types: a handler for each kind of node."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import TYPES, integer
from layoutalg.ck.cpp.syntax import Node, mentioned
from layoutalg.ck.interpreter.assignments import assigned, step, stepped
from layoutalg.ck.interpreter.conversions import (
    cast,
    constant,
    list_initialized,
    list_initialized_number,
    truth,
    type_of,
)
from layoutalg.ck.interpreter.cpp_values import (
    Array,
    Braces,
    Builtin,
    ClassType,
    Closure,
    Constant,
    Enumerator,
    EnumType,
    NativeTemplate,
    Pack,
    Scope,
    Template,
    Tuple,
)
from layoutalg.ck.interpreter.interpreter_state import Handler, Interpreter
from layoutalg.ck.interpreter.number_conversions import builtin, to_builtin
from layoutalg.ck.interpreter.operators import binary, unary
from layoutalg.ck.interpreter.packs import evaluated_list, expanded
from layoutalg.ck.interpreter.sizeof import size_of
from layoutalg.ck.interpreter.static_types import as_chosen

__all__ = ["EXPRESSIONS"]


def _name(interp: Interpreter, node: syntax.Name, scope: Scope) -> Any:
    return _applied(interp, interp.handlers.lookup(interp, node.name, scope, node), node, scope)


def _qualified(interp: Interpreter, node: syntax.Qualified, scope: Scope) -> Any:
    outer = interp.evaluate(node.outer, scope)
    return _applied(interp, interp.handlers.member(interp, outer, node.name, place=node.place), node, scope)


def _call(interp: Interpreter, node: syntax.Call, scope: Scope) -> Any:
    function = interp.evaluate(node.callee, scope)
    values = evaluated_list(interp, node.arguments, scope)
    return interp.handlers.call(interp, function, values, node.place)


def _construct(interp: Interpreter, node: syntax.Construct, scope: Scope) -> Any:
    kind, items = interp.evaluate(node.type, scope), node.arguments
    if isinstance(kind, Template | NativeTemplate):  # arguments left out: the defaults
        kind = interp.handlers.apply(interp, kind, (), node)
    if isinstance(kind, ClassType):
        return interp.handlers.initialized(interp, kind, items, scope, node.place)
    if isinstance(kind, Builtin):
        return list_initialized_number(kind, evaluated_list(interp, items, scope))
    if isinstance(kind, EnumType | Array | Tuple):
        return list_initialized(kind, evaluated_list(interp, items, scope))
    return kind


def _index(interp: Interpreter, node: syntax.Index, scope: Scope) -> Any:
    base = interp.evaluate(node.base, scope)
    position = interp.evaluate(node.position, scope)
    at = constant(position)
    if isinstance(base, Array):
        if interp.types_only and not base.items:
            return 1
        if not 0 <= at < len(base.items):
            raise RejectedError(f"element {at} of {len(base.items)}", node.place)
        return base.items[at]
    method = interp.handlers.member(interp, base, "operator[]", place=node.place)
    return interp.handlers.call(interp, method, [position], node.place)


def _binary(interp: Interpreter, node: syntax.Binary, scope: Scope) -> Any:
    sign, first = node.operator, interp.evaluate(node.left, scope)
    if sign in {"&&", "||", "and", "or"}:
        is_and = sign in {"&&", "and"}
        plain = constant(first)
        if isinstance(plain, Enumerator):
            plain = to_builtin("bool", plain)
        if isinstance(plain, int | float):
            if bool(plain) != is_and:
                return not is_and
            return to_builtin("bool", constant(interp.evaluate(node.right, scope)))
    return binary(interp, sign, first, interp.evaluate(node.right, scope), node.place)


def _choice(interp: Interpreter, node: syntax.Choice, scope: Scope) -> Any:
    is_true = truth(interp, interp.evaluate(node.condition, scope), node.place)
    chosen, other = (node.yes, node.no) if is_true else (node.no, node.yes)
    return as_chosen(interp, interp.evaluate(chosen, scope), other, scope)


def _unary(interp: Interpreter, node: syntax.Unary, scope: Scope) -> Any:
    if node.operator in {"++", "--"}:
        step(interp, node.operator, node.operand, scope, node.place)
        return interp.evaluate(node.operand, scope)
    return unary(node.operator, interp.evaluate(node.operand, scope), node.place)


def _member(interp: Interpreter, node: syntax.Member, scope: Scope) -> Any:
    base = interp.evaluate(node.base, scope)
    return _applied(interp, interp.handlers.member(interp, base, node.name, place=node.place), node, scope)


def _applied(interp: Interpreter, found: Any, node: syntax.Named | syntax.Member, scope: Scope) -> Any:
    """What a name stands for, with its template arguments if it has some."""
    if node.template_arguments is None:
        return found
    arguments = tuple(evaluated_list(interp, node.template_arguments, scope))
    return interp.handlers.apply(interp, found, arguments, node)


def _comma(interp: Interpreter, node: syntax.Comma, scope: Scope) -> Any:
    interp.evaluate(node.left, scope)
    return interp.evaluate(node.right, scope)


def _fold(interp: Interpreter, node: syntax.Fold, scope: Scope) -> Any:
    sign = node.operator
    values: list[Any] = []
    for part in (node.left, node.right):
        if part is not None:
            is_pack = any(
                isinstance(h.names[n], Pack) for n in mentioned(part) if (h := scope.holder(n)) is not None
            )
            values += expanded(interp, part, scope) if is_pack else [interp.evaluate(part, scope)]
    if sign == ",":
        return values[-1] if values else None
    if not values:
        if sign in {"&&", "||"}:
            return sign == "&&"
        raise RejectedError(f"an empty fold over {sign}", node.place)
    result = values[0]
    for value in values[1:]:
        result = (
            _logical(sign, result, value)
            if sign in {"&&", "||"}
            else binary(interp, sign, result, value, node.place)
        )
    return result


def _logical(sign: str, left: Any, right: Any) -> Any:
    left, right = (to_builtin("bool", constant(v)) for v in (left, right))
    return (left and right) if sign == "&&" else (left or right)


def _cast(interp: Interpreter, node: syntax.Cast, scope: Scope) -> Any:
    kind, value = interp.evaluate(node.type, scope), constant(interp.evaluate(node.value, scope))
    if node.word in {"bit_cast", "reinterpret_cast"} and isinstance(kind, Builtin):
        _require_same_bits(node.word, type_of(value), kind, node.place)
    return cast(interp, kind, value)


def _require_same_bits(word: str, old: Any, new: Builtin, place: str) -> None:
    """Refuse a cast of bits unless both types are integers of one width: then it is a conversion."""
    widths = {TYPES[k.name].bits if isinstance(k, Builtin) and k.name in TYPES else 0 for k in (old, new)}
    if old != new and (len(widths) > 1 or 0 in widths or 1 in widths):
        raise NotUnderstoodError(f"{word} of other types than integers of one width", place)


def _count(interp: Interpreter, node: syntax.PackSize, scope: Scope) -> Any:
    found = interp.evaluate(node.pack, scope)
    if not isinstance(found, Pack):
        raise NotUnderstoodError("sizeof... of something else than a pack", node.place)
    return integer("unsigned long", len(found.items))


def _size(interp: Interpreter, node: syntax.Sizeof, scope: Scope) -> Any:
    kind = type_of(interp.evaluate(node.operand, scope))
    return integer("unsigned long", size_of(interp, kind, node.place))


def _type(interp: Interpreter, node: syntax.Decltype, scope: Scope) -> Any:
    with interp.asking_for_a_type():
        return type_of(interp.evaluate(node.operand, scope))


def _this(_: Interpreter, node: syntax.This, scope: Scope) -> Any:
    found = scope.object()
    if found is None:
        raise NotUnderstoodError("this, outside of an object", node.place)
    return found


EXPRESSIONS: dict[type[Node], Handler] = {
    syntax.Int: lambda _, node, __: node.value,
    syntax.Float: lambda _, node, __: node.value,
    syntax.Bool: lambda _, node, __: node.value,
    syntax.Text: lambda _, node, __: node.value,
    syntax.Nullptr: lambda *_: Constant(0),
    syntax.This: _this,
    syntax.Name: _name,
    syntax.Qualified: _qualified,
    syntax.Member: _member,
    syntax.Call: _call,
    syntax.Construct: _construct,
    syntax.Index: _index,
    syntax.Binary: _binary,
    syntax.Unary: _unary,
    syntax.Choice: _choice,
    syntax.Assign: assigned,
    syntax.Step: stepped,
    syntax.Paren: lambda interp, node, scope: interp.evaluate(node.inner, scope),
    syntax.Reference: lambda interp, node, scope: interp.evaluate(node.inner, scope),
    syntax.Pointer: lambda interp, node, scope: Tuple(("pointer", interp.evaluate(node.target, scope))),
    syntax.Comma: _comma,
    syntax.Fold: _fold,
    syntax.Cast: _cast,
    syntax.PackSize: _count,
    syntax.Sizeof: _size,
    syntax.Decltype: _type,
    syntax.Noexcept: lambda *_: True,
    syntax.Builtin: lambda _, node, __: builtin(node.name),
    syntax.Array: lambda *_: Array([]),
    syntax.Lambda: lambda _, node, scope: Closure(node, scope),
    syntax.Braces: lambda interp, node, scope: Braces(evaluated_list(interp, node.items, scope)),
}
