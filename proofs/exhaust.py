"""Deciding a claim by trying every point: slow for large domains, and never in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.errors import LayoutError
from layoutalg.evaluate import evaluate
from layoutalg.points import Block, blocks, count_at_most
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim, IndexMap
    from layoutalg.domain import Domain

__all__ = ["prove_by_exhaustion"]

LIMIT = 1 << 24  # points tried at most


def prove_by_exhaustion(claim: Claim, limit: int = LIMIT) -> Verdict:
    """Proved or refuted if the domain has at most ``limit`` points with known ends, else unknown."""
    try:
        if claim.name == "one-to-one" and claim.map is not None:
            return _one_to_one(claim.map, limit)
        if claim.witness is not None:
            return _covers(claim, limit)
        return _everywhere(claim, limit)
    except LayoutError as error:
        return Unknown(f"a point is undefined: {error}")


def _too_many(domain: Domain, limit: int) -> Unknown:
    del domain
    return Unknown(f"the domain has more than {limit} points, or open ends")


def _everywhere(claim: Claim, limit: int) -> Verdict:
    total = count_at_most(claim.domain, limit)
    if total is None:
        return _too_many(claim.domain, limit)
    for block in blocks(claim.domain):
        size = _size(block)
        chosen = np.ones(size, dtype=bool)
        for condition in claim.when:
            chosen &= np.broadcast_to(evaluate(condition, block), size)
        kept = {name: values[chosen] for name, values in block.items()}
        if not chosen.any():
            continue
        for comparison in claim.then:
            holds = np.broadcast_to(comparison.holds(kept), _size(kept))
            if not holds.all():
                return Refuted(_point(kept, int(np.argmin(holds))), "", "exhaustion")
    return Proved("exhaustion", {"points": total})


def _images(index_map: IndexMap, limit: int) -> tuple[Block, Any] | None:
    """Every valid point and its outputs as rows, or None if there are too many."""
    if count_at_most(index_map.domain, limit) is None:
        return None
    points: list[Block] = []
    rows = []
    for block in blocks(index_map.domain):
        size = _size(block)
        chosen = np.ones(size, dtype=bool)
        for condition in index_map.when:
            chosen &= np.broadcast_to(evaluate(condition, block), size)
        kept = {name: values[chosen] for name, values in block.items()}
        outputs = [np.broadcast_to(evaluate(output, kept), _size(kept)) for output in index_map.outputs]
        parameters = [kept[parameter.name] for parameter in index_map.domain.parameters]
        points.append(kept)
        rows.append(np.stack([*parameters, *outputs], axis=-1).reshape(_size(kept), -1))
    names = points[0]
    return {name: np.concatenate([p[name] for p in points]) for name in names}, np.concatenate(rows)


def _one_to_one(index_map: IndexMap, limit: int) -> Verdict:
    found = _images(index_map, limit)
    if found is None:
        return _too_many(index_map.domain, limit)
    points, rows = found
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    repeated = np.all(ordered[1:] == ordered[:-1], axis=1)
    if not repeated.any():
        return Proved("exhaustion", {"points": len(rows)})
    pairs = np.flatnonzero(repeated)
    later = np.maximum(order[pairs], order[pairs + 1])
    first = pairs[int(np.argmin(later))]
    one, other = sorted((int(order[first]), int(order[first + 1])))
    twin = {f"{axis.name}'": int(points[axis.name][other]) for axis in index_map.domain.axes}
    return Refuted(_point(points, one) | twin, "", "exhaustion")


def _covers(claim: Claim, limit: int) -> Verdict:
    index_map = claim.map
    found = None if index_map is None else _images(index_map, limit)
    if index_map is None or found is None or count_at_most(claim.domain, limit) is None:
        return _too_many(claim.domain, limit)
    reached = {tuple(row) for row in found[1].tolist()}
    names = [*(p.name for p in claim.domain.parameters), *(a.name for a in claim.domain.axes)]
    total = 0
    for block in blocks(claim.domain):
        rows = np.stack([block[name] for name in names], axis=-1)
        total += len(rows)
        for position, row in enumerate(rows.tolist()):
            if tuple(row) not in reached:
                return Refuted(_point(block, position), "", "exhaustion")
    return Proved("exhaustion", {"points": total})


def _size(block: Block) -> int:
    return len(next(iter(block.values()))) if block else 1


def _point(block: Block, position: int) -> dict[str, int]:
    return {name: int(values[position]) for name, values in block.items()}
