"""The report: every layout with its picture and its verdicts, in one page that fetches nothing."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import WORST_FIRST, Finding
from layoutalg.check.report import Report
from layoutalg.errors import LayoutError
from layoutalg.pictures import report_page
from layoutalg.pictures.report_page import Entry, Told, checked_page
from tests.layoutalg.cli.test_layout_commands import MODULE, printed
from tests.refusals import refused

REGRESSIONS = Path(__file__).parents[2] / "regressions"
GOOD = str(REGRESSIONS / "ck_lds_bank_conflicts.layout.toml")
FETCHES = ("http:", "https:", "url(", "@import", "<link", " src=")


@pytest.mark.slow
def test_a_report_has_every_layout_with_its_findings(tmp_path):
    (tmp_path / "mine.layout.py").write_text(MODULE)
    sources = [GOOD, str(REGRESSIONS / "tvm_wrong_extent.layout.toml"), str(tmp_path / "mine.layout.py")]
    text = report_page(sources, "All & sundry")
    findings = [finding for source in sources for finding in findings_of(source, Options())]
    names = {finding.layout for finding in findings} | {"rows", "padded", "symbolic"}
    for name in names:
        assert f"<b>{html.escape(name)}</b>" in text
    for finding in findings:
        told = finding.claim.partition(": ")[2] if finding.status == "proved" else finding.summary
        assert html.escape(told, quote=False).replace("'", "&#39;") in text
        assert f"{finding.code} {finding.claim.partition(':')[0]}" in text
    for status in {finding.status for finding in findings}:
        count = sum(finding.status == status for finding in findings)
        assert re.search(rf"{count} claims? {status}", text)
    assert "<h1>All &amp; sundry</h1>" in text
    assert text.count("<svg") >= len(names)


def test_a_proof_that_was_not_confirmed_is_a_problem():
    proved, open_ = (
        Told(Finding("a", 1, "rows", "LA201", "one-to-one: rows", status), "", is_known=False)
        for status in ("proved", "unconfirmed")
    )
    entry = Entry("rows", "a:1", "", (proved, open_), number=99)
    assert (entry.worst, entry.open_claims) == ("unconfirmed", (open_,))
    assert entry.rank < Entry("rows", "a:1", "", (proved,), number=98).rank


@pytest.mark.slow
def test_a_page_fetches_nothing():
    text = re.sub(r"http://www\.w3\.org/[\w/]+", "", report_page([GOOD]))
    assert not any(sign in text for sign in FETCHES)
    assert "default-src 'none'" in text
    assert report_page([GOOD]) == report_page([GOOD])


@pytest.mark.slow
def test_what_is_refuted_comes_first_in_the_index_and_on_the_page(tmp_path):
    file = tmp_path / "rows.layout.py"
    rows = "import layoutalg as la\na_good = la.make_naive_tensor_descriptor((4, 8), (8, 1))\n"
    file.write_text(f"{rows}z_bad = la.make_naive_tensor_descriptor((4, 8), (7, 1))\n")
    text = report_page([GOOD, str(file)])
    verdicts = re.findall(r'<span class="la-verdict [\w-]+">([\w ]+)</span>', text)
    assert verdicts[0] == "refuted"
    ranks = [WORST_FIRST.index(verdict) for verdict in verdicts]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1
    links = re.findall(r'<a href="#(layout-\d+)"', text)
    assert links == re.findall(r'<details class="la-entry" id="(layout-\d+)">', text)


def test_a_counterexample_is_drawn_on_its_layout(tmp_path):
    file = tmp_path / "rows.layout.py"
    file.write_text("import layoutalg as la\nrows = la.make_naive_tensor_descriptor((4, 8), (7, 1))\n")
    findings = findings_of(str(file), Options())
    [refuted] = [one for one in findings if one.status == "refuted" and one.code == "LA201"]
    text = report_page([str(file)])
    section = text[text.index("LA201 one-to-one</h3>") :]
    section = section[: section.index("</section>")]
    assert section.count('class="la-marked"') == 2
    first, second = ((refuted.point[f"i0{prime}"], refuted.point[f"i1{prime}"]) for prime in ("", "'"))
    assert f"{first} →" in section
    assert f"{second} →" in section


def test_explain_draws_what_is_refuted_and_nothing_else(tmp_path):
    file = tmp_path / "rows.layout.py"
    file.write_text("import layoutalg as la\nrows = la.make_naive_tensor_descriptor((4, 8), (7, 1))\n")
    text = printed("explain", str(file))
    assert "1 of 3 claims are not proved" in text
    assert "LA201 one-to-one of rows" in text
    assert len(re.findall(r"\*7\b", text)) == 2
    file.write_text("import layoutalg as la\nrows = la.make_naive_tensor_descriptor((4, 8), (8, 1))\n")
    assert printed("explain", str(file)).strip().endswith("3 claims, all proved")
    assert "one-to-one" in printed("explain", "LA201")


def test_check_writes_the_same_page(tmp_path):
    out = tmp_path / "check.html"
    wrong = str(REGRESSIONS / "tvm_wrong_extent.layout.toml")
    report = Report.of(findings_of(wrong, Options()))
    printed("check", wrong, "--output-format", f"html={out}", "--no-cache", code=1)
    text = out.read_text(encoding="utf-8")
    assert text == checked_page(report)
    assert text.count("<svg") >= 1
    assert report.sentence in text


@pytest.mark.slow
def test_a_file_in_error_is_named_and_the_others_are_shown(tmp_path):
    broken = tmp_path / "broken.layout.toml"
    broken.write_text("layout = 3\n")
    text = report_page([str(broken), GOOD])
    assert '<p class="error">' in text
    assert "broken.layout.toml:1" in text
    assert "<svg" in text


@pytest.mark.slow
def test_the_command_writes_the_page(tmp_path):
    out = tmp_path / "site" / "report.html"
    assert printed("report", GOOD, "-o", str(out)).strip() == str(out)
    assert out.read_text(encoding="utf-8") == report_page([GOOD])


def test_a_folder_without_layouts_is_told(tmp_path):
    with refused(LayoutError):
        printed("report", str(tmp_path), "-o", str(tmp_path / "report.html"))
    assert not list(tmp_path.iterdir())
