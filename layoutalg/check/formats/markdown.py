"""A table in Markdown, for the summary of a CI step."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutalg.check.report import Report

__all__ = ["markdown"]

MOST = 1000  # rows: a step's summary holds a mebibyte


def markdown(report: Report) -> str:
    """The counts, and a row for each problem."""
    lines = [f"**{report.command}**: {report.sentence}", ""]
    if report.problems:
        lines += ["| where | rule | layout | verdict | why |", "|---|---|---|---|---|"]
    for finding in report.problems[:MOST]:
        why = finding.summary.replace("|", "\\|")
        lines.append(f"| {finding.place} | {finding.code} | {finding.layout} | {finding.verdict} | {why} |")
    left_out = len(report.problems) - MOST
    if left_out > 0:
        lines += ["", f"{left_out} more are not shown."]
    for finding in report.notes[:MOST]:
        lines.append(f"- {finding.place}: {finding.layout}: {finding.summary}")
    return "\n".join([*lines, ""])
