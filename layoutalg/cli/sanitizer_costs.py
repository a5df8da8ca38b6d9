"""What each line of a run cost, as a table; lines that cost nothing of it are left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from layoutalg.cli.columns import columns

if TYPE_CHECKING:
    from layoutalg.codegen.sanitizer import LineCost, Sanitized
    from layoutalg.codegen.sanitizer.main_loop import MainLoop

__all__ = ["cost_lines"]

HEAD = ("line", "conflict cycles", "segments", "of needed", "bytes a lane", "MFMA", "VALU", "moves", "spills")


def cost_lines(done: Sanitized) -> Iterator[str]:
    """A title, the table, and what stands out."""
    rows = [_row(line) for line in done.lines if _is_told(line)]
    yield f"{done.kernel.name}: what its lines cost, added over {done.counters['waves']} waves"
    yield from columns([HEAD, *rows])
    if done.main_loop is not None:
        yield from _main_loop(done.main_loop)
    for line in done.lines:
        if line["accumulator_moves"] and line["mfma"]:
            yield f"{_place(line)}: {line['accumulator_moves']} accumulator moves beside {line['mfma']} MFMA"
        if line["spills"]:
            yield f"{_place(line)}: {line['spills']} accesses to scratch memory: spilled registers"


def _main_loop(loop: MainLoop) -> Iterator[str]:
    """The shares of the matrix cores, and what a turn consists of."""
    told = ", ".join(f"{name} {share:.2f}" for name, share in loop.shares.items())
    yield f"main loop: matrix cores work for {told} of the time (a model, {loop.waves} waves a SIMD)"
    kinds = ", ".join(f"{kind} {count:.4g}" for kind, count in sorted(loop.per_turn.items()) if count)
    yield f"           in a turn of a wave: {kinds}"


def _is_told(line: LineCost) -> bool:
    return bool(line.conflict_cycles or line.bytes_of_a_lane or line["mfma"] or line["lds"] or line["spills"])


def _row(line: LineCost) -> tuple[object, ...]:
    moved = line["global_load_segments"] + line["global_store_segments"]
    return (
        _place(line), line.conflict_cycles, moved or "", f"{line.wasted_segments:.2f}x" if moved else "",
        "+".join(map(str, line.bytes_of_a_lane)), line["mfma"] or "", line["valu"] or "",
        line["accumulator_moves"] or "", line["spills"] or "",
    )  # fmt: skip


def _place(line: LineCost) -> str:
    return f"{PurePath(line.file).name}:{line.line}" if line.line else PurePath(line.file).name
