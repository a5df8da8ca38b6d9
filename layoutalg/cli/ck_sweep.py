"""``layoutalg ck sweep``: tuned configurations of CK's kernels, judged one and all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from layoutalg.cli.report_output import is_written, with_progress, write_known_problems, write_reports
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.check.ck_sweep import Sweep
    from layoutalg.check.report import Report
    from layoutalg.check.settings import Settings
    from layoutalg.ck.configurations import Found

__all__ = ["sweep"]

Sources = Annotated[list[str], typer.Argument(help="Files, folders, or fetched releases PACKAGE==VERSION.")]
Words = list[str] | None
Tree = Annotated[str, typer.Option(help="Folder with include/ck_tile, or a fetched PACKAGE==VERSION.")]
Formats = Annotated[
    Words, typer.Option(help="concise, full, json, junit, sarif, github or markdown; FORMAT=FILE.")
]
Confirm = Annotated[
    bool, typer.Option("--confirm", help="Compile the first configuration of each cause (extra compile).")
]
Layout = Annotated[Words, typer.Option(help="Layouts of A, B, C left open: rcr, rrr, crr, ccr.")]
Element = Annotated[Words, typer.Option(help="Types that a source leaves open: fp16, bf16, fp8, ...")]


def sweep(  # noqa: PLR0913, PLR0917  one argument an option
    sources: Sources,
    tree: Annotated[
        str, typer.Option(help="Folder with include/ck_tile, or a fetched PACKAGE==VERSION.")
    ] = "",
    arch: Annotated[str, typer.Option(help="GPU of configurations that do not say theirs.")] = "gfx942",
    element: Annotated[
        Words, typer.Option(help="Types that a source leaves open: fp16, bf16, fp8, ...")
    ] = None,
    layout: Layout = None,
    kernel: Annotated[str, typer.Option(help="Only kernels with this in their name.")] = "",
    sample: Annotated[int, typer.Option(min=1, help="Every how-many-th configuration.")] = 1,
    output_format: Formats = None,
    select: Annotated[Words, typer.Option(help="Rules or families to check, such as LA5.")] = None,
    ignore: Annotated[Words, typer.Option(help="Rules or families to leave out.")] = None,
    baseline: Annotated[str | None, typer.Option(help="File of known problems, which do not fail.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write today's problems and succeed.")] = None,
    confirm: Confirm = False,  # noqa: FBT002
    findings: Annotated[Path | None, typer.Option(help="Write a page of findings, in Markdown.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to use.")] = None,
    scheduler: Annotated[str, typer.Option(help="Address of a Dask cluster.")] = "",
    cache: Annotated[str | None, typer.Option(help="File that keeps results between runs.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Decide everything anew.")] = False,  # noqa: FBT002
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List what is proved, too.")] = False,  # noqa: FBT002
) -> None:
    """Judge every function that each configuration's kernel uses: its layout, and accesses to shared memory.

    Sources: CSV of tuned kernels or bindings, the tile engine's JSON, Python tables, GemmConfig structs.
    Exit status as of layoutalg check. Example: layoutalg ck sweep tuned.csv --jobs 2 --findings findings.md
    """
    given = {"select": select, "ignore": ignore, "baseline": baseline, "jobs": jobs}
    given |= {"cache": "" if no_cache else cache, "output_format": output_format or None}
    settings = _settings(given)
    start = time.perf_counter()
    chosen = (element, layout, kernel, sample, confirm)
    found, swept = _swept(sources, tree, arch, chosen, settings, scheduler)
    report = _report(swept, settings, time.perf_counter() - start, verbose=verbose)
    if write_baseline is not None:
        write_known_problems(write_baseline, report)
        return
    good = write_reports(report, settings.outputs)
    if findings is not None:
        good = is_written(lambda: _write_page(findings, swept, report, tree)) and good
    typer.echo("\n".join(_summary(found, swept, report)), err=any(f is None for _, f in settings.outputs))
    raise typer.Exit(report.exit_status if good else 2)


def _settings(given: dict[str, Any]) -> Settings:
    """What the command line says, else the project."""
    from layoutalg.check.settings import nearest_settings  # noqa: PLC0415

    return nearest_settings(Path.cwd()).changed(**given)


def _write_page(path: Path, swept: Sweep, report: Report, tree: str) -> None:
    from layoutalg.check.findings_page import findings_page  # noqa: PLC0415
    from layoutalg.files import write_text  # noqa: PLC0415

    write_text(path, findings_page(swept, report, tree))


def _swept(
    sources: list[str],
    tree: str,
    arch: str,
    chosen: tuple[Words, Words, str, int, bool],
    settings: Settings,
    scheduler: str,
) -> tuple[Found, Sweep]:
    from layoutalg.check.ck_confirm import with_confirmations  # noqa: PLC0415
    from layoutalg.check.ck_sweep import swept  # noqa: PLC0415
    from layoutalg.ck.configurations import Choices, configurations_of  # noqa: PLC0415
    from layoutalg.ck.cpp.headers import headers  # noqa: PLC0415
    from layoutalg.ck.fetch import find_root  # noqa: PLC0415
    from layoutalg.machine import known_target  # noqa: PLC0415

    types, layouts, kernel, every, is_confirmed = chosen
    root = find_root(tree)
    index = headers(root, known_target(arch, where="--arch"))
    usual = Choices()
    choices = Choices(tuple(types or usual.types), tuple(layouts or usual.layouts))
    found = configurations_of(sources, index, choices)
    left = [one for one in found.configurations if kernel in one.kernel][::every]
    if not left:
        raise LayoutError(
            f"no configuration of {', '.join(sources)} is to be judged: {found.said}",
            hint="--kernel and --sample leave some out" if kernel else "names that nothing reads stand there",
        )
    kept = Path(settings.cache) if settings.cache else None
    result = swept(
        left, root, arch, cache_file=kept, jobs=settings.jobs, scheduler=scheduler, shown=with_progress
    )
    return found, with_confirmations(result, root) if is_confirmed else result


def _report(found: Sweep, settings: Settings, seconds: float, *, verbose: bool) -> Report:
    from layoutalg.check.baseline import read_baseline  # noqa: PLC0415
    from layoutalg.check.codes import is_selected  # noqa: PLC0415
    from layoutalg.check.report import Report  # noqa: PLC0415
    from layoutalg.check.selection import Selection  # noqa: PLC0415

    known = read_baseline(Path(settings.baseline)) if settings.baseline else []
    chosen = [
        finding
        for finding in found.findings
        if finding.status == "error" or is_selected(finding.code, settings.select, settings.ignore)
    ]
    return Report.of(
        chosen,
        unknown_fails=settings.unknown_fails,
        known={one.fingerprint for one in known},
        seconds=seconds,
        verbose=verbose,
        selection=Selection(settings.select, settings.ignore),
    )


def _summary(found: Found, swept: Sweep, report: Report) -> Iterator[str]:
    """A line for each kernel, and what was read."""
    from layoutalg.check.findings_page import kernels_of  # noqa: PLC0415

    for row in kernels_of(swept):
        yield str(row)
    yield f"{found.said}; {len(swept.judged)} functions with bindings judged in {report.seconds:.1f} s"
