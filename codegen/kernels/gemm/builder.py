"""The GEMM kernel: text, launch shape and claims, from one configuration.

>>> kernel = gemm("naive")
>>> kernel.name, kernel.block, kernel.grid_for({"M": 512, "N": 256, "K": 64})
('gemm_gfx942_rcr_f16_to_f16_256x128x32_by_4x1_of_32x32_simple_row_major', (256,), (2, 2))
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr

from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.kernels.gemm.accesses import accesses_of
from layoutalg.codegen.kernels.gemm.block_scales import SCALE
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, NAMES
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem, M, N
from layoutalg.codegen.kernels.gemm.ladder import configured
from layoutalg.codegen.kernels.gemm.reference import GemmReference
from layoutalg.codegen.kernels.gemm.text import GemmText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.kernels.stored_matrix import (
    StoredMatrix,
    batch_scalars,
    batch_words,
    leading_scalars,
    leading_words,
)
from layoutalg.codegen.text.kernel_name import kernel_name
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.rules import simplify

__all__ = ["gemm"]


SCALES_NEED = (
    "Compile with clang 21 or later: clang 20 takes byte 0 of each register of scales",
    "(llvm-project pull request 140183).",
)


def gemm(config: GemmConfig | str = "naive", name: str | None = None) -> Kernel:
    """``C[m, n] = sum of A[m, k] * B[k, n]`` by a configuration or a rung's name.

    The sizes are arguments of the kernel: any multiples of the tile, each matrix below 2**31 elements, though
    a batch may be longer.
    """
    made = configured(config) if isinstance(config, str) else config
    tiles = GemmTiles(made)
    _require_room(tiles)
    text = GemmText(tiles)
    tile_m, tile_n, _ = made.tile
    return make_kernel(
        name or _name(made),
        f"C = A B, {made.layouts}, {made.kind.word}, {tile_m} x {tile_n} a workgroup",
        _arguments(tiles.problem),
        LaunchShape(tiles.problem.grid, (made.threads,), tiles.problem.sizes, made.waves_per_simd),
        SourceText(_prose(tiles), [*text.types, *text.functions], text.statements()),
        claims=claims_of(tiles),
        accesses=accesses_of(tiles),
        reference=GemmReference(made),
    )


def _require_room(tiles: GemmTiles) -> None:
    """Refuse tiles that do not fit into shared memory with what pads their rows."""
    need, have = tiles.lds_bytes, Target.named(tiles.config.target).lds_bytes_per_workgroup
    if need > have:
        msg = f"gemm: the tiles need {need} bytes of shared memory with padding,"
        hint = "take a smaller tile, or --lds xor, which pads nothing"
        raise LayoutError(f"{msg} a workgroup on {tiles.config.target} has {have}", hint=hint)


def _arguments(problem: GemmProblem) -> tuple[ArrayArgument | ScalarArgument, ...]:
    config, (a, b, c) = problem.config, problem.matrices
    return (
        a.argument(config.kind, begins_anywhere=config.begins_anywhere("M")),
        b.argument(config.kind, begins_anywhere=config.begins_anywhere("N")),
        *(
            scales.matrix.argument(SCALE, begins_anywhere=scales.whole is not None)
            for scales in GemmTiles(config).scales
        ),
        *(_output(replace(c, name=name), config) for name in config.becomes.outputs),
        *(ScalarArgument(size) for size in ("M", "N", "K")),
        *leading_scalars(problem.matrices),
        *batch_scalars(problem.matrices),
        *(_beside(name, c, config) for name in config.becomes.arrays),
        *(ScalarArgument(name, config.factor) for name in config.becomes.scalars),
    )


def _output(matrix: StoredMatrix, config: GemmConfig) -> ArrayArgument:
    made = matrix.argument(config.result, is_output=True, begins_anywhere=config.rows_end_inside_vectors)
    return replace(made, is_added_to=config.adds_atomically)


def _beside(name: str, c: StoredMatrix, config: GemmConfig) -> ArrayArgument:
    """An array that the epilogue reads."""
    if name == "d":
        return replace(c, name=name).argument(config.result)
    return ArrayArgument(name, config.result, (M if ARRAYS[name] == "m" else N,))


def _name(config: GemmConfig) -> str:
    """Every field of the configuration; those that are off are left out."""
    return kernel_name(
        "gemm",
        config.target,
        config.layouts,
        f"{config.element}_to_{config.output}",
        config.tile,
        "by",
        config.waves,
        "of",
        config.instruction,
        config.order,
        config.lds.replace("-", "_"),
        f"k1_{config.k1}" if config.k1 is not None else "",
        "whole" if config.reads_whole_vectors else "",
        "" if config.is_c_transposed else "c_as_is",
        f"groups_of_{config.group_m}" if config.group_m > 1 else "",
        f"of_{config.xcds}_dies" if config.xcds > 1 else "",
        f"split_by_{config.split_k}" if config.split_k > 1 else "",
        "added" if config.adds_atomically else "",
        "tails" if config.has_tails else "",
        *(("multiples_of", config.size_multiples) if config.size_multiples else ()),
        "block_scales" if config.has_block_scales else "",
        "masked" if config.masks_every_tile else "",
        "scaled" if config.has_scale else "",
        *(("epilogue", config.becomes.slug) if config.epilogue else ()),
        "staged" if config.stages_result else "",
        "leading" if config.has_leading_dimensions else "",
        "batched" if config.is_batched else "",
        f"{config.waves_per_simd}_a_simd" if config.waves_per_simd else "",
    )


def _prose(tiles: GemmTiles) -> str:
    config = tiles.config
    tile_m, tile_n, tile_k = config.tile
    names = {name: name for name in NAMES} | {"c": "(A B)", "d": "D"}
    made = "alpha A B + beta D" if config.has_scale else config.becomes.text(names)
    made = "A B" if config.becomes.is_plain else made
    more = config.becomes.outputs[1:]
    side = "transposed, a lane has neighbours of a row" if config.is_c_transposed else "standard"
    lines = (
        f"C = {made} for A {_words(config.layouts[0], 'M x K')} and B {_words(config.layouts[1], 'K x N')}",
        f"({config.kind.word}), C {_words(config.layouts[2], 'M x N')} ({config.result.word}).",
        *(f"{name.upper()}, which lies as C, = {config.becomes.text(names, output=name)}." for name in more),
        *_shared_words(config),
        *(SCALES_NEED if config.has_block_scales else ()),
        *_parts(config),
        *_steps(tiles.problem),
        "",
        f"A workgroup of {config.threads} threads makes a {tile_m} x {tile_n} tile of C, {tile_k} of K",
        f"at a time, with {config.instruction_row.name}. C in registers: {side}.",
        f"Shared memory: {config.lds}, {tiles.lds_bytes} bytes. {config.schedule}.",
        "",
        f"  A loaded at    {_loaded_at(tiles)}",
        f"  A in LDS at    {tiles.a.read.descriptor.offset} (i0 row, i1 along K)",
    )
    return "\n".join(lines)


def _loaded_at(tiles: GemmTiles) -> Expr:
    """Where A is loaded; in closed form where lanes load what belongs to their places in shared memory."""
    made = tiles.a.load.index_map()
    if not tiles.config.schedule.copies:
        return made.outputs[0]
    return simplify(made.outputs[0], made.domain, assume_defined=True).expr


def _shared_words(config: GemmConfig) -> list[str]:
    """What K counts where no element is a whole number."""
    name, numbers, elements = config.kind.unpacked
    if elements == 1:
        return []
    words = (
        f"K counts words of {config.kind.bits} bits: {numbers} numbers ({name}) lie in {elements} of them,"
    )
    return [words, "one after the other, the first in the lowest bits."]


def _parts(config: GemmConfig) -> list[str]:
    """What a split of K leaves in C, and in which order tiles come."""
    parts = config.split_k
    if config.adds_atomically:
        shared = f"{parts} workgroups share K, and each" if parts > 1 else "A workgroup"
        said = [f"{shared} adds what it has to what C holds: zeros, for the product alone."]
    elif parts > 1:
        said = [f"C holds {parts} such matrices below each other: the sums over as many parts of K."]
    else:
        said = []
    if config.takes_last_tile_first:
        of_k = "Of each part of K" if parts > 1 else "Of K"
        said.append(f"{of_k} the last tile comes first: it alone may be a part of one.")
    return said


def _steps(problem: GemmProblem) -> list[str]:
    """Where rows begin, and the matrices of a batch."""
    a, b, c = problem.matrices
    becomes = problem.config.becomes
    of_d = [replace(c, name=name) for name in (*becomes.outputs[1:], *becomes.arrays) if name in {"d", "e"}]
    config = problem.config
    reads_between = config.takes_last_tile_first and not all(map(config.is_k_first, "MN"))
    matrices = (a, b, c, *of_d)
    of_rows = leading_words(matrices, config.vector_bytes, reads_between=reads_between)
    return [*of_rows, *batch_words(matrices)]


def _words(layout: str, lengths: str) -> str:
    return f"{lengths} {'row' if layout == 'r' else 'column'}-major"
