"""The programs of ``sweeps.hip`` as data.

A visit with n indices numbers them: ``visit_scale * visit + place``, with places 0 to n - 1, visit by visit.
"""

from __future__ import annotations

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

SPREAD = "Spread32x32"


def made(encoding: str, tile: str = "tile") -> Step:
    return step("make_static_distributed_tensor", result=tile, dtype="i32", encoding=encoding)


def visited(name: str, *steps: Step, encoding: str = SPREAD) -> Program:
    return Program(name, [full("y", "i32", (64, 16))], [made(encoding), *steps, dump("tile", "y")])


def numbered(op: str, visit_scale: int, **words: object) -> Step:
    return step(op, tile="tile", visit_scale=visit_scale, **words)


def x_indices(name: str, encoding: str, per_lane: int, threads: int = 64) -> Program:
    shape = (threads, per_lane)
    return Program(
        name,
        [full("y", "i32", shape), full("z", "i32", shape)],
        [
            made(encoding, "rows"),
            made(encoding, "columns"),
            step("sweep_x_indices", tiles=["rows", "columns"]),
            dump("rows", "y"),
            dump("columns", "z"),
        ],
        block=threads,
    )


PROGRAMS = [
    visited("sweep_order", numbered("sweep_tile", 1, unpacks=[1, 1])),
    visited(
        "sweep_order_of_turned_ys", numbered("sweep_tile", 1, unpacks=[1, 1]), encoding="TurnedSpread32x32"
    ),
    visited("sweep_pairs", numbered("sweep_tile", 10, unpacks=[1, 2])),
    visited("sweep_eights", numbered("sweep_tile", 10, unpacks=[1, 8])),
    visited("sweep_two_by_two", numbered("sweep_tile", 10, unpacks=[2, 2])),
    visited(
        "sweeper_accesses",
        step("set_tile", tile="tile", value=-1),
        numbered("tile_sweeper", 10, unpacks=[1, 2], accesses=[3, 5]),
    ),
    visited("span_columns_first", numbered("sweep_tile_spans", 1, dimensions=[1, 0], unpacks=[[1, 1], [1]])),
    visited("span_unpacked", numbered("sweep_tile_spans", 10, dimensions=[0, 1], unpacks=[[1], [1, 2]])),
    x_indices("x_indices_spread", SPREAD, 16),
    x_indices("x_indices_turned_spread", "TurnedSpread32x32", 16),
    x_indices("x_indices_square", "Square32x32", 4, 256),
    x_indices("x_indices_replicated", "FourTimes32x8", 16),
    Program(
        "scale_rows",
        [arange("x", "f32", 1024), arange("b", "f32", 32, start=2), full("y", "f32", (64, 16))],
        [
            naive_view("view", "x", (32, 32), (32, 1), 4),
            step("make_naive_tensor_view_packed", result="row_view", buffer="b", lengths=[32]),
            tile_window("window", "view", (32, 32), (0, 0), SPREAD),
            load_tile("tile", "window"),
            tile_window("row_window", "row_view", (32,), (0,), "Spread32Rows"),
            load_tile("scale", "row_window"),
            step("sweep_scale", tile="tile", scale="scale", dimensions=[0]),
            dump("tile", "y"),
        ],
    ),
]
