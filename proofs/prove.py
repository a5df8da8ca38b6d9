"""The prover: several ways to decide a claim, cheapest first, and one verdict.

>>> from layoutalg.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.length import sizes
>>> from layoutalg.properties import memory_bounds, one_to_one
>>> M, K = sizes("M K")
>>> rows = make_naive_tensor_descriptor_packed((M, K))
>>> prove(memory_bounds(rows)), prove(one_to_one(rows))
(proved by normal form, proved by digits)
>>> prove(memory_bounds(rows), members=["z3 integers"])
proved by z3 integers
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from layoutalg.errors import LayoutError
from layoutalg.evaluate import evaluate
from layoutalg.points import contains
from layoutalg.proofs.by_bits import prove_by_bits
from layoutalg.proofs.by_composition import prove_by_composition
from layoutalg.proofs.by_digits import prove_by_digits
from layoutalg.proofs.by_exhaustion import prove_by_exhaustion
from layoutalg.proofs.by_instances import refute_by_instance
from layoutalg.proofs.by_inverse import prove_by_inverse
from layoutalg.proofs.by_normal_form import prove_by_normal_form
from layoutalg.proofs.by_ranges import prove_by_ranges
from layoutalg.proofs.by_solver import prove_with_cvc5, prove_with_z3_integers, prove_with_z3_words
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.shrink import shrunk
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutalg.claim import Claim

__all__ = ["MEMBERS", "PORTFOLIO", "Member", "prove"]


FAILURES = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)


class Member(Protocol):
    """A way to decide claims: proved, refuted by a candidate point, or unknown with a reason."""

    def __call__(self, claim: Claim, limits: Limits = LIMITS) -> Verdict: ...


def _few_points(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    return prove_by_exhaustion(claim, replace(limits, points=min(limits.few, limits.points)))


MEMBERS: Mapping[str, Member] = {
    "normal form": prove_by_normal_form,
    "digits": prove_by_digits,
    "inverse": prove_by_inverse,
    "composition": prove_by_composition,
    "ranges": prove_by_ranges,
    "bits": prove_by_bits,
    "few points": _few_points,
    "small sizes": refute_by_instance,
    "z3 integers": prove_with_z3_integers,
    "z3 words": prove_with_z3_words,
    "cvc5": prove_with_cvc5,
    "exhaustion": prove_by_exhaustion,
}
PORTFOLIO = tuple(MEMBERS)


def prove(claim: Claim, *, members: Sequence[str] = PORTFOLIO, limits: Limits = LIMITS) -> Verdict:
    """Proved, refuted by a point that the plain evaluator confirmed, or unknown with every member's reason.

    ``members`` are asked in turn until one can tell: normal form, digits of the outputs and links of the
    chain (all sizes), ranges, rank over bits, every point of a small domain, every point for small sizes,
    Z3 over integers and over words, cvc5 where installed, every point of a large domain.
    """
    reasons: dict[str, None] = {}
    for name in members:
        if name not in MEMBERS:
            msg = f"prove: there is no member {name!r}: known are {', '.join(MEMBERS)}"
            raise LayoutError(msg)
        try:
            verdict = MEMBERS[name](claim, limits)
        except FAILURES as error:
            verdict = Unknown(f"{name} failed: {type(error).__name__}: {error}")
        if isinstance(verdict, Refuted):
            verdict = _confirmed(claim, verdict)
        if not isinstance(verdict, Unknown):
            return verdict
        if verdict.reason != NOT_MINE:
            reasons[verdict.reason] = None
    return Unknown("; ".join(reasons) or NOT_MINE)


def _confirmed(claim: Claim, refuted: Refuted) -> Verdict:
    """The refutation with its explanation, if the plain evaluator agrees with it."""
    point = dict(refuted.point)
    try:
        if not contains(claim.domain, point):
            return Unknown(f"{refuted.by} named a point outside the domain: {point}")
        if claim.witness is not None:
            return Refuted(point, _unreached(claim, point), refuted.by, claim=claim)
        if bool(claim.holds(point)):
            return Unknown(f"{refuted.by} named a point at which the claim holds: {point}")
        smaller = _smallest(claim, refuted)
        return Refuted(smaller, _explained(claim, smaller), refuted.by, _values(claim, smaller), claim)
    except LayoutError as error:
        return Unknown(f"{refuted.by} named a point that cannot be evaluated: {error.message}")


def _smallest(claim: Claim, refuted: Refuted) -> dict[str, int]:
    """A point with small numbers: the first among small sizes, else one shrunk from the point found."""
    if refuted.by == "exhaustion":
        return dict(refuted.point)
    if refuted.by != "small sizes" and claim.domain.parameters:
        small = refute_by_instance(claim)
        if isinstance(small, Refuted) and not claim.holds(small.point):
            return dict(small.point)
    return shrunk(claim, dict(refuted.point))


def _values(claim: Claim, point: dict[str, int]) -> dict[str, int]:
    """What each side of the failing comparisons is at the point."""
    sides = [side for c in claim.then if not c.holds(point) for side in (c.left, c.right)]
    if claim.kind == "pairs" and claim.map is not None:
        sides += claim.map.outputs
    return {str(side): int(evaluate(side, point)) for side in sides if not side.is_Integer}


def _explained(claim: Claim, point: dict[str, int]) -> str:
    if claim.kind == "pairs" and claim.map is not None:
        axes = [axis.name for axis in claim.map.domain.axes]
        one = tuple(point[name] for name in axes)
        other = tuple(point[f"{name}'"] for name in axes)
        outputs = tuple(int(evaluate(output, point)) for output in claim.map.outputs)
        return f"{one} and {other} both map to {outputs[0] if len(outputs) == 1 else outputs}"
    failing = next(c for c in claim.then if not c.holds(point))
    left, right = (int(evaluate(side, point)) for side in (failing.left, failing.right))
    return f"{failing} is false: {left} {failing.op} {right}"


def _unreached(claim: Claim, point: dict[str, int]) -> str:
    target = tuple(point[axis.name] for axis in claim.domain.axes)
    return f"no index maps to {target[0] if len(target) == 1 else target}"
