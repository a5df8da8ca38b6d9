"""The prover: several ways to decide a claim, cheapest first, and one verdict.

>>> from layoutalg.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.length import sizes
>>> from layoutalg.properties import memory_bounds, one_to_one
>>> M, K = sizes("M K")
>>> rows = make_naive_tensor_descriptor_packed((M, K))
>>> prove(memory_bounds(rows)), prove(one_to_one(rows))
(proved by normal form, proved by digits)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.evaluate import evaluate
from layoutalg.points import contains
from layoutalg.proofs.exhaust import prove_by_exhaustion
from layoutalg.proofs.instances import refute_by_instance
from layoutalg.proofs.solver import prove_with_z3
from layoutalg.proofs.structural import prove_by_structure
from layoutalg.verdict import Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["prove"]

FEW = 1 << 18  # points that are tried before a solver is asked


def prove(claim: Claim) -> Verdict:
    """Proved, refuted by a point that the plain evaluator confirmed, or unknown.

    Asked in turn: the normal form, every point of a small domain, Z3, small sizes, every point of
    a larger domain.
    """
    reasons = []
    for member in (
        prove_by_structure,
        lambda c: prove_by_exhaustion(c, FEW),
        prove_with_z3,
        refute_by_instance,
        prove_by_exhaustion,
    ):
        verdict = member(claim)
        if isinstance(verdict, Refuted):
            verdict = _confirmed(claim, verdict)
        if not isinstance(verdict, Unknown):
            return verdict
        reasons.append(verdict.reason)
    return Unknown("; ".join(dict.fromkeys(reasons)))


def _confirmed(claim: Claim, refuted: Refuted) -> Verdict:
    """The refutation with its explanation, if the plain evaluator agrees with it."""
    point = dict(refuted.point)
    try:
        if not contains(claim.domain, point):
            return Unknown(f"{refuted.by} named a point outside the domain: {point}")
        if claim.witness is not None:
            return Refuted(point, _unreached(claim, point), refuted.by)
        if bool(claim.holds(point)):
            return Unknown(f"{refuted.by} named a point at which the claim holds: {point}")
        return Refuted(point, _explained(claim, point), refuted.by)
    except LayoutError as error:
        return Unknown(f"{refuted.by} named a point that cannot be evaluated: {error}")


def _explained(claim: Claim, point: dict[str, int]) -> str:
    if claim.name == "one-to-one" and claim.map is not None:
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
