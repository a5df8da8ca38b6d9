"""One line for each problem, as compilers write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.check.codes import OWN_CLAIM, code_named

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report

__all__ = ["concise", "line_of_finding", "line_of_note"]


def concise(report: Report) -> str:
    """``file:line: LA201 one-to-one refuted: layout: why``, then a line with the counts."""
    shown = [f for f in report.findings if report.verbose and f.status != "note"] or report.problems
    lines = [line_of_finding(finding) for finding in shown]
    return "\n".join([*lines, *map(line_of_note, report.notes), report.sentence, ""])


def line_of_finding(finding: Finding) -> str:
    """The line of one finding."""
    claim = (
        code_named(finding.code).claim if finding.code != OWN_CLAIM.id else finding.claim.partition(":")[0]
    )
    if finding.status == "error":
        layout = f"{finding.layout}: " if finding.layout else ""
        return f"{finding.place}: {finding.code} {layout}{finding.summary}"
    reason = finding.summary or finding.by
    return f"{finding.place}: {finding.code} {claim} {finding.verdict}: {finding.layout}: {reason}"


def line_of_note(finding: Finding) -> str:
    """The line of what is no claim."""
    layout = f"{finding.layout}: " if finding.layout else ""
    return f"{finding.place}: note: {layout}{finding.summary}"
