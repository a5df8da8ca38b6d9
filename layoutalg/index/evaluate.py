"""The reference meaning: index expressions on plain integers and NumPy arrays.

Everything else (the simplifier, Z3, the emitted C) is tested against :func:`evaluate`, which shares
no code with them. A branch of a selection is computed only at the points that take it.

>>> from sympy import Symbol
>>> from layoutalg.index import FloorDiv, FloorMod
>>> x = Symbol("x", integer=True)
>>> evaluate(10 * FloorDiv(x, 4) + FloorMod(x, 4), {x: 11})
23
>>> evaluate(FloorDiv(x, 4), {"x": np.array([-1, 0, 7])})
array([-1,  0,  1])
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Add, Integer, Mul, Pow, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from layoutalg.errors import BeyondTableError, LayoutError, of_kind
from layoutalg.index import (
    BitAnd,
    BitOr,
    BitXor,
    Entry,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    RunOf,
    Select,
    ShiftLeft,
    ShiftRight,
)
from layoutalg.index.table_values import TableEntries
from layoutalg.reading.input_limits import SHIFT
from layoutalg.reading.signature_note import noted

__all__ = ["Values", "evaluate"]

Integers = NDArray[np.int64]
Values = Mapping[Any, Any]

WORD_BITS = 63  # of a signed 64-bit integer, without its sign
WORD = 1 << WORD_BITS


@noted
def evaluate(expression: Any, values: Values) -> Any:
    """The value of an expression (or the truth of a condition) where the symbols have these values.

    ``values`` maps symbols or their names to integers or integer arrays that broadcast together.
    Integers give an exact ``int`` of any size (or ``bool``), arrays an ``int64`` (or ``bool``) array of the
    common shape. Refused: a symbol without value, and a point where the expression is undefined.

    >>> import layoutalg as la
    >>> x = la.Domain.of({"x": 64})["x"]
    >>> la.evaluate(la.FloorDiv(x, 4) + 1, {"x": 11})
    3
    """
    of_kind(values, Mapping, "evaluate: values", "a mapping such as {'x': 3}")
    tables = {_name(name): value for name, value in values.items() if isinstance(value, TableEntries)}
    numbers = {name: value for name, value in values.items() if not isinstance(value, TableEntries)}
    is_point = all(np.ndim(value) == 0 for value in numbers.values())
    given = object if is_point else None
    points = {_name(symbol): _integers(symbol, value, given) for symbol, value in numbers.items()}
    shape = np.broadcast_shapes(*(value.shape for value in points.values()))
    largest = {name: _largest(value) for name, value in points.items()}
    largest |= {name: max(map(abs, entries), default=0) for name, entries in tables.items()}
    magnitudes = _Magnitudes(largest)
    is_wide = is_point or max(magnitudes.of(expression), *largest.values()) >= WORD
    if not is_point:
        points = {name: points[name] for name in magnitudes.symbols & points.keys()}
    kind: Any = object if is_wide else np.int64
    flat = {name: np.broadcast_to(value.astype(kind), shape).ravel() for name, value in points.items()}
    size = int(np.prod(shape, dtype=np.int64))
    result = _At(flat, size, kind, tables).value(expression).reshape(shape)
    if is_point:
        return result.item()
    return _narrow(result) if is_wide else result


def _integers(symbol: Any, value: Any, kind: Any) -> NDArray[Any]:
    """The given values as 64-bit integers, or as Python's own where they need more."""
    given = np.asarray(value, dtype=kind)
    if given.dtype == object or np.can_cast(given.dtype, np.int64):
        return given
    if given.dtype.kind != "u":
        msg = f"values of {symbol} must be integers, got {given.dtype}"
        raise LayoutError(msg, hint="convert them first: values.astype(int)")
    return given.astype(object)


def _largest(values: NDArray[Any]) -> int:
    return max(abs(int(values.min())), abs(int(values.max()))) if values.size else 0


class _Magnitudes:
    """How large an expression and everything within it may become: whether 64 bits hold it."""

    def __init__(self, largest: dict[str, int]) -> None:
        self.largest = largest
        self.seen: dict[Any, int] = {}

    @property
    def symbols(self) -> set[str]:
        """The names of the symbols that were come by."""
        return {node.name for node in self.seen if isinstance(node, Symbol)}

    def of(self, node: Any) -> int:
        """A bound on the magnitude of the node and of each node below it."""
        if node not in self.seen:
            self.seen[node] = self._of(node)
        return self.seen[node]

    def _of(self, node: Any) -> int:
        if isinstance(node, Symbol):
            return self.largest.get(node.name, 0)
        if isinstance(node, Integer | int):
            return abs(int(node))
        if isinstance(node, Entry):
            known = max(map(abs, node.table.entries), default=0) if node.table.entries else 0
            return max(known, self.largest.get(node.table.name, 0), *map(self.of, node.index))
        if isinstance(node, RunOf):
            return self.of(node.args[1])
        below = [self.of(argument) for argument in getattr(node, "args", ())]
        if isinstance(node, Add):
            return sum(below)
        if isinstance(node, Mul):
            return math.prod(max(1, bound) for bound in below)
        if isinstance(node, Pow):
            return max(1, below[0]) ** min(below[1], WORD_BITS + 1)
        if isinstance(node, ShiftLeft):
            return max(below[1], below[0] << min(below[1], WORD_BITS + 1))
        if isinstance(node, BitXor | BitOr):
            return (1 << max(below).bit_length()) - 1
        return max(below, default=0)


def _narrow(found: NDArray[Any]) -> NDArray[Any]:
    """Python's integers as 64-bit ones where all of them fit."""
    if found.dtype != object or any(not -WORD <= value < WORD for value in found.tolist()):
        return found
    return found.astype(np.int64)


def _name(symbol: Any) -> str:
    return str(symbol)


class _At:
    """The points at which an expression is being evaluated: one flat array for each symbol."""

    def __init__(
        self, points: dict[str, Integers], size: int, kind: Any, tables: Mapping[str, TableEntries]
    ) -> None:
        self.points = points
        self.tables = tables
        self.size = size
        self.kind = kind  # int64, or object for Python's own integers

    def only(self, chosen: NDArray[np.bool_]) -> _At:
        points = {k: v[chosen] for k, v in self.points.items()}
        return _At(points, int(chosen.sum()), self.kind, self.tables)

    def value(self, node: Any) -> NDArray[Any]:
        if isinstance(node, Symbol):
            return self._symbol(node)
        if isinstance(node, Integer | int):
            return np.full(self.size, int(node), dtype=self.kind)
        if isinstance(node, Select):
            return self._select(node)
        if isinstance(node, Entry):
            return self._entry(node)
        if isinstance(node, RunOf):
            return self._run_of(node)
        operation = _OPERATIONS.get(type(node))
        if operation is not None:
            left, right = (self.value(arg) for arg in node.args)
            return operation(node, left, right)
        if isinstance(node, Add | Mul):
            ufunc = np.add if isinstance(node, Add) else np.multiply
            return reduce(ufunc, map(self.value, node.args))
        if isinstance(node, And | Or):
            return self._connected(node)
        if isinstance(node, Pow) and node.exp.is_Integer and node.exp >= 0:
            return self.value(node.base) ** int(node.exp)
        if isinstance(node, Relational):
            left, right = (self.value(arg) for arg in node.args)
            return _RELATIONS[node.rel_op](left, right).astype(bool)
        if isinstance(node, Not):
            return ~self.value(node.args[0])
        if isinstance(node, BooleanTrue | BooleanFalse | bool):
            return np.full(self.size, bool(node))
        msg = f"cannot evaluate {node}: {type(node).__name__} is not part of an index expression"
        raise LayoutError(msg, hint="convert SymPy's floor, Mod and Piecewise with from_sympy")

    def _connected(self, node: Any) -> NDArray[np.bool_]:
        """A conjunction or disjunction: a part is worked out where the others leave it open.

        SymPy puts the parts into an order of its own, so that a guard may stand behind what it guards.
        """
        settled = isinstance(node, Or)  # one part that is so settles all
        found = np.full(self.size, not settled)
        waiting, undefined = tuple(node.args), BeyondTableError("")
        while waiting:
            later = []
            for part in waiting:
                is_open = found != settled
                try:
                    found[is_open] = self.only(is_open).value(part)
                except BeyondTableError as error:
                    undefined = error
                    later.append(part)
            if len(later) == len(waiting):
                raise undefined
            waiting = tuple(later)
        return found

    def _symbol(self, symbol: Symbol) -> Integers:
        if symbol.name not in self.points:
            known = ", ".join(sorted(self.points)) or "none"
            msg = f"no value for {symbol.name}: values were given for {known}"
            raise LayoutError(msg)
        return self.points[symbol.name]

    def _entry(self, node: Any) -> Integers:
        table = node.table
        entries = table.entries if table.entries is not None else self.tables.get(table.name)
        if entries is None:
            msg = f"no entries for {table.name}, a table known at run time"
            raise LayoutError(msg, hint=f"values['{table.name}'] = TableEntries((...))")
        if not self.size:
            return np.empty(0, dtype=self.kind)
        lengths = [int(self.value(length)[0]) for length in table.lengths]
        if math.prod(lengths) != len(entries):
            msg = f"{table.name}: wanted {math.prod(lengths)} entries, got {len(entries)}"
            raise LayoutError(msg)
        return table.at([self.value(component) for component in node.index], entries, lengths).astype(
            self.kind
        )

    def _run_of(self, node: Any) -> Integers:
        table, value = node.table, self.value(node.args[1])
        entries = table.entries if table.entries is not None else self.tables.get(table.name, ())
        found = np.searchsorted(np.asarray(entries, dtype=np.int64), value.astype(np.int64), side="right") - 1
        if np.any((found < 0) | (found > len(entries) - 2)):
            raise LayoutError(f"{node}: a value is not between the first and the last entry")
        return found.astype(self.kind)

    def _select(self, node: Any) -> Integers:
        condition, if_true, if_false = node.args
        chosen = self.value(condition)
        result = np.empty(self.size, dtype=self.kind)
        for here, branch in ((chosen, if_true), (~chosen, if_false)):
            if here.any():
                result[here] = self.only(here).value(branch)
        return result


def _quotient(node: Any, left: Integers, right: Integers) -> Integers:
    if (right <= 0).any():
        msg = f"{node} is undefined here: the divisor {node.args[1]} is {int(right.min())}"
        raise LayoutError(msg)
    return left // right if isinstance(node, FloorDiv) else left % right


def _bits(node: Any, left: Integers, right: Integers) -> Integers:
    lowest = min(left.min(initial=0), right.min(initial=0))
    if lowest < 0:
        msg = f"{node} is undefined here: an operand is {lowest}"
        raise LayoutError(msg)
    if isinstance(node, ShiftLeft):
        SHIFT.check(int(right.max(initial=0)), str(node))
    elif isinstance(node, ShiftRight) and right.dtype != object:
        right = np.minimum(right, WORD_BITS)  # nothing is left of a word; NumPy goes by the hardware
    operation = {
        BitXor: np.bitwise_xor,
        BitAnd: np.bitwise_and,
        BitOr: np.bitwise_or,
        ShiftLeft: np.left_shift,
        ShiftRight: np.right_shift,
    }[type(node)]
    return operation(left, right)


_OPERATIONS: dict[Any, Any] = {
    FloorDiv: _quotient,
    FloorMod: _quotient,
    **dict.fromkeys((BitXor, BitAnd, BitOr, ShiftLeft, ShiftRight), _bits),
    Min: lambda _, left, right: np.minimum(left, right),
    Max: lambda _, left, right: np.maximum(left, right),
}

_RELATIONS: dict[str, Any] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
