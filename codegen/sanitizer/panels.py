"""What a notebook shows of findings: a panel for each, with the lines of source that it speaks of.

>>> panel = Panel("lds-race sum.hip:8", "wave 2 writes what wave 0 reads", ("other: sum.hip:10",))
>>> print(bundle("sum: 1 mistake", [panel])["text/plain"])
sum: 1 mistake
lds-race sum.hip:8: wave 2 writes what wave 0 reads
  other: sum.hip:10
"""

from __future__ import annotations

import linecache
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Panel", "bundle"]

AROUND = 1  # lines of source shown before and behind one that is spoken of
WRAPPED = '<pre style="white-space: pre-wrap">'


@dataclass(frozen=True)
class Panel:
    """A heading, a sentence, further lines; ``places``: files and lines of source that it speaks of."""

    heading: str
    sentence: str
    details: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()

    @property
    def excerpt(self) -> tuple[tuple[int, str, bool], ...]:
        """Numbers and texts of the lines around its places, and whether a line is one of them.

        >>> Panel("", "", places=(("no such file", 1),)).excerpt
        ()
        """
        marked = set(self.places)
        near = {(file, line + step) for file, line in marked for step in range(-AROUND, AROUND + 1)}
        texts = [(line, linecache.getline(file, line), (file, line) in marked) for file, line in sorted(near)]
        return tuple((line, text.rstrip(), is_marked) for line, text, is_marked in texts if text)


def bundle(
    title: str,
    panels: Sequence[Panel],
    include: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
) -> dict[str, str]:
    """HTML and text by MIME type; ``include`` and ``exclude`` as IPython's protocol has them."""
    made = {"text/html": "".join(_html(title, panels)), "text/plain": "\n".join(_text(title, panels))}
    return {
        kind: text
        for kind, text in made.items()
        if (not include or kind in include) and kind not in (exclude or ())
    }


def _text(title: str, panels: Sequence[Panel]) -> Iterator[str]:
    if title:
        yield title
    for panel in panels:
        yield f"{panel.heading}: {panel.sentence}"
        yield from (f"  {line}" for line in panel.details)


def _html(title: str, panels: Sequence[Panel]) -> Iterator[str]:
    yield '<div class="layoutalg">'
    if title:
        yield f"<h4>{escape(title)}</h4>"
    for panel in panels:
        yield f"<p><b>{escape(panel.heading)}</b><br>{escape(panel.sentence)}</p>"
        rows = "\n".join(_source_row(*row) for row in panel.excerpt)
        if rows:
            yield f"<pre>{rows}</pre>"
        if panel.details:
            lines = escape("\n".join(panel.details))
            yield f"<details><summary>instructions</summary>{WRAPPED}{lines}</pre></details>"
    yield "</div>"


def _source_row(number: int, text: str, is_marked: bool) -> str:  # noqa: FBT001  a row of an excerpt
    row = f"{number:>4}  {escape(text)}"
    return f"<b>{row}</b>" if is_marked else row
