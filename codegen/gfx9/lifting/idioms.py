"""Instructions whose row is a way of saying something simple: told as that.

``v_mbcnt`` of all ones is the number of the lane, ``v_bfrev`` of few bits a sum of them; ``v_bitop3`` has a
truth table that is two operations on bits as a rule; the high word of a product may be a step of a division.
Their rows, which count bits and add up products, give the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lifting.formula_array import FormulaArray
from layoutalg.codegen.gfx9.lifting.runtime_division import estimated_quotient
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words
from layoutalg.rules.polynomial import ZERO

__all__ = ["idiom"]

HALF = 32
MOST_BITS = 10  # of a word that is turned around
WORD = 2**32
U32 = np.dtype(np.uint32)
TABLES = (0xF0, 0xCC, 0xAA)  # of the three sources alone (LLVM, AMDGPUISelDAGToDAG.cpp)
ONES = 0xFF
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def idiom(
    instruction: Instruction, words: Words, values: list[Any], *, divides: bool
) -> tuple[Any, ...] | None:
    """The result of an instruction that is one of these; None for all others.

    ``divides``: whether floats are rounded as divisions by runtime numbers need it, everywhere in the kernel.
    """
    name = re.sub("_(e32|e64|dpp)$", "", instruction.mnemonic)
    if name in ("v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32"):
        return _lanes_below(name, words, values)
    if name in ("s_mul_hi_u32", "v_mul_hi_u32") and divides:
        left, right = (one.value for one in values)
        found = estimated_quotient(words, left, right, is_uniform=name.startswith("s_"))
        return None if found is None else (FormulaArray(words, found, U32),)
    if name == "v_bfrev_b32":
        return (_turned_around(words, values[0]),)
    if name == "v_bitop3_b32":
        table = int(instruction.modifiers.get("bitop3", "0"), 0)
        return (_by_two_operations(table)(*values),)
    return None


def _lanes_below(name: str, words: Words, values: list[Any]) -> tuple[Any, ...]:
    """``v_mbcnt_lo`` counts the ones of a mask below this lane among lanes 0 to 31, ``v_mbcnt_hi`` above."""
    mask, more = values[:2]
    if not _is_all_ones(mask.value):
        operands = (mask.value, more.value, words.lane)
        return (FormulaArray(words, ((words.inside, words.unknown(name, operands, 0, WORD - 1)),), U32),)
    below = words.form.minimum(words.lane, words.form.integer(HALF))
    count = below if name == "v_mbcnt_lo_u32_b32" else words.lane - below
    return (FormulaArray(words, ((words.inside, count),), U32) + more,)


def _turned_around(words: Words, value: Any) -> FormulaArray:
    """The bits of a word in the opposite order: one by one, where they are few."""
    found = FormulaArray(words, ((words.inside, ZERO),), U32)
    few = (words.ranges.interval(polynomial) for _, polynomial in value.value)
    if any(low < 0 or high >= 1 << MOST_BITS for low, high in few):
        unknown = words.unknown("v_bfrev_b32", (value.value,), 0, WORD - 1)
        return FormulaArray(words, ((words.inside, unknown),), U32)
    for bit in range(MOST_BITS):
        found = found + ((value >> U32.type(bit) & U32.type(1)) << U32.type(HALF - 1 - bit))
    return found


def _is_all_ones(value: Value) -> bool:
    numbers = [polynomial.as_integer for _, polynomial in value]
    return all(number is not None and number % WORD == WORD - 1 for number in numbers)


@cache
def _by_two_operations(table: int) -> Callable[[Any, Any, Any], Any]:
    """A function of three words with this truth table: of one operation or two, where there is one.

    >>> bin(_by_two_operations(0x96)(0b1100, 0b1010, 0b0001))  # a ^ b ^ c
    '0b111'
    >>> _by_two_operations(0xCF)(20, 15, 0) == ~20 | 15
    True
    """
    ways = [*product(permutations(range(3)), product((0, ONES), repeat=3))]
    for order, flips in ways:
        a, b, _ = (TABLES[n] ^ flip for n, flip in zip(order, flips, strict=True))
        for name, operation in _OPERATIONS.items():
            if operation(a, b) == table:
                return _chain(order, flips, (name,))
    for order, flips in ways:
        a, b, c = (TABLES[n] ^ flip for n, flip in zip(order, flips, strict=True))
        for first, second in product(_OPERATIONS, repeat=2):
            if _OPERATIONS[second](_OPERATIONS[first](a, b), c) == table:
                return _chain(order, flips, (first, second))
    return _products(table)


def _chain(
    order: tuple[int, ...], flips: tuple[int, ...], names: tuple[str, ...]
) -> Callable[[Any, Any, Any], Any]:
    def computed(*words: Any) -> Any:
        found, *others = (~words[n] if flip else words[n] for n, flip in zip(order, flips, strict=True))
        for name, other in zip(names, others, strict=False):
            found = _OPERATIONS[name](found, other)
        return found

    return computed


def _products(table: int) -> Callable[[Any, Any, Any], Any]:
    """Bit ``4 a + 2 b + c`` of the table is the result: an exclusive or of products, which never meet."""

    def computed(a: Any, b: Any, c: Any) -> Any:
        found = a & ~a
        for number in range(8):
            if table >> number & 1:
                parts = (word if number & bit else ~word for word, bit in ((a, 4), (b, 2), (c, 1)))
                first, second, third = parts
                found = found ^ (first & second & third)
        return found

    return computed
