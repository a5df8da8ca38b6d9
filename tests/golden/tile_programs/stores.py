"""The programs of ``stores.hip`` as data."""

from __future__ import annotations

from tests.golden.tile_programs.words import (
    LANES,
    SQUARE,
    Program,
    Step,
    arange,
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


def stored(  # noqa: PLR0917  in the order of the sentences
    name: str,
    dtype: str,
    source: Step,
    targets: list[Step],
    encoding: str,
    lengths: tuple[int, ...],
    size: int,
    shape: tuple[int, ...],
    origin: tuple[int, ...] | None = None,
    op: str = "store_tile",
    fill: float = -1,
    target_encoding: str | None = "same",
    grid: tuple[int, ...] = (1,),
    block: int = LANES,
    modulo: int = 0,
) -> Program:
    """One tile is loaded at the origin of the source and stored, or updated, into y, which holds ``fill``."""
    begin = (0,) * len(lengths)
    at = origin or begin
    return Program(
        name,
        [arange("x", dtype, size, modulo=modulo, start=1), full("y", dtype, shape, fill)],
        [
            {**source, "result": "source"},
            *targets,
            tile_window(
                "target_window", targets[-1]["result"], lengths, at, encoding if target_encoding else None
            ),
            tile_window("source_window", "source", lengths, begin, encoding),
            load_tile("tile", "source_window"),
            step(op, window="target_window", tile="tile"),
        ],
        grid,
        block,
    )


PACKED = rows(SQUARE, (16, 1), 4)


def into(lengths: tuple[int, ...], strides: tuple[int, ...], vector: int, **words: str) -> Step:
    return naive_view("target", "y", lengths, strides, vector, **words)


ADD = {"memory_operation": "atomic_add"}
PROGRAMS = [
    stored(
        "store_at_origin_f32",
        "f32",
        PACKED,
        [into((20, 24), (24, 1), 4)],
        "Quads16x16",
        SQUARE,
        256,
        (20, 24),
        (2, 4),
    ),
    stored(
        "store_through_static_lengths_f16",
        "f16",
        rows((32, 32), (32, 1), 2),
        [into((32, 34), (34, 1), 2)],
        "Block32x32",
        (32, 32),
        1024,
        (32, 34),
        (0, 2),
        target_encoding=None,
        block=256,
    ),
    stored(
        "store_padded_f32",
        "f32",
        PACKED,
        [into((13, 14), (16, 1), 1), padded("target")],
        "Quads16x16",
        SQUARE,
        256,
        SQUARE,
    ),
    stored(
        "store_padded_inside_vector_f32",
        "f32",
        PACKED,
        [into((13, 14), (16, 1), 4), padded("target")],
        "Quads16x16",
        SQUARE,
        256,
        SQUARE,
    ),
    stored(
        "store_beyond_unpadded_i32",
        "i32",
        PACKED,
        [into((12, 16), (40, 1), 1)],
        "Quads16x16",
        SQUARE,
        256,
        (20, 40),
        (2, 12),
    ),
    stored(
        "store_columns_f32",
        "f32",
        rows(SQUARE, (16, 1)),
        [into(SQUARE, (16, 1), 4)],
        "Columns16x16",
        SQUARE,
        256,
        SQUARE,
    ),
    stored(
        "store_transposed_view_i8",
        "i8",
        PACKED,
        [
            into(SQUARE, (16, 1), 1),
            transformed("turned", "target", pass_through(16, 0, 1), pass_through(16, 1, 0)),
        ],
        "Quads16x16",
        SQUARE,
        256,
        SQUARE,
        modulo=113,
    ),
    stored(
        "store_vectors_i8",
        "i8",
        PACKED,
        [into(SQUARE, (20, 1), 4)],
        "Quads16x16",
        SQUARE,
        256,
        (16, 20),
        modulo=113,
    ),
    stored(
        "store_replicated_f32",
        "f32",
        rows((16, 8), (8, 1), 4),
        [into((16, 8), (8, 1), 4)],
        "FourTimes16x8",
        (16, 8),
        128,
        (16, 8),
    ),
    stored(
        "store_three_dimensions_f32",
        "f32",
        rows((4, 8, 8), (64, 8, 1), 2),
        [
            into((32, 10), (10, 1), 2),
            transformed(
                "cube", "target", entry("unmerge", [0], [0, 1], up_lengths=[4, 8]), pass_through(10, 1, 2)
            ),
        ],
        "Cube4x8x8",
        (4, 8, 8),
        256,
        (32, 10),
        (0, 0, 2),
    ),
    stored(
        "update_set_f32",
        "f32",
        PACKED,
        [into(SQUARE, (16, 1), 4)],
        "Quads16x16",
        SQUARE,
        256,
        SQUARE,
        op="update_tile",
    ),
    stored(
        "update_atomic_add_f32",
        "f32",
        PACKED,
        [into(SQUARE, (16, 1), 4, **ADD)],
        "Quads16x16",
        SQUARE,
        256,
        SQUARE,
        op="update_tile",
        fill=100,
        grid=(2,),
    ),
    stored(
        "update_atomic_add_replicated_i32",
        "i32",
        rows((16, 8), (8, 1), 4),
        [into((16, 8), (8, 1), 1, **ADD)],
        "FourTimes16x8",
        (16, 8),
        128,
        (16, 8),
        op="update_tile",
        fill=7,
    ),
    stored(
        "update_atomic_add_padded_f16",
        "f16",
        rows(SQUARE, (16, 1), 2),
        [into((13, 14), (16, 1), 2, **ADD), padded("target")],
        "Blocks16x16",
        SQUARE,
        256,
        SQUARE,
        op="update_tile",
        fill=0.5,
    ),
]
