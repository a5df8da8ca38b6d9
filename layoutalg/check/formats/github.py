"""Annotations for GitHub Actions: worst first, because only ten of a kind are shown for a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.check.codes import code_named

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report

__all__ = ["github"]

MOST = 50  # that GitHub shows of a job


def github(report: Report) -> str:
    """A workflow command for each problem, then a line with the counts."""
    lines = [_command(finding, report) for finding in report.problems[:MOST]]
    lines += [_command(finding, report) for finding in report.notes[: MOST - len(lines)]]
    return "\n".join([*lines, report.sentence, ""])


def _command(finding: Finding, report: Report) -> str:
    kind = {"error": "error", "warning": "warning", "note": "notice"}[report.level(finding)]
    title = f"{finding.code} {code_named(finding.code).claim} {finding.verdict}"
    layout = f"{finding.layout}: " if finding.layout else ""
    message = "\n".join((f"{layout}{finding.summary}", *finding.details))
    place = f"file={_property(finding.file)},line={finding.line},title={_property(title)}"
    return f"::{kind} {place}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
