"""Nodes of parsed C++: a kind, its parts, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.ck.cpp.cpp_tokens import Source

__all__ = ["Node", "Parameter"]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One construct; ``parts`` are nodes, text or lists of them, as its kind has it."""

    kind: str
    parts: tuple[Any, ...]
    source: Source
    at: int

    @property
    def place(self) -> str:
        return self.source.place(self.at)

    def __repr__(self) -> str:
        return f"({self.kind} {' '.join(map(repr, self.parts))})"


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of a template (``type``, ``value``, ``template``) or a function (``argument``)."""

    role: str
    name: str
    type: Node | None = None
    default: Node | None = None
    is_pack: bool = False
