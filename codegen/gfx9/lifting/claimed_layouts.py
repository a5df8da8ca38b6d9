"""Accesses compared with layouts that a user claims: each address is an element of the layout of its buffer.

A layout with axes called ``lane``, ``wave`` (or ``warp``) or ``workgroup_x`` says who goes where; its other
axes count registers, or turns where their length is a size. A layout without such axes is a tensor: each
address is shown to be that of an element with an index within the lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess
from layoutalg.codegen.gfx9.lifting.claimed_places import placed, within
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.lift import LiftedKernel
from layoutalg.codegen.gfx9.lifting.lifted_access import THREADS, LiftedAccess, Shown
from layoutalg.codegen.gfx9.lifting.translation_validation import validate_translation
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["ClaimedLayout", "compare_with_layouts"]

WAVE_NAMES = {"warp": "wave"}


@dataclass(frozen=True)
class ClaimedLayout:
    """The layout of a buffer: ``map`` gives offsets in elements of ``kind``; ``way``: of one way only."""

    buffer: str
    map: IndexMap
    kind: DataType
    way: str = ""

    @property
    def launch(self) -> dict[str, Any]:
        """The axes that the launch decides, by name."""
        found = {}
        for axis in self.map.domain.axes:
            name = WAVE_NAMES.get(axis.name, axis.name)
            if name in THREADS:
                found[axis.name] = Symbol(name, integer=True, nonnegative=True)
        return found

    def is_of(self, access: LiftedAccess) -> bool:
        """Whether it is the layout of an access."""
        name = access.space if access.space == "lds" else access.buffer
        return name == self.buffer and self.way in ("", access.claimed_way)


def compare_with_layouts(
    lifted: LiftedKernel, layouts: Mapping[str, ClaimedLayout]
) -> Iterator[tuple[LiftedAccess, Shown]]:
    """Each access that a layout is claimed for, and whether it goes to elements of it.

    Refused: a layout of a buffer that nothing goes to.
    """
    for name, layout in layouts.items():
        own = [one for one in lifted.accesses if one.space != "scalar" and layout.is_of(one)]
        if not own:
            known = dict.fromkeys(one.buffer or one.space for one in lifted.accesses)
            msg = f"{name}: nothing in {lifted.name} goes to {layout.buffer}"
            raise LayoutError(msg, hint=f"there are {', '.join(known)}; NAME_load and NAME_store, too")
        yield from _windows(lifted, layout, own) if layout.launch else _elements(layout, own)


def _windows(
    lifted: LiftedKernel, layout: ClaimedLayout, own: list[LiftedAccess]
) -> Iterator[tuple[LiftedAccess, Shown]]:
    """Accesses of a layout that says who goes where."""
    turns = tuple(
        axis.symbol
        for axis in layout.map.domain.axes
        if axis.name not in layout.launch and not getattr(axis.upper, "is_Integer", False)
    )
    ways = {one.claimed_way for one in own}
    room = lifted.formulas.lds_bytes if layout.buffer == "lds" else None
    claims = [
        ClaimedAccess(layout.buffer, way, layout.kind, layout.map, layout.launch, turns, room)  # type: ignore[arg-type]
        for way in ways
    ]
    found = validate_translation(claims, lifted)
    of_own = {id(one) for one in own}
    yield from ((access, shown) for access, shown in found.accesses if id(access) in of_own)


def _elements(layout: ClaimedLayout, own: list[LiftedAccess]) -> Iterator[tuple[LiftedAccess, Shown]]:
    """Accesses of a tensor: each has an index within its lengths."""
    for access in own:
        yield access, _indexed(layout, access)


def _indexed(layout: ClaimedLayout, access: LiftedAccess) -> Shown:
    what = f"an element of {layout.buffer}"
    if not access.is_understood:
        return Shown(what, is_shown=False, missing=access.missing[0])
    size = layout.kind.bits // 8
    if access.bytes % size:
        return Shown(what, is_shown=False, missing=f"{access.bytes} bytes are no whole elements")
    told = []
    for holds, offset in access.cases:
        inside = access.formulas.words.guards.both(holds, access.active)
        for number in range(access.bytes // size):
            index = _index(layout, access, offset.plus(number * size), inside)
            if index is None:
                return Shown(what, is_shown=False, missing=f"no index was found for offset {access.formula}")
            if not number:
                told.append(f"({', '.join(map(access.formulas.text, index))})")
    return Shown(f"{what}: {' or '.join(told)}", is_shown=True)


def _index(
    layout: ClaimedLayout, access: LiftedAccess, offset: Polynomial, inside: int
) -> list[Polynomial] | None:
    """The index of an offset in bytes, shown to be within the lengths and valid; None where it is not."""
    words, domain = access.formulas.words, layout.map.domain
    elements, rest = offset.divided(Polynomial.constant(layout.kind.bits // 8))
    if rest:
        return None
    axes = {axis.name: words.letter(f"index_{axis.name}", ZERO, None) for axis in domain.axes}
    place = placed(words.form, layout.map.outputs[0], axes)
    strides = {name: place.coefficient(letter.as_letter or 0) for name, letter in axes.items()}
    left = elements - _without(place, axes)
    found: dict[str, Polynomial] = {}
    for name, stride in sorted(strides.items(), key=lambda one: _size(one[1]), reverse=True):
        if not stride or words.bases(stride) & {letter.as_letter for letter in axes.values()}:
            return None
        found[name], left = left.divided(stride, exactly=False)
    if left:
        return None
    if placed(words.form, layout.map.outputs[0], found) != elements:
        return None
    needed = ALWAYS
    for axis in domain.axes:
        needed = words.guards.both(needed, within(words, axis, found[axis.name], found))
    for condition in layout.map.when:
        needed = words.guards.both(needed, words.guards.of(placed(words.form, condition, found)))
    if not access.formulas.implied(inside, needed):
        return None
    return [found[axis.name] for axis in domain.axes]


def _without(place: Polynomial, axes: Mapping[str, Polynomial]) -> Polynomial:
    for letter in axes.values():
        place = place.replaced(letter.as_letter or 0, ZERO)
    return place


def _size(stride: Polynomial | None) -> tuple[int, int]:
    """The order of strides: more sizes first, then larger numbers."""
    if not stride:
        return 0, 0
    lead = max(stride.terms, key=lambda monomial: (len(monomial), monomial))
    return len(lead), abs(stride.terms[lead])
