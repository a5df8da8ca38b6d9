"""Which thread moves which vectors of a tile: neighbours along columns, or along rows.

>>> along_columns(256, 32, 8, threads=256, lanes=64).x
(16*warp + 64*y0 + lane // 4, y1 + 8*(lane % 4))
>>> along_rows(256, 32, 8, threads=256, lanes=64).x
(y2 + 8*(lane % 32), 8*warp + 32*y0 + y1 + 4*(lane // 32))
"""

from __future__ import annotations

from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)

__all__ = ["along_columns", "along_rows"]


def along_columns(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Lanes along the columns, then lanes, waves and rounds along the rows."""
    waves, lanes_of_row = threads // lanes, columns // vector
    at_once = lanes // lanes_of_row
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            ((rows // (waves * at_once), waves, at_once), (lanes_of_row, vector)),
            ((1,), (1, 2)),
            ((1,), (2, 0)),
            (1, 2),
            (0, 1),
        )
    )


def along_rows(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Lanes along the rows, then lanes and waves along the columns.

    A thread holds neighbours along the columns of each of its rows, so that it can store them together.
    """
    waves, lanes_of_column = threads // lanes, rows // vector
    groups = lanes // lanes_of_column
    each = columns // (waves * groups)
    at_once = min(each, vector)
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            ((lanes_of_column, vector), (each // at_once, waves, groups, at_once)),
            ((2,), (2, 1)),
            ((1,), (2, 0)),
            (2, 2, 1),
            (0, 3, 1),
        )
    )
