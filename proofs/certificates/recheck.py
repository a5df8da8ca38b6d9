"""Checking a certificate again, without trusting who wrote it: with Z3 and with cvc5, each for itself.

The question put to the solvers is made anew from the claim; what the certificate says is only help. A
rewrite step must be an instance of a row of the rule table; the row is proved, the step's premise is
proved, and the claim must then follow. A certificate that does not fit its own claim is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sympy
from sympy import Eq

from layoutalg.claim import Claim, Comparison
from layoutalg.domain.points import contains
from layoutalg.errors import BeyondTableError, LayoutError, shown
from layoutalg.index.evaluate import evaluate
from layoutalg.index.table_values import TableEntries
from layoutalg.proofs.certificates.certificate import SCHEMA, digest
from layoutalg.proofs.certificates.claim_json import claim_of, expression_of
from layoutalg.proofs.certificates.judgement import Judgement
from layoutalg.proofs.certificates.rule_instance import step_of
from layoutalg.proofs.certificates.split_json import parts_of, split_of
from layoutalg.proofs.digits.inverse_map import inverse_claim, inverse_domain
from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.proofs.members.by_solver import question
from layoutalg.proofs.smt.solvers import SOLVERS, Solver
from layoutalg.verdict import Proved, Refuted

__all__ = ["Recheck", "recheck"]

Result = Literal["confirmed", "rejected", "open"]


@dataclass(frozen=True)
class Recheck:
    """``confirmed`` by the checkers named, ``rejected`` for a reason, or left ``open`` by all.

    ``answers`` says what each checker found.
    """

    result: Result
    reason: str
    answers: Mapping[str, str]

    def __str__(self) -> str:
        found = ", ".join(f"{name}: {answer}" for name, answer in self.answers.items())
        return f"{self.result}: {self.reason}" + (f" ({found})" if found else "")


def recheck(
    content: Mapping[str, Any], solvers: Sequence[str] = tuple(SOLVERS), limits: Limits = LIMITS
) -> Recheck:
    """Whether a certificate holds, judged by the solvers named, each alone.

    One confirmation and no denial is enough; a certificate that says "unknown" proves nothing and is
    left open.

    >>> import layoutalg as la
    >>> claim = la.one_to_one(la.make_naive_tensor_descriptor((4, 8), (10, 1)))
    >>> la.recheck(la.certificate(claim, la.prove(claim)), ["z3"]).result
    'confirmed'
    """
    if not isinstance(content, Mapping):
        return Recheck("rejected", f"wanted a certificate, got {shown(content)}", {})
    try:
        return _recheck(content, [SOLVERS[name] for name in solvers], limits)
    except LayoutError as error:
        return Recheck("rejected", error.message, {})
    except Exception as error:  # noqa: BLE001  whatever a certificate says, it is rejected
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        return Recheck("rejected", f"not a certificate: {what}", {})


def _recheck(content: Mapping[str, Any], solvers: list[Solver], limits: Limits) -> Recheck:
    if content["schema"] != SCHEMA:
        return Recheck("rejected", f"wanted schema {SCHEMA}, got {content['schema']!r}", {})
    if digest(content) != content["digest"]:
        return Recheck("rejected", "the digest does not fit the content: it was changed", {})
    claim = claim_of(content["claim"])
    match content["verdict"]:
        case "refuted":
            return _point(claim, content)
        case "proved":
            return _proof(claim, content, solvers, limits)
        case "unknown":
            return Recheck("open", "it claims no proof", {})
        case verdict:
            return Recheck("rejected", f"wanted proved, refuted or unknown; got {verdict!r}", {})


def _point(claim: Claim, content: Mapping[str, Any]) -> Recheck:
    point = {str(name): _value(value) for name, value in content["point"].items()}
    names = {*claim.domain.names, *(table.name for table in claim.tables)}
    if set(point) != names or not contains(claim.domain, point) or not claim.fits_tables(point):
        return Recheck("rejected", f"{point} is no point of the claim's domain", {})
    if claim.witness is not None:
        return _unreached(claim, point)
    try:
        if claim.holds(point):
            return Recheck("rejected", f"the claim holds at {point}", {})
    except BeyondTableError as error:
        return Recheck("confirmed", error.message, {"evaluation": "fails"})
    sides = [side for c in claim.then for side in (c.left, c.right)] + list(
        claim.map.outputs if claim.map else ()
    )
    values = {str(side): int(evaluate(side, point)) for side in sides}
    for text, value in content["values"].items():
        if text in values and values[text] != value:
            return Recheck("rejected", f"{text} is {values[text]} there, not {value}", {})
    return Recheck("confirmed", f"the claim fails at {point}", {"evaluation": "fails"})


def _value(value: Any) -> Any:
    return TableEntries(map(int, value)) if isinstance(value, list | tuple) else int(value)


def _unreached(claim: Claim, point: dict[str, int]) -> Recheck:
    assert claim.map is not None
    parameters = {p.name: point[p.name] for p in claim.domain.parameters}
    tables: dict[str, Any] = {table.name: point[table.name] for table in claim.tables}
    fixed = claim.bind(parameters).with_tables(tables)
    assert fixed.map is not None
    hits = tuple(
        Eq(output, point[axis.name], evaluate=False)
        for output, axis in zip(fixed.map.outputs, fixed.domain.axes, strict=True)
    )
    never = (Comparison(sympy.Integer(1), "==", sympy.Integer(0)),)
    verdict = prove_by_exhaustion(
        Claim("unreached", claim.subject, fixed.map.domain, never, (*fixed.map.when, *hits))
    )
    if isinstance(verdict, Proved):
        return Recheck("confirmed", f"no index maps to {point}", {"enumeration": "none"})
    if isinstance(verdict, Refuted):
        return Recheck("rejected", f"{dict(verdict.point)} maps to {point}", {})
    return Recheck("open", verdict.reason, {})


def _proof(claim: Claim, content: Mapping[str, Any], solvers: list[Solver], limits: Limits) -> Recheck:
    proof, by = content["proof"], content["by"]
    if "split" in proof:
        return _parts(claim, proof, solvers, limits)
    steps = [step_of(row) for row in proof.get("steps", ())]
    if by in ("digits", "inverse") and "inverse" in proof:
        symbols = inverse_domain(claim)
        inverse = {name: expression_of(text, symbols) for name, text in proof["inverse"].items()}
        wanted = tuple(map(str, claim.told)) if claim.kind == "pairs" else _axes_of_map(claim)
        if set(inverse) != set(wanted):
            return Recheck("rejected", "the inverse does not name every axis once", {})
        claim = inverse_claim(claim, inverse)
    if "smt2" in proof and proof["smt2"] != question(claim, by):
        return Recheck("rejected", "the question in SMT-LIB 2 is not the one the claim asks", {})
    if claim.witness is not None:
        return _enumerated(claim, limits)
    answers = {solver.name: Judgement(claim, steps, solver, limits).answer() for solver in solvers}
    return _judged(claim, answers, limits)


def _parts(claim: Claim, proof: Mapping[str, Any], solvers: list[Solver], limits: Limits) -> Recheck:
    """Every part by itself: a split says what they are, and all of them must be confirmed."""
    parts = parts_of(claim, split_of(proof["split"], claim))
    if len(parts) != len(proof["parts"]):
        return Recheck("rejected", f"wanted a proof of each of {len(parts)} parts", {})
    reasons: dict[str, None] = {}
    answers: dict[str, str] = {}
    for part, content in zip(parts, proof["parts"], strict=True):
        found = _proof(part, content, solvers, limits)
        if found.result != "confirmed":
            return Recheck(found.result, f"of a part: {found.reason}", found.answers)
        reasons[found.reason] = None
        answers |= {name: answer for name, answer in found.answers.items() if answer.startswith("confirmed")}
    return Recheck("confirmed", f"part by part, {'; '.join(reasons)}", answers)


def _axes_of_map(claim: Claim) -> tuple[str, ...]:
    return () if claim.map is None else tuple(axis.name for axis in claim.map.domain.axes)


def _judged(claim: Claim, answers: dict[str, str], limits: Limits) -> Recheck:
    if "denied" in answers.values():
        return Recheck("rejected", "a solver found a point at which the claim fails", answers)
    confirming = [name for name, answer in answers.items() if answer.startswith("confirmed")]
    if confirming:
        return Recheck("confirmed", f"by {' and '.join(confirming)}", answers)
    found = _enumerated(claim, limits)
    return Recheck(found.result, found.reason, {**answers, **found.answers})


def _enumerated(claim: Claim, limits: Limits) -> Recheck:
    verdict = prove_by_exhaustion(claim, limits)
    if isinstance(verdict, Proved):
        points = verdict.evidence["points"]
        return Recheck("confirmed", f"by trying all {points} points", {"enumeration": "confirmed"})
    if isinstance(verdict, Refuted):
        return Recheck("rejected", f"the claim fails at {dict(verdict.point)}", {"enumeration": "denied"})
    return Recheck("open", "no checker could tell", {"enumeration": verdict.reason})
