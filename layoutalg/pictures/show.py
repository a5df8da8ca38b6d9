"""Show a value where one is: a picture in a notebook, text in a terminal, or a file.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> show(make_naive_tensor_descriptor((2, 4), (5, 1)), "formulas")
descriptor of lengths (2, 4), 8 indices, element space 9
offset = 5*i0 + i1
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.colours import coloured
from layoutalg.pictures.picture_file import write_view
from layoutalg.pictures.view import View, only, view_of

__all__ = ["show"]


def show(
    value: object,
    view: str | None = None,
    *,
    colour: str | None = None,
    element: str = "",
    target: str = "",
    out: str | Path | None = None,
) -> None:
    """Display a descriptor, adaptor, coordinate, layout, distribution, claim, verdict or kernel.

    ``view``: only one part of it: graph, grid, threads, banks, tile, tree, formulas or source.
    ``colour``: what colours say, of bank, lane, wave, value, row, column, register and phase, with a default
    for each picture; banks are those of ``element`` (f16) on ``target`` (gfx942). ``out``: a file to write
    instead, whose ending says the format (``.txt``, ``.svg``, ``.html``, ``.png``, ``.tex``).

    >>> import layoutalg as la
    >>> la.show(la.make_naive_tensor_descriptor((2, 4), (5, 1)), "formulas")
    descriptor of lengths (2, 4), 8 indices, element space 9
    offset = 5*i0 + i1
    """
    whole = view_of(value) if view is None else only(view_of(value), view)
    shown = coloured(whole, colour, element, target)
    if out is not None:
        write_view(shown, out)
    elif not _is_displayed(shown):
        sys.stdout.write(as_text(shown) + "\n")


def _is_displayed(view: View) -> bool:
    """Whether this is a notebook, which now shows the view."""
    if "IPython" not in sys.modules:
        return False
    ipython: Any = import_module("IPython")
    if not hasattr(ipython.get_ipython(), "kernel"):
        return False
    ipython.display.display(view)
    return True
