"""What is shown of the accesses of compiled code, as a report in the formats of a check."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from layoutalg.check.codes import code_of
from layoutalg.check.finding import Finding, Status
from layoutalg.check.report import Report
from layoutalg.codegen.gfx9.lifting import LiftedAccess, LiftedKernel, Shown

__all__ = ["LiftReport", "findings_of"]

LINE = re.compile(r"^(.*):(\d+)$")
Compared = Iterable[tuple[LiftedAccess, Shown]]


@dataclass(frozen=True)
class LiftReport(Report):
    """A report of compiled code that was lifted."""

    @property
    def command(self) -> str:
        return "layoutalg lift"


def findings_of(lifted: LiftedKernel, compared: Compared, file: str) -> Iterator[Finding]:
    """A finding for each statement about each access; ``compared``: accesses with claimed layouts.

    Bounds are asked where the extent of a buffer is known. ``file``: what was lifted, for code without lines.
    """
    for number, access in enumerate(lifted.accesses):
        if access.space == "scalar":
            continue
        for name, shown in _statements(access):
            yield _finding(lifted, access, f"{name}: access {number}", name, shown, file)
    for number, (access, shown) in enumerate(compared):
        yield _finding(lifted, access, f"as claimed: comparison {number}", "as claimed", shown, file)


def _statements(access: LiftedAccess) -> Iterator[tuple[str, Shown]]:
    """The claims of an access by name, as far as they can be asked of it."""
    missing = access.missing[0] if access.missing else ""
    yield "lifted", Shown("lifted", access.is_understood, missing)
    if not access.is_understood:
        return
    if access.extent is not None:
        yield "in memory bounds", access.bounds
    yield "vector aligned", access.alignment
    if access.one_writer is not None:
        yield "one writer", access.one_writer
    if access.conflict_cycles is not None:
        cycles = access.conflict_cycles
        yield "conflict-free", Shown("conflict-free", not cycles, f"{cycles} cycles more")


def _finding(
    lifted: LiftedKernel, access: LiftedAccess, claim: str, name: str, shown: Shown, file: str
) -> Finding:
    place = LINE.match(access.line)
    where, line = (place[1], int(place[2])) if place else (file, 1)
    status: Status = "proved" if shown.is_shown else "unknown" if shown.refuted is None else "refuted"
    told = f"{access.instruction.text}: {shown}"
    details = [f"offset {access.formula}"] if access.is_understood else []
    details += [f"where {access.when}"] if access.when else []
    point = {} if shown.refuted is None else dict(shown.refuted.point)
    return Finding(
        where, line, lifted.name, code_of(name).id, claim, status, "lifting", told, tuple(details), point
    )
