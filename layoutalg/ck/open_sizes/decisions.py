"""Conditions on sizes left open: decided by what is known of them, else by the path that is followed.

>>> from sympy import Symbol
>>> k = Symbol("k", integer=True, positive=True)
>>> path = Decisions(Ranges({k: 4}, {k: None}), wanted=(False,))
>>> path.decide(k > 3, ""), path.decide(k > 8, ""), path.decide(k <= 8, "")
(True, False, True)
>>> path.taken
[(k > 8, False)]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.open_sizes.ranges import Ranges

__all__ = ["Decisions"]

MOST_DECISIONS = 24


@dataclass
class Decisions:
    """How conditions are decided on one run.

    What the ranges imply is decided so. A condition met before, or its negation, is decided as before.
    Each other one takes the next of ``wanted``, and is true when these are used up.
    """

    ranges: Ranges
    wanted: tuple[bool, ...]
    taken: list[tuple[Any, bool]] = field(default_factory=list)
    open_ones: list[tuple[Any, str]] = field(default_factory=list)

    def decide(self, condition: Any, place: str) -> bool:
        """Whether the condition holds on this run; ``NotUnderstoodError`` after too many open ones."""
        if isinstance(condition, Expr):
            condition = sympy.Ne(condition, 0)
        known = self.ranges.truth(condition)
        if known is not None:
            return known
        for earlier, value in self.taken:
            if earlier == condition:
                return value
            if earlier == sympy.Not(condition):
                return not value
        position = len(self.taken)
        if position >= MOST_DECISIONS:
            raise NotUnderstoodError(
                f"more than {MOST_DECISIONS} open conditions, the last {condition}", place
            )
        value = self.wanted[position] if position < len(self.wanted) else True
        self.taken.append((condition, value))
        self.open_ones.append((condition, place))
        return value
