"""Matrix instructions: shape, rate, source; lanes to elements and elements to lanes of each operand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from layoutalg.distribution import TileDistributionEncoding, cpp_text, make_static_tile_distribution
from layoutalg.machine import TARGETS, Target, known_target
from layoutalg.mma import MATRIX_INSTRUCTIONS, MatrixInstruction
from layoutalg.pictures.view import Cell, Colouring, Formulas, Grid, Lines, Tile, Tiles, View, view_of

__all__ = ["instruction_named", "mma_view"]

MOST_BLOCKS = 2
AXES = {"A": ("m", "k"), "B": ("n", "k"), "D": ("m", "n")}


@view_of.register
def mma_view(instruction: MatrixInstruction, operand: str | None = None) -> View:
    """Shape, rate and source, and for each operand (or one) who holds what where.

    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(mma_view(instruction_named("v_mfma_f32_4x4x1f32", "gfx908"), "A")))
    v_mfma_f32_4x4x1f32 (gfx908, wave of 64)
    D[4,4] = A[4,1] * B[1,4] + C[4,4], 16 blocks
    8 cycles, 512 operations, 256 FLOPs per CU and cycle
    targets: gfx908 in 8 cycles, gfx90a in 8 cycles
    source: AMD matrix instruction calculator, commit 2ef9189 (2025-05-20)
    <BLANKLINE>
    A: f32, X (m, k, block) = (4, 1, 16), 1 element in 1 register of each lane
    tile_distribution_encoding<sequence<>, tuple<sequence<4>, sequence<1, 1>, sequence<16>>, ...
    ...
    """
    wanted = "ABD" if operand is None else operand.upper()
    if operand is None:
        tiles: Tile | Tiles = Tiles(*(_tile(instruction, x) for x in wanted))
    else:
        tiles = _tile(instruction, wanted)
    operands = tuple(_operand(instruction, x) for x in wanted)
    return View(str(instruction), (_facts(instruction), tiles, *operands))


def instruction_named(
    name: str, target: str | None = None, wave_size: int | None = None
) -> MatrixInstruction:
    """The instruction; where neither target nor wave size is given, of the first target that has it."""
    wanted = " ".join(name.lower().split())
    if target is not None:
        known_target(target)
    having = [row.target for row in MATRIX_INSTRUCTIONS if row.name == wanted]
    where = having[0] if target is None and having else target
    lanes = Target.named(where).wave_size if wave_size is None and where in TARGETS else wave_size
    return MatrixInstruction.named(name, where, lanes)


def _facts(mma: MatrixInstruction) -> Lines:
    named = [row for row in MATRIX_INSTRUCTIONS if row.name == mma.name]
    targets = dict.fromkeys(f"{row.target} in {row.cycles} cycles" for row in named)
    shapes = f"D[{mma.m},{mma.n}] = A[{mma.m},{mma.k}] * B[{mma.k},{mma.n}] + C[{mma.m},{mma.n}]"
    blocks = "" if mma.blocks == 1 else f", {mma.blocks} blocks"
    rate = mma.flops_per_cu_cycle
    per_cycle = "" if rate is None else f", {rate} FLOPs per CU and cycle"
    lines = (
        shapes + blocks,
        f"{mma.cycles} cycles, {mma.flops} operations{per_cycle}",
        f"targets: {', '.join(targets)}",
        f"source: {mma.source}",
    )
    return Lines(lines)


def _operand(mma: MatrixInstruction, operand: str) -> View:
    encoding, elements, registers = mma.encoding(operand), mma.elements(operand), mma.registers(operand)
    letter = "D" if operand == "C" else operand
    axes = AXES[letter] + (("block",) if encoding.num_x > 2 else ())
    lengths = ", ".join(map(str, encoding.x_lengths))
    held = f"{_count(elements, 'element')} in {_count(registers, 'register')} of each lane"
    title = f"{letter}: {mma.type_of(operand)}, X ({', '.join(axes)}) = ({lengths}), {held}"
    digits = _digits(encoding)
    forms = (Lines((cpp_text(encoding),)), Formulas(_closed_forms(encoding, axes)), Lines((digits,)))
    return View(title, forms, (_lanes(mma, operand, axes), *_grids(mma, operand, axes)))


def _closed_forms(encoding: TileDistributionEncoding, axes: Sequence[str]) -> tuple[tuple[str, object], ...]:
    """X in the lane and the digits of an element's number; digits of length 1 are 0."""
    distribution = make_static_tile_distribution(encoding)
    zero = {y: 0 for y, n in zip(distribution.ys, encoding.y_lengths, strict=True) if int(n) == 1}
    return tuple((axis, form.xreplace(zero)) for axis, form in zip(axes, distribution.x, strict=True))


def _digits(encoding: TileDistributionEncoding) -> str:
    """The element's number in its digits Y."""
    ys = make_static_tile_distribution(encoding).ys
    digits = list(zip(ys, map(int, encoding.y_lengths), strict=True))
    steps = (prod(length for _, length in digits[i + 1 :]) for i in range(len(digits)))
    long = [(y, length, step) for (y, length), step in zip(digits, steps, strict=True) if length > 1]
    terms = [f"{step}*{y}" if step > 1 else f"{y}" for y, _, step in long]
    ranges = "".join(f", {y} < {length}" for y, length, _ in long)
    return f"element = {' + '.join(terms) or '0'}{ranges}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _held(mma: MatrixInstruction, operand: str) -> np.ndarray:
    """The X index by lane, element and axis."""
    lanes = np.arange(mma.wave_size)[:, None]
    numbers = np.arange(mma.elements(operand))[None, :]
    shape = (mma.wave_size, mma.elements(operand))
    return np.stack([np.broadcast_to(x, shape) for x in mma.element(operand, lanes, numbers)], axis=-1)


def _lanes(mma: MatrixInstruction, operand: str, axes: Sequence[str]) -> Grid:
    """Rows are lanes, columns their elements, cells elements of the matrix."""
    held = _held(mma, operand)
    columns = tuple(_register(mma, operand, element) for element in range(held.shape[1]))

    def cell(lane: int, element: int) -> Cell:
        text = ",".join(map(str, held[lane, element]))
        return Cell(text, f"lane {lane}, {columns[element]} → {operand}[{text}]")

    title = f"lane -> elements ({','.join(axes)}), by register"
    colourings = (
        Colouring("lane", lambda lane, _: lane),
        Colouring("register", lambda _, element: mma.place(operand, element)[0]),
        Colouring("row", lambda lane, element: int(held[lane, element, 0]), axes[0]),
    )
    names = tuple(map(str, range(mma.wave_size)))
    return Grid(title, "lane", names, columns, cell, colourings, by="threads")


def _register(mma: MatrixInstruction, operand: str, element: int) -> str:
    """As the calculator writes it: ``v1.[31:16]`` for a part, ``v[3:2]`` for two registers."""
    register, first, last = mma.place(operand, element)
    if (first, last) == (0, 31):
        return f"v{register}"
    if (first, last) == (0, 63):
        return f"v[{register + 1}:{register}]"
    if last > 31:
        return f"v[{register + 1}:{register}].[{last}:{first}]"
    return f"v{register}.[{last}:{first}]"


def _grids(mma: MatrixInstruction, operand: str, axes: Sequence[str]) -> Iterator[Grid]:
    """Rows and columns are those of the matrix, cells lane and register of its first owner."""
    owners = _owners(mma, operand)
    rows, columns = (int(length) for length in mma.encoding(operand).x_lengths[:2])
    parts = any("." in where for _, where in owners.values())
    what = "register.first bit" if parts else "register"
    title = f"({','.join(axes)}) -> lane:{what}{_copies(mma, operand)}"
    for block in range(min(mma.blocks, MOST_BLOCKS)):
        tail = () if mma.blocks == 1 else (block,)

        def cell(row: int, column: int, tail: tuple[int, ...] = tail) -> Cell:
            lane, where = owners[row, column, *tail]
            return Cell(f"{lane}:{where}", f"{operand}[{row},{column}] → lane {lane}, register {where}")

        def lane(row: int, column: int, tail: tuple[int, ...] = tail) -> int:
            return owners[row, column, *tail][0]

        colourings = (Colouring("lane", lane), Colouring("row", lambda row, _: row, axes[0]))
        row_names, column_names = (tuple(map(str, range(count))) for count in (rows, columns))
        more = f" (blocks {MOST_BLOCKS} to {mma.blocks - 1} are left out)" if mma.blocks > MOST_BLOCKS else ""
        head = f"{title}, block {block}{more}" if tail else title
        yield Grid(head, f"{axes[0]}\\{axes[1]}", row_names, column_names, cell, colourings)


def _tile(mma: MatrixInstruction, operand: str) -> Tile:
    """The operand in little room, B as the product has it: k down, n across; of several blocks the first."""
    letter = "D" if operand == "C" else operand
    tail = (0,) if mma.encoding(operand).num_x > 2 else ()
    owners = _owners(mma, operand)
    rows, columns = (int(length) for length in mma.encoding(operand).x_lengths[:2])
    axes, is_turned = AXES[letter], letter == "B"
    if is_turned:
        rows, columns, axes = columns, rows, (axes[1], axes[0])

    def at(row: int, column: int) -> tuple[int, str]:
        place = (column, row) if is_turned else (row, column)
        return owners[*place, *tail]

    def path(row: int, column: int) -> str:
        lane, where = at(row, column)
        return f"{letter}[{row},{column}] → lane {lane}, register {where}"

    colourings = (
        Colouring("lane", lambda row, column: at(row, column)[0], "a box: neighbours in its registers"),
        Colouring("register", lambda row, column: int(at(row, column)[1].partition(".")[0])),
        Colouring("row", lambda row, _: row, axes[0]),
    )
    shape, block = (
        f"{letter}: {rows}x{columns} {mma.type_of(operand)}",
        f", block 0 of {mma.blocks}" if tail else "",
    )
    title = f"{shape}{block}{_copies(mma, operand)}"
    return Tile(
        title,
        rows,
        columns,
        lambda row, column: at(row, column)[0],
        lambda lane, *_: str(lane),
        path,
        colourings,
        axes,
        registers=lambda row, column: int(at(row, column)[1].partition(".")[0]),
    )


def _owners(mma: MatrixInstruction, operand: str) -> dict[tuple[int, ...], tuple[int, str]]:
    """The first lane that holds an element, and its register (with the first bit of a part)."""
    held = _held(mma, operand)
    owners: dict[tuple[int, ...], tuple[int, str]] = {}
    for element in range(held.shape[1]):
        register, first, last = mma.place(operand, element)
        where = f"{register}" if last >= 31 and first == 0 else f"{register}.{first}"
        for lane in range(mma.wave_size):
            owners.setdefault(tuple(map(int, held[lane, element])), (lane, where))
    return owners


def _copies(mma: MatrixInstruction, operand: str) -> str:
    copies = prod(map(int, mma.encoding(operand).rs_lengths))
    if copies == 1:
        return ""
    step = mma.wave_size // copies
    return ", and the same in lanes " + ", ".join(f"+{step * copy}" for copy in range(1, copies))
