"""Everything known of every finding, for other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutalg.check.report import Report

__all__ = ["json_report"]


def json_report(report: Report) -> str:
    """One object: counts, exit status, and a row for each finding."""
    rows = [
        finding.as_json()
        | {"verdict": finding.verdict}
        | {"fingerprint": finding.fingerprint, "is_in_baseline": report.is_known(finding)}
        for finding in report.findings
    ]
    content = {
        "tool": "layoutalg",
        "counts": dict(report.counts),
        "exit_status": report.exit_status,
        "sentence": report.sentence,
        "seconds": round(report.seconds, 3),
        "findings": rows,
    }
    return json.dumps(content, indent=1) + "\n"
