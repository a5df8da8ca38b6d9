"""Dimensions split, joined and reordered by a pattern, in the manner of einops.

The left side names the dimensions there are, the right side those wanted. Parentheses on the left split a
dimension (``unmerge``), on the right they join dimensions (``merge``), the last name fastest; what is only
moved passes through. A ``1`` is a dimension of length 1: frozen on the left, inserted on the right.

>>> from layoutalg.length import sizes
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((256, 128), (128, 1)).rearrange("(m1 m2) k -> m1 (m2 k)", m2=64)
>>> rows.lengths, rows.offset
((4, 8192), 8192*i0 + i1)
>>> M1, M2, K = sizes("M1 M2 K")
>>> make_naive_tensor_descriptor((M1 * M2, K), (K, 1)).rearrange("(m1 m2) k -> m2 m1 k", m1=M1).lengths
(M2, M1, K)
>>> rows.rearrange("(a b) c -> a b c", b=3)
Traceback (most recent call last):
    ...
layoutalg...PatternError: rearrange: dimension 0 has length 4, which b = 3 does not divide
  (a b) c -> a b c
  ^ (give other lengths, or pad the dimension first)

What is built are one or two stages as they are written in CK: one that takes dimensions apart, one that puts
them together; each is left out where it has nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from layoutalg.descriptor.rearrange_pattern import Pattern, nearest, read_pattern
from layoutalg.length import Length, differ, length, product, quotient
from layoutalg.transforms import (
    Transform,
    make_freeze_transform,
    make_insert_transform,
    make_merge_transform,
    make_pass_through_transform,
    make_unmerge_transform,
)

__all__ = ["Row", "rearrangement"]

Ids = tuple[int, ...]
Row = tuple[Transform, Ids, Ids]


def rearrangement(given: Sequence[Length], text: str, lengths: Mapping[str, Any]) -> list[list[Row]]:
    """The stages that a pattern asks for, bottom first, on dimensions of given lengths.

    ``lengths``: those of names, at most one of a group left out. A row is a transform with the dimensions
    below and above it.

    >>> rearrangement((4, 6), "m (k1 k2) -> (k1 m) k2", {"k2": 2})[0][1]
    (Unmerge(up_lengths=(3, 2), use_24bit=False), (1,), (1, 2))
    """
    pattern = read_pattern(text).spread(len(given))
    found = _lengths(pattern, given, lengths)
    names = [name for part in pattern.left for name in part]
    final = [name for part in pattern.right for name in part]
    is_split = any(len(part) != 1 for part in pattern.left)
    is_joined = any(len(part) != 1 for part in pattern.right)
    stages = []
    if is_split:  # names go where they are wanted at once, unless the next stage moves them anyway
        stages.append(_apart(pattern, found, names if is_joined else final))
    if is_joined or (not is_split and names != final):
        stages.append(_together(pattern, found, names))
    return stages


def _apart(pattern: Pattern, found: Mapping[str, Length], order: Sequence[str]) -> list[Row]:
    """For each dimension the transform that takes it to its names."""
    rows: list[Row] = []
    for dimension, names in enumerate(pattern.left):
        lengths = tuple(found[name] for name in names)
        transform: Transform
        if not names:
            transform = make_freeze_transform(0)
        elif len(names) == 1:
            transform = make_pass_through_transform(*lengths)
        else:
            transform = make_unmerge_transform(lengths)
        rows.append((transform, (dimension,), tuple(order.index(name) for name in names)))
    return rows


def _together(pattern: Pattern, found: Mapping[str, Length], order: Sequence[str]) -> list[Row]:
    """For each new dimension the transform that makes it of its names."""
    rows: list[Row] = []
    for dimension, names in enumerate(pattern.right):
        lengths = tuple(found[name] for name in names)
        transform: Transform
        if not names:
            transform = make_insert_transform(1)
        elif len(names) == 1:
            transform = make_pass_through_transform(*lengths)
        else:
            transform = make_merge_transform(lengths)
        rows.append((transform, tuple(order.index(name) for name in names), (dimension,)))
    return rows


def _lengths(pattern: Pattern, given: Sequence[Length], stated: Mapping[str, Any]) -> dict[str, Length]:
    """The length of every name."""
    known = {name: length(value, f"rearrange: {name}") for name, value in stated.items()}
    names = [name for name in pattern.names[1] if name.isidentifier()]
    for name in known:
        if name not in names:
            problem = f"a length is given for {name}, which the pattern does not name"
            pattern.refuse(problem, len(pattern.text), nearest(name, names))
    found: dict[str, Length] = dict(known)
    for dimension, (parts, whole) in enumerate(zip(pattern.left, given, strict=True)):
        unknown = [name for name in parts if name not in known]
        if len(unknown) > 1:
            problem = f"the lengths of {', '.join(unknown[:-1])} and {unknown[-1]} are open"
            hint = f"give all but one, as in {unknown[-1]}=..."
            pattern.refuse(problem, pattern.names[0][unknown[1]], hint)
        if unknown:
            found[unknown[0]] = _inferred(pattern, dimension, parts, whole, known)
        else:
            _check(pattern, dimension, parts, whole, known)
    return found


def _inferred(
    pattern: Pattern, dimension: int, parts: Sequence[str], whole: Length, known: Mapping[str, Length]
) -> Length:
    """The one length of a group that was not given: what is left of the whole."""
    others = [name for name in parts if name in known]
    if not others:
        return whole
    rest = quotient(whole, product(known[name] for name in others))
    if rest is None:
        is_open = not isinstance(whole, int) or any(not isinstance(known[name], int) for name in others)
        verb = "is not known to divide" if is_open else "does not divide"
        mend = "give other lengths, or pad the dimension first"
        hint = "give all lengths of the group" if is_open else mend
        problem = f"dimension {dimension} has length {whole}, which {_product(others, known)} {verb}"
        pattern.refuse(problem, pattern.places[0][dimension], hint)
    return rest


def _check(
    pattern: Pattern, dimension: int, parts: Sequence[str], whole: Length, known: Mapping[str, Length]
) -> None:
    """Refuse lengths that are not the dimension's; groups that symbols leave open may be, as in unmerge."""
    size = product(known[name] for name in parts)
    if differ(size, whole) is False or (len(parts) > 1 and differ(size, whole) is None):
        return
    wanted = _product(parts, known) if parts else "1"
    hint = "a length that is left out is found" if parts else "hold it at an index with a freeze transform"
    problem = f"dimension {dimension} has length {whole}, the pattern says {wanted}"
    pattern.refuse(problem, pattern.places[0][dimension], hint)


def _product(names: Sequence[str], known: Mapping[str, Length]) -> str:
    """The product of names and its value, as in ``a * b = 6``."""
    return f"{' * '.join(names)} = {product(known[name] for name in names)}"
