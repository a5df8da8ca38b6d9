"""Anybody's kernel on the CPU: a code object with arrays and numbers, no GPU and no source needed.

>>> from layoutalg.codegen.compile import compile_source
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.code_object import KernelArgument, KernelResources
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.gfx9.assembly import target_of_assembly
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.kernel_arguments import explicit_places
from layoutalg.codegen.gfx9.launch import CHECKS, ArrayValue, Dispatch, LaunchReport, launch
from layoutalg.errors import LayoutError

__all__ = ["CodeObjectRun", "Output", "code_object_of", "run_code_object"]

LANES = 64
CODE, ASSEMBLY, SOURCE = (".co", ".hsaco"), (".s",), (".hip",)
POINTER = 8


@dataclass(frozen=True)
class Output:
    """An array that a kernel may write. ``is_initialised``: it may also read what was there before.

    >>> Output(np.zeros(4), is_initialised=True).array.shape
    (4,)
    """

    array: NDArray[Any]
    is_initialised: bool = False


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
    metadata: arrays (an :class:`Output` where it writes), numbers, and the bytes of structs; numbers take
    the size the kernel wants, floats where they are floats. ``dynamic_lds``: bytes of LDS beyond the
    kernel's own. ``workgroups``: which to run, by number, x fastest.
    ``native``: whether in compiled C; if left out, where that is faster and all instructions have code.
    ``unchecked``: what does not stop the run: ``"races"`` of waves in the LDS, which then see what the order
    in which they happen to run gives (in Python instruction by instruction together, in C one wave after the
    other from barrier to barrier); ``"waits"``: registers used before an ``s_waitcnt`` covers their load,
    which here has always arrived.

    Refused: what is no code object, a choice of kernel that is none, arguments that do not fit, and what
    cannot be executed; a fault inside the kernel raises :class:`ExecutionFaultError`.
    """
    if hasattr(code, "asm"):
        name, threads, shared = _of_triton(code)
        kernel, block = kernel or name, block or threads
        dynamic_lds = shared if dynamic_lds is None else dynamic_lds
        content, extra = bytes(code.asm["hsaco"]), True
    else:
        content, extra = code_object_of(code, target), False
    assembly = executable(content, kernel)
    resources = load_object(content).kernel(kernel)
    shape, threads_of_one = _shape("grid", grid), _shape("block", block)
    if math.prod(threads_of_one) > resources.max_workgroup:
        msg = f"{resources.name}: wanted at most {resources.max_workgroup} threads a workgroup, got {block}"
        raise LayoutError(msg)
    chosen = _chosen(shape, workgroups)
    _require_checks(unchecked)
    values = _values(resources, arguments, pads=extra)
    start = time.perf_counter()
    places, size = resources.arguments, resources.argument_bytes
    dispatch = Dispatch(shape, threads_of_one, dynamic_lds or 0, chosen, native, unchecked)
    report = launch(assembly, values, places, size, dispatch)
    seconds = time.perf_counter() - start
    outputs = {v.name: v.array for v in values if isinstance(v, ArrayValue) and v.is_output}
    return CodeObjectRun(resources, outputs, report.unwritten, _counters(report), seconds)


def _require_checks(names: Collection[str]) -> None:
    unknown = sorted(set(names) - set(CHECKS))
    if unknown:
        msg = f"unchecked: wanted {' or '.join(CHECKS)}, got {', '.join(unknown)}"
        raise LayoutError(msg)


def _counters(report: LaunchReport) -> dict[str, int]:
    """What was counted: workgroups and waves, then instructions and accesses."""
    counted = {"workgroups": report.workgroups, "waves": report.waves}
    return counted | {"instructions": sum(report.executed.values()), **report.work, **report.executed}


def code_object_of(code: bytes | str | Path, target: str | None = None) -> bytes:
    """The code object that is given, or that a file holds or is made of."""
    if isinstance(code, bytes):
        return code
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
        return compile_source(content.decode(), target).code_object
    return content


def _of_triton(code: Any) -> tuple[str, list[int], int]:
    """Name, threads of a workgroup, and bytes of LDS of what ``triton.compile`` gave."""
    if "hsaco" not in code.asm:
        msg = f"wanted a Triton kernel compiled for an AMD GPU, got one with {', '.join(code.asm)}"
        raise LayoutError(msg, hint='target=GPUTarget("hip", "gfx942", 64)')
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


def _values(
    resources: KernelResources, arguments: Sequence[Any] | Mapping[str, Any], *, pads: bool
) -> list[ArrayValue | int]:
    """What is passed for each explicit argument; ``pads``: trailing pointers that are left out are null."""
    places = explicit_places(resources.arguments)
    told = ", ".join(f"{p.name or f'argument {n}'} ({p.kind}, {p.size} bytes)" for n, p in enumerate(places))
    if isinstance(arguments, Mapping):
        unknown = sorted(set(arguments) - {place.name for place in places})
        missing = [place.name for place in places if place.name not in arguments]
        if unknown or (missing and not pads):
            msg = f"{resources.name}: {'unknown' if unknown else 'missing'} arguments"
            msg += f" {', '.join(unknown or missing)}; it has {told or 'none by name'}"
            raise LayoutError(msg, hint="arguments without names in the metadata are passed in order")
        arguments = [arguments[place.name] for place in places if place.name in arguments]
    given = list(arguments)
    if pads:
        given += [0] * sum(place.kind == "global_buffer" for place in places[len(given) :])
    if len(given) != len(places):
        msg = f"{resources.name}: wanted {len(places)} arguments, got {len(given)}; it has {told or 'none'}"
        raise LayoutError(msg)
    return [
        _value(value, place, number) for number, (value, place) in enumerate(zip(given, places, strict=True))
    ]


def _value(value: Any, place: KernelArgument, number: int) -> ArrayValue | int:
    name = place.name or f"argument{number}"
    array = value.array if isinstance(value, Output) else value
    if isinstance(array, np.ndarray) and array.ndim:
        if place.size != POINTER or place.kind == "by_value":
            msg = f"{name}: wanted a number of {place.size} bytes ({place.kind}), got an array"
            raise LayoutError(msg)
        copy = np.ascontiguousarray(array).copy()
        if isinstance(value, Output):
            return ArrayValue(name, copy, is_output=True, is_initialised=value.is_initialised)
        return ArrayValue(name, copy, is_output=False)
    if place.kind == "global_buffer" and value not in (0, None):
        msg = f"{name}: wanted an array, got {value!r}"
        raise LayoutError(msg, hint="an address is passed as an array; None passes a null pointer")
    return int.from_bytes(_bytes(value, place, name), "little")


def _bytes(value: Any, place: KernelArgument, name: str) -> bytes:
    """A number as the kernel takes it: of its own type if it has one, else of the size that is wanted."""
    if value is None:
        return bytes(place.size)
    if isinstance(value, (np.generic, np.ndarray)):
        found = bytes(np.asarray(value).tobytes())
    elif isinstance(value, (bytes, bytearray)):
        found = bytes(value)
    elif isinstance(value, float):
        kind = {2: np.float16, 4: np.float32, 8: np.float64}.get(place.size)
        found = b"" if kind is None else np.array(value, kind).tobytes()
    elif isinstance(value, int) and -(2 ** (8 * place.size - 1)) <= value < 2 ** (8 * place.size):
        found = (value % 2 ** (8 * place.size)).to_bytes(place.size, "little")
    else:
        found = b""
    if len(found) != place.size:
        msg = f"{name}: wanted {place.size} bytes, a number or a struct, got {value!r}"
        raise LayoutError(msg)
    return found
