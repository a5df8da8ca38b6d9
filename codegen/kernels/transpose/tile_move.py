"""Kernels that move a tile through registers, derived from two views of one index space.

Source and target are tensors seen through the same dimensions: workgroups, threads, and the
elements one thread holds. Which elements to load together follows from the source view, which to
store together from the target view; the registers are permuted in between.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.kernels.exact_move import writes_what_was_read
from layoutalg.codegen.text.speller import Speller
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties import (
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one_map,
    vector_access_map,
)
from layoutalg.rules import simplify

__all__ = ["Dimension", "TileMove", "View", "statements"]

Element = tuple[int, ...]


@dataclass(frozen=True)
class Dimension:
    """One dimension of the common index space.

    ``name`` is its name in claims and code; ``built_in`` is HIP's index for it, such as
    ``blockIdx.x``, or empty for elements held in registers.
    """

    name: str
    built_in: str = ""

    @property
    def symbol(self) -> Symbol:
        return Symbol(self.name, integer=True, nonnegative=True)


@dataclass(frozen=True)
class View:
    """A tensor seen through the common dimensions.

    ``pointer`` is the argument it lies at. ``tensor_ids`` are the hidden ids of the tensor's own
    dimensions, named by ``tensor_names``; ``vector_name`` begins the names of loaded vectors.
    """

    descriptor: TensorDescriptor
    pointer: str
    tensor_ids: tuple[int, ...]
    tensor_names: tuple[str, ...]
    vector_name: str = "row"


@dataclass(frozen=True)
class TileMove:
    """A tile moved from ``source`` to ``target``; both views have the same dimensions."""

    dimensions: tuple[Dimension, ...]
    source: View
    target: View
    element: DataType
    sizes: Domain

    def __post_init__(self) -> None:
        lengths = self.source.descriptor.lengths, self.target.descriptor.lengths
        if len(lengths[0]) != len(self.dimensions) or lengths[0] != lengths[1]:
            msg = f"the views differ: {lengths[0]} and {lengths[1]}"
            raise LayoutError(msg)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(dimension.symbol for dimension in self.dimensions)

    @property
    def registers(self) -> tuple[int, ...]:
        """The dimensions a thread holds in registers."""
        return tuple(i for i, d in enumerate(self.dimensions) if not d.built_in)

    @property
    def domain(self) -> Domain:
        """Every workgroup, thread and register element, for all admissible sizes."""
        lengths = self.source.descriptor.lengths
        axes = tuple(
            Variable(symbol, sympy.Integer(0), as_expression(length))
            for symbol, length in zip(self.symbols, lengths, strict=True)
        )
        return Domain(axes + self.sizes.variables, self.sizes.facts)

    def hidden(self, view: View) -> tuple[Expr, ...]:
        return view.descriptor.hidden_expressions(self.symbols)

    def offset(self, view: View) -> Expr:
        """The offset of an element, in the common dimensions."""
        return simplify(self.hidden(view)[0], self.domain).expr

    def vector_dimension(self, view: View) -> int:
        """The register dimension along which the view's elements are neighbours."""
        offset = self.offset(view)
        for dimension in self.registers:
            symbol = self.symbols[dimension]
            step = offset.xreplace({symbol: symbol + 1}) - offset
            if sympy.expand(step) == 1:
                return dimension
        msg = f"{view.pointer}: no dimension held in registers has neighbours in memory"
        raise LayoutError(msg, hint="let a thread hold a run of the fastest dimension")

    def claims(self) -> tuple[Claim, ...]:
        """What must hold for every admissible size before the kernel may be emitted."""
        domain = self.domain
        maps, found = {}, []
        for view, word in ((self.source, "reads"), (self.target, "writes")):
            offset = self.hidden(view)[0]
            maps[word] = IndexMap(domain, (offset,))
            space = as_expression(view.descriptor.element_space_size)
            found.append(memory_bounds_map(maps[word], space, word))
        space = as_expression(self.target.descriptor.element_space_size)
        found.append(one_to_one_map(maps["writes"], "writes"))
        found.append(covers_map(maps["writes"], (space,), "writes"))
        found.append(self._right_element())
        for view, word in ((self.source, "reads"), (self.target, "writes")):
            dimension = self.vector_dimension(view)
            width = int(self.source.descriptor.lengths[dimension])
            found += vector_access_map(maps[word], self.symbols[dimension], width, word)
        computed = [part for view in (self.source, self.target) for part in self._computed(view)]
        found.append(fits_integer(tuple(computed), domain, "int32", "indices"))
        return tuple(found)

    def _right_element(self) -> Claim:
        """At every point the tensor index written is the tensor index read."""
        indices = []
        for view in (self.source, self.target):
            hidden = self.hidden(view)
            pairs = zip(view.tensor_names, view.tensor_ids, strict=True)
            indices.append({name: hidden[i] for name, i in pairs})
        if indices[0].keys() != indices[1].keys():
            msg = f"the tensors have different dimensions: {set(indices[0])} and {set(indices[1])}"
            raise LayoutError(msg)
        read, written = ([index[name] for name in indices[0]] for index in indices)
        return writes_what_was_read(read, written, self.domain)

    def _computed(self, view: View) -> list[Expr]:
        hidden = self.hidden(view)
        return [hidden[0], *(hidden[i] for i in view.tensor_ids)]

    def base(self, view: View) -> dict[str, Expr]:
        """The tensor index of the first element of a thread, by dimension name."""
        first = {self.symbols[i]: sympy.Integer(0) for i in self.registers}
        hidden = self.hidden(view)
        return {
            name: simplify(hidden[i].xreplace(first), self.domain).expr
            for name, i in zip(view.tensor_names, view.tensor_ids, strict=True)
        }

    def displacement(self, view: View, element: Sequence[int]) -> Expr:
        """How far an element of a thread lies from its first one."""
        offset = self.hidden(view)[0]
        here = dict(zip((self.symbols[i] for i in self.registers), element, strict=True))
        there = {symbol: sympy.Integer(value) for symbol, value in here.items()}
        first = dict.fromkeys(there, sympy.Integer(0))
        gap = offset.xreplace(there) - offset.xreplace(first)
        found = simplify(gap, self.domain).expr
        if found.free_symbols - {p.symbol for p in self.sizes.parameters}:
            msg = f"{view.pointer}: element {tuple(element)} of a thread lies at {found},"
            raise LayoutError(f"{msg} which differs from thread to thread")
        return found

    def vectors(self, view: View) -> list[tuple[int, ...]]:
        """The first elements of all vectors of a view, in register coordinates."""
        along = self.vector_dimension(view)
        lengths = self.source.descriptor.lengths
        ranges = [range(1 if i == along else int(lengths[i])) for i in self.registers]
        return list(itertools.product(*ranges))

    def width(self, view: View) -> int:
        return int(self.source.descriptor.lengths[self.vector_dimension(view)])


def statements(move: TileMove) -> list[str]:
    """The body of the kernel, one statement a line: indices, vector loads, vector stores."""
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
