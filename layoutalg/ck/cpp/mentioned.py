"""Names in a piece of code."""

from __future__ import annotations

from typing import Any

from layoutalg.ck.cpp.syntax import Node, Parameter

__all__ = ["mentioned"]

_MENTIONED: dict[Node, tuple[str, ...]] = {}


def mentioned(node: Any) -> tuple[str, ...]:
    """All bare names in a node."""
    if isinstance(node, Node):
        if node not in _MENTIONED:
            own = (node.parts[0],) if node.kind == "name" else ()
            _MENTIONED[node] = own + tuple(name for part in node.parts for name in mentioned(part))
        return _MENTIONED[node]
    if isinstance(node, list | tuple):
        return tuple(name for part in node for name in mentioned(part))
    if isinstance(node, Parameter):
        return mentioned(node.type) + mentioned(node.default)
    return ()
