"""A layout as a kernel's whole grid reaches it: at coordinates written by hand, with tiles of a distribution.

>>> from layoutalg.check.layout_file import asked_of
>>> text = '''
... symbols = ["M", "N"]
... [layout.c]
... base = { packed = ["M", "N"] }
... [layout.store]
... of = "c"
... index = { bm = "cdiv(M, 128)", row = 128, col = "N" }
... element = ["bm*128 + row", "col"]
... valid = "bm*128 + row < M"
... claims = ["in bounds", "bijective"]
... '''
>>> [one.claim.name for one in asked_of(text, "c.layout.toml").obligations][-4:]
['in memory bounds', 'in logical bounds', 'one-to-one', 'covers']
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Integer

from layoutalg.check.gathered import at
from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.reading.near_names import no_such
from layoutalg.term.as_terms import to_term
from layoutalg.term.definition import Definition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutalg.check.subject import Subject
    from layoutalg.domain import Domain

__all__ = ["base_of", "reached", "with_tile", "within_lengths"]


def base_of(table: Mapping[str, Any], done: Mapping[str, Subject]) -> Subject | None:
    """The layout that ``of`` names; None where there is no such key."""
    if "of" not in table:
        return None
    with at("of"):
        base = done.get(table["of"])
        known = [name for name, subject in done.items() if subject.distribution is None]
        if base is None or base.distribution is not None:
            raise no_such("layout above this one", table["of"], known)
    for key in ("offset", "size"):
        if key in table:
            with at(key):
                raise LayoutError(f"{key} is that of {table['of']}", hint=f"leave out {key}, or of")
    if len(table.get("element", ())) != len(base.index):
        with at("element"):
            names, got = ", ".join(map(str, base.index)), len(table.get("element", ()))
            raise LayoutError(f"wanted the coordinates of {table['of']} ({names}), got {got} of them")
    return base


def with_tile(table: Mapping[str, Any], domain: Domain, done: Mapping[str, Subject]) -> Domain:
    """The domain with the axes of the distribution that ``tile`` names; ``x0``, ... are its element."""
    if "tile" not in table:
        return domain
    with at("tile"):
        tile = done.get(table["tile"])
        if tile is None or tile.distribution is None:
            known = [name for name, subject in done.items() if subject.distribution is not None]
            raise no_such("distribution above this one", table["tile"], known)
        if tile.map.when:
            raise LayoutError(f"{table['tile']} has threads that hold nothing", hint="leave out its threads")
        axes = tile.domain.axes
        taken = [axis.name for axis in axes if axis.name in domain.names]
        if taken:
            raise LayoutError(f"{taken[0]} is an axis of the tile too", hint="give the other its own name")
        domain = replace(domain, variables=(*domain.axes, *axes, *domain.parameters))
        made: tuple[Definition, ...] = ()
        for number, output in enumerate(tile.map.outputs):
            known_names = (*domain.known_names, *domain.names)
            text = str(to_term(output))
            made = (*made, Definition.of(f"x{number}", text, known_names, domain.definitions, "python"))
        return replace(domain, definitions=(*domain.definitions, *made))


def reached(base: Subject, element: Sequence[Any]) -> tuple[Any, tuple[Any, ...]]:
    """The offset of an element, and the conditions under which the layout has it."""
    at_element = _at(base, element)
    return base.map.offset.xreplace(at_element), tuple(c.xreplace(at_element) for c in base.map.when)


def within_lengths(base: Subject, element: Sequence[Any], index_map: IndexMap, name: str) -> Claim:
    """That a valid index leads to coordinates within the lengths of the layout."""
    at_element = _at(base, element)
    ends: list[Comparison] = []
    for axis, value in zip(base.domain.axes, element, strict=True):
        lower = Integer(0) if axis.lower is None else axis.lower
        ends.append(Comparison(lower.xreplace(at_element), "<=", as_expression(value)))
        if axis.upper is not None:
            ends.append(Comparison(as_expression(value), "<", axis.upper.xreplace(at_element)))
    return Claim("in logical bounds", name, index_map.domain, tuple(ends), index_map.when)


def _at(base: Subject, element: Sequence[Any]) -> dict[Any, Any]:
    return {axis: as_expression(value) for axis, value in zip(base.index, element, strict=True)}
