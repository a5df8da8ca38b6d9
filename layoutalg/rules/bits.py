"""Bit operations taken apart where one operand has no bits, so that the rest is arithmetic.

Operands of an xor are kept as one sorted list without zeros and pairs; the rest is done by the rules.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layoutalg.reading.input_limits import SHIFT
from layoutalg.rules.atoms import Atom
from layoutalg.rules.interval import OO, End
from layoutalg.rules.polynomial import ZERO, Polynomial
from layoutalg.rules.rule import Bindings, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from layoutalg.rules.normal_form import NormalForm

__all__ = [
    "AND_RULES",
    "OR_AS_SUM",
    "XOR_RULES",
    "and_letter",
    "bit_length",
    "conjunction",
    "power_of_two",
    "xor",
    "xor_letter",
]


def power_of_two(form: NormalForm, exponent: Polynomial) -> Polynomial:
    """``2**exponent`` as a number, or as a letter where the exponent is not one."""
    number = exponent.as_integer
    if number is not None:
        SHIFT.check(number)
        return Polynomial.constant(1 << number)
    with form.without_branch_facts():
        low, high = form.bounds.interval(exponent)
    upper = Polynomial.constant(1 << high) if isinstance(high, int) and high <= SHIFT.most else None
    lower = Polynomial.constant(1 << low if isinstance(low, int) and 0 <= low <= SHIFT.most else 1)
    uniform = form.atoms.is_uniform(exponent)
    return form.atoms.letter(Atom("power_of_two", (exponent,), lower, upper, uniform))


def xor(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The normal form of ``left ^ right``, both known not to be negative."""
    operands = _without_pairs(form, left, right)
    if len(operands) == 2:
        found = _first(form, XOR_RULES, *operands)
        if found is not None:
            return found
    return xor_letter(form, operands)


def conjunction(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The normal form of ``left & right``, both known not to be negative."""
    constants = left.as_integer, right.as_integer
    if constants[0] is not None and constants[1] is not None:
        return Polynomial.constant(constants[0] & constants[1])
    if not left or not right:
        return ZERO
    found = _first(form, AND_RULES, left, right)
    if found is not None:
        return found
    return and_letter(form, left, right)


def _first(form: NormalForm, rules: Sequence[Rule], left: Polynomial, right: Polynomial) -> Polynomial | None:
    """What the first rule that applies makes of the operands, in either order."""
    for rule in rules:
        for operands in ((left, right), (right, left)):
            found = form.rewritten(rule, operands)
            if found is not None:
                return found
    return None


def _without_pairs(form: NormalForm, left: Polynomial, right: Polynomial) -> list[Polynomial]:
    """The operands of both sides in one order; equal ones and zeros are gone, numbers are one."""
    number, seen = 0, dict[Polynomial, bool]()
    for side in (left, right):
        letter = side.as_letter
        is_xor = letter is not None and form.atoms[letter].kind == "xor"
        for part in form.atoms[letter].operands if letter is not None and is_xor else (side,):
            fixed = part.as_integer
            if fixed is not None:
                number ^= fixed
            else:
                seen[part] = not seen.get(part, False)
    found = [part for part, is_there in seen.items() if is_there]
    found += [Polynomial.constant(number)] if number else []
    return sorted(found, key=Polynomial.in_order)


def _above_low_bits(form: NormalForm, number: Polynomial, other: Polynomial) -> Iterator[Bindings]:
    """Both numbers cut below the lowest bit that ``other`` can have."""
    low_bits = trailing_zeros(other)
    if low_bits:
        above = form.divided(other, Polynomial.constant(1 << low_bits))
        yield {"n": number, "m": above, "k": Polynomial.constant(low_bits)}


def _below_high_bits(form: NormalForm, number: Polynomial, other: Polynomial) -> Iterator[Bindings]:
    """Both numbers cut above the highest bit that ``other`` can have, if ``number`` reaches above it."""
    low_bits = bit_length(form, other)
    if low_bits is None or low_bits >= bit_length_or_more(form, number):
        return
    if form.divided(number, Polynomial.constant(1 << low_bits)):
        yield {"n": number, "m": other, "k": Polynomial.constant(low_bits)}


def _flipped(form: NormalForm, number: Polynomial, other: Polynomial) -> Iterator[Bindings]:
    """All ones as long as ``number``, or nothing."""
    ones = math.gcd(*other.terms.values())
    if ones & (ones + 1) == 0 and bit_length_or_more(form, number) <= ones.bit_length():
        times, _ = other.divided(Polynomial.constant(ones))
        yield {"n": number, "t": times, "k": Polynomial.constant(ones.bit_length())}


def _itself(form: NormalForm, left: Polynomial, right: Polynomial) -> Iterator[Bindings]:
    del form
    if left == right:
        yield {"n": left}


def _run_of_ones(form: NormalForm, number: Polynomial, other: Polynomial) -> Iterator[Bindings]:
    """A mask that is one run of ones."""
    del form
    mask = other.as_integer
    if mask:
        position = trailing_zeros(other)
        width = (mask >> position).bit_length()
        yield {"n": number, "w": Polynomial.constant(width), "k": Polynomial.constant(position)}


def _runs_of_ones(form: NormalForm, number: Polynomial, other: Polynomial) -> Iterator[Bindings]:
    """The lowest run of ones of a mask, and the rest of it."""
    del form
    mask = other.as_integer
    if mask:
        lowest = mask & ~(mask + (mask & -mask))
        if lowest != mask:
            yield {"n": number, "a": Polynomial.constant(lowest), "b": Polynomial.constant(mask - lowest)}


XOR_RULES = (
    Rule(
        "xor_above_low_bits",
        "n ^ (m << k)",
        "((n >> k ^ m) << k) + n % (1 << k)",
        find=_above_low_bits,
        shrinks=("m << k", "m"),
    ),
    Rule(
        "xor_below_high_bits",
        "n ^ m",
        "((n >> k) << k) + (n % (1 << k) ^ m)",
        when="m < 1 << k",
        find=_below_high_bits,
        shrinks=("n", "n % (1 << k)"),
    ),
    Rule(
        "xor_with_all_ones_if",
        "n ^ t*((1 << k) - 1)",
        "n + t*((1 << k) - 1 - 2*n)",
        when="n < 1 << k and 0 <= t and t <= 1",
        find=_flipped,
    ),
)
AND_RULES = (
    Rule("and_with_itself", "n & n", "n", find=_itself),
    Rule("and_with_ones", "n & ((1 << w) - 1) << k", "(n >> k) % (1 << w) << k", find=_run_of_ones),
    Rule(
        "and_with_mask",
        "n & a + b",
        "(n & a) + (n & b)",
        when="a & b == 0",
        find=_runs_of_ones,
        shrinks=("a + b", "b"),
    ),
    Rule(
        "and_above_low_bits",
        "n & m << k",
        "(n >> k & m) << k",
        find=_above_low_bits,
        shrinks=("m << k", "m"),
    ),
    Rule(
        "and_below_high_bits",
        "n & m",
        "n % (1 << k) & m",
        when="m < 1 << k",
        find=_below_high_bits,
        shrinks=("n", "n % (1 << k)"),
    ),
)
OR_AS_SUM = Rule("or_as_sum", "m | n", "m + n - (m & n)")


def xor_letter(form: NormalForm, operands: list[Polynomial]) -> Polynomial:
    """The letter of an xor of two operands or more; the operand itself for one, 0 for none."""
    if len(operands) < 2:
        return operands[0] if operands else ZERO
    found = form.atoms.find("xor", tuple(operands))
    if found is not None:
        return found
    with form.without_branch_facts():
        lengths = [bit_length(form, operand) for operand in operands]
        known = [length for length in lengths if length is not None]
        if len(known) == len(operands):
            upper: Polynomial | None = Polynomial.constant((1 << max(known)) - 1)
        else:
            ends = [form.bounds.upper(operand) for operand in operands]
            upper = None if None in ends else sum((end for end in ends if end), ZERO)
    uniform = all(map(form.atoms.is_uniform, operands))
    return form.atoms.letter(Atom("xor", tuple(operands), ZERO, upper, uniform))


def and_letter(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The letter of ``left & right``."""
    first, second = sorted((left, right), key=Polynomial.in_order)
    with form.without_branch_facts():
        ends = [end for end in (form.bounds.upper(first), form.bounds.upper(second)) if end]
    uniform = form.atoms.is_uniform(first) and form.atoms.is_uniform(second)
    upper = ends[0] if ends else None
    both = (first, second)
    return form.atoms.letter(Atom("and", both, ZERO, upper, uniform, more_uppers=both))


def trailing_zeros(polynomial: Polynomial) -> int:
    """How many low bits are zero in every value, judged by the coefficients."""
    common = math.gcd(*polynomial.terms.values()) if polynomial else 0
    return (common & -common).bit_length() - 1 if common else 0


def bit_length_or_more(form: NormalForm, polynomial: Polynomial) -> End:
    """The bit length, or infinity where there is no largest value."""
    found = bit_length(form, polynomial)
    return OO if found is None else found


def bit_length(form: NormalForm, polynomial: Polynomial) -> int | None:
    """How many bits the largest value takes, or None where there is no largest."""
    _, high = form.bounds.interval(form.digits.split(polynomial))
    return max(0, high).bit_length() if isinstance(high, int) else None
