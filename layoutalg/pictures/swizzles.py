"""Swizzles, before and after: the same descriptor or map without its xors, beside itself, by banks.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> rows = make_naive_tensor_descriptor_packed((8, 8)).xor(0, 1)
>>> rows.calculate_offset((3, 1)), unswizzled(rows).calculate_offset((3, 1))
(26, 25)
>>> unswizzled(unswizzled(rows)) is None
True
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from layoutalg.index import BitXor
from layoutalg.layout.swizzle import SwizzleOffset
from layoutalg.pictures.view import Place, Tile, View
from layoutalg.transforms import PassThrough, Xor

if TYPE_CHECKING:
    from layoutalg.claim import IndexMap
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.pictures.view import Grid

__all__ = ["side_by_side", "unswizzled", "unswizzled_map"]

MOST_ROWS, MOST_BOXES, WIDEST = 32, 32, 64  # rows and boxes of a row that are shown, elements of a box


def unswizzled(descriptor: TensorDescriptor) -> TensorDescriptor | None:
    """The descriptor with the identity for each xor and swizzle; None if it has none."""
    links: list[tuple[Any, tuple[int, ...], tuple[int, ...]]] = []
    for transform, low, up in descriptor.links:
        if isinstance(transform, Xor | SwizzleOffset):
            lengths = transform.upper_lengths
            links += [(PassThrough(n), (a,), (b,)) for n, a, b in zip(lengths, low, up, strict=True)]
        else:
            links.append((transform, low, up))
    transforms, lower, upper = zip(*links, strict=True) if links else ((), (), ())
    if transforms == descriptor.transforms:
        return None
    return replace(
        descriptor,
        transforms=transforms,
        lower_dimension_hidden_idss=lower,
        upper_dimension_hidden_idss=upper,
        guaranteed_vectors=(),
    )


def unswizzled_map(index_map: IndexMap) -> IndexMap | None:
    """A map whose xors keep the operand that has the last axis, the shorter if both do; None without xors.

    >>> from layoutalg import Domain, parse
    >>> from layoutalg.claim import IndexMap
    >>> domain = Domain.of({"row": 8, "col": 8})
    >>> unswizzled_map(IndexMap(domain, (parse("row*8 + (col ^ row)", domain),))).outputs
    (col + 8*row,)
    """
    if not index_map.domain.axes:
        return None
    last = index_map.domain.axes[-1].symbol

    def kept(xor: Any) -> Any:
        return min(xor.args, key=lambda operand: (last not in operand.free_symbols, operand.count_ops()))

    outputs = tuple(
        output.replace(lambda node: isinstance(node, BitXor), kept) for output in index_map.outputs
    )
    return None if outputs == index_map.outputs else replace(index_map, outputs=outputs, chain=None)


def side_by_side(before: Grid, after: Grid) -> View:
    """Both by the banks of their elements: a box for each vector that the swizzle moves whole."""
    width = _vector(after)
    if width == 1:
        return View("", (before, after), is_row=True)
    return View("", (_boxes(before, width), _boxes(after, width)), (before, after), is_row=True)


def _vector(grid: Grid) -> int:
    """The longest power of two of neighbours, from an even place on, that lie in a row in memory."""
    rows, columns = range(len(grid.rows)), len(grid.columns)
    offset = grid.offset
    assert offset is not None
    offsets = [[offset(row, column) for column in range(columns)] for row in rows]
    width = 1
    while width < WIDEST and columns % (2 * width) == 0:
        pairs = range(0, columns, 2 * width)
        if any(None in line or line[x + width] != (line[x] or 0) + width for line in offsets for x in pairs):
            break
        width *= 2
    return width


def _boxes(grid: Grid, width: int) -> Tile:
    columns, offset = len(grid.columns), grid.offset
    assert offset is not None
    down, _, across = grid.corner.rpartition("\\")

    def text(_: int, first: Place, __: Place) -> str:
        return str(offset(*first))

    return Tile(
        grid.title,
        len(grid.rows),
        columns,
        lambda row, column: row * (columns // width) + column // width,
        text,
        lambda row, column: grid.cell(row, column).path,
        tuple(replace(one, told=f"{one.told}; of the first of {width}") for one in grid.colourings),
        (down, across),
        (MOST_ROWS, width * MOST_BOXES),
        offset=offset,
    )
