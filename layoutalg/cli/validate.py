"""``layoutalg validate``: every shipped kernel proved, compiled, run and compared on one device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from layoutalg.cli.kernel_request import targets_of

__all__ = ["validate"]

ALL_PASS, SOME_FAIL = 0, 1


def validate(
    on: Annotated[str, typer.Option(help="cpu, hip or cuda.")] = "cpu",
    target: Annotated[
        str | None, typer.Option(help="GPUs, such as gfx90a;gfx942; else those the device runs.")
    ] = None,
    quick: Annotated[  # noqa: FBT002
        bool, typer.Option("--quick", help="Each type once, small sizes, integers.")
    ] = False,
    report: Annotated[Path | None, typer.Option(help="Folder for the report, JSON and Markdown.")] = None,
    seed: Annotated[int, typer.Option(help="Of the inputs.", min=0)] = 0,
) -> None:
    """Prove, compile, run and check the whole kernel matrix, on the CPU or on a GPU that is there.

    On a GPU kernels are timed, beside PyTorch's if it is installed. Exit status 1 if one fails; the others
    are examined all the same. Example: layoutalg validate --on hip --report validation
    """
    from layoutalg.codegen.executors.by_name import executor_on, target_of  # noqa: PLC0415
    from layoutalg.codegen.matrix.validation import matrix  # noqa: PLC0415  loads the compiler
    from layoutalg.codegen.matrix.validation import validate as validate_all  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415  loads the solvers

    named = [one.name for one in targets_of(target)] if target else []
    executor = executor_on(on)
    there = target_of(executor)
    chosen = matrix(on, named or ([there] if there else []), is_quick=quick)
    typer.echo(f"{len(chosen)} kernels on {executor.device}")
    found = validate_all(chosen, on, prove, is_quick=quick, seed=seed, told=_tell)
    counts = found["counts"]
    typer.echo(f"{counts['passed']} passed, {counts['failed']} failed, {counts['left out']} left out")
    if report is not None:
        _write(report, found)
    raise typer.Exit(SOME_FAIL if counts["failed"] else ALL_PASS)


def _tell(entry: dict[str, Any]) -> None:
    where = f" at {entry['failed_at']}" if "failed_at" in entry else ""
    message = f": {entry['message'].splitlines()[0]}" if entry.get("message") else ""
    speeds = [f"{run['teraflops']} TFLOP/s" for run in entry.get("runs", ()) if "teraflops" in run]
    speed = f", {speeds[-1]}" if speeds else ""
    typer.echo(f"{entry['status']}{where}  {entry['label']} ({entry['seconds']:.1f} s{speed}){message}")


def _write(folder: Path, found: dict[str, Any]) -> None:
    from layoutalg.codegen.matrix.validation import validation_text  # noqa: PLC0415
    from layoutalg.files import write_json, write_text  # noqa: PLC0415

    typer.echo(str(write_json(folder / "validation.json", found)))
    typer.echo(str(write_text(folder / "validation.md", validation_text(found))))
