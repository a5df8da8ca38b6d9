"""Sizes of quick checks of a GEMM: with both, all of its text runs, and rows end in most places.

>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> config = configured("pipelined", has_tails=True, size_multiples=(1, 1, 1), stages_result=True)
>>> first_small_sizes(config), other_small_sizes(config)
({'M': 261, 'N': 131, 'K': 71}, {'M': 129, 'N': 135, 'K': 63})
"""

from __future__ import annotations

import math

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem

__all__ = ["first_small_sizes", "other_small_sizes"]

Sizes = dict[str, int]
ROWS_OF_DIES = 9  # of blocks: some dies have more than others


def first_small_sizes(config: GemmConfig) -> Sizes:
    """More than one tile, more turns than a loop takes at once, of a batch more than one product."""
    batches = {"batch_count": 2} if config.is_batched else {}
    m, n, k = config.tile
    turns = max(3, config.schedule.turns_at_once + 1)
    if not config.has_tails:
        rows = ROWS_OF_DIES if config.xcds > 1 else 2
        return {"M": rows * m * config.group_m, "N": n, "K": turns * k * config.split_k} | batches
    part_m, part_n, part_k = GemmProblem(config).multiples
    if config.size_multiples:
        part_m, part_n, _ = config.size_multiples
        more = {"M": m + 5 * part_m, "N": n + 3 * part_n}
        return more | {"K": (turns - 1) * k + 7 * math.lcm(part_k, config.size_multiples[2])} | batches
    left = {
        "M": m + _multiple(40, part_m),
        "N": n + _multiple(8, part_n),
        "K": (turns * config.split_k - 1) * k + _multiple(16, part_k),
    }
    return left | batches


def other_small_sizes(config: GemmConfig) -> Sizes:
    """Other turns, a last tile that is nearly whole, parts of K with nothing in them; fewer rows."""
    batches = {"batch_count": 3} if config.is_batched else {}
    m, n, k = config.tile
    turns = 3 if config.schedule.turns_at_once > 2 else 2
    if not config.has_tails:
        return {"M": m * config.group_m, "N": 2 * n, "K": turns * k * config.split_k} | batches
    part_m, part_n, part_k = GemmProblem(config).multiples
    if config.size_multiples:
        part_m, part_n, of_k = config.size_multiples
        part_k = math.lcm(part_k, of_k)
    vectors = max(2, config.stored_at_once // part_n)  # multiples of N in what is stored at once
    nearly = (k - 1) // part_k * part_k
    return {
        "M": m // 2 // part_m * part_m + part_m,
        "N": n + (vectors - 1) * part_n,
        "K": (1 if config.split_k > 1 else turns - 1) * k + nearly,
    } | batches


def _multiple(most: int, part: int) -> int:
    """The largest multiple up to there, or one part."""
    return max(part, most // part * part)
