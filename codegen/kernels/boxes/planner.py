"""The box of a move: the one whose runs touch the fewest segments of memory for what they move.

A run that begins anywhere shares its first and its last segment with its neighbours; what two boxes have in
common is moved twice. Long runs are good, on both sides, but boxes must fit shared memory and must be many.
All lengths are tried that divide a dimension evenly, and a few more; the model is the mean of both sides.
Where banks of shared memory would take more than half of the time that memory does, dearer boxes are tried.

>>> from layoutalg.data_type import DataType
>>> move = StridedMove.of((100, 100, 3), (300, 3, 1), (3, 300, 1))
>>> planned_box(move, DataType.named("f16")).lengths
(100, 50, 3)
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

import sympy

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import LANE, LANES, WAVE
from layoutalg.codegen.kernels.boxes.box import BLOCK, ELEMENT, ROUND, THREAD, THREADS, Box
from layoutalg.codegen.kernels.boxes.strided_move import SIDES, Side, StridedMove
from layoutalg.codegen.kernels.memory_traffic import SEGMENT
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.machine import EVERY_GPU
from layoutalg.memory import WaveAccess, bank_conflicts

__all__ = ["planned_box", "segments_touched"]

SMALL, MIDDLE, MOST = 16384, 32768, EVERY_GPU.lds_bytes  # bytes of which four fit a compute unit, two, one
COSTS = {SMALL: 1.0, MIDDLE: 1.03, MOST: 1.06}
MANY = 512  # workgroups that keep a GPU busy
NARROW = 8  # bytes of an access that is wide enough
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)  # tried, and what is near
ZERO = sympy.Integer(0)
MODELLED = "gfx942"  # whose banks are counted
PITCHES = 8  # vectors that are left free after a row of shared memory, less one, at most
SKEWS = (32, 64, 128, 256, 512)  # elements after which one may be left free
LOOKED_AT = 12  # boxes of which banks are counted, the cheapest
BYTES_A_CYCLE = 8.3  # of memory for a compute unit of MI300X: 5.3 TB/s, 304 of them, 2.1 GHz
MOST_SHARE = 0.5  # of those cycles, that banks may take beside
SKEWED = 1.2  # what that may cost of conflicts: two instructions more an element


def planned_box(
    move: StridedMove, kind: DataType, *, anywhere: bool = True, splits_zeros: bool = True
) -> Box | None:
    """The best box; None where no box fits.

    ``anywhere``: whether vectors may begin at any element, and not at multiples of their length alone;
    ``splits_zeros``: whether there may be several boxes along a dimension with zeros.
    """
    boxes = (_with_vectors(move, kind, lengths, anywhere=anywhere) for lengths in _tried(move, kind))
    fitting = [b for b in boxes if b.shared_bytes <= MOST and (splits_zeros or not b.splits_zeros)]
    costs = zip(map(_cost, fitting), fitting, strict=True)
    best: tuple[float, Box] | None = None
    for cost, box in heapq.nsmallest(LOOKED_AT, costs, key=itemgetter(0)):
        if best is not None and cost >= best[0]:
            break
        freed = _with_free_banks(box)
        total = cost * max(1.0, _banks_share(freed) / MOST_SHARE)
        if best is None or total < best[0]:
            best = total, freed
    return None if best is None else best[1]


def segments_touched(box: Box, side: Side) -> float:
    """Segments that a box touches on a side, at a place like any other."""
    runs, size = box.runs(side), box.kind.bytes
    together = math.gcd(SEGMENT, box.alignment(side) * size)
    shared = 1 - together / SEGMENT  # of a segment that two have a part of
    instructions = runs.places / LANES  # of which two may each have a part of a segment
    return runs.count * (runs.length * size / SEGMENT + shared) + instructions * shared


def _cost(box: Box) -> float:
    """Segments touched for each that is needed, and a little for what else is not as it should be."""
    size, elements = box.kind.bytes, box.move.elements
    found = sum(segments_touched(box, side) for side in SIDES) * box.blocks * SEGMENT / (2 * elements * size)
    found *= next(cost for most, cost in COSTS.items() if box.shared_bytes <= most)
    found *= 1 + 0.1 * max(0.0, 1 - box.blocks / MANY)
    for side in SIDES:
        runs = box.runs(side)
        found *= 1 + 0.03 * (box.rounds(side) * box.threads / runs.places - 1)
        found *= (1.05 if side == "source" else 1.01) if runs.shift else 1.0
        found *= 1 + 0.02 * math.log2(EVERY_GPU.access_bytes / (runs.vector * size))
    return found


def _tried(move: StridedMove, kind: DataType) -> Iterator[tuple[int, ...]]:
    """Lengths of boxes: on each side some dimensions whole, the fastest, and a part of the next."""
    found: dict[tuple[int, ...], None] = {}
    most = MOST // kind.bytes
    sides = [list(_along(move, move.order(side))) for side in SIDES]
    for one, other in itertools.product(*sides):
        lengths = tuple(max(pair) for pair in zip(one, other, strict=True))
        if math.prod(lengths) <= most:
            found.setdefault(lengths)
    yield from found


def _along(move: StridedMove, order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    lengths = [1] * len(order)
    for i in reversed(order):
        padded = move.dimensions[i].padded
        for length in _parts(padded):
            lengths[i] = length
            yield tuple(lengths)
        lengths[i] = padded


def _parts(length: int) -> list[int]:
    """Lengths that are tried of a dimension: some, and those near them that divide it evenly."""
    some = [n for n in LENGTHS if n < length]
    even = [-(-length // -(-length // n)) for n in some]
    return sorted({*some, *even, *([length] if length <= 2 * LENGTHS[-1] else [])})


def _with_vectors(move: StridedMove, kind: DataType, lengths: tuple[int, ...], *, anywhere: bool) -> Box:
    """The widest vectors of each side, of the source those that divide its runs if they are wide enough."""
    single = Box(move, kind, lengths, (1, 1))
    widest = EVERY_GPU.access_bytes // kind.bytes
    vectors = []
    for side in SIDES:
        run = single.runs(side).length
        width = min(widest, 1 << (run.bit_length() - 1))
        whole = math.gcd(width, run)
        if not anywhere:
            width = math.gcd(whole, _aligned(single, side, width))
        elif side == "source" and whole * kind.bytes >= NARROW:
            width = whole
        vectors.append(width)
    box = replace(single, vectors=(vectors[0], vectors[1]), pitch=0)
    most = max(box.runs(side).places for side in SIDES)
    usual = 2 * THREADS if box.shared_bytes > MIDDLE else THREADS  # waves hide latency, of one box or of two
    return replace(box, threads=min(usual, -(-most // LANES) * LANES))


def _aligned(box: Box, side: Side, width: int) -> int:
    return replace(box, vectors=(width, width), pitch=0).alignment(side)


def _with_free_banks(box: Box) -> Box:
    """With vectors left free in shared memory, for the fewest conflicts of what lanes read at once."""
    tried, width = [box], box.loaded.vector
    if box.loaded.count > 1 and not any(box.margins):  # zeros are read between rows, too
        tried += [replace(box, pitch=box.pitch + n * width) for n in range(1, PITCHES)]
    tried += [replace(box, skew=skew) for skew in SKEWS if skew > width]
    fitting = [one for one in tried if one.shared_bytes <= MOST]
    return min(fitting, key=lambda one: _conflicts(one) * (SKEWED if one.skew else 1.0))


def _banks_share(box: Box) -> float:
    """Cycles of the banks for what memory needs one for, read from shared memory element by element."""
    reads = _waves(box) * box.stored.vector
    return _conflicts(box) / reads * BYTES_A_CYCLE / (2 * LANES * box.kind.bytes)


def _waves(box: Box) -> int:
    return min(box.threads, box.stored.places) // LANES or 1


def _conflicts(box: Box) -> int:
    """Turns of the banks that the first box's waves need for the elements of one vector."""
    waves = _waves(box)
    domain = Domain.of({WAVE.name: waves, LANE.name: LANES, ELEMENT.name: box.stored.vector})
    first = {BLOCK: ZERO, ROUND: ZERO, THREAD: LANES * WAVE + LANE}
    place = box.shared_reads().outputs[0].xreplace(first)
    reads = WaveAccess(IndexMap(domain, (place,)), LANE, box.kind, 1, "read")
    return int(bank_conflicts(reads, MODELLED).cycles.sum())
