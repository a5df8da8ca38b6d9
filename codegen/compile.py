"""HIP source to assembly to a linked code object, for one target at a time."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from layoutalg.codegen.code_object import KernelResources, read_code_object
from layoutalg.codegen.toolchain import Toolchain, find_toolchain, run
from layoutalg.errors import ToolError
from layoutalg.machine import Target

__all__ = ["Compiled", "compile_hip"]


@dataclass(frozen=True)
class Compiled:
    """One kernel compiled for one target: its assembly, its code object and what it needs."""

    target: Target
    toolchain: str
    assembly: str
    code_object: bytes
    resources: KernelResources


def compile_hip(
    source: str,
    target: Target,
    *,
    optimize: str = "-O3",
    allow_spills: bool = False,
    toolchain: Toolchain | None = None,
) -> Compiled:
    """Compile HIP source that holds one kernel.

    Refused: a kernel that spills registers (unless allowed), and one that needs more shared memory
    than a workgroup has.
    """
    tools = toolchain or find_toolchain()
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        hip, assembly, unlinked, linked = (
            Path(folder) / f"kernel.{suffix}" for suffix in ("hip", "s", "o", "co")
        )
        hip.write_text(source, encoding="utf-8")
        run(
            [
                *tools.clang,
                *("-x", "hip", f"--offload-arch={target.name}", "--offload-device-only"),
                *("--no-gpu-bundle-output", optimize, *tools.source_flags),
                *("-S", str(hip), "-o", str(assembly)),
            ]
        )
        run(
            [
                *tools.clang,
                *("-target", "amdgcn-amd-amdhsa", f"-mcpu={target.name}"),
                *("-c", str(assembly), "-o", str(unlinked)),
            ]
        )
        run([*tools.linker, "-shared", str(unlinked), "-o", str(linked)])
        text, content = assembly.read_text(encoding="utf-8"), linked.read_bytes()
    kernels = read_code_object(content)
    if len(kernels) != 1:
        names = ", ".join(kernel.name for kernel in kernels) or "none"
        msg = f"wanted a source file with one kernel, got {len(kernels)}: {names}"
        raise ToolError(msg)
    _check(kernels[0], target, allow_spills=allow_spills)
    return Compiled(target, tools.name, text, content, kernels[0])


def _check(resources: KernelResources, target: Target, *, allow_spills: bool) -> None:
    if resources.spills and not allow_spills:
        msg = f"{resources.name} spills {resources.spills} registers on {target.name}"
        raise ToolError(msg, hint="let a thread hold less, or allow spills")
    if resources.lds_bytes > target.lds_bytes_per_workgroup:
        msg = f"{resources.name} needs {resources.lds_bytes} bytes of LDS; a workgroup on"
        msg += f" {target.name} has {target.lds_bytes_per_workgroup}"
        raise ToolError(msg)
