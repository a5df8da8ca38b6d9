"""Claims and verdicts: what is said, of which points, and the witness on the map it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from layoutalg.claim import Claim
from layoutalg.pictures.view import Formulas, Lines, Part, View, view_of
from layoutalg.pictures.witness import witness_grids
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

__all__ = ["claim_view", "verdict_view"]

MOST_EVIDENCE = 6


@view_of.register
def claim_view(claim: Claim) -> View:
    """The points, the condition, and the statement.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> from layoutalg.properties import one_to_one
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(claim_view(one_to_one(make_naive_tensor_descriptor((8,), (3,)), "steps"))))
    one-to-one: steps
    for all 0 <= i0 < 8, 0 <= i0' < 8
    if
    3*i0 == 3*i0'
    then
    i0 == i0'
    """
    domain = str(claim.domain).removeprefix("Domain: ")
    lines = [f"for all {domain}"]
    if claim.witness is not None:
        lines.append(f"there are {str(claim.witness).removeprefix('Domain: ')} with")
    parts: list[Part] = [Lines(tuple(lines))]
    if claim.when:
        parts += [Lines(("if",)), _statements(claim.when), Lines(("then",))]
    return View(f"{claim.name}: {claim.subject}", (*parts, _statements(claim.then)))


def _statements(said: Sequence[Any]) -> Formulas:
    return Formulas(tuple(("", statement) for statement in said))


@view_of.register
def verdict_view(verdict: Verdict) -> View:
    """What was found; for a refutation the point, its values, and the map around it."""
    match verdict:
        case Proved():
            evidence = [f"{name}: {value}" for name, value in list(verdict.evidence.items())[:MOST_EVIDENCE]]
            return View(str(verdict), (Lines(tuple(evidence)),) if evidence else ())
        case Unknown():
            return View("unknown", (Lines(tuple(verdict.reason.split("; "))),))
        case Refuted():
            return View(str(verdict), tuple(_of_refutation(verdict)))


def _of_refutation(refuted: Refuted) -> Iterator[Part]:
    if refuted.claim is not None:
        yield Lines((f"claim: {refuted.claim.name}: {refuted.claim.subject}",))
    if refuted.values:
        yield Lines(tuple(f"{name} = {value} there" for name, value in refuted.values.items()))
    claim = refuted.claim
    if claim is not None and claim.map is not None:
        yield from witness_grids(claim.map, refuted.point)
