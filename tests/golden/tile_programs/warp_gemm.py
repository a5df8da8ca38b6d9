"""The programs of ``warp_gemm.hip`` as data."""

from __future__ import annotations

from collections.abc import Sequence

from tests.golden.tile_programs.words import (
    Buffer,
    Program,
    Step,
    dump,
    full,
    load_tile,
    naive_view,
    step,
    tile_window,
    values,
)

__all__ = ["PROGRAMS"]


def integers(name: str, dtype: str, size: int, factor: int) -> Buffer:
    """Whole numbers from -5 to 5 without an order, so that products' sums are exact."""
    return values(name, dtype, [i * factor % 127 % 11 - 5 for i in range(size)])


def operand(tile: str, buffer: str, shape: tuple[int, int], encoding: str, vector: int) -> list[Step]:
    rows, k = shape
    return [
        naive_view(f"{tile}_view", buffer, (rows, k), (k, 1), vector),
        tile_window(f"{tile}_window", f"{tile}_view", (rows, k), (0, 0), encoding),
        load_tile(tile, f"{tile}_window"),
    ]


def product(  # noqa: PLR0917  in the order of the sentences
    name: str,
    warp_gemm: str,
    shape: Sequence[int],
    operands: str,
    result: str,
    vector: int,
    initial: float = 0,
    stored: int = 0,
    dtype: str = "f16",
) -> Program:
    m, n, k = shape
    buffers = [
        integers("x", dtype, m * k, 37),
        integers("b", dtype, n * k, 53),
        full("y", "f32", (64, m * n // 64)),
    ]
    more: list[Step] = []
    if stored:
        buffers.append(full("z", "f32", (m, n), -1))
        more = [
            naive_view("target", "z", (m, n), (n, 1), stored),
            tile_window("target_window", "target", (m, n), (0, 0)),
            step("store_tile", window="target_window", tile="c"),
        ]
    return Program(
        name,
        buffers,
        [
            step("make_static_distributed_tensor", result="c", dtype="f32", encoding=result),
            step("set_tile", tile="c", value=initial),
            *operand("a", "x", (m, k), operands, vector),
            *operand("b", "b", (n, k), operands, vector),
            step("warp_gemm", warp_gemm=warp_gemm, c="c", a="a", b="b", m=m, n=n, k=k),
            dump("c", "y"),
            *more,
        ],
    )


def moving(tile: str, buffer: str) -> list[Step]:
    return [
        naive_view(f"{tile}_view", buffer, (32, 16), (16, 1), 4),
        tile_window(f"{tile}_window", f"{tile}_view", (32, 8), (0, 0), "Mfma32x32x8Operand"),
    ]


F16 = "WarpGemmMfmaF16F16F32"
BIG, SMALL = "Mfma32x32x8Operand", "Mfma16x16x16Operand"
PROGRAMS = [
    product("gemm_f16_32x32x8", f"{F16}M32N32K8", (32, 32, 8), BIG, "Mfma32x32Result", 4, stored=1),
    product("gemm_f16_16x16x16", f"{F16}M16N16K16", (16, 16, 16), SMALL, "Mfma16x16Result", 4, 0.5),
    product(
        "gemm_f16_32x32x8_transposed_c",
        f"{F16}M32N32K8TransposedCDistribution",
        (32, 32, 8),
        BIG,
        "Mfma32x32TurnedResult",
        4,
    ),
    product(
        "gemm_f16_16x16x16_transposed_c",
        f"{F16}M16N16K16TransposedCDistribution",
        (16, 16, 16),
        SMALL,
        "Mfma16x16TurnedResult",
        4,
        stored=4,
    ),
    product(
        "gemm_f16_32x32x16", f"{F16}M32N32K16", (32, 32, 16), "Mfma32x32x16Operand", "Mfma32x32Result", 8
    ),
    product(
        "gemm_f32_16x16x4",
        "WarpGemmMfmaF32F32F32M16N16K4",
        (16, 16, 4),
        "Mfma16x16x4F32Operand",
        "Mfma16x16Result",
        1,
        dtype="f32",
    ),
    Program(
        "gemm_f16_two_steps",
        [integers("x", "f16", 512, 37), integers("b", "f16", 512, 53), full("y", "f32", (64, 16))],
        [
            *moving("a", "x"),
            *moving("b", "b"),
            step("make_static_distributed_tensor", result="c", dtype="f32", encoding="Mfma32x32Result"),
            step("clear_tile", tile="c"),
            *[
                load_tile("a", "a_window"),
                load_tile("b", "b_window"),
                step("warp_gemm", warp_gemm=f"{F16}M32N32K8", c="c", a="a", b="b", m=32, n=32, k=8),
                step("move_tile_window", window="a_window", step=[0, 8]),
                step("move_tile_window", window="b_window", step=[0, 8]),
            ]
            * 2,
            dump("c", "y"),
        ],
    ),
]
