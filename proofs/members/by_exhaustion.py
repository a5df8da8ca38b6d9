"""Deciding a claim by trying every point: in blocks, in bounded memory, and never in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.claim import IndexMap
from layoutalg.domain.points import Block, blocks, count_at_most
from layoutalg.errors import BeyondTableError, LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.proofs.digits.find_duplicate import HELD, first_duplicate
from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.progress import watched
from layoutalg.proofs.smt.purification import Purified
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from layoutalg.claim import Claim
    from layoutalg.domain import Domain

__all__ = ["prove_by_exhaustion"]

BITMAP = 1 << 28  # marks held at most, one byte each
NUMBER = 1 << 62


def prove_by_exhaustion(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved or refuted if the domain has at most ``limits.points`` points with known ends, else unknown."""
    try:
        if not _fits_words(claim):
            return Unknown("a value may not fit into 64 bits")
        if claim.kind == "pairs" and claim.map is not None:
            return _told_apart(claim, claim.map, limits.points)
        if claim.witness is not None:
            return _covers(claim, limits.points)
        return _everywhere(claim, limits.points)
    except BeyondTableError as error:
        point = _beyond_a_table(claim)
        return Unknown(error.message) if point is None else Refuted(point, "", "exhaustion")
    except LayoutError as error:
        return Unknown(f"a point is undefined: {error.message}")


def _beyond_a_table(claim: Claim) -> dict[str, int] | None:
    """The first valid point at which an entry is read that a table does not have."""
    if claim.witness is not None:
        return None
    about = claim.speaks_of
    sides = (
        about.outputs if isinstance(about, IndexMap) else [s for c in about.then for s in (c.left, c.right)]
    )
    try:
        block = next(b for b in _chosen(about.domain, about.when) if _reads_beyond(sides, b))
    except (StopIteration, BeyondTableError):  # none, or validity itself is not defined somewhere
        return None
    low, high = 0, _size(block)
    while high - low > 1:
        middle = (low + high) // 2
        first = {name: values[low:middle] for name, values in block.items()}
        low, high = (low, middle) if _reads_beyond(sides, first) else (middle, high)
    point = _point(block, low)
    twins = {f"{axis.name}'": point[axis.name] for axis in about.domain.axes}
    return point | twins if claim.kind == "pairs" else point


def _reads_beyond(expressions: Iterable[Any], block: Block) -> bool:
    try:
        for expression in expressions:
            evaluate(expression, block)
    except BeyondTableError:
        return True
    return False


def _fits_words(claim: Claim) -> bool:
    """Whether NumPy's 64-bit integers hold every value on the way."""
    about = claim.speaks_of
    values = Purified(about.domain)
    sides = (
        about.outputs if isinstance(about, IndexMap) else [s for c in about.then for s in (c.left, c.right)]
    )
    for expression in (*sides, *about.when):
        values.of(expression)
    return values.is_below(NUMBER)


def _too_many(limit: int) -> Unknown:
    return Unknown(f"the domain has more than {limit} points, or open ends")


def _everywhere(claim: Claim, limit: int) -> Verdict:
    total = count_at_most(claim.domain, limit)
    if total is None:
        return _too_many(limit)
    for kept in _chosen(claim.domain, claim.when):
        for comparison in claim.then:
            holds = np.broadcast_to(comparison.holds(kept), _size(kept))
            if not holds.all():
                return Refuted(_point(kept, int(np.argmin(holds))), "", "exhaustion")
    return Proved("exhaustion", {"points": total})


def _chosen(domain: Domain, when: tuple[Any, ...]) -> Iterator[Block]:
    """The points at which the conditions hold, block by block; none is empty."""
    for block in watched(blocks(domain), _size):
        if not _size(block):
            continue
        kept = block
        for condition in when:  # one after another: the next may be defined only where the former hold
            chosen = np.broadcast_to(evaluate(condition, kept), _size(kept))
            if not chosen.any():
                break
            kept = kept if chosen.all() else {name: values[chosen] for name, values in kept.items()}
        else:
            yield kept


class _Images:
    """The outputs of a map at all valid points, as rows of ``(parameters, outputs)`` and as numbers."""

    def __init__(self, index_map: IndexMap) -> None:
        self.map = index_map
        self.names = [parameter.name for parameter in index_map.domain.parameters]
        self.count = 0
        self.ends: NDArray[Any] | None = None
        for rows in self.rows():
            self.count += len(rows)
            self.include(rows)

    def blocks(self) -> Iterator[Block]:
        return _chosen(self.map.domain, self.map.when)

    def rows(self) -> Iterator[NDArray[np.int64]]:
        for block in self.blocks():
            size = _size(block)
            outputs = [np.broadcast_to(evaluate(output, block), size) for output in self.map.outputs]
            yield np.stack([*(block[name] for name in self.names), *outputs], axis=-1).reshape(size, -1)

    def include(self, rows: NDArray[np.int64]) -> None:
        """Widen the known ends of each column."""
        ends = np.stack([rows.min(axis=0), rows.max(axis=0)])
        if self.ends is None:
            self.ends = ends
        else:
            self.ends = np.stack([np.minimum(self.ends[0], ends[0]), np.maximum(self.ends[1], ends[1])])

    @property
    def range(self) -> int:
        """How many different numbers rows can have."""
        assert self.ends is not None
        total = 1
        for low, high in self.ends.T.tolist():
            total *= high - low + 1
        return total

    def numbers(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each row as one number, different rows as different numbers."""
        assert self.ends is not None
        found = np.zeros(len(rows), dtype=np.int64)
        for column, (low, high) in enumerate(self.ends.T.tolist()):
            found = found * (high - low + 1) + (rows[:, column] - low)
        return found


def _told_apart(claim: Claim, index_map: IndexMap, limit: int) -> Verdict:
    if set(claim.told) != {axis.symbol for axis in index_map.domain.axes}:
        return _partly_told_apart(claim, index_map, min(limit, HELD))
    total = count_at_most(index_map.domain, limit)
    if total is None:
        return _too_many(limit)
    images = _Images(index_map)
    if not images.count:
        return Proved("exhaustion", {"points": 0})
    if images.range > NUMBER:
        return Unknown("the outputs are spread too widely to be numbered")
    if images.range <= BITMAP and _all_differ(images):
        return Proved("exhaustion", {"points": total})
    repeat = first_duplicate(lambda: map(images.numbers, images.rows()), images.count)
    if repeat is None:
        return Proved("exhaustion", {"points": total})
    one, other = (_at(images.blocks(), place) for place in repeat)
    twin = {f"{axis.name}'": other[axis.name] for axis in index_map.domain.axes}
    return Refuted(one | twin, "", "exhaustion")


def _partly_told_apart(claim: Claim, index_map: IndexMap, limit: int) -> Verdict:
    """Whether equal outputs come with equal values of some axes: sorted by output, neighbours tell."""
    total = count_at_most(index_map.domain, limit)
    if total is None:
        return _too_many(limit)
    images = _Images(index_map)
    if not images.count:
        return Proved("exhaustion", {"points": 0})
    rows = np.concatenate(list(images.rows()))
    told = np.concatenate([_values(claim.told, block) for block in images.blocks()])
    order = np.lexsort(rows.T)
    same = np.all(rows[order[1:]] == rows[order[:-1]], axis=1)
    apart = np.any(told[order[1:]] != told[order[:-1]], axis=1)
    clashes = np.flatnonzero(same & apart)
    if not len(clashes):
        return Proved("exhaustion", {"points": total})
    one, other = sorted(int(place) for place in order[clashes[0] : clashes[0] + 2])
    first, second = _at(images.blocks(), one), _at(images.blocks(), other)
    return Refuted(first | {f"{a.name}'": second[a.name] for a in index_map.domain.axes}, "", "exhaustion")


def _values(expressions: tuple[Any, ...], block: Block) -> NDArray[Any]:
    size = _size(block)
    found = [np.broadcast_to(evaluate(expression, block), size) for expression in expressions]
    return np.stack(found, axis=-1).reshape(size, -1)


def _all_differ(images: _Images) -> bool:
    marked = _marked(images)
    return int(np.count_nonzero(marked)) == images.count


def _marked(images: _Images) -> NDArray[np.bool_]:
    marks = np.zeros(images.range, dtype=bool)
    for rows in images.rows():
        marks[images.numbers(rows)] = True
    return marks


def _covers(claim: Claim, limit: int) -> Verdict:
    index_map, total = claim.map, count_at_most(claim.domain, limit)
    if index_map is None or total is None or count_at_most(index_map.domain, limit) is None:
        return _too_many(limit)
    images = _Images(index_map)
    names = [*(p.name for p in claim.domain.parameters), *(a.name for a in claim.domain.axes)]

    def targets() -> Iterator[tuple[Block, NDArray[np.int64]]]:
        for block in watched(blocks(claim.domain), _size):
            yield block, np.stack([block[name] for name in names], axis=-1)

    for _, rows in targets():
        if len(rows):
            images.include(rows)
    if images.ends is None:
        return Proved("exhaustion", {"points": 0})
    if images.range > BITMAP:
        return Unknown("the targets are too many to be marked")
    marked = _marked(images)
    for block, rows in targets():
        reached = marked[images.numbers(rows)]
        if not reached.all():
            return Refuted(_point(block, int(np.argmin(reached))), "", "exhaustion")
    return Proved("exhaustion", {"points": total})


def _at(found: Iterator[Block], place: int) -> dict[str, int]:
    """The point at a place in the order of all blocks."""
    for block in found:
        if place < _size(block):
            return _point(block, place)
        place -= _size(block)
    msg = "there are not that many points"
    raise IndexError(msg)


def _size(block: Block) -> int:
    return len(next(iter(block.values()))) if block else 1


def _point(block: Block, position: int) -> dict[str, int]:
    return {name: int(values[position]) for name, values in block.items()}
