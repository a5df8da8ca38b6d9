"""Looking for a refutation of a claim about all sizes: among small ones, and around the numbers it names.

A claim that is false is nearly always so at a size of 0 or 1, or where a tile begins or ends.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from layoutalg.domain import Domain
from layoutalg.domain.points import blocks, count_at_most
from layoutalg.domain.probes import small_sizes
from layoutalg.errors import EmptyRangeError, LayoutError
from layoutalg.index.node import parts
from layoutalg.index.table_values import VARIANTS, TableEntries, possible_entries
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from layoutalg.claim import Claim
    from layoutalg.domain import Variable

__all__ = ["refute_by_few_instances", "refute_by_instance"]

VALUES = 4  # smallest values tried for each parameter
LARGE = (
    1 << 14
)  # the largest number of a claim around which sizes are tried: larger ones are limits, not tiles
LARGEST = 2048  # a largest size that is tried itself
FEW = 3  # parameters, with more of them tiles of different lengths are not tried together
FIRST = 8  # smallest instances, of which one refutes nearly all that is false
AROUND = 20  # instances around numbers before a solver is asked
INSTANCES = 64  # of each kind
SCATTERED = 64  # of these, as many as of each other kind
POINTS_FIRST = 1 << 18  # of all instances before a solver is asked: some 20 ms
POINTS = 1 << 22  # of all instances: a third of a second


def refute_by_few_instances(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Refuted if one of the first instances is: solvers prove most of the rest sooner than all are tried."""
    del limits
    first = itertools.chain(
        itertools.islice(_smallest(claim), FIRST), itertools.islice(_around(claim), AROUND)
    )
    return _refuted(claim, first, POINTS_FIRST)


def refute_by_instance(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Refuted if a small instance is; never proved."""
    del limits
    kinds = (_smallest(claim), _around(claim), _scattered(claim))
    return _refuted(claim, itertools.chain.from_iterable(kinds), POINTS)


def _refuted(claim: Claim, instances: Iterable[dict[str, int]], points: int) -> Verdict:
    """Refuted if one of these sizes refutes; all that are tried have at most so many points together."""
    if not claim.domain.parameters and not claim.tables:
        return Unknown(NOT_MINE)
    tried, done = 0, set[tuple[int, ...]]()
    for values in instances:
        if tuple(values.values()) in done:
            continue
        done.add(tuple(values.values()))
        for entries, instance in _with_tables(claim, values):
            found = _verdict(instance, points)
            points -= _count(instance, points)
            tried += not isinstance(found, Unknown)
            if isinstance(found, Refuted):
                point: dict[str, Any] = {**values, **entries, **found.point}
                return Refuted(point, "", "small sizes")
    return Unknown(f"no refutation among {tried} small sizes")


def _count(instance: Claim, points: int) -> int:
    """The points of an instance that was tried; none of one that was not because it has too many."""
    return count_at_most(instance.speaks_of.domain, points) or 0


def _verdict(instance: Claim, points: int) -> Verdict:
    if instance.witness is not None and instance.map is None:  # no index at all is there
        first = next((block for block in blocks(instance.domain, 1) if all(map(len, block.values()))), None)
        target = {} if first is None else {name: int(values[0]) for name, values in first.items()}
        return Refuted(target, "", "small sizes") if target else Unknown(NOT_MINE)
    return prove_by_exhaustion(instance, Limits(points=points))


def _with_tables(claim: Claim, values: dict[str, int]) -> Iterator[tuple[dict[str, TableEntries], Claim]]:
    """The claim for these sizes, once for each of a few entries that its tables might have there."""
    try:
        bound = claim.bind(values)
    except EmptyRangeError:
        yield from _without_index(claim, values)
        return
    except LayoutError:
        return
    tables = [table for table in bound.tables if table.entries is None]
    for variant in range(VARIANTS if tables else 1):
        entries = {table.name: possible_entries(table, variant) for table in tables}
        known = {name: found for name, found in entries.items() if found is not None}
        if len(known) == len(entries):
            yield known, bound.with_tables(known) if known else bound


def _without_index(claim: Claim, values: dict[str, int]) -> Iterator[tuple[dict[str, TableEntries], Claim]]:
    """A claim of covers for sizes at which no index exists: it has targets and no map that reaches them."""
    if claim.witness is None or claim.tables:
        return
    try:
        targets = claim.domain.bind(values)
    except LayoutError:
        return
    yield {}, replace(claim, domain=targets, map=None)


def _smallest(claim: Claim) -> Iterator[dict[str, int]]:
    """The smallest sizes, by their sum; each alone first."""
    choices = [_choices(parameter) for parameter in claim.domain.parameters]
    places = _by_sum([len(values) for values in choices]) if all(choices) else iter(())
    for chosen in itertools.islice(places, INSTANCES):
        yield _named(claim, (values[place] for values, place in zip(choices, chosen, strict=True)))


def _around(claim: Claim) -> Iterator[dict[str, int]]:
    """Sizes around the numbers that a claim names: each alone, all together, several mixed."""
    parameters = claim.domain.parameters
    firsts = [first for parameter in parameters for first in _choices(parameter)[:1]]
    if not parameters or len(firsts) < len(parameters):
        return
    numbers, pairs = _numbers(claim), list(zip(parameters, firsts, strict=True))
    for step in (1, -1, 0):
        for number, place in itertools.product(numbers, range(len(parameters))):
            near = _near(parameters[place], number + step, firsts[place])
            yield _named(claim, (*firsts[:place], near, *firsts[place + 1 :]))
        for number in numbers:
            near_all = (_near(one, number + step, first) for one, first in pairs)
            yield _named(claim, near_all)
    mixed = itertools.product(numbers, repeat=len(parameters)) if len(parameters) <= FEW else ()
    for chosen in itertools.islice(mixed, INSTANCES):
        near_each = (_near(one, n + 1, first) for (one, first), n in zip(pairs, chosen, strict=True))
        yield _named(claim, near_each)


def _scattered(claim: Claim) -> Iterator[dict[str, int]]:
    """Sizes that are moved until they fit the facts: with many sizes few choices do."""
    parameters = claim.domain.parameters
    known = {parameter.symbol for parameter in parameters}
    facts = tuple(fact for fact in claim.domain.facts if fact.free_symbols <= known)
    sizes = small_sizes(Domain(parameters, facts), SCATTERED)
    for point in range(sizes.count if parameters else 0):
        yield {name: values[point] for name, values in sizes.values.items()}


def _named(claim: Claim, values: Iterable[int]) -> dict[str, int]:
    return {one.name: value for one, value in zip(claim.domain.parameters, values, strict=True)}


def _by_sum(lengths: list[int]) -> Iterator[tuple[int, ...]]:
    """Places in lists of these lengths: each alone beside the first of all others, then by their sum."""
    for number, length in enumerate(lengths):
        yield from ((0,) * number + (place,) + (0,) * (len(lengths) - number - 1) for place in range(length))
    for total in range(sum(lengths) - len(lengths) + 1):
        yield from _places(lengths, total)


def _places(lengths: list[int], total: int) -> Iterator[tuple[int, ...]]:
    if not lengths:
        if total == 0:
            yield ()
        return
    for place in range(min(lengths[0] - 1, total) + 1):
        for rest in _places(lengths[1:], total - place):
            yield (place, *rest)


def _numbers(claim: Claim) -> list[int]:
    """The numbers in a claim around which sizes may matter: tiles, above all."""
    about = claim.map if claim.map is not None else claim
    domains = {id(domain): domain for domain in (about.domain, claim.domain)}.values()
    ends = [
        e for domain in domains for axis in domain.axes for e in (axis.lower, axis.upper) if e is not None
    ]
    sides = [side for c in claim.then for side in (c.left, c.right)]
    outputs = () if claim.map is None else claim.map.outputs
    found = {int(n) for n in parts(*ends, *sides, *outputs, *about.when) if n.is_Integer}
    return sorted(n for n in found if VALUES < n <= LARGE)


def _choices(parameter: Variable) -> list[int]:
    """The smallest values of a size, or the last ones where there are no first; and its largest if small."""
    low, upper, step = parameter.lower, parameter.upper, parameter.multiple_of
    start = int(low) if low is not None and low.is_Integer else 1
    first = -(-start // step) * step
    limit = int(upper) if upper is not None and upper.is_Integer else None
    if low is None and limit is not None and first >= limit:
        first = ((limit - 1) // step - VALUES + 1) * step
    values = [*range(first, first + VALUES * step, step)]
    if limit is not None and limit <= LARGEST:
        values.append((limit - 1) // step * step)
    return [value for value in dict.fromkeys(values) if limit is None or value < limit]


def _near(parameter: Variable, wanted: int, otherwise: int) -> int:
    """The value of a size at a number or next above it; another where there is none."""
    value = -(-wanted // parameter.multiple_of) * parameter.multiple_of
    low, upper = parameter.lower, parameter.upper
    is_above = low is None or (low.is_Integer and value >= low) or not low.is_Integer
    is_below = upper is None or not upper.is_Integer or value < upper
    return value if is_above and is_below else otherwise
