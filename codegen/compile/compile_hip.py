"""HIP source to assembly to a linked code object, for one target at a time."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.code_object import KernelResources, read_code_object
from layoutalg.codegen.compile.known_defects import refuse_known_defects
from layoutalg.codegen.compile.toolchain import Toolchain, find_toolchain, run
from layoutalg.errors import ToolError, UnfitCompilerError
from layoutalg.extras import install_command
from layoutalg.machine import Target

__all__ = ["Compiled", "CompiledSource", "compile_hip", "compile_source", "resource_complaints"]

WITH_LINES = ("-gline-tables-only", "-fno-discard-value-names")  # the latter for names of arguments


@dataclass(frozen=True)
class Compiled:
    """One kernel compiled for one target: its assembly, its code object and what it needs."""

    target: Target
    toolchain: str
    assembly: str
    code_object: bytes
    resources: KernelResources


@dataclass(frozen=True)
class CompiledSource:
    """A source file compiled for one target, with all kernels in it."""

    target: Target
    toolchain: str
    assembly: str
    code_object: bytes
    kernels: tuple[KernelResources, ...]


def compile_source(
    source: str,
    target: Target | str,
    *,
    optimize: str = "-O3",
    toolchain: Toolchain | None = None,
    lines_of: str | None = None,
    beside: Path | None = None,
) -> CompiledSource:
    """Compile HIP source with any number of kernels; spills and large shared memory are accepted.

    ``lines_of``: the name under which the code object says which line each instruction comes from;
    ``beside``: the folder that the source lies in, where ``#include "..."`` looks first.
    """
    target = Target.named(target) if isinstance(target, str) else target
    tools = toolchain or find_toolchain()
    if not tools.knows(target.name):
        msg = f"{tools.version} does not know {target.name}"
        raise UnfitCompilerError(
            msg, hint=f"take a later clang, such as that of: {install_command('compile')}"
        )
    with tempfile.TemporaryDirectory(prefix="layoutalg-") as folder:
        name = "kernel.hip" if lines_of is None else Path(lines_of).name
        hip, assembly = Path(folder) / name, Path(folder) / "kernel.s"
        debug = () if lines_of is None else (*WITH_LINES, f"-fdebug-prefix-map={folder}=.")
        hip.write_text(source, encoding="utf-8")
        own = () if beside is None else ("-iquote", str(beside))
        command = [
            *tools.clang,
            *("-x", "hip", f"--offload-arch={target.name}", "--offload-device-only"),
            *("--no-gpu-bundle-output", optimize, *debug, *own, *tools.source_flags),
            *("-S", str(hip), "-o", str(assembly)),
        ]
        _compile(command, folder, lines_of)
        text = assembly.read_text(encoding="utf-8")
    refuse_known_defects(text, tools)
    content = link(assemble(text, target.name, tools), tools)
    return CompiledSource(target, tools.name, text, content, read_code_object(content))


def _compile(command: list[str], folder: str, name: str | None) -> None:
    """Run the compiler; what it says of a file that has a name is told under that name."""
    try:
        run(command)
    except ToolError as error:
        if name is None:
            raise
        _, _, said = error.message.partition("\n")
        told = said.replace(str(Path(folder) / Path(name).name), name)
        raise ToolError(f"{name} does not compile:\n{told}", hint=error.hint) from None


def compile_hip(
    source: str,
    target: Target | str,
    *,
    optimize: str = "-O3",
    allow_spills: bool = False,
    toolchain: Toolchain | None = None,
    lines_of: str | None = None,
) -> Compiled:
    """Compile HIP source that holds one kernel.

    Refused: a kernel that spills registers (unless allowed), and one that needs more shared memory
    than a workgroup has. ``lines_of`` as for :func:`compile_source`.
    """
    target = Target.named(target) if isinstance(target, str) else target
    made = compile_source(source, target, optimize=optimize, toolchain=toolchain, lines_of=lines_of)
    if len(made.kernels) != 1:
        names = ", ".join(kernel.name for kernel in made.kernels) or "none"
        msg = f"wanted a source file with one kernel, got {len(made.kernels)}: {names}"
        raise ToolError(msg)
    complaints = resource_complaints(made.kernels[0], target, allow_spills=allow_spills)
    if complaints:
        raise ToolError(complaints[0], hint="let a thread hold less, or take a smaller tile")
    return Compiled(target, made.toolchain, made.assembly, made.code_object, made.kernels[0])


def resource_complaints(resources: KernelResources, target: Target, *, allow_spills: bool) -> list[str]:
    """Why a kernel should not run: it spills registers, or needs more shared memory than a workgroup has.

    A vector register that an accumulation register keeps costs two moves and no memory: that is no reason.
    """
    found = []
    is_kept = resources.scratch_bytes == resources.sgpr_spills == 0
    if resources.spills and not is_kept and not allow_spills:
        found.append(f"{resources.name} spills {resources.spills} registers on {target.name}")
    if resources.lds_bytes > target.lds_bytes_per_workgroup:
        msg = f"{resources.name} needs {resources.lds_bytes} bytes of LDS; a workgroup on"
        found.append(f"{msg} {target.name} has {target.lds_bytes_per_workgroup}")
    return found
