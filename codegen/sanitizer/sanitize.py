"""Run a kernel on the CPU and tell everything that is wrong with it, without a GPU.

What is guaranteed: races, waits and barriers are judged by what orders two accesses (happens-before), not by
the order in which they were run, so a race is found in every schedule that takes the same branches and
addresses. Hazards are judged on all paths of the code. The rest is judged on the run that was made.

>>> import numpy as np
>>> from layoutalg.codegen.compile import compile_source
>>> from layoutalg.codegen.executors import Output
>>> source = '''#include <hip/hip_runtime.h>
... extern "C" __global__ void twice(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x + 1]; }'''
>>> made = compile_source(source, "gfx942", lines_of="twice.hip").code_object
>>> found = sanitize(made, [1], np.arange(64, dtype=np.int32), Output(np.zeros(64, np.int32)), block=[64])
>>> found.findings[0].line, found.findings[0].message
(2, 'lane 63 of wave 0 of workgroup 0 reads 4 bytes at offset 256 of x, which has 256 bytes')
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.compile.source_lines import source_lines
from layoutalg.codegen.executors.code_object_run import prepared_launch
from layoutalg.codegen.executors.cpu import prepared_task
from layoutalg.codegen.executors.executor import Launch
from layoutalg.codegen.executors.triton_kernel import compiled_by_triton, is_triton_function
from layoutalg.codegen.gfx9.launch import ArrayValue, LaunchReport, PreparedLaunch
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.kernel_checks import Check, chosen_checks
from layoutalg.codegen.sanitizer.judged import Rows, judged, looked_for, why_stopped
from layoutalg.codegen.sanitizer.kernel_finding import SanitizerFinding
from layoutalg.codegen.sanitizer.line_costs import LineCost, line_costs
from layoutalg.codegen.sanitizer.main_loop import MainLoop, main_loop
from layoutalg.codegen.sanitizer.panels import bundle
from layoutalg.codegen.sanitizer.places import Places
from layoutalg.errors import LayoutError

__all__ = ["Sanitized", "sanitize", "sanitize_code_object", "sanitize_launch"]

USUAL_TARGET = "gfx942"


@dataclass(frozen=True)
class Sanitized:
    """What a run under the sanitizer found.

    ``checks``: those that were made; ``lines``: what each source line cost; ``outputs`` by name, as far as
    the run came; ``seconds`` on the CPU. ``stopped``: why the run could not go on, empty where it did.
    """

    kernel: KernelResources
    findings: tuple[SanitizerFinding, ...]
    checks: tuple[Check, ...]
    lines: tuple[LineCost, ...]
    outputs: Mapping[str, NDArray[Any]]
    seconds: float
    file: str
    stopped: str
    counters: Mapping[str, int]
    launch: PreparedLaunch = field(repr=False)
    report: LaunchReport = field(repr=False)

    @cached_property
    def main_loop(self) -> MainLoop | None:
        """How well the matrix cores are used in the main loop, by the issue-time model; None without one."""
        return main_loop(self.launch, self.report)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found and the run came to its end."""
        return not self.findings and not self.stopped

    @property
    def summary(self) -> str:
        """``sum: 2 mistakes (lds-race, uninitialised-lds)``, ``sum: clean by 20 checks``."""
        names = ", ".join(dict.fromkeys(one.check.name for one in self.findings))
        count = len(self.findings)
        found = f"{count} mistake{'s' if count != 1 else ''} ({names})" if count else ""
        stopped = f"not run to its end: {self.stopped}" if self.stopped else ""
        told = "; ".join(filter(None, (found, stopped))) or f"clean by {len(self.checks)} checks"
        return f"{self.kernel.name}: {told}"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        return bundle(self.summary, [one.panel for one in self.findings], include, exclude)


def sanitize(  # noqa: PLR0913  what a launch consists of
    kernel: Any,
    grid: Sequence[int],
    *arguments: Any,
    block: Sequence[int] | None = None,
    target: str | None = None,
    name: str | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    dynamic_lds: int | None = None,
    workgroups: Sequence[int] | None = None,
    options: Mapping[str, Any] | None = None,
    **named: Any,
) -> Sanitized:
    """Run a kernel on the CPU and collect what is wrong with it.

    ``kernel``: a code object as bytes; the path of a ``.co``, ``.hsaco``, ``.s`` or ``.hip``; what
    ``triton.compile`` gives; a function under ``@triton.jit``. ``grid`` and ``block``: workgroups, and
    threads of one, along x, y, z (Triton knows its ``block``). ``arguments`` in the kernel's order, those
    that are ``named`` left out: arrays (an :class:`~layoutalg.codegen.executors.Output` where the kernel
    writes), numbers, structs as bytes. ``name``: of several kernels. ``target``: of source, gfx942 if left
    out. ``select`` and ``ignore``: checks, their codes or groups. ``dynamic_lds``: bytes beyond the kernel's
    own. ``workgroups``: numbers of those that are run. ``options``: of Triton, such as ``num_warps``.

    Refused: what :func:`~layoutalg.codegen.executors.run_code_object` refuses, and a check that there is not.
    """
    given, file = list(arguments), ""
    extents = [grid] if isinstance(grid, int) else list(grid)
    if is_triton_function(kernel):
        kernel, given, file = compiled_by_triton(kernel, target or USUAL_TARGET, given, named, options or {})
        named = {}
    elif options:
        msg = f"options are of a function under @triton.jit, got {', '.join(options)} for other code"
        raise LayoutError(msg)
    if isinstance(kernel, Launch):
        msg = "wanted code with its grid and arguments, got a Launch, which has all of these"
        raise LayoutError(msg, hint="sanitize_launch(task)")
    return sanitize_code_object(
        kernel, extents, block, given, named=named, kernel=name, target=target, dynamic_lds=dynamic_lds,
        workgroups=workgroups, file=file, select=select, ignore=ignore,
    )  # fmt: skip


def sanitize_code_object(  # noqa: PLR0913  what a launch consists of
    code: Any,
    grid: Sequence[int],
    block: Sequence[int] | None,
    arguments: Sequence[Any] | Mapping[str, Any],
    *,
    named: Mapping[str, Any] | None = None,
    kernel: str | None = None,
    target: str | None = None,
    dynamic_lds: int | None = None,
    workgroups: Sequence[int] | None = None,
    file: str = "",
    select: Collection[str] = (),
    ignore: Collection[str] = (),
) -> Sanitized:
    """The same with the parameters of :func:`~layoutalg.codegen.executors.run_code_object`.

    ``arguments``: in order, those that are ``named`` left out, or all by name. ``file``: of the source, if
    that is not the code.
    """
    checks, is_file = chosen_checks(select, ignore), isinstance(code, str | Path)
    file = file or (str(code) if is_file else "")
    usual = USUAL_TARGET if is_file and Path(code).suffix == ".hip" else None
    made = prepared_launch(
        code, grid, block, arguments, named=named, kernel=kernel, target=target or usual,
        dynamic_lds=dynamic_lds, workgroups=workgroups, lines_of=file,
    )  # fmt: skip
    return _sanitized(made, file or made.resources.name, checks, is_whole=workgroups is None)


def sanitize_launch(
    task: Launch,
    *,
    file: str = "",
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    workgroups: Sequence[int] | None = None,
) -> Sanitized:
    """The same for a launch of one of our kernels, or of a saved run."""
    made = prepared_task(task, task.memory(), workgroups)
    arguments = {argument.name: argument for argument in task.arrays}

    def without_pads(output: str, marks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return task.array_in(arguments[output], marks)

    name = file or f"{task.kernel.name}.hip"
    checks = chosen_checks(select, ignore)
    return _sanitized(made, name, checks, is_whole=workgroups is None, rows=without_pads)


def _sanitized(
    made: PreparedLaunch,
    file: str,
    checks: tuple[Check, ...],
    *,
    is_whole: bool,
    rows: Rows | None = None,
) -> Sanitized:
    """Run a prepared launch.

    ``is_whole``: all of its workgroups; ``rows``: what of an output must be written, all if left out.
    """
    sanitizer = NativeSanitizer(looked_for(checks))
    start = time.perf_counter()
    report = made.run(sanitizer)
    seconds = time.perf_counter() - start
    places = Places(made.assembly, source_lines(made.code_object), report.buffers, file)
    found = judged(report, sanitizer, places, checks, rows=rows, is_whole=is_whole)
    outputs = {v.name: v.array for v in made.values if isinstance(v, ArrayValue) and v.is_output}
    costs, stopped = line_costs(report, places), why_stopped(sanitizer, places)
    counters = {"workgroups": report.workgroups, "waves": report.waves, **report.work}
    return Sanitized(
        made.resources, found, checks, costs, outputs, seconds, file, stopped, counters, made, report
    )
