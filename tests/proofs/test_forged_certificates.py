"""No forged certificate is confirmed, and none ends in an exception."""

from __future__ import annotations

import json
from collections import Counter

import pytest
import sympy

from layoutalg import Claim, Comparison, Domain, IndexMap, Unknown, parse
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.proofs.certificates.certificate import digest
from layoutalg.proofs.prove import MEMBERS
from layoutalg.properties import covers_map, covers_together, disjoint, one_to_one_map
from tests.proofs.forged_certificates import Forger, fails_at, is_false

ROWS = Domain.of({"i": "n", "j": 4}, {"n": (1, 8)})
EIGHT = Domain.of({"i": 8})
TOKENS = Domain.of({"i": "n", "j": "k"}, {"n": (1, 4), "k": (1, 4)})
DIES = Domain.of({"i": "4*n"}, {"n": (1, 4)})
TAIL = {"n": (4, 12)}
MAIN, REST = Domain.of({"i": "n // 4 * 4"}, TAIL), Domain.of({"j": 3}, TAIL)


def mapped(domain, *outputs, when=()):
    return IndexMap(domain, *(tuple(parse(text, domain) for text in texts) for texts in (outputs, when)))


def bounds(domain, text, end):
    offset = parse(text, domain)
    return Claim(
        "in bounds",
        "rows",
        domain,
        (Comparison(0, "<=", offset), Comparison(offset, "<", parse(end, domain))),
    )


TAILS = (mapped(MAIN, "i"), mapped(REST, "n // 4 * 4 + j", when=["n // 4 * 4 + j < n"]))
HALVES = (mapped(EIGHT, "i"), mapped(EIGHT, "i + 8"))
CLAIMS = {
    "tokens of q and k": disjoint(mapped(TOKENS, "2*k*i + j"), mapped(TOKENS, "2*k*i + k + j")),
    "one below the other": disjoint(*HALVES),
    "two places": disjoint(mapped(EIGHT, "0"), mapped(Domain.of({"j": 8}), "8")),
    "main and tail": covers_together(TAILS, (MAIN["n"],)),
    "halves": covers_together(HALVES, (sympy.Integer(16),)),
    "rows apart": one_to_one_map(mapped(ROWS, "4*i + j"), "rows"),
    "sums apart": one_to_one_map(mapped(ROWS, "i", "i + j"), "rows"),
    "swizzled": one_to_one_map(mapped(Domain.of({"i": 8, "j": 8}), "8*i + (i ^ j)"), "rows"),
    "rows reached": covers_map(mapped(ROWS, "4*i + j"), (parse("4*n", ROWS),), "rows"),
    "renamed blocks": covers_map(mapped(DIES, "i % 4 * n + i // 4"), (parse("4*n", DIES),), "dies"),
    "bounds": bounds(ROWS, "4*i + j", "4*n"),
    "pairs that meet": one_to_one_map(mapped(EIGHT, "i // 2"), "rows"),
    "gaps": covers_map(mapped(EIGHT, "2*i"), (sympy.Integer(16),), "rows"),
    "maps that meet": disjoint(mapped(EIGHT, "2*i"), mapped(EIGHT, "3*i + 1")),
    "out of bounds": bounds(EIGHT, "i", "7"),
}


@pytest.fixture(scope="module")
def honest():
    """What every member that decides a claim says of it, as it arrives elsewhere."""
    found = []
    for claim in CLAIMS.values():
        for member in MEMBERS:
            verdict = prove(claim, members=[member])
            if not isinstance(verdict, Unknown):
                found.append(json.loads(json.dumps(certificate(claim, verdict))))
    splits = {content.get("proof", {}).get("split", {}).get("kind") for content in found}
    assert splits >= {"order", "cases", "counting"}
    return found


def test_the_oracle_agrees_with_honest_certificates(honest):
    for content in honest:
        assert is_false(content["claim"]) == (content["verdict"] == "refuted")
        assert content["verdict"] == "proved" or fails_at(content["claim"], content["point"])


@pytest.mark.parametrize(
    "part",
    [
        0,
        *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4)),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(4, 41)),
    ],
)
def test_a_forged_certificate_is_not_confirmed(honest, part):
    """Each seed makes 250 certificates; where one is confirmed, the oracle finds that its claim is true."""
    forger = Forger(honest, seed=part)
    counts: Counter[str] = Counter()
    for _ in range(250):
        content = forger.forged()
        forged = content | {"digest": digest(content)}
        found = recheck(forged, ["z3"])
        counts[found.result] += 1
        if found.result == "confirmed":
            claim, verdict = forged["claim"], forged["verdict"]
            good = not is_false(claim) if verdict == "proved" else fails_at(claim, forged["point"])
            assert good, json.dumps(forged, indent=1)
    assert counts["rejected"] > counts["confirmed"] > 10
