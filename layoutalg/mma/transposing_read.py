"""Reads of shared memory that transpose on the way (gfx950): sixteen lanes read rows, each gets a column.

Of a tile whose rows lie along M or N, a lane reads 8 bytes of a row of one k; sixteen lanes read 4 rows of 16
elements of 2 bytes, or 8 rows of 16 bytes, and lane ``i`` gets the ``i``-th element of each: neighbours along
K, as matrix instructions take them.

>>> from layoutalg.distribution import make_static_tile_distribution
>>> from layoutalg.mma import MatrixInstruction, in_pieces
>>> held = in_pieces(MatrixInstruction.named("v_mfma_f32_32x32x16_f16", "gfx950").a, 4)
>>> make_static_tile_distribution(held).x
(lane % 32, 4*y0 + y1 + 8*(lane // 32))
>>> make_static_tile_distribution(addressed(held)).x
(y1 + (16 & lane) + 4*(lane % 4), 4*y0 + lane // 4 - 4*((lane // 16) % 2))

Source: AMD Instinct CDNA4 Instruction Set Architecture, chapter 11, ``DS_READ_B64_TR_B16`` and ``_B8``.
"""

from __future__ import annotations

from dataclasses import replace

import sympy
from sympy import Expr

from layoutalg.distribution import TileDistributionEncoding
from layoutalg.errors import LayoutError
from layoutalg.index.symbolic import SYMBOLIC

__all__ = ["SIXTEEN", "addressed", "source_of"]

SIXTEEN = 16  # lanes that give each other what they read


def addressed(held: TileDistributionEncoding) -> TileDistributionEncoding:
    """Which elements each lane reads, for it to hold what ``held`` says once they are transposed.

    ``held``: its last Y counts neighbours along the second dimension, as many as 8 bytes have; sixteen lanes
    that follow each other hold neighbours along the first one.
    """
    (major, minor), lane = held.ys_factors[-1], held.ps_factors[-1][-1]
    rows, columns = held.hs_lengthss
    each = columns[-1]
    if (major, minor) != (2, len(columns) - 1) or lane != (1, len(rows) - 1) or rows[-1] % SIXTEEN:
        raise LayoutError("addressed: wanted sixteen lanes along rows that hold neighbours along columns")
    *before, lanes = rows
    groups = [lanes // SIXTEEN] if lanes > SIXTEEN else []
    ahead = len(before)
    of_lane = [*held.ps_factors[-1][:-1], *((1, ahead) for _ in groups)]
    of_lane += [(2, len(columns) - 1), (1, ahead + len(groups))]
    ps = (*held.ps_factors[:-1], tuple(of_lane))
    ys = (*held.ys_factors[:-1], (1, ahead + len(groups) + 1))
    return replace(
        held,
        hs_lengthss=((*before, *groups, SIXTEEN // each, each), columns),
        ps_to_rhss_major=tuple(tuple(m for m, _ in factors) for factors in ps),
        ps_to_rhss_minor=tuple(tuple(n for _, n in factors) for factors in ps),
        ys_to_rhs_major=tuple(m for m, _ in ys),
        ys_to_rhs_minor=tuple(n for _, n in ys),
    )


def source_of(lane: Expr, element: Expr, each: int) -> tuple[Expr, Expr]:
    """The lane that read what a lane gets as its ``element``, and which of the ``each`` that it read.

    >>> lane, element = sympy.symbols("lane element", integer=True, nonnegative=True)
    >>> source_of(lane, element, 4)
    (4*element + 16*(lane // 16) + (lane % 16) // 4, lane % 4)
    """
    sixteen, size = sympy.Integer(SIXTEEN), sympy.Integer(each)
    in_group = SYMBOLIC.remainder(lane, sixteen)
    first = SIXTEEN * SYMBOLIC.quotient(lane, sixteen)
    reader = first + SIXTEEN // each * element + SYMBOLIC.quotient(in_group, size)
    return reader, SYMBOLIC.remainder(lane, size)
