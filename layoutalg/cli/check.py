"""``layoutalg check``: layout files and modules in, reports out."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from layoutalg.cli.report_output import is_written, with_progress, write_known_problems, write_reports

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report
    from layoutalg.check.settings import Settings

__all__ = ["EPILOG", "CheckCommand", "check"]

Paths = Annotated[list[str] | None, typer.Argument(help="Files, folders, module:name; else those set.")]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--output-format",
        help="concise, full, json, junit, sarif, github, markdown or html; FORMAT=FILE; repeatable.",
    ),
]
Codes = list[str] | None


EPILOG = (
    "Of a layout without claims: a descriptor is checked to be in bounds, one-to-one, and to fit its"
    " integers; a distribution to be in bounds and owned; an offset expression to be in bounds if it"
    " has a size, and to fit int32 where all sizes have a max."
    " Settings come from the command line, else from the table tool.layoutalg of pyproject.toml: select,"
    " ignore, unknown, baseline, cache, jobs, max-points, recheck, paths, output-format."
    " Every error of a file is told; what does not stand on one is judged all the same."
    " An entry of the baseline that no longer occurs is told in a note and does not fail;"
    " --write-baseline drops it."
)


class CheckCommand(TyperCommand):
    """``--recheck`` alone means Z3: the word after it is a path, not its value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["--recheck=z3" if arg == "--recheck" else arg for arg in args])


def check(  # noqa: PLR0913, PLR0917  one argument an option
    paths: Paths = None,
    output_format: Formats = None,
    select: Annotated[Codes, typer.Option(help="Rules or families to check, such as LA2.")] = None,
    ignore: Annotated[Codes, typer.Option(help="Rules or families to leave out.")] = None,
    unknown: Annotated[str | None, typer.Option(help="fail or warn: what an unknown verdict does.")] = None,
    baseline: Annotated[str | None, typer.Option(help="File of known problems, which do not fail.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write today's problems and succeed.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to use.")] = None,
    max_points: Annotated[int | None, typer.Option(help="Points tried one by one; 1: none.")] = None,
    recheck: Annotated[str | None, typer.Option(help="z3, cvc5, no: it must confirm each proof.")] = None,
    scheduler: Annotated[str, typer.Option(help="Address of a Dask cluster to use.")] = "",
    cache: Annotated[str | None, typer.Option(help="File that keeps results between runs.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Decide everything anew.")] = False,  # noqa: FBT002
    certificates: Annotated[Path | None, typer.Option(help="Folder for a certificate of each claim.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List what is proved, too.")] = False,  # noqa: FBT002
) -> None:
    """Prove or refute what layout files and modules claim.

    Exit status: 0 all proved, 1 something refuted or (by default) unknown or not confirmed, 2 a file in
    error, bad usage, a report that cannot be written, or no layouts found; 2 wins over 1.
    Example: layoutalg check layouts --output-format full --output-format sarif=out.sarif
    """
    given = {"select": select, "ignore": ignore, "unknown": unknown, "baseline": baseline, "jobs": jobs}
    given |= {"cache": "" if no_cache else cache, "max_points": max_points, "recheck": recheck}
    settings = _settings(given | {"output_format": output_format or None})
    asked = paths or list(settings.paths) or ["."]
    report = _report(asked, settings, scheduler, certificates, verbose=verbose)
    if write_baseline is not None:
        write_known_problems(write_baseline, report)
        return
    raise typer.Exit(report.exit_status if _is_reported(report, settings.outputs, certificates) else 2)


def _settings(given: dict[str, Any]) -> Settings:
    """What the command line says, else the project."""
    from layoutalg.check.settings import nearest_settings  # noqa: PLC0415

    found = nearest_settings(Path.cwd()).changed(**given)
    _require_solver(found.recheck)
    return found


def _is_reported(report: Report, outputs: list[tuple[str, Path | None]], certificates: Path | None) -> bool:
    """Whether all that was asked for could be written; the verdicts are told in any case."""
    files = [path for _, path in outputs if path is not None]
    if len(files) == len(outputs) and not report.judged:
        typer.echo(f"layoutalg: {report.sentence}", err=True)
    good = write_reports(report, outputs)
    if certificates is not None:
        good = is_written(lambda: _write_certificates(certificates, report.findings)) and good
    if not good and len(files) == len(outputs):
        write_reports(report, [("concise", None)])
    return good


def _require_solver(name: str) -> None:
    """Refuse a second checker that is not installed."""
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    if not name:
        return
    from layoutalg.extras import install_command  # noqa: PLC0415
    from layoutalg.proofs.smt.solvers import SOLVERS  # noqa: PLC0415  loads the solvers

    if not SOLVERS[name].is_installed:
        raise LayoutError(f"--recheck: {name} is not installed", hint=install_command("recheck"))


def _report(
    paths: list[str], settings: Settings, scheduler: str, certificates: Path | None, *, verbose: bool
) -> Report:
    from layoutalg.check.baseline import read_baseline, stale  # noqa: PLC0415
    from layoutalg.check.decide import Options  # noqa: PLC0415
    from layoutalg.check.report import Report  # noqa: PLC0415
    from layoutalg.check.runner import findings  # noqa: PLC0415
    from layoutalg.check.selection import Selection  # noqa: PLC0415
    from layoutalg.check.sources import sources_of  # noqa: PLC0415
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    sources = sources_of(paths)
    if not sources:
        msg = f"no layouts found in {', '.join(paths)}"
        raise LayoutError(msg, hint="layout files end in .layout.toml or .layout.py")
    known = read_baseline(Path(settings.baseline)) if settings.baseline else []
    selection = Selection(settings.select, settings.ignore)
    options = Options(
        settings.select,
        settings.ignore,
        settings.cache,
        certificates is not None,
        settings.max_points,
        settings.recheck,
    )
    start = time.perf_counter()
    results = findings(sources, options, jobs=settings.jobs, scheduler=scheduler)
    found = [finding for _, part in with_progress(results, len(sources)) for finding in part]
    seconds = time.perf_counter() - start
    found += stale(Path(settings.baseline), known, found, sources, selection)
    return Report.of(
        found,
        unknown_fails=settings.unknown_fails,
        known={one.fingerprint for one in known},
        seconds=seconds,
        verbose=verbose,
        selection=selection,
    )


def _write_certificates(folder: Path, found: Iterable[Finding]) -> None:
    from layoutalg.files import write_json  # noqa: PLC0415

    for finding in found:
        if finding.certificate is not None:
            name = f"{finding.layout}_{finding.code}_{finding.fingerprint[:12]}.json"
            write_json(folder / name, finding.certificate)
