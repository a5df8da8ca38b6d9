"""Conditions on sizes, decided by their ranges where these suffice.

>>> from sympy import Symbol
>>> k = Symbol("k", integer=True, positive=True)
>>> ranges = Ranges({k: 4}, {k: None})
>>> ranges.truth(k * 8 > 16), ranges.truth(k > 5)
(True, None)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.index import FloorDiv, FloorMod, Max, Min

__all__ = ["Ranges"]

Ends = tuple[Any, Any]  # SymPy integers or infinities


@dataclass(frozen=True)
class Ranges:
    """The smallest and largest value of each symbol."""

    low: dict[Symbol, int]
    high: dict[Symbol, int | None]

    def truth(self, condition: Any) -> bool | None:
        """Whether a condition holds for all sizes (True), for none (False), or neither is known."""
        if condition in {sympy.true, sympy.false}:
            return bool(condition)
        if isinstance(condition, sympy.Not):
            inner = self.truth(condition.args[0])
            return None if inner is None else not inner
        if isinstance(condition, sympy.And | sympy.Or):
            return self._joined(
                [self.truth(part) for part in condition.args], isinstance(condition, sympy.And)
            )
        if not isinstance(condition, sympy.core.relational.Relational):
            return None
        low, high = self.ends(sympy.expand(condition.lhs - condition.rhs))
        match condition.rel_op:
            case ">=" | ">":
                return self._compared(low, high, strict=condition.rel_op == ">")
            case "<=" | "<":
                return self._compared(-high, -low, strict=condition.rel_op == "<")
            case "==":
                return True if low == high == 0 else False if low > 0 or high < 0 else None
            case _:
                return False if low == high == 0 else True if low > 0 or high < 0 else None

    @staticmethod
    def _joined(parts: list[bool | None], is_and: bool) -> bool | None:  # noqa: FBT001
        if (not is_and) in parts:
            return not is_and
        return None if None in parts else is_and

    @staticmethod
    def _compared(low: Any, high: Any, *, strict: bool) -> bool | None:
        if low > 0 or (low == 0 and not strict):
            return True
        return False if high < 0 or (high == 0 and strict) else None

    def ends(self, value: Expr) -> Ends:
        """A lower and an upper end of an expression, by interval arithmetic on its shifted polynomial."""
        if value.is_Integer:
            return value, value
        if isinstance(value, Symbol):
            high = self.high.get(value)
            return sympy.Integer(self.low.get(value, 1)), sympy.oo if high is None else sympy.Integer(high)
        if isinstance(value, sympy.Add):
            return self._sum(value)
        if isinstance(value, sympy.Mul | sympy.Pow):
            return self._product(value)
        if isinstance(value, FloorDiv):
            return self._quotient(value)
        if isinstance(value, FloorMod):
            most = self.ends(value.args[1])[1]
            return sympy.Integer(0), min(self.ends(value.args[0])[1], most - 1)
        if isinstance(value, Min | Max):
            pick = min if isinstance(value, Min) else max
            ends = [self.ends(part) for part in value.args]
            return pick(e[0] for e in ends), pick(e[1] for e in ends)
        return -sympy.oo, sympy.oo

    def _sum(self, value: Expr) -> Ends:
        """Each symbol as its least value and what exceeds it: cancels ``k - 1`` and ``a*b - a``."""
        free = [s for s in value.free_symbols if value.is_polynomial(s)]
        excess = {s: Symbol(f"{s}'", integer=True, nonnegative=True) for s in free}
        shifted = sympy.expand(value.xreplace({s: e + self.low.get(s, 1) for s, e in excess.items()}))
        back = {e: s for s, e in excess.items()}
        parts = [self._term(part, back) for part in sympy.Add.make_args(shifted)]
        low, high = (reduce(lambda a, b: a + b, (p[i] for p in parts), sympy.Integer(0)) for i in (0, 1))
        return low, high

    def _term(self, part: Expr, back: dict[Symbol, Symbol]) -> Ends:
        factor, rest = part.as_coeff_Mul()
        low, high = sympy.Integer(1), sympy.Integer(1)
        for base, power in rest.as_powers_dict().items():
            if base in back:
                most = self.high.get(back[base])
                ends: Ends = (
                    sympy.Integer(0),
                    sympy.oo if most is None else sympy.Integer(most - self.low.get(back[base], 1)),
                )
            else:
                ends = self.ends(base)
            if ends[0] < 0 or not (power.is_Integer and power > 0):
                return -sympy.oo, sympy.oo
            low, high = low * ends[0] ** power, _times(high, ends[1] ** power)
        ends = (factor * low, _times(factor, high))
        return ends if factor > 0 else (ends[1], ends[0])

    def _product(self, value: Expr) -> Ends:
        return self._term(value, {})

    def _quotient(self, value: Expr) -> Ends:
        (a, b), (c, d) = self.ends(value.args[0]), self.ends(value.args[1])
        if a < 0 or c <= 0:
            return -sympy.oo, sympy.oo
        low = sympy.Integer(0) if sympy.oo in {d, a} else a // d
        return low, sympy.oo if b == sympy.oo else b // c


def _times(left: Any, right: Any) -> Any:
    return sympy.Integer(0) if left == 0 or right == 0 else left * right
