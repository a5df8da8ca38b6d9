"""Looking for a refutation of a claim about all sizes among small sizes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.errors import LayoutError
from layoutalg.proofs.exhaust import prove_by_exhaustion
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from layoutalg.domain import Variable

__all__ = ["refute_by_instance"]

VALUES = 4  # smallest values tried for each parameter
INSTANCES = 64
POINTS = 1 << 16  # for one instance


def refute_by_instance(claim: Claim) -> Verdict:
    """Refuted if a small instance is; never proved."""
    if not claim.domain.parameters:
        return Unknown("the claim has no parameters")
    tried = 0
    for values in itertools.islice(_instances(claim), INSTANCES):
        try:
            verdict = prove_by_exhaustion(_bound(claim, values), POINTS)
        except LayoutError:
            continue
        tried += 1
        if isinstance(verdict, Refuted):
            return Refuted({**values, **verdict.point}, "", "small instance")
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


def _bound(claim: Claim, values: Mapping[str, int]) -> Claim:
    symbols = {claim.domain[name]: value for name, value in values.items()}

    def settle(comparison: Comparison) -> Comparison:
        return Comparison(
            comparison.left.xreplace(symbols), comparison.op, comparison.right.xreplace(symbols)
        )

    index_map = claim.map
    if index_map is not None:
        index_map = IndexMap(
            index_map.domain.bind(values),
            tuple(output.xreplace(symbols) for output in index_map.outputs),
            tuple(condition.xreplace(symbols) for condition in index_map.when),
        )
    witness = None
    if claim.witness is not None and index_map is not None:
        witness = index_map.domain
    return Claim(
        claim.name,
        claim.subject,
        claim.domain.bind(values),
        tuple(map(settle, claim.then)),
        tuple(condition.xreplace(symbols) for condition in claim.when),
        witness,
        index_map,
    )
