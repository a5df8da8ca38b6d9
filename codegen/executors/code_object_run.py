"""Anybody's kernel on the CPU: a code object with arrays and numbers, no GPU and no source needed.

>>> import numpy as np
>>> from layoutalg.codegen.compile import compile_source
>>> from layoutalg.codegen.executors import Output
>>> source = '''#include <hip/hip_runtime.h>
... extern "C" __global__ void twice(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }'''
>>> made = compile_source(source, "gfx942").code_object
>>> arguments = [np.arange(64, dtype=np.int32), Output(np.zeros(64, np.int32))]
>>> (found,) = run_code_object(made, [1], [64], arguments).outputs.values()
>>> found[:4]
array([0, 2, 4, 6], dtype=int32)
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors.passed_arguments import passed_arguments
from layoutalg.codegen.gfx9.assembly import target_of_assembly
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.launch import CHECKS, ArrayValue, Dispatch, LaunchReport, PreparedLaunch
from layoutalg.errors import LayoutError

__all__ = [
    "CodeObjectRun",
    "code_object_of",
    "launch_of_triton",
    "prepared_launch",
    "run_code_object",
    "with_argument_names",
]

LANES = 64
CODE, ASSEMBLY, SOURCE = (".co", ".hsaco"), (".s",), (".hip",)


@dataclass(frozen=True)
class CodeObjectRun:
    """What came of a run: the outputs by name, and how many elements of each no thread wrote.

    ``counters``: workgroups, waves, instructions by class and by name, accesses to memory; ``seconds`` on
    the CPU, which is not device time.
    """

    kernel: KernelResources
    outputs: Mapping[str, NDArray[Any]]
    unwritten: Mapping[str, int]
    counters: Mapping[str, int]
    seconds: float


def run_code_object(  # noqa: PLR0913  what a launch consists of
    code: Any,
    grid: Sequence[int],
    block: Sequence[int] | None,
    arguments: Sequence[Any] | Mapping[str, Any],
    *,
    kernel: str | None = None,
    target: str | None = None,
    dynamic_lds: int | None = None,
    workgroups: Sequence[int] | None = None,
    native: bool | None = None,
    unchecked: Collection[str] = (),
) -> CodeObjectRun:
    """Run one kernel of a code object on the CPU, executing its bytes and checking every access.

    ``code``: its bytes; the path of a ``.co``, ``.hsaco``, ``.s`` or ``.hip`` (the last wants ``target``); or
    what ``triton.compile`` gives. ``grid`` and ``block``: workgroups, and threads of one, along x, y, z
    (a Triton kernel knows its ``block``). ``arguments``: in the kernel's order, or by the names in its
    metadata: arrays (an :class:`Output` where it writes), numbers, and structs, as bytes or as
    ``{offset: member}``; numbers take the size the kernel wants, floats where they are floats.
    ``dynamic_lds``: bytes of LDS beyond the kernel's own. ``workgroups``: which to run, by number, x fastest.
    ``native``: whether in compiled C; if left out, where that is faster and all instructions have code.
    ``unchecked``: what does not stop the run: ``"races"`` of waves in the LDS, which then see what the order
    gives in which they happen to run; ``"waits"``: registers used before an ``s_waitcnt`` covers their load.

    Refused: what is no code object, a choice of kernel that is none, arguments that do not fit, and what
    cannot be executed; a fault inside the kernel raises :class:`ExecutionFaultError`.
    """
    chosen = _known(unchecked)
    made = prepared_launch(
        code,
        grid,
        block,
        arguments,
        kernel=kernel,
        target=target,
        dynamic_lds=dynamic_lds,
        workgroups=workgroups,
    )
    made = replace(made, dispatch=replace(made.dispatch, native=native, unchecked=chosen))
    start = time.perf_counter()
    report = made.run()
    seconds = time.perf_counter() - start
    outputs = {v.name: v.array for v in made.values if isinstance(v, ArrayValue) and v.is_output}
    return CodeObjectRun(made.resources, outputs, report.unwritten, _counters(report), seconds)


def prepared_launch(  # noqa: PLR0913  what a launch consists of
    code: Any,
    grid: Sequence[int],
    block: Sequence[int] | None,
    arguments: Sequence[Any] | Mapping[str, Any],
    *,
    kernel: str | None = None,
    target: str | None = None,
    dynamic_lds: int | None = None,
    workgroups: Sequence[int] | None = None,
    named: Mapping[str, Any] | None = None,
    lines_of: str | None = None,
) -> PreparedLaunch:
    """A launch as :func:`run_code_object` makes it, not run yet.

    ``named``: arguments by name that ``arguments`` leave out. ``lines_of``: the name under which HIP
    source is compiled with the lines of its instructions.
    """
    content, extra = code_object_of(code, target, lines_of), hasattr(code, "asm")
    if extra:
        name, usual, shared = launch_of_triton(code)
        kernel, block = kernel or name, block or usual
        dynamic_lds = shared if dynamic_lds is None else dynamic_lds
    text = Path(code).read_text(encoding="utf-8") if _is_assembly(code) and lines_of is not None else None
    assembly = executable(content, kernel, text)
    resources = with_argument_names(load_object(content).kernel(kernel), code)
    shape = _shape("grid", grid)
    threads, chosen = _threads(resources, block), _chosen(shape, workgroups)
    values, places = passed_arguments(resources, arguments, pads=extra, named=named)
    dispatch = Dispatch(shape, threads, dynamic_lds or 0, chosen)
    return PreparedLaunch(assembly, values, places, resources, dispatch, content)


def with_argument_names(resources: KernelResources, code: Any) -> KernelResources:
    """The kernel with names of its arguments, where Triton knows them and its code object does not."""
    signature = getattr(getattr(code, "src", None), "signature", None) or {}
    names = iter([str(name) for name, kind in signature.items() if kind != "constexpr"])
    arguments = [
        place if place.name or place.kind.startswith("hidden_") else replace(place, name=next(names, ""))
        for place in resources.arguments
    ]
    return replace(resources, arguments=tuple(arguments))


def _is_assembly(code: Any) -> bool:
    return isinstance(code, str | Path) and Path(code).suffix in ASSEMBLY


def _threads(resources: KernelResources, block: Sequence[int] | None) -> Any:
    """The threads of a workgroup along three axes, as many as the kernel allows."""
    found = _shape("block", block)
    if math.prod(found) > resources.max_workgroup:
        msg = f"{resources.name}: wanted at most {resources.max_workgroup} threads a workgroup, got {block}"
        raise LayoutError(msg)
    return found


def _known(unchecked: Collection[str]) -> Collection[str]:
    """Checks that are left out, each of which there must be."""
    unknown = sorted(set(unchecked) - set(CHECKS))
    if unknown:
        msg = f"unchecked: wanted {' or '.join(CHECKS)}, got {', '.join(unknown)}"
        raise LayoutError(msg)
    return unchecked


def _counters(report: LaunchReport) -> dict[str, int]:
    """What was counted: workgroups and waves, then instructions and accesses."""
    counted = {"workgroups": report.workgroups, "waves": report.waves}
    return counted | {"instructions": sum(report.executed.values()), **report.work, **report.executed}


def code_object_of(code: Any, target: str | None = None, lines_of: str | None = None) -> bytes:
    """The code object that is given, or that a file holds or is made of; HIP source with lines if named."""
    if isinstance(code, bytes):
        return code
    if hasattr(code, "asm"):
        if "hsaco" not in code.asm:
            msg = f"wanted a Triton kernel compiled for an AMD GPU, got one with {', '.join(code.asm)}"
            raise LayoutError(msg, hint='target=GPUTarget("hip", "gfx942", 64)')
        return bytes(code.asm["hsaco"])
    path = Path(code)
    try:
        content = path.read_bytes()
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise LayoutError(msg) from None
    if path.suffix in ASSEMBLY:
        text = content.decode()
        return link(assemble(text, target or target_of_assembly(text)))
    if path.suffix in SOURCE:
        if target is None:
            msg = f"{path}: wanted the target that the source is compiled for"
            raise LayoutError(msg, hint='target = "gfx942" in the launch file, --target or target=')
        made = compile_source(content.decode(), target, lines_of=lines_of, beside=path.parent)
        return made.code_object
    return content


def launch_of_triton(code: Any) -> tuple[str, list[int], int]:
    """Name, threads of a workgroup, and bytes of LDS of what ``triton.compile`` gave."""
    told = code.metadata
    told = (
        told if isinstance(told, Mapping) else {n: getattr(told, n) for n in ("name", "num_warps", "shared")}
    )
    return str(told["name"]), [LANES * int(told["num_warps"])], int(told["shared"])


def _shape(what: str, extents: Sequence[int] | None) -> list[int]:
    given = list(extents or [])
    if not 1 <= len(given) <= 3 or any(int(extent) != extent or extent < 1 for extent in given):
        msg = f"{what}: wanted one to three positive integers, got {given}"
        raise LayoutError(msg)
    return [*map(int, given), 1, 1][:3]


def _chosen(grid: list[int], workgroups: Sequence[int] | None) -> list[int] | None:
    if workgroups is None:
        return None
    chosen, total = sorted(set(workgroups)), math.prod(grid)
    if not chosen or chosen[0] < 0 or chosen[-1] >= total:
        msg = f"wanted workgroups of 0 to {total - 1}, got {list(workgroups)}"
        raise LayoutError(msg)
    return chosen
