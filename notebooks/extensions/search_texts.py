"""Excerpts for the search that need no server: the texts of all pages in one script beside the index.

Sphinx's own excerpts fetch each page, which a browser refuses to pages that are files. ``search_texts.js``
has for every page its text and where in it each anchor stands; ``static/search_excerpts.js`` shows them.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

__all__ = ["PageText", "setup"]

NAME = "search_texts.js"
UNREAD = {"script", "style", "svg", "button"}
BLOCKS = {"p", "div", "section", "h1", "h2", "h3", "h4", "li", "td", "th", "dt", "dd", "pre", "br"}


class PageText(HTMLParser):
    """The text of a page's main part, and where each anchor begins in it.

    >>> page = PageText()
    >>> page.feed('<p>menu</p><article role="main"><h2 id="a">A</h2><p>two  words</p></article>')
    >>> page.text, page.anchors
    ('A two words', {'a': 0})
    """

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.anchors: dict[str, int] = {}
        self._is_main = False
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The main part begins, or what is not to be read; an anchor is noted."""
        found = dict(attrs)
        self._is_main = self._is_main or found.get("role") == "main"
        if tag in BLOCKS and self._is_main:
            self._add(" ")
        if tag in UNREAD or "headerlink" in (found.get("class") or "") or tag in self._skipped:
            self._skipped.append(tag)
        elif self._is_main and found.get("id"):
            self.anchors[str(found["id"])] = len(self.text)

    def handle_endtag(self, tag: str) -> None:
        """The main part ends, or what is not to be read."""
        if self._skipped and self._skipped[-1] == tag:
            self._skipped.pop()
        self._is_main = self._is_main and tag != "article"

    def handle_data(self, data: str) -> None:
        """Text, its spaces made one."""
        if self._is_main and not self._skipped:
            self._add(re.sub(r"\s+", " ", data))

    def _add(self, words: str) -> None:
        self.text += words.lstrip() if self.text.endswith(" ") or not self.text else words


def _texts(out: Path, names: Any) -> dict[str, Any]:
    found = {}
    for name in sorted(names):
        page = PageText()
        page.feed((out / f"{name}.html").read_text(encoding="utf-8"))
        found[name] = [page.text, page.anchors]
    return found


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        texts = json.dumps(_texts(Path(app.outdir), app.env.found_docs), ensure_ascii=False)
        (Path(app.outdir) / NAME).write_text(f"SearchExcerpts.show({texts});\n", encoding="utf-8")


def _scripts(app: Sphinx, page: str, *_rest: Any) -> None:
    if page == "search":
        app.add_js_file("search_excerpts.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the texts at the end of a build, and have the search page show them."""
    app.connect("html-page-context", _scripts)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
