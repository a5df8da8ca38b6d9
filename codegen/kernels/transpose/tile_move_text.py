"""The statements of a tile's move through registers: indices, vector loads, vector stores."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Symbol

from layoutalg.codegen.kernels.transpose.tile_move import TileMove, View
from layoutalg.codegen.text.speller import Speller
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC

__all__ = ["statements"]

Element = tuple[int, ...]


def statements(move: TileMove) -> list[str]:
    """The body of the kernel, one statement a line."""
    spell = Speller(move.domain)
    built_in = [d for d in move.dimensions if d.built_in]
    first = move.base(move.source)
    return [
        *(f"const int {dimension.name} = {dimension.built_in};" for dimension in built_in),
        "",
        *(f"const int {name} = {spell(value)};" for name, value in first.items()),
        "",
        *_loads(move, spell),
        "",
        *_stores(move, spell),
    ]


def _loads(move: TileMove, spell: Speller) -> list[str]:
    view = move.source
    vector = move.element.vector(move.width(view))
    lines = [f"const {move.element.hip}* source = {_address(move, view)};"]
    for first in move.vectors(view):
        place = f"source{spell.plus(move.displacement(view, first))}"
        name = _vector_name(move, first)
        lines.append(f"const {vector} {name} = *reinterpret_cast<const {vector}*>({place});")
    return lines


def _stores(move: TileMove, spell: Speller) -> list[str]:
    view = move.target
    vector = move.element.vector(move.width(view))
    lines = [f"{move.element.hip}* target = {_address(move, view)};"]
    for first in move.vectors(view):
        place = f"target{spell.plus(move.displacement(view, first))}"
        parts = ", ".join(_register(move, element) for element in _lanes(move, first))
        lines.append(f"*reinterpret_cast<{vector}*>({place}) = {vector}{{{parts}}};")
    return lines


def _lanes(move: TileMove, first: Element) -> list[Element]:
    """The elements of a target vector, in register coordinates."""
    along = move.registers.index(move.vector_dimension(move.target))
    return [(*first[:along], lane, *first[along + 1 :]) for lane in range(move.width(move.target))]


def _register(move: TileMove, element: Element) -> str:
    """Where an element sits after the loads: a source vector and a lane of it."""
    along = move.registers.index(move.vector_dimension(move.source))
    first = (*element[:along], 0, *element[along + 1 :])
    return f"{_vector_name(move, first)}[{element[along]}]"


def _vector_name(move: TileMove, first: Element) -> str:
    along = move.registers.index(move.vector_dimension(move.source))
    digits = [str(value) for i, value in enumerate(first) if i != along]
    return f"{move.source.vector_name}{'_'.join(digits)}"


def _address(move: TileMove, view: View) -> str:
    """The address of a thread's first element, by the named index of the tensor itself."""
    bottom = _tensor_transform(view)
    names = [Symbol(name, integer=True, nonnegative=True) for name in view.tensor_names]
    (offset,) = bottom.lower(names, SYMBOLIC)
    axes = (
        Variable(name, sympy.Integer(0), as_expression(length))
        for name, length in zip(names, bottom.upper_lengths, strict=True)
    )
    domain = Domain((*axes, *move.sizes.variables), move.sizes.facts)
    return f"{view.pointer} + ({Speller(domain)(offset)})"


def _tensor_transform(view: View) -> Any:
    """The transform between memory and the tensor's own dimensions."""
    for transform, low, up in view.descriptor.links:
        if up == view.tensor_ids and low == view.descriptor.bottom_dimension_hidden_ids:
            return transform
    msg = f"{view.pointer}: its own dimensions do not rest on memory directly"
    raise LayoutError(msg)
