"""Which of two lists of patterns is the more special one: C++'s partial ordering.

A list is at least as special as another if the other one's parameters can be deduced from it so that the
other one becomes exactly it. ``S<C, F>`` is more special than ``S<C, F, R...>``: with no ``R`` the second is
the first, and nothing makes the first the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from layoutalg.ck.cpp.mentioned import mentioned
from layoutalg.ck.cpp.syntax import Node, Parameter

__all__ = ["narrower"]

Same = Callable[[Node, Node], bool]


def narrower(
    left: Sequence[Node],
    left_parameters: Sequence[Parameter],
    right: Sequence[Node],
    right_parameters: Sequence[Parameter],
    same: Same | None = None,
) -> bool:
    """Whether the left patterns are more special: the right ones fit them, and not the other way round.

    ``same``: whether two types without parameters are one, where their texts differ.
    """
    ours, theirs = _by_name(left_parameters), _by_name(right_parameters)
    fits = _Deduction(theirs, ours, same).fits(right, left)
    return fits and not _Deduction(ours, theirs, same).fits(left, right)


def _by_name(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    return {p.name: p for p in parameters if p.name}


class _Deduction:
    """The parameters of one list, deduced from another whose parameters stand for types of their own."""

    def __init__(self, names: dict[str, Parameter], others: dict[str, Parameter], same: Same | None) -> None:
        self.names = names
        self.others = others
        self.same = same
        self.found: dict[str, str] = {}
        self.waiting: list[tuple[Node, Node]] = []

    def fits(self, patterns: Sequence[Node], others: Sequence[Node]) -> bool:
        """Whether the patterns become the others."""
        return self._lists(patterns, others, self.found) and all(
            _text(pattern, self.found) == _text(other, {}) for pattern, other in self.waiting
        )

    def _lists(self, patterns: Sequence[Node], others: Sequence[Node], found: dict[str, str]) -> bool:
        has_pack = bool(patterns) and patterns[-1].kind == "expand"
        heads = len(patterns) - has_pack
        if any(p.kind == "expand" for p in patterns[:heads]):
            return False  # such a list deduces nothing
        if len(others) < heads or (not has_pack and len(others) != heads):
            return False
        for pattern, other in zip(patterns[:heads], others, strict=False):
            if other.kind == "expand" or not self._one(pattern, other, found):
                return False
        return not has_pack or self._pack(patterns[-1].parts[0], others[heads:], found)

    def _pack(self, pattern: Node, others: Sequence[Node], found: dict[str, str]) -> bool:
        names = [n for n in dict.fromkeys(mentioned(pattern)) if n in self.names and self.names[n].is_pack]
        rows: dict[str, list[str]] = {name: [] for name in names}
        for other in others:
            each = {name: text for name, text in found.items() if name not in rows}
            is_expansion = other.kind == "expand"
            if not self._one(pattern, other.parts[0] if is_expansion else other, each):
                return False
            for name in names:
                rows[name].append(each.pop(name, "?") + ("..." if is_expansion else ""))
            found |= each
        return all(
            found.setdefault(name, f"[{', '.join(rows[name])}]") == f"[{', '.join(rows[name])}]"
            for name in names
        )

    def _one(self, pattern: Node, other: Node, found: dict[str, str]) -> bool:
        pattern, other = _bare(pattern), _bare(other)
        if pattern.kind == "name" and pattern.parts[1] is None and pattern.parts[0] in self.names:
            return found.setdefault(pattern.parts[0], _text(other, {})) == _text(other, {})
        if pattern.kind == "builtin" and pattern.parts[0] == "auto":
            return True
        if pattern.kind in {"name", "scope"} and pattern.parts[-1] is not None:
            if pattern.kind != other.kind or other.parts[-1] is None:
                return False
            *head, arguments = pattern.parts
            *other_head, inner = other.parts
            return self._heads(head, other_head, found) and self._lists(arguments, inner, found)
        if pattern.kind == "pointer" and other.kind == "pointer":
            return self._one(pattern.parts[0], other.parts[0], found)
        if any(name in self.names for name in mentioned(pattern)):
            self.waiting.append((pattern, other))  # it deduces nothing; compared when all is known
            return True
        return self._equal(pattern, other)

    def _heads(self, head: list[Any], other: list[Any], found: dict[str, str]) -> bool:
        """Names of templates: the same one, or a parameter that is a template."""
        if len(head) == 1 and head[0] in self.names:
            return len(other) == 1 and found.setdefault(head[0], str(other[0])) == str(other[0])
        if len(other) == 1 and other[0] in self.others:
            return False
        return repr(head) == repr(other)

    def _equal(self, pattern: Node, other: Node) -> bool:
        if any(name in self.others for name in mentioned(other)):
            return False  # a type of its own is no other type
        if repr(pattern) == repr(other):
            return True
        return self.same is not None and self.same(pattern, other)


def _bare(node: Node) -> Node:
    while node.kind in {"ref", "paren"}:
        node = node.parts[0]
    return node


def _text(node: Any, found: Mapping[str, str]) -> str:
    """A node as text, parameters replaced by what was found for them."""
    if isinstance(node, Node):
        node = _bare(node)
        if node.kind == "name" and node.parts[0] in found and node.parts[1] is None:
            return found[node.parts[0]]
        if node.kind == "name" and node.parts[0] in found:
            return f"(name {found[node.parts[0]]!r} {_text(node.parts[1], found)})"
        return f"({node.kind} {' '.join(_text(part, found) for part in node.parts)})"
    if isinstance(node, list | tuple):
        return f"[{', '.join(_text(part, found) for part in node)}]"
    return repr(node)
