"""Index expressions written as text, in Python's, C's or SymPy's syntax.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"row": 64, "col": 64})
>>> parse("row*64 + (col ^ (row % 8) * 8)", domain)
64*row + (col ^ 8*(row % 8))
>>> parse("row / 8 * 8 + (col >= 32 ? 1 : 0)", domain, syntax="c")
8*(row // 8) + select(32 <= col, 1, 0)
>>> parse("8*floor(row/8) + Mod(col, 8)", domain)
8*(row // 8) + col % 8
>>> parse("row // ", domain)
Traceback (most recent call last):
    ...
layoutalg.tokens.ParseError: wanted a number, a name or (, found the end
  row //
         ^
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from layoutalg.grammar import Parser, Syntax
from layoutalg.parse_functions import FUNCTIONS
from layoutalg.symbolic import SYMBOLIC
from layoutalg.term import Term, run
from layoutalg.tokens import ParseError

if TYPE_CHECKING:
    from sympy import Expr, Symbol

    from layoutalg.domain import Domain

__all__ = ["Syntax", "parse", "parse_index", "parse_term"]


def parse(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Any:
    """The SymPy expression (or condition) a text stands for, defined everywhere on the domain.

    The syntaxes differ in ``/`` (integer division in C, a fraction under ``floor`` in SymPy, refused
    in Python) and in C's ``&``, ``^``, ``|``, which bind weaker than comparisons. Unless stated, the
    syntax is judged by the words that only one of them has.
    """
    term = parse_term(text, syntax=syntax)
    expression = run(term, SYMBOLIC, lambda name: domain[name])
    domain.check(expression)
    return expression


def parse_index(text: str, symbols: Mapping[str, Symbol]) -> Expr:
    """The expression a text stands for over given symbols, before any domain is known."""
    parser = Parser(text, None)
    term = parser.whole()
    for token in parser.words:
        if token.kind == "name" and token.text not in symbols and token.text not in FUNCTIONS:
            known = ", ".join(symbols) or "none"
            msg = f"{token.text} is not declared: known are {known}"
            raise ParseError(msg, text, token.position)
    result: Expr = run(term, SYMBOLIC, symbols.__getitem__)
    return result


def parse_term(text: str, *, syntax: Syntax | None = None) -> Term:
    """The term a text stands for, exactly as written."""
    return Parser(text, syntax).whole()
