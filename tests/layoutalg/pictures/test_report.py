"""The report: every layout with its picture and its verdicts, in one page that fetches nothing."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import Finding
from layoutalg.errors import LayoutError
from layoutalg.pictures import report_page
from layoutalg.pictures.report_page import Entry
from tests.layoutalg.cli.test_layout_commands import MODULE, printed

REGRESSIONS = Path(__file__).parents[2] / "regressions"
GOOD = str(REGRESSIONS / "ck_lds_bank_conflicts.layout.toml")
FETCHES = ("http:", "https:", "url(", "@import", "<link", " src=")


def test_a_report_has_every_layout_with_its_findings(tmp_path):
    (tmp_path / "mine.layout.py").write_text(MODULE)
    sources = [GOOD, str(REGRESSIONS / "tvm_wrong_extent.layout.toml"), str(tmp_path / "mine.layout.py")]
    text = report_page(sources, "All & sundry")
    findings = [finding for source in sources for finding in findings_of(source, Options())]
    names = {finding.layout for finding in findings} | {"rows", "padded", "symbolic"}
    for name in names:
        assert f"<summary>{html.escape(name)} " in text
    for finding in findings:
        assert html.escape(finding.claim, quote=False).replace("'", "&#39;") in text
    for status in {finding.status for finding in findings}:
        count = sum(finding.status == status for finding in findings)
        assert f"{count} claims {status}" in text
    assert "<h1>All &amp; sundry</h1>" in text
    assert text.count("<svg") >= len(names)


def test_a_proof_that_was_not_confirmed_is_a_problem():
    proved, open_ = (
        Finding("a", 1, "rows", "LA201", "one-to-one", status) for status in ("proved", "unconfirmed")
    )
    entry = Entry("rows", "a:1", "", (proved, open_), number=99)
    assert (entry.worst, entry.is_open) == ("unconfirmed", True)


def test_a_page_fetches_nothing():
    text = re.sub(r"http://www\.w3\.org/[\w/]+", "", report_page([GOOD]))
    assert not any(sign in text for sign in FETCHES)
    assert "default-src 'none'" in text
    assert report_page([GOOD]) == report_page([GOOD])


def test_refuted_layouts_are_unfolded_and_marked():
    text = report_page([str(REGRESSIONS / "tvm_wrong_extent.layout.toml")])
    assert '<span class="refuted">refuted</span>' in text
    assert re.search(r'<details id="layout-\d+" open>', text)


def test_a_file_in_error_is_named_and_the_others_are_shown(tmp_path):
    broken = tmp_path / "broken.layout.toml"
    broken.write_text("layout = 3\n")
    text = report_page([str(broken), GOOD])
    assert '<p class="error">' in text
    assert "broken.layout.toml:1" in text
    assert "<svg" in text


def test_the_command_writes_the_page(tmp_path):
    out = tmp_path / "site" / "report.html"
    assert printed("report", GOOD, "-o", str(out)).strip() == str(out)
    assert out.read_text(encoding="utf-8") == report_page([GOOD])


def test_a_folder_without_layouts_is_told(tmp_path):
    with pytest.raises(LayoutError, match="there are no layouts"):
        printed("report", str(tmp_path), "-o", str(tmp_path / "report.html"))
    assert not list(tmp_path.iterdir())
