"""Views as files: the format by its name or by the end of the path."""

from __future__ import annotations

from pathlib import Path

from layoutalg.errors import LayoutError
from layoutalg.files import write_text
from layoutalg.pictures.as_html import page_css, view_html
from layoutalg.pictures.as_latex import as_latex
from layoutalg.pictures.as_png import as_png
from layoutalg.pictures.as_svg import as_svg
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.page import page
from layoutalg.pictures.view import View
from layoutalg.reading.near_names import not_one_of

__all__ = ["FORMATS", "rendered", "write_view"]

FORMATS = ("text", "svg", "html", "png", "latex")
ENDS = {".txt": "text", ".svg": "svg", ".html": "html", ".png": "png", ".tex": "latex"}


def rendered(view: View, form: str) -> str | bytes:
    """The view in one of text, svg, html (a whole page), png, latex."""
    match form:
        case "text":
            return as_text(view) + "\n"
        case "svg":
            return as_svg(view) + "\n"
        case "html":
            return page(view.title, view_html(view), page_css())
        case "png":
            return as_png(view)
        case "latex":
            return as_latex(view) + "\n"
    raise not_one_of("a format", form, FORMATS)


def write_view(view: View, path: str | Path, form: str | None = None) -> Path:
    """Write the view to a file, whole or not at all; without ``form`` the file's ending says what."""
    where = Path(path)
    wanted = ENDS.get(where.suffix) if form is None else form
    if wanted is None:
        msg = f"{where}: wanted a file name that ends in {', '.join(ENDS)}"
        raise LayoutError(msg, hint="or say the format")
    made = rendered(view, wanted)
    if isinstance(made, bytes):
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(made)
    else:
        write_text(where, made)
    return where
