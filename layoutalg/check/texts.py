"""Texts of layout files as what they must be: a number, or a condition.

>>> from layoutalg.domain import Domain
>>> number("x + 1", Domain.of({"x": 4}))
x + 1
>>> condition("x + 1", Domain.of({"x": 4}))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: wanted a condition such as x < 4, got x + 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.errors import LayoutError
from layoutalg.index.node import is_condition
from layoutalg.rules.from_text import parse

if TYPE_CHECKING:
    from layoutalg.domain import Domain
    from layoutalg.term.parse import Syntax

__all__ = ["as_condition", "as_number", "condition", "number"]


def number(text: str, domain: Domain, syntax: Syntax | None = None) -> Any:
    """An index expression; conditions are refused."""
    return as_number(parse(text, domain, syntax=syntax))


def as_number(found: Any) -> Any:
    """The expression itself; conditions are refused."""
    if _is_condition(found):
        msg = f"wanted a number, got the condition {found}"
        raise LayoutError(msg, hint="1 if ... else 0 makes a number of it")
    return found


def condition(text: str, domain: Domain, syntax: Syntax | None = None) -> Any:
    """A condition; numbers are refused."""
    return as_condition(parse(text, domain, syntax=syntax))


def as_condition(found: Any) -> Any:
    """The condition itself; numbers are refused."""
    if not _is_condition(found):
        msg = f"wanted a condition such as x < 4, got {found}"
        raise LayoutError(msg)
    return found


def _is_condition(found: Any) -> bool:
    return is_condition(found) or found in (sympy.true, sympy.false)
