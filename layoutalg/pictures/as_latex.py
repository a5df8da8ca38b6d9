r"""The closed forms of a view as LaTeX, in floors and remainders of integers.

>>> from sympy import Symbol
>>> from layoutalg.index import FloorDiv, FloorMod
>>> from layoutalg.pictures.view import Formulas, View
>>> i = Symbol("i", integer=True, nonnegative=True)
>>> print(as_latex(View("", (Formulas((("offset", FloorDiv(i, 4) + FloorMod(i, 4)),)),))))
\begin{aligned}
\mathrm{offset} &= \left\lfloor \frac{i}{4} \right\rfloor + \left(i \bmod 4\right)
\end{aligned}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

from layoutalg.claim import Comparison
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.index.bits import BitNode
from layoutalg.pictures.view import Formulas, View

__all__ = ["as_latex", "formula_latex", "spelled"]

SIGNS = {"==": "=", "<=": r"\le", "<": "<"}
ENCLOSED = (FloorDiv, FloorMod, BitNode)


def as_latex(view: View) -> str:
    """All equations of a view, aligned; empty if it has none."""
    rows = [row for formulas in _formulas(view) for row in _aligned(formulas)]
    if not rows:
        return ""
    text = " \\\\\n".join(rows)
    return f"\\begin{{aligned}}\n{text}\n\\end{{aligned}}"


def formula_latex(name: str, form: Any) -> str:
    """One equation on a line of its own."""
    return f"{_name(name)} = {spelled(form)}" if name else spelled(form)


def spelled(form: Any) -> str:
    r"""An expression, a condition or a comparison that is kept as written.

    >>> from layoutalg import Domain, parse
    >>> print(spelled(parse("x + (x ^ y)", Domain.of({"x": 8, "y": 8}))))
    x + \left(x \oplus y\right)
    """
    if isinstance(form, Comparison):
        return f"{spelled(form.left)} {SIGNS[form.op]} {spelled(form.right)}"
    words = {s: _name(s.name) for s in getattr(form, "free_symbols", ()) if not _is_letter(s.name)}
    return str(_Printer({"symbol_names": words}).doprint(form))


class _Printer(LatexPrinter):
    """SymPy's, but quotients, remainders and bits bring their own brackets."""

    def _needs_mul_brackets(self, expr: Any, first: bool = False, last: bool = False) -> bool:  # noqa: FBT001, FBT002
        is_enclosed = isinstance(expr, ENCLOSED)
        return not is_enclosed and bool(super()._needs_mul_brackets(expr, first, last))

    def parenthesize(self, item: Any, level: int, is_neg: bool = False, strict: bool = False) -> str:  # noqa: FBT001, FBT002
        if isinstance(item, ENCLOSED):
            return str(self._print(item))
        return str(super().parenthesize(item, level, is_neg, strict))


def _formulas(view: View) -> Iterator[Formulas]:
    for part in view.parts:
        if isinstance(part, View):
            yield from _formulas(part)
        elif isinstance(part, Formulas):
            yield part


def _aligned(formulas: Formulas) -> Iterator[str]:
    for name, form in formulas.rows:
        yield f"{_name(name)} &= {spelled(form)}" if name else f"& {spelled(form)}"
    for condition in formulas.when:
        yield f"& \\text{{where }} {spelled(condition)}"


def _name(name: str) -> str:
    r"""A name as it is written; the primes of second points stay behind it.

    >>> _name("i0"), _name("i0'"), _name("lane'")
    ('i_{0}', "i_{0}'", "\\mathrm{lane}'")
    """
    word, primes = name.rstrip("'"), name[len(name.rstrip("'")) :]
    if _is_letter(word):
        return str(sympy.latex(sympy.Symbol(word))) + primes
    escaped = word.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}".replace(" ", r"\ ") + primes


def _is_letter(name: str) -> bool:
    """Whether a name is one letter with a number: SymPy's own way with them is good."""
    return name.isidentifier() and len(name.rstrip("0123456789")) == 1
