"""How large a term is before anything is computed with it: levels, operations, bits of its numbers.

>>> x = Term.symbol("x")
>>> require_small(Term("<<", (x, Term.integer(100_000))), "x << 100000")
Traceback (most recent call last):
    ...
layoutalg.errors.LimitError: x << 100000: 100000 bits of a shift are more than the 4096 allowed \
(limit SHIFT) (make it smaller, or split it)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import NamedTuple

from layoutalg.reading.input_limits import BITS, NESTING, OPERATIONS, SHIFT
from layoutalg.term.term import Term

__all__ = ["require_small"]

_VALUES: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "*": operator.mul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "min": min,
    "max": max,
}
WORD = 64  # bits that a symbol counts for


class _Size(NamedTuple):
    """``bits``: at most so many of the value; ``value``: where it is a number."""

    depth: int
    operations: int
    bits: int
    value: int | None = None


_NAME = _Size(0, 0, WORD)


def require_small(term: Term, where: str) -> None:
    """Refuse a term that is too deep, too long or speaks of numbers too large, saying ``where`` it stands.

    Raises :class:`~layoutalg.errors.LimitError`.
    """
    sizes: dict[Term, _Size] = {}
    for part in term.walk():
        sizes[part] = _size(part, sizes, where)
    NESTING.check(sizes[term].depth, where)
    OPERATIONS.check(sizes[term].operations, where)


def _size(term: Term, sizes: dict[Term, _Size], where: str) -> _Size:
    if term.op == "integer":
        BITS.check(term.args[0].bit_length(), where)
        return _Size(0, 0, term.args[0].bit_length(), term.args[0])
    if term.op == "symbol":
        return _NAME
    parts = [sizes[part] for part in term.args]
    depth, operations = 0, max(1, len(parts) - 1)
    for part in parts:
        depth = max(depth, part.depth)
        operations += part.operations
    bits = _bits(term.op, parts, where)
    BITS.check(bits, where)
    return _Size(depth + 1, operations, bits, _value(term.op, parts))


def _value(op: str, parts: Sequence[_Size]) -> int | None:
    """The number that an operation on numbers gives, for those that may become the count of a shift."""
    values = [part.value for part in parts if part.value is not None]
    if op not in _VALUES or len(values) < len(parts):
        return None
    if op in ("<<", ">>", "//", "%") and (values[1] < 0 or (values[1] == 0 and op in ("//", "%"))):
        return None
    result = values[0]
    for value in values[1:]:
        result = _VALUES[op](result, value)
    return result


def _bits(op: str, parts: Sequence[_Size], where: str) -> int:
    """An upper end for the bits of what an operation gives."""
    if op == "*":
        return sum(part.bits for part in parts)
    if op in ("<<", ">>"):
        SHIFT.check(parts[1].value or 0, where)
    if op == "<<":
        return parts[0].bits + (WORD if parts[1].value is None else max(parts[1].value, 0))
    most = max(part.bits for part in parts)
    return most + len(parts).bit_length() if op == "+" else most
