"""What a notebook is given to display: HTML, SVG, LaTeX and text of one view."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from layoutalg.pictures.as_html import as_html
from layoutalg.pictures.as_latex import as_latex
from layoutalg.pictures.as_svg import as_svg
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.view import view_of

__all__ = ["mimebundle"]


def mimebundle(
    value: Any, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, str]:
    """By MIME type; ``include`` and ``exclude`` as IPython's protocol has them."""
    view = view_of(value)
    makers = {
        "text/html": lambda: as_html(view),
        "image/svg+xml": lambda: as_svg(view),
        "text/latex": lambda: _latex(as_latex(view)),
        "text/plain": lambda: as_text(view),
    }
    wanted = [kind for kind in makers if (not include or kind in include) and kind not in (exclude or ())]
    made = {kind: makers[kind]() for kind in wanted}
    return {kind: text for kind, text in made.items() if text}


def _latex(text: str) -> str:
    return f"$\\displaystyle {text}$" if text else ""
