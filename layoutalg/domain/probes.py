"""A few points of a domain, the same each time: corners first, then points scattered between the ends.

Who claims something of every point can be asked about these. Ends that are open are reached out from: sizes
at their lowest, small and large ones; axes bounded by sizes and by other axes follow them. Points that
contradict a fact are moved until they fit, or left out.

>>> from layoutalg.domain.domain import Domain
>>> domain = Domain.of({"i": "M"}, {"M": (1, None), "K": (1, None)})
>>> found = probes(domain.where(domain["K"] >= domain["M"])).values
>>> found["M"][:4], found["i"][:4], all(K >= M for K, M in zip(found["K"], found["M"]))
([1, 9, 1, 9], [0, 0, 0, 8], True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Any

from layoutalg.index.pointwise import Values, at_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from layoutalg.domain.domain import Domain, Variable

__all__ = ["Probes", "has_point", "probes", "small_probes", "small_sizes"]

Columns = dict[str, Values]

POINTS = 16  # points spread out: sizes at their ends, then corners, then scattered
REACH = (8, 1, 100, 3000, 70_001)  # how far beyond a known end an open one is tried
SCATTER = 2654435761  # 2**32 over the golden ratio: neighbouring numbers land far apart
LARGE = 3  # points at which all open sizes are large, so that pads leave room
REPAIRS = 3  # rounds in which points are moved towards the facts
CLOSE = 128  # points next to each other: 64 for each of two choices of sizes
AXES = 3  # axes whose ends and neighbours are all combined
NEAR = 6  # how far small probes reach where an end is open


@dataclass(frozen=True)
class Probes:
    """A few points: for each name one value at each of them. A domain without variables has one point."""

    values: Columns
    count: int

    def where(self, conditions: Iterable[Any]) -> Probes:
        """The points at which all conditions hold."""
        kept = self
        for condition in conditions:
            holds = [h is True for h in kept.at(condition)]
            values = {name: list(compress(column, holds)) for name, column in kept.values.items()}
            kept = Probes(values, sum(holds))
        return kept

    def at(self, expression: Any, beyond: set[int] | None = None) -> Values:
        """The value at each point, None where it is not defined; ``beyond``: see :class:`Pointwise`."""
        return at_points(expression, self.values, self.count, beyond)

    def told(self, point: int) -> str:
        """One of the points in words."""
        return ", ".join(f"{name}={column[point]}" for name, column in self.values.items()) or "the one point"


@lru_cache(maxsize=512)
def probes(domain: Domain) -> Probes:
    """Points of the domain by name: each list has one value for each point; none where none was found."""
    return _points(domain, POINTS, _spread)


@lru_cache(maxsize=512)
def small_probes(domain: Domain) -> Probes:
    """Points close together: small sizes, the axes at all combinations of their ends and neighbours."""
    return _points(domain, CLOSE, _close)


def small_sizes(domain: Domain, count: int) -> Probes:
    """Small values of all variables, scattered, at which the facts hold; fewer than asked where few fit."""
    return _points(domain, count, _small)


def _small(low: int | None, high: int | None, number: int, point: int, is_parameter: bool) -> int | None:  # noqa: FBT001
    """One of the few lowest values."""
    del is_parameter
    low = 0 if low is None else low
    most = low + NEAR if high is None else min(high, low + NEAR)
    return None if most < low else low + _part(most - low + 1, (number + 1) * (point + 7))


def has_point(domain: Domain, when: tuple[Any, ...] = ()) -> bool:
    """Whether one of the points satisfies the conditions; where none does, others of the domain may."""
    return any(found.where(when).count for found in (probes(domain), small_probes(domain)))


def _points(domain: Domain, count: int, pick: Any) -> Probes:
    found: Columns = {}
    about = {variable.symbol.name: variable for variable in domain.variables}
    waiting = list(domain.facts)
    for number, variable in enumerate((*domain.parameters, *domain.axes)):
        found[variable.name] = _chosen(variable, number, found, count, pick)
        ready = [fact for fact in waiting if {s.name for s in fact.free_symbols} <= set(found)]
        waiting = [fact for fact in waiting if fact not in ready]
        for fact in ready:
            _mend(fact, found, about, count)
    return _kept(domain, found, count)


def _chosen(variable: Variable, number: int, found: Columns, count: int, pick: Any) -> Values:
    lows, highs = _ends(variable, found, count)
    step = variable.multiple_of
    values: Values = []
    for point, (low, high) in enumerate(zip(lows, highs, strict=True)):
        least = None if low is None else -(-low // step)
        most = None if high is None else high // step
        start = pick(least, most, number, point, variable.is_parameter)
        values.append(None if start is None else start * step)
    return values


def _ends(variable: Variable, found: Columns, count: int) -> tuple[Values, Values]:
    """The lowest and highest value at each point, None where there is none."""
    lows, highs = (_end(end, found, count) for end in (variable.lower, variable.upper))
    return lows, [None if high is None else high - 1 for high in highs]


def _end(end: Any, found: Columns, count: int) -> Values:
    if end is None or end.is_Integer:
        return [None if end is None else int(end)] * count
    return at_points(end, found, count)


def _spread(low: int | None, high: int | None, number: int, point: int, is_parameter: bool) -> int | None:  # noqa: FBT001
    """The lowest value, the highest, or one between them."""
    reach = REACH[(point + number) % len(REACH)] if point > 2 else REACH[0]
    if point >= POINTS - LARGE and is_parameter and high is None and low is not None:
        return low + 1000 * (point - POINTS + LARGE + 1) + number  # all sizes large
    if low is None:
        low = -reach if high is None else high - reach
    if high is None:
        high = low + reach
    if high < low:
        return None
    if point < 4 and is_parameter:  # sizes at their lowest, axes at the corners
        return (low, low, high, low)[point]
    if point < 8:
        return high if (point + (point // 4) * number) % 2 else low
    return low + _part(high - low + 1, number * POINTS + point)


def _close(low: int | None, high: int | None, number: int, point: int, is_parameter: bool) -> int | None:  # noqa: FBT001
    """Values at the ends and next to them, so that different points may well meet."""
    if low is None:
        low = 0 if high is None else min(0, high - NEAR)
    if is_parameter:  # lowest, then a few more
        size = low + (point // (CLOSE // 2)) * (number + 2)
        return size if high is None or size <= high else high
    if high is None:
        high = low + NEAR
    if high < low:
        return None
    beside = (low, high, low + 1, high - 1)[point // 4 ** (number % AXES) % 4]
    return min(max(beside, low), high)


def _part(length: int, number: int) -> int:
    """One of so many values, neighbouring numbers far apart."""
    return length * (number * SCATTER % (1 << 32)) >> 32


def _mend(fact: Any, found: Columns, about: dict[str, Variable], count: int) -> None:
    """Move points at which a fact fails, one of its variables at a time, the last declared first."""
    names = [name for name in reversed(found) if name in {s.name for s in fact.free_symbols}]
    for _ in range(REPAIRS):
        holds = at_points(fact, found, count)
        if all(h is not False for h in holds):
            return
        for name in names:
            for values in _candidates(fact, name, found, about, count):
                trial = {**found, name: values}
                better = at_points(fact, trial, count)
                found[name] = [
                    new if h is False and b else old
                    for old, new, h, b in zip(found[name], values, holds, better, strict=True)
                ]
                holds = at_points(fact, found, count)
            if all(h is not False for h in holds):
                return


def _candidates(
    fact: Any, name: str, found: Columns, about: dict[str, Variable], count: int
) -> Iterator[Values]:
    """Values of one variable for which the two sides of a fact meet, and those beside them."""
    variable = about[name]
    step = variable.multiple_of
    lows, highs = _ends(variable, found, count)
    for moved in (*range(1, 9), -1, -2):
        yield _within([None if v is None else v + moved * step for v in found[name]], lows, highs)
    if getattr(fact, "rel_op", None) is None:
        return
    gap = fact.lhs - fact.rhs
    zero, one = (at_points(gap, {**found, name: [n] * count}, count) for n in (0, step))
    for beside in (0, 1, -1):
        met = [
            None if a is None or b is None or a == b else (-a // (b - a) + beside) * step
            for a, b in zip(zero, one, strict=True)
        ]
        yield _within(met, lows, highs)


def _within(values: Values, lows: Values, highs: Values) -> Values:
    return [
        None if v is None or (low is not None and v < low) or (high is not None and v > high) else v
        for v, low, high in zip(values, lows, highs, strict=True)
    ]


def _kept(domain: Domain, found: Columns, count: int) -> Probes:
    """The points that lie within all ends and satisfy all facts, each once."""
    fits = [all(values[point] is not None for values in found.values()) for point in range(count)]
    for variable in domain.variables:
        lows, highs = _ends(variable, found, count)
        inside = _within(found[variable.name], lows, highs)
        fits = [ok and value is not None for ok, value in zip(fits, inside, strict=True)]
    for fact in domain.facts:
        fits = [ok and h is True for ok, h in zip(fits, at_points(fact, found, count), strict=True)]
    points = dict.fromkeys(tuple(values[p] for values in found.values()) for p in range(count) if fits[p])
    return Probes({name: [point[i] for point in points] for i, name in enumerate(found)}, len(points))
