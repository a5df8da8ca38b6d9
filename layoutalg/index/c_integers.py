"""C's integers as Composable Kernel uses them: division truncates, xor is two's complement.

On indices that are not negative this is the same as floor division; a padded or out-of-range
index may be negative, and then a descriptor computes what the compiled C++ computes:

>>> C_INTEGERS.quotient(-3, 2), C_INTEGERS.remainder(-3, 2)
(-1, -1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.errors import LayoutError
from layoutalg.index.arithmetic import Arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from layoutalg.index.table import Table

__all__ = ["C_INTEGERS", "CIntegers"]


class CIntegers(Arithmetic[Any]):
    """Python integers or NumPy ``int64`` arrays that broadcast together."""

    def integer(self, number: int) -> Any:
        return number

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def mul(self, left: Any, right: Any) -> Any:
        return left * right

    def quotient(self, left: Any, right: Any) -> Any:
        if np.any(right == 0):
            msg = "division by zero"
            raise LayoutError(msg)
        whole = abs(left) // abs(right)
        same_sign = (left >= 0) == (right >= 0)
        return whole * (2 * same_sign - 1)

    def remainder(self, left: Any, right: Any) -> Any:
        return left - right * self.quotient(left, right)

    def bit_xor(self, left: Any, right: Any) -> Any:
        return left ^ right

    def bit_and(self, left: Any, right: Any) -> Any:
        return left & right

    def bit_or(self, left: Any, right: Any) -> Any:
        return left | right

    def shift_left(self, left: Any, right: Any) -> Any:
        return left << right

    def shift_right(self, left: Any, right: Any) -> Any:
        return left >> right

    def minimum(self, left: Any, right: Any) -> Any:
        return self.select(left <= right, lambda: left, lambda: right)

    def maximum(self, left: Any, right: Any) -> Any:
        return self.select(left >= right, lambda: left, lambda: right)

    def select(self, condition: Any, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
        if np.ndim(condition) == 0:
            return if_true() if condition else if_false()
        return np.where(condition, if_true(), if_false())

    def entry(self, table: Table, index: Sequence[Any]) -> Any:
        if table.entries is None:
            return super().entry(table, index)
        found = table.at(index, table.entries, [int(length) for length in table.lengths])
        return found if found.ndim else int(found)

    def truth(self, value: bool) -> Any:  # noqa: FBT001
        return value

    def less(self, left: Any, right: Any) -> Any:
        return left < right

    def equal(self, left: Any, right: Any) -> Any:
        return left == right

    def both(self, left: Any, right: Any) -> Any:
        return np.logical_and(left, right)

    def negation(self, condition: Any) -> Any:
        return np.logical_not(condition)


C_INTEGERS = CIntegers()
