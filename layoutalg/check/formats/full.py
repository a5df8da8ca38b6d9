"""Each problem as a person would explain it: the claim, the points, the way to memory, where to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.check.codes import code_named
from layoutalg.check.formats.concise import line_of_finding, line_of_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report

__all__ = ["full"]


def full(report: Report) -> str:
    """Every problem with its explanation, what was proved if asked for, and a line with the counts."""
    lines = [line for finding in report.problems for line in (*_explained(finding), "")]
    proved = [finding for finding in report.findings if report.verbose and finding.status == "proved"]
    for finding in proved:
        where = "from cache" if finding.is_cached else f"{1000 * finding.seconds:.1f} ms"
        name = finding.claim.partition(":")[0]
        lines.append(f"proved   {finding.place}: {finding.layout}: {name} (by {finding.by}, {where})")
    clean = [finding for finding in report.findings if report.verbose and finding.status == "clean"]
    lines += [f"clean    {finding.file}: {finding.layout}: {finding.claim}" for finding in clean]
    return "\n".join([*lines, *map(line_of_note, report.notes), report.sentence, ""])


def _explained(finding: Finding) -> Iterator[str]:
    yield line_of_finding(finding)
    yield from (f"  {line}" for line in finding.details)
    if finding.status == "unknown":
        yield "  Nobody could tell: no proof. State more facts, give sizes a max, or split the claim."
    if finding.status == "unconfirmed":
        yield "  A prover found a proof that the second checker could not follow: it does not count."
    if finding.status in ("refuted", "found"):
        yield f"  Look at: {code_named(finding.code).look}"
