"""``layoutalg kernel``: a shipped kernel as HIP, once all its claims are proved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from layoutalg.cli.kernel_request import Count, Size, requested, targets_of, with_kernel_options
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.cli.kernel_request import KernelRequest
    from layoutalg.machine import Target

__all__ = ["kernel"]

Project = Annotated[
    Path | None, typer.Option(help="New folder: the kernel, a launcher that checks, a test, a Makefile.")
]


@with_kernel_options
def kernel(  # noqa: PLR0913, PLR0917  one argument an option
    family: Annotated[
        str, typer.Argument(help="gemm, transpose, permute, copy, ... (a wrong one lists all).")
    ],
    target: Annotated[str, typer.Option(help="GPU, or several: gfx90a;gfx942.")] = "gfx942",
    element: Annotated[str | None, typer.Option("--type", help="Element type, such as f16.")] = None,
    m: Size = None,
    n: Size = None,
    k: Size = None,
    batch_count: Count = None,
    output: Annotated[
        Path | None, typer.Option("-o", help="File; with several targets one each, NAME.TARGET.hip.")
    ] = None,
    project: Project = None,
    explain: Annotated[  # noqa: FBT002
        bool, typer.Option("--explain", help="Print every claim with its verdict; text only with -o.")
    ] = False,
    explain_plan: Annotated[  # noqa: FBT002
        bool, typer.Option("--explain-plan", help="Print what was considered for the sizes, and why this.")
    ] = False,
    **chosen: str | bool | None,
) -> None:
    """Write a kernel as HIP, after proving all its claims for all admissible sizes.

    Unless only shown it is compiled, too, and the addresses of the code are proved to be those claimed.
    Exit status 1, and nothing written, if a claim is refuted or unknown; 2 if it does not compile, or spills.
    A gemm without a rung is planned for its sizes by a model of the GPU.
    Example: layoutalg kernel gemm --m 8192 --n 8192 --k 8192 --explain-plan -o gemm.hip
    """
    targets = targets_of(target)
    is_shown = output is None and project is None and not (explain or explain_plan)
    _require_places(targets, project, is_shown=is_shown)
    sizes = {"M": m, "N": n, "K": k, "batch_count": batch_count}
    requests = [requested(family, one.name, element, sizes, chosen) for one in targets]
    for request in requests if explain_plan else ():
        _tell_plan(request)
    proved = [_is_proved(request, explain=explain) for request in requests]
    is_compiled = explain or output is not None or project is not None
    if not all(proved) or not all(_is_compiled_as_claimed(r) for r in requests if is_compiled):
        raise typer.Exit(1)
    if is_shown:
        typer.echo(requests[0].kernel.text, nl=False)
    for request in requests:
        _write(request, output, project, is_one=len(requests) == 1)


def _require_places(targets: Sequence[Target], project: Path | None, *, is_shown: bool) -> None:
    """Refuse several kernels where one place is named, or none."""
    if len(targets) > 1 and (is_shown or project is not None):
        what = "are one project each" if project else "need files"
        msg = f"--target {','.join(one.name for one in targets)}: kernels for several targets {what}"
        raise LayoutError(msg, hint="one target, or -o NAME.hip")


def _tell_plan(request: KernelRequest) -> None:
    from layoutalg.cli.columns import columns  # noqa: PLC0415

    choice, plan = request.choice, request.plan
    if plan is None:
        msg = f"--explain-plan: {choice.family} on {choice.target} is not planned, its options say what it is"
        raise LayoutError(msg)
    typer.echo(f"{choice.family} {choice.element} on {choice.target}, by a model of the compute unit:")
    for line in (*plan.reasons(), *(f"Passed over: {why}" for why in request.passed_over)):
        typer.echo(f"  {line}")
    for line in columns([tuple(row) for row in plan.rows()]):
        typer.echo(f"  {line}")


def _is_proved(request: KernelRequest, *, explain: bool) -> bool:
    """Decide every claim; what is not proved is told in any case."""
    from layoutalg.cli.claims_table import claims_table, decide, open_claims  # noqa: PLC0415  the solvers

    decided = decide(request.kernel)
    if explain:
        typer.echo(f"{request.kernel.name} for {request.choice.target}")
        for line in claims_table(decided):
            typer.echo(line)
    missing = list(open_claims(decided))
    for line in missing:
        typer.echo(f"layoutalg: {request.kernel.name}: {line}", err=True)
    if missing:
        typer.echo("hint: the kernel is not written; --explain shows all claims", err=True)
    return not missing


def _is_compiled_as_claimed(request: KernelRequest) -> bool:
    """Compile it and tell whether the code accesses what the kernel claims; where there is a compiler for it.

    Refused: a kernel that does not compile, or spills.
    """
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import validated_kernel  # noqa: PLC0415  the solvers
    from layoutalg.errors import MissingToolError, UnfitCompilerError  # noqa: PLC0415
    from layoutalg.machine import Target  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415

    try:
        compiled = compile_hip(request.kernel.text, Target.named(request.choice.target))
    except (MissingToolError, UnfitCompilerError) as error:
        typer.echo(f"addresses of the compiled code: not looked at: {error.message}", err=True)
        return True
    found = validated_kernel(request.kernel, compiled, prove)
    if found is not None:
        typer.echo(f"{request.choice.target}: {found}", err=True)
    is_proved = found is None or found.is_proved
    if not is_proved:
        typer.echo(
            "hint: the kernel is not written; without -o, --project and --explain its text is shown", err=True
        )
    return is_proved


def _write(request: KernelRequest, output: Path | None, project: Path | None, *, is_one: bool) -> None:
    """To a file, to a folder, to both."""
    if output is not None:
        _write_text(request, output, is_one=is_one)
    if project is not None:
        _write_project(request, project)


def _write_text(request: KernelRequest, output: Path, *, is_one: bool) -> None:
    from layoutalg.files import write_text  # noqa: PLC0415

    path = output if is_one else output.with_suffix(f".{request.choice.target}{output.suffix or '.hip'}")
    write_text(path, request.kernel.text)
    grid = ", ".join(map(str, request.kernel.grid_for(request.sizes)))
    sizes = ", ".join(f"{name} = {size}" for name, size in request.sizes.items())
    count, launch = len(request.kernel.claims), f"launch with grid ({grid})"
    typer.echo(f"{path}: {count} claims proved; {f'for {sizes} ' if sizes else ''}{launch}", err=True)


def _write_project(request: KernelRequest, folder: Path) -> None:
    from layoutalg.codegen.project import KernelProject, write_project  # noqa: PLC0415

    choice, kernel = request.choice, request.kernel
    small = choice.sizes_for(kernel, is_large=False)
    made = KernelProject(kernel, choice.family, choice.target, small)
    files = ", ".join(made.files())
    typer.echo(
        f"{write_project(made, folder)}: {files}; `make check` there builds and runs its test", err=True
    )
