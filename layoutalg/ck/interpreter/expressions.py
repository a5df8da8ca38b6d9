"""Expressions and types, one handler a kind."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import TYPES, integer
from layoutalg.ck.cpp.mentioned import mentioned
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.interpreter.assignments import assigned, stepped
from layoutalg.ck.interpreter.conversions import (
    constant,
    constructed,
    explicitly,
    listed,
    one_of,
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
    Template,
    Tuple,
)
from layoutalg.ck.interpreter.interpreter_state import Handler, Interpreter
from layoutalg.ck.interpreter.number_conversions import builtin, to_builtin
from layoutalg.ck.interpreter.operators import binary, unary
from layoutalg.ck.interpreter.packs import evaluated_list, expanded
from layoutalg.ck.interpreter.scope import Scope
from layoutalg.ck.interpreter.sizeof import size_of
from layoutalg.ck.interpreter.static_types import as_chosen

__all__ = ["EXPRESSIONS"]


def _name(interp: Interpreter, node: Node, scope: Scope) -> Any:
    name, arguments = node.parts
    found = interp.handlers.lookup(interp, name, scope, node)
    if arguments is None:
        return found
    return interp.handlers.apply(interp, found, tuple(evaluated_list(interp, arguments, scope)), node)


def _scope(interp: Interpreter, node: Node, scope: Scope) -> Any:
    left, name, arguments = node.parts
    found = interp.handlers.member(interp, interp.evaluate(left, scope), name, place=node.place)
    if arguments is None:
        return found
    return interp.handlers.apply(interp, found, tuple(evaluated_list(interp, arguments, scope)), node)


def _call(interp: Interpreter, node: Node, scope: Scope) -> Any:
    callee, arguments = node.parts
    function = interp.evaluate(callee, scope)
    values = evaluated_list(interp, arguments, scope)
    return interp.handlers.call(interp, function, values, node.place)


def _construct(interp: Interpreter, node: Node, scope: Scope) -> Any:
    kind = interp.evaluate(node.parts[0], scope)
    items = node.parts[1]
    if isinstance(kind, Template | NativeTemplate):  # arguments left out: the defaults
        kind = interp.handlers.apply(interp, kind, (), node)
    if isinstance(kind, ClassType):
        return constructed(interp, kind, items, scope, node.place)
    if isinstance(kind, Builtin):
        return one_of(kind, evaluated_list(interp, items, scope))
    if isinstance(kind, EnumType | Array | Tuple):
        return listed(kind, evaluated_list(interp, items, scope))
    return kind


def _index(interp: Interpreter, node: Node, scope: Scope) -> Any:
    base = interp.evaluate(node.parts[0], scope)
    at = constant(interp.evaluate(node.parts[1], scope))
    if isinstance(base, Array):
        if not 0 <= at < len(base.items):
            raise RejectedError(f"element {at} of {len(base.items)}", node.place)
        return base.items[at]
    method = interp.handlers.member(interp, base, "operator[]", place=node.place)
    return interp.handlers.call(interp, method, [at], node.place)


def _binary(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, left, right = node.parts
    first = interp.evaluate(left, scope)
    if sign in {"&&", "||", "and", "or"}:
        is_and = sign in {"&&", "and"}
        plain = constant(first)
        if isinstance(plain, Enumerator):
            plain = to_builtin("bool", plain)
        if isinstance(plain, int | float):
            if bool(plain) != is_and:
                return not is_and
            return to_builtin("bool", constant(interp.evaluate(right, scope)))
    return binary(interp, sign, first, interp.evaluate(right, scope), node.place)


def _choice(interp: Interpreter, node: Node, scope: Scope) -> Any:
    condition, yes, no = node.parts
    is_true = truth(interp, interp.evaluate(condition, scope), node.place)
    chosen, other = (yes, no) if is_true else (no, yes)
    return as_chosen(interp, interp.evaluate(chosen, scope), other, scope)


def _unary(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, target = node.parts
    if sign in {"++", "--"}:
        stepped(interp, node, scope)
        return interp.evaluate(target, scope)
    return unary(sign, interp.evaluate(target, scope), node.place)


def _member(interp: Interpreter, node: Node, scope: Scope) -> Any:
    target, name, arguments = node.parts
    value = interp.evaluate(target, scope)
    found = interp.handlers.member(interp, value, name, place=node.place)
    if arguments is None:
        return found
    return interp.handlers.apply(interp, found, tuple(evaluated_list(interp, arguments, scope)), node)


def _fold(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, left, right = node.parts
    values: list[Any] = []
    for part in (left, right):
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


def _cast(interp: Interpreter, node: Node, scope: Scope) -> Any:
    word, kind_node, value_node = node.parts
    kind, value = interp.evaluate(kind_node, scope), constant(interp.evaluate(value_node, scope))
    if word in {"bit_cast", "reinterpret_cast"} and isinstance(kind, Builtin):
        _require_same_bits(word, type_of(value), kind, node.place)
    return explicitly(interp, kind, value)


def _require_same_bits(word: str, old: Any, new: Builtin, place: str) -> None:
    """A cast of bits is a conversion where both types are integers of one width."""
    widths = {TYPES[k.name].bits if isinstance(k, Builtin) and k.name in TYPES else 0 for k in (old, new)}
    if old != new and (len(widths) > 1 or 0 in widths or 1 in widths):
        raise NotUnderstoodError(f"{word} of other types than integers of one width", place)


def _count(interp: Interpreter, node: Node, scope: Scope) -> Any:
    found = interp.evaluate(node.parts[0], scope)
    if not isinstance(found, Pack):
        raise NotUnderstoodError("sizeof... of something else than a pack", node.place)
    return integer("unsigned long", len(found.items))


def _size(interp: Interpreter, node: Node, scope: Scope) -> Any:
    kind = type_of(interp.evaluate(node.parts[0], scope))
    return integer("unsigned long", size_of(interp, kind, node.place))


def _this(_: Interpreter, node: Node, scope: Scope) -> Any:
    found = scope.object()
    if found is None:
        raise NotUnderstoodError("this, outside of an object", node.place)
    return found


EXPRESSIONS: dict[str, Handler] = {
    "int": lambda _, node, __: node.parts[0],
    "float": lambda _, node, __: node.parts[0],
    "bool": lambda _, node, __: node.parts[0],
    "text": lambda _, node, __: node.parts[0],
    "nullptr": lambda *_: Constant(0),
    "this": _this,
    "name": _name,
    "scope": _scope,
    "member": _member,
    "call": _call,
    "construct": _construct,
    "index": _index,
    "binary": _binary,
    "unary": _unary,
    "choice": _choice,
    "assign": assigned,
    "step": stepped,
    "paren": lambda interp, node, scope: interp.evaluate(node.parts[0], scope),
    "ref": lambda interp, node, scope: interp.evaluate(node.parts[0], scope),
    "pointer": lambda interp, node, scope: Tuple(("pointer", interp.evaluate(node.parts[0], scope))),
    "comma": lambda interp, node, scope: [interp.evaluate(n, scope) for n in node.parts][-1],
    "fold": _fold,
    "cast": _cast,
    "count": _count,
    "sizeof": _size,
    "decltype": lambda interp, node, scope: type_of(interp.evaluate(node.parts[0], scope)),
    "noexcept": lambda *_: True,
    "builtin": lambda _, node, __: builtin(node.parts[0]),
    "array": lambda *_: Array([]),
    "lambda": lambda _, node, scope: Closure(node, scope),
    "braces": lambda interp, node, scope: Braces(evaluated_list(interp, node.parts[0], scope)),
}
