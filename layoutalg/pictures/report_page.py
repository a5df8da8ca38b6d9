"""A report on many layouts as one page: pictures, closed forms, claims and verdicts; it opens offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from layoutalg.check.decide import Options, findings_of
from layoutalg.check.finding import MAY_BE_KNOWN, WORST_FIRST, Finding
from layoutalg.check.named_layouts import layouts_named
from layoutalg.errors import LayoutError
from layoutalg.pictures.as_html import page_css, view_html
from layoutalg.pictures.page import filled, page
from layoutalg.pictures.view import view_of

__all__ = ["Entry", "report_page"]

MOST_OPEN = 3  # layouts that are unfolded when the page opens, besides those with problems


@dataclass(frozen=True)
class Entry:
    """A layout: where it stands, its picture as HTML, what was found of its claims."""

    name: str
    place: str
    picture: str
    findings: tuple[Finding, ...]
    number: int

    @property
    def anchor(self) -> str:
        return f"layout-{self.number}"

    @property
    def worst(self) -> str:
        """The gravest verdict; ``no claims`` where nothing is claimed."""
        found = {finding.status for finding in self.findings}
        return next((status for status in WORST_FIRST if status in found - {"note"}), "no claims")

    @property
    def is_open(self) -> bool:
        return self.number < MOST_OPEN or self.worst in ("error", *MAY_BE_KNOWN)


def report_page(sources: Sequence[str], title: str = "Layouts", options: Options | None = None) -> str:
    """The page on all layouts of these files and modules, in the order given."""
    found = {source: findings_of(source, options or Options()) for source in sources}
    entries = list(_entries(found))
    every = [finding for findings in found.values() for finding in findings]
    counts = Counter(finding.status for finding in every)
    body = filled(
        "report.html",
        title=title,
        files=len(sources),
        entries=entries,
        counts={status: counts[status] for status in reversed(WORST_FIRST) if counts[status]},
        errors=[finding for finding in every if finding.status == "error"],
    )
    return page(title, body, page_css())


def _entries(found: Mapping[str, Sequence[Finding]]) -> Iterator[Entry]:
    number = 0
    for source, findings in found.items():
        for name, value in _layouts(source):
            own = tuple(finding for finding in findings if finding.layout == name)
            place = own[0].place if own else source
            yield Entry(name, place, _picture(value), own, number)
            number += 1


def _layouts(source: str) -> list[tuple[str, Any]]:
    """What a source names; nothing of a file that cannot be read, whose error is a finding."""
    try:
        return [(name, found.value) for name, found in layouts_named(source).items()]
    except LayoutError:
        return []


def _picture(value: Any) -> str:
    return view_html(view_of(value))
