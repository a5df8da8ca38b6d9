"""Broken by an edit: kernels of this package (their HIP), and CK Tile's (the assembly of its headers)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from layoutalg.codegen.executors import Output
from tests.codegen.sanitizer.broken_kernel import BrokenKernel, KernelLaunch, at, numbers, output, picked
from tests.codegen.sanitizer.edited_kernels import TARGET, assembly, edited, own, places

__all__ = ["CK_TILE", "OWN"]

F2, F4 = np.float16, np.float32
Edits = tuple[tuple[str, str], ...]
LOAD = r"^( *loaded\[r\] = .*;)$"
STORE = r"^( *\*reinterpret_cast<float_x4\*>\(target.*;)$"
INTO_LDS, GEMM_LDS = (
    r"^( *\*reinterpret_cast<float_x4\*>\(tile.*;)$",
    r"^( .*reinterpret_cast<.*_lds \+ .*;)$",
)


def marked(line: str, check: str, comment: str = "//") -> tuple[str, str]:
    """An edit that marks the lines of a pattern, in whose first group the line is.

    >>> marked("^(x)$", "out-of-bounds")[1]
    '\\\\1  // BROKEN: out-of-bounds'
    """
    return line, rf"\1  {comment} BROKEN: {check}"


def _tail() -> KernelLaunch:
    return at((4, 4, 1), 64, numbers(10000, F4), output(10000, F4))


def _waves() -> KernelLaunch:
    return at((2, 2, 1), 256, numbers(128 * 128, F4), output(128 * 128, F4))


def _gemm() -> KernelLaunch:
    m, n, k = 256, 128, 96
    return at((1, 1), 256, picked(m * k, 4, F2), picked(n * k, 5, F2), output(m * n, F2), m, n, k)


LAUNCHES = {"tail": _tail, "waves": _waves, "gemm": _gemm}
OWN_ROWS: tuple[tuple[str, str, str, str, str, Edits], ...] = (
    ("transpose_loads_unguarded", "out-of-bounds", "tail", "gfx942", "The guard of the loads is gone.",
     ((r"^( *)(if \(row \+ r.*)$", r"\1//+ \2"), marked(LOAD, "out-of-bounds"))),
    ("transpose_stores_unguarded", "out-of-bounds", "tail", "gfx950", "The guard of the stores is gone.",
     ((r"^( *)(if \(out_row.*)$", r"\1//+ \2"), marked(STORE, "out-of-bounds"))),
    ("transpose_with_a_wrong_stride", "out-of-bounds", "tail", "gfx90a",
     "Rows are loaded 101 elements apart.",
     ((r"^( *)(loaded\[r\] = .*)source \+ 100 \* r(.*)$",
       r"\1\2source + 101 * r\3  // BROKEN: out-of-bounds\n\1//= \2source + 100 * r\3"),)),
    ("transpose_without_its_last_rows", "output-unwritten", "tail", "gfx942",
     "The guard of the stores is too near.",
     ((r"^( *)(if \(out_row) < 100(.*)$", r"\1\2 < 96\3\n\1//= \2 < 100\3"),
      marked(STORE, "output-unwritten"))),
    ("transpose_into_its_input", "input-written", "tail", "gfx908", "The target is the source.",
     ((r"^( *)float\* target = out (.*)$",
       r"\1float* target = const_cast<float*>(in) \2\n\1//= float* target = out \2"),
      marked(STORE, "input-written"))),
    ("transpose_of_three_quarters", "uninitialised-lds", "waves", "gfx942",
     "One row in four of the tile stays unwritten.",
     ((r"^( *)for \(int c = 0; c < 4(.*)$", r"\1for (int c = 0; c < 3\2\n\1//= for (int c = 0; c < 4\2"),
      marked(STORE, "uninitialised-lds"))),
    ("transpose_with_a_lossy_swizzle", "lds-lane-race", "tail", "gfx90a",
     "The swizzle takes an and for an xor.",
     ((r"^( *const int store = .*) \^ (.*)$", r"\1 & \2\n//= \1 ^ \2"), marked(INTO_LDS, "lds-lane-race"))),
    ("transpose_without_barrier", "lds-race", "waves", "gfx950",
     "The barrier between the LDS's stores and loads is gone.",
     ((r"^( *)__syncthreads\(\);$", r"\1//+ __syncthreads();"), marked(INTO_LDS, "lds-race"),
      marked(STORE, "lds-race"))),
    ("gemm_without_its_first_barrier", "lds-race", "gemm", "gfx942",
     "The next tile is stored while others multiply.",
     ((r"(_next \+= tile_k;\n *)(__syncthreads\(\);)", r"\1//+ \2"), marked(GEMM_LDS, "lds-race"))),
    ("gemm_one_tile_too_far", "out-of-bounds", "gemm", "gfx90a", "The loop along K turns once too often.",
     ((r"^( *const int turns = K / tile_k);$", r"\1 + 1;\n//= \1;"),
      marked(r"^( *[ab]_tile\[i\] = .*;)$", "out-of-bounds"))),
)  # fmt: skip
OWN = tuple(
    BrokenKernel(
        name, check, "own", source, target, what, LAUNCHES[source],
        has_place=check != "output-unwritten",
        make=lambda source=source, edits=edits: edited(own(source).text, *edits),  # type: ignore[misc]
    )
    for name, check, source, target, what, edits in OWN_ROWS
)  # fmt: skip


def _transpose(rows: int = 128) -> KernelLaunch:
    """``rows``: what the arrays hold, where the kernel is told of 128."""
    source, target, batch, height, width, stride = places("transpose")
    told = {batch: 1, height: 128, width: 192, stride: 128 * 192}
    members = {source: numbers(rows * 192, F2), target: Output(np.zeros(128 * 192, F2))}
    return at((2, 3, 1), 64, {**members, **{place: np.int32(size) for place, size in told.items()}})


def _ck_gemm() -> KernelLaunch:
    m, n, k = 256, 128, 128
    a, b, c, *sizes = places("gemm")
    told = dict(zip(sizes, (m, n, k, k, k, n, 1), strict=True))
    members = {a: picked(m * k, 4, F2), b: picked(n * k, 5, F2), c: Output(np.zeros(m * n, F2))}
    return at(1, 256, {**members, **{place: np.int32(size) for place, size in told.items()}})


ALL_OF_LDS = r"^(\tds_(?:read|write)_.*)$"
FIRST_PAIR = r"(ds_read_b128 v\[192:195\], v149 offset:16384\n)"
CK_ROWS: tuple[tuple[str, str, str, str, Callable[[], KernelLaunch], Edits], ...] = (
    ("ck_transpose_waits_for_one_less", "missing-wait", "transpose",
     "A wait for loads lets one more be under way.", _transpose,
     ((r"^\ts_waitcnt vmcnt\(2\)\n(\tv_perm.*)$",
       r"\ts_waitcnt vmcnt(3)\n\t;= s_waitcnt vmcnt(2)\n\1 ; BROKEN: missing-wait"),)),
    ("ck_transpose_of_fewer_rows", "out-of-bounds", "transpose",
     "The sizes tell of more rows than the array has.",
     lambda: _transpose(100), (marked(r"^(\tbuffer_load_dwordx4.*)$", "out-of-bounds", ";"),)),
    ("ck_transpose_stores_off_by_eight", "output-unwritten", "transpose",
     "One of the stores is eight elements off.", _transpose,
     ((r"^(\tbuffer_store_dwordx4 v\[24:27\], .* offen)$",
       r"\1 offset:16 ; BROKEN: output-unwritten\n\t;= \1"),)),
    ("ck_gemm_without_the_barrier_before_reads", "lds-race", "gemm",
     "The barrier after the stores of a tile is gone.", _ck_gemm,
     ((r"\ts_barrier\n(\tds_read_b128 v\[162:165\], v148\n)", r"\t;+ s_barrier\n\1"),
      marked(ALL_OF_LDS, "lds-race", ";"))),
    ("ck_gemm_without_the_barrier_after_reads", "lds-race", "gemm",
     "The barrier before the next tile's stores is gone.", _ck_gemm,
     ((r"(v160 offset:20480\n(?:.*\n){0,3}?)\ts_barrier\n", r"\1\t;+ s_barrier\n"),
      marked(ALL_OF_LDS, "lds-race", ";"))),
    ("ck_gemm_uses_the_lds_too_early", "missing-wait", "gemm",
     "Reads of the LDS go into a matrix instruction with no wait.", _ck_gemm,
     ((FIRST_PAIR + r"\ts_waitcnt lgkmcnt\(0\)\n(\tv_mfma.*)$",
       r"\1\t;+ s_waitcnt lgkmcnt(0)\n\2 ; BROKEN: missing-wait"),)),
    ("ck_gemm_reads_past_the_lds", "out-of-bounds", "gemm",
     "The offset of a read of B lies past the LDS.", _ck_gemm,
     ((r"^(\tds_read_b128 v\[208:211\], v160) offset:20480$",
       r"\1 offset:40960 ; BROKEN: out-of-bounds\n\t;= \1 offset:20480"),)),
    ("ck_gemm_reads_off_by_two", "misaligned", "gemm",
     "The offset of a read of A is no multiple of its 16 bytes.", _ck_gemm,
     ((r"^(\tds_read_b128 v\[204:207\], v157)$",
       r"\1 offset:2 ; BROKEN: misaligned\n\t;= \1"),)),
)  # fmt: skip
CK_TILE = tuple(
    BrokenKernel(
        name, check, "ck_tile", source, TARGET, what, launch,
        is_mended=name != "ck_transpose_of_fewer_rows",
        has_place=check != "output-unwritten",
        make=lambda source=source, edits=edits: edited(assembly(source), *edits),  # type: ignore[misc]
    )
    for name, check, source, what, launch, edits in CK_ROWS
)  # fmt: skip
