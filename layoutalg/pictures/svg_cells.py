"""One box of a grid or a tile, as SVG text.

>>> print(*Box(0, 0, 20, 20).drawn("7", "la-c3", 0, "lane 3"), sep=chr(10))
<rect x="0" y="0" width="20" height="20" class="la-cell la-c3"><title>lane 3</title></rect>
<text x="16" y="14" class="la-on" text-anchor="end">7</text>
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from layoutalg.pictures.palette import mark_path

__all__ = ["Box", "letters", "outline"]

INSET = 4
STROKES = 20  # pixels of two edges between lines that strike a box through


@dataclass(frozen=True)
class Box:
    """Where it lies, in pixels."""

    x: float
    y: float
    width: float
    height: float

    def drawn(
        self, text: str, kind: str, mark: int, path: str, *, is_masked: bool = False, is_middle: bool = False
    ) -> Iterator[str]:
        """The box in the colour of ``kind``, its mark, its text, and what a pointer over it is told.

        A masked box is struck through in place of its text.
        """
        kinds = " ".join(filter(None, ("la-cell", kind)))
        size = f'width="{self.width:.6g}" height="{self.height:.6g}"'
        box = f'<rect x="{self.x:.6g}" y="{self.y:.6g}" {size} class="{kinds}"'
        yield f"{box}><title>{escape(path)}</title></rect>" if path else f"{box}/>"
        if mark:
            yield f'<path d="{mark_path(mark, self.x, self.y, self.height)}" class="la-mark"/>'
        if is_masked:
            yield f'<path d="{"".join(self._strokes())}" class="la-masked"/>'
        if text and not is_masked:
            letter = "la-on" if kind else "la-text"
            middle = self.y + self.height / 2 + 4
            if is_middle:
                yield letters(text, self.x + self.width / 2, middle, letter, "middle")
            else:
                yield letters(text, self.x + self.width - INSET, middle, letter)

    def _strokes(self) -> Iterator[str]:
        """Slanted lines that strike the box through: one in a cell, many in a large box."""
        count = max(round((self.width + self.height) / STROKES), 2)
        for number in range(1, count):
            along = (self.width + self.height) * number / count  # of the upper and right edge together
            up = min(along, self.width), max(along - self.width, 0)
            down = max(along - self.height, 0), min(along, self.height)
            yield f"M{self.x + up[0]:.6g} {self.y + up[1]:.6g}L{self.x + down[0]:.6g} {self.y + down[1]:.6g}"


def letters(text: str, x: float, y: float, kind: str = "la-text", anchor: str = "end") -> str:
    """A line of text."""
    return f'<text x="{x:.6g}" y="{y:.6g}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def outline(box: Box) -> str:
    """The frame around a marked box."""
    size = f'width="{box.width - 2:.6g}" height="{box.height - 2:.6g}"'
    return f'<rect x="{box.x + 1:.6g}" y="{box.y + 1:.6g}" {size} class="la-marked"/>'
