"""What must hold of a box before its text is handed out.

Boxes reach every element and stay within the tensor. Every element of a box is loaded, into a place of its
own; after a barrier, every element of the target's box is read where that of the same index was put, or is a
zero beside the source, and is stored where it belongs. What two boxes or two vectors share, both store with
the same value.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.boxes.box import BLOCK, ELEMENT, ROUND, THREAD, Box
from layoutalg.codegen.kernels.boxes.strided_move import SIDES, Side
from layoutalg.codegen.kernels.exact_move import follow_each_other, vector_together, writes_what_was_read
from layoutalg.codegen.schedule import THROUGH_LDS
from layoutalg.domain import Domain
from layoutalg.properties import (
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one_map,
    vector_access_map,
    within,
)

__all__ = ["claims_of"]

PLACE, NUMBER, INDEX = (Symbol(name, integer=True, nonnegative=True) for name in ("place", "number", "index"))
WORDS = {"source": "loads", "target": "stores"}


def claims_of(box: Box) -> tuple[Claim, ...]:
    """The claims of a box."""
    found = [*_numbers(box), THROUGH_LDS.barrier_between("box in LDS"), *_shared(box)]
    for i in range(len(box.lengths)):
        found += _dimension(box, i)
    for side in SIDES:
        found += _side(box, side)
    return tuple(found)


def _numbers(box: Box) -> Iterator[Claim]:
    """Each box is one workgroup's."""
    numbers = IndexMap(Domain.of({BLOCK.name: box.blocks}), box.numbers)
    yield one_to_one_map(numbers, "boxes")
    yield covers_map(numbers, tuple(map(sympy.Integer, box.counts)), "boxes")


def _dimension(box: Box, i: int) -> Iterator[Claim]:
    """Along a dimension boxes reach every element, and nothing beyond it."""
    word, padded = f"dimension {i}", box.move.dimensions[i].padded
    domain = Domain.of({NUMBER.name: box.counts[i], INDEX.name: box.lengths[i]})
    at = box.start(i, NUMBER) + INDEX
    yield from follow_each_other(lambda n: box.start(i, n), box.lengths[i], box.counts[i], padded, word)
    yield Claim("in bounds", word, domain, within((at,), (padded,)))


def _side(box: Box, side: Side) -> Iterator[Claim]:
    """Threads move every element of every run, in vectors that lie together, in memory."""
    runs, word = box.runs(side), WORDS[side]
    counted = Domain.of({THREAD.name: box.threads, ROUND.name: box.rounds(side)})
    there = (sympy.Lt(box.place(), runs.places, evaluate=False),) if box.is_cut(side) else ()
    places = IndexMap(counted, (box.place(),), there)
    yield one_to_one_map(places, f"places, {word}")
    yield covers_map(places, (sympy.Integer(runs.places),), f"places, {word}")
    moved = _moved(box, side)
    yield one_to_one_map(moved, f"box, {word}")
    yield covers_map(moved, (sympy.Integer(runs.count), sympy.Integer(runs.length)), f"box, {word}")
    every = IndexMap(moved.domain, moved.outputs)
    yield Claim("in bounds", f"box, {word}", every.domain, within(every.outputs, (runs.count, runs.length)))
    accesses = box.accesses(side)
    yield memory_bounds_map(accesses, sympy.Integer(box.move.space(side)), word)
    if box.begins_anywhere(side):
        yield vector_together(accesses, ELEMENT, word)
    else:
        yield from vector_access_map(accesses, ELEMENT, runs.vector, word)
    yield from _right_place(box, side, word)
    yield fits_integer((*accesses.outputs, box.corner(side, box.starts)), accesses.domain, "int32", word)
    if side == "source":
        yield from _of_the_source(box)


def _of_the_source(box: Box) -> Iterator[Claim]:
    """An element that is no zero is loaded: it lies in memory."""
    if not any(dimension.has_zeros for dimension in box.move.dimensions):
        return
    ends = {f"i{i}": dimension.length for i, dimension in enumerate(box.move.dimensions)}
    domain = Domain.of(ends)
    steps = (d.source * domain[name] for name, d in zip(ends, box.move.dimensions, strict=True))
    place = IndexMap(domain, (sympy.Add(box.move.base, *steps),))
    yield memory_bounds_map(place, sympy.Integer(box.move.space("source")), "source")


def _moved(box: Box, side: Side) -> IndexMap:
    """Run and element of it, by vector and element; of the last vector what the one before has not."""
    runs = box.runs(side)
    domain = Domain.of({PLACE.name: runs.places, ELEMENT.name: runs.vector})
    number = runs.number(PLACE)
    at = runs.begin(number) + ELEMENT
    own = (sympy.Le(runs.vector * number, at, evaluate=False),) if runs.shift else ()
    return IndexMap(domain, (runs.run(PLACE), at), own)


def _of_runs(box: Box, side: Side) -> tuple[Domain, Expr, Expr]:
    """Every run, and every element of one."""
    runs = box.runs(side)
    domain = Domain.of({"run": runs.count, "at": runs.length})
    return domain, domain["run"], domain["at"]


def _right_place(box: Box, side: Side, word: str) -> Iterator[Claim]:
    """An element of a run lies where its index in the box says; every index of the box is that of one."""
    runs, (domain, run, at) = box.runs(side), _of_runs(box, side)
    index = runs.index(run, at)
    place = sympy.Add(*(runs.steps[i] * digit for i, digit in index.items()))
    yield Claim("right place", word, domain, (Comparison(runs.in_memory(run, at), "==", place),))
    ordered = IndexMap(domain, tuple(index[i] for i in sorted(index)))
    yield one_to_one_map(ordered, f"index, {word}")
    yield covers_map(ordered, tuple(map(sympy.Integer, runs.lengths)), f"index, {word}")


def _shared(box: Box) -> Iterator[Claim]:
    """In shared memory each element that was loaded has a place, where it is read by its index."""
    runs, moved, room = box.loaded, _moved(box, "source"), sympy.Integer(box.shared_elements)
    puts = IndexMap(moved.domain, (box.put(PLACE) + ELEMENT,))
    yield one_to_one_map(puts, "box in LDS")
    yield memory_bounds_map(puts, room, "box in LDS")
    yield from vector_access_map(puts, ELEMENT, runs.vector, "box in LDS")
    kept = box.skewed(box.counted(*moved.outputs))
    same = (Comparison(kept, "==", puts.outputs[0]),)
    yield Claim("lies where it is read", "box in LDS", moved.domain, same, moved.when)
    domain = Domain.of({f"i{i}": length for i, length in enumerate(box.lengths)})
    index = {i: domain[f"i{i}"] for i in range(len(box.lengths))}
    yield memory_bounds_map(IndexMap(domain, (box.in_shared(index),)), room, "reads of the box")
    domain, run, at = _of_runs(box, "source")
    read = {i: digit + box.skipped(i) for i, digit in runs.index(run, at).items()}
    yield writes_what_was_read(box.in_loaded(read), (run, at), domain)
