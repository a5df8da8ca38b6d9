"""What a lifted access costs: bank conflicts of the LDS, and the lines of memory that a wave touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.replacement import replaced
from layoutalg.codegen.gfx9.lifting.word_formulas import Value
from layoutalg.domain.probes import probes
from layoutalg.machine.lds import Direction
from layoutalg.rules.polynomial import Polynomial

__all__ = ["conflict_cycles", "lines_of_memory"]

ALL_BANKS = 256  # bytes: 64 banks of a word, twice the 32 of older targets


def conflict_cycles(formulas: Formulas, offsets: Value, size: int, way: Direction) -> int | None:
    """In the LDS: cycles that bank conflicts add at most, all lanes on, in all turns; None where unknown.

    What is the same for all lanes moves every bank alike where it is a multiple of all banks; the lanes'
    part is counted with its own numbers.
    """
    words, worst = formulas.words, 0
    lane = words.lane.as_letter
    wave = words.form.symbol("wave").as_letter
    for _, offset in offsets:
        for monomial, coefficient in offset:
            bases = words.bases(Polynomial({monomial: 1}))
            if bases - {lane, wave} and (lane in bases or wave in bases or coefficient % ALL_BANKS):
                return None
        moved = {x: Polynomial.constant(0) for x in words.bases(offset) - {lane, wave}}
        alone = replaced(words, offset, moved)
        for number in range(formulas.waves):
            try:
                places = Numbers(words, {"wave": number}).of(alone)
            except OpaqueLetterError:
                return None
            numbers, every = places.astype(np.int64)[None], np.ones((1, LANES), dtype=bool)
            found = AccessCounts(formulas.target).observed("lds", way, size, numbers, every, 1)
            worst = max(worst, found[f"lds_{way}_conflict_cycles"])
    return worst


def lines_of_memory(
    formulas: Formulas, offsets: Callable[..., tuple[Any, Any]], size: int, way: Direction
) -> tuple[int, int] | None:
    """Lines of memory that the fullest wave touches at small sizes, and those that its bytes need.

    In the first turn of loops. ``offsets`` gives those of the lanes for values of the names. None where no
    lane takes part.
    """
    points: Mapping[str, Any] = dict(probes(formulas.start.domain).values)
    names = [name for name in points if name != "lane"]
    turns = dict.fromkeys(formulas.turns, 0)
    best: tuple[int, Any, Any] = 0, None, None
    for values in zip(*(points[name] for name in names), strict=True):
        try:
            places, active = offsets(**dict(zip(names, map(int, values), strict=True)), **turns)
        except OpaqueLetterError:
            return None
        if int(active.sum()) > best[0]:
            best = int(active.sum()), places, active
    if not best[0]:
        return None
    numbers = best[1].astype(np.int64)[None]
    found = AccessCounts(formulas.target).observed("memory", way, size, numbers, best[2][None], 1)
    name = f"global_{'load' if way == 'read' else 'store'}_segments"
    return found[name], found[f"{name}_needed"]
