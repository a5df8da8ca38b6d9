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
layoutalg.term.tokens.ParseError: wanted a number, a name or (, found the end
  row //
         ^
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.reading.limits import excerpt
from layoutalg.reading.recursion import deeply
from layoutalg.term.functions import FUNCTIONS
from layoutalg.term.grammar import Parser, Syntax
from layoutalg.term.size import require_small
from layoutalg.term.term import Term, run
from layoutalg.term.tokens import ParseError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sympy import Expr, Symbol

    from layoutalg.domain import Domain

RESERVED = {*FUNCTIONS, "if", "else", "and", "or", "not", "True", "False", "true", "false"}

__all__ = ["Syntax", "parse", "parse_index", "parse_term", "parse_term_in"]


def parse(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Any:
    """The SymPy expression (or condition) a text stands for, defined everywhere on the domain.

    The syntaxes differ in ``/`` (integer division in C, a fraction under ``floor`` in SymPy, refused
    in Python) and in C's ``&``, ``^``, ``|``, which bind weaker than comparisons. Unless stated, the
    syntax is judged by the words that only one of them has. C's division rounds towards zero: where a
    dividend may be negative, the expression says so by a choice.

    >>> from layoutalg.domain import Domain
    >>> parse("(x - 1) / 8", Domain.of({"x": 64}), syntax="c")
    select(0 <= x - 1, (x - 1) // 8, -((1 - x) // 8))
    """
    with deeply(excerpt(text, 0)):
        term = parse_term_in(text, domain, syntax=syntax)
        domain.check(term)
        return run(term, SYMBOLIC, lambda name: domain[name])


def parse_term_in(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Term:
    """The term a text stands for on a domain: as written, but for C's division of what may be negative."""
    from layoutalg.rules.c_division import as_in_c  # noqa: PLC0415  the rules stand above

    with deeply(excerpt(text, 0)):
        parser = Parser(text, syntax)
        term = _whole(parser, text, domain.names)
        if parser.syntax != "c":
            return term
        term = as_in_c(term, domain)
        require_small(term, excerpt(text, 0))
        return term


def parse_index(text: str, symbols: Mapping[str, Symbol]) -> Expr:
    """The expression a text stands for over given symbols, before any domain is known."""
    with deeply(excerpt(text, 0)):
        result: Expr = run(parse_term(text, names=symbols), SYMBOLIC, symbols.__getitem__)
        return result


def parse_term(text: str, *, names: Collection[str] | None = None, syntax: Syntax | None = None) -> Term:
    """The term a text stands for, exactly as written; ``names`` are those it may use."""
    with deeply(excerpt(text, 0)):
        return _whole(Parser(text, syntax), text, names)


def _whole(parser: Parser, text: str, names: Collection[str] | None) -> Term:
    term = parser.whole()
    require_small(term, excerpt(text, 0))
    if names is not None:
        for token in parser.words:
            if token.kind == "name" and token.text not in names and token.text not in RESERVED:
                known = ", ".join(names) or "none"
                msg = f"{token.text} is not declared: known are {known}"
                raise ParseError(msg, text, token.position)
    return term
