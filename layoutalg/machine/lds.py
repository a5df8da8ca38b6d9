"""Banks and phases of shared memory (LDS): what public sources say, one row for each instruction width.

A bank is 4 bytes wide; dword ``d`` lies in bank ``d % banks``. An instruction serves its lanes in phases. In
a phase each bank gives one dword a cycle; lanes that want the same dword share it, lanes that want different
dwords of one bank wait: the phase takes as many cycles as its busiest bank has dwords.

Sources disagree (on gfx950 even about the number of banks), so each keeps its own rows, and every verdict
names the one it rests on.

>>> row = LdsPhases.of("gfx942", "read", 128)
>>> row.banks, row.phases[0], row.source.name
(32, (0, 1, 2, 3, 20, 21, 22, 23), 'amd-shark-ai')
>>> LdsPhases.of("gfx950", "read", 32).banks, LdsPhases.of("gfx950", "read", 32, source="rocroller").banks
(64, 32)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from layoutalg.errors import LayoutError
from layoutalg.machine.target import known_target
from layoutalg.reading.near_names import no_such

__all__ = ["LDS_PHASES", "SOURCES", "Direction", "LdsPhases", "Source"]

Direction = Literal["read", "write"]
Phase = tuple[int, ...]
BYTES_PER_BANK = 4


@dataclass(frozen=True)
class Source:
    """Who says so, and of which state: ``kind`` is measured, documented, modelled or assumed."""

    name: str
    title: str
    version: str
    kind: str


@dataclass(frozen=True)
class LdsPhases:
    """How one instruction is served: ``bits`` of one lane, the phases as lists of lanes, the banks.

    ``merges``: whether lanes that want the same dword share it.
    """

    target: str
    direction: Direction
    bits: int
    banks: int
    phases: tuple[Phase, ...]
    source: Source
    merges: bool = True

    @classmethod
    def of(cls, target: str, direction: Direction, bits: int, source: str | None = None) -> LdsPhases:
        """The row for an instruction; of the source named, or of the first that knows it.

        Accesses narrower than 32 bits are served as those of 32.
        """
        wanted = max(bits, 32)
        rows = [r for r in LDS_PHASES if (r.target, r.direction, r.bits) == (target, direction, wanted)]
        chosen = [row for row in rows if source in {None, row.source.name}]
        if chosen:
            return chosen[0]
        _refuse(target, direction, wanted, source, rows)
        raise AssertionError

    @property
    def wave_size(self) -> int:
        return sum(map(len, self.phases))

    @property
    def instruction(self) -> str:
        """The instruction's mnemonic."""
        return f"ds_{self.direction}_b{self.bits}"

    @property
    def bytes(self) -> int:
        return self.bits // 8

    def __str__(self) -> str:
        return f"{self.instruction} on {self.target} ({self.banks} banks; {self.source.name})"


def _refuse(target: str, direction: str, bits: int, source: str | None, rows: list[LdsPhases]) -> None:
    where = f"nothing is known about the shared memory of {target!r}"
    known_target(target, sorted({row.target for row in LDS_PHASES}), where=where)
    if source is not None and source not in SOURCES:
        raise no_such("source", source, SOURCES, where="banks of shared memory")
    if rows:
        msg = f"{source} says nothing about ds_{direction}_b{bits} on {target}"
        raise LayoutError(msg, hint=f"{', '.join(row.source.name for row in rows)} do")
    widths = sorted({r.bits for r in LDS_PHASES if (r.target, r.direction) == (target, direction)})
    msg = f"nothing is known about ds_{direction}_b{bits} on {target}"
    raise LayoutError(msg, hint=f"widths are {', '.join(map(str, widths))} bits")


SOURCES = {
    source.name: source
    for source in (
        Source(
            "amd-shark-ai",
            "nod-ai/amd-shark-ai, docs/empirical-lds (latencies and counters on the devices)",
            "4199207",
            "measured",
        ),
        Source(
            "ck-docs",
            "ROCm documentation, CK Tile, Understanding AMD GPU LDS and Bank Conflicts",
            "2025",
            "documented",
        ),
        Source(
            "rocroller",
            "ROCm/rocm-libraries, shared/rocroller/lib/source/LDSBankModel.cpp",
            "9f2b697",
            "modelled",
        ),
        Source(
            "rocke",
            "ROCm/rocm-libraries, rocke, optimization/arch/gfx950.md (periods; phases are assumed)",
            "2026",
            "modelled",
        ),
        Source("assumed", "no public source; consecutive lanes that fill all banks", "1", "assumed"),
    )
}


def _consecutive(lanes: int, size: int) -> tuple[Phase, ...]:
    return tuple(tuple(range(first, first + size)) for first in range(0, lanes, size))


def _shifted(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """Phases of lanes 0 to 31, then the same of lanes 32 to 63."""
    return phases + tuple(tuple(lane + 32 for lane in phase) for phase in phases)


def _spread(*runs: tuple[int, ...]) -> tuple[Phase, ...]:
    """Phases made of runs of four lanes that begin where told."""
    return tuple(tuple(first + i for first in phase for i in range(4)) for phase in runs)


CDNA3_B128 = _spread((0, 20), (4, 16), (8, 28), (12, 24))
CDNA4_B128 = _spread((0, 12, 20, 24), (4, 8, 16, 28))

# Target, direction, bits, banks, phases, source; the first that fits is the default.
Row = tuple[str, Direction, int, int, tuple[Phase, ...], str]
PUBLISHED: tuple[Row, ...] = (
    ("gfx942", "read", 32, 32, _consecutive(64, 32), "amd-shark-ai"),
    ("gfx942", "read", 64, 32, _consecutive(64, 16), "amd-shark-ai"),
    ("gfx942", "read", 128, 32, _shifted(CDNA3_B128), "amd-shark-ai"),
    ("gfx942", "write", 128, 32, _consecutive(64, 8), "ck-docs"),
    ("gfx950", "read", 32, 64, _consecutive(64, 64), "amd-shark-ai"),
    ("gfx950", "read", 64, 64, _consecutive(64, 32), "amd-shark-ai"),
    ("gfx950", "read", 128, 64, _shifted(CDNA4_B128), "amd-shark-ai"),
    ("gfx950", "write", 32, 32, _consecutive(64, 32), "rocke"),
    ("gfx950", "write", 64, 32, _consecutive(64, 16), "rocke"),
    ("gfx950", "write", 128, 32, _consecutive(64, 8), "rocke"),
    ("gfx950", "read", 32, 32, _consecutive(64, 32), "rocke"),
    ("gfx950", "read", 64, 32, _consecutive(64, 16), "rocke"),
    ("gfx950", "read", 128, 64, _consecutive(64, 16), "rocke"),
    ("gfx1100", "read", 32, 32, _consecutive(32, 32), "amd-shark-ai"),
    ("gfx1100", "read", 64, 32, _consecutive(32, 16), "amd-shark-ai"),
    ("gfx1100", "read", 128, 32, CDNA3_B128, "amd-shark-ai"),
    ("gfx1201", "read", 32, 32, _consecutive(32, 32), "amd-shark-ai"),
    ("gfx1201", "read", 64, 32, _consecutive(32, 16), "amd-shark-ai"),
    ("gfx1201", "read", 128, 32, _consecutive(32, 8), "amd-shark-ai"),
)
DIRECTIONS: tuple[Direction, ...] = ("read", "write")


def _assumed() -> Iterator[Row]:
    """Consecutive lanes that fill 32 banks; wide reads of earlier CDNA as on CDNA3."""
    for target in ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"):
        lanes = 32 if target.startswith("gfx1") else 64
        for direction in DIRECTIONS:
            for bits in (32, 64, 128):
                phases = _consecutive(lanes, min(lanes, 32 * 32 // bits))
                if target in {"gfx908", "gfx90a"} and (direction, bits) == ("read", 128):
                    phases = _shifted(CDNA3_B128)
                yield target, direction, bits, 32, phases, "assumed"


def _rocroller() -> Iterator[Row]:
    """Consecutive lanes, as many as it says go in one clock; it does not let lanes share a dword."""
    for target in ("gfx90a", "gfx942", "gfx950"):
        for direction in DIRECTIONS:
            for bits, lanes in ((32, 16), (64, 8), (96, 4), (128, 4)):
                doubled = target == "gfx950" and direction == "read" and bits in {64, 128}
                phases = _consecutive(64, 2 * lanes if doubled else lanes)
                yield target, direction, bits, 64 if doubled else 32, phases, "rocroller"


LDS_PHASES: tuple[LdsPhases, ...] = tuple(
    LdsPhases(target, direction, bits, banks, phases, SOURCES[source], merges=source != "rocroller")
    for target, direction, bits, banks, phases, source in (*PUBLISHED, *_assumed(), *_rocroller())
)
