"""Conditions in Python's words: inside our own nodes, and in what is told of claims and domains.

SymPy prints ``~((a < 3) & (b < 4))``, which Python reads as bit operations: ``~True`` is -2, thus true. A
choice prints what Python and :func:`~layoutalg.rules.from_text.parse` read alike:

>>> from sympy import And, Not, StrPrinter, Symbol
>>> a, b = (Symbol(name, integer=True) for name in "ab")
>>> condition_text(Not(And(a < 3, b < 4), evaluate=False), StrPrinter())
'not (a < 3 and b < 4)'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sympy import And, Eq, Ne, Not, Or, StrPrinter
from sympy.core.sorting import default_sort_key
from sympy.printing.precedence import PRECEDENCE

__all__ = ["condition_text", "conditions_text"]

JOINED = ((Or, " or ", 0), (And, " and ", 1))
NOT, COMPARED = 2, 3
SIGNS = {Eq: "==", Ne: "!="}


def condition_text(condition: Any, printer: Any) -> str:
    """A condition by itself; operands are printed by SymPy's ``printer``."""
    return _text(condition, printer, 0)


def conditions_text(conditions: Iterable[Any], joined: str = " and ") -> str:
    """Conditions as a message tells them.

    >>> from sympy import Or, Symbol
    >>> a, b = (Symbol(name, integer=True) for name in "ab")
    >>> conditions_text([Eq(a, 3), Or(a < 4, Ne(b, 1))])
    'a == 3 and (a < 4 or b != 1)'
    >>> conditions_text([Eq(a, 3), Or(a < 4, Ne(b, 1))], ", ")
    'a == 3, a < 4 or b != 1'
    """
    level = 1 if "and" in joined else 0
    return joined.join(_text(condition, StrPrinter(), level) for condition in conditions)


def _text(condition: Any, printer: Any, level: int) -> str:
    """A condition as an operand of something that binds as strongly as ``level``."""
    for kind, word, mine in JOINED:
        if isinstance(condition, kind):
            parts = (_text(part, printer, mine + 1) for part in _ordered(condition))
            return _within(word.join(parts), mine, level)
    if isinstance(condition, Not):
        return _within(f"not {_text(condition.args[0], printer, COMPARED + 1)}", NOT, level)
    if isinstance(condition, Eq | Ne):
        sides = (printer.parenthesize(side, PRECEDENCE["Relational"]) for side in condition.args)
        return _within(f" {SIGNS[type(condition)]} ".join(sides), COMPARED, level)
    return _within(printer._print(condition), COMPARED, level)


def _ordered(condition: Any) -> list[Any]:
    """The parts as SymPy orders them when it prints."""
    return sorted(condition.args, key=default_sort_key)


def _within(text: str, mine: int, level: int) -> str:
    return f"({text})" if mine < level else text
