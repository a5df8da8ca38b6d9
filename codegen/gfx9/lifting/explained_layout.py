"""A lifted address told as a layout: rows of which length, who holds which element, swizzles and paddings.

The strides are read off the formula: what sizes multiply are rows, planes and so on, the rest counts within
the innermost one, which is shown to be shorter than a row. What lane and wave decide is fitted as a nested
layout ``(lengths):(strides)`` in bits of lane and wave, behind a swizzle if there is one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.lifted_access import LiftedAccess
from layoutalg.layout.swizzle import Swizzle
from layoutalg.rules.polynomial import ZERO, Monomial, Polynomial

__all__ = ["explained"]

MOST_BITS, MOST_BASE, MOST_SHIFT = 5, 7, 7  # of a swizzle of bytes


def explained(access: LiftedAccess) -> Iterator[str]:
    """Sentences that say what layout an access goes through; none where it is no formula.

    Several cases are told one by one.
    """
    if not access.is_understood:
        return
    for holds, offset in access.cases:
        inside = access.formulas.words.guards.both(holds, access.active)
        said = access.formulas.text_of_guard(holds, access.active)
        yield from _of_case(access, offset, inside, f"where {said}: " if said else "")


def _of_case(access: LiftedAccess, offset: Polynomial, inside: int, where: str) -> Iterator[str]:
    unit = _unit(access, offset)
    elements, rest = offset.divided(Polynomial.constant(unit))
    if rest:
        return
    strides = _strides(access, elements)
    if strides:
        yield where + _rows(access, elements, strides, unit, inside)
    nested = _in_lanes(access, offset)
    if nested:
        yield f"{where}lanes and waves: {nested} in bytes"


def _unit(access: LiftedAccess, offset: Polynomial) -> int:
    """The bytes of what is counted: of an element, as far as all offsets and the access are multiples."""
    found = access.bytes
    for _, coefficient in offset:
        found = math.gcd(found, coefficient)
    return found


# --- rows


def _strides(access: LiftedAccess, elements: Polynomial) -> list[Polynomial]:
    """The products of sizes that multiply what lanes, workgroups and turns count, the largest first."""
    form = access.formulas.words.form
    found: dict[Monomial, int] = {}
    for monomial, coefficient in elements:
        sizes = tuple(x for x in monomial if form.atoms[x].kind == "parameter")
        if sizes and len(sizes) < len(monomial):
            times = math.prod(form.atoms[x].multiple_of for x in sizes)
            found[sizes] = math.gcd(found.get(sizes, 0), math.gcd(coefficient, times))
    largest = sorted(found, key=lambda sizes: (-len(sizes), sizes))
    return [Polynomial({sizes: found[sizes]}) for sizes in largest]


def _rows(
    access: LiftedAccess, elements: Polynomial, strides: list[Polynomial], unit: int, inside: int
) -> str:
    """The index of the element, by rows and what they consist of."""
    formulas = access.formulas
    index, left = [], elements
    for stride in strides:
        number, left = left.divided(stride)
        index.append(number)
    told = ", ".join(formulas.text(part) for part in (*index, left))
    last = strides[-1]
    words = formulas.words
    fits = formulas.implied(
        inside,
        words.guards.both(
            words.compared("nonnegative", left, ALWAYS),
            words.compared("nonnegative", last - left.plus(access.bytes // unit), ALWAYS),
        ),
    )
    lengths = " in ".join(formulas.text(stride.scaled(unit)) for stride in reversed(strides))
    within = "; shown to stay within its row" if fits else ""
    return f"row-major, rows of {lengths} bytes: ({told}) in pieces of {unit} bytes{within}"


# --- lanes and waves


def _in_lanes(access: LiftedAccess, offset: Polynomial) -> str:
    """What lane and wave decide of an offset as a nested layout, behind a swizzle if it is none without."""
    tables = access.formulas.lanes
    own = ZERO
    for monomial, coefficient in offset:
        term = Polynomial({monomial: coefficient})
        if monomial and tables.values(term) is not None:
            own = own + term
    values = tables.values(own)
    if values is None or not own:
        return ""
    counts = (LANES, access.formulas.waves)
    numbers = np.array(values.tolist(), dtype=np.int64)
    numbers -= numbers.min()
    for swizzle in _swizzles(access):
        plain = numbers if swizzle is None else numbers ^ ((numbers & swizzle.mask) >> swizzle.shift)
        strides = _bit_strides(plain, counts)
        if strides is not None:
            name = "" if swizzle is None else f"Sw<{swizzle.bits},{swizzle.base},{swizzle.shift}> after "
            return name + _nested(strides)
    return ""


def _swizzles(access: LiftedAccess) -> Iterator[Swizzle | None]:
    """No swizzle first, then those of the LDS from the smallest."""
    yield None
    if access.space != "lds":
        return
    for bits in range(1, MOST_BITS + 1):
        for base in range(MOST_BASE + 1):
            for shift in range(bits, MOST_SHIFT + 1):
                yield Swizzle(bits, base, shift)


def _bit_strides(numbers: Any, counts: tuple[int, int]) -> list[tuple[int, int]] | None:
    """Lengths and strides of a sum over the bits of lane and wave; None where it is no such sum."""
    found, step = [], 1
    total = np.zeros_like(numbers)
    points = np.arange(len(numbers))
    for count in counts:
        bits = (count - 1).bit_length()
        if count != 1 << bits:
            return None
        for bit in range(bits):
            stride = int(numbers[step << bit])
            found.append((2, stride))
            total = total + stride * (points >> (step.bit_length() - 1 + bit) & 1)
        step *= count
    return found if (total == numbers).all() else None


def _nested(strides: list[tuple[int, int]]) -> str:
    """Neighbouring bits whose strides follow each other as one length.

    >>> _nested([(2, 4), (2, 8), (2, 64)])
    '(4,2):(4,64)'
    """
    found: list[tuple[int, int]] = []
    for length, stride in strides:
        if found and found[-1][0] * found[-1][1] == stride and stride:
            found[-1] = (found[-1][0] * length, found[-1][1])
        elif found and not stride and not found[-1][1]:
            found[-1] = (found[-1][0] * length, 0)
        else:
            found.append((length, stride))
    lengths, steps = zip(*found, strict=True)
    return f"({','.join(map(str, lengths))}):({','.join(map(str, steps))})"
