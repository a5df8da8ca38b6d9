"""Kernels that move a tile through registers, derived from two views of one index space.

Source and target are tensors seen through the same dimensions: workgroups, threads, and the
elements one thread holds. Which elements to load together follows from the source view, which to
store together from the target view; the registers are permuted in between.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernels.exact_move import writes_what_was_read
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.properties import (
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    vector_access_map,
)
from layoutalg.rules import simplify

__all__ = ["Dimension", "TileMove", "View"]


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

    ``matrix`` is where it lies. ``tensor_ids`` are the hidden ids of the tensor's own
    dimensions, named by ``tensor_names``; ``vector_name`` begins the names of loaded vectors.
    """

    descriptor: TensorDescriptor
    matrix: StoredMatrix
    tensor_ids: tuple[int, ...]
    tensor_names: tuple[str, ...]
    vector_name: str = "row"

    @property
    def pointer(self) -> str:
        """The argument that it lies at."""
        return self.matrix.name

    @property
    def space(self) -> Expr:
        """The elements of memory from the first to the last."""
        is_packed = self.matrix.leading is None
        return as_expression(self.descriptor.element_space_size) if is_packed else self.matrix.space


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
            found.append(memory_bounds_map(maps[word], view.space, word))
            found += view.matrix.right_places(maps[word], self._index(view), word)
        found += self._written_once(maps["writes"])
        found.append(self._right_element())
        for view, word in ((self.source, "reads"), (self.target, "writes")):
            dimension = self.vector_dimension(view)
            width = int(self.source.descriptor.lengths[dimension])
            found += vector_access_map(maps[word], self.symbols[dimension], width, word)
        computed = [part for view in (self.source, self.target) for part in self._computed(view)]
        found.append(fits_integer(tuple(computed), domain, "int32", "indices"))
        return tuple(found)

    def accesses(self, block: tuple[int, ...]) -> tuple[ClaimedAccess, ...]:
        """What threads of workgroups of this shape load and store."""
        launch = {d.name: built_in(d.built_in, block) for d in self.dimensions if d.built_in}
        sides: tuple[tuple[View, Literal["load", "store"]], ...]
        sides = ((self.source, "load"), (self.target, "store"))
        return tuple(
            ClaimedAccess(
                view.pointer, way, self.element, IndexMap(self.domain, (self.hidden(view)[0],)), launch
            )
            for view, way in sides
        )

    def _written_once(self, writes: IndexMap) -> list[Claim]:
        """Every element of the target belongs to one register of one thread, and has a place of its own."""
        matrix = self.target.matrix
        if matrix.leading is None:
            return [one_to_one_map(writes, "writes"), covers_map(writes, (self.target.space,), "writes")]
        elements = IndexMap(self.domain, self._index(self.target))
        in_memory = make_naive_tensor_descriptor((matrix.rows, matrix.length), (matrix.step, 1))
        return [
            one_to_one_map(elements, "elements"),
            covers_map(elements, (matrix.rows, matrix.length), "elements"),
            one_to_one(in_memory.assuming(self.sizes), "target in memory"),
        ]

    def _index(self, view: View) -> tuple[Expr, ...]:
        """The tensor's own index of an element."""
        hidden = self.hidden(view)
        return tuple(hidden[i] for i in view.tensor_ids)

    def _right_element(self) -> Claim:
        """At every point the tensor index written is the tensor index read."""
        indices = [
            dict(zip(view.tensor_names, self._index(view), strict=True))
            for view in (self.source, self.target)
        ]
        if indices[0].keys() != indices[1].keys():
            msg = f"the tensors have different dimensions: {set(indices[0])} and {set(indices[1])}"
            raise LayoutError(msg)
        read, written = ([index[name] for name in indices[0]] for index in indices)
        return writes_what_was_read(read, written, self.domain)

    def _computed(self, view: View) -> list[Expr]:
        return [self.hidden(view)[0], *self._index(view)]

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
