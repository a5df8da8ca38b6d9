"""The programs of ``lds.hip`` as data. ``z`` is the LDS, element by element; it held -1 before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.golden.tile_programs.words import (
    Buffer,
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

SYNC = step("block_sync_lds")


def loaded(
    encoding: str, lengths: Sequence[int], vector: int, tile: str = "tile", buffer: str = "x"
) -> list[Step]:
    return [
        naive_view(f"{tile}_view", buffer, lengths, (lengths[1], 1), vector),
        tile_window(f"{tile}_window", f"{tile}_view", lengths, (0, 0), encoding),
        load_tile(tile, f"{tile}_window"),
    ]


def lds(size: int, dtype: str) -> Step:
    return step("allocate_lds", result="lds", size=size, dtype=dtype, fill=-1)


def record(size: int) -> Step:
    return step("record_lds", lds="lds", buffer="z", size=size)


def view(result: str, lengths: Sequence[int], strides: Sequence[int], vector: int) -> Step:
    return naive_view(result, "lds", lengths, strides, vector)


def through(  # noqa: PLR0917  in the order of the sentences
    name: str,
    dtype: str,
    lengths: Sequence[int],
    source: tuple[str, int],
    views: Sequence[Step],
    size: int,
    target: str,
    threads: int = 64,
    read_through: Sequence[Step] = (),
) -> Program:
    """x becomes a tile, is stored through the last of the views, and loaded through the same or another."""
    count = lengths[0] * lengths[1]
    seen = [*views, *read_through][-1]["result"]
    return Program(
        name,
        [arange("x", dtype, count), full("y", dtype, (threads, count // threads)), full("z", dtype, (size,))],
        [
            lds(size, dtype),
            *views,
            tile_window("window", views[-1]["result"], lengths, (0, 0)),
            *loaded(source[0], lengths, source[1]),
            step("store_tile", window="window", tile="tile"),
            SYNC,
            *read_through,
            tile_window("read_window", seen, lengths, (0, 0), target),
            load_tile("read", "read_window"),
            dump("read", "y"),
            record(size),
        ],
        block=threads,
    )


def pass_through(length: int, lower: int, upper: int) -> dict[str, Any]:
    return entry("pass_through", [lower], [upper], low_length=length)


def buffers(dtype: str, *inputs: Buffer, threads: int, per_lane: int, size: int) -> list[Buffer]:
    return [*inputs, full("y", dtype, (threads, per_lane)), full("z", dtype, (size,))]


PACKED = step(
    "make_naive_tensor_view_packed",
    result="lds_view",
    buffer="lds",
    lengths=[16, 16],
    guaranteed_vector_length=4,
)
PROGRAMS = [
    through("lds_packed_f32", "f32", (16, 16), ("Quads16x16", 4), [PACKED], 256, "Columns16x16"),
    through(
        "lds_padded_rows_f32",
        "f32",
        (16, 16),
        ("Quads16x16", 4),
        [view("lds_view", (16, 16), (20, 1), 4)],
        320,
        "Columns16x16",
    ),
    through(
        "lds_padded_planes_f16",
        "f16",
        (16, 32),
        ("Octets16x32", 8),
        [
            view("planes", (4, 16, 8), (136, 8, 1), 8),
            transformed(
                "lds_view", "planes", pass_through(16, 1, 0), entry("merge", [0, 2], [1], low_lengths=[4, 8])
            ),
        ],
        544,
        "Octets16x32",
    ),
    through(
        "lds_xor_f16",
        "f16",
        (16, 32),
        ("Octets16x32", 8),
        [
            view("groups", (16, 4, 8), (32, 8, 1), 8),
            transformed(
                "mixed", "groups", entry("xor", [0, 1], [0, 1], low_lengths=[16, 4]), pass_through(8, 2, 2)
            ),
            transformed(
                "lds_view", "mixed", pass_through(16, 0, 0), entry("merge", [1, 2], [1], low_lengths=[4, 8])
            ),
        ],
        512,
        "Twos16x32",
    ),
    through(
        "lds_transposed_by_four_waves_f16",
        "f16",
        (32, 32),
        ("Block32x32", 2),
        [view("lds_view", (32, 32), (34, 1), 2)],
        32 * 34,
        "Square32x32",
        256,
        [transformed("turned", "lds_view", pass_through(32, 0, 1), pass_through(32, 1, 0))],
    ),
    Program(
        "lds_two_buffers_i32",
        buffers(
            "i32",
            arange("x", "i32", 256),
            arange("b", "i32", 256, start=1000),
            threads=64,
            per_lane=4,
            size=512,
        ),
        [
            lds(512, "i32"),
            {**PACKED, "lengths": [32, 16]},
            tile_window("window", "lds_view", (16, 16), (0, 0)),
            *loaded("Quads16x16", (16, 16), 4),
            step("store_tile", window="window", tile="tile"),
            step("move_tile_window", window="window", step=[16, 0]),
            *loaded("Quads16x16", (16, 16), 4, "other", "b"),
            step("store_tile", window="window", tile="other"),
            SYNC,
            tile_window("read_window", "lds_view", (16, 16), (8, 0), "Strided16x16"),
            load_tile("read", "read_window"),
            dump("read", "y"),
            record(512),
        ],
    ),
    Program(
        "lds_async_load_f32",
        buffers("f32", arange("x", "f32", 280), threads=64, per_lane=4, size=256),
        [
            lds(256, "f32"),
            naive_view("view", "x", (4, 64), (72, 1), 1),
            {**PACKED, "lengths": [4, 64], "guaranteed_vector_length": 1},
            tile_window("window", "lds_view", (4, 64), (0, 0)),
            tile_window("source_window", "view", (4, 64), (0, 0), "Rows4x64"),
            step("async_load_tile", lds_window="window", window="source_window"),
            SYNC,
            tile_window("read_window", "lds_view", (4, 64), (0, 0), "Rows4x64"),
            load_tile("read", "read_window"),
            dump("read", "y"),
            record(256),
        ],
    ),
]
