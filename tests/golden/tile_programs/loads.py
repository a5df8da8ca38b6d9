"""The programs of ``loads.hip`` as data."""

from __future__ import annotations

from tests.golden.tile_programs.words import (
    LANES,
    SQUARE,
    Program,
    Step,
    arange,
    dump,
    entry,
    full,
    load_tile,
    naive_view,
    padded,
    pass_through,
    rows,
    step,
    tile_window,
    transformed,
)

__all__ = ["PROGRAMS"]


def loaded(  # noqa: PLR0917  in the order of the sentences
    name: str,
    dtype: str,
    views: list[Step],
    encoding: str,
    lengths: tuple[int, ...],
    per_lane: int,
    size: int,
    origin: tuple[int, ...] | None = None,
    threads: int = LANES,
    modulo: int = 0,
    **words: object,
) -> Program:
    """The last view is loaded through one window and dumped; x is counted from 1, so that 0 is none of it."""
    return Program(
        name,
        [arange("x", dtype, size, modulo=modulo, start=1), full("y", dtype, (threads, per_lane))],
        [
            *views,
            tile_window("window", views[-1]["result"], lengths, origin or (0,) * len(lengths), encoding),
            {**load_tile("tile", "window"), **words},
            dump("tile", "y"),
        ],
        block=threads,
    )


PROGRAMS = [
    loaded(
        "load_packed_f32",
        "f32",
        [
            step(
                "make_naive_tensor_view_packed",
                result="view",
                buffer="x",
                lengths=SQUARE,
                guaranteed_vector_length=4,
            )
        ],
        "Quads16x16",
        SQUARE,
        4,
        256,
    ),
    loaded("load_vectors_f16", "f16", [rows((16, 32), (40, 1), 8)], "Octets16x32", (16, 32), 8, 632),
    loaded("load_vectors_i8", "i8", [rows(SQUARE, (16, 1), 4)], "Quads16x16", SQUARE, 4, 256, modulo=113),
    loaded("load_spread_i32", "i32", [rows((32, 32), (32, 1), 4)], "Spread32x32", (32, 32), 16, 1024),
    loaded(
        "load_turned_spread_i32", "i32", [rows((32, 32), (32, 1), 4)], "TurnedSpread32x32", (32, 32), 16, 1024
    ),
    loaded("load_column_major_f32", "f32", [rows(SQUARE, (1, 20), -1)], "Columns16x16", SQUARE, 4, 316),
    loaded("load_strided_rows_f16", "f16", [rows(SQUARE, (16, 1))], "Strided16x16", SQUARE, 4, 256),
    loaded(
        "load_block_f32", "f32", [rows((32, 32), (32, 1), 2)], "Block32x32", (32, 32), 4, 1024, threads=256
    ),
    loaded(
        "load_square_f16", "f16", [rows((32, 32), (34, 1), 2)], "Square32x32", (32, 32), 4, 1086, threads=256
    ),
    loaded(
        "load_one_wave_of_two_dimensions_f32",
        "f32",
        [rows(SQUARE, (16, 1), 4)],
        "OneWave16x16",
        SQUARE,
        4,
        256,
    ),
    loaded(
        "load_lanes_in_two_waves_f32",
        "f32",
        [rows(SQUARE, (16, 1), 4)],
        "Quads16x16",
        SQUARE,
        4,
        256,
        threads=128,
    ),
    loaded("load_at_origin_f32", "f32", [rows((24, 40), (40, 1))], "Quads16x16", SQUARE, 4, 960, (5, 12)),
    Program(
        "load_by_workgroup_i32",
        [arange("x", "i32", 512, start=1), full("y", "i32", (2, LANES, 4))],
        [
            rows((16, 32), (32, 1), 4),
            tile_window("window", "view", SQUARE, (0, {"block_id_times": 16}), "Quads16x16"),
            load_tile("tile", "window"),
            dump("tile", "y", {"block_id_times": 1}),
        ],
        grid=(2,),
    ),
    loaded("load_padded_f32", "f32", [rows((13, 14), (14, 1)), padded()], "Quads16x16", SQUARE, 4, 182),
    loaded(
        "load_rows_padded_f32",
        "f32",
        [rows((13, 14), (14, 1)), padded(do_pads=(True, False))],
        "Quads16x16",
        SQUARE,
        4,
        182,
    ),
    loaded(
        "load_padded_vectors_f16", "f16", [rows((13, 12), (16, 1), 4), padded()], "Quads16x16", SQUARE, 4, 204
    ),
    loaded(
        "load_padded_inside_vector_f32",
        "f32",
        [rows((13, 14), (16, 1), 4), padded()],
        "Quads16x16",
        SQUARE,
        4,
        206,
    ),
    loaded(
        "load_left_and_right_padded_f32",
        "f32",
        [
            rows((12, 10), (10, 1)),
            transformed(
                "padded",
                "view",
                entry("pad", [0], [0], low_length=12, left_pad=4, right_pad=0),
                entry("pad", [1], [1], low_length=10, left_pad=3, right_pad=3),
            ),
        ],
        "Quads16x16",
        SQUARE,
        4,
        120,
    ),
    loaded(
        "load_invalid_value_f32",
        "f32",
        [naive_view("view", "x", (13, 14), (14, 1), 1, invalid_element_value=-7.0), padded()],
        "Quads16x16",
        SQUARE,
        4,
        182,
    ),
    loaded("load_beyond_unpadded_f32", "f32", [rows(SQUARE, (16, 1))], "Quads16x16", SQUARE, 4, 256, (8, 8)),
    loaded(
        "load_before_unpadded_f32", "f32", [rows(SQUARE, (16, 1))], "Quads16x16", SQUARE, 4, 256, (-4, -4)
    ),
    loaded(
        "load_before_padded_f32",
        "f32",
        [rows((13, 14), (14, 1)), padded()],
        "Quads16x16",
        SQUARE,
        4,
        182,
        (-4, 6),
    ),
    loaded(
        "load_before_columns_padded_f32",
        "f32",
        [rows((13, 14), (14, 1)), padded()],
        "Quads16x16",
        SQUARE,
        4,
        182,
        (2, -4),
    ),
    loaded(
        "load_invalid_value_and_beyond_f32",
        "f32",
        [
            naive_view("view", "x", (13, 14), (14, 1), 1, invalid_element_value=-7.0),
            padded(do_pads=(False, True)),
        ],
        "Quads16x16",
        SQUARE,
        4,
        182,
    ),
    loaded(
        "load_padded_unchecked_f32",
        "f32",
        [rows((13, 14), (14, 1)), padded()],
        "Quads16x16",
        SQUARE,
        4,
        182,
        oob_conditional_check=False,
    ),
    loaded("load_replicated_f32", "f32", [rows((16, 8), (8, 1), 4)], "FourTimes16x8", (16, 8), 8, 128),
    loaded(
        "load_replicated_inner_f16", "f16", [rows((16, 8), (8, 1), 8)], "FourTimesInner16x8", (16, 8), 8, 128
    ),
    loaded("load_replicated_twice_i32", "i32", [rows((8, 8), (8, 1), 4)], "TwiceTwice8x8", (8, 8), 4, 64),
    loaded(
        "load_replicated_waves_f32",
        "f32",
        [rows((16, 32), (32, 1), 4)],
        "WavesTwice16x32",
        (16, 32),
        4,
        512,
        threads=256,
    ),
    loaded(
        "load_merged_f32",
        "f32",
        [
            rows((4, 6, 16), (112, 18, 1)),
            transformed(
                "merged", "view", entry("merge", [0, 1], [0], low_lengths=[4, 6]), pass_through(16, 2, 1)
            ),
        ],
        "Quads16x16",
        SQUARE,
        4,
        442,
        (4, 0),
    ),
    loaded(
        "load_unmerged_transposed_i32",
        "i32",
        [
            step("make_naive_tensor_view_packed", result="view", buffer="x", lengths=[256]),
            transformed("unmerged", "view", entry("unmerge", [0], [1, 0], up_lengths=[16, 16])),
        ],
        "Quads16x16",
        SQUARE,
        4,
        256,
    ),
    loaded(
        "load_transposed_view_f16",
        "f16",
        [
            rows((16, 24), (24, 1), 4),
            transformed("turned", "view", pass_through(16, 0, 1), pass_through(24, 1, 0)),
        ],
        "Columns16x16",
        SQUARE,
        4,
        384,
        (8, 0),
    ),
    loaded(
        "load_three_dimensions_f32",
        "f32",
        [rows((6, 8, 16), (128, 16, 1), 2)],
        "Cube4x8x8",
        (4, 8, 8),
        4,
        768,
        (1, 0, 4),
    ),
    loaded(
        "load_sliced_and_frozen_i32",
        "i32",
        [
            rows((4, 18, 20), (360, 20, 1)),
            transformed(
                "plane",
                "view",
                entry("freeze", [0], [], low_idx=2),
                entry("slice", [1], [0], low_length=18, slice_begin=1, slice_end=17),
                entry("slice", [2], [1], low_length=20, slice_begin=2, slice_end=18),
            ),
        ],
        "Quads16x16",
        SQUARE,
        4,
        1440,
    ),
    loaded(
        "load_embedded_f32",
        "f32",
        [
            step("make_naive_tensor_view_packed", result="view", buffer="x", lengths=[46]),
            transformed(
                "embedded", "view", entry("embed", [0], [0, 1], up_lengths=[16, 16], coefficients=[2, 1])
            ),
        ],
        "Quads16x16",
        SQUARE,
        4,
        46,
    ),
    loaded(
        "load_xored_f32",
        "f32",
        [
            rows(SQUARE, (16, 1)),
            transformed("mixed", "view", entry("xor", [0, 1], [0, 1], low_lengths=[16, 16])),
        ],
        "Quads16x16",
        SQUARE,
        4,
        256,
    ),
    loaded(
        "load_strided_line_f32",
        "f32",
        [step("make_naive_tensor_view_packed", result="view", buffer="x", lengths=[300])],
        "StridedLine256",
        (256,),
        4,
        300,
        (10,),
    ),
    loaded("load_broadcast_f32", "f32", [rows(SQUARE, (0, 1), 4)], "Quads16x16", SQUARE, 4, 16),
    Program(
        "load_with_elementwise_f32",
        [arange("x", "f32", 256, start=1), arange("b", "f32", 256, start=1000), full("y", "f32", (LANES, 4))],
        [
            naive_view("view", "x", SQUARE, (16, 1), 4),
            naive_view("other_view", "b", SQUARE, (16, 1), 4),
            tile_window("window", "view", SQUARE, (0, 0), "Quads16x16"),
            tile_window("other_window", "other_view", SQUARE, (0, 0), "Quads16x16"),
            step(
                "load_tile_with_elementwise",
                result="tile",
                windows=["window", "other_window"],
                function="a + b",
            ),
            dump("tile", "y"),
        ],
    ),
    Program(
        "load_into_tile_f32",
        [arange("x", "f32", 256, start=1), full("y", "f32", (LANES, 4))],
        [
            rows(SQUARE, (16, 1), 2),
            step("make_static_distributed_tensor", result="tile", dtype="f32", encoding="Blocks16x16"),
            tile_window("window", "view", SQUARE, (0, 0), "Blocks16x16"),
            step("load_tile_into", tile="tile", window="window"),
            dump("tile", "y"),
        ],
    ),
    Program(
        "load_raw_padded_f32",
        [arange("x", "f32", 156, start=1), full("y", "f32", (LANES, 4))],
        [
            rows((13, 12), (12, 1), 4),
            padded(),
            tile_window("window", "padded", SQUARE, (0, 0), "Quads16x16"),
            step("make_static_distributed_tensor", result="tile", dtype="f32", encoding="Quads16x16"),
            step("set_tile", tile="tile", value=-1),
            step("load_tile_raw", tile="tile", window="window"),
            dump("tile", "y"),
        ],
    ),
    loaded(
        "load_generic_padded_f32",
        "f32",
        [naive_view("view", "x", (13, 14), (14, 1), address_space="generic"), padded()],
        "Quads16x16",
        SQUARE,
        4,
        182,
    ),
]
