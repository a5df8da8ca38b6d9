"""The legend of a picture: what its colours say, with a swatch for each class.

>>> from layoutalg.pictures.view import Colouring
>>> key = Key(Colouring("lane", lambda row, column: row), (0, 1, 17))
>>> key.kind(17), key.mark(17), key.height
('la-c1', 1, 42.0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from layoutalg.pictures.drawn import CHARACTER
from layoutalg.pictures.palette import CLASSES, COLOURS, STEPS, Look, looks_of, step
from layoutalg.pictures.svg_cells import Box, letters

if TYPE_CHECKING:
    from layoutalg.pictures.view import Colouring

__all__ = ["Key"]

LINE, SWATCH, GAP = 18.0, 16.0, 8.0
STEP_WIDTH = 14.0


@dataclass(frozen=True)
class Key:
    """A colouring and the classes that a picture has of it, in order."""

    colouring: Colouring
    classes: tuple[int, ...]

    @cached_property
    def looks(self) -> dict[int, Look]:
        return looks_of(self.classes)

    def kind(self, number: int) -> str:
        """The style class of a cell of this class."""
        if self.colouring.is_quantity:
            return f"la-v{step(number, self.classes[0], self.classes[-1])}"
        return f"la-c{self.looks[number].colour}"

    def mark(self, number: int) -> int:
        """The mark of a cell of this class."""
        return 0 if self.colouring.is_quantity else self.looks[number].mark

    @property
    def title(self) -> str:
        """The line above the swatches."""
        told = f" ({self.colouring.told})" if self.colouring.told else ""
        count = len(self.classes)
        alike = f"; {count} classes in {CLASSES} looks: read the numbers" if self._is_crowded else ""
        return f"colour: {self.colouring.name}{told}{alike}"

    @property
    def _is_crowded(self) -> bool:
        return not self.colouring.is_quantity and len(self.classes) > CLASSES

    @property
    def _swatch(self) -> float:
        return max(CHARACTER * max(len(str(number)) for number in self.classes) + GAP, 22.0)

    @property
    def _shown(self) -> tuple[int, ...]:
        return self.classes[:CLASSES]

    @property
    def width(self) -> float:
        text = CHARACTER * len(self.title)
        if self.colouring.is_quantity:
            ends = sum(CHARACTER * len(str(number)) + GAP for number in (self.classes[0], self.classes[-1]))
            return max(text, ends + STEP_WIDTH * len(STEPS))
        return max(text, self._swatch * min(len(self._shown), len(COLOURS)))

    @property
    def height(self) -> float:
        lines = 1 if self.colouring.is_quantity else -(-len(self._shown) // len(COLOURS))
        return LINE + SWATCH * lines + GAP

    def drawn(self, top: float) -> Iterator[str]:
        """The legend from this height on."""
        yield letters(self.title, 0, top + 12, "la-small", "start")
        if self.colouring.is_quantity:
            yield from self._ramp(top + LINE)
            return
        for place, number in enumerate(self._shown):
            line, column = divmod(place, len(COLOURS))
            box = Box(self._swatch * column, top + LINE + SWATCH * line, self._swatch, SWATCH)
            path = f"{self.colouring.name} {number}"
            yield from box.drawn(str(number), self.kind(number), self.mark(number), path, is_middle=True)

    def _ramp(self, top: float) -> Iterator[str]:
        low, high = self.classes[0], self.classes[-1]
        at = CHARACTER * len(str(low)) + GAP
        yield letters(str(low), 0, top + 12, "la-small", "start")
        steps = sorted({step(number, low, high) for number in self.classes})
        for number in steps:
            yield from Box(at, top, STEP_WIDTH, SWATCH).drawn("", f"la-v{number}", 0, "")
            at += STEP_WIDTH
        if high == low:
            return
        yield letters(str(high), at + GAP, top + 12, "la-small", "start")
