"""Expansion of parameter packs in lists of arguments."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.syntax import Node, mentioned
from layoutalg.ck.interpreter.cpp_values import Pack, Scope
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["evaluated_list", "expanded"]


def evaluated_list(interp: Interpreter, nodes: list[Node], scope: Scope) -> list[Any]:
    """The values of arguments, with packs expanded."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, syntax.Expand):
            found += expanded(interp, node.pattern, scope)
        else:
            value = interp.evaluate(node, scope)
            found += value.items if isinstance(value, Pack) else [value]
    return found


def expanded(interp: Interpreter, pattern: Node, scope: Scope) -> list[Any]:
    """The values of a pattern for each element of the packs in it."""
    packs: dict[str, Pack] = {}
    for name in mentioned(pattern):
        holder = scope.holder(name)
        if holder is not None and isinstance(holder.names[name], Pack):
            packs[name] = holder.names[name]
    if not packs:
        raise NotUnderstoodError("an expansion without a pack", pattern.place)
    sizes = {len(pack.items) for pack in packs.values()}
    if len(sizes) != 1:
        raise RejectedError(f"packs of lengths {sorted(sizes)} in one expansion", pattern.place)
    rows = ({name: pack.items[i] for name, pack in packs.items()} for i in range(sizes.pop()))
    return [interp.evaluate(pattern, scope.inner(row)) for row in rows]
