"""Tiles and memory measured: matrix instructions, bank conflicts, the ladder of layouts, times; one run.

    python -m tests.benchmarks.memory [ROUNDS]

Times are medians of ROUNDS (20) after one warm-up, everything in one process.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from layoutalg.distribution import TileDistribution, make_tile_window, read_encoding
from layoutalg.distribution import make_static_tile_distribution as made
from layoutalg.memory import (
    WaveAccess,
    bank_conflicts,
    free_layouts,
    global_access,
    k_first,
    row_major,
    xor_swizzled,
)
from layoutalg.mma import BlockGemm, MatrixInstruction
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free, owned, tile_bounds
from layoutalg.verdict import Proved
from tests.layoutalg.memory.test_banks import COUNTERS, READS, strided

RECORDS = Path(__file__).parent.parent / "layoutalg" / "mma" / "mma_layouts.json"
TARGET = "gfx942"
MFMA = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", TARGET)
THREADS = "tuple<sequence<1>, sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>"
PIECES = f"{THREADS}, sequence<1, 2>, sequence<0, 1>"
A_DRAM = made(
    read_encoding(
        f"tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>, {PIECES}>"
    )
)
WIDE = made(
    read_encoding(
        f"tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 8>, sequence<8, 8>>, {PIECES}>"
    )
)


def main() -> None:
    """Print the tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    console = Console(width=110)
    console.print(_facts(), _ladder(), _times(rounds))


def _facts() -> Table:
    table = Table("facts", "equal", "of")
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    rows = records if isinstance(records, list) else records["instructions"]
    equal = sum(_same_layouts(record) for record in rows)
    table.add_row("matrix instructions, all slots of A, B and D", str(equal), str(len(rows)))
    counters = [(bits, stride, n) for bits, row in COUNTERS.items() for stride, n in row.items()]
    same = sum(
        bank_conflicts(strided(stride, bits), TARGET).conflicts * READS == n for bits, stride, n in counters
    )
    table.add_row("published gfx942 bank conflict counters", str(same), str(len(counters)))
    return table


def _same_layouts(record: dict[str, Any]) -> bool:
    row = MatrixInstruction.named(record["instruction"], record["gfx"], record["wave_size"])
    for operand in "ABD":
        for lane, held in enumerate(record["layouts"][operand]):
            for number, index in enumerate(held):
                found = list(map(int, row.element(operand, lane, number)))
                if operand == "B":  # the calculator has (k, j)
                    found = [found[1], found[0], *found[2:]]
                if found != index[: len(found)]:
                    return False
    return True


def _access(descriptor: Any, tile: TileDistribution, direction: Any) -> WaveAccess:
    window = make_tile_window(descriptor, tile.lengths, (0, 0), tile)
    return WaveAccess.of_window(window, "f16", direction)


def _ladder() -> Table:
    table = Table("A tile 256x32 f16", "access", "cycles of the worst phase", "proof", title="Ladder")
    rungs = {
        "row-major": row_major(256, 32, 8),
        "K first, padded": k_first(256, 32, 8),
        "xor": xor_swizzled(256, 32, 8, layers=2),
    }
    b64, b128 = (made(BlockGemm(MFMA, (4, 1), (2, 4), 4, k).a) for k in (1, 2))
    for name, descriptor in rungs.items():
        for direction, tile in (("write", A_DRAM), ("read", b64), ("read", b128)):
            report = bank_conflicts(_access(descriptor, tile, direction), TARGET)
            verdicts = [prove(claim) for claim in conflict_free(report.access, report.phases)]
            table.add_row(name, report.phases.instruction, str(report.degree), str(verdicts[1])[:50])
    return table


def _times(rounds: int) -> Table:
    table = Table("time", "ms", "asked")
    tile = row_major(256, 32, 8)
    reader = made(BlockGemm(MFMA, (4, 1), (1, 2), 8, 2).a)
    narrow = made(BlockGemm(MFMA, (4, 1), (1, 2), 8, 1).a)

    def analysed() -> None:
        write = _access(tile, A_DRAM, "write")
        read = _access(tile, made(BlockGemm(MFMA, (4, 1), (2, 4), 4, 2).a), "read")
        for access in (write, read):
            bank_conflicts(access, TARGET).worst  # noqa: B018  computed when asked for
        global_access(write, TARGET).verdict  # noqa: B018

    def proved() -> None:
        for access in (_access(tile, A_DRAM, "write"),):
            report = bank_conflicts(access, TARGET)
            assert all(isinstance(prove(c), Proved) for c in conflict_free(access, report.phases))

    questions: dict[str, tuple[Callable[[], object], str]] = {
        "256x32 f16 tile: banks of write and read, global lines": (analysed, "50"),
        "the same, write, with its proof": (proved, ""),
        "owned once and in bounds, proved": (
            lambda: [prove(c) for c in (*owned(A_DRAM), tile_bounds(A_DRAM))],
            "",
        ),
        "search for 128x64 f16, reads of 16 bytes": (
            lambda: free_layouts(WIDE, reader, "f16", TARGET),
            "2000",
        ),
        "search for 128x64 f16, reads of 8 bytes": (
            lambda: free_layouts(WIDE, narrow, "f16", TARGET),
            "2000",
        ),
    }
    for name, (question, asked) in questions.items():
        question()
        table.add_row(name, f"{_median(question, rounds):.1f}", asked)
    return table


def _median(question: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        question()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


if __name__ == "__main__":
    main()
