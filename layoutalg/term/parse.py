"""Index expressions written as text, in Python's, C's or SymPy's syntax, as terms exactly as written.

What they mean on a domain, C's division above all, is said by :mod:`layoutalg.rules.from_text`.

>>> print(parse_term("row*64 + (col ^ (row % 8) * 8)"))
64*row + (col ^ 8*(row % 8))
>>> parse_term("row // ")
Traceback (most recent call last):
    ...
layoutalg...ParseError: wanted a number, a name or (, found the end
  row //
         ^
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sympy import Expr, Symbol

from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.reading.input_limits import excerpt
from layoutalg.reading.near_names import near_hint
from layoutalg.reading.recursion import deeply
from layoutalg.term.functions import FUNCTIONS
from layoutalg.term.grammar import Parser, Syntax
from layoutalg.term.interpretation import interpret_term
from layoutalg.term.size import require_small
from layoutalg.term.term import Term
from layoutalg.term.tokens import ParseError

__all__ = ["RESERVED", "Syntax", "parse_index", "parse_term", "parsed"]

RESERVED = {*FUNCTIONS, "if", "else", "and", "or", "not", "True", "False", "true", "false"}


def parse_term(text: str, *, names: Collection[str] | None = None, syntax: Syntax | None = None) -> Term:
    """The term a text stands for, exactly as written; ``names`` are those it may use."""
    with deeply(excerpt(text, 0)):
        return parsed(text, names, syntax)[0]


def parse_index(text: str, symbols: Mapping[str, Symbol]) -> Expr:
    """The expression a text stands for over given symbols, before any domain is known."""
    with deeply(excerpt(text, 0)):
        result: Expr = interpret_term(parse_term(text, names=symbols), SYMBOLIC, symbols.__getitem__)
        return result


def parsed(
    text: str, names: Collection[str] | None, syntax: Syntax | None, conditions: Collection[str] = ()
) -> tuple[Term, Syntax]:
    """The term of a text that uses these names alone (any, for None), and the syntax it was read in.

    ``conditions`` are the names that stand for conditions; all others stand for integers.
    """
    parser = Parser(text, syntax, conditions)
    term = parser.whole()
    require_small(term, excerpt(text, 0))
    if names is not None:
        for token in parser.words:
            if token.kind == "name" and token.text not in names and token.text not in RESERVED:
                msg = f"{token.text} is not declared"
                hint = near_hint(token.text, names) or "no names are declared"
                error = ParseError(msg, text, token.position, hint=hint)
                error.undeclared = token.text
                raise error
    return term, parser.syntax
