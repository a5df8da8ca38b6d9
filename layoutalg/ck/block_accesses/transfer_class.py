"""What the template parameters of a transfer class of old CK mean: the table ``transfer_roles.toml``.

>>> ROLES["destination"]["direction"], ROLES["cluster"]
('write', ['ThreadClusterLengths'])
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.syntax import Node, mentioned
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Scope, Sequence
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.errors import LayoutError

__all__ = ["ROLES", "Side", "TransferClass", "is_transfer"]

ROLES: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("transfer_roles.toml").read_text(encoding="utf-8")
)
Side = Literal["source", "destination"]
PREFIXES = ("ThreadGroupTensorSliceTransfer", "ThreadwiseTensorSliceTransfer")


def is_transfer(name: str) -> bool:
    """Whether a class moves a slice of a tensor, by its name.

    >>> is_transfer("ThreadGroupTensorSliceTransfer_v4r1"), is_transfer("ThreadGroup")
    (True, False)
    """
    return name.startswith(PREFIXES)


@dataclass(frozen=True)
class TransferClass:
    """A transfer class: its declaration, from whose parameters and constructors roles are read."""

    declared: Declaration

    @classmethod
    def of(cls, name: str, index: Index) -> TransferClass:
        """The class of this name; ``LayoutError`` where the headers do not define it."""
        known = index.spaces.get(index.library.space, {}).get(name, [])
        found = next(
            (d for d in known if d.kind == "class" and d.body is not None and d.pattern is None), None
        )
        if found is None:
            raise LayoutError(f"these headers do not define {name}")
        return cls(found)

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def bypasses(self) -> str:
        """Why its accesses are no instructions of shared memory; "" where they are."""
        return str(ROLES["bypass"].get(self.name, ""))

    def parameter(self, role: str, side: Side | None = None) -> str:
        """The template parameter of a role; "" where the class has none."""
        spellings = ROLES[role] if side is None else ROLES[side][role]
        own = {p.name for p in self.declared.parameters}
        return next((name for name in spellings if name in own), "")

    def argument(self, arguments: list[Node], role: str, side: Side | None = None) -> Node:
        """The template argument of a role; ``LayoutError`` where the class has none."""
        name = self.parameter(role, side)
        position = next((i for i, p in enumerate(self.declared.parameters) if p.name == name and name), None)
        if position is None or position >= len(arguments):
            wanted = f"{side or ''} {role}".strip().replace("_", " ")
            raise LayoutError(f"no template parameter of {self.name} says its {wanted}")
        return arguments[position]

    def origin_position(self, side: Side) -> int | None:
        """Which argument of the constructor is where the slice begins; None without one."""
        for member in self.declared.members:
            if member.kind == "function" and member.name == self.name:
                for position, argument in enumerate(member.arguments):
                    if argument.name in ROLES[side]["origin"]:
                        return position
        return None

    def scalars(self, interp: Interpreter, scope: Scope, arguments: list[Node], side: Side) -> int:
        """Elements of one access along the vector dimension."""
        name = self.parameter("scalars", side)
        given = interp.evaluate(self.argument(arguments, "scalars", side), scope)
        rule = ROLES["derived"].get(name)
        if rule is not None:
            given = self._constant(interp, rule["alias"], rule["constant"], {name: given})
        return int(constant(given.values[0] if isinstance(given, Sequence) else given))

    def _constant(self, interp: Interpreter, alias: str, name: str, names: dict[str, Any]) -> Any:
        """The constant of the class that an alias names, worked out of these template arguments alone."""
        member = next((m for m in self.declared.members if m.kind == "alias" and m.name == alias), None)
        kind = member.type_node if member is not None else None
        if not isinstance(kind, syntax.Name):
            raise LayoutError(f"{self.name} has no alias {alias}")
        behind = TransferClass.of(kind.name, interp.index).declared
        values = {m.name: m.value for m in behind.members if m.kind == "variable" and m.value is not None}
        if name not in values:
            raise LayoutError(f"{kind.name} has no constant {name}")
        scope = interp.space(interp.index.library.space).inner(dict(names))
        for other in (m for m in dict.fromkeys(mentioned(values[name])) if m in values):
            scope.names[other] = interp.evaluate(values[other], scope)
        return interp.evaluate(values[name], scope)
