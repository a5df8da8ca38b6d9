"""The programs of ``reductions.hip`` as data.

``function`` combines an accumulator ``a`` with an element ``b``. The encoding of a reduced tile is that of
its source, reduced (``make_reduce_tile_distribution_encoding``). Inputs are small: sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.golden.tile_programs.words import (
    Buffer,
    Program,
    Step,
    arange,
    dump,
    full,
    load_tile,
    naive_view,
    step,
    tile_window,
    values,
)

__all__ = ["PROGRAMS"]

SPREAD = "Spread32x32"
SUM, MAX = "a + b", "max(a, b)"
LOWEST_I32, LOWEST_F32 = -(2**31), -(2.0 - 2.0**-23) * 2.0**127


def loaded(
    encoding: str = SPREAD,
    lengths: Sequence[int] = (32, 32),
    vector: int = 4,
    tile: str = "tile",
    buffer: str = "x",
) -> list[Step]:
    return [
        naive_view(f"{tile}_view", buffer, lengths, (lengths[1], 1), vector),
        tile_window(f"{tile}_window", f"{tile}_view", lengths, (0, 0), encoding),
        load_tile(tile, f"{tile}_window"),
    ]


def reduce(dtype: str, function: str, initial: float) -> Step:
    return step(
        "block_tile_reduce",
        result="made",
        tile="tile",
        dimensions=[1],
        function=function,
        initial=initial,
        dtype=dtype,
    )


def sync(function: str, **words: bool) -> Step:
    return step("block_tile_reduce_sync", tile="made", function=function, **words)


def reduced(
    name: str,
    x: Buffer,
    dtype: str,
    steps: Sequence[Step],
    rows: int = 2,
    threads: int = 64,
    tile: Sequence[Step] | None = None,
) -> Program:
    y = full("y", dtype, (threads, rows))
    return Program(name, [x, y], [*(tile or loaded()), *steps, dump("made", "y")], block=threads)


def scattered(dtype: str, size: int = 1024, modulo: int = 1009) -> Buffer:
    """Numbers without an order: multiples of 37 modulo a prime, less half of it."""
    return values("x", dtype, [i * 37 % modulo - modulo // 2 for i in range(size)])


def across_waves(
    name: str, encoding: str, lengths: Sequence[int], rows: int, function: str, initial: float
) -> Program:
    size = lengths[0] * lengths[1]
    steps = [
        step("BlockReduce2d", result="made", tile="tile", function=function, initial=initial, dtype="f32"),
        step("BlockReduce2dSync", tile="made", function=function),
        step("BlockReduce2dCrossWarpSync", tile="made", function=function, block_size=256),
    ]
    tile = loaded(encoding, lengths, 1)
    return reduced(name, scattered("f32", size), "f32", steps, rows, 256, tile)


COUNTED = arange("x", "f32", 1024)
PROGRAMS = [
    reduced("reduce_in_threads", COUNTED, "f32", [reduce("f32", SUM, 0)]),
    reduced("reduce_sum", COUNTED, "f32", [reduce("f32", SUM, 0), sync(SUM)]),
    reduced("reduce_sum_with_initial_value", COUNTED, "f32", [reduce("f32", SUM, 1), sync(SUM)]),
    reduced("reduce_max", scattered("i32"), "i32", [reduce("i32", MAX, LOWEST_I32), sync(MAX)]),
    reduced(
        "reduce_sum_without_broadcast",
        COUNTED,
        "f32",
        [reduce("f32", SUM, 0), sync(SUM, with_broadcast=False)],
    ),
    reduced(
        "reduce_sum_by_xor",
        COUNTED,
        "f32",
        [reduce("f32", SUM, 0), step("block_tile_reduce_xor_sync", tile="made", function=SUM)],
    ),
    reduced(
        "reduce_max_f16_by_xor",
        scattered("f16"),
        "f16",
        [reduce("f16", MAX, -60000), step("block_tile_reduce_xor_sync", tile="made", function=MAX)],
    ),
    reduced("reduce_sum_f16_to_f32", scattered("f16"), "f32", [reduce("f32", SUM, 0), sync(SUM)]),
    Program(
        "reduce_two_tiles",
        [COUNTED, arange("b", "f32", 1024, modulo=13), full("y", "f32", (64, 2))],
        [
            *loaded(),
            reduce("f32", SUM, 0),
            *loaded(tile="other", buffer="b"),
            step("block_tile_reduce_into", accumulator="made", tile="other", dimensions=[1], function=SUM),
            sync(SUM),
            dump("made", "y"),
        ],
    ),
    reduced(
        "reduce_replicated",
        arange("x", "f32", 256),
        "f32",
        [reduce("f32", SUM, 0), sync(SUM)],
        tile=loaded("FourTimes32x8", (32, 8)),
    ),
    Program(
        "reduce_and_store",
        [COUNTED, full("y", "f32", (32,), -1)],
        [
            *loaded(),
            reduce("f32", SUM, 0),
            sync(SUM),
            step("make_naive_tensor_view_packed", result="target", buffer="y", lengths=[32]),
            tile_window("target_window", "target", (32,), (0,)),
            step("store_tile", window="target_window", tile="made"),
        ],
    ),
    reduced(
        "block_reduce_2d_in_one_call",
        scattered("f32"),
        "f32",
        [
            step(
                "BlockReduce2D",
                result="made",
                tile="tile",
                function="max(a, max(b, c))",
                sync_function=MAX,
                initial=-1000000,
                packs=[1, 2],
            )
        ],
    ),
    reduced(
        "block_reduce_sum",
        COUNTED,
        "f32",
        [
            step("BlockReduce2d", result="made", tile="tile", function=SUM, initial=0, dtype="f32"),
            step("BlockReduce2dSync", tile="made", function=SUM),
        ],
    ),
    reduced(
        "block_reduce_squares_f16",
        scattered("f16", modulo=101),
        "f32",
        [
            step(
                "BlockReduce2d",
                result="made",
                tile="tile",
                function="a + b * b",
                initial=0,
                dtype="f32",
                packs=[1, 2],
            ),
            step("BlockReduce2dSync", tile="made", function=SUM),
        ],
    ),
    across_waves("block_reduce_sum_over_four_waves", "FourWaves4x512", (4, 512), 4, SUM, 0),
    across_waves("block_reduce_max_over_pairs_of_waves", "PairsOfWaves4x256", (4, 256), 2, MAX, LOWEST_F32),
    across_waves("block_reduce_over_waves_with_rows_in_lanes", "WideWaves16x64", (16, 64), 2, SUM, 0),
    Program(
        "block_reduce_max_with_index",
        [scattered("f32"), full("y", "f32", (64, 2)), full("z", "i32", (64, 2))],
        [
            *loaded(),
            step(
                "BlockReduce2d",
                result="made",
                index_result="where",
                tile="tile",
                function=MAX,
                initial=LOWEST_F32,
                dtype="f32",
                index="x1",
                index_initial=0,
            ),
            step("BlockReduce2dSync", tile="made", index_tile="where", function=MAX),
            dump("made", "y"),
            dump("where", "z"),
        ],
    ),
]
