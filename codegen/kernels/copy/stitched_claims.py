"""What must hold of a stitched copy before its text is handed out.

Runs of the target's memory belong to one thread each and go through all of it. An element of a run is element
``at`` + e of the row it is in; all elements of a row lie together, so it is in the vector that was loaded for
that row, and that vector is in bounds. Elements that are loaded one by one are in bounds where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernels.copy.stitched_plan import AT, ROW, RowPart, StitchedPlan
from layoutalg.codegen.kernels.exact_move import follow_each_other, is_padding, writes_what_was_read
from layoutalg.domain import Domain
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.properties import (
    covers,
    covers_map,
    fits_integer,
    logical_bounds,
    memory_bounds,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
)

__all__ = ["ELEMENT", "accesses_of", "claims_of"]

PLACE, ELEMENT = sympy.symbols("place element", integer=True, nonnegative=True)


def claims_of(plan: StitchedPlan) -> tuple[Claim, ...]:
    """The claims of a stitched copy."""
    found = [*_runs(plan), *_target(plan), *_rows(plan)]
    for part in plan.all_parts:
        found += _part(plan, part) if part.is_met else [_padding(plan, part)]
    if plan.each_part:
        found += [memory_bounds(plan.rows_view, "elements"), logical_bounds(plan.rows_view, "elements")]
    return (*found, _fits(plan))


def accesses_of(plan: StitchedPlan) -> Iterator[ClaimedAccess]:
    """Vectors of rows, elements near the ends of memory, whole vectors of the target, and its tail."""
    launch = {"place": plan.threads * built_in("blockIdx.x") + built_in("threadIdx.x")}
    single = [loads for part in plan.each_part for loads in _one_by_one(plan, part)]
    for loads in (*single, *(_vectors(plan, part) for part in plan.each_part)):  # vectors may have the same
        yield ClaimedAccess("in", "load", plan.kind, loads, launch)
    stored = Domain.of({"place": plan.whole, "element": plan.held})
    yield ClaimedAccess("out", "store", plan.kind, IndexMap(stored, (plan.held * PLACE + ELEMENT,)), launch)
    if plan.tail:
        domain = Domain.of({"place": plan.places, "element": plan.tail})
        is_last = (sympy.Le(plan.whole, PLACE, evaluate=False),)
        at = plan.elements - plan.tail + ELEMENT
        yield ClaimedAccess("out", "store", plan.kind, IndexMap(domain, (at,), is_last), launch)


def _runs(plan: StitchedPlan) -> Iterator[Claim]:
    """Every place of the target's memory belongs to one element of one run, and to one thread."""
    domain = Domain.of({"block": plan.blocks, "thread": plan.threads})
    place = plan.threads * domain["block"] + domain["thread"]
    is_there = (sympy.Lt(place, plan.places, evaluate=False),) if plan.places % plan.threads else ()
    reached = IndexMap(domain, (place,), is_there)
    yield one_to_one_map(reached, "places")
    yield covers_map(reached, (sympy.Integer(plan.places),), "places")
    own, (at,) = _elements(plan)
    written = IndexMap(own, (at,), _stored(plan))
    yield one_to_one_map(written, "runs")
    yield from follow_each_other(plan.first, plan.held, plan.places, plan.elements, "runs")
    yield memory_bounds_map(written, plan.elements, "stores")


def _target(plan: StitchedPlan) -> Iterator[Claim]:
    """The target's memory in its order holds each element once, that of the same index of the source."""
    yield one_to_one(plan.target, "target")
    yield covers(plan.target, "target")
    domain = Domain.of({"at": plan.elements})
    at = (domain["at"],)
    order = Comparison(plan.flat_target.hidden_expressions(at)[0], "==", at[0])
    yield Claim("lies in order", "target", domain, (order,))
    read, written = (
        [view.hidden_expressions(at)[i] for i in whole.top_dimension_hidden_ids]
        for view, whole in ((plan.flat_source, plan.source), (plan.flat_target, plan.target))
    )
    yield writes_what_was_read(read, written, domain)


def _rows(plan: StitchedPlan) -> Iterator[Claim]:
    """All elements of a row lie together, at the start that the text computes."""
    offset = plan.rows_view.hidden_expressions((ROW, AT))[0]
    yield Claim("lies together", "rows", plan.domain, (Comparison(offset, "==", plan.start + AT),))


def _begin(plan: StitchedPlan) -> tuple[Expr, Expr]:
    """The row and the column at which a run begins."""
    first = plan.first(PLACE)
    if plan.rows == 1:
        return sympy.Integer(0), first
    row = sympy.Integer(plan.row)
    return FloorDiv.unchecked(first, row), FloorMod.unchecked(first, row)


def _where(plan: StitchedPlan, part: RowPart) -> dict[Symbol, Expr]:
    """A part's row and column by the place of a thread."""
    row, column = _begin(plan)
    return {part.row: row + part.number, part.at: column - part.number * plan.row}


def _part(plan: StitchedPlan, part: RowPart) -> Iterator[Claim]:
    """An element of a run is the element of the row that the text takes it for; vectors are in memory."""
    word, (domain, (at,)) = _word(part), _elements(plan)
    where, row = _where(plan, part), sympy.Integer(plan.row)
    mine = tuple(one.xreplace(where) for one in part.in_row(ELEMENT))
    if plan.rows > 1:
        own = (FloorDiv.unchecked(at, row), FloorMod.unchecked(at, row))
        said = (where[part.row], where[part.at] + ELEMENT)
        same = tuple(Comparison(one, "==", other) for one, other in zip(own, said, strict=True))
        yield Claim("element of the row", word, domain, same, mine)
    vectors = _vectors(plan, part)
    yield memory_bounds_map(vectors, plan.space, word)
    yield Claim("elements taken", word, domain, _among(part.elements), mine)
    for elements, beyond in zip(part.near_ends, _beyond(part), strict=True):
        asked = (*part.reached, *part.in_row(ELEMENT), *part.valid(ELEMENT), *_stored(plan))
        then = _among(elements)
        if elements:
            asked = (beyond, *asked)
        else:  # the vector is in memory wherever an element of it is there
            then = (Comparison(beyond.args[1], "<=", beyond.args[0]),)
        then, when = (tuple(one.xreplace(where) for one in some) for some in (then, asked))
        yield Claim("elements taken", f"{word}, one by one", domain, then, when)


def _padding(plan: StitchedPlan, part: RowPart) -> Claim:
    """No run has an element of this row that is no padding: the text leaves it out."""
    where = _where(plan, part)
    there = (*part.reached, *part.in_row(ELEMENT), *part.valid(ELEMENT))
    return is_padding([one.xreplace(where) for one in there], _elements(plan)[0], _word(part))


def _word(part: RowPart) -> str:
    return f"row {part.number} of a run"


def _among(elements: range) -> tuple[Comparison, ...]:
    """The element is one of these."""
    first, end = sympy.Integer(elements.start), sympy.Integer(elements.stop)
    return Comparison(first, "<=", ELEMENT), Comparison(ELEMENT, "<", end)


def _elements(plan: StitchedPlan) -> tuple[Domain, tuple[Expr, ...]]:
    """The elements of all runs: by place and element, where each lies in the target."""
    domain = Domain.of({"place": plan.places, "element": plan.held})
    return domain, (plan.first(PLACE) + ELEMENT,)


def _stored(plan: StitchedPlan) -> tuple[sympy.Basic, ...]:
    """When an element of a run is stored: of the last run its end alone."""
    if not plan.tail:
        return ()
    return (sympy.Le(plan.held * PLACE, plan.first(PLACE) + ELEMENT, evaluate=False),)


def _vectors(plan: StitchedPlan, part: RowPart) -> IndexMap:
    """The vector that is loaded for a row."""
    domain, where = _elements(plan)[0], _where(plan, part)
    ends = (one for one in part.is_inside if not part.is_always(one))
    when = (one.xreplace(where) for one in (*part.reached, *ends))
    return IndexMap(domain, (part.start.xreplace(where) + ELEMENT,), tuple(when))


def _one_by_one(plan: StitchedPlan, part: RowPart) -> Iterator[IndexMap]:
    """The elements that are loaded where the vector would reach beyond an end of memory."""
    where = _where(plan, part)
    for elements, beyond in zip(part.near_ends, _beyond(part), strict=True):
        if elements:
            element = elements.start + ELEMENT
            asked = (*part.reached, beyond, *part.in_row(element), *part.valid(element))
            domain = Domain.of({"place": plan.places, "element": len(elements)})
            place = (part.start.xreplace(where) + element,)
            yield IndexMap(domain, place, tuple(one.xreplace(where) for one in asked))


def _beyond(part: RowPart) -> Iterator[sympy.Basic]:
    """When the vector begins before memory, and when it ends after it."""
    for end in part.is_inside:
        left, right = end.args
        yield sympy.Lt(right, left, evaluate=False)


def _fits(plan: StitchedPlan) -> Claim:
    """All that is added up on the way fits 32 bits."""
    far = plan.row * plan.parts + plan.held
    computed = [*plan.sums(), plan.start - far, plan.start + far] if plan.each_part else []
    sizes = (sympy.Integer(plan.held * (plan.blocks * plan.threads)), sympy.Integer(plan.space))
    return fits_integer((*dict.fromkeys(computed), *sizes), plan.domain, "int32", "rows, as written")
