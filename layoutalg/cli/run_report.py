"""What a run is reported as: comparisons, time where it means something, what was counted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from layoutalg.cli.columns import columns

if TYPE_CHECKING:
    from layoutalg.codegen.compile import Compiled
    from layoutalg.codegen.gfx9.lifting import TranslationValidation
    from layoutalg.codegen.matrix.kernel_run import KernelRun

__all__ = ["counted", "run_report"]

GROUPS = {  # what the counters of a line are called, and what that line says
    "instructions": re.compile(r"(\w+)_instructions"),
    "LDS": re.compile(r"lds_((?:read|write)(?:s(?:_without_bank_model)?|_conflict_cycles))"),
    "global memory": re.compile(
        r"global_((?:load|store)(?:s(?:_of_\d+_bytes)?|_(?:bytes|(?:segments|transactions)(?:_needed)?)))"
    ),
}


def run_report(run: KernelRun, on: str, addresses: TranslationValidation | None = None) -> Iterator[str]:
    """The lines of the report; ``addresses``: whether the compiled code accesses what the kernel claims."""
    task, result, code = run.task, run.result, run.task.code
    grid, sizes = "x".join(map(str, task.grid)), ", ".join(f"{k} = {v}" for k, v in task.sizes.items())
    ran = result.counters.get("workgroups", math.prod(task.grid))
    some = f", {ran} of them run" if ran != math.prod(task.grid) else ""
    rows = [
        ("kernel", f"{task.kernel.name}{f' for {code.target.name}' if code else ''}"),
        ("launch", f"{sizes or 'fixed sizes'}; {grid} workgroups of {math.prod(task.kernel.block)}{some}"),
        ("device", result.device),
        *_comparison(run),
        ("time", _time(result.seconds, on)),
        *([("registers", _registers(code))] if code else []),
        *([] if addresses is None else [("addresses", str(addresses).removeprefix("addresses "))]),
        *counted(result.counters),
    ]
    yield from columns(rows)


def _comparison(run: KernelRun) -> Iterator[tuple[str, str]]:
    for name, found in run.found.items():
        verdict = "agree" if found.is_good else f"{found.wrong} are WRONG"
        if not found.elements:
            yield name, "nothing to compare: the workgroups that were run wrote none of it"
            continue
        text = f"{found.elements} elements compared: {verdict};"
        yield name, f"{text} largest error {found.largest_error:.3g}, relative norm {found.relative_norm:.3g}"
    if not run.found:
        yield "outputs", "not compared (--check does)"


def _time(seconds: float, on: str) -> str:
    if on == "cpu":
        return f"{seconds:.2f} s to execute on the CPU; that is not device time"
    return f"{1e6 * seconds:.1f} us on the device, the median of several launches"


def _registers(code: Compiled) -> str:
    from layoutalg.codegen.matrix.report_entry import resources_of  # noqa: PLC0415

    told = resources_of(code.resources, code.target)
    text = f"{told['vgprs']} VGPRs ({told['agprs']} AGPRs), {told['sgprs']} SGPRs, {told['spills']} spills;"
    return f"{text} {told['lds_bytes']} bytes of LDS; waves a SIMD: {told['waves_per_simd']}"


def counted(counters: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Counters by what they are about; instructions are counted once a wave."""
    if "waves" in counters:
        yield "waves", f"{counters['waves']}, {counters.get('instructions', 0)} instructions in all"
    for title, pattern in GROUPS.items():
        matches = [(pattern.fullmatch(name), count) for name, count in counters.items()]
        found = [f"{match[1].replace('_', ' ')} {count}" for match, count in matches if match]
        if found:
            yield title, ", ".join(found)
    if "mfma_cycles" in counters:
        yield "matrix cores", f"{counters['mfma_cycles']} cycles"
