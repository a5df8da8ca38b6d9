"""Composition: ``composition(a, b)(i) == a(b(i))`` for every index of ``b``, or an error.

CuTe's composition checks each mode of ``b`` alone and can return a layout that breaks this (cutlass#2955,
#3177): ``a(x + y)`` is ``a(x) + a(y)`` only if adding carries from no digit of ``a`` into the next. Here the
digits that all modes of ``b`` use together are counted, and what would carry is refused.

>>> from layoutalg.layout.layout import make_layout
>>> composition(make_layout((6, 2), (8, 2)), make_layout((4, 3), (3, 1)))
((2,2),3):((24,2),8)
>>> composition(make_layout((4, 8), (8, 1)), make_layout((2, 2), (1, 3)))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: composition: (4,8):(8,1) after (2,2):(1,3) is no layout: together the \
modes of the second count to 4 in a digit of length 4
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layoutalg.errors import LayoutError
from layoutalg.layout.coalesce import concatenated
from layoutalg.layout.layout import Layout, as_layout, make_layout
from layoutalg.layout.modes import Mode, leaves, merged_modes, of_modes
from layoutalg.layout.nest import mapped
from layoutalg.length import Length, differ, is_at_most, quotient

__all__ = ["Tiler", "by_mode", "composition"]

Tiler = Layout | tuple["Tiler", ...] | Length  # a tuple works on the modes one by one


def composition(a: Layout | Length, b: Tiler) -> Layout:
    """The layout that takes the indices of ``b`` to where ``a`` puts the offsets of ``b``.

    The last mode of ``a`` counts on past its end, by its own stride even where its length is 1. A tuple
    composes mode by mode, a length is the layout ``n:1``.

    >>> from layoutalg.layout.layout import make_layout
    >>> composition(make_layout((4, 3, 1), (3, 1, 0)), 24)
    (4,3,2):(3,1,0)
    """
    a = as_layout(a, "composition")
    if isinstance(b, tuple | list):
        return by_mode(composition, a, b, "composition")
    b = as_layout(b, "composition")
    digits = _digits(leaves(a))
    used: list[Length] = [0] * len(digits)
    found = [_taken(mode, digits, used, a, b) for mode in leaves(b)]
    for (length, _), largest in zip(digits[:-1], used[:-1], strict=True):
        if is_at_most(largest + 1, length) is not True:
            msg = f"composition: {a} after {b} is no layout: together the modes of the second"
            raise LayoutError(f"{msg} count to {largest} in a digit of length {length}")
    rest = iter(of_modes(merged_modes(modes)) if modes else make_layout(1, 0) for modes in found)
    parts = mapped(lambda _: next(rest), b.shape)
    return make_layout(mapped(lambda p: p.shape, parts), mapped(lambda p: p.stride, parts))


def _digits(modes: list[Mode]) -> list[Mode]:
    """The modes of a layout joined, the last one kept: it says how the layout goes on."""
    *before, (length, stride) = modes
    digits = merged_modes(before)
    if digits and differ(digits[-1][0] * digits[-1][1], stride) is False:
        return [*digits[:-1], (digits[-1][0] * length, digits[-1][1])]
    return [*digits, (length, stride)]


def by_mode(operation: Any, layout: Layout, tilers: Sequence[Tiler], where: str) -> Layout:
    """An operation of a layout and a tiler, done with each of the first modes."""
    modes = layout.modes
    if len(tilers) > len(modes):
        msg = f"{where}: {len(tilers)} tilers for the {len(modes)} modes of {layout}"
        raise LayoutError(msg)
    done = [operation(mode, tiler) for mode, tiler in zip(modes, tilers, strict=False)]
    return concatenated(*done, *modes[len(tilers) :])


def _taken(mode: Mode, digits: list[Mode], used: list[Length], a: Layout, b: Layout) -> list[Mode]:
    """One mode of ``b`` as modes over the digits of ``a``; adds to ``used`` how far it counts in each."""
    count, step = mode
    if step == 0 or count == 1:
        return [(count, 0)]
    if len(digits) > 1 and is_at_most(0, step) is not True:
        msg = f"composition: {a} after {b} is no layout: steps of {step} borrow from the next digit"
        raise LayoutError(msg)
    found: list[Mode] = []
    for place, (length, stride) in enumerate(digits):
        if place == len(digits) - 1 or is_at_most((count - 1) * step + 1, length):
            used[place] = used[place] + (count - 1) * step
            return [*found, (count, step * stride)]
        skipped = quotient(step, length)
        if skipped is not None:
            step = skipped
            continue
        steps = quotient(length, step)
        rest = None if steps is None else quotient(count, steps)
        if steps is None or rest is None:
            msg = f"composition: {a} after {b} is no layout: {count} steps of {step} do not fit a digit of"
            raise LayoutError(f"{msg} length {length}")
        found.append((steps, step * stride))
        used[place] = used[place] + (steps - 1) * step
        count, step = rest, 1
    return found
