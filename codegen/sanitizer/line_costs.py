"""What each source line of a run cost: bank conflicts, segments, bytes a lane, vector and matrix work.

>>> LineCost("k.hip", 3, {"global_load_segments": 16, "global_load_segments_needed": 8}).wasted_segments
2.0
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from layoutalg.codegen.gfx9.issue_timing import class_of
from layoutalg.codegen.gfx9.launch import LaunchReport
from layoutalg.codegen.sanitizer.places import Places

__all__ = ["LineCost", "line_costs"]

ACCUMULATOR_MOVES = re.compile(r"v_accvgpr_(read|write|mov)")
OF_BYTES = re.compile(r"global_(?:load|store)s_of_(\d+)_bytes")


@dataclass(frozen=True)
class LineCost:
    """The counters of a line, added over all waves; line 0: an instruction, whose address the file names.

    ``conflict_cycles`` of the LDS; ``global_..._segments`` moved and ``..._segments_needed``; instructions of
    each class (``mfma``, ``valu``, ...); ``accumulator_moves`` and ``spills`` (accesses to scratch memory).
    """

    file: str
    line: int
    counters: Mapping[str, int]

    def __getitem__(self, name: str) -> int:
        return self.counters.get(name, 0)

    @property
    def conflict_cycles(self) -> int:
        """Cycles that bank conflicts add, of reads and writes."""
        return self["lds_read_conflict_cycles"] + self["lds_write_conflict_cycles"]

    @property
    def wasted_segments(self) -> float:
        """Segments moved for each that the bytes would need; 0 where nothing moves."""
        needed = self["global_load_segments_needed"] + self["global_store_segments_needed"]
        return (self["global_load_segments"] + self["global_store_segments"]) / needed if needed else 0.0

    @property
    def bytes_of_a_lane(self) -> tuple[int, ...]:
        """The widths of its accesses to global memory."""
        found = (OF_BYTES.fullmatch(name) for name in self.counters)
        return tuple(sorted({int(match[1]) for match in found if match}))

    @property
    def valu_per_mfma(self) -> float:
        """Vector instructions for each matrix instruction; 0 where there is none."""
        return self["valu"] / self["mfma"] if self["mfma"] else 0.0


def line_costs(report: LaunchReport, places: Places) -> tuple[LineCost, ...]:
    """The lines of a run in their order; of code without lines, each instruction's address is one."""
    found: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for number, (one, times) in enumerate(zip(places.assembly.instructions, report.times, strict=False)):
        if not times:
            continue
        place = places.of(number)
        file, line = places.file_and_line(place)
        if place is not None and place.source is None and not place.assembly_line:
            file, line = f"{file} at {one.address or 0:#06x}", 0
        counters = found[file, line]
        counters[class_of(one.mnemonic)] += times
        if ACCUMULATOR_MOVES.match(one.mnemonic):
            counters["accumulator_moves"] += times
        if one.mnemonic.startswith("scratch_"):
            counters["spills"] += times
        counters.update(report.costs.get(number, {}))
    return tuple(LineCost(file, line, dict(counters)) for (file, line), counters in sorted(found.items()))
