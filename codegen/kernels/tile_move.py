"""Kernels that move a tile through registers, derived from two views of one index space.

Source and target are tensors seen through the same dimensions: workgroups, threads, and the
elements one thread holds. Which elements to load together follows from the source view, which to
store together from the target view; the registers are permuted in between.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties import (
    covers_map,
    fits_integer,
    one_to_one_map,
    vector_access_map,
)
from layoutalg.rules import simplify

if TYPE_CHECKING:
    from layoutalg.data_type import DataType
    from layoutalg.descriptor import TensorDescriptor

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
        return view.descriptor.hidden_index(self.symbols, SYMBOLIC)

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
            bounds = (Comparison(0, "<=", offset), Comparison(offset, "<", space))
            found.append(Claim("in memory bounds", word, domain, bounds, map=maps[word]))
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
        then = tuple(Comparison(indices[0][n], "==", indices[1][n]) for n in indices[0])
        return Claim("writes what was read", "element", self.domain, then)

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
