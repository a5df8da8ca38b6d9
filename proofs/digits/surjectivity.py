"""Onto by digits: outputs whose digits range independently and leave no value out.

``8*a + 2*b + c`` fills 0..79 if ``c`` takes 0..1, ``b`` 0..3 and ``a`` 0..9 independently: each scale is one
more than all smaller places together, and no digit is tied to another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.proofs.digits.injectivity import Place, ordered, read_places
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

if TYPE_CHECKING:
    from layoutalg.rules import NormalForm
    from layoutalg.rules.atoms import Atom

__all__ = ["why_not_onto"]


def why_not_onto(form: NormalForm, outputs: list[Polynomial], sizes: list[Polynomial]) -> str | None:
    """Why it is not shown that the outputs together take all values below the sizes, or None."""
    letters: list[int] = []
    for output, size in zip(outputs, sizes, strict=True):
        places = read_places(form, output)
        if places is None:
            return "an output is no sum of scaled digits"
        letters += [place.letter for place in places]
        reason = _why_gap(form, output, places, size)
        if reason:
            return reason
    if len(set(letters)) < len(letters):
        return "two outputs share a digit"
    return _why_tied(form, letters)


def _why_gap(form: NormalForm, output: Polynomial, places: list[Place], size: Polynomial) -> str | None:
    in_order = ordered(form, places)
    if in_order is None:
        return "its digits overlap"
    reach = ZERO
    for place in in_order:
        if place.scale != reach.plus(1):
            return "it skips values"
        reach = reach + place.scale * place.width
    if form.bounds.lower(output) != ZERO:
        return "it does not start at 0"
    return None if reach.plus(1) == size else "it does not end at the size"


def _why_tied(form: NormalForm, letters: list[int]) -> str | None:
    """Why the letters may not range independently of each other, or None if they do."""
    digits: dict[int, list[int]] = {}
    xors = [letter for letter in letters if form.atoms[letter].kind == "xor"]
    if len(xors) > 1:
        return "several xors may be tied to each other"
    for letter in letters:
        digit = _free_operand(form, letter, letters) if letter in xors else letter
        axis = None if digit is None else _axis_of(form, digit)
        if digit is None or axis is None:
            return "a part of the output is no digit of an axis"
        digits.setdefault(axis, []).append(digit)
    for axis, found in digits.items():
        if len(set(found)) < len(found):
            return "a digit is used twice"
        reason = _why_not_apart(form, axis, found)
        if reason:
            return reason
    return None


def _axis_of(form: NormalForm, letter: int) -> int | None:
    """The axis a letter is a digit of (itself, for an axis)."""
    atom = form.atoms[letter]
    if atom.kind == "axis":
        return letter
    if atom.kind not in ("digit", "floor"):
        return None
    number: int | None = atom.operands[0].as_letter
    return number if number is not None and form.atoms[number].kind == "axis" else None


def _why_not_apart(form: NormalForm, axis: int, letters: list[int]) -> str | None:
    """Whether the digits of one axis follow each other and fit its length."""
    if letters == [axis]:
        return None
    atom = form.atoms[axis]
    if axis in letters or atom.lower != ZERO or atom.upper is None:
        return "an axis is used whole and in parts, or does not start at 0"
    length, end = atom.upper.plus(1), ONE
    for letter in sorted(letters, key=lambda x: _size(form.atoms[x])):
        digit = form.atoms[letter]
        scale = digit.operands[1]
        if scale.divided(end)[1]:
            return "two digits of an axis overlap"
        if digit.upper is None:
            return "a digit has no known range"
        end = scale * digit.upper.plus(1)
        exact = digit.kind == "floor"
        if end != length if exact else not form.bounds.is_nonnegative(length - end):
            return "the length of an axis is no multiple of its digits"
    return None


def _size(atom: Atom) -> tuple[int, int]:
    scale: Polynomial = atom.operands[1]
    return max((len(m) for m in scale.terms), default=0), sum(scale.terms.values())


def _free_operand(form: NormalForm, xor: int, used: list[int]) -> int | None:
    """An operand of full binary range, used nowhere else, whose axis no other operand touches."""
    atom = form.atoms[xor]
    for one in atom.operands:
        others = set().union(*(_all_letters(form, other) for other in atom.operands if other != one))
        digit = form.digits.split(one).as_letter
        axis = None if digit is None else _axis_of(form, digit)
        if digit is None or axis is None or axis in others or {digit, axis} & set(used):
            continue
        found = form.atoms[digit]
        if found.lower == ZERO and found.upper is not None and found.upper == atom.upper:
            return digit
    return None


def _all_letters(form: NormalForm, polynomial: Polynomial) -> set[int]:
    found = set(polynomial.letters)
    for letter in polynomial.letters:
        for part in form.atoms[letter].operands:
            if isinstance(part, Polynomial):
                found |= _all_letters(form, part)
    return found
