"""Claims and verdicts: what is said, of which points, and the witness on the map it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.claim import Claim, IndexMap
from layoutalg.index.evaluate import evaluate
from layoutalg.pictures.view import Cell, Formulas, Grid, Lines, Part, View, view_of
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["claim_view", "verdict_view"]

AROUND = 5  # rows and columns on each side of a witness
MOST_EVIDENCE = 6


@view_of.register
def claim_view(claim: Claim) -> View:
    """The points, the condition, and the statement.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> from layoutalg.properties import one_to_one
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(claim_view(one_to_one(make_naive_tensor_descriptor((8,), (3,)), "steps"))))
    one-to-one: steps
    for all 0 <= i0 < 8, 0 <= i0' < 8
    if
    Eq(3*i0, 3*i0')
    then
    i0 == i0'
    """
    domain = str(claim.domain).removeprefix("Domain: ")
    lines = [f"for all {domain}"]
    if claim.witness is not None:
        lines.append(f"there are {str(claim.witness).removeprefix('Domain: ')} with")
    parts: list[Part] = [Lines(tuple(lines))]
    if claim.when:
        parts += [Lines(("if",)), _statements(claim.when), Lines(("then",))]
    return View(f"{claim.name}: {claim.subject}", (*parts, _statements(claim.then)))


def _statements(said: Sequence[Any]) -> Formulas:
    return Formulas(tuple(("", statement) for statement in said))


@view_of.register
def verdict_view(verdict: Verdict) -> View:
    """What was found; for a refutation the point, its values, and the map around it."""
    match verdict:
        case Proved():
            evidence = [f"{name}: {value}" for name, value in list(verdict.evidence.items())[:MOST_EVIDENCE]]
            return View(str(verdict), (Lines(tuple(evidence)),) if evidence else ())
        case Unknown():
            return View("unknown", (Lines(tuple(verdict.reason.split("; "))),))
        case Refuted():
            return View(str(verdict), tuple(_of_refutation(verdict)))


def _of_refutation(refuted: Refuted) -> Iterator[Part]:
    if refuted.claim is not None:
        yield Lines((f"claim: {refuted.claim.name}: {refuted.claim.subject}",))
    if refuted.values:
        yield Lines(tuple(f"{name} = {value} there" for name, value in refuted.values.items()))
    claim = refuted.claim
    if claim is not None and claim.map is not None:
        sizes = {
            p.name: refuted.point[p.name] for p in claim.map.domain.parameters if p.name in refuted.point
        }
        bound = claim.map.bind(sizes)
        if bound.domain.axes and not bound.domain.parameters:
            yield from _grid(bound, claim, refuted.point)


def _grid(index_map: IndexMap, claim: Claim, point: Any) -> Iterator[Grid]:
    """The map near the witness: the last axis across, the one before down, the others held."""
    axes = [axis.name for axis in index_map.domain.axes]
    if claim.witness is not None:
        return
    marked = [tuple(point[name] for name in axes if name in point)]
    if claim.kind == "pairs":
        marked.append(tuple(point[f"{name}'"] for name in axes))
    if any(len(place) != len(axes) for place in marked):
        return
    held = marked[0][:-2]
    marked = [place for place in marked if place[:-2] == held]
    rows = _near([place[-2] for place in marked] if axes[1:] else [0])
    columns = _near([place[-1] for place in marked])
    rows, columns, values = _trimmed(rows, columns, _values(index_map, axes, held, rows, columns))

    def cell(row: int, column: int) -> Cell:
        here = (*held, rows[row], columns[column]) if axes[1:] else (columns[column],)
        return Cell(values[row][column], None, f"{here} → {values[row][column]}", is_marked=here in marked)

    fixed = "".join(f", {name} = {value}" for name, value in zip(axes, held, strict=False))
    title = f"the map around the witness{fixed}"
    names = tuple(map(str, rows)) if axes[1:] else ("",)
    yield Grid(title, "\\".join(axes[-2:]), names, tuple(map(str, columns)), cell)


def _trimmed(
    rows: list[int], columns: list[int], values: list[list[str]]
) -> tuple[list[int], list[int], list[list[str]]]:
    """Without the rows and columns that lie outside the domain."""
    down = [i for i, line in enumerate(values) if any(line)]
    across = [j for j in range(len(columns)) if any(line[j] for line in values)]
    return (
        [rows[i] for i in down],
        [columns[j] for j in across],
        [[values[i][j] for j in across] for i in down],
    )


def _near(places: list[int]) -> list[int]:
    return sorted({max(at + step, 0) for at in places for step in range(-AROUND, AROUND + 1)})


def _values(
    index_map: IndexMap, axes: list[str], held: tuple[int, ...], rows: list[int], columns: list[int]
) -> list[list[str]]:
    """The outputs as text; empty outside the domain, ``-`` where the map's condition fails."""
    down, across = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    at: dict[str, Any] = {name: np.full(down.shape, value) for name, value in zip(axes, held, strict=False)}
    at |= {axes[-1]: across} | ({axes[-2]: down} if axes[1:] else {})
    outputs = [np.broadcast_to(evaluate(output, at), down.shape) for output in index_map.outputs]
    valid = _all(index_map.when, at, down.shape)
    inside = _inside(index_map, at, down.shape)
    texts = [
        "" if not inside[i] else "-" if not valid[i] else ",".join(str(int(o[i])) for o in outputs)
        for i in range(len(down))
    ]
    return [texts[i : i + len(columns)] for i in range(0, len(texts), len(columns))]


def _all(conditions: Any, at: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    found = np.ones(shape, bool)
    for condition in conditions:
        found &= np.broadcast_to(np.asarray(evaluate(condition, at), bool), shape)
    return found


def _inside(index_map: IndexMap, at: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    found = np.ones(shape, bool)
    for axis in index_map.domain.axes:
        if axis.lower is not None:
            found &= at[axis.name] >= evaluate(axis.lower, at)
        if axis.upper is not None:
            found &= at[axis.name] < evaluate(axis.upper, at)
    return found
