"""What the sanitizer found, as a report: in the formats, with the exit status and the baseline of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from layoutalg.check.finding import Finding
from layoutalg.check.formats.full import full
from layoutalg.check.report import Report
from layoutalg.check.suppressions import Suppression, allowed_in_source, suppression_for
from layoutalg.codegen.sanitizer import Sanitized, SanitizerFinding

__all__ = ["SanitizerReport", "findings_of", "require_clean", "unused_notes"]

NOT_EXECUTED = "LA900"


@dataclass(frozen=True)
class SanitizerReport(Report):
    """A report of kernels that were run."""

    @property
    def command(self) -> str:
        return "layoutalg sanitize"

    @property
    def sentence(self) -> str:
        """``2 kernels: 1 clean, 3 mistakes (lds-race 2, out-of-bounds 1) in 1; 1 suppressed``."""
        bad = {f.layout for f in self.problems if f.layout}
        kinds = Counter(f.claim for f in self.problems if f.status == "found")
        runs = {f.layout for f in self.findings if f.layout}
        text = f"{len(runs)} kernel{'s' if len(runs) != 1 else ''}: {len(runs - bad)} clean"
        if kinds:
            total = sum(kinds.values())
            told = ", ".join(f"{name} {count}" for name, count in kinds.most_common())
            text += f", {total} mistake{'s' if total != 1 else ''} ({told}) in {len(bad)}"
        suppressed = sum(1 for f in self.notes if f.by)
        parts = [f"{suppressed} suppressed"] * bool(suppressed)
        parts += [f"{self.counts['baseline']} in the baseline"] * bool(self.counts["baseline"])
        parts += [f"{self.counts['error']} could not be run"] * bool(self.counts["error"])
        return "; ".join([text, *parts])


def findings_of(
    done: Sanitized, suppressions: Sequence[Suppression], used: set[Suppression], label: str = ""
) -> Iterator[Finding]:
    """The findings of a run, and a row for each check that found nothing.

    What a suppression or a comment in the source allows becomes a note with its reason; suppressions that
    did are added to ``used``. ``label``: what tells the run from others of the same kernel.
    """
    name = f"{done.kernel.name} ({label})" if label else done.kernel.name
    for one in done.findings:
        allowed = suppression_for(one, suppressions)
        reason = allowed.reason if allowed else allowed_in_source(one)
        if allowed:
            used.add(allowed)
        yield _finding(one, name, reason)
    found = {one.check.name for one in done.findings}
    share = done.seconds / max(1, len(done.checks))
    for check in done.checks:
        if check.name not in found and not done.stopped:
            yield Finding(done.file, 1, name, check.code, check.name, "clean", by="running it", seconds=share)
    if done.stopped:
        yield Finding(done.file, 1, name, NOT_EXECUTED, "executable", "error", summary=done.stopped)


def require_clean(done: Sanitized, suppressions: Sequence[Suppression] = ()) -> None:
    """Raise :class:`AssertionError`, explained, where a run found something that is not allowed."""
    __tracebackhide__ = True
    report = SanitizerReport.of(findings_of(done, suppressions, set()))
    if report.exit_status:
        raise AssertionError(f"{done.kernel.name} is not clean\n{full(report)}")


def _finding(one: SanitizerFinding, name: str, reason: str) -> Finding:
    told = one.message if not reason else f"{one.check.name} is allowed ({reason}): {one.message}"
    return Finding(
        one.file, one.line, name, one.check.code, one.check.name, "note" if reason else "found",
        by=reason, summary=told, details=one.details,
    )  # fmt: skip


def unused_notes(suppressions: Iterable[Suppression], used: set[Suppression]) -> Iterator[Finding]:
    """A note for each suppression that nothing was found for."""
    for one in suppressions:
        if one not in used:
            said = f"{one.check} is allowed here ({one.reason}) and was not found: drop the suppression"
            yield Finding(one.file, one.line, "", "LA003", "known", "note", summary=said)
