r"""A tile distribution as text: factors, closed form, threads to elements and elements to threads.

>>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
>>> print(distribution_text(make_static_tile_distribution(read_encoding(
...     "tile_distribution_encoding<sequence<>, tuple<sequence<2, 2>, sequence<2>>, tuple<sequence<1, 2>>,"
...     " tuple<sequence<1, 0>>, sequence<1>, sequence<0>>"
... ))))
tile_distribution_encoding<sequence<>, tuple<sequence<2, 2>, sequence<2>>, tuple<sequence<1, 2>>,
tuple<sequence<1, 0>>, sequence<1>, sequence<0>>
tile (4, 2), 4 lanes, 2 registers of a thread (Y = (2))
X0 = 4 = Y0:2 * lane:2
X1 = 2 = lane:2
x0 = 2*y0 + lane // 2
x1 = lane % 2
<BLANKLINE>
thread -> elements, by register
lane   r0  r1
   0  0,0 2,0
   1  0,1 2,1
   2  1,0 3,0
   3  1,1 3,1
<BLANKLINE>
element -> lane:register
x0\x1    0   1
    0  0:0 1:0
    1  2:0 3:0
    2  0:1 1:1
    3  2:1 3:1
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.distribution import TileDistribution, cpp_text
from layoutalg.show.text_table import text_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["distribution_text"]

MOST_PLANES = 2


def distribution_text(distribution: TileDistribution) -> str:
    """The whole picture; of symbolic lengths only the closed form."""
    lines = list(_head(distribution))
    if not distribution.encoding.free_symbols:
        lines += ["", *_threads(distribution), "", *_elements(distribution)]
    return "\n".join(lines)


def _head(made: TileDistribution) -> Iterator[str]:
    encoding = made.encoding
    yield cpp_text(encoding)
    threads = ", ".join(f"{n} {p}s" for n, p in zip(made.p_lengths, made.ps, strict=True))
    registers = f"{made.ys_to_d.element_space_size} registers of a thread (Y = {_tuple(made.y_lengths)})"
    copies = "" if made.copies == 1 else f", {made.copies} copies of each element"
    yield f"tile {_tuple(made.lengths)}, {threads}, {registers}{copies}"
    owners = {
        factor: str(p) for p, factors in zip(made.ps, encoding.ps_factors, strict=True) for factor in factors
    }
    owners |= {factor: f"Y{y}" for y, factor in enumerate(encoding.ys_factors)}
    for major, row in enumerate(encoding.rhs_lengthss):
        factors = [f"{owners.get((major, i), 'nobody')}:{n}" for i, n in enumerate(row)]
        if major:
            yield f"X{major - 1} = {made.lengths[major - 1]} = {' * '.join(factors) or '1'}"
        elif row:
            yield f"R = {' * '.join(factors)}"
    for x, form in enumerate(made.x):
        yield f"x{x} = {form}"


def _held(made: TileDistribution) -> NDArray[np.int64]:
    """The element by thread, register and dimension."""
    threads, registers = (list(map(int, lengths)) for lengths in (made.p_lengths, made.y_lengths))
    ps = np.indices(threads).reshape(len(threads), -1)[:, :, np.newaxis]
    ys = np.indices(registers).reshape(len(registers), math.prod(registers))[:, np.newaxis]
    shape = (math.prod(threads), math.prod(registers))
    return np.stack([np.broadcast_to(x, shape) for x in made.element(tuple(ps), tuple(ys))], axis=-1)


def _threads(made: TileDistribution) -> Iterator[str]:
    held = _held(made)
    yield "thread -> elements, by register"
    names = [_place(made, thread) for thread in range(len(held))]
    registers = [f"r{register}" for register in range(held.shape[1])]
    yield from text_table(
        ",".join(map(str, made.ps)), names, registers, lambda t, r: ",".join(map(str, held[t, r]))
    )


def _elements(made: TileDistribution) -> Iterator[str]:
    held = _held(made)
    owners: dict[tuple[int, ...], str] = {}
    for thread, register in itertools.product(range(held.shape[0]), range(held.shape[1])):
        element = tuple(map(int, held[thread, register]))
        owners.setdefault(element, f"{_place(made, thread)}:{register}")
    yield f"element -> {','.join(map(str, made.ps))}:register{_first_of(made)}"
    lengths = list(map(int, made.lengths))
    if len(lengths) == 1:
        lengths = [1, *lengths]
    planes = list(itertools.product(*map(range, lengths[:-2])))
    names = [f"x{i}" for i in range(len(lengths))] if len(made.lengths) > 1 else ["", "x0"]
    for plane in planes[:MOST_PLANES]:
        if plane:
            yield ", ".join(f"{name} = {value}" for name, value in zip(names, plane, strict=False))

        def cell(row: int, column: int, plane: tuple[int, ...] = plane) -> str:
            index = (*plane, row, column) if len(made.lengths) > 1 else (column,)
            return owners.get(index, "-")

        rows, columns = (list(map(str, range(n))) for n in lengths[-2:])
        corner = f"{names[-2]}\\{names[-1]}" if names[-2] else names[-1]
        yield from text_table(corner, rows, columns, cell)
    if len(planes) > MOST_PLANES:
        yield f"({len(planes) - MOST_PLANES} of {len(planes)} planes are left out)"


def _first_of(made: TileDistribution) -> str:
    return "" if made.copies == 1 else f" (the first of {made.copies} that hold it)"


def _place(made: TileDistribution, thread: int) -> str:
    """A thread's P, from its number counted with the last one fastest."""
    found: list[int] = []
    for length in reversed(list(map(int, made.p_lengths))):
        thread, place = divmod(thread, length)
        found.append(place)
    return ",".join(map(str, reversed(found)))


def _tuple(values: Any) -> str:
    return f"({', '.join(map(str, values))})"
