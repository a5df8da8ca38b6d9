"""JUnit XML as Jenkins and pytest's xunit2 write it: a suite for each file, a case for each claim."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from layoutalg.check.codes import code_named

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report

__all__ = ["junit"]


def junit(report: Report) -> str:
    """Refuted and unknown claims are failures, files in error are errors; warnings are skipped cases."""
    found: Any = JUnitXml()
    by_file = sorted(report.findings, key=lambda finding: finding.file)
    for file, group in groupby(by_file, key=lambda finding: finding.file):
        suite = TestSuite(file)
        for finding in group:
            suite.add_testcase(_case(finding, report))
        found.add_testsuite(suite)
    found.tests, found.time = len(by_file), round(sum(f.seconds for f in by_file), 3)
    found.failures = sum(suite.failures for suite in found)
    found.errors = sum(suite.errors for suite in found)
    text: bytes = found.tostring()
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text.decode()}\n'


def _case(finding: Finding, report: Report) -> TestCase:
    claim = code_named(finding.code).name
    case = TestCase(
        f"{finding.code} {claim} (line {finding.line})",
        finding.layout or finding.file,
        round(finding.seconds, 3),
    )
    message = finding.summary or finding.by
    if finding.status == "unconfirmed":
        message = f"{finding.verdict}: {message}"
    if finding.status == "error":
        case.result = [Error(message, finding.code)]
        case.result[0].text = "\n".join((message, *finding.details))
    elif report.level(finding) == "error":
        case.result = [Failure(message, finding.code)]
        case.result[0].text = "\n".join((finding.claim, *finding.details))
    elif finding.status not in ("proved", "clean"):
        case.result = [Skipped(message)]
    return case
