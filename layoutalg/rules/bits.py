"""Bit operations taken apart where one operand has no bits, so that the rest is arithmetic.

==========================  ================================================  ===================
rule                        before -> after                                   premise
==========================  ================================================  ===================
xor_above_low_bits          n ^ (m << k)  ->  ((n >> k) ^ m) << k + n % 2**k
xor_below_high_bits         n ^ m  ->  (n >> k) << k + (n % 2**k ^ m)         m < 2**k
xor_with_all_ones_if        n ^ (t * (2**k - 1))  ->  n + t*(2**k - 1 - 2*n)  n < 2**k, t in {0, 1}
and_with_low_mask           n & (2**k - 1)  ->  n % 2**k
==========================  ================================================  ===================
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layoutalg.atoms import Atom
from layoutalg.polynomial import ZERO, Polynomial

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["conjunction", "power_of_two", "xor"]


def power_of_two(form: NormalForm, exponent: Polynomial) -> Polynomial:
    """``2**exponent`` as a number, or as a letter where the exponent is not one."""
    number = exponent.as_integer
    if number is not None:
        return Polynomial.constant(1 << number)
    with form.without_branch_facts():
        low, high = form.bounds.interval(exponent)
    upper = None if math.isinf(high) else Polynomial.constant(1 << int(high))
    lower = Polynomial.constant(1 << max(0, int(low)))
    uniform = form.atoms.is_uniform(exponent)
    return form.atoms.letter(Atom("power_of_two", (exponent,), lower, upper, uniform))


def xor(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The normal form of ``left ^ right``, both known not to be negative."""
    operands = _without_pairs(form, left, right)
    if len(operands) != 2:
        return _xor_of(form, operands)
    left, right = operands
    for one, other in ((left, right), (right, left)):
        split = _split_low(form, one, other) or _split_high(form, one, other)
        if split is not None:
            low_bits, low, high = split
            above = form.bit_xor(*high) if all(high) else high[0] + high[1]
            below = form.bit_xor(*low) if all(low) else low[0] + low[1]
            return form.note("xor_by_parts", left, right, above.scaled(1 << low_bits) + below)
    for one, other in ((left, right), (right, left)):
        flipped = _flipped(form, one, other)
        if flipped is not None:
            return form.note("xor_with_all_ones_if", left, right, flipped)
    return _xor_of(form, operands)


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
    return sorted(found, key=lambda p: sorted(p.terms.items()))


Split = tuple[int, tuple[Polynomial, Polynomial], tuple[Polynomial, Polynomial]]


def _split_low(form: NormalForm, one: Polynomial, other: Polynomial) -> Split | None:
    """Both numbers cut below the lowest bit ``other`` can have."""
    low_bits = trailing_zeros(other)
    if not low_bits:
        return None
    power = Polynomial.constant(1 << low_bits)
    quotient = form.divided(one, power)
    high = (quotient, form.divided(other, power))
    return low_bits, (one - power * quotient, ZERO), high


def _split_high(form: NormalForm, one: Polynomial, other: Polynomial) -> Split | None:
    """Both numbers cut above the highest bit ``other`` can have, if ``one`` reaches above it."""
    low_bits = bit_length(form, other)
    if low_bits is None or low_bits >= bit_length_or_more(form, one):
        return None
    power = Polynomial.constant(1 << low_bits)
    quotient = form.divided(one, power)
    if not quotient:
        return None
    return low_bits, (one - power * quotient, other), (quotient, ZERO)


def _flipped(form: NormalForm, one: Polynomial, other: Polynomial) -> Polynomial | None:
    """``one ^ (t * ones)`` with ``t`` in {0, 1} and ``ones`` all ones as long as ``one``."""
    ones = math.gcd(*other.terms.values())
    if ones & (ones + 1) or bit_length_or_more(form, one) > ones.bit_length():
        return None
    times, _ = other.divided(Polynomial.constant(ones))
    if form.bounds.interval(form.digits.split(times))[1] > 1:
        return None
    return one + times * (Polynomial.constant(ones) - one.scaled(2))


def _xor_of(form: NormalForm, operands: list[Polynomial]) -> Polynomial:
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


def conjunction(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The normal form of ``left & right``, both known not to be negative."""
    if left == right:
        return left
    constants = left.as_integer, right.as_integer
    if constants[0] is not None and constants[1] is not None:
        return Polynomial.constant(constants[0] & constants[1])
    for one, other in ((left, right), (right, left)):
        if not other:
            return ZERO
        mask = other.as_integer
        if mask is not None:
            return _masked(form, one, mask)
        split = _split_low(form, one, other) or _split_high(form, one, other)
        if split is not None:
            low_bits, low, high = split
            above = form.bit_and(*high) if all(high) else ZERO
            below = form.bit_and(*low) if all(low) else ZERO
            return form.note("and_by_parts", left, right, above.scaled(1 << low_bits) + below)
    first, second = sorted((left, right), key=lambda p: sorted(p.terms.items()))
    with form.without_branch_facts():
        ends = [end for end in (form.bounds.upper(first), form.bounds.upper(second)) if end]
    uniform = form.atoms.is_uniform(first) and form.atoms.is_uniform(second)
    upper = ends[0] if ends else None
    both = (first, second)
    return form.atoms.letter(Atom("and", both, ZERO, upper, uniform, more_uppers=both))


def _masked(form: NormalForm, number: Polynomial, mask: int) -> Polynomial:
    """Each run of ones in the mask cuts some digits out of the number."""
    total, position = ZERO, 0
    while mask >> position:
        if not mask >> position & 1:
            position += 1
            continue
        end = position
        while mask >> end & 1:
            end += 1
        low, high = Polynomial.constant(1 << position), Polynomial.constant(1 << (end - position))
        shifted = form.divided(number, low)
        total += (shifted - high * form.divided(shifted, high)) * low
        position = end
    return form.note("and_with_low_mask", number, Polynomial.constant(mask), total)


def trailing_zeros(polynomial: Polynomial) -> int:
    """How many low bits are zero in every value, judged by the coefficients."""
    common = math.gcd(*polynomial.terms.values()) if polynomial else 0
    return (common & -common).bit_length() - 1 if common else 0


def bit_length_or_more(form: NormalForm, polynomial: Polynomial) -> float:
    """The bit length, or infinity where there is no largest value."""
    found = bit_length(form, polynomial)
    return math.inf if found is None else found


def bit_length(form: NormalForm, polynomial: Polynomial) -> int | None:
    """How many bits the largest value takes, or None where there is no largest."""
    _, high = form.bounds.interval(form.digits.split(polynomial))
    return None if math.isinf(high) else int(high).bit_length()
