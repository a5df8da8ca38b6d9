"""Forms of offsets and conditions whose values on the way fit 32 bits: the simplest ones may not.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"place": 2049 * 4098})
>>> place = domain["place"]
>>> offset = place // 2049 + 8192 * (place % 2049)
>>> simplify(offset, domain).expr
8192*place - 16785407*(place // 2049)
>>> fitting(offset, domain)
place // 2049 + 8192*(place % 2049)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy
from sympy import Expr
from sympy.core.relational import Relational

from layoutalg.domain import Domain
from layoutalg.index.node import as_expression, conjuncts
from layoutalg.index_code.width import Widths, bits_of
from layoutalg.rules import simplify
from layoutalg.term.as_terms import to_term

__all__ = ["fitting", "fitting_conditions", "summands"]


def fitting(expression: Any, domain: Domain) -> Any:
    """The simplest form, or where that does not fit and its parts in simplest form do, those."""
    given = as_expression(expression)
    found = simplify(given, domain).expr
    if not given.args or _fits(found, domain):
        return found
    parts = (fitting(part, domain) for part in given.args)
    by_parts = given.func(*parts, **_as_written(given))
    return by_parts if _fits(by_parts, domain) else found


def fitting_conditions(valid: Any, domain: Domain) -> tuple[Any, ...]:
    """What must hold for an element to be no padding; what always holds is left out."""
    found: dict[Any, None] = {}
    for condition in sorted(conjuncts(valid), key=str):
        sides = [fitting(side, domain) for side in condition.args]
        settled = fitting(condition.func(*sides) if sides else condition, domain)
        found |= dict.fromkeys(conjuncts(settled))
    return tuple(found)


def summands(expressions: Iterable[Any]) -> Iterator[Expr]:
    """The parts of expressions: all that is added up in one, and all that is subtracted."""
    for whole in expressions:
        for part in sympy.preorder_traversal(whole):
            if isinstance(part, sympy.Add):
                taken = [term for term in part.args if term.could_extract_minus_sign()]
                yield sympy.Add(*taken)
                yield sympy.Add(*(term for term in part.args if term not in taken))
            elif isinstance(part, Expr) and not part.is_number:
                yield part


def _fits(expression: Any, domain: Domain) -> bool:
    """Whether ranges show that all of an expression's parts fit."""
    ranges = Widths(domain)
    return all(bits_of(ranges.range(to_term(part))) == 32 for part in summands((expression,)))


def _as_written(expression: Any) -> dict[str, bool]:
    """Relations are not to be rearranged by SymPy."""
    return {"evaluate": False} if isinstance(expression, Relational) else {}
