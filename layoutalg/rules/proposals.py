"""Shorter ways to write parts of a normal form: digits, whole xors, masks.

The normal form takes numbers apart; here parts are offered as one operation again. A proposal is
never trusted: what the operation means is asked of the normal form itself, so a proposal is equal to
the part that it replaces or is not made. Which one is taken is a matter of price.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from layoutalg.errors import LimitError, MissingFactError
from layoutalg.rules import bits
from layoutalg.rules.choice_proposals import choice_proposals
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from layoutalg.rules.sum_proposals import sum_proposals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["proposals"]


def proposals(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """Polynomials equal to the given one, each with one part written in another way."""
    split = form.digits.split(polynomial)
    if split != polynomial:
        yield split
    yield from _as_digit(form, polynomial)
    yield from _as_whole_xor(form, polynomial)
    yield from _as_flip(form, polynomial)
    yield from _as_mask(form, polynomial)
    if form.eliminates:
        yield from choice_proposals(form, polynomial)
        yield from sum_proposals(form, polynomial)


def _as_digit(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n // a - b*(n // (a*b))`` is a digit: ``x - 8*(x // 8)`` is ``x % 8``."""
    letters = polynomial.letters
    for low, number, low_scale, high, high_scale in _links(form, polynomial):
        base, rest = high_scale.divided(low_scale)
        if rest:
            continue
        digit = form.digits.digit(number, low_scale, base)
        letter = digit.as_letter
        assert letter is not None
        form.digits.joined[letter] = low - base * high
        name, high_name = low.as_letter, high.as_letter
        if name in letters:
            yield polynomial.replaced(name, digit + base * high)
        factor = polynomial.coefficient(high_name) if high_name is not None else None
        if factor:
            times, rest = factor.divided(base)
            if not rest:
                yield polynomial - times * base * high + times * (low - digit)


Link = tuple[Polynomial, Polynomial, Polynomial, Polynomial, Polynomial]


def _links(form: NormalForm, polynomial: Polynomial) -> Iterator[Link]:
    """Pairs of quotients of one number whose divisors divide each other."""
    chains: dict[Polynomial, list[tuple[Polynomial, Polynomial]]] = {}
    for letter in form.atoms.of_kind("floor", polynomial):
        number, divisor = form.atoms[letter].operands
        chains.setdefault(number, []).append((divisor, Polynomial.letter(letter)))
    for number, links in chains.items():
        links.insert(0, (ONE, number))
        for low_scale, low in links:
            for high_scale, high in links:
                if low != high and high_scale.divided(low_scale)[1] == ZERO:
                    yield low, number, low_scale, high, high_scale


def _as_whole_xor(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``(a ^ b)*p + r`` is ``(a*p + r) ^ b*p``, and ``h*p + (a ^ b)`` is ``(h*p + a) ^ b``."""
    for letter in form.atoms.of_kind("xor", polynomial):
        factor = polynomial.coefficient(letter)
        for operands in _joined(form, form.atoms[letter].operands):
            meaning = _meaning(form, operands)
            scale = None if meaning is None else meaning.coefficient(letter)
            if meaning is None or not factor or not scale:
                continue
            times, rest = factor.divided(scale)
            if times and not rest:
                yield polynomial + times * (_written(form, operands) - meaning)


def _meaning(form: NormalForm, operands: Iterable[Polynomial], *, masked: bool = False) -> Polynomial | None:
    """The normal form of the operands' xor (or and), or None where it is not shown or takes long."""
    try:
        with form.proposing():
            return reduce(form.bit_and if masked else form.bit_xor, operands)
    except (MissingFactError, LimitError):  # not shown, or too long to be shown: no proposal
        return None


def _written(form: NormalForm, operands: Iterable[Polynomial]) -> Polynomial:
    """The same as one letter."""
    return bits.xor_letter(form, sorted(operands, key=Polynomial.in_order))


def _joined(form: NormalForm, operands: tuple[Polynomial, ...], depth: int = 2) -> Iterator[list[Polynomial]]:
    """Operands of xors that have the given one in their middle bits."""
    for i, operand in enumerate(operands):
        others = [*operands[:i], *operands[i + 1 :]]
        for letter in form.atoms.of_kind("floor", operand):
            number, divisor = form.atoms[letter].operands
            floor, factor = Polynomial.letter(letter), operand.coefficient(letter)
            times = 0 if factor is None else factor.as_integer or 0
            if times == 1 and _is_power_of_two(divisor.as_integer):
                joined = [number + divisor * (operand - floor), *(divisor * other for other in others)]
            elif _is_power_of_two(-times):
                joined = [operand - floor.scaled(times), *others]
            else:
                continue
            if form.bounds.is_nonnegative(joined[0]):
                yield joined
                if depth:
                    yield from _joined(form, tuple(joined), depth - 1)


def _is_power_of_two(number: int | None) -> bool:
    return number is not None and number > 0 and number & (number - 1) == 0


def _as_flip(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n + t*(p - 1 - 2*n)`` is ``n ^ t*(p - 1)`` for a t of 0 or 1 and n < p, a power of two."""
    products = {m for m, _ in polynomial if len(m) == 2}
    for one, other in sorted(products | {(b, a) for a, b in products}):
        by_n, by_t = polynomial.coefficient(one), polynomial.coefficient(other)
        scale = by_n.terms.get((), 0) if by_n else 0
        constant = by_t.terms.get((), 0) if by_t else 0
        if not by_n or not by_t or not scale or constant % scale:
            continue
        ones = constant // scale
        double = Polynomial.constant(2 * scale)
        (times, rest), (number, more) = (
            (Polynomial.constant(scale) - by_n).divided(double),
            (Polynomial.constant(constant) - by_t).divided(double),
        )
        if rest or more or not _is_power_of_two(ones + 1):
            continue
        flip = times.scaled(ones)
        if form.bounds.is_nonnegative(number) and form.bounds.is_nonnegative(times):
            for operands in ([number, flip], *_joined(form, (number, flip))):
                meaning = _meaning(form, operands)
                if meaning is not None:
                    yield polynomial + (_written(form, operands) - meaning).scaled(scale)


def _as_mask(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n // 8 % 4 * 8`` is ``n & 24``, and ``n // 8 * 8`` of ``n < 64`` is ``n & 56``."""
    for kind in ("digit", "floor"):
        for letter in form.atoms.of_kind(kind, polynomial):
            number, scale, *base = (part for part in form.atoms[letter].operands)
            factor = polynomial.coefficient(letter)
            if not factor or not _is_power_of_two(scale.as_integer) or scale == ONE:
                continue
            times, rest = factor.divided(scale)
            ones = _ones_above(form, number, scale) if kind == "floor" else base[0].as_integer
            if rest or not _is_power_of_two(ones):
                continue
            mask = scale.scaled((ones or 1) - 1)
            part = form.digits.join(scale * Polynomial.letter(letter))
            is_sure = mask and form.bounds.is_nonnegative(number)  # also where others are taken for granted
            if is_sure and _meaning(form, (number, mask), masked=True) == part:
                written = bits.and_letter(form, number, mask)
                yield polynomial.without(letter) + times * written


def _ones_above(form: NormalForm, number: Polynomial, scale: Polynomial) -> int | None:
    """The power of two that ``number // scale`` stays below."""
    length = bits.bit_length(form, number)
    return None if length is None else max(1, (1 << length) // (scale.as_integer or 1))
