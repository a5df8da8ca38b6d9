"""Where names are looked for: a function's, a template's, a class's, then the namespaces around."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from layoutalg.ck.interpreter.cpp_values import ClassType

__all__ = ["ABSENT", "Scope"]


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(eq=False, slots=True)
class Scope:
    """Names, and the scope around them; ``space`` is the namespace, ``owner`` the class."""

    parent: Scope | None = None
    names: dict[str, Any] = field(default_factory=dict)
    owner: ClassType | None = None
    space: str | None = None
    this: Any = None

    def inner(self, names: dict[str, Any] | None = None) -> Scope:
        return Scope(self, names if names is not None else {})

    def holder(self, name: str) -> Scope | None:
        """The scope whose own variables have the name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope
            scope = scope.parent
        return None

    def object(self) -> Any:
        """What ``this`` points to."""
        scope: Scope | None = self
        while scope is not None:
            if scope.this is not None:
                return scope.this
            scope = scope.parent
        return None
