"""Looking for a refutation of a claim about all sizes among small sizes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from layoutalg.domain import Domain
from layoutalg.domain.probes import small_sizes
from layoutalg.errors import LayoutError
from layoutalg.index.node import parts
from layoutalg.index.table_values import VARIANTS, TableEntries, possible_entries
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.claim import Claim
    from layoutalg.domain import Variable

__all__ = ["refute_by_few_instances", "refute_by_instance"]

VALUES = 4  # smallest values tried for each parameter
LARGE = 256  # the largest number of a claim around which sizes are tried
LARGEST = 2048  # a largest size that is tried itself
FEW = 3  # parameters, with more of them only small values are tried
FIRST = 8  # instances, of which one refutes nearly all that is false
INSTANCES = 64
SCATTERED = 64
POINTS = Limits(points=1 << 14)  # for one instance


def refute_by_few_instances(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Refuted if one of the first instances is: solvers prove most of the rest sooner than all are tried."""
    del limits
    return _refuted(claim, FIRST)


def refute_by_instance(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Refuted if a small instance is; never proved."""
    del limits
    return _refuted(claim, None)


def _refuted(claim: Claim, most: int | None) -> Verdict:
    if not claim.domain.parameters and not claim.tables:
        return Unknown(NOT_MINE)
    tried = 0
    for values in itertools.islice(_instances(claim), most):
        for entries, instance in _with_tables(claim, values):
            verdict = prove_by_exhaustion(instance, POINTS)
            tried += not isinstance(verdict, Unknown)
            if isinstance(verdict, Refuted):
                found: dict[str, Any] = {**values, **entries, **verdict.point}
                return Refuted(found, "", "small sizes")
    return Unknown(f"no refutation among {tried} small sizes")


def _with_tables(claim: Claim, values: dict[str, int]) -> Iterator[tuple[dict[str, TableEntries], Claim]]:
    """The claim for these sizes, once for each of a few entries that its tables might have there."""
    try:
        bound = claim.bind(values)
    except LayoutError:
        return
    tables = [table for table in bound.tables if table.entries is None]
    for variant in range(VARIANTS if tables else 1):
        entries = {table.name: possible_entries(table, variant) for table in tables}
        known = {name: found for name, found in entries.items() if found is not None}
        if len(known) == len(entries):
            yield known, bound.with_tables(known) if known else bound


def _instances(claim: Claim) -> Iterator[dict[str, int]]:
    """Sizes worth trying: the smallest by their sum, those around the numbers that a claim names, others.

    The last are scattered, and moved until they fit the facts: with many sizes few choices do.
    """
    parameters = claim.domain.parameters
    numbers = _numbers(claim) if len(parameters) <= FEW else []
    choices = [_choices(parameter, numbers) for parameter in parameters]
    names = [parameter.name for parameter in parameters]
    smallest = _by_sum([len(values) for values in choices]) if all(choices) else iter(())
    for places in dict.fromkeys(itertools.islice(smallest, INSTANCES)):
        yield {name: values[place] for name, values, place in zip(names, choices, places, strict=True)}
    known = {parameter.symbol for parameter in parameters}
    facts = tuple(fact for fact in claim.domain.facts if fact.free_symbols <= known)
    sizes = small_sizes(Domain(parameters, facts), SCATTERED)
    for point in range(sizes.count if parameters else 0):
        yield {name: values[point] for name, values in sizes.values.items()}


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
    ends = [end for axis in about.domain.axes for end in (axis.lower, axis.upper) if end is not None]
    sides = [side for c in claim.then for side in (c.left, c.right)]
    outputs = () if claim.map is None else claim.map.outputs
    found = {int(n) for n in parts(*ends, *sides, *outputs, *about.when) if n.is_Integer}
    return sorted(n for n in found if VALUES < n <= LARGE)


def _choices(parameter: Variable, numbers: list[int]) -> list[int]:
    low, upper, step = parameter.lower, parameter.upper, parameter.multiple_of
    start = int(low) if low is not None and low.is_Integer else 1
    first = -(-start // step) * step
    limit = int(upper) if upper is not None and upper.is_Integer else None
    if low is None and limit is not None and first >= limit:
        first = ((limit - 1) // step - VALUES + 1) * step  # the last values, where there are no first ones
    around = [n + d for n in numbers for d in (-1, 0, 1)]
    values = [
        *range(first, first + VALUES * step, step),
        *(n for n in around if n >= first and n % step == 0),
    ]
    if limit is not None and limit <= LARGEST:
        values.append((limit - 1) // step * step)
    return [value for value in dict.fromkeys(values) if limit is None or value < limit]
