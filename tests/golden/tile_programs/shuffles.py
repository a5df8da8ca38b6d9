"""The programs of ``shuffles.hip`` as data."""

from __future__ import annotations

from collections.abc import Sequence

from tests.golden.tile_programs.words import (
    Program,
    Step,
    arange,
    dump,
    full,
    load_tile,
    naive_view,
    step,
    tile_window,
)

__all__ = ["PROGRAMS"]

LENGTHS = {
    "Blocks16x16": (16, 16, 2),
    "Blocks32x32": (32, 32, 4),
    "Spread32x32": (32, 32, 4),
    "TurnedSpread32x32": (32, 32, 4),
    "Cell32x16": (32, 16, 2),
}


def moved(
    name: str, op: str, dtypes: tuple[str, str], source: str, target: str, stored: Sequence[int] = ()
) -> Program:
    rows, columns, vector = LENGTHS[source]
    before, after = dtypes
    modulo = 121 if before == "i8" else 0
    buffers = [
        arange("x", before, rows * columns, modulo=modulo),
        full("y", after, (64, rows * columns // 64)),
    ]
    more: list[Step] = []
    if stored:
        buffers.append(full("z", after, tuple(stored), -1))
        more = [
            naive_view("target", "z", stored, (stored[1], 1), 4),
            tile_window("target_window", "target", stored, (0, 0)),
            step("store_tile", window="target_window", tile="out"),
        ]
    return Program(
        name,
        buffers,
        [
            naive_view("view", "x", (rows, columns), (columns, 1), vector),
            tile_window("window", "view", (rows, columns), (0, 0), source),
            load_tile("tile", "window"),
            step("make_static_distributed_tensor", result="out", dtype=after, encoding=target),
            step(op, out="out", tile="tile"),
            dump("out", "y"),
            *more,
        ],
    )


F32, F16 = ("f32", "f32"), ("f16", "f16")
PROGRAMS = [
    moved("shuffle_blocks_f32", "shuffle_tile", F32, "Blocks16x16", "TurnedBlocks16x16"),
    moved("shuffle_blocks_f16", "shuffle_tile", F16, "Blocks16x16", "TurnedBlocks16x16"),
    moved("shuffle_quads_i8", "shuffle_tile", ("i8", "i8"), "Blocks32x32", "TurnedBlocks32x32"),
    moved("shuffle_spread_to_f16", "shuffle_tile", ("f32", "f16"), "Spread32x32", "TurnedSpread32x32"),
    moved("shuffle_and_store_f32", "shuffle_tile", F32, "TurnedSpread32x32", "Spread32x32", (32, 32)),
    moved("transpose_f16", "transpose_tile2d", F16, "Cell32x16", "TurnedCell16x32", (16, 32)),
    moved("transpose_i32_to_f32", "transpose_tile2d", ("i32", "f32"), "Cell32x16", "TurnedCell16x32"),
]
