"""``layoutalg check``: layout files and modules in, reports out."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from layoutalg.check.finding import Finding
    from layoutalg.check.report import Report
    from layoutalg.check.settings import Settings

__all__ = ["check"]

Paths = Annotated[list[str] | None, typer.Argument(help="Files, folders, module:name; else those set.")]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--output-format",
        help="concise, full, json, junit, sarif, github or markdown; FORMAT=FILE; repeatable.",
    ),
]
Codes = list[str] | None


def check(  # noqa: PLR0913, PLR0917  one argument an option
    paths: Paths = None,
    output_format: Formats = None,
    select: Annotated[Codes, typer.Option(help="Rules or families to check, such as LA2.")] = None,
    ignore: Annotated[Codes, typer.Option(help="Rules or families to leave out.")] = None,
    unknown: Annotated[str | None, typer.Option(help="fail or warn: what an unknown verdict does.")] = None,
    baseline: Annotated[str | None, typer.Option(help="File of known problems, which do not fail.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write today's problems and succeed.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to use.", min=1)] = None,
    scheduler: Annotated[str, typer.Option(help="Address of a Dask cluster to use.")] = "",
    cache: Annotated[str | None, typer.Option(help="File that keeps results between runs.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Decide everything anew.")] = False,  # noqa: FBT002
    certificates: Annotated[Path | None, typer.Option(help="Folder for a certificate of each claim.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List what is proved, too.")] = False,  # noqa: FBT002
) -> None:
    """Prove or refute what layout files and modules claim.

    Exit status: 0 all proved, 1 something refuted or (by default) unknown, 2 a file in error, bad
    usage, or no layouts found. Settings come from the command line, else from the table tool.layoutalg
    of pyproject.toml. Example: layoutalg check layouts --output-format full --output-format sarif=out.sarif
    """
    from layoutalg.check.settings import nearest_settings  # noqa: PLC0415

    settings = nearest_settings(Path.cwd()).changed(
        "command line",
        select=select,
        ignore=ignore,
        unknown=unknown,
        baseline=baseline,
        jobs=jobs,
        cache=cache,
    )
    if no_cache:
        settings = settings.changed("command line", cache="")
    outputs = _outputs(output_format or ["full"])
    report = _report(
        paths or list(settings.paths) or ["."], settings, scheduler, certificates, verbose=verbose
    )
    if write_baseline is not None:
        _write_baseline(write_baseline, report)
        return
    _write(report, outputs)
    raise typer.Exit(report.exit_status)


def _outputs(given: list[str]) -> list[tuple[str, Path | None]]:
    """``FORMAT`` or ``FORMAT=FILE``; at most one goes to the terminal."""
    from layoutalg.check.formats import FORMATS  # noqa: PLC0415
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    found: list[tuple[str, Path | None]] = []
    for text in given:
        name, sign, file = text.partition("=")
        if name not in FORMATS or (sign and not file):
            msg = f"--output-format {text}: wanted one of {', '.join(FORMATS)}, perhaps with =FILE"
            raise LayoutError(msg)
        found.append((name, Path(file) if sign else None))
    if sum(file is None for _, file in found) > 1:
        msg = "--output-format: only one format can go to the terminal"
        raise LayoutError(msg, hint="give the others a file: sarif=report.sarif")
    return found


def _report(
    paths: list[str], settings: Settings, scheduler: str, certificates: Path | None, *, verbose: bool
) -> Report:
    from layoutalg.check.baseline import read_baseline  # noqa: PLC0415
    from layoutalg.check.decide import Options  # noqa: PLC0415
    from layoutalg.check.report import Report  # noqa: PLC0415
    from layoutalg.check.run import findings  # noqa: PLC0415
    from layoutalg.check.sources import sources_of  # noqa: PLC0415
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    sources = sources_of(paths)
    if not sources:
        msg = f"no layouts found in {', '.join(paths)}"
        raise LayoutError(msg, hint="layout files end in .layout.toml or .layout.py")
    known = read_baseline(Path(settings.baseline)) if settings.baseline else frozenset()
    options = Options(
        settings.select, settings.ignore, settings.cache, certificates is not None, settings.points
    )
    start = time.perf_counter()
    results = findings(sources, options, jobs=settings.jobs, scheduler=scheduler)
    found = [finding for _, part in _shown(results, len(sources)) for finding in part]
    if certificates is not None:
        _write_certificates(certificates, found)
    seconds = time.perf_counter() - start
    return Report.of(
        found, unknown_fails=settings.unknown_fails, known=known, seconds=seconds, verbose=verbose
    )


def _shown(results: Iterator[Any], total: int) -> Iterator[Any]:
    """The results, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    yield from track(results, "checking", total=total, console=console, transient=True)


def _write(report: Report, outputs: list[tuple[str, Path | None]]) -> None:
    from layoutalg.check.formats import FORMATS  # noqa: PLC0415
    from layoutalg.files import write_text  # noqa: PLC0415

    for name, file in outputs:
        text = FORMATS[name](report)
        if file is None:
            typer.echo(text, nl=False)
        else:
            write_text(file, text)


def _write_certificates(folder: Path, found: list[Finding]) -> None:
    from layoutalg.files import write_json  # noqa: PLC0415

    for finding in found:
        if finding.certificate is not None:
            name = f"{finding.layout}_{finding.code}_{finding.fingerprint[:12]}.json"
            write_json(folder / name, finding.certificate)


def _write_baseline(path: Path, report: Report) -> None:
    from layoutalg.check.baseline import write_baseline  # noqa: PLC0415

    count = write_baseline(path, report.findings)
    typer.echo(f"{path}: {count} known problem{'s' if count != 1 else ''}; {report.sentence}")
