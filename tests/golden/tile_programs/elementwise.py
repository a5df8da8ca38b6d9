"""The programs of ``elementwise.hip`` as data; functions are written in Python's words."""

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

BLOCKS, QUADS, SPREAD = "Blocks16x16", "Quads16x16", "Spread32x32"
LENGTHS = {
    BLOCKS: (16, 16, 2),
    "TurnedBlocks16x16": (16, 16, 2),
    QUADS: (16, 16, 4),
    SPREAD: (32, 32, 4),
    "Wide8x64": (8, 64, 4),
}


def loaded(encoding: str, tile: str = "tile", buffer: str = "x") -> list[Step]:
    """The whole packed matrix in ``buffer`` becomes a tile."""
    rows, columns, vector = LENGTHS[encoding]
    return [
        naive_view(f"{tile}_view", buffer, (rows, columns), (columns, 1), vector),
        tile_window(f"{tile}_window", f"{tile}_view", (rows, columns), (0, 0), encoding),
        load_tile(tile, f"{tile}_window"),
    ]


def made(dtype: str, encoding: str) -> Step:
    return step("make_static_distributed_tensor", result="tile", dtype=dtype, encoding=encoding)


def stored(tile: str, buffer: str, lengths: Sequence[int], vector: int) -> list[Step]:
    return [
        naive_view("target", buffer, lengths, (lengths[1], 1), vector),
        tile_window("target_window", "target", lengths, (0, 0)),
        step("store_tile", window="target_window", tile=tile),
    ]


def apply(dtype: str, function: str, *tiles: str) -> Step:
    """``function`` of the letters a, b, c, one for each tile."""
    return step("tile_elementwise_in", result="made", tiles=tiles, function=function, dtype=dtype)


def cast(name: str, dtype: str, x: Buffer, encoding: str = QUADS) -> Program:
    rows, columns, _ = LENGTHS[encoding]
    y = full("y", dtype, (64, rows * columns // 64))
    steps = [*loaded(encoding), step("cast_tile", result="made", tile="tile", dtype=dtype), dump("made", "y")]
    return Program(name, [x, y], steps)


def sliced(
    name: str, begins: Sequence[int], ends: Sequence[int], per_lane: int, more: Sequence[Step] = ()
) -> Program:
    buffers = [arange("x", "f32", 1024), full("y", "f32", (64, per_lane))]
    if more:
        buffers.append(full("z", "f32", (16, 16), -1))
    taken = step("get_slice_tile", result="slice", tile="tile", begins=begins, ends=ends)
    return Program(name, buffers, [*loaded(SPREAD), taken, dump("slice", "y"), *more])


def repeated(content: Sequence[float]) -> list[float]:
    return [content[i % len(content)] for i in range(256)]


HALF_TIES = [
    0.0,
    -0.0,
    1.0,
    1 + 2**-11,
    1 + 3 * 2**-11,
    1 + 2**-11 + 2**-23,
    -1 - 2**-11,
    2049.0,
    2051.0,
    0.1,
    -0.3,
    65504.0,
    65519.0,
    65520.0,
    -65520.0,
    1e10,
    2**-14,
    2**-15,
    2**-24,
    2**-25,
    3 * 2**-26,
    1.5 * 2**-25,
    2**-26,
    float("inf"),
    float("-inf"),
    1 / 3,
    -7.625,
    1000.0625,
    4099.0,
    2**-14 - 2**-26,
    3.14159265,
    -123.456,
]
BRAIN_TIES = [
    0.0,
    -0.0,
    1.0,
    1 + 2**-8,
    1 + 3 * 2**-8,
    1 + 2**-8 + 2**-20,
    -1 - 2**-8,
    257.0,
    259.0,
    0.1,
    -0.3,
    3.0e38,
    3.39e38,
    1e-38,
    2**-126,
    1 / 3,
    float("inf"),
    float("-inf"),
    -7.625,
    1000.0625,
    4099.0,
    3.14159265,
    -123.456,
    65280.0,
    1e10,
]
FP8_VALUES = [
    0.0,
    1.0,
    -1.0,
    1.0625,
    1.1875,
    -1.0625,
    17.0,
    19.0,
    23.0,
    100.0,
    -120.0,
    200.0,
    208.0,
    224.0,
    231.0,
    240.0,
    0.5,
    0.1,
    -0.3,
    2**-7,
    2**-8,
    2**-9,
    2**-10,
    2**-11,
    3 * 2**-11,
    0.03,
    -0.006,
    7.7,
    -8.4,
    12.5,
    13.5,
    60.0,
]
WHOLES = [0.0, -0.0, 0.5, 0.99, -0.99, 1.5, 2.5, -1.5, -2.5, 1e6 + 0.5, 16777216.0, -8388609.0, 2147483520.0]
WHOLES += [-2147483648.0, 123456.789, -123456.789]
BYTES = [0.0, 0.5, -0.5, 1.999, -1.999, 126.5, 127.0, -127.9, -128.0, 64.25, -3.75, 2.5, 3.5]
LARGE = [
    0,
    1,
    -1,
    16777216,
    16777217,
    16777219,
    -16777217,
    2147483647,
    -2147483648,
    33554433,
    33554434,
    33554438,
    99,
]
LOW_BYTES = [0, 1, -1, 127, 128, 255, 256, 300, -128, -129, -300, 1000, 65535, 2147483647, -2147483648]
HALVES = [
    0.0,
    -0.0,
    1.0,
    -2.5,
    65504.0,
    2**-14,
    2**-24,
    0.0999755859375,
    float("inf"),
    float("-inf"),
    1.0009765625,
]
FP8_BITS = [bits for bits in range(256) if bits != 0x80]  # 0x80 is the only NaN

PROGRAMS = [
    Program(
        "set_tile_i32",
        [full("y", "i32", (64, 4))],
        [made("i32", BLOCKS), step("set_tile", tile="tile", value=2.75, dtype="f32"), dump("tile", "y")],
    ),
    Program(
        "set_tile_zero_f16",
        [arange("x", "f16", 256, start=1), full("y", "f16", (64, 4), -1)],
        [*loaded(BLOCKS), step("set_tile", tile="tile", value=0), dump("tile", "y")],
    ),
    Program(
        "set_tile_number_f16",
        [full("y", "f16", (64, 4))],
        [made("f16", BLOCKS), step("set_tile", tile="tile", value=3), dump("tile", "y")],
    ),
    Program(
        "clear_tile_i8",
        [arange("x", "i8", 256, modulo=100, start=1), full("y", "i8", (64, 4), -1)],
        [*loaded(QUADS), step("clear_tile", tile="tile"), dump("tile", "y")],
    ),
    Program(
        "elementwise_in_one_tile",
        [arange("x", "i32", 256), full("y", "f32", (64, 4))],
        [*loaded(QUADS), apply("f32", "0.5 * a", "tile"), dump("made", "y")],
    ),
    Program(
        "elementwise_in_three_tiles",
        [arange("x", "f32", 1024), arange("b", "i32", 1024, modulo=37), full("y", "f32", (64, 16))],
        [
            *loaded(SPREAD, "first"),
            *loaded(SPREAD, "second", "b"),
            apply("f32", "a - b + 2 * c", "first", "second", "first"),
            dump("made", "y"),
        ],
    ),
    Program(
        "elementwise_in_two_distributions",
        [arange("x", "f32", 256), full("y", "f32", (64, 4)), full("z", "f32", (16, 16), -1)],
        [
            *loaded(BLOCKS, "first"),
            *loaded("TurnedBlocks16x16", "second"),
            apply("f32", "1000 * a + b", "first", "second"),
            dump("made", "y"),
            *stored("made", "z", (16, 16), 1),
        ],
    ),
    Program(
        "elementwise_inout_one_tile",
        [arange("x", "f32", 256), full("y", "f32", (64, 4))],
        [
            *loaded(QUADS),
            step("tile_elementwise_inout", tiles=["tile"], functions=["a * a"]),
            dump("tile", "y"),
        ],
    ),
    Program(
        "elementwise_inout_two_tiles",
        [
            arange("x", "f32", 256),
            arange("b", "f32", 256, modulo=19, start=3),
            full("y", "f32", (64, 4)),
            full("z", "f32", (64, 4)),
        ],
        [
            *loaded(QUADS, "first"),
            *loaded(QUADS, "second", "b"),
            step("tile_elementwise_inout", tiles=["first", "second"], functions=["a + b", "a - 2 * b"]),
            dump("first", "y"),
            dump("second", "z"),
        ],
    ),
    cast("cast_f32_to_f16", "f16", values("x", "f32", repeated(HALF_TIES))),
    cast("cast_f32_to_bf16", "bf16", values("x", "f32", repeated(BRAIN_TIES))),
    cast("cast_f16_to_f32", "f32", values("x", "f16", repeated(HALVES))),
    cast("cast_f32_to_i32", "i32", values("x", "f32", repeated(WHOLES))),
    cast("cast_i32_to_f32", "f32", values("x", "i32", repeated(LARGE))),
    cast("cast_f32_to_i8", "i8", values("x", "f32", repeated(BYTES))),
    cast("cast_i32_to_i8", "i8", values("x", "i32", repeated(LOW_BYTES))),
    cast("cast_f32_to_fp8", "fp8", values("x", "f32", repeated(FP8_VALUES))),
    cast("cast_f32_to_bf8", "bf8", values("x", "f32", repeated(FP8_VALUES))),
    Program(
        "elementwise_in_f16",
        [arange("x", "f16", 256), full("y", "f16", (64, 4))],
        [*loaded(QUADS), apply("f16", "a * b", "tile", "tile"), dump("made", "y")],
    ),
    cast("cast_fp8_to_f32", "f32", values("x", "fp8", repeated(FP8_BITS))),
    sliced("slice_of_columns", [0, 16], [32, 32], 8),
    sliced("slice_of_rows_and_columns_stored", [16, 0], [32, 16], 4, stored("slice", "z", (16, 16), 4)),
    Program(
        "slice_to_the_end",
        [arange("x", "f16", 512), full("y", "f16", (64, 4))],
        [
            *loaded("Wide8x64"),
            step("get_slice_tile", result="slice", tile="tile", begins=[0, 32], ends=[-1, -1]),
            dump("slice", "y"),
        ],
    ),
    sliced("slice_inside_vectors", [0, 8], [32, 16], 4),
    Program(
        "set_slice_of_columns",
        [arange("x", "f32", 1024, start=1), full("y", "f32", (64, 16))],
        [
            *loaded(SPREAD),
            step("get_slice_tile", result="slice", tile="tile", begins=[0, 0], ends=[32, 16]),
            step("tile_elementwise_inout", tiles=["slice"], functions=["-a"]),
            step("set_slice_tile", tile="tile", source="slice", begins=[0, 16], ends=[32, 32]),
            dump("tile", "y"),
        ],
    ),
    Program(
        "get_y_sliced",
        [arange("x", "f32", 1024), full("y", "f32", (64, 4))],
        [
            *loaded(SPREAD),
            step(
                "get_y_sliced_thread_data",
                result="data",
                tile="tile",
                y_origins=[0, 1, 1],
                y_lengths=[2, 1, 2],
            ),
            step("dump_thread_data", data="data", buffer="y", part=[]),
        ],
    ),
    Program(
        "set_y_sliced",
        [arange("x", "f32", 1024), full("y", "f32", (64, 16))],
        [
            *loaded(SPREAD),
            step(
                "set_y_sliced_thread_data",
                tile="tile",
                y_origins=[1, 0, 2],
                y_lengths=[1, 2, 2],
                values=[1000, 1001, 1002, 1003],
            ),
            dump("tile", "y"),
        ],
    ),
    Program(
        "set_tile_above_diagonal",
        [arange("x", "f32", 1024), full("y", "f32", (64, 16))],
        [*loaded(SPREAD), step("set_tile_if", tile="tile", value=-1, predicate="x1 > x0"), dump("tile", "y")],
    ),
]
