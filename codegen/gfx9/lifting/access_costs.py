"""What a lifted access costs: bank conflicts of the LDS, and the lines of memory that a wave touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.replacement import replaced
from layoutalg.domain.probes import probes
from layoutalg.machine.lds import Direction
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.codegen.gfx9.lifting.lifted_access import LiftedAccess

__all__ = ["conflict_cycles", "segments"]

WRITES = ("store", "atomic")
ALL_BANKS = 256  # bytes: 64 banks of a word, twice the 32 of older targets


def conflict_cycles(access: LiftedAccess) -> int | None:
    """In the LDS: cycles that bank conflicts add at most, all lanes on, in all turns; None where unknown.

    What is the same for all lanes moves every bank alike where it is a multiple of all banks; the lanes'
    part is counted with its own numbers.
    """
    if access.space != "lds" or not access.is_understood:
        return None
    words, worst = access.formulas.words, 0
    lane = words.lane.as_letter
    wave = words.form.symbol("wave").as_letter
    for _, offset in access.cases:
        for monomial, coefficient in offset:
            bases = words.bases(Polynomial({monomial: 1}))
            if bases - {lane, wave} and (lane in bases or wave in bases or coefficient % ALL_BANKS):
                return None
        moved = {x: Polynomial.constant(0) for x in words.bases(offset) - {lane, wave}}
        alone = replaced(words, offset, moved)
        for number in range(access.formulas.waves):
            try:
                places = Numbers(words, {"wave": number}).of(alone)
            except OpaqueLetterError:
                return None
            every = np.ones(LANES, dtype=bool)
            worst = max(worst, _counted(access, "lds", places, every)[f"lds_{_way(access)}_conflict_cycles"])
    return worst


def segments(access: LiftedAccess) -> tuple[int, int] | None:
    """Of memory: lines that the fullest wave touches at small sizes, and those that its bytes need.

    In the first turn of loops. None in the LDS, and where the address is no formula.
    """
    if access.space not in ("global", "buffer") or not access.is_understood:
        return None
    points = {name: list(column) for name, column in probes(access.formulas.start.domain).values.items()}
    del points["lane"]
    best: tuple[int, Any, Any] = 0, None, None
    for values in zip(*points.values(), strict=True):
        try:
            places, active = access.offsets(
                **dict(zip(points, map(int, values), strict=True)), **access.first
            )
        except OpaqueLetterError:
            return None
        if int(active.sum()) > best[0]:
            best = int(active.sum()), places, active
    if not best[0]:
        return None
    found = _counted(access, "memory", best[1], best[2])
    way = {"read": "load", "write": "store"}[_way(access)]
    return found[f"global_{way}_segments"], found[f"global_{way}_segments_needed"]


def _way(access: LiftedAccess) -> Direction:
    return "write" if access.direction in WRITES else "read"


def _counted(access: LiftedAccess, where: str, places: Any, active: Any) -> Any:
    counts = AccessCounts(access.formulas.target)
    numbers = places.astype(np.int64)[None]
    return counts.observed(where, _way(access), access.bytes, numbers, active[None], 1)
