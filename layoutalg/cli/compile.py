"""``layoutalg compile``: HIP source to code objects, and what their kernels need."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from layoutalg.cli.kernel_request import targets_of
from layoutalg.errors import ToolError
from layoutalg.reading.text_file import read_text

if TYPE_CHECKING:
    from layoutalg.codegen.compile import CompiledSource

__all__ = ["compile_file"]

HEAD = (
    *("kernel", "target", "compiler", "VGPRs", "AGPRs", "SGPRs", "spills", "LDS", "scratch"),
    *("waves/SIMD", "workgroups/CU", "limited by"),
)


def compile_file(
    source: Annotated[str, typer.Argument(help="HIP file; - reads the standard input.")],
    target: Annotated[str, typer.Option(help="GPU, or several: gfx90a;gfx942.")] = "gfx942",
    asm: Annotated[bool, typer.Option("--asm", help="Assembly too: to the folder, or printed.")] = False,  # noqa: FBT002
    allow_spills: Annotated[  # noqa: FBT002
        bool, typer.Option("--allow-spills", help="Accept registers spilled to memory.")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", help="Folder for the code objects.")] = None,
) -> None:
    """Compile HIP for AMD GPUs, without ROCm if need be; print registers, spills, LDS and occupancy.

    VGPRs count AGPRs too from gfx90a on. LDS and scratch are bytes; RDNA's unit is a workgroup processor.
    Exit status 1 if a kernel spills or asks for too much shared memory.
    Example: layoutalg compile f.hip --target "gfx90a;gfx942" --asm -o built
    """
    from layoutalg.cli.columns import columns  # noqa: PLC0415
    from layoutalg.codegen.compile import compile_source, resource_complaints  # noqa: PLC0415

    text, stem = _read(source)
    made: list[CompiledSource] = []
    for one in targets_of(target):
        try:
            made.append(compile_source(text, one, beside=Path() if source == "-" else Path(source).parent))
        except ToolError as error:
            raise ToolError(f"{source} for {one.name}: {error.message}", hint=error.hint) from None
    is_printed = asm and output is None
    for line in columns([HEAD, *(row for compiled in made for row in _rows(compiled))]):
        typer.echo(line, err=is_printed)
    for compiled in made:
        _keep(compiled, stem, output, asm=asm)
    complaints = [
        complaint
        for compiled in made
        for needs in compiled.kernels
        for complaint in resource_complaints(needs, compiled.target, allow_spills=allow_spills)
    ]
    for complaint in complaints:
        typer.echo(f"layoutalg: {complaint}", err=True)
    if complaints:
        raise typer.Exit(1)


def _read(source: str) -> tuple[str, str]:
    """The text, and what files made of it are called."""
    if source == "-":
        return sys.stdin.read(), "kernel"
    return read_text(Path(source)), Path(source).stem


def _rows(compiled: CompiledSource) -> list[tuple[object, ...]]:
    from layoutalg.codegen.matrix.report_entry import resources_of  # noqa: PLC0415

    rows: list[tuple[object, ...]] = []
    for needs in compiled.kernels:
        told = resources_of(needs, compiled.target)
        keys = ("vgprs", "agprs", "sgprs", "spills", "lds_bytes", "scratch_bytes")
        held = (told["waves_per_simd"], told["workgroups_per_unit"], ", ".join(told["limited_by"]))
        names = (needs.name, compiled.target.name, compiled.toolchain)
        rows.append((*names, *(told[key] for key in keys), *held))
    return rows or [("no kernels", compiled.target.name, compiled.toolchain, *("",) * 9)]


def _keep(compiled: CompiledSource, stem: str, output: Path | None, *, asm: bool) -> None:
    from layoutalg.files import write_bytes, write_text  # noqa: PLC0415

    if output is None:
        if asm:
            typer.echo(compiled.assembly, nl=False)
        return
    name = f"{stem}.{compiled.target.name}"
    typer.echo(str(write_bytes(output / f"{name}.co", compiled.code_object)))
    if asm:
        typer.echo(str(write_text(output / f"{name}.s", compiled.assembly)))
