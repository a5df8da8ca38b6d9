"""Expressions and types, one handler a kind."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.conversions import builtin, constant, constructed, convert, truth, type_of
from layoutalg.ck.interpreter import Handler, Interpreter
from layoutalg.ck.mentioned import mentioned
from layoutalg.ck.node import Node
from layoutalg.ck.operators import binary, unary
from layoutalg.ck.packs import evaluated_list, expanded
from layoutalg.ck.scope import Scope
from layoutalg.ck.sizes import size_of
from layoutalg.ck.trouble import NotUnderstoodError, RejectedError
from layoutalg.ck.values import (
    Array,
    Builtin,
    ClassType,
    Closure,
    Constant,
    EnumType,
    NativeTemplate,
    Pack,
    Template,
    Tuple,
    Unsigned,
)

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
    if isinstance(kind, Builtin | EnumType):
        values = evaluated_list(interp, items, scope)
        return convert(interp, kind, constant(values[0]) if values else 0)
    if isinstance(kind, Array):
        return kind.fresh([constant(v) for v in evaluated_list(interp, items, scope)])
    if isinstance(kind, Tuple) and items:
        return Tuple(tuple(evaluated_list(interp, items, scope)))
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
        if isinstance(plain, bool | int):
            if bool(plain) != is_and:
                return not is_and
            second = constant(interp.evaluate(right, scope))
            return bool(second) if isinstance(second, int) else second
    return binary(interp, sign, first, interp.evaluate(right, scope), node.place)


def _choice(interp: Interpreter, node: Node, scope: Scope) -> Any:
    condition, yes, no = node.parts
    is_true = truth(interp, interp.evaluate(condition, scope), node.place)
    return interp.evaluate(yes if is_true else no, scope)


def _assign(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, target, value = node.parts
    new = interp.evaluate(value, scope)
    if sign != "=":
        new = binary(interp, sign[:-1], interp.evaluate(target, scope), new, node.place)
    store(interp, target, new, scope)
    return new


def store(interp: Interpreter, target: Node, value: Any, scope: Scope) -> None:
    """Give a variable or an element a new value."""
    if target.kind == "name":
        holder = scope.holder(target.parts[0])
        if holder is not None:
            holder.names[target.parts[0]] = value
            return
    if target.kind in {"index", "call"}:
        base_node = target.parts[0]
        if target.kind == "call" and base_node.kind == "member":
            base_node = base_node.parts[0]
        base = interp.evaluate(base_node, scope)
        position = target.parts[1][0] if target.kind == "call" else target.parts[1]
        if isinstance(base, Array):
            base.items[constant(interp.evaluate(position, scope))] = value
            return
    raise NotUnderstoodError("an assignment to this", target.place)


def _step(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, target = node.parts
    old = interp.evaluate(target, scope)
    store(interp, target, old + 1 if sign == "++" else old - 1, scope)
    return old


def _unary(interp: Interpreter, node: Node, scope: Scope) -> Any:
    sign, target = node.parts
    if sign in {"++", "--"}:
        store(interp, target, interp.evaluate(target, scope) + (1 if sign == "++" else -1), scope)
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
    left, right = constant(left), constant(right)
    return (left and right) if sign == "&&" else (left or right)


def _cast(interp: Interpreter, node: Node, scope: Scope) -> Any:
    kind = interp.evaluate(node.parts[0], scope)
    value = constant(interp.evaluate(node.parts[1], scope))
    if isinstance(kind, Builtin) and hasattr(value, "enum"):
        value = value.value
    return convert(interp, kind, value)


def _count(interp: Interpreter, node: Node, scope: Scope) -> Any:
    found = interp.evaluate(node.parts[0], scope)
    if not isinstance(found, Pack):
        raise NotUnderstoodError("sizeof... of something else than a pack", node.place)
    return Unsigned(len(found.items))


def _size(interp: Interpreter, node: Node, scope: Scope) -> Any:
    return Unsigned(size_of(interp, type_of(interp.evaluate(node.parts[0], scope)), node.place))


def _this(_: Interpreter, node: Node, scope: Scope) -> Any:
    found = scope.object()
    if found is None:
        raise NotUnderstoodError("this, outside of an object", node.place)
    return found


EXPRESSIONS: dict[str, Handler] = {
    "int": lambda _, node, __: node.parts[0],
    "unsigned": lambda _, node, __: Unsigned(node.parts[0]),
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
    "assign": _assign,
    "step": _step,
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
    "braces": lambda interp, node, scope: Array(evaluated_list(interp, node.parts[0], scope)),
}
