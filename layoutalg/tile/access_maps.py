"""What a program reads and writes, access by access, as maps: for all workgroups, turns and sizes at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import sympy
from sympy import Symbol

from layoutalg.claim import IndexMap
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain, Variable
from layoutalg.index import FloorDiv
from layoutalg.tile.tile_accesses import Access, AsyncLoad, Load, Store
from layoutalg.tile.trace import Loop, Statement

if TYPE_CHECKING:
    from layoutalg.tile.tile_program import TileProgram

__all__ = ["MadeAccess", "accesses_of", "launch_domain"]

WORKGROUPS = ("workgroup_x", "workgroup_y", "workgroup_z")


@dataclass(frozen=True)
class MadeAccess:
    """An access of a program; ``domain`` declares sizes, workgroups, and the turns of loops around it.

    ``is_added``: what is stored is added to what is there; ``is_checked``: whether padding is looked at.
    """

    access: Access
    way: Literal["load", "store"]
    domain: Domain
    turns: tuple[Symbol, ...] = ()
    is_added: bool = False
    is_checked: bool = True

    @cached_property
    def window(self) -> TileWindow:
        """The window where it stands."""
        found = self.access.window.geometry(self.access.distribution)
        used = {symbol for one in self.access.origin for symbol in getattr(one, "free_symbols", ())}
        axes = tuple(v for v in self.domain.variables if v.is_parameter or v.symbol in used)
        origin = tuple(int(one) if isinstance(one, sympy.Integer) else one for one in self.access.origin)
        return replace(
            found,
            descriptor=found.descriptor.assuming(Domain(self.domain.parameters, self.domain.facts)),
            origin=origin,
            origin_domain=Domain(axes, self.domain.facts),
        )

    @cached_property
    def element_map(self) -> IndexMap:
        """Each element where padding lets itself be: the same map if vectors are valid as a whole."""
        found = self.window.index_map()
        return IndexMap(found.domain, found.outputs, found.when if self.is_checked else ())

    @cached_property
    def index_map(self) -> IndexMap:
        """Offsets in elements of all registers of all threads, where they are accessed.

        A vector is accessed as a whole: where padding lets its first element be.
        """
        found = self.element_map
        when = found.when
        count = self.window.scalars_per_vector
        if count == 1:
            return IndexMap(found.domain, found.outputs, when)
        y = self.window.distribution.ys[self.window.vector_dim_y]
        first = count * FloorDiv.unchecked(y, sympy.Integer(count))
        return IndexMap(found.domain, found.outputs, tuple(part.xreplace({y: first}) for part in when))


def launch_domain(program: TileProgram) -> Domain:
    """The sizes of a program, and its workgroups."""
    workgroups = [
        Variable(sympy.Symbol(name, integer=True, nonnegative=True), sympy.Integer(0), extent)
        for name, extent in zip(WORKGROUPS, program.extents, strict=False)
    ]
    return Domain((*program.domain.variables, *workgroups), program.domain.facts)


def accesses_of(program: TileProgram) -> list[MadeAccess]:
    """Every access of a program, in its order; those of a loop once."""
    return list(_accesses(program.statements, launch_domain(program), ()))


def _accesses(
    statements: Iterable[Statement], domain: Domain, turns: tuple[Symbol, ...]
) -> Iterator[MadeAccess]:
    for statement in statements:
        match statement:
            case Loop():
                inner = Variable(statement.turn, sympy.Integer(0), statement.count)
                within = Domain((*domain.variables, inner), domain.facts)
                yield from _accesses(statement.body, within, (*turns, statement.turn))
            case Load():
                yield MadeAccess(statement.access, "load", domain, turns, is_checked=statement.is_checked)
            case Store():
                is_added = statement.operation == "atomic_add"
                yield MadeAccess(statement.access, "store", domain, turns, is_added)
            case AsyncLoad():
                yield MadeAccess(statement.source, "load", domain, turns)
                yield MadeAccess(statement.into, "store", domain, turns)
