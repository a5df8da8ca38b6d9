"""Values that notebooks display.

A value asks for its picture here; what draws it is registered from above (:mod:`layoutalg` does), so that
values import nothing of pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

__all__ = ["Displayed", "display_by"]

Draw = Callable[[object, Collection[str] | None, Collection[str] | None], dict[str, str]]
_drawn_by: list[Draw] = []


def display_by(draw: Draw) -> None:
    """Let ``draw(value, include, exclude)`` give the pictures of all values, by MIME type."""
    _drawn_by[:] = [draw]


class Displayed:
    """A value with a picture: IPython asks for it by ``_repr_mimebundle_``."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """HTML, SVG, LaTeX and text by MIME type; plain text where nothing draws."""
        for draw in _drawn_by:
            return draw(self, include, exclude)
        return {"text/plain": repr(self)}
