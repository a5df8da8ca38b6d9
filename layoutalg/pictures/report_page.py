"""A report on many layouts as one page that opens offline: worst first, one line a layout that opens.

Behind a line stand what is refuted, each with its counterexample drawn on the layout, what is proved and by
what, and the layout's picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import GOOD, SAID, WORST_FIRST, Finding
from layoutalg.check.named_layouts import layouts_named
from layoutalg.errors import LayoutError
from layoutalg.pictures.as_html import page_css, view_html
from layoutalg.pictures.page import filled, page
from layoutalg.pictures.view import View, view_of
from layoutalg.pictures.witness import witness_on

if TYPE_CHECKING:
    from layoutalg.check.report import Report

__all__ = ["Entry", "Told", "checked_page", "report_page"]


@dataclass(frozen=True)
class Told:
    """A finding as the page tells it, with its counterexample as HTML; "" where none can be drawn."""

    finding: Finding
    witness: str
    is_known: bool

    @property
    def claim(self) -> str:
        """The claim's name without its quantifiers, which the details have."""
        return self.finding.claim.partition(":")[0]

    @property
    def status(self) -> str:
        return "baseline" if self.is_known else self.finding.status

    @property
    def statement(self) -> str:
        """What was claimed, in full."""
        return self.finding.claim.partition(": ")[2]


@dataclass(frozen=True)
class Entry:
    """A layout: where it stands, its picture as HTML, what was found of its claims."""

    name: str
    place: str
    picture: str
    told: tuple[Told, ...]
    number: int

    @property
    def short_place(self) -> str:
        """The place without folders."""
        return self.place.rpartition("/")[2]

    @property
    def file(self) -> str:
        """The file's name without its endings, which tells layouts of one name apart."""
        return self.short_place.partition(".")[0].partition(":")[0]

    @property
    def anchor(self) -> str:
        return f"layout-{self.number}"

    @cached_property
    def worst(self) -> str:
        """The gravest verdict; ``no claims`` where nothing is claimed."""
        found = {told.status for told in self.told}
        ranked = (
            "error",
            *(s for s in WORST_FIRST if s not in (*GOOD, "error")),
            "baseline",
            "proved",
            "clean",
        )
        return next((status for status in ranked if status in found), "no claims")

    @property
    def rank(self) -> int:
        """The order of the page: what is worst comes first."""
        order = (*(s for s in WORST_FIRST if s not in GOOD), "baseline", "no claims")
        return order.index(self.worst) if self.worst in order else len(order)

    @property
    def open_claims(self) -> tuple[Told, ...]:
        """What is not proved."""
        return tuple(told for told in self.told if told.finding.status not in GOOD)

    @property
    def good_claims(self) -> tuple[Told, ...]:
        return tuple(told for told in self.told if told.finding.status in ("proved", "clean"))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(told.finding.summary for told in self.told if told.finding.status == "note")

    @property
    def sentence(self) -> str:
        """What stands on the line of the layout: verdicts and how many, and the first claim that fails."""
        counts = Counter(told.status for told in self.told if told.finding.status != "note")
        said = ", ".join(f"{counts[s]} {SAID.get(s, s)}" for s in (*WORST_FIRST, "baseline") if counts[s])
        first = next((f": {t.claim}: {t.finding.summary}" for t in self.open_claims), "")
        return f"{said}{first}"


def report_page(sources: Sequence[str], title: str = "Layouts", options: Options | None = None) -> str:
    """The page on all layouts of these files and modules."""
    found = [finding for source in sources for finding in findings_of(source, options or Options())]
    return _page(title, sources, found)


def checked_page(report: Report) -> str:
    """The page on what a check found, with the pictures of the layouts that can be read again."""
    sources = list(dict.fromkeys(finding.file for finding in report.findings))
    return _page(report.command, sources, report.findings, report, report.sentence)


def _page(
    title: str,
    sources: Sequence[str],
    found: Sequence[Finding],
    report: Report | None = None,
    sentence: str = "",
) -> str:
    entries = sorted(_entries(sources, found, report), key=lambda entry: entry.rank)
    counts = Counter(finding.status for finding in found)
    body = filled(
        "report.html",
        title=title,
        sentence=sentence,
        files=len(sources),
        entries=entries,
        shared={name for name, count in Counter(entry.name for entry in entries).items() if count > 1},
        counts={status: counts[status] for status in WORST_FIRST if counts[status] and status != "note"},
        errors=[finding for finding in found if finding.status == "error"],
    )
    return page(title, body, page_css())


def _entries(sources: Sequence[str], found: Sequence[Finding], report: Report | None) -> Iterator[Entry]:
    number = 0
    for source in sources:
        own = [one for one in found if _is_of(one, source) and one.status != "error"]
        values = _layouts(source, {one.layout for one in own} if report else None)
        for name in dict.fromkeys((*values, *(finding.layout for finding in own))):
            mine = [finding for finding in own if finding.layout == name]
            value = values.get(name)
            told = tuple(
                Told(one, _witness(value, one), report is not None and report.is_known(one)) for one in mine
            )
            place = mine[0].place if mine else source
            yield Entry(name, place, "" if value is None else _picture(value), told, number)
            number += 1


def _is_of(finding: Finding, source: str) -> bool:
    """Whether a finding is of a source: of its file, or of the one layout named."""
    file, _, name = source.rpartition(":") if not Path(source).is_file() else (source, "", "")
    return finding.file in (source, file) and (not name or finding.layout == name or not file)


def _layouts(source: str, names: set[str] | None) -> dict[str, Any]:
    """What a source names; nothing of a file that cannot be read, whose error is a finding."""
    try:
        found = layouts_named(source)
    except (LayoutError, OSError):
        return {}
    return {name: one.value for name, one in found.items() if names is None or name in names}


def _picture(value: Any) -> str:
    return view_html(view_of(value))


def _witness(value: Any, finding: Finding) -> str:
    """The counterexample on the layout; empty where there is none, or it does not lie on the layout."""
    grids = witness_on(value, finding.point)
    return view_html(View("", tuple(grids))) if grids else ""
