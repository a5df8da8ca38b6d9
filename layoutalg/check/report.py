"""All findings of a run, worst first, and what they amount to.

>>> Report((), unknown_fails=True).exit_status
2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from layoutalg.check.finding import GOOD, MAY_BE_KNOWN, SAID, WORST_FIRST, Finding
from layoutalg.check.selection import Selection

__all__ = ["Report"]

PROVED, FAILED, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Report:
    """What a run found, and how strict it is.

    ``known`` are fingerprints of a baseline: what is listed there is reported and does not fail.
    ``verbose`` reports list what was proved, too; ``selection`` is what was asked for, told where it judged
    nothing.
    """

    findings: tuple[Finding, ...]
    unknown_fails: bool = True
    known: frozenset[str] = field(default_factory=frozenset)
    seconds: float = 0.0
    verbose: bool = False
    selection: Selection = field(default_factory=Selection)

    @classmethod
    def of(
        cls,
        findings: Iterable[Finding],
        *,
        unknown_fails: bool = True,
        known: Iterable[str] = (),
        seconds: float = 0.0,
        verbose: bool = False,
        selection: Selection | None = None,
    ) -> Self:
        """The report with its findings in order: worst first, then by file and line."""
        ordered = sorted(
            findings, key=lambda f: (WORST_FIRST.index(f.status), f.file, f.line, f.code, f.claim)
        )
        chosen = selection or Selection()
        return cls(tuple(ordered), unknown_fails, frozenset(known), seconds, verbose, chosen)

    @cached_property
    def counts(self) -> Counter[str]:
        """How many findings of each status, those of the baseline apart."""
        return Counter("baseline" if self.is_known(f) else f.status for f in self.findings)

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What is not proved and not in the baseline."""
        return tuple(f for f in self.findings if f.status not in GOOD and not self.is_known(f))

    @property
    def judged(self) -> tuple[Finding, ...]:
        """The claims that have a verdict."""
        return tuple(f for f in self.findings if f.status not in ("error", "note"))

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is no claim and yet to be known."""
        return tuple(f for f in self.findings if f.status == "note")

    @property
    def exit_status(self) -> int:
        """0 all proved, 1 something refuted or (unless allowed) unknown, 2 nothing found or a bad file.

        2 wins: where something could not be judged, nobody knows what else is wrong.
        """
        counts = self.counts
        if counts["error"] or len(self.findings) == counts["note"]:
            return UNUSABLE
        fails = (
            counts["refuted"]
            or counts["found"]
            or ((counts["unknown"] + counts["unconfirmed"]) and self.unknown_fails)
        )
        return FAILED if fails else PROVED

    def is_known(self, finding: Finding) -> bool:
        """Whether the baseline lists a finding; errors are never known."""
        return finding.status in MAY_BE_KNOWN and finding.fingerprint in self.known

    def level(self, finding: Finding) -> str:
        """``error``, ``warning`` or ``note``."""
        if finding.status in ("unknown", "unconfirmed") and not self.unknown_fails:
            return "warning"
        if finding.status in GOOD or self.is_known(finding):
            return "note"
        return "error"

    @property
    def command(self) -> str:
        """What made the report."""
        return "layoutalg check"

    @property
    def sentence(self) -> str:
        """``12 claims: 10 proved, 1 refuted, 1 unknown; 2 errors in 1 file``, and what judged nothing."""
        parts = [
            f"{self.counts[s]} {SAID.get(s, s)}"
            for s in ("proved", "refuted", "unknown", "unconfirmed", "baseline")
            if self.counts[s]
        ]
        left_out = self.selection.said({f.code for f in self.judged})
        text = f"{_counted(len(self.judged), 'claim')}: {', '.join(parts) or 'none'}"
        broken = [f.file for f in self.findings if f.status == "error"]
        if broken:
            text += f"; {_counted(len(broken), 'error')} in {_counted(len(set(broken)), 'file')}"
        return f"{text}; {left_out}" if left_out else text


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
