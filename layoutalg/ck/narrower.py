"""Which of two lists of patterns is the more special one."""

from __future__ import annotations

from layoutalg.ck.node import Node

__all__ = ["narrower"]


def narrower(left: list[Node], left_names: set[str], right: list[Node], right_names: set[str]) -> bool:
    """Whether the left patterns are more special: the right ones fit them, and not the other way round."""
    return _fits(right, right_names, left) and not _fits(left, left_names, right)


def _fits(patterns: list[Node], names: set[str], others: list[Node]) -> bool:
    found: dict[str, str] = {}
    if patterns and patterns[-1].kind == "expand" and len(others) >= len(patterns) - 1:
        rest = others[len(patterns) - 1 :]
        inner = patterns[-1].parts[0]
        head = zip(patterns[:-1], others, strict=False)
        takes_all = inner.kind == "name" and inner.parts[0] in names
        tail = [] if takes_all else [(inner, o.parts[0] if o.kind == "expand" else o) for o in rest]
        return all(_fit(p, o, names, found) for p, o in (*head, *tail))
    if any(o.kind == "expand" for o in others) or len(patterns) != len(others):
        return False
    return all(_fit(p, o, names, found) for p, o in zip(patterns, others, strict=True))


def _fit(pattern: Node, other: Node, names: set[str], found: dict[str, str]) -> bool:
    while pattern.kind in {"ref", "paren"}:
        pattern = pattern.parts[0]
    while other.kind in {"ref", "paren"}:
        other = other.parts[0]
    if pattern.kind == "name" and pattern.parts[1] is None and pattern.parts[0] in names:
        return found.setdefault(pattern.parts[0], repr(other)) == repr(other)
    if pattern.kind == "builtin" and pattern.parts[0] == "auto":
        return True
    if pattern.kind == other.kind and pattern.kind in {"name", "scope"} and pattern.parts[-1] is not None:
        same = repr(pattern.parts[:-1]) == repr(other.parts[:-1])
        inner = other.parts[-1] or []
        return same and _fits(pattern.parts[-1], names, inner) if inner or not pattern.parts[-1] else same
    return repr(pattern) == repr(other)
