"""A CK descriptor as a nested layout, where its offset is a sum of digits of its indices.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> merged = make_naive_tensor_descriptor((4, 6, 5), (64, 10, 2)).merge(0, 1)
>>> of_descriptor(merged)
((6,4),5):((10,64),2)
>>> of_descriptor(make_naive_tensor_descriptor((8, 8), (8, 1)).xor(0, 1))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: no nested layout: the offset has i0 ^ i1, which is no digit of one index
"""

from __future__ import annotations

import re
from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.index import BitAnd, FloorDiv, FloorMod
from layoutalg.layout.layout import Layout, make_layout
from layoutalg.layout.modes import Mode, merged_modes
from layoutalg.layout.nest import Nest
from layoutalg.length import Length, is_at_most, quotient

__all__ = ["of_descriptor"]

Digit = tuple[Length, Length, Length | None]  # coefficient, divisor, modulus: c * (x // a % b)


def of_descriptor(descriptor: TensorDescriptor) -> Layout:
    """The nested layout with the descriptor's offsets, a mode for each of its dimensions.

    The opposite way is ``layout.as_descriptor()``. Refused, saying what does not fit: padding, an offset at
    the first index, terms that mix indices, and quotients that do not divide the length of their dimension.
    """
    if not isinstance(descriptor, TensorDescriptor):
        raise LayoutError(f"of_descriptor: wanted a descriptor, got a {type(descriptor).__name__}")
    if descriptor.validity != sympy.true:
        raise LayoutError(f"no nested layout: only indices with {descriptor.validity} have an element")
    terms: dict[Symbol, list[Digit]] = {symbol: [] for symbol in descriptor.index}
    for term in sympy.Add.make_args(sympy.expand(_without_masks(descriptor.offset))):
        indices = term.free_symbols & set(descriptor.index)
        if term != 0 and len(indices) != 1:
            what = "which is no digit of one index" if indices else "also at the first index"
            raise LayoutError(f"no nested layout: the offset has {term}, {what}")
        for symbol in indices:
            terms[symbol].append(_digit(term, symbol))
    modes = [
        _mode(dim, length, terms[symbol])
        for dim, (symbol, length) in enumerate(zip(descriptor.index, descriptor.lengths, strict=True))
    ]
    return make_layout(tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes))


def _without_masks(offset: Expr) -> Expr:
    """Constant masks written as digits: ``x & 6`` is ``2*(x // 2 % 4)``."""
    masks = {}
    for node in offset.atoms(BitAnd):
        mask, inner = node.args if node.args[0].is_Integer else node.args[::-1]
        if mask.is_Integer:
            runs = re.finditer("1+", f"{int(mask):b}"[::-1])
            parts = ((1 << run.start(), 1 << len(run[0])) for run in runs)
            masks[node] = sum(a * FloorMod.unchecked(FloorDiv.unchecked(inner, a), b) for a, b in parts)
    return offset.xreplace(masks)


def _digit(term: Expr, symbol: Symbol) -> Digit:
    """A term as ``c * (x // a % b)``."""
    factor, rest = term.as_independent(symbol, as_Add=False)
    inner, divisor, modulus = rest, 1, None
    if isinstance(inner, FloorMod):
        inner, modulus = inner.args
    if isinstance(inner, FloorDiv):
        inner, divisor = inner.args
        if isinstance(inner, FloorMod):  # x % c // a is x // a % (c / a)
            inner, whole = inner.args
            modulus = quotient(_plain(whole), _plain(divisor))
    if inner != symbol or (isinstance(rest.args and rest.args[0], FloorMod) and modulus is None):
        raise LayoutError(f"no nested layout: the offset has {rest}, which is no digit of one index")
    return _plain(factor), _plain(divisor), None if modulus is None else _plain(modulus)


def _mode(dim: int, length: Length, digits: list[Digit]) -> tuple[Nest, Nest]:
    """Shape and stride of one dimension: its length cut wherever a digit begins or ends."""
    digits = [(c, a, None if b is None or is_at_most(length, a * b) else b) for c, a, b in digits]
    ends = {1, length} | {a for _, a, _ in digits} | {a * b for _, a, b in digits if b is not None}
    points = _chain(dim, length, ends)
    place = {point: i for i, point in enumerate(points)}
    found: list[Mode] = []
    for i, (begin, end) in enumerate(pairwise(points)):
        stride: Length = 0
        for coefficient, divisor, modulus in digits:
            stops = len(points) if modulus is None else place[divisor * modulus]
            if place[divisor] <= i < stops:
                stride = stride + coefficient * _ratio(begin, divisor)
        found.append((_ratio(end, begin), stride))
    modes = merged_modes(found)
    if len(modes) < 2:
        return modes[0] if modes else (1, 0)
    return tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes)


def _chain(dim: int, length: Length, ends: set[Length]) -> list[Length]:
    """The points from 1 to the length, each a multiple of the one before."""
    rest, points = set(ends), [sympy.Integer(1)]
    rest.discard(1)
    while rest:
        following = [p for p in rest if all(quotient(other, p) is not None for other in rest)]
        if not following:
            parts = ", ".join(map(str, sorted(rest - {length}, key=str)))
            msg = f"no nested layout: dimension {dim} of length {length} does not divide into {parts}"
            raise LayoutError(msg)
        points.append(following[0])
        rest.discard(following[0])
    return [_plain(point) for point in points]


def _ratio(whole: Length, part: Length) -> Length:
    found = quotient(whole, part)
    assert found is not None  # points divide each other
    return found


def _plain(value: Expr | int) -> Length:
    return int(value) if isinstance(value, int) or value.is_Integer else value
