"""Looking for a refutation of a claim about all sizes among small sizes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.claim import Claim
    from layoutalg.domain import Variable

__all__ = ["refute_by_instance"]

VALUES = 4  # smallest values tried for each parameter
INSTANCES = 64
POINTS = Limits(points=1 << 14)  # for one instance


def refute_by_instance(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Refuted if a small instance is; never proved."""
    del limits
    if not claim.domain.parameters:
        return Unknown(NOT_MINE)
    tried = 0
    for values in itertools.islice(_instances(claim), INSTANCES):
        try:
            verdict = prove_by_exhaustion(claim.bind(values), POINTS)
        except LayoutError:
            continue
        tried += 1
        if isinstance(verdict, Refuted):
            return Refuted({**values, **verdict.point}, "", "small sizes")
    return Unknown(f"no refutation among {tried} small sizes")


def _instances(claim: Claim) -> Iterator[dict[str, int]]:
    """Combinations of the smallest values of all parameters, by their sum."""
    parameters = claim.domain.parameters
    choices = [_smallest(parameter) for parameter in parameters]
    combinations = sorted(itertools.product(*choices), key=lambda values: (sum(values), values))
    for combination in combinations:
        yield dict(zip((p.name for p in parameters), combination, strict=True))


def _smallest(parameter: Variable) -> list[int]:
    low = parameter.lower
    start = int(low) if low is not None and low.is_Integer else 1
    step = parameter.multiple_of
    first = -(-start // step) * step
    values = range(first, first + VALUES * step, step)
    upper = parameter.upper
    limit = int(upper) if upper is not None and upper.is_Integer else None
    return [value for value in values if limit is None or value < limit]
