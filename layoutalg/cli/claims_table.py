"""The claims of a kernel, decided one by one, and how that is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from layoutalg.claim import Claim
from layoutalg.cli.columns import columns
from layoutalg.codegen.kernel import Kernel
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted, Verdict

__all__ = ["Decided", "claims_table", "decide", "open_claims"]


@dataclass(frozen=True)
class Decided:
    """A claim, its verdict, and the seconds that took."""

    claim: Claim
    verdict: Verdict
    seconds: float


def decide(kernel: Kernel) -> list[Decided]:
    """Every claim of the kernel, with its verdict."""
    found = []
    for claim in kernel.claims:
        start = time.perf_counter()
        verdict = prove(claim)
        found.append(Decided(claim, verdict, time.perf_counter() - start))
    return found


def claims_table(decided: Sequence[Decided]) -> Iterator[str]:
    """A line for each claim: name, subject, verdict, which member of the prover decided, milliseconds."""
    rows = [("claim", "subject", "verdict", "decided by", "ms")]
    for entry in decided:
        verdict = entry.verdict
        by = "" if not isinstance(verdict, Proved | Refuted) else verdict.by
        word = type(verdict).__name__.lower()
        rows.append((entry.claim.name, entry.claim.subject, word, by, f"{1000 * entry.seconds:.1f}"))
    yield from columns(rows)
    proved = sum(isinstance(entry.verdict, Proved) for entry in decided)
    seconds = sum(entry.seconds for entry in decided)
    yield f"{proved} of {len(decided)} claims proved in {seconds:.2f} s"


def open_claims(decided: Sequence[Decided]) -> Iterator[str]:
    """What stands in the way of handing out the kernel, a line for each claim that is not proved."""
    for entry in decided:
        if not isinstance(entry.verdict, Proved):
            yield f"{entry.claim.name} ({entry.claim.subject}) is {entry.verdict!r}"
