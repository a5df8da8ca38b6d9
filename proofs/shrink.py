"""Smaller points: a refutation is easiest to check by hand when its numbers are small.

>>> from layoutalg.claim import Claim, Comparison
>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"x": 1000})
>>> shrunk(Claim("small", "x", domain, (Comparison(3 * domain["x"], "<", 100),)), {"x": 871})
{'x': 34}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.domain.points import contains
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.claim import Claim
    from layoutalg.domain import Domain, Variable

__all__ = ["shrunk"]

TRIES = 400


def shrunk(claim: Claim, point: dict[str, int]) -> dict[str, int]:
    """A point near zero at which the claim still fails, found by lowering one value, or a pair, at a time."""
    tries = TRIES
    best, found = dict(point), True
    while found:
        found = False
        for candidate in _smaller(claim.domain, best):
            tries -= 1
            if tries < 0:
                return best
            if _refutes(claim, candidate):
                best, found = candidate, True
                break
    return best


def _smaller(domain: Domain, point: dict[str, int]) -> Iterator[dict[str, int]]:
    """Points with one value lowered, boldest first; then with a value and its twin lowered together."""
    for together in (False, True):
        for variable in (*domain.parameters, *domain.axes):
            name, twin = variable.name, f"{variable.name}'"
            if together and twin not in point:
                continue
            least = min(point[name], point[twin]) if together else point[name]
            for step in _steps(variable, least):
                lowered = point | {name: point[name] - step}
                yield lowered | {twin: point[twin] - step} if together else lowered


def _steps(variable: Variable, value: int) -> Iterator[int]:
    """By how much a value may be lowered: to its lowest, then by half of that, and so on."""
    lowest = int(variable.lower) if variable.lower is not None and variable.lower.is_Integer else 0
    units = (value - lowest) // variable.multiple_of
    while units > 0:
        yield units * variable.multiple_of
        units //= 2


def _refutes(claim: Claim, point: dict[str, int]) -> bool:
    try:
        return contains(claim.domain, point) and not claim.holds(point)
    except LayoutError:
        return False
