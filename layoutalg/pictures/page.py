"""Whole HTML pages: self-contained, nothing is fetched, readable in light and dark."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

__all__ = ["filled", "page"]


@cache
def _templates() -> Environment:
    loader = PackageLoader("layoutalg.pictures")
    return Environment(
        loader=loader, autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True
    )


def filled(template: str, **values: object) -> str:
    """A template of ``layoutalg/pictures/templates`` with these values in it, text escaped."""
    return _templates().get_template(template).render(**values)


def page(title: str, body: str, css: str) -> str:
    """The document around a body of HTML; a script shows what a pointer is over, and nothing else.

    >>> page("a & b", "<p>text</p>", "").count("a &amp; b")
    1
    """
    return filled("page.html", title=title, body=body, css=css)
