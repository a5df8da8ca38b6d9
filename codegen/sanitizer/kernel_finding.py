"""A mistake that the sanitizer found: which, where in the code, by which lane, and who else took part.

>>> str(Agent(0, 1, 3))
'lane 3 of wave 1 of workgroup 0'
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from layoutalg.codegen.compile.source_lines import SourceLine
from layoutalg.codegen.kernel_checks import Check
from layoutalg.codegen.sanitizer.panels import Panel, bundle

__all__ = ["Agent", "CodePlace", "SanitizerFinding"]

NO_LANE = (-1, 255)
SHOWN = 3  # alike findings


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
        places = [(one.file, one.line) for one in spoken]
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
