"""A mistake that the sanitizer found: which, where in the code, by which lane, and who else took part.

>>> str(Agent(0, 1, 3))
'lane 3 of wave 1 of workgroup 0'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from layoutalg.codegen.compile.source_lines import SourceLine
from layoutalg.codegen.kernel_checks import Check
from layoutalg.codegen.sanitizer.panels import Panel, bundle

__all__ = ["Agent", "CodePlace", "SanitizerFinding", "merged", "without_consequences"]

NO_LANE = (-1, 255)
SHOWN = 3  # alike findings
LATE = ("uninitialised-lds", "uninitialised-memory")  # what a race may only seem to leave unset


@dataclass(frozen=True)
class CodePlace:
    """An instruction: its text, its address, its line in assembly (0: none), and in source (None: unknown).

    ``index``: its number among the kernel's instructions. ``callers``: lines that the source line was
    inlined into, the innermost first.
    """

    index: int
    text: str
    address: int | None
    assembly_line: int
    source: SourceLine | None
    callers: tuple[SourceLine, ...] = ()

    def __str__(self) -> str:
        where = f"at {self.address:#x}" if self.address is not None else ""
        if self.assembly_line:
            where = f"in line {self.assembly_line} of the assembly"
        return " ".join(filter(None, (self.text, where, f"({self.source})" if self.source else "")))


@dataclass(frozen=True)
class Agent:
    """Who did something: a lane of a wave of a workgroup; -1 for what is not of one."""

    workgroup: int
    wave: int
    lane: int = -1

    def __str__(self) -> str:
        lane = "" if self.lane in NO_LANE else f"lane {self.lane} of "
        return f"{lane}wave {self.wave} of workgroup {self.workgroup}"

    def beside(self, other: Agent) -> str:
        """The same in short, next to another who was told whole."""
        lane = "" if self.lane in NO_LANE else f"lane {self.lane}"
        if self.workgroup != other.workgroup:
            return str(self)
        if self.wave != other.wave:
            return " of ".join(filter(None, (lane, f"wave {self.wave}")))
        return lane or f"wave {self.wave}"


@dataclass(frozen=True)
class SanitizerFinding:
    """One mistake, told once however often it happened (``times``).

    ``message``: a sentence. ``other``: the instruction of the other party. ``alike``: findings of the same
    check and line, by other instructions or parties. ``notes``: further sentences. ``file`` and ``line``:
    where a report points to: source, else assembly, else the code object (line 1).
    """

    check: Check
    kernel: str
    message: str
    file: str
    line: int
    place: CodePlace | None = None
    other: CodePlace | None = None
    agent: Agent | None = None
    other_agent: Agent | None = None
    address: str = ""
    times: int = 1
    alike: tuple[SanitizerFinding, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.check.name}: {self.message}"

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines: the instructions with their callers, how often, and what is alike."""
        found = [*_told("in:     ", self.place), *_told("other:  ", self.other), *self.notes]
        if self.times > 1:
            found.append(f"and {self.times - 1} more times")
        found += [
            f"alike:  {one.place}" + (f", {one.other}" if one.other else "") for one in self.alike[:SHOWN]
        ]
        if len(self.alike) > SHOWN:
            found.append(f"and {len(self.alike) - SHOWN} more alike")
        return tuple(found)

    @property
    def panel(self) -> Panel:
        """What a notebook shows of it, with its source lines where they are known."""
        spoken = [place.source for place in (self.place, self.other) if place is not None and place.source]
        name = PurePath(self.file).name
        places = [(self.file if PurePath(one.file).name == name else one.file, one.line) for one in spoken]
        heading = f"{self.check.name} {name}:{self.line}"
        return Panel(heading, self.message, self.details, tuple(dict.fromkeys(places)))

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        return bundle("", [self.panel], include, exclude)


def _told(label: str, place: CodePlace | None) -> Iterator[str]:
    if place is not None:
        yield f"{label}{place}"
        if place.callers:
            yield f"called: {', '.join(map(str, place.callers))}"


def merged(findings: Iterable[SanitizerFinding]) -> tuple[SanitizerFinding, ...]:
    """Findings of one check told as one where their lines are the same, or the same two change roles.

    Without lines, where their instruction is the same.
    """
    found: dict[tuple[object, ...], list[SanitizerFinding]] = {}
    for one in findings:
        found.setdefault((one.check.name, *_lines(one)), []).append(one)
    return tuple(
        replace(first, times=sum(one.times for one in (first, *rest)), alike=tuple(rest))
        for first, *rest in found.values()
    )


def _lines(one: SanitizerFinding) -> tuple[object, ...]:
    if one.place is None:
        return (one.file, one.message)
    if one.place.source is None:
        return (one.file, one.place.index)
    other = one.other.source if one.other is not None and one.check.group == "races" else None
    return (one.file, frozenset((one.place.source, other or one.place.source)))


def without_consequences(findings: Iterable[SanitizerFinding]) -> list[SanitizerFinding]:
    """Findings without values that seem never written only because what writes them races with the read."""
    every = list(findings)
    racing = {
        place.index
        for one in every
        if one.check.group == "races"
        for place in (one.place, one.other)
        if place is not None
    }
    return [
        one
        for one in every
        if not (one.check.name in LATE and one.place is not None and one.place.index in racing)
    ]
