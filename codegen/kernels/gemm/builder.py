"""The GEMM kernel: text, launch shape and claims, from one configuration.

>>> kernel = gemm("naive")
>>> kernel.name, kernel.block, kernel.grid_for({"M": 512, "N": 256, "K": 64})
('gemm_rcr_f16_256x128x32_simple_row_major', (256,), (2, 2))
"""

from __future__ import annotations

from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.ladder import configured
from layoutalg.codegen.kernels.gemm.problem import K, M, N
from layoutalg.codegen.kernels.gemm.reference import GemmReference
from layoutalg.codegen.kernels.gemm.text import GemmText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.source import function, translation_unit

__all__ = ["gemm"]


def gemm(config: GemmConfig | str = "naive", name: str | None = None) -> Kernel:
    """``C[m, n] = sum of A[m, k] * B[k, n]`` by a configuration or a rung's name.

    The sizes are arguments of the kernel: any multiples of the tile, each matrix below 2**31 elements.
    """
    made = configured(config) if isinstance(config, str) else config
    tiles = GemmTiles(made)
    text = GemmText(tiles)
    tile_m, tile_n, _ = made.tile
    title = name or _name(made)
    arguments = _arguments(made)
    body = function(title, [a.declaration for a in arguments], made.threads, text.statements())
    return Kernel(
        name=title,
        summary=f"C = A B, {made.layouts}, {made.kind.word}, {tile_m} x {tile_n} a workgroup",
        arguments=arguments,
        domain=tiles.problem.sizes,
        grid=tiles.problem.grid,
        block=(made.threads,),
        claims=claims_of(tiles),
        text=translation_unit(_head(tiles), [*text.types, *text.functions], body),
        reference=GemmReference(made),
    )


def _arguments(config: GemmConfig) -> tuple[ArrayArgument | ScalarArgument, ...]:
    scale: tuple[ArrayArgument | ScalarArgument, ...] = ()
    if config.has_scale:
        factors = (ScalarArgument(name, config.factor) for name in ("alpha", "beta"))
        scale = (ArrayArgument("d", config.result, (M, N)), *factors)
    return (
        ArrayArgument("a", config.kind, (M, K) if config.is_k_first("M") else (K, M)),
        ArrayArgument("b", config.kind, (N, K) if config.is_k_first("N") else (K, N)),
        ArrayArgument("c", config.result, (config.split_k * M, N), is_output=True),
        *(ScalarArgument(size) for size in ("M", "N", "K")),
        *scale,
    )


def _name(config: GemmConfig) -> str:
    tile = "x".join(map(str, config.tile))
    lds = config.lds.replace("-", "_")
    return f"gemm_{config.layouts}_{config.element}_{tile}_{config.order}_{lds}"


def _head(tiles: GemmTiles) -> str:
    config = tiles.config
    tile_m, tile_n, tile_k = config.tile
    side = "transposed, a lane has neighbours of a row" if config.is_c_transposed else "standard"
    lines = (
        f"C = A B for A {_words(config.layouts[0], 'M x K')} and B {_words(config.layouts[1], 'K x N')}",
        f"({config.kind.word}), C {_words(config.layouts[2], 'M x N')} ({config.result.word}).",
        "",
        f"A workgroup of {config.threads} threads makes a {tile_m} x {tile_n} tile of C, {tile_k} of K",
        f"at a time, with {config.instruction_row.name}. C in registers: {side}.",
        f"Shared memory: {config.lds}, {tiles.lds_bytes} bytes. {config.schedule}.",
        "",
        f"  A loaded at    {tiles.a.load.index_map().outputs[0]}",
        f"  A in LDS at    {tiles.a.lds.offset} (i0 row, i1 along K)",
        "",
        f"Launch with grid (N / {tile_n}, M / {tile_m}), block {config.threads}.",
        f"Proved for M a multiple of {tile_m}, N of {tile_n}, K of {tile_k}; offsets below 2^31.",
    )
    return "\n".join(lines)


def _words(layout: str, lengths: str) -> str:
    return f"{lengths} {'row' if layout == 'r' else 'column'}-major"
