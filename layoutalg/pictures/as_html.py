"""Views as a piece of a page: headings, formulas as MathML, pictures as SVG, programs coloured."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from latex2mathml.converter import convert
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from layoutalg.pictures.as_latex import formula_latex
from layoutalg.pictures.as_svg import part_svg
from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.style import css
from layoutalg.pictures.view import Factors, Formulas, Graph, Grid, Lines, Part, Source, View

__all__ = ["as_html", "page_css", "view_html"]

LONGEST = 1200  # characters of LaTeX beyond which a formula is shown as plain text
PAGE = """
.layoutalg { font-family: 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif }
.layoutalg { color-scheme: light dark; overflow-x: auto }
.layoutalg pre { overflow-x: auto; max-width: 100%; font-size: 12px; line-height: 1.35 }
.layoutalg pre.la-lines { white-space: pre-wrap }
.layoutalg .la-part { overflow-x: auto; overflow-y: hidden; margin: 8px 0; padding: 2px 0 }
.layoutalg math { font-size: 1.05em }
.layoutalg h3, .layoutalg h4 { margin: 8px 0 4px; font-size: 1em }
"""


def as_html(view: View) -> str:
    """The view with its own style, for a notebook or for any page."""
    return f'<div class="layoutalg"><style>{page_css()}</style>{view_html(view)}</div>'


def page_css() -> str:
    """The style that :func:`view_html` wants once in a page."""
    light = HtmlFormatter(style="default").get_style_defs(".layoutalg .la-source")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".layoutalg .la-source")
    return f"{PAGE}{css()}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"


def view_html(view: View, level: int = 3) -> str:
    """The view without style.

    >>> from layoutalg.pictures.view import Lines, View
    >>> view_html(View("a < b", (Lines(("x",)),)))
    '<h3>a &lt; b</h3><pre class="la-lines">x</pre>'
    """
    title = f"<h{level}>{escape(view.title)}</h{level}>" if view.title else ""
    return title + "".join(_part(part) for part in view.parts)


def _part(part: Part) -> str:
    match part:
        case Graph() | Factors() | Grid():
            return f'<div class="la-part">{part_svg(part)}</div>'
        case Formulas():
            return "".join(f'<div class="la-part">{formula}</div>' for formula in _formulas(part))
        case Source():
            return _source(part)
        case View():
            return view_html(part, 4)
        case Lines():
            return f'<pre class="la-lines">{escape(as_text(View("", (part,))))}</pre>'


def _formulas(formulas: Formulas) -> Iterator[str]:
    for name, form in formulas.rows:
        latex = formula_latex(name, form)
        yield convert(latex) if len(latex) < LONGEST else f"<pre>{escape(f'{name} = {form}')}</pre>"
    for condition in formulas.when:
        latex = rf"\text{{valid where }} {formula_latex('', condition)}"
        yield convert(latex) if len(latex) < LONGEST else f"<pre>{escape(f'valid where {condition}')}</pre>"


def _source(source: Source) -> str:
    lexer = get_lexer_by_name(source.language)
    return str(highlight(source.text, lexer, HtmlFormatter(cssclass="la-source", nobackground=True)))
