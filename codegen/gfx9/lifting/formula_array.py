"""Formulas that imitate NumPy's arrays: the meaning of a row of arithmetic, computed on formulas.

A row's meaning is written once, for arrays. Here it is given formulas instead of numbers: NumPy's functions
and operators on them build formulas of the types that NumPy would compute with. Floats are their bits: what
is computed from them is opaque, and equal operations on equal operands are the same opaque value.

>>> import numpy as np
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> words = Words(NormalForm(Domain.of({"lane": 64, "x": 64})))
>>> x = FormulaArray(words, ((ALWAYS, words.form.symbol("x")),), np.dtype(np.uint32))
>>> found = (x << np.uint32(4)) >> np.uint32(2)
>>> found.value[0][1] == words.form.symbol("x").scaled(4)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words, constant
from layoutalg.rules.polynomial import Polynomial

__all__ = ["FormulaArray", "TruthArray"]

BOOL = np.dtype(np.bool_)


class TruthArray(np.lib.mixins.NDArrayOperatorsMixin):
    """Truth values: a guard."""

    dtype = BOOL

    def __init__(self, words: Words, guard: int) -> None:
        self.words = words
        self.guard = guard

    def astype(self, kind: Any) -> Any:
        """The number 1 or 0."""
        dtype = np.dtype(kind)
        if dtype == BOOL:
            return self
        return FormulaArray(self.words, self.words.number(self.guard), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _universal(self.words, ufunc, method, inputs, options)

    def __array_function__(self, function: Any, _types: Any, values: Any, options: Any) -> Any:
        return _function(self.words, function.__name__, values, options)


class FormulaArray(np.lib.mixins.NDArrayOperatorsMixin):
    """A number of a type of NumPy's: of an integer the formula modulo its size, of a float its bits."""

    def __init__(self, words: Words, value: Value, kind: np.dtype[Any]) -> None:
        self.words = words
        self.value = value
        self.dtype = kind

    @property
    def bits(self) -> int:
        return 8 * self.dtype.itemsize

    def number(self, polynomial: Polynomial, guard: int) -> Polynomial:
        """The number that a case stands for."""
        fitted = self.words.signed if self.dtype.kind == "i" else self.words.unsigned
        return fitted(polynomial, self.bits, guard)

    def astype(self, kind: Any) -> Any:
        """Converted as NumPy does."""
        dtype = np.dtype(kind)
        if dtype == self.dtype:
            return self
        if "f" in (dtype.kind, self.dtype.kind):
            return _opaque(self.words, f"{self.dtype.name}_to_{dtype.name}", (self,), dtype)
        if dtype == BOOL:
            return self != self.dtype.type(0)
        bits = 8 * dtype.itemsize
        if bits > self.bits:
            return FormulaArray(self.words, self.words.each(self.value, self.number), dtype)
        value = self.words.each(self.value, lambda p, _: self.words.reduced(p, bits))
        return FormulaArray(self.words, value, dtype)

    def view(self, kind: Any) -> FormulaArray:
        """The same bits as another type of the same size."""
        dtype = np.dtype(kind)
        if dtype.itemsize != self.dtype.itemsize:
            return NotImplemented
        return FormulaArray(self.words, self.value, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _universal(self.words, ufunc, method, inputs, options)

    def __array_function__(self, function: Any, _types: Any, values: Any, options: Any) -> Any:
        return _function(self.words, function.__name__, values, options)


def _kind_of(value: Any) -> Any:
    if isinstance(value, FormulaArray | TruthArray | np.generic):
        return value.dtype
    return type(value)


def _universal(words: Words, ufunc: Any, method: str, inputs: Any, options: Any) -> Any:
    if method != "__call__" or options:
        return NotImplemented
    *sources, result = ufunc.resolve_dtypes((*map(_kind_of, inputs), None))
    name = ufunc.__name__
    if all(kind == BOOL for kind in sources):
        return TruthArray(words, _of_truths(words, name, [_guard(value) for value in inputs]))
    given = [_as_type(words, value, kind) for value, kind in zip(inputs, sources, strict=True)]
    if "f" in {kind.kind for kind in (*sources, result)}:
        return _opaque(words, name, tuple(given), result)
    if result == BOOL:
        return TruthArray(words, _compared(words, name, *given))
    operation = OPERATIONS.get(name)
    if operation is None:
        return _opaque(words, name, tuple(given), result)
    return FormulaArray(words, operation(words, *given), result)


def _guard(value: Any) -> int:
    if isinstance(value, TruthArray):
        return value.guard
    return ALWAYS if bool(value) else NEVER


def _as_type(words: Words, value: Any, kind: np.dtype[Any]) -> FormulaArray:
    if isinstance(value, FormulaArray | TruthArray):
        return value.astype(kind)
    typed = np.asarray(value).astype(kind)
    number = int(typed.view(f"u{kind.itemsize}")) if kind.kind == "f" else int(typed)
    return FormulaArray(words, constant(number), kind)


def _opaque(words: Words, name: str, values: tuple[Any, ...], kind: np.dtype[Any]) -> Any:
    """The result of an operation that is no formula."""
    operands = tuple(
        v.value if isinstance(v, FormulaArray) else Lanes(v.guard) if isinstance(v, TruthArray) else v
        for v in values
    )
    if kind == BOOL:
        return TruthArray(words, words.guards.of(OpaqueCondition(name, operands)))
    low, high = 0, 2 ** (8 * kind.itemsize) - 1
    kinds = tuple(getattr(v, "dtype", None) for v in values)
    found = words.unknown(name, (*operands, *map(str, kinds)), low, high)
    return FormulaArray(words, ((words.inside, found),), kind)


def _of_truths(words: Words, name: str, guards: list[int]) -> int:
    table = words.guards
    if name in ("invert", "logical_not"):
        return table.opposite(guards[0])
    operation: Any = {
        "bitwise_and": table.both,
        "logical_and": table.both,
        "bitwise_or": table.either,
        "logical_or": table.either,
        "bitwise_xor": table.differ,
        "not_equal": table.differ,
        "equal": lambda a, b: table.opposite(table.differ(a, b)),
    }[name]
    return int(operation(*guards))


def _compared(words: Words, name: str, left: FormulaArray, right: FormulaArray) -> int:
    """Where a comparison holds, of all cases that are possible inside."""
    swaps, negates, kind = {
        "less": (False, False, "nonnegative"),
        "greater": (True, False, "nonnegative"),
        "greater_equal": (False, True, "nonnegative"),
        "less_equal": (True, True, "nonnegative"),
        "equal": (False, False, "zero"),
        "not_equal": (False, True, "zero"),
    }[name]
    first, second = (right, left) if swaps else (left, right)
    found = NEVER
    for holds, p in first.value:
        for also, q in second.value:
            both = words.guards.both(holds, also)
            if words.guards.is_empty(both):
                continue
            p, q = words.settled(p, both), words.settled(q, both)  # noqa: PLW2901
            if kind == "zero":  # equal modulo the size of the type
                gap = words.signed(words.reduced(q - p, left.bits), left.bits, both)
            elif (apart := _by_sign(words, first, (p, q), both)) is not None:
                found = words.guards.either(found, words.guards.both(both, apart))
                continue
            else:
                gap = (second.number(q, both) - first.number(p, both)).plus(-1)
            condition = words.compared(kind, gap, both)
            found = words.guards.either(found, words.guards.both(both, condition))
    found = words.guards.given(found, words.inside)
    return words.guards.without(words.inside, found) if negates else found


def _by_sign(
    words: Words, first: FormulaArray, pair: tuple[Polynomial, Polynomial], guard: int
) -> int | None:
    """Where ``p < q`` for words without a sign of which one is a constant and the other may be below 0.

    A number below 0 is a large word. Compilers ask ``0 <= p and p < 8`` so: whether the word is below 8.
    """
    half, (p, q) = 1 << first.bits - 1, pair
    below = words.compared("nonnegative", (q - p).plus(-1), guard)
    for one, other in ((p, q.as_integer), (q, p.as_integer)):
        low, high = words.ranges.interval(one)
        if first.dtype.kind != "u" or other is None or not 0 <= other < half:
            continue
        if -half <= low < 0 and high < half:
            is_number = words.compared("nonnegative", one, guard)
            if one is p:
                return words.guards.both(is_number, below)
            return words.guards.either(words.guards.opposite(is_number), below)
    return None


def _sum(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
    bits = left.bits
    return words.each_pair(left.value, right.value, lambda p, q, _: words.reduced(p + q, bits))


def _difference(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
    bits = left.bits
    return words.each_pair(left.value, right.value, lambda p, q, _: words.reduced(p - q, bits))


def _product(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
    bits = left.bits
    return words.each_pair(left.value, right.value, lambda p, q, _: words.product(p, q, bits))


def _shift_left(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
    bits = left.bits

    def shifted(p: Polynomial, q: Polynomial, _guard: int) -> Polynomial:
        places = q.as_integer
        if places is None:
            return words.shift_by(p, q, bits)
        return words.reduced(p.scaled(1 << places), bits) if 0 <= places < bits else Polynomial.constant(0)

    return words.each_pair(left.value, right.value, shifted)


def _shift_right(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
    bits = left.bits

    def shifted(p: Polynomial, q: Polynomial, guard: int) -> Polynomial:
        places = q.as_integer
        if places is None:
            return words.unknown("shift_right", (p, q, left.dtype.name), 0, 2**bits - 1)
        if not 0 <= places < bits:
            places = bits - 1 if left.dtype.kind == "i" else bits
        if left.dtype.kind == "i" and places == bits - 1:
            places = bits  # copies of the sign: the same quotient, -1 or 0
        elif left.dtype.kind == "u" and words.ranges.interval(p).low < 0 and words.is_signed(p, bits):
            with words.under(guard):  # the highest bit of a negative number, the sign, comes down
                sign = words.ranges.divided(p, 1 << bits)
                number = sign if places == bits - 1 else words.ranges.divided(p, 1 << places)
                return number - sign.scaled(1 << bits - places)
        number = left.number(p, guard)
        with words.under(guard):
            return words.ranges.divided(number, 1 << places)

    return words.each_pair(left.value, right.value, shifted)


def _bits(name: str) -> Callable[[Words, FormulaArray, FormulaArray], Value]:
    def operation(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
        bits, join = left.bits, getattr(words, name)
        return words.each_pair(left.value, right.value, lambda p, q, guard: join(p, q, bits, guard))

    return operation


def _inverted(words: Words, value: FormulaArray) -> Value:
    return words.each(value.value, lambda p, _: words.reduced(-p.plus(1), value.bits))


def _negated(words: Words, value: FormulaArray) -> Value:
    return words.each(value.value, lambda p, _: words.reduced(-p, value.bits))


def _absolute(words: Words, value: FormulaArray) -> Value:
    is_negative = _compared(words, "less", value, FormulaArray(words, constant(0), value.dtype))
    return words.chosen(is_negative, _negated(words, value), value.value)


def _extreme(name: str) -> Callable[[Words, FormulaArray, FormulaArray], Value]:
    def operation(words: Words, left: FormulaArray, right: FormulaArray) -> Value:
        def join(p: Polynomial, q: Polynomial, guard: int) -> Polynomial:
            numbers = left.number(p, guard), right.number(q, guard)
            with words.under(guard):
                found: Polynomial = getattr(words.form, name)(*numbers)
            return words.reduced(found, left.bits)

        return words.each_pair(left.value, right.value, join)

    return operation


OPERATIONS: dict[str, Callable[..., Value]] = {
    "add": _sum,
    "subtract": _difference,
    "multiply": _product,
    "left_shift": _shift_left,
    "right_shift": _shift_right,
    "bitwise_and": _bits("conjunction"),
    "bitwise_or": _bits("disjunction"),
    "bitwise_xor": _bits("exclusive"),
    "invert": _inverted,
    "negative": _negated,
    "absolute": _absolute,
    "minimum": _extreme("minimum"),
    "maximum": _extreme("maximum"),
}


def _function(words: Words, name: str, values: Any, options: Any) -> Any:
    if name == "where":
        return _where(words, *values)
    if name == "clip":
        value, low, high = values
        return np.minimum(np.maximum(value, low), high)
    kind = next(value.dtype for value in values if isinstance(value, FormulaArray))
    return _opaque(words, name, (*values, *sorted(options)), kind)


def _where(words: Words, condition: Any, left: Any, right: Any) -> Any:
    kind = np.result_type(*(value.dtype if hasattr(value, "dtype") else value for value in (left, right)))
    guard = _guard(condition if not isinstance(condition, FormulaArray) else condition.astype(BOOL))
    if kind == BOOL:
        return TruthArray(words, words.guards.chosen(guard, _guard(left), _guard(right)))
    first, second = (_as_type(words, value, kind) for value in (left, right))
    return FormulaArray(words, words.chosen(guard, first.value, second.value), kind)
