"""Index expressions as Z3 integers: one row for each operation.

Remainders are ``n - d*(n / d)``, which Z3 decides far more often than its own ``mod``; bit operations
are sums over bits, for operands below ``2**bits``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import z3

from layoutalg.arithmetic import Arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Z3Integers"]


class Z3Integers(Arithmetic[Any]):
    """Z3 integers in one context; divisors are taken to be positive, bit operands non-negative."""

    def __init__(self, context: z3.Context, bits: int) -> None:
        self.context = context
        self.bits = bits

    def integer(self, number: int) -> Any:
        return z3.IntVal(number, self.context)

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def mul(self, left: Any, right: Any) -> Any:
        return left * right

    def quotient(self, left: Any, right: Any) -> Any:
        return left / right

    def remainder(self, left: Any, right: Any) -> Any:
        return left - right * (left / right)

    def bit_xor(self, left: Any, right: Any) -> Any:
        return self._by_bits(left, right, lambda one, other: one != other)

    def bit_and(self, left: Any, right: Any) -> Any:
        return self._by_bits(left, right, lambda one, other: z3.And(one == 1, other == 1))

    def bit_or(self, left: Any, right: Any) -> Any:
        return self._by_bits(left, right, lambda one, other: z3.Or(one == 1, other == 1))

    def shift_left(self, left: Any, right: Any) -> Any:
        return left * self._power_of_two(right)

    def shift_right(self, left: Any, right: Any) -> Any:
        return left / self._power_of_two(right)

    def minimum(self, left: Any, right: Any) -> Any:
        return z3.If(left <= right, left, right)

    def maximum(self, left: Any, right: Any) -> Any:
        return z3.If(left >= right, left, right)

    def select(self, condition: Any, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
        return z3.If(condition, if_true(), if_false())

    def truth(self, value: bool) -> Any:  # noqa: FBT001
        return z3.BoolVal(value, self.context)

    def less(self, left: Any, right: Any) -> Any:
        return left < right

    def equal(self, left: Any, right: Any) -> Any:
        return left == right

    def both(self, left: Any, right: Any) -> Any:
        return z3.And(left, right)

    def negation(self, condition: Any) -> Any:
        return z3.Not(condition)

    def _by_bits(self, left: Any, right: Any, rule: Callable[[Any, Any], Any]) -> Any:
        total = self.integer(0)
        for bit in range(self.bits):
            one, other = (self.remainder(side / (1 << bit), 2) for side in (left, right))
            total = total + z3.If(rule(one, other), self.integer(1 << bit), self.integer(0))
        return total

    def _power_of_two(self, exponent: Any) -> Any:
        power = self.integer(1)
        for bit in range(1, self.bits + 1):
            power = z3.If(exponent == bit, self.integer(1 << bit), power)
        return power
