"""Certificates: a claim, its verdict and what the verdict rests on, as JSON that others can check.

A solver's proof keeps its question in SMT-LIB 2. A proof by normal form keeps its rewrite steps. A proof by
digits keeps the inverse of the map and the steps that show it leads back; one that took the claim apart how
it did, and a proof of each part. A refutation keeps its point.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from layoutalg.claim import Claim
from layoutalg.errors import of_kind
from layoutalg.proofs.certificates.claim_json import claim_of, expression_of, json_of, text_of
from layoutalg.proofs.certificates.rule_instance import json_of_step
from layoutalg.proofs.certificates.split_json import json_of_split, parts_of, split_of
from layoutalg.proofs.digits.inverse_map import inverse_claim, inverse_domain, inverse_of
from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.members.by_cut import prove_by_cut
from layoutalg.proofs.members.by_normal_form import rewrites
from layoutalg.proofs.members.by_solver import question
from layoutalg.proofs.prove import prove
from layoutalg.term.as_terms import to_term
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

__all__ = ["SCHEMA", "certificate", "digest"]

SHORT = ("normal form", "z3 integers")  # members that show that an inverse leads back
SCHEMA = "layoutalg-certificate-2"
PACKAGES = ("layoutalg", "sympy", "numpy", "z3-solver", "cvc5")


def certificate(claim: Claim, verdict: Verdict, limits: Limits = LIMITS) -> dict[str, object]:
    """A JSON value that says what was claimed, of which points, and why it holds or fails.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> from layoutalg.proofs.prove import prove
    >>> from layoutalg.properties import one_to_one
    >>> claim = one_to_one(make_naive_tensor_descriptor((4, 8), (10, 1)))
    >>> certificate(claim, prove(claim))["proof"]["inverse"]
    {'i0': 'y0 // 10', 'i1': 'y0 % 10'}
    """
    of_kind(claim, Claim, "certificate: claim", "a claim")
    of_kind(verdict, (Proved, Refuted, Unknown), "certificate: verdict", "the verdict that prove(claim) gave")
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": json_of(claim),
        "versions": {name: _version(name) for name in PACKAGES},
        "limits": limits.as_json(),
    }
    if isinstance(verdict, Proved):
        stated = claim_of(found["claim"])  # SymPy may build what is read a little otherwise
        found |= {"verdict": "proved", "by": verdict.by, "proof": _proof(stated, verdict)}
    elif isinstance(verdict, Refuted):
        found |= {"verdict": "refuted", "by": verdict.by, "point": dict(verdict.point)}
        found |= {"values": dict(verdict.values), "explanation": verdict.explanation}
    else:
        found |= {"verdict": "unknown", "reason": verdict.reason}
    return found | {"digest": digest(found)}


def digest(content: Mapping[str, Any]) -> str:
    """SHA-256 of everything but the digest itself: tells a damaged file from a whole one."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _proof(claim: Claim, verdict: Proved, within: tuple[Claim, ...] = ()) -> dict[str, Any]:
    """What a verdict rests on; ``within``: the claims that this one is a part of, which it may be alike."""
    evidence: dict[str, Any] = dict(verdict.evidence)
    split, parts, known = (
        evidence.pop("split", None),
        evidence.pop("parts", ()),
        evidence.pop("inverse", None),
    )
    found: dict[str, Any] = evidence
    if split is not None:
        written = json_of_split(split)
        claims = parts_of(claim, split_of(written, claim))
        around = (*within, claim)
        proofs = [
            {"by": v.by, "proof": _proof(part, v, around)} for part, v in zip(claims, parts, strict=True)
        ]
        return {"split": written, "parts": proofs}
    if "smt2" in found:
        found["smt2"] = question(claim, verdict.by)
    if verdict.by in ("normal form", "products", "z3 integers", "cvc5"):
        found["steps"] = [
            json_of_step(step) for step in rewrites(claim, with_products=verdict.by == "products")
        ]
    elif verdict.by in ("digits", "inverse"):
        inverse = inverse_of(claim) if known is None else _read_again(known, claim)
        if inverse is not None and prove(inverse_claim(claim, inverse), members=SHORT):
            found["inverse"] = {name: str(to_term(value)) for name, value in inverse.items()}
            found["steps"] = [json_of_step(step) for step in rewrites(inverse_claim(claim, inverse))]
        elif claim not in within and isinstance(again := prove_by_cut(claim), Proved):
            return _proof(claim, again, within)  # the index of an entry has no formula
    return found


def _read_again(inverse: Mapping[str, Expr], claim: Claim) -> dict[str, Expr]:
    """The way back with the symbols of the claim as it is stated."""
    domain = inverse_domain(claim)
    return {name: expression_of(text_of(value), domain) for name, value in inverse.items()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
