"""The programs of ``windows.hip`` as data; their loops are unrolled."""

from __future__ import annotations

from collections.abc import Sequence

from tests.golden.tile_programs.words import (
    SQUARE,
    Program,
    Step,
    arange,
    dump,
    entry,
    full,
    load_tile,
    naive_view,
    step,
    tile_window,
    transformed,
)

__all__ = ["PROGRAMS"]


def move(by: Sequence[int], window: str = "window") -> Step:
    return step("move_tile_window", window=window, step=by)


def load_and_dump(part: int) -> list[Step]:
    return [load_tile("tile", "window"), dump("tile", "y", part)]


def walk(
    name: str, dtype: str, size: int, before: list[Step], moves: Sequence[Sequence[int]], per_lane: int = 4
) -> Program:
    """Load and dump, then move, as many times as there are moves; the last stands after the last load."""
    walked = [one for part, by in enumerate(moves) for one in (*load_and_dump(part), move(by))]
    shape = (len(moves), 64, per_lane)
    return Program(name, [arange("x", dtype, size, start=1), full("y", dtype, shape)], [*before, *walked])


def windowed(
    view: Step, encoding: str, lengths: Sequence[int], origin: Sequence[int], *more: Step
) -> list[Step]:
    last = more[-1]["result"] if more else "view"
    return [view, *more, tile_window("window", last, lengths, origin, encoding)]


def rows(
    lengths: Sequence[int], strides: Sequence[int], vector: int, result: str = "view", buffer: str = "x"
) -> Step:
    return naive_view(result, buffer, lengths, strides, vector)


def linear(view: str, origin: Sequence[int]) -> Step:
    return step(
        "make_tile_window_linear",
        result="window",
        view=view,
        lengths=[32, 32],
        origin=origin,
        encoding="OneWaveSpread32x32",
        linear_bottom_dims=[0, 1],
    )


def bare(result: str, origin: Sequence[int], lengths: Sequence[int] = SQUARE) -> Step:
    return tile_window(result, "view", lengths, origin)


def of_window(bare_window: str, encoding: str, **words: Sequence[int]) -> Step:
    return step("make_tile_window_of_window", result="window", window=bare_window, encoding=encoding, **words)


PADS = transformed(
    "padded",
    "view",
    entry("pad", [0], [0], low_length=16, left_pad=8, right_pad=8),
    entry("pad", [1], [1], low_length=16, left_pad=8, right_pad=8),
)
MERGED = transformed(
    "merged",
    "view",
    entry("merge", [0, 1], [0], low_lengths=[6, 6]),
    entry("pass_through", [2], [1], low_length=8),
)
SPREAD = [arange("x", "f32", 1024, start=1), full("y", "f32", (64, 16))]
PROGRAMS = [
    walk(
        "move_right_f32",
        "f32",
        1024,
        windowed(rows((16, 64), (64, 1), 4), "Quads16x16", SQUARE, (0, 0)),
        [(0, 16)] * 4,
    ),
    walk(
        "move_up_i32",
        "i32",
        512,
        windowed(rows((32, 16), (16, 1), 4), "Quads16x16", SQUARE, (16, 0)),
        [(-8, 0)] * 3,
    ),
    walk(
        "move_diagonally_padded_f16",
        "f16",
        550,
        windowed(
            rows((25, 22), (22, 1), 2),
            "Blocks16x16",
            SQUARE,
            (0, 0),
            step("pad_tensor_view", result="padded", view="view", tile_lengths=SQUARE, do_pads=[True, True]),
        ),
        [(6, 8)] * 4,
    ),
    Program(
        "move_out_and_back_f32",
        [arange("x", "f32", 256, start=1), full("y", "f32", (3, 64, 4))],
        [
            *windowed(rows(SQUARE, (16, 1), 1), "Quads16x16", SQUARE, (8, 8), PADS),
            move((-8, -8)),
            *load_and_dump(0),
            move((16, 0)),
            *load_and_dump(1),
            move((-8, 8)),
            *load_and_dump(2),
        ],
    ),
    walk(
        "move_over_merged_f32",
        "f32",
        353,
        windowed(rows((6, 6, 8), (60, 9, 1), 1), "Single8x8", (8, 8), (0, 0), MERGED),
        [(7, 0)] * 5,
        per_lane=1,
    ),
    Program(
        "move_in_three_dimensions_f32",
        [arange("x", "f32", 1024, start=1), full("y", "f32", (3, 64, 4))],
        [
            *windowed(rows((8, 16, 8), (128, 8, 1), 2), "Cube4x8x8", (4, 8, 8), (0, 8, 0)),
            *load_and_dump(0),
            move((4, 0, 0)),
            *load_and_dump(1),
            move((-2, -8, 0)),
            *load_and_dump(2),
        ],
    ),
    Program(
        "copy_with_two_windows_f16",
        [arange("x", "f16", 3072, modulo=2000, start=1), full("y", "f16", (96, 32))],
        [
            rows((32, 96), (96, 1), 2),
            rows((96, 32), (32, 1), 2, "target_view", "y"),
            tile_window("source", "view", (32, 32), (0, 0), "Block32x32"),
            tile_window("target", "target_view", (32, 32), (64, 0), "Block32x32"),
            *[
                load_tile("tile", "source"),
                step("store_tile", window="target", tile="tile"),
                move((0, 32), "source"),
                move((-32, 0), "target"),
            ]
            * 3,
        ],
        block=256,
    ),
    Program(
        "linear_window_f32",
        [arange("x", "f32", 2048, start=1), full("y", "f32", (2, 64, 16))],
        [
            rows((32, 64), (64, 1), 4),
            linear("view", (0, 0)),
            *load_and_dump(0),
            move((0, 32)),
            *load_and_dump(1),
        ],
    ),
    Program(
        "linear_columns_padded_f32",
        [arange("x", "f32", 928, start=1), full("y", "f32", (64, 16))],
        [
            rows((29, 32), (32, 1), 4),
            step(
                "pad_tensor_view", result="padded", view="view", tile_lengths=[32, 32], do_pads=[True, False]
            ),
            linear("padded", (0, 0)),
            load_tile("tile", "window"),
            dump("tile", "y"),
        ],
    ),
    Program(
        "linear_store_i32",
        [arange("x", "i32", 1024, start=1), full("y", "i32", (32, 36), -1)],
        [
            rows((32, 32), (32, 1), 4),
            rows((32, 36), (36, 1), 4, "target_view", "y"),
            linear("target_view", (0, 4)),
            tile_window("source", "view", (32, 32), (0, 0), "OneWaveSpread32x32"),
            load_tile("tile", "source"),
            step("store_tile", window="window", tile="tile"),
        ],
    ),
    Program(
        "linear_one_access_f32",
        SPREAD,
        [
            rows((32, 32), (32, 1), 4),
            linear("view", (0, 0)),
            step("make_static_distributed_tensor", result="tile", dtype="f32", encoding="OneWaveSpread32x32"),
            step("set_tile", tile="tile", value=-1),
            step("load_tile_into", tile="tile", window="window", access=2),
            dump("tile", "y"),
        ],
    ),
    Program(
        "window_origin_and_lengths",
        [arange("x", "f32", 4096), full("y", "i32", (3, 4))],
        [
            *windowed(rows((64, 64), (64, 1), 4), "Quads16x16", SQUARE, (3, 5)),
            step("record_window_origin_and_lengths", window="window", buffer="y", part=[0]),
            move((7, -5)),
            step("record_window_origin_and_lengths", window="window", buffer="y", part=[1]),
            step("set_window_origin", window="window", origin=[20, 24]),
            step("record_window_origin_and_lengths", window="window", buffer="y", part=[2]),
        ],
    ),
    Program(
        "set_window_origin_f32",
        [arange("x", "f32", 1536, start=1), full("y", "f32", (64, 4))],
        [
            *windowed(rows((32, 48), (48, 1), 4), "Quads16x16", SQUARE, (0, 0)),
            move((3, 4)),
            step("set_window_origin", window="window", origin=[16, 24]),
            load_tile("tile", "window"),
            dump("tile", "y"),
        ],
    ),
    Program(
        "window_from_window_f32",
        [arange("x", "f32", 1536, start=1), full("y", "f32", (3, 64, 4))],
        [
            rows((48, 32), (32, 1), 2),
            bare("bare", (0, 0)),
            move((16, 8), "bare"),
            of_window("bare", "Blocks16x16"),
            *load_and_dump(0),
            of_window("bare", "Quads16x16", origin=[1, 2]),
            *load_and_dump(1),
            step("make_tile_window_of_window", result="other", window="bare", origin=[32, 16]),
            of_window("other", "Quads16x16"),
            *load_and_dump(2),
        ],
    ),
    Program(
        "slice_of_window_f32",
        [arange("x", "f32", 1600, start=1), full("y", "f32", (64, 4))],
        [
            rows((40, 40), (40, 1), 1),
            bare("bare", (5, 5), (32, 32)),
            step("get_slice_tile_of_window", result="slice", window="bare", begins=[2, 8], ends=[18, 24]),
            of_window("slice", "Quads16x16"),
            load_tile("tile", "window"),
            dump("tile", "y"),
        ],
    ),
    Program(
        "replace_view_i32",
        [arange("x", "i32", 1024), arange("b", "i32", 1055, start=5000), full("y", "i32", (64, 4))],
        [
            rows((32, 32), (32, 1), 1),
            rows((32, 32), (33, 1), 1, "other_view", "b"),
            tile_window("first", "view", SQUARE, (4, 6), "Quads16x16"),
            step("replace_bottom_tensor_view", result="window", view="other_view", window="first"),
            load_tile("tile", "window"),
            dump("tile", "y"),
        ],
    ),
]
