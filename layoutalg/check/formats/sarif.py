"""SARIF 2.1.0, within what GitHub's code scanning reads: stable rules, relative paths, fingerprints."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutalg.check.codes import CODES, OWN_CLAIM, Code

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report

__all__ = ["sarif"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST = 25_000  # results that GitHub takes


def sarif(report: Report) -> str:
    """One run; problems only, as code scanning shows nothing else."""
    codes = {code.id: code for code in (*CODES, OWN_CLAIM)}
    run = {
        "tool": {"driver": _driver(list(codes.values()))},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, report, list(codes))
            for finding in report.findings[:MOST]
            if finding.status not in ("proved", "clean")
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _driver(codes: list[Code]) -> dict[str, Any]:
    return {
        "name": "layoutalg",
        "version": version("layoutalg"),
        "rules": [
            {
                "id": code.id,
                "name": "".join(word.capitalize() for word in code.name.split("-")),
                "shortDescription": {"text": code.summary},
                "fullDescription": {"text": f"{code.summary} {code.look}"},
                "help": {"text": f"{code.look} More: layoutalg explain {code.id}"},
                "defaultConfiguration": {"level": "error"},
                "properties": {"tags": [code.family]},
            }
            for code in codes
        ],
    }


def _result(finding: Finding, report: Report, codes: list[str]) -> dict[str, Any]:
    lines = [finding.summary or finding.claim, *finding.details]
    found: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": report.level(finding),
        "message": {
            "text": f"{finding.layout}: {finding.verdict}: " * bool(finding.layout) + "\n".join(lines)
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _relative(finding.file), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": finding.line},
                }
            }
        ],
        "partialFingerprints": {"layoutalg/v1": finding.fingerprint},
    }
    if report.is_known(finding):
        found["suppressions"] = [{"kind": "external", "justification": "in the baseline"}]
    if finding.by and finding.status == "note":
        found["suppressions"] = [{"kind": "inSource", "justification": finding.by}]
    return found


def _relative(file: str) -> str:
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()
