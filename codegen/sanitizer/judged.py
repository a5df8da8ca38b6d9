"""What came of a run, as findings: records of the machine in C, hazards of the code, unwritten outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.hazards import hazards_of
from layoutalg.codegen.gfx9.launch import LaunchReport
from layoutalg.codegen.gfx9.native.native_fault import NativeFault
from layoutalg.codegen.gfx9.native.native_sanitizer import CHECKS as NATIVE_CHECKS
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.kernel_checks import CHECKS, Check
from layoutalg.codegen.sanitizer.kernel_finding import Agent, SanitizerFinding
from layoutalg.codegen.sanitizer.merging import merged, without_consequences
from layoutalg.codegen.sanitizer.messages import finding_of
from layoutalg.codegen.sanitizer.places import Places

__all__ = ["Rows", "judged", "looked_for", "why_stopped"]

_NATIVE = {check.native: check for check in CHECKS if check.native}
NAMES = {number: name for name, number in NATIVE_CHECKS.items()}
Rows = Callable[[str, NDArray[np.bool_]], NDArray[np.bool_]]


def judged(
    report: LaunchReport,
    sanitizer: NativeSanitizer,
    places: Places,
    checks: tuple[Check, ...],
    *,
    is_whole: bool,
    rows: Rows | None,
) -> tuple[SanitizerFinding, ...]:
    """The findings of a run in the order of checks and lines.

    ``is_whole``: all workgroups were to run; ``rows``: what of an output must be written.
    """
    found = [_finding(row, places) for row in sanitizer.found]
    found += _hazards(checks, places.assembly, places, report.times)
    if is_whole and sanitizer.stopped is None:
        found += _outputs_unwritten(checks, report, places, rows)
    if sanitizer.stopped is not None and sanitizer.stopped.hangs:
        found += _endless(checks, sanitizer.stopped, places)
    chosen = [one for one in without_consequences(found) if one.check in checks]
    told = merged(sorted(chosen, key=_order))
    return tuple(sorted(told, key=_order))


def _order(one: SanitizerFinding) -> tuple[int, str, int, int]:
    return CHECKS.index(one.check), one.file, one.line, one.place.index if one.place else 0


def looked_for(checks: tuple[Check, ...]) -> list[str]:
    """What the machine looks for: races, too, where values that nobody wrote are: they may come of one."""
    needs_races = any(check.group == "init" for check in checks)
    races = [check for check in CHECKS if check.group == "races" and check.is_usual and needs_races]
    return sorted({check.native for check in (*checks, *races) if check.native})


def _finding(record: Any, places: Places) -> SanitizerFinding:
    return finding_of(_NATIVE[NAMES[int(record["check"])]], record, places)


def _is_made(checks: tuple[Check, ...], name: str) -> Check | None:
    return next((check for check in checks if check.name == name), None)


def _hazards(
    checks: tuple[Check, ...], assembly: Assembly, places: Places, times: Sequence[int]
) -> Iterator[SanitizerFinding]:
    """Missing wait states on any path, whether it was taken or not.

    A compiler keeps all of LLVM's rules; hand-written code is not held to those that AMD's own kernels break.
    """
    chosen = {check.name.partition("-")[0]: check for check in checks if check.group == "hazards"}
    strictly = assembly.loaded is not None and assembly.loaded.is_compiled
    for hazard in hazards_of(assembly, strictly=strictly) if chosen else ():
        if hazard.kind not in chosen:
            continue
        place, other = places.of(hazard.consumer), places.of(hazard.producer)
        file, line = places.file_and_line(place)
        was_run = int(times[hazard.consumer])
        notes = () if was_run else ("not executed in this launch",)
        yield SanitizerFinding(
            chosen[hazard.kind], assembly.name, hazard.message, file, line, place, other,
            times=was_run, notes=notes,
        )  # fmt: skip


def _outputs_unwritten(
    checks: tuple[Check, ...], report: LaunchReport, places: Places, rows: Any
) -> Iterator[SanitizerFinding]:
    check = _is_made(checks, "output-unwritten")
    for name, written in report.written.items() if check is not None else ():
        if not report.unwritten[name]:  # those that were filled before, too
            continue
        marks = written if rows is None else rows(name, written)
        missing = int((~marks).sum())
        if check is None or not missing:
            continue
        first = [int(part) for part in np.argwhere(~marks)[0]]
        message = f"{missing} of {marks.size} elements of {name} were never written; the first is {first}"
        yield SanitizerFinding(
            check, places.assembly.name, message, *places.file_and_line(None), times=missing
        )


def _endless(checks: tuple[Check, ...], fault: NativeFault, places: Places) -> Iterator[SanitizerFinding]:
    check = _is_made(checks, "endless")
    if check is not None:
        place = places.of(fault.instruction)
        message = f"workgroup {fault.workgroup} did not end: wave {fault.wave} still runs here"
        agent = Agent(fault.workgroup, fault.wave)
        file, line = places.file_and_line(place)
        yield SanitizerFinding(check, places.assembly.name, message, file, line, place, agent=agent)


def why_stopped(sanitizer: NativeSanitizer, places: Places) -> str:
    """Why a run could not go on, empty where it did."""
    fault = sanitizer.stopped
    if fault is None:
        return ""
    if fault.hangs:
        return f"workgroup {fault.workgroup} did not end"
    return f"cannot be executed: {places.of(fault.instruction)}"
