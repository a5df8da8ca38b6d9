"""All points of a domain, in blocks of bounded size.

>>> from layoutalg.domain.domain import Domain
>>> [block["i"].tolist() for block in blocks(Domain.of({"n": (1, 3), "i": "n"}))]
[[0, 0, 1]]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.index.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.domain.domain import Domain, Variable

__all__ = ["Block", "blocks", "contains", "count_at_most"]

Block = dict[str, NDArray[Any]]  # 64-bit integers, or Python's own where these do not fit
BLOCK = 1 << 20  # points held at a time
NARROW = 1 << 61  # sums and differences of two ends below it fit 64 bits


def blocks(domain: Domain, size: int = BLOCK) -> Iterator[Block]:
    """The points of a domain whose ends are all known, in lexicographic order of its variables.

    Parameters come first, then axes. A block maps each name to an array of its values; blocks
    hold about ``size`` points. Points that contradict a fact are left out.
    """
    variables = (*domain.parameters, *domain.axes)
    for block in _expanded({}, 1, variables, size):
        if len(block) < len(variables):
            continue
        kept = block
        for fact in domain.facts:
            chosen = np.broadcast_to(evaluate(fact, kept), _length(kept))
            kept = {name: values[chosen] for name, values in kept.items()}
        yield kept


def _length(block: Block) -> int:
    return len(next(iter(block.values()))) if block else 1


def _expanded(block: Block, count: int, variables: tuple[Variable, ...], size: int) -> Iterator[Block]:
    if not variables or not count:
        yield block
        return
    first, *rest = variables
    lows, highs = _ends(first, block, count)
    steps = np.maximum(0, -(-(highs - lows) // first.multiple_of))
    starts = np.concatenate([[0], np.cumsum(np.minimum(steps, size + 1), dtype=np.int64)])
    begin = 0
    while begin < count:
        end = max(begin + 1, int(np.searchsorted(starts, starts[begin] + size, side="right")) - 1)
        for part in _stretched(block, first, lows, steps, begin, end, size):
            yield from _expanded(part, _length(part), tuple(rest), size)
        begin = end


def _stretched(
    block: Block,
    variable: Variable,
    lows: NDArray[Any],
    steps: NDArray[Any],
    begin: int,
    end: int,
    size: int,
) -> Iterator[Block]:
    """Points ``begin`` to ``end - 1``, each repeated for every value of the variable."""
    if end - begin == 1 and steps[begin] > size:
        for first in range(0, int(steps[begin]), size):
            counts = np.arange(min(size, int(steps[begin]) - first), dtype=lows.dtype) + first
            part = {name: np.repeat(v[begin:end], len(counts)) for name, v in block.items()}
            yield part | {variable.name: lows[begin] + counts * variable.multiple_of}
        return
    few = steps[begin:end].astype(np.int64)
    chosen = np.repeat(np.arange(begin, end), few)
    before = np.concatenate([[0], np.cumsum(few)[:-1]])
    counts = (np.arange(len(chosen)) - np.repeat(before, few)).astype(lows.dtype)
    part = {name: values[chosen] for name, values in block.items()}
    yield part | {variable.name: lows[chosen] + counts * variable.multiple_of}


def _ends(variable: Variable, block: Block, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The first value at each point and the end there: Python's own integers where 64 bits get narrow."""
    low, high = (np.broadcast_to(evaluate(e, block), count) for e in (variable.lower, variable.upper))
    multiple = variable.multiple_of
    if any(abs(int(e)) + multiple >= NARROW for end in (low, high) if count for e in (end.min(), end.max())):
        low, high = low.astype(object), high.astype(object)
    return -(-low // multiple) * multiple, high


def count_at_most(domain: Domain, limit: int) -> int | None:
    """How many points the domain has before facts, or None if more than ``limit`` or unknown."""
    variables = (*domain.parameters, *domain.axes)
    total = 1
    known: dict[str, tuple[int, int]] = {}
    for variable in variables:
        if variable.lower is None or variable.upper is None:
            return None
        if not (variable.lower.is_Integer and variable.upper.is_Integer):
            return _count_dependent(domain, limit)
        low, high = int(variable.lower), int(variable.upper)
        known[variable.name] = (low, high)
        total *= max(0, -(-(high - low) // variable.multiple_of))
        if total > limit:
            return None
    return total


def _count_dependent(domain: Domain, limit: int) -> int | None:
    """Count by walking, giving up early: for axes bounded by other variables."""
    ends = [e for v in domain.variables for e in (v.lower, v.upper)]
    names = {variable.symbol.name for variable in domain.variables}
    if any(e is None or {s.name for s in e.free_symbols} - names for e in ends):
        return None
    variables = (*domain.parameters, *domain.axes)
    total = 1
    for known in range(1, len(variables) + 1):  # later axes may be empty for most of the earlier ones
        total = 0
        for block in _expanded({}, 1, variables[:known], min(BLOCK, limit)):
            total += _length(block) if len(block) == known else 0
            if total > limit:
                return None
    return total


def contains(domain: Domain, point: dict[str, Any]) -> bool:
    """Whether a point lies within all ends and satisfies all facts."""
    for variable in domain.variables:
        value = point[variable.name]
        if value % variable.multiple_of:
            return False
        if variable.lower is not None and value < evaluate(variable.lower, point):
            return False
        if variable.upper is not None and value >= evaluate(variable.upper, point):
            return False
    return all(bool(evaluate(fact, point)) for fact in domain.facts)
