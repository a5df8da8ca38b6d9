"""Certificates: a claim, its verdict and what the verdict rests on, as JSON."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from layoutalg.as_terms import to_term
from layoutalg.verdict import Proved, Refuted, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim
    from layoutalg.domain import Domain

__all__ = ["SCHEMA", "certificate"]

SCHEMA = "layoutalg-certificate-1"


def certificate(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """A JSON value that says what was claimed, of which points, and why it holds or fails.

    Expressions are text in Python's syntax, with floor division.
    """
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": {
            "name": claim.name,
            "subject": claim.subject,
            "domain": _domain(claim.domain),
            "when": [_text(condition) for condition in claim.when],
            "then": [f"{_text(c.left)} {c.op} {_text(c.right)}" for c in claim.then],
        },
        "versions": {name: _version(name) for name in ("layoutalg", "sympy", "numpy", "z3-solver")},
    }
    if claim.witness is not None:
        found["claim"]["witness"] = _domain(claim.witness)
    if isinstance(verdict, Proved):
        found |= {"verdict": "proved", "by": verdict.by, "evidence": dict(verdict.evidence)}
    elif isinstance(verdict, Refuted):
        found |= {"verdict": "refuted", "by": verdict.by, "point": dict(verdict.point)}
        found["explanation"] = verdict.explanation
    else:
        found |= {"verdict": "unknown", "reason": verdict.reason}
    return found


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        "variables": [
            {
                "name": variable.name,
                "lower": None if variable.lower is None else _text(variable.lower),
                "upper": None if variable.upper is None else _text(variable.upper),
                "multiple_of": variable.multiple_of,
                "is_parameter": variable.is_parameter,
            }
            for variable in domain.variables
        ],
        "facts": [_text(fact) for fact in domain.facts],
    }


def _text(expression: Any) -> str:
    return str(to_term(expression))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
