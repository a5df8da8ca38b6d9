"""The register transpose of the CK blog, for any sizes that are multiples of its tile.

A workgroup moves a tile; each thread loads a square of elements row by row with 16-byte accesses,
and stores it column by column. No shared memory, no barrier.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Symbol

from layoutalg.codegen.kernel import Kernel, ScalarArgument
from layoutalg.codegen.kernels.exact_move import TransposeReference
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix, leading_words
from layoutalg.codegen.kernels.transpose.config import moved
from layoutalg.codegen.kernels.transpose.tile_move import Dimension, TileMove, View
from layoutalg.codegen.kernels.transpose.tile_move_text import statements
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.index.node import as_expression
from layoutalg.length import Length, length, sequence
from layoutalg.length import sizes as make_sizes
from layoutalg.machine import EVERY_GPU

__all__ = ["transpose"]


LD_IN, LD_OUT = make_sizes("ld_in ld_out")
Leading = tuple[Symbol | None, Symbol | None]
DIMENSIONS = (
    Dimension("block_m", "blockIdx.x"),
    Dimension("thread_m", "threadIdx.x"),
    Dimension("i"),
    Dimension("block_k", "blockIdx.y"),
    Dimension("thread_k", "threadIdx.y"),
    Dimension("j"),
)


def transpose(
    element: DataType | str = "f32",
    *,
    m: Any = None,
    k: Any = None,
    threads: Any = (8, 8),
    has_leading_dimensions: bool = False,
) -> Kernel:
    """``out[k, m] = in[m, k]`` for row-major matrices, a square of 16 bytes by 16 bytes per thread.

    ``m`` and ``k`` fix a size; a size left out is an argument of the kernel and may be any multiple
    of the tile, as long as the matrix has at most 2**31 - 1 elements. ``threads`` are the threads
    of a workgroup along m and k. ``has_leading_dimensions``: rows of ``in`` begin ``ld_in`` elements apart,
    rows of ``out`` ``ld_out``; both are arguments.

    >>> kernel = transpose("f32")
    >>> kernel.name, kernel.block, kernel.grid_for({"M": 2560, "K": 32})
    ('transpose_f32_32x32', (8, 8), (80, 1))
    """
    kind = moved(element)
    across = _threads(threads)
    held = EVERY_GPU.access_bytes // kind.bytes
    tile = (across[0] * held, across[1] * held)
    (rows, blocks_m), (columns, blocks_k) = _size(m, "M", tile[0]), _size(k, "K", tile[1])
    leading = (LD_IN, LD_OUT) if has_leading_dimensions else (None, None)
    sizes = _domain(rows, columns, tile, _matrices((rows, columns), held, leading))
    views = _views((rows, columns), (blocks_m, blocks_k), across, held, leading)
    move = TileMove(DIMENSIONS, *views, kind, sizes)
    name = f"transpose_{kind.name}_{tile[0]}x{tile[1]}"
    name += "" if m is None and k is None else f"_of_{rows}x{columns}"
    name += "_leading" if has_leading_dimensions else ""
    scalars = (ScalarArgument(parameter.name) for parameter in sizes.parameters)
    source, target = (view.matrix for view in views)
    return make_kernel(
        name,
        f"out[k, m] = in[m, k], {kind.word}, a {tile[0]} x {tile[1]} tile per workgroup",
        (source.argument(kind), target.argument(kind, is_output=True), *scalars),
        LaunchShape((as_expression(blocks_m), as_expression(blocks_k)), across, sizes),
        SourceText(_prose(move, tile, across, held), [kind.declare_vector(held)], statements(move)),
        claims=move.claims(),
        accesses=move.accesses(across),
        reference=TransposeReference((1, 0), kind),
    )


def _matrices(
    lengths: tuple[Length, Length], held: int, leading: Leading = (None, None)
) -> tuple[StoredMatrix, StoredMatrix]:
    """Both matrices as they lie in memory."""
    rows, columns = (as_expression(length) for length in lengths)
    return (
        StoredMatrix("in", rows, columns, leading[0], held),
        StoredMatrix("out", columns, rows, leading[1], held),
    )


def _threads(threads: Any) -> tuple[int, int]:
    found = tuple(sequence(threads, "transpose: threads"))
    if len(found) != 2 or not all(isinstance(n, int) and n >= 1 for n in found):
        msg = f"transpose: threads: wanted two counts, along m and k, got {threads!r}"
        raise LayoutError(msg)
    if found[0] * found[1] > EVERY_GPU.threads:
        msg = f"transpose: threads: a workgroup has at most {EVERY_GPU.threads},"
        msg += f" got {found[0] * found[1]}"
        raise LayoutError(msg)
    return found[0], found[1]


def _size(value: Any, name: str, tile: int) -> tuple[Length, Length]:
    """The size and how many tiles it has."""
    if value is None:
        symbol = Symbol(name, integer=True, positive=True)
        return symbol, FloorDiv.unchecked(symbol, sympy.Integer(tile))
    found = length(value, f"transpose: {name.lower()}")
    if not isinstance(found, int) or found % tile:
        msg = f"transpose: {name.lower()}: wanted a multiple of the tile's {tile}, got {value}"
        raise LayoutError(msg)
    return found, found // tile


def _domain(
    rows: Length, columns: Length, tile: tuple[int, int], matrices: tuple[StoredMatrix, ...] = ()
) -> Domain:
    """The admissible sizes: multiples of the tile, and offsets that fit 32 bits."""
    stored = matrices or _matrices((rows, columns), 1)
    parameters = {
        size: (multiple, None, multiple)
        for size, multiple in ((rows, tile[0]), (columns, tile[1]))
        if isinstance(size, Symbol)
    }
    facts = [fact for matrix in stored for fact in matrix.facts]
    facts += dict.fromkeys(sympy.Le(matrix.rows * matrix.step, LARGEST_OFFSET) for matrix in stored)
    if sympy.false in (*facts, sympy.Le(rows * columns, LARGEST_OFFSET)):
        msg = f"transpose: {rows} x {columns} elements: wanted at most {LARGEST_OFFSET}"
        raise LayoutError(msg, hint="offsets are 32-bit integers")
    for matrix in stored:
        parameters |= matrix.parameters
    return Domain.of({}, parameters, [fact for fact in facts if fact != sympy.true])


def _views(
    sizes: tuple[Length, Length],
    tiles: tuple[Length, Length],
    threads: tuple[int, int],
    held: int,
    leading: Leading = (None, None),
) -> tuple[View, View]:
    """Both matrices through (block_m, thread_m, i, block_k, thread_k, j)."""
    (rows, columns), (blocks_m, blocks_k) = sizes, tiles
    split_m, split_k = (blocks_m, threads[0], held), (blocks_k, threads[1], held)
    stored = _matrices(sizes, held, leading)
    matrix = make_naive_tensor_descriptor((rows, columns), (leading[0] or columns, 1))
    turned = make_naive_tensor_descriptor((columns, rows), (leading[1] or rows, 1))
    source = matrix.unmerge(0, split_m).unmerge(3, split_k)
    target = turned.unmerge(0, split_k).unmerge(3, split_m).permute(3, 4, 5, 0, 1, 2)
    return View(source, stored[0], (1, 2), ("m", "k")), View(target, stored[1], (1, 2), ("k", "m"))


def _prose(move: TileMove, tile: tuple[int, int], threads: tuple[int, int], held: int) -> str:
    rows, columns = move.source.descriptor.transforms[0].upper_lengths
    work = (
        f"A workgroup of {threads[0]} x {threads[1]} threads moves a {tile[0]} x {tile[1]} tile. Each"
        f" thread loads a {held} x {held} square by rows and stores it by columns,"
        f" {held * move.element.bytes} bytes at a time; the square is turned in registers."
    )
    lines = (
        f"Transpose of a row-major {rows} x {columns} {move.element.word} matrix: out[k, m] = in[m, k].",
        *leading_words((move.source.matrix, move.target.matrix), EVERY_GPU.access_bytes),
        "",
        work,
        "",
        f"  element read     {move.offset(move.source)}",
        f"  element written  {move.offset(move.target)}",
    )
    return "\n".join(lines)
