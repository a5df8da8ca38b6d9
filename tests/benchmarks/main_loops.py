"""Main loops of GEMM kernels, ours beside CK Tile's and Triton's: what they consist of, what the models say.

    python -m tests.benchmarks.main_loops

No GPU is needed. The shares are those of the cycles in which the matrix cores work, by the models
``codegen/gfx9/issue_timing.py`` (``1w``, one wave on each SIMD) and ``compute_unit_timing.py`` (``occ``, all
waves that fit; ``M`` with memory twice as far, ``L`` with half of the rate of the LDS), bank conflicts left
out. In brackets stand the figures that the field test of commit e88f253 found for the same kernels; exit
status 1 if one differs by more than .03. The first run compiles CK Tile's kernels, a minute in all.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from layoutalg.codegen.gfx9.issue_timing import SITUATIONS
from layoutalg.errors import ToolError
from tests.benchmarks.loop_kernels import KERNELS, MainLoop

__all__ = ["ANCHORS", "COLUMNS", "TOLERANCE", "shares", "strays"]

TARGET = "gfx942"  # of the field test
TOLERANCE = 0.03
COLUMNS = ("1w", "occ", "M", "L")
ANCHORS: dict[str, tuple[float | None, ...]] = {  # by column; None where nobody measured
    "ours, default": (0.966, 0.966, 0.61, 0.78),
    "ours 256x256x32, 2x2": (0.738, 0.738, 0.74, 0.74),
    "ours 256x256x32, 4x2": (0.988, 0.996, 0.996, 0.93),
    "CK Tile V3 256x128x32": (0.713, 0.985, 0.984, 0.82),
    "CK Tile V4 256x128x32": (0.573, 0.58, 0.44, 0.50),
    "CK Tile V3 128x128x64": (0.631, 0.985, None, None),
    "Triton 256x256x64": (0.532, 0.965, 0.965, 0.73),
}
NEAR, USUAL, FAR, SLOW_LDS = SITUATIONS.values()


def main() -> int:
    """Print the tables."""
    loops = {}
    for name, kernel in KERNELS.items():
        try:
            loops[name] = kernel(TARGET)
        except (ImportError, ToolError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    found = {name: shares(loop) for name, loop in loops.items()}
    Console(width=200).print(_anchored(loops, found), _beyond(loops))
    wrong = strays(found)
    for name, column, difference in wrong:
        print(f"{name}: {column} differs by {difference:+.3f}")
    return 1 if wrong else 0


def shares(loop: MainLoop) -> tuple[float, ...]:
    """What the models say of a loop, by column."""
    return loop.share_of_one_wave(USUAL), *(loop.share(model) for model in (USUAL, FAR, SLOW_LDS))


def strays(found: dict[str, tuple[float, ...]]) -> list[tuple[str, str, float]]:
    """The figures that are too far from their anchors: kernel, column, difference."""
    differences = [
        (name, column, share - anchor)
        for name, row in found.items()
        for column, share, anchor in zip(COLUMNS, row, ANCHORS[name], strict=True)
        if anchor is not None
    ]
    return [one for one in differences if abs(one[2]) > TOLERANCE]


def _anchored(loops: dict[str, MainLoop], found: dict[str, tuple[float, ...]]) -> Table:
    """What a wave does for a tile along K, what it needs, and the shares beside their anchors."""
    table = Table(title="Main loops, for a tile along K and a wave; share (anchor and difference)")
    for title in ("kernel", "MFMA", "ds rd/wr", "loads", "VALU+moves", "barriers", "VGPR+AGPR", "waves"):
        table.add_column(title)
    for column in COLUMNS:
        table.add_column(column)
    for name, loop in loops.items():
        n, needs = loop.counts, loop.resources
        table.add_row(
            name,
            f"{n['mfma']:g}",
            f"{n['ds_read']:g}/{n['ds_write']:g}",
            f"{n['vmem']:g}",
            f"{n['valu'] - n['v_accvgpr']:g}+{n['v_accvgpr']:g}",
            f"{n['s_barrier']:g}",
            f"{needs.vgprs - needs.agprs}+{needs.agprs}",
            str(loop.occupancy.waves),
            *(
                f"{share:.3f}" if anchor is None else f"{share:.3f} ({anchor:.3f} {share - anchor:+.3f})"
                for share, anchor in zip(found[name], ANCHORS[name], strict=True)
            ),
        )
    return table


def _beyond(loops: dict[str, MainLoop]) -> Table:
    """What the anchors leave out: near memory, another order among waves, bank conflicts."""
    table = Table(title="All waves that fit: near memory; the oldest wave first; with bank conflicts")
    for title in ("kernel", "near", *(f"oldest {c}" for c in COLUMNS[1:]), "conflict cycles rd, wr"):
        table.add_column(title)
    for column in COLUMNS[1:]:
        table.add_column(f"conflicts {column}")
    for name, loop in loops.items():
        rows = [
            f"{loop.share(NEAR):.3f}",
            *(f"{loop.share(model, oldest_first=True):.3f}" for model in (USUAL, FAR, SLOW_LDS)),
            f"{loop.conflict_cycles['read']:g}, {loop.conflict_cycles['write']:g}",
            *(f"{loop.share(model, conflicts=True):.3f}" for model in (USUAL, FAR, SLOW_LDS)),
        ]
        table.add_row(name, *rows)
    return table


if __name__ == "__main__":
    sys.exit(main())
