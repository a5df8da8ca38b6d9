"""Who moves which part of a tile: lanes along the fastest dimension, then waves, then rounds.

A tile of 64 rows and 64 columns, loaded in squares of 4 by 4 by 256 threads; Y are the rounds down and
across, then the row and the column in the square:

>>> spread((64, 64), (4, 4), 1, 256, 64).x
(16*warp + y2 + 4*(lane // 16), y3 + 4*(lane % 16))
"""

from __future__ import annotations

from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from layoutalg.errors import LayoutError

__all__ = ["loaders", "spread", "writers"]


def spread(
    tile: tuple[int, int], part: tuple[int, int], fastest: int, threads: int, wave: int
) -> TileDistribution:
    """A tile divided into parts, which threads take in order, ``wave`` threads a wave.

    Lanes are neighbours along the dimension ``fastest``.
    """
    slow = 1 - fastest
    counts = [tile[axis] // part[axis] for axis in (0, 1)]
    lanes, waves = [0, 0], [0, 0]
    lanes[fastest] = min(wave, counts[fastest])
    lanes[slow] = wave // lanes[fastest]
    waves[fastest] = min(threads // wave, counts[fastest] // lanes[fastest])
    waves[slow] = threads // wave // waves[fastest]
    rounds = [counts[axis] // (lanes[axis] * waves[axis]) for axis in (0, 1)]
    if 0 in rounds:
        msg = f"permute: a tile of {tile[0]} x {tile[1]} has too few parts of {part[0]} x {part[1]}"
        raise LayoutError(f"{msg} for {threads} threads")
    hs = tuple((rounds[axis], waves[axis], lanes[axis], part[axis]) for axis in (0, 1))
    owner = (slow + 1, fastest + 1)
    return make_static_tile_distribution(
        TileDistributionEncoding((), hs, (owner, owner), ((1, 1), (2, 2)), (1, 2, 1, 2), (0, 0, 3, 3))
    )


def loaders(config: PermuteConfig) -> TileDistribution:
    """The threads that load a tile."""
    return spread((config.rows, config.columns), config.square, 1, config.threads, config.lanes)


def writers(config: PermuteConfig) -> TileDistribution:
    """The threads that write a tile: through shared memory others than those that loaded it."""
    if config.path != "lds":
        return loaders(config)
    return spread((config.rows, config.columns), (config.vector_out, 1), 0, config.threads, config.lanes)
