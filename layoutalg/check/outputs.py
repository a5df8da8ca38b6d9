"""Where reports go: ``FORMAT`` to the terminal, ``FORMAT=FILE`` into a file.

>>> outputs_of(["full", "sarif=report.sarif"], "--output-format")
[('full', None), ('sarif', PosixPath('report.sarif'))]
>>> outputs_of(["junt=a.xml"], "--output-format")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: --output-format: wanted one of concise, full, json, junit, sarif, github, \
markdown, html; got 'junt' (did you mean junit?)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from layoutalg.check.formats import FORMATS
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import not_one_of

__all__ = ["PAGE", "outputs_of"]

PAGE = "html"  # a page with pictures, which the command line makes
NAMES = (*FORMATS, PAGE)


def outputs_of(given: Iterable[str], where: str) -> list[tuple[str, Path | None]]:
    """Formats with their files; refused where a format is none, or two would go to the terminal."""
    found: list[tuple[str, Path | None]] = []
    for text in given:
        name, sign, file = text.partition("=")
        if name not in NAMES:
            raise not_one_of("one", name, NAMES, where=where)
        if sign and not file:
            raise LayoutError(f"{where}: {text}: wanted a file after =, got nothing", hint=f"{name}=report")
        found.append((name, Path(file) if sign else None))
    if sum(file is None for _, file in found) > 1:
        msg = f"{where}: only one format can go to the terminal"
        raise LayoutError(msg, hint="give the others a file: sarif=report.sarif")
    return found
