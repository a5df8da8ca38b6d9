"""A packed target filled by whole vectors, each stitched together out of rows of the source.

Seen in the order of the target's memory, the source consists of rows whose elements lie together. Where a row
has an odd length, or zeros around it, a vector of the target is no aligned vector of the source: a thread
loads one vector for each row that its run has a part of, wherever it begins, and takes what it needs.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
>>> source = packed((4, 13)).pad(1, 1, 1)
>>> plan = StitchedPlan.of(source, packed(source.lengths), "f16")
>>> plan.row, plan.rows, plan.held, plan.whole, plan.tail, plan.parts
(15, 4, 8, 7, 4, 2)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.copy.fitting import fitting, fitting_conditions, summands
from layoutalg.codegen.kernels.copy.plan import MOST_AT_ONCE, THREADS, all_places, tried_places
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain, Variable
from layoutalg.index import Min
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.machine import EVERY_GPU
from layoutalg.rules import simplify
from layoutalg.transforms import MergeVariant

__all__ = ["AT", "ROW", "RowPart", "StitchedPlan"]

SHORTEST = 3  # elements of a row that are worth a vector
MOST_CHOSEN = 8  # elements of a thread that are taken one by one out of vectors
ROW, AT = sympy.symbols("row at", integer=True)


@dataclass(frozen=True)
class StitchedPlan:
    """Element i of ``target`` becomes element i of ``source``, or zero where that one is padding.

    ``flat_source`` and ``flat_target``: both by the place in the target's memory; ``row``: how many elements
    of the source lie together, from each multiple of it on. ``held``: elements of a vector, one a thread.
    """

    source: TensorDescriptor
    target: TensorDescriptor
    element: str
    flat_source: TensorDescriptor
    flat_target: TensorDescriptor
    row: int
    held: int
    threads: int = THREADS

    @classmethod
    def of(
        cls, source: TensorDescriptor, target: TensorDescriptor, element: DataType | str
    ) -> StitchedPlan | None:
        """The plan; None where the target is not packed in some order, or the source has no rows."""
        kind = element if isinstance(element, DataType) else DataType.named(element)
        order = _memory_order(target)
        if order is None:
            return None
        flat_source, flat_target = (_flat(side, order) for side in (source, target))
        row, widest = _row_length(flat_source), EVERY_GPU.access_bytes // kind.bytes
        is_one = row == int(flat_source.lengths[0]) and flat_source.validity == sympy.true
        held = widest if is_one else min(widest, MOST_CHOSEN)
        found = cls(source, target, kind.name, flat_source, flat_target, row, held)
        if row < SHORTEST or found.parts > max(2, found.held // 2) or not found.whole:
            return None
        return found if all(part.is_ever_whole for part in found.each_part) else None

    @property
    def kind(self) -> DataType:
        return DataType.named(self.element)

    @property
    def elements(self) -> int:
        return int(self.flat_target.lengths[0])

    @property
    def rows(self) -> int:
        return self.elements // self.row

    @property
    def whole(self) -> int:
        """Threads that write a whole vector."""
        return self.elements // self.held

    @property
    def tail(self) -> int:
        """Elements after the last whole vector; one thread more writes them, the end of a vector."""
        return self.elements % self.held

    @property
    def places(self) -> int:
        return self.whole + (self.tail > 0)

    @property
    def blocks(self) -> int:
        return -(-self.places // self.threads)

    @property
    def step(self) -> int:
        """What the column at which a run begins is a multiple of."""
        return math.gcd(self.held, self.row, self.tail)

    @property
    def parts(self) -> int:
        """Rows of which a run has a part at most."""
        return -(-(self.last + self.held) // self.row)

    @property
    def last(self) -> int:
        """The last column at which a run may begin."""
        return self.row - self.step if self.rows > 1 else self.elements - self.held

    def first(self, place: Any) -> Any:
        """The first element of a thread's run: the last run ends with the target."""
        begin, last = as_expression(self.held * place), sympy.Integer(self.elements - self.held)
        return Min(begin, last) if self.tail else begin

    def is_stored(self, first: NDArray[np.int64], element: Any) -> NDArray[np.bool_]:
        """Which elements of runs that begin there are stored: of the last run its end alone."""
        return (first % self.held == 0) | (element >= self.held - self.tail)

    @property
    def space(self) -> int:
        """Elements of the source's memory."""
        return int(self.source.base_offset) + int(self.source.element_space_size)

    @cached_property
    def rows_view(self) -> TensorDescriptor:
        """The source by row and element of the row."""
        return self.flat_source.unmerge(0, (self.rows, self.row))

    @cached_property
    def domain(self) -> Domain:
        """All rows, and all elements of a row."""
        return Domain(
            (
                Variable(ROW, sympy.Integer(0), sympy.Integer(self.rows)),
                Variable(AT, sympy.Integer(0), sympy.Integer(self.row)),
            )
        )

    @cached_property
    def start(self) -> Expr:
        """Where a row begins in memory, whether or not its first element is there."""
        hidden: Any = self.rows_view.hidden_expressions((ROW, sympy.Integer(0)))
        return fitting(hidden[0], self.domain)

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        """What must hold for an element of a row to be no padding; what always holds is left out."""
        return fitting_conditions(self.rows_view.interpret_validity((ROW, AT), SYMBOLIC), self.domain)

    @cached_property
    def all_parts(self) -> list[RowPart]:
        return [RowPart(self, number) for number in range(self.parts)]

    @property
    def each_part(self) -> list[RowPart]:
        """Those with an element that is no padding."""
        return [part for part in self.all_parts if part.is_met]

    @property
    def asks_where_memory_ends(self) -> bool:
        """Whether vectors may reach beyond the ends of the source's memory."""
        return not all(part.is_always(one) for part in self.each_part for one in part.is_inside)

    def sums(self) -> Iterator[Expr]:
        """What may stand in a register on the way to a row's start, and to its conditions."""
        yield from summands((self.start, *(side for one in self.conditions for side in one.args)))


@dataclass(frozen=True)
class RowPart:
    """What a run has of the row in which it begins (``number`` 0), or of one after that.

    ``row`` is that row, and ``at`` the run's first element counted from where the row begins: below 0 where
    the run begins in an earlier row. Element e of the run is element ``at`` + e of the row, if there is one.
    """

    plan: StitchedPlan
    number: int

    @property
    def row(self) -> Symbol:
        return Symbol(f"row{self.number}", integer=True)

    @property
    def at(self) -> Symbol:
        return Symbol(f"at{self.number}", integer=True)

    @property
    def start(self) -> Expr:
        """Where the run's first element would lie, if it were one of this row."""
        return as_expression(self.plan.start.xreplace({ROW: self.row}) + self.at)

    @cached_property
    def elements(self) -> range:
        """Elements of the run that may be in this row."""
        plan, before = self.plan, self.number * self.plan.row
        first = max(0, before - plan.last)
        return range(first, min(plan.held, before + plan.row))

    @property
    def reached(self) -> tuple[Any, ...]:
        """When the run has a part of this row."""
        if self.number == 0:
            return ()
        return (sympy.Lt(-self.plan.held, self.at, evaluate=False),)

    @property
    def is_inside(self) -> tuple[Any, ...]:
        """When the vector from ``start`` on begins in memory, and when it ends there."""
        start, last = self.start, self.plan.space - self.plan.held
        return sympy.Le(0, start, evaluate=False), sympy.Le(start, last, evaluate=False)

    def is_always(self, condition: Any) -> bool:
        """Whether a condition holds for all rows, wherever a run begins."""
        return bool(simplify(condition, self.domain()).expr == sympy.true)

    @cached_property
    def is_met(self) -> bool:
        """Whether an element of a run is one of this row, and no padding; asked of every run."""
        return any(map(self._is_met_at, all_places(self.plan.places)))

    @cached_property
    def is_ever_whole(self) -> bool:
        """Whether the vector of a run is in memory; asked of every run."""
        return any(map(self._is_whole_at, all_places(self.plan.places)))

    def _is_met_at(self, places: NDArray[np.int64]) -> bool:
        """Whether one of these runs has such an element."""
        plan, (row, at) = self.plan, self._begins(places)
        column = at[:, None] + np.arange(plan.held)
        own = np.clip(column, 0, plan.row - 1)
        valid = plan.rows_view.is_valid_index([np.broadcast_to(row[:, None], own.shape), own])
        return bool(np.any(valid & (own == column)))

    def _is_whole_at(self, places: NDArray[np.int64]) -> bool:
        """Whether one of these runs has such a vector."""
        plan, (row, at) = self.plan, self._begins(places)
        start = plan.rows_view.calculate_offset([row, np.zeros_like(row)]) + at
        return bool(np.any((start >= 0) & (start <= plan.space - plan.held)))

    def _begins(self, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """``row`` and ``at`` of those runs that have a part of this row."""
        plan = self.plan
        first = np.minimum(plan.held * places, plan.elements - plan.held)
        row = first // plan.row + self.number
        at = first - row * plan.row
        is_reached = at > -plan.held
        return row[is_reached], at[is_reached]

    @cached_property
    def near_ends(self) -> tuple[range, range]:
        """Elements that are there though the vector begins before memory, or ends after it.

        A proposal, found in all rows near the ends, which the claims prove.
        """
        held, space = self.plan.held, self.plan.space
        return self._met(range(1 - held, 0)), self._met(range(space - held + 1, space))

    def _met(self, starts: range) -> range:
        """The elements of runs that are there where the vector's start is one of these."""
        plan = self.plan
        rows = np.arange(self.number, plan.rows)
        begins = np.broadcast_to(plan.rows_view.calculate_offset([rows, np.zeros_like(rows)]), rows.shape)
        is_near = (begins - self.number * plan.row <= starts[-1]) & (starts[0] <= begins + plan.last)
        row, begin = rows[is_near][:, None, None], begins[is_near][:, None, None]
        at = np.array(starts)[None, :, None] - begin  # of the run's first element
        column, element = at + self.number * plan.row, np.arange(plan.held)
        place = (row - self.number) * plan.row + column
        is_begin = (place % plan.held == 0) | (place == plan.elements - plan.held)
        is_run = (column >= 0) & (column <= plan.last) & is_begin
        own = np.clip(at + element, 0, plan.row - 1)
        is_met = is_run & (own == at + element) & (place <= plan.elements - plan.held)
        is_met = is_met & plan.is_stored(place, element)
        is_met = is_met & plan.rows_view.is_valid_index([np.broadcast_to(row, own.shape), own])
        met = np.unique(np.nonzero(is_met)[2])
        return range(int(met[0]), int(met[-1]) + 1) if len(met) else range(0)

    def in_row(self, element: Any) -> tuple[Any, ...]:
        """When an element of the run is one of this row; what always holds is left out."""
        plan, found = self.plan, []
        if self.number > 0:
            found.append(sympy.Le(0, self.at + element, evaluate=False))
        if self.number + 1 < plan.parts:
            found.append(sympy.Lt(self.at + element, plan.row, evaluate=False))
        return tuple(found)

    def valid(self, element: Any) -> tuple[Any, ...]:
        """When an element of this row is no padding."""
        places = {ROW: self.row, AT: self.at + element}
        return tuple(
            one.func(*(side.xreplace(places) for side in one.args), evaluate=False) if one.args else one
            for one in self.plan.conditions
        )

    def domain(self, element: int | None = None) -> Domain:
        """All rows; where a run begins that reaches this one, and has this ``element`` in it, if given."""
        plan, before = self.plan, self.number * self.plan.row
        low, high = (0 if self.number == 0 else 1 - plan.held), plan.last - before + 1
        if element is not None:
            low, high = max(low, -element), min(high, plan.row - element)
        at = Variable(self.at, sympy.Integer(low), sympy.Integer(high))
        return Domain((Variable(self.row, sympy.Integer(0), sympy.Integer(plan.rows)), at))


def _memory_order(target: TensorDescriptor) -> tuple[int, ...] | None:
    """The dimensions from the slowest in memory on, if the target is packed in that order."""
    if target.validity != sympy.true or int(target.base_offset):
        return None
    offset = sympy.expand(target.offset)
    strides = [offset.coeff(index, 1) for index in target.index]
    if not all(stride.is_Integer for stride in strides):
        return None
    order = sorted(range(target.rank), key=lambda i: (-int(strides[i]), int(target.lengths[i]) == 1))
    expected = 1
    for i in reversed(order):
        if int(target.lengths[i]) > 1 and strides[i] != expected:
            return None
        expected *= int(target.lengths[i])
    rest = sympy.expand(offset - sum(s * i for s, i in zip(strides, target.index, strict=True)))
    return tuple(order) if rest == 0 else None


def _flat(tensor: TensorDescriptor, order: tuple[int, ...]) -> TensorDescriptor:
    """All dimensions as one, in this order."""
    return tensor.permute(*order).merge(*range(tensor.rank), variant=MergeVariant.V3_DIVISION_MOD)


def _row_length(flat: TensorDescriptor) -> int:
    """The largest row of which all elements lie together: a proposal, which the claims prove.

    Of many elements some are looked at, then whole rows of what is found so, until nothing is found in them.
    """
    count = int(flat.lengths[0])
    row = _gcd_of_breaks(flat, count, tried_places(count - 1) if count > 1 else np.zeros(0, dtype=np.int64))
    while True:
        whole = np.arange(min(row, MOST_AT_ONCE))
        rows = {0, count // row // 2, count // row - 1}
        finer = math.gcd(row, *(_gcd_of_breaks(flat, row, row * number + whole[:-1]) for number in rows))
        if finer == row:
            return row
        row = finer


def _gcd_of_breaks(flat: TensorDescriptor, row: int, places: NDArray[np.int64]) -> int:
    """What ``row`` and all places have in common that do not lie behind the one before them."""
    here, there = (np.broadcast_to(flat.calculate_offset([p]), p.shape) for p in (places, places + 1))
    breaks = np.unique(places[there != here + 1] + 1)
    return math.gcd(row, int(np.gcd.reduce(breaks)) if len(breaks) else 0)
