"""``layoutalg run``: a shipped kernel, a saved run, or anybody's code object, executed."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from layoutalg.cli.kernel_request import Count, Size, option_of, requested, with_kernel_options
from layoutalg.codegen.matrix.kernel_matrix import family_named
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.cli.kernel_request import KernelRequest
    from layoutalg.codegen.executors import Launch

__all__ = ["run"]

USUAL_TARGET = "gfx942"
MOST_OPERATIONS = 2 * 10**10  # of a GEMM whose every workgroup is run on the CPU
SAMPLE = 4
FILES = (".co", ".hsaco", ".s", ".hip")  # of code


@with_kernel_options
def run(  # noqa: PLR0913, PLR0917  one argument an option
    what: Annotated[str, typer.Argument(help="A kernel; a saved run: DIR or run.json; .co, .s, .hip.")],
    on: Annotated[str, typer.Option(help="cpu, hip or cuda.")] = "cpu",
    target: Annotated[str | None, typer.Option(help="GPU whose code is run.")] = None,
    element: Annotated[str | None, typer.Option("--type", help="Element type, such as f16.")] = None,
    m: Size = None,
    n: Size = None,
    k: Size = None,
    batch_count: Count = None,
    alpha: Annotated[float | None, typer.Option(help="Factor of the product, with --scale.")] = None,
    beta: Annotated[float | None, typer.Option(help="Factor of D, with --scale.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare with NumPy.")] = False,  # noqa: FBT002
    save: Annotated[Path | None, typer.Option(help="Folder for all it takes to repeat the run.")] = None,
    seed: Annotated[int, typer.Option(help="Of the inputs.", min=0)] = 0,
    inputs: Annotated[str, typer.Option(help="integers (exact sums) or random.")] = "integers",
    workgroups: Annotated[int | None, typer.Option(help="CPU: run so many, spread evenly.", min=1)] = None,
    unproved: Annotated[bool, typer.Option("--unproved", help="Run without proofs.")] = False,  # noqa: FBT002
    launch: Annotated[Path | None, typer.Option(help="TOML: grid, block, arguments of a file.")] = None,
    kernel: Annotated[str | None, typer.Option(help="Of a file with several.")] = None,
    outputs: Annotated[Path | None, typer.Option(help="With --launch: .npz for the outputs.")] = None,
    **chosen: str | bool | None,
) -> None:
    """Run a kernel and report agreement, time where it means something, and counters.

    Exit status 1 if an output is wrong, the kernel is faulty, or a claim is not proved.
    Example: layoutalg run gemm --rung xor --m 512 --n 256 --k 512 --check
    """
    sizes = {"M": m, "N": n, "K": k, "batch_count": batch_count, "alpha": alpha, "beta": beta}
    given = {"type": element, **_as_options(sizes), "save": save, **chosen}
    if launch is not None:
        given |= {"check": check, "workgroups": workgroups, "unproved": unproved}
        return _launched(what, launch, (kernel, target, outputs), given, on)
    _require_launch(what, {"kernel": kernel, "outputs": outputs})
    if what.endswith(".json") or Path(what).is_dir():
        task = _saved(what, {"target": target, **given})
        return _execute(task, on, (workgroups, None), is_checked=True, is_lifted=False)
    request = requested(what, target or _target_of(on), element, sizes, chosen | _wanted_on(on, what))
    with ThreadPoolExecutor(1) as beside:  # the compiler is a process of its own
        made = beside.submit(_launch, request, inputs, seed, is_compiled=on != "cuda" or bool(save))
        if not unproved:
            _require_proofs(request)
        task = made.result()
    workgroups = _sample_for(request) if workgroups is None and on == "cpu" else workgroups
    return _execute(task, on, (workgroups, save), is_checked=check or bool(save), is_lifted=not unproved)


def _as_options(sizes: Mapping[str, object]) -> dict[str, object]:
    """Sizes by the names of the options that say them."""
    return {option_of(name): value for name, value in sizes.items()}


def _wanted_on(on: str, what: str) -> dict[str, bool]:
    """Options that a device wants, if the family has them: NVIDIA's GPUs want wide accesses aligned."""
    is_taken = on == "cuda" and any(option.name == "aligned" for option in family_named(what).options)
    return {"aligned": True} if is_taken else {}


def _launched(
    what: str,
    launch: Path,
    chosen: tuple[str | None, str | None, Path | None],
    given: Mapping[str, object],
    on: str,
) -> None:
    from layoutalg.cli.run_launch import run_launch  # noqa: PLC0415  loads what executes code

    unused = [name for name, value in given.items() if value not in {None, False}]
    if unused or on != "cpu":
        msg = f"--{unused[0] if unused else 'on'}: with --launch a file runs on the CPU, as that says"
        raise LayoutError(msg, hint="what may be chosen is --kernel, --target and --outputs")
    run_launch(what, launch, *chosen)


def _require_launch(what: str, given: dict[str, object]) -> None:
    """Refuse a file of code, and options for one, without the launch file that they need."""
    unused = [name for name, value in given.items() if value is not None]
    if unused or Path(what).suffix in FILES:
        msg = f"{f'--{unused[0]}' if unused else what}: wanted --launch launch.toml beside it"
        raise LayoutError(
            msg, hint="it says grid, block and arguments: pydoc layoutalg.codegen.executors.launch_file"
        )


def _saved(what: str, given: Mapping[str, object]) -> Launch:
    from layoutalg.codegen.executors.saved_run import read_run  # noqa: PLC0415

    unused = [name for name, value in given.items() if value not in {None, False}]
    if unused:
        msg = f"--{unused[0]}: a saved run is repeated as it was"
        raise LayoutError(msg, hint="what may change is --on and --workgroups")
    return read_run(Path(what))


def _target_of(on: str) -> str:
    """The GPU that is there, where code runs on one."""
    from layoutalg.codegen.executors.by_name import executor_on, target_of  # noqa: PLC0415

    return target_of(executor_on(on)) or USUAL_TARGET


def _require_proofs(request: KernelRequest) -> None:
    from layoutalg.cli.claims_table import decide, open_claims  # noqa: PLC0415  loads the solvers

    missing = list(open_claims(decide(request.kernel)))
    for line in missing:
        typer.echo(f"layoutalg: {request.kernel.name}: {line}", err=True)
    if missing:
        typer.echo("hint: --unproved runs it all the same", err=True)
        raise typer.Exit(1)


def _sample_for(request: KernelRequest) -> int | None:
    """A few workgroups where all of them would keep the CPU busy for minutes; None for all."""
    if family_named(request.choice.family).operations(request.choice, request.sizes) <= MOST_OPERATIONS:
        return None
    typer.echo(f"so large a run is sampled on the CPU: {SAMPLE} workgroups (--workgroups says how many)")
    return SAMPLE


def _launch(request: KernelRequest, inputs: str, seed: int, *, is_compiled: bool) -> Launch:
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.executors import Launch  # noqa: PLC0415
    from layoutalg.codegen.matrix.inputs import inputs_of  # noqa: PLC0415
    from layoutalg.machine import Target  # noqa: PLC0415

    kernel, sizes = request.kernel, request.sizes
    arrays = inputs_of(kernel, sizes, inputs, seed)
    # CUDA's own compiler takes the text
    code = compile_hip(kernel.text, Target.named(request.choice.target)) if is_compiled else None
    return Launch(kernel, code, sizes, arrays)


def _execute(
    task: Launch, on: str, chosen: tuple[int | None, Path | None], *, is_checked: bool, is_lifted: bool
) -> None:
    """Run and report; ``chosen``: how many workgroups, and where to save the run."""
    from layoutalg.cli.run_report import run_report  # noqa: PLC0415
    from layoutalg.codegen.executors.by_name import executor_on  # noqa: PLC0415
    from layoutalg.codegen.executors.run_file import save_launch  # noqa: PLC0415
    from layoutalg.codegen.gfx9.lifting import validated_kernel  # noqa: PLC0415  the solvers
    from layoutalg.codegen.kernel import ExecutionFaultError  # noqa: PLC0415
    from layoutalg.codegen.matrix.kernel_run import run_kernel, sampled_workgroups  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415

    workgroups, save = chosen
    some = None if workgroups is None else sampled_workgroups(task.grid, workgroups)
    executor = executor_on(on, some)
    wanted = task.kernel.reference(task.given) if is_checked else None
    if save is not None and wanted is not None:
        typer.echo(f"saved as {save_launch(save, task, wanted)}")
    try:
        done = run_kernel(task, executor, wanted)
    except ExecutionFaultError as error:
        typer.echo(f"layoutalg: the kernel is faulty: {error.message}", err=True)
        raise typer.Exit(1) from None
    is_lifted = is_lifted and task.code is not None
    addresses = validated_kernel(task.kernel, task.compiled, prove) if is_lifted else None
    for line in run_report(done, on, addresses):
        typer.echo(line)
    if not done.is_good or (addresses is not None and not addresses):
        raise typer.Exit(1)
