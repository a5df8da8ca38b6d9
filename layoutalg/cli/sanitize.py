"""``layoutalg sanitize``: run kernels without a GPU and report everything that is wrong with them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from layoutalg.cli.check import Formats
from layoutalg.cli.kernel_request import Count, Size, requested, with_kernel_options
from layoutalg.cli.report_output import write_known_problems, write_reports
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.sanitizer_report import SanitizerReport
    from layoutalg.check.sanitizer_runs import SanitizerOptions
    from layoutalg.codegen.sanitizer import Sanitized

__all__ = ["sanitize"]

USUAL_TARGET = "gfx942"
Names = list[str] | None


What = Annotated[
    list[str],
    typer.Argument(help="Code (.hip, .s, .co), .launch.toml, a folder of them, a saved run, .py, a kernel."),
]
Select = Annotated[Names, typer.Option(help="Check, group or code to look for, if not all; repeatable.")]
Ignore = Annotated[Names, typer.Option(help="Check, group or code to leave out; repeatable.")]
Known = Annotated[Path | None, typer.Option(help="File of known problems, which do not fail.")]


@with_kernel_options
def sanitize(  # noqa: PLR0913, PLR0917  one argument an option
    what: What,
    launch: Annotated[Path | None, typer.Option(help="TOML: grid, block, arguments of the code.")] = None,
    kernel: Annotated[str | None, typer.Option(help="Of a file with several.")] = None,
    target: Annotated[str | None, typer.Option(help="GPU that source is compiled for.")] = None,
    output_format: Formats = None,
    select: Select = None,
    ignore: Ignore = None,
    suppressions: Annotated[Path | None, typer.Option(help="TOML: what is allowed, and why.")] = None,
    baseline: Known = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write today's problems and succeed.")] = None,
    costs: Annotated[bool, typer.Option("--costs", help="Also print what each line costs.")] = False,  # noqa: FBT002
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List clean checks, too.")] = False,  # noqa: FBT002
    element: Annotated[str | None, typer.Option("--type", help="Of a kernel: element type.")] = None,
    m: Size = None,
    n: Size = None,
    k: Size = None,
    batch_count: Count = None,
    **chosen: str | bool | None,
) -> None:
    """Run kernels on the CPU and report races, missing waits, bad accesses and more, line by line.

    Exit status: 0 clean, 1 something found, 2 what cannot be run, or bad usage; 2 wins over 1.
    Examples: layoutalg sanitize kernel.hip --launch kernel.launch.toml
    layoutalg sanitize gemm --rung xor --costs
    """
    from layoutalg.check.outputs import outputs_of  # noqa: PLC0415
    from layoutalg.check.sanitizer_runs import SanitizerOptions  # noqa: PLC0415
    from layoutalg.codegen.kernel_checks import chosen_checks  # noqa: PLC0415

    options = SanitizerOptions(tuple(select or ()), tuple(ignore or ()), launch, kernel, target)
    chosen_checks(options.select, options.ignore)
    outputs = outputs_of(output_format or ["full"], "--output-format")
    sizes = {"M": m, "N": n, "K": k, "batch_count": batch_count}
    given = {"element": element, "sizes": sizes, "chosen": chosen}
    runs = _runs(what, options, given)
    report = _report(runs, (suppressions, baseline), costs=costs, verbose=verbose)
    if write_baseline is not None:
        write_known_problems(write_baseline, report)
        return
    good = write_reports(report, outputs)
    raise typer.Exit(report.exit_status if good else 2)


def _report(
    runs: Iterator[Sanitized | Finding], files: tuple[Path | None, Path | None], *, costs: bool, verbose: bool
) -> SanitizerReport:
    """All that was found; ``files``: suppressions and baseline. What lines cost is printed on the way."""
    from layoutalg.check.baseline import read_baseline  # noqa: PLC0415
    from layoutalg.check.finding import Finding  # noqa: PLC0415
    from layoutalg.check.sanitizer_report import SanitizerReport, findings_of, unused_notes  # noqa: PLC0415
    from layoutalg.check.suppressions import Suppression, read_suppressions  # noqa: PLC0415

    allowed = read_suppressions(files[0]) if files[0] else []
    known = read_baseline(files[1]) if files[1] else []
    start = time.perf_counter()
    used: set[Suppression] = set()
    names: Counter[str] = Counter()
    found: list[Finding] = []
    for done in runs:
        if isinstance(done, Finding):
            found.append(done)
        else:
            names[done.kernel.name] += 1  # one kernel may be run more than once
            number = names[done.kernel.name]
            found += findings_of(done, allowed, used, f"run {number}" if number > 1 else "")
            _print_costs(done, is_asked=costs)
    found += unused_notes(allowed, used)
    seconds = time.perf_counter() - start
    return SanitizerReport.of(
        found, known={one.fingerprint for one in known}, seconds=seconds, verbose=verbose
    )


def _runs(
    what: list[str], options: SanitizerOptions, given: Mapping[str, Any]
) -> Iterator[Sanitized | Finding]:
    """What each run found; a run that cannot be made is an error among several, and refused alone."""
    from layoutalg.check.finding import Finding  # noqa: PLC0415
    from layoutalg.check.sanitizer_runs import runs_of  # noqa: PLC0415
    from layoutalg.errors import LayoutError, ToolError  # noqa: PLC0415

    for word in what:
        try:
            runs = (
                [lambda word=word: _shipped(word, options, given)]
                if word in FAMILIES
                else runs_of(word, options)
            )
            for run in runs:
                yield run()
        except (LayoutError, ToolError) as error:
            if len(what) == 1:
                raise
            yield Finding(word, 1, "", "LA900", "executable", "error", summary=error.message)


def _shipped(family: str, options: SanitizerOptions, given: Mapping[str, Any]) -> Sanitized:
    """One of our own kernels, on small sizes unless they are given."""
    from layoutalg.codegen.compile import compile_hip  # noqa: PLC0415
    from layoutalg.codegen.executors import Launch  # noqa: PLC0415
    from layoutalg.codegen.matrix.inputs import inputs_of  # noqa: PLC0415
    from layoutalg.codegen.sanitizer import sanitize_launch  # noqa: PLC0415
    from layoutalg.machine import Target  # noqa: PLC0415

    target = Target.named(options.target or USUAL_TARGET)
    request = requested(
        family, target.name, given["element"], given["sizes"], given["chosen"], is_large=False
    )
    made, name = request.kernel, f"{request.kernel.name}.hip"
    compiled = compile_hip(made.text, target, lines_of=name)
    task = Launch(made, compiled, request.sizes, inputs_of(made, request.sizes, "integers", 0))
    return sanitize_launch(task, file=name, **options.checks)


def _print_costs(done: Sanitized, *, is_asked: bool) -> None:
    from layoutalg.cli.sanitizer_costs import cost_lines  # noqa: PLC0415

    for line in cost_lines(done) if is_asked else ():
        typer.echo(line)
