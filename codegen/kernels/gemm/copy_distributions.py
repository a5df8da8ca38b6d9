"""Who moves what of a tile between global and shared memory: lanes along its columns, or along its rows."""

from __future__ import annotations

import math

from layoutalg.descriptor.make_adaptor import make_identity_tensor_adaptor, transform_tensor_adaptor
from layoutalg.distribution import (
    PlacedDistribution,
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)
from layoutalg.transforms import Merge, MergeVariant, PassThrough, Unmerge

__all__ = ["along_columns", "along_rows", "one_after_another"]


def along_columns(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Who moves what: lanes along the columns, then lanes, waves and rounds along the rows.

    Waves lie along the columns, too, where a row has more vectors than a wave has lanes, and rounds where
    these are no power of two.

    >>> along_columns(256, 32, 8, threads=256, lanes=64).x
    (16*warp + 64*y0 + lane // 4, y1 + 8*(lane % 4))
    >>> along_columns(256, 48, 4, threads=256, lanes=64).x
    (16*warp + 64*y0 + lane // 4, 16*y1 + y2 + 4*(lane % 4))
    >>> along_columns(64, 128, 1, threads=256, lanes=64).x
    (2*y0 + warp // 2, lane + 64*(warp % 2))
    """
    vectors = columns // vector
    together = vectors & -vectors  # of a row
    rounds = vectors // together
    across = max(1, together // lanes)  # waves along a row
    lanes_of_row, waves = together // across, threads // lanes // across
    at_once = lanes // lanes_of_row
    columns_by = (*(n for n in (rounds, across) if n > 1), lanes_of_row, vector)
    of_rounds = [(2, 0)] if rounds > 1 else []
    waves_by = [(1, 1), *([(2, len(of_rounds))] if across > 1 else [])]
    ys = [(1, 0), *of_rounds, (2, len(columns_by) - 1)]
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            ((rows // (waves * at_once), waves, at_once), columns_by),
            (tuple(major for major, _ in waves_by), (1, 2)),
            (tuple(minor for _, minor in waves_by), (2, len(columns_by) - 2)),
            tuple(major for major, _ in ys),
            tuple(minor for _, minor in ys),
        )
    )


def one_after_another(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Threads along the vectors of a tile, row after row: whole rows, of however many vectors.

    The inner rounds end where a row does, if they can.

    >>> one_after_another(64, 192, 8, threads=256, lanes=64).x[0]
    2*warp + 32*y0 + 10*y1 + (lane + 16*warp + 16*y1) // 24
    """
    of_row = columns // vector
    rounds = rows * of_row // threads
    inner = math.gcd(rounds, of_row // math.gcd(of_row, threads))
    places = TileDistributionEncoding(
        (1,),
        ((rounds // inner, inner, threads // lanes, lanes), (vector,)),
        ((1,), (1,)),
        ((2,), (3,)),
        (1, 1, 2),
        (0, 1, 0),
    )
    elements = make_identity_tensor_adaptor((rows, columns))
    of_columns = [PassThrough(rows), Unmerge((of_row, vector))]
    elements = transform_tensor_adaptor(elements, of_columns, [(0,), (1,)], [(0,), (1, 2)])
    flat = [Merge((rows, of_row), MergeVariant.V3_DIVISION_MOD), PassThrough(vector)]
    elements = transform_tensor_adaptor(elements, flat, [(0, 1), (2,)], [(0,), (1,)])
    return PlacedDistribution(places, elements=elements)


def along_rows(
    rows: int, columns: int, vector: int, threads: int, lanes: int, pack: int = 1
) -> TileDistribution:
    """Threads along the rows, then along the columns.

    A thread holds neighbours along the columns of each of its rows, so that it can store them together.
    Neighbouring lanes fill a ``pack`` of columns of a row: what they store fills banks of shared memory.

    >>> along_rows(256, 32, 8, threads=256, lanes=64, pack=8).x
    (y2 + 8*(lane // 2), 8*warp + y1 + 4*(lane % 2))
    """
    of_column = rows // vector  # threads
    each = columns * of_column // threads
    at_once = min(each, vector)
    in_pack = min(lanes, max(1, pack // at_once), threads // of_column)
    down = min(lanes // in_pack, of_column)  # lanes along the rows
    across = lanes // down
    waves_down = of_column // down
    waves_across = threads // lanes // waves_down
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            (
                (waves_down, down, vector),
                (each // at_once, waves_across, across, at_once),
            ),
            ((1, 2), (1, 2)),
            ((0, 1), (1, 2)),
            (2, 2, 1),
            (0, 3, 2),
        )
    )
