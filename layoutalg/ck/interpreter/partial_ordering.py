"""Partial ordering of templates: which of two lists of patterns is more specialised.

A list is at least as specialised as another if the parameters of the other one can be deduced from it, so
that the other one becomes it. ``S<C, F>`` is more specialised than ``S<C, F, R...>``: with an empty ``R`` the
second is the first, and no arguments make the first the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.syntax import Node, Parameter, bare, is_auto, mentioned

__all__ = ["is_more_specialized"]

Same = Callable[[Node, Node], bool]


def is_more_specialized(
    left: Sequence[Node],
    left_parameters: Sequence[Parameter],
    right: Sequence[Node],
    right_parameters: Sequence[Parameter],
    same: Same | None = None,
) -> bool:
    """Whether the left patterns can be deduced from by the right ones, and not the other way round.

    ``same`` tells of two types without parameters whether they are one although their texts differ.
    """
    ours, theirs = _by_name(left_parameters), _by_name(right_parameters)
    fits = _OrderingDeduction(theirs, ours, same).fits(right, left)
    return fits and not _OrderingDeduction(ours, theirs, same).fits(left, right)


def _by_name(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    return {p.name: p for p in parameters if p.name}


class _OrderingDeduction:
    """The parameters of one list, deduced from another one whose parameters count as unique types."""

    def __init__(self, names: dict[str, Parameter], others: dict[str, Parameter], same: Same | None) -> None:
        self.names = names
        self.others = others
        self.same = same
        self.found: dict[str, str] = {}
        self.waiting: list[tuple[Node, Node]] = []

    def fits(self, patterns: Sequence[Node], others: Sequence[Node]) -> bool:
        """Whether some arguments make the patterns the others."""
        return self._lists(patterns, others, self.found) and all(
            _text(pattern, self.found) == _text(other, {}) for pattern, other in self.waiting
        )

    def _lists(self, patterns: Sequence[Node], others: Sequence[Node], found: dict[str, str]) -> bool:
        last = patterns[-1] if patterns else None
        pack = last if isinstance(last, syntax.Expand) else None
        heads = len(patterns) - (pack is not None)
        if any(isinstance(p, syntax.Expand) for p in patterns[:heads]):
            return False  # such a list deduces nothing
        if len(others) < heads or (pack is None and len(others) != heads):
            return False
        for pattern, other in zip(patterns[:heads], others, strict=False):
            if isinstance(other, syntax.Expand) or not self._one(pattern, other, found):
                return False
        return pack is None or self._pack(pack.pattern, others[heads:], found)

    def _pack(self, pattern: Node, others: Sequence[Node], found: dict[str, str]) -> bool:
        names = [n for n in dict.fromkeys(mentioned(pattern)) if n in self.names and self.names[n].is_pack]
        rows: dict[str, list[str]] = {name: [] for name in names}
        for other in others:
            each = {name: text for name, text in found.items() if name not in rows}
            is_expansion = isinstance(other, syntax.Expand)
            if not self._one(pattern, other.pattern if isinstance(other, syntax.Expand) else other, each):
                return False
            for name in names:
                rows[name].append(each.pop(name, "?") + ("..." if is_expansion else ""))
            found |= each
        return all(
            found.setdefault(name, f"[{', '.join(rows[name])}]") == f"[{', '.join(rows[name])}]"
            for name in names
        )

    def _one(self, pattern: Node, other: Node, found: dict[str, str]) -> bool:
        pattern, other = bare(pattern), bare(other)
        if isinstance(pattern, syntax.Named):
            if pattern.template_arguments is not None:
                return self._templates(pattern, pattern.template_arguments, other, found)
            if isinstance(pattern, syntax.Name) and pattern.name in self.names:
                return found.setdefault(pattern.name, _text(other, {})) == _text(other, {})
        if is_auto(pattern):
            return True
        if isinstance(pattern, syntax.Pointer) and isinstance(other, syntax.Pointer):
            return self._one(pattern.target, other.target, found)
        if any(name in self.names for name in mentioned(pattern)):
            self.waiting.append((pattern, other))  # it deduces nothing; compared when all is known
            return True
        return self._equal(pattern, other)

    def _templates(
        self,
        pattern: syntax.Named,
        arguments: Sequence[Node],
        other: Node,
        found: dict[str, str],
    ) -> bool:
        """Two templates with arguments: the same template, and arguments that fit."""
        if not isinstance(other, type(pattern)) or other.template_arguments is None:
            return False
        return self._heads(pattern, other, found) and self._lists(arguments, other.template_arguments, found)

    def _heads(
        self,
        head: syntax.Named,
        other: syntax.Named,
        found: dict[str, str],
    ) -> bool:
        """Names of templates: the same one, or a parameter that is a template."""
        if isinstance(head, syntax.Name) and head.name in self.names:
            return found.setdefault(head.name, other.name) == other.name
        if isinstance(other, syntax.Name) and other.name in self.others:
            return False
        return repr(head.parts[:-1]) == repr(other.parts[:-1])

    def _equal(self, pattern: Node, other: Node) -> bool:
        if any(name in self.others for name in mentioned(other)):
            return False  # a type of its own is no other type
        if repr(pattern) == repr(other):
            return True
        return self.same is not None and self.same(pattern, other)


def _text(node: Any, found: Mapping[str, str]) -> str:
    """A node as text, parameters replaced by what was found for them."""
    if isinstance(node, Node):
        node = bare(node)
        if isinstance(node, syntax.Name) and node.name in found:
            here, arguments = found[node.name], node.template_arguments
            return here if arguments is None else f"(name {here!r} {_text(arguments, found)})"
        return f"({node.kind} {' '.join(_text(part, found) for part in node.parts)})"
    if isinstance(node, list | tuple):
        return f"[{', '.join(_text(part, found) for part in node)}]"
    return repr(node)
