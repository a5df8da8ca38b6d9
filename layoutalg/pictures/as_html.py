"""Views as a piece of a page: headings, formulas as MathML, pictures as SVG, programs coloured."""

from __future__ import annotations

import zlib
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
from layoutalg.pictures.view import (
    Factors,
    Formulas,
    Graph,
    Grid,
    Lines,
    Part,
    Source,
    Steps,
    Tile,
    Tiles,
    View,
)

__all__ = ["as_html", "page_css", "view_html"]

LONGEST = 1200  # characters of LaTeX beyond which a formula is shown as plain text
CHECKED = ' checked="checked"'
MOST_STEPS = 16  # pictures of which a page may show one at a time
PAGE = """
.layoutalg { font-family: 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif }
.layoutalg { color-scheme: light dark; overflow-x: auto }
.layoutalg pre { overflow-x: auto; max-width: 100%; font-size: 12px; line-height: 1.35 }
.layoutalg pre.la-lines { white-space: pre-wrap }
.layoutalg .la-part { overflow-x: auto; overflow-y: hidden; margin: 8px 0; padding: 2px 0 }
.layoutalg math { font-size: 1.05em }
.layoutalg .la-row { display: flex; flex-wrap: wrap; gap: 0 16px }
.layoutalg .la-row > .la-part { max-width: 100% }
.layoutalg .la-more > summary { font-weight: normal; font-size: 13px; cursor: pointer; padding: 2px 0 }
.layoutalg .la-choices { font-size: 13px; line-height: 1.9 }
.layoutalg .la-choices label { margin-right: 10px; white-space: nowrap }
.layoutalg .la-step { overflow-x: auto; overflow-y: hidden }
.layoutalg h3, .layoutalg h4 { margin: 8px 0 4px; font-size: 1em }
"""


def as_html(view: View) -> str:
    """The view with its own style, for a notebook or for any page."""
    return f'<div class="layoutalg"><style>{page_css()}</style>{view_html(view)}</div>'


def page_css() -> str:
    """The style that :func:`view_html` wants once in a page."""
    light = HtmlFormatter(style="default").get_style_defs(".layoutalg .la-source")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".layoutalg .la-source")
    return f"{PAGE}{_one_step()}{css()}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"


def _one_step() -> str:
    """Of several steps only the chosen one is seen, where the browser knows ``:has``; else all are."""
    shown = ", ".join(
        f".la-steps:has(label:nth-child({n}) :checked) > .la-step:nth-child({n + 1})"
        for n in range(1, MOST_STEPS + 1)
    )
    return f"@supports selector(:has(a)) {{ .la-step {{ display: none }} {shown} {{ display: block }} }}\n"


def view_html(view: View, level: int = 3) -> str:
    """The view without style.

    >>> from layoutalg.pictures.view import Lines, View
    >>> view_html(View("a < b", (Lines(("x",)),)))
    '<h3>a &lt; b</h3><pre class="la-lines">x</pre>'
    """
    title = f"<h{level}>{escape(view.title)}</h{level}>" if view.title else ""
    parts = "".join(_part(part) for part in view.parts)
    shown = f'<div class="la-row">{parts}</div>' if view.is_row else parts
    return title + shown + "".join(_folded(part) for part in view.more)


def _folded(part: Part) -> str:
    """A part under a line that opens it."""
    match part:
        case Grid() | Tile() | View():
            name = part.title
        case Steps():
            name = part.name
        case _:
            name = part.kind
    return f'<details class="la-more"><summary>{escape(name or part.kind)}</summary>{_part(part)}</details>'


def _part(part: Part) -> str:
    match part:
        case Graph() | Factors() | Grid() | Tile() | Tiles():
            return f'<div class="la-part">{part_svg(part)}</div>'
        case Steps():
            return _steps(part)
        case Formulas():
            return "".join(f'<div class="la-part">{formula}</div>' for formula in _formulas(part))
        case Source():
            return _source(part)
        case View():
            return view_html(part, 4)
        case Lines():
            return f'<pre class="la-lines">{escape(as_text(View("", (part,))))}</pre>'


def _steps(steps: Steps) -> str:
    """One picture at a time: radio buttons, so that arrow keys step on and no script is needed."""
    drawn = [part_svg(grid) for _, grid in steps.steps]
    group = f"la-{zlib.crc32(''.join(drawn).encode()):08x}"
    inputs = "".join(
        f'<label><input type="radio" name="{group}"{CHECKED if number == steps.first else ""} />'
        f"{escape(name)}</label>"
        for number, (name, _) in enumerate(steps.steps)
    )
    shown = "".join(f'<div class="la-step">{one}</div>' for one in drawn)
    return f'<div class="la-steps"><div class="la-choices">{escape(steps.name)}: {inputs}</div>{shown}</div>'


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
