"""Smaller points: a refutation is easiest to check by hand when its numbers are small.

>>> from layoutalg.claim import Claim, Comparison
>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"x": 1000})
>>> shrunk(Claim("small", "x", domain, (Comparison(3 * domain["x"], "<", 100),)), {"x": 871})
{'x': 34}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.points import contains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.claim import Claim

__all__ = ["shrunk"]

TRIES = 400


def shrunk(claim: Claim, point: dict[str, int]) -> dict[str, int]:
    """A point near zero at which the claim still fails, found by lowering one value, or a pair, at a time."""
    tries = TRIES
    best, found = dict(point), True
    while found:
        found = False
        for candidate in _smaller(best):
            tries -= 1
            if tries < 0:
                return best
            if _refutes(claim, candidate):
                best, found = candidate, True
                break
    return best


def _smaller(point: dict[str, int]) -> Iterator[dict[str, int]]:
    """Points with one value lowered, boldest first; then with a value and its twin lowered together."""
    for together in (False, True):
        for name, value in point.items():
            twin = f"{name}'"
            if together and twin not in point:
                continue
            least = min(value, point[twin]) if together else value
            step = least
            while step > 0:
                lowered = point | {name: value - step}
                yield lowered | {twin: point[twin] - step} if together else lowered
                step //= 2


def _refutes(claim: Claim, point: dict[str, int]) -> bool:
    try:
        return contains(claim.domain, point) and not claim.holds(point)
    except LayoutError:
        return False
