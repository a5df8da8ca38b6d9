"""What a file expects of a layout's offsets: a closed form, or a table of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.check.texts import number
from layoutalg.claim import Claim, Comparison
from layoutalg.errors import LayoutError
from layoutalg.index import Select
from layoutalg.properties import distribution_equals

if TYPE_CHECKING:
    from layoutalg.check.subject import Subject

__all__ = ["equals", "table"]

LARGEST = 4096


def equals(subject: Subject, text: str | list[str], syntax: Any = None) -> Claim:
    """The offset is the closed form in the text, in Python's or C's syntax, for every valid index.

    Of a distribution the element is, one text for each dimension.

    >>> from layoutalg.check.subject import Subject
    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> rows = Subject.of_chain("rows", make_naive_tensor_descriptor_packed((4, 8)))
    >>> print(equals(rows, "8*i0 + i1"))
    equals: rows: for all 0 <= i0 < 4, 0 <= i1 < 8: 8*i0 + i1 == 8*i0 + i1
    """
    if subject.distribution is not None:
        names = subject.domain.definitions
        return distribution_equals(subject.distribution, text, subject.name, syntax, names)
    if not isinstance(text, str):
        raise LayoutError("equals: wanted one expression of the offset, got a list")
    expected = number(text, subject.domain, syntax)
    then = (Comparison(subject.map.outputs[0], "==", expected),)
    return Claim("equals", subject.name, subject.domain, then, subject.map.when, map=subject.map)


def table(subject: Subject, offsets: list[int], sizes: Mapping[str, int]) -> Claim:
    """The offsets, in row-major order of the index, are those listed; -1 stands for one that is not valid.

    ``sizes`` gives numbers to symbols.
    """
    index_map = subject.map.bind(sizes) if sizes else subject.map
    domain = index_map.domain
    lengths = [axis.upper for axis in domain.axes]
    count = sympy.prod(lengths)
    if not (count.is_Integer and count <= LARGEST):
        msg = f"table: wanted at most {LARGEST} indices, got {count}"
        raise LayoutError(msg, hint="at = { M = 4, K = 8 } gives numbers to symbols")
    if len(offsets) != count:
        msg = f"table: wanted {count} offsets, one for each index, got {len(offsets)}"
        raise LayoutError(msg)
    place: Any = sympy.Integer(0)
    for axis in domain.axes:
        place = place * axis.upper + axis.symbol
    found = index_map.outputs[0]
    for condition in index_map.when:
        found = Select.unchecked(condition, found, sympy.Integer(-1))
    return Claim(
        "table", subject.name, domain, (Comparison(found, "==", _looked_up(place, offsets)),), map=index_map
    )


def _looked_up(place: Any, offsets: list[int]) -> Any:
    """The entry at a place: a selection for every run of equally spaced entries."""
    result: Any = sympy.Integer(offsets[-1])
    for start, end, first, step in reversed(_runs(offsets)):
        entry = first + step * (place - start)
        result = Select.unchecked(place < end, entry, result) if end < len(offsets) else entry
    return result


def _runs(offsets: list[int]) -> list[tuple[int, int, int, int]]:
    """``(start, end, first, step)`` of longest stretches ``first + step * (place - start)``."""
    found, start = [], 0
    while start < len(offsets):
        end = start + 1
        step = offsets[end] - offsets[start] if end < len(offsets) else 0
        while end < len(offsets) and offsets[end] - offsets[end - 1] == step:
            end += 1
        found.append((start, end, offsets[start], step))
        start = end
    return found
