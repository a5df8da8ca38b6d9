"""What accesses of a kernel cost in memory, counted on a sample of its waves: segments touched, bytes a lane.

>>> from layoutalg.codegen.kernels import permute
>>> kernel = permute((512, 512), (1, 0), "f16", path="lds")
>>> loads, stores = (one.map.domain for one in kernel.accesses[:2])
>>> vectors = Vectors(loads["y3"], 8), Vectors(stores["y2"], 8)
>>> found = traffic_of(kernel.accesses, kernel.grid, kernel.block, vectors)
>>> round(found.segments) == 2 * 512 * 512 * 2 // SEGMENT, found.bytes_a_lane
(True, 16.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Symbol

from layoutalg.codegen.claimed_access import LANE, LANES, WORKGROUP, ClaimedAccess
from layoutalg.index.evaluate import evaluate

__all__ = ["SEGMENT", "Traffic", "Vectors", "traffic_of"]

SEGMENT = 64  # bytes
ACCESSES = (16, 12, 8, 4, 2, 1)  # bytes
SAMPLES = 192  # instructions of waves that are looked at


@dataclass(frozen=True)
class Traffic:
    """Of all accesses: ``segments`` touched by instructions of waves, and bytes that a lane moves at once.

    Of a vector of which not all is there, elements go in the longest pieces that there are accesses of, as
    compilers join neighbours. The mean is the lower one of loads and of stores.
    """

    segments: float
    bytes_a_lane: float


@dataclass(frozen=True)
class Vectors:
    """Which axis of a window counts what one lane moves at once: ``width`` elements, a part of the axis."""

    axis: Symbol
    width: int


def traffic_of(
    accesses: Iterable[ClaimedAccess],
    grid: Sequence[Any],
    block: Sequence[int],
    vectors: tuple[Vectors, Vectors],
) -> Traffic:
    """What loads and stores of global memory cost in a launch of this shape; ``vectors`` of both."""
    segments, means, every = 0.0, [], [one for one in accesses if not one.is_shared]
    counts = {str(name): int(n) for name, n in zip(WORKGROUP, grid, strict=False)}
    for way, vector in zip(("load", "store"), vectors, strict=True):
        found = [_sampled(one, vector, counts, math.prod(block)) for one in every if one.way == way]
        segments += sum(touched for touched, _, _ in found)
        means.append(sum(moved for _, moved, _ in found) / max(1.0, sum(lanes for *_, lanes in found)))
    return Traffic(segments, min(means))


def _sampled(
    access: ClaimedAccess, vector: Vectors, groups: Mapping[str, int], threads: int
) -> tuple[float, float, float]:
    """Segments touched, bytes moved, and lanes that move some of them."""
    domain = access.map.domain
    length = int(domain.variable(vector.axis).upper or 1)
    width = min(vector.width, length)
    others = [a for a in domain.axes if a.name not in access.launch and a.symbol != vector.axis]
    lanes = _lanes(access)
    counts = {
        "wave": threads // lanes,
        **groups,
        **{axis.name: int(axis.upper or 1) for axis in others},
        vector.axis.name: length // width,
    }
    times, chosen = _chosen(math.prod(counts.values()))
    drawn = np.unravel_index(chosen, tuple(counts.values()))
    values: dict[str, Any] = {name: one[:, None, None] for name, one in zip(counts, drawn, strict=True)}
    elements = width * values[vector.axis.name] + np.arange(width)
    values |= {"lane": np.arange(lanes)[:, None], vector.axis.name: elements}
    values |= {name: evaluate(place, values) for name, place in access.launch.items()}
    shape, size = (len(chosen), lanes, width), access.kind.bytes
    there: NDArray[np.bool_] = np.ones(shape, dtype=bool)
    for condition in access.map.when:
        there &= np.broadcast_to(evaluate(condition, values), shape)
    segments = np.broadcast_to(evaluate(access.map.outputs[0], values), shape) * size // SEGMENT
    touched, lanes_moving = 0, 0
    for part in _pieces(there, size):
        lanes_moving += int(part.any(axis=2).sum())
        touched += sum(len(np.unique(one[kept])) for one, kept in zip(segments, part, strict=True))
    return touched * times, int(there.sum()) * size * times, lanes_moving * times


def _pieces(there: NDArray[np.bool_], size: int) -> Iterator[NDArray[np.bool_]]:
    """Which elements each instruction moves: whole vectors, then what is left in the longest pieces."""
    left, done = there.sum(axis=2, keepdims=True), 0
    number = np.where(there, np.cumsum(there, axis=2) - 1, there.shape[2])  # of those that are there
    for length in sorted({max(1, n // size) for n in ACCESSES}, reverse=True):
        fits = left >= length
        yield fits & (done <= number) & (number < done + length)
        done, left = done + fits * length, left - fits * length


def _lanes(access: ClaimedAccess) -> int:
    """Lanes of a wave of the GPU that the access was written for."""
    own = [axis.upper for axis in access.map.domain.axes if access.launch.get(axis.name) == LANE]
    return int(own[0]) if own and own[0] else LANES


def _chosen(count: int) -> tuple[float, NDArray[np.int64]]:
    """All of so many instructions, or some of them; and for how many each stands."""
    if count <= SAMPLES:
        return 1.0, np.arange(count)
    return count / SAMPLES, np.random.default_rng(0).integers(0, count, SAMPLES)
