"""Results as they come in, on a terminal; reports to the terminal and into files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from layoutalg.check.report import Report

__all__ = ["is_written", "with_progress", "write_known_problems", "write_reports"]


def with_progress(results: Iterator[Any], total: int) -> Iterator[Any]:
    """The results, with a progress bar on a terminal, and how far a long enumeration is."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    from layoutalg.proofs.progress import progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        files = bar.add_task("checking", total=total)

        def show(points: int) -> None:
            bar.update(files, description=f"checking, {points:,} points of one claim")

        with progress(show):
            for result in results:
                bar.update(files, advance=1, description="checking")
                yield result


def write_reports(report: Report, outputs: list[tuple[str, Path | None]]) -> bool:
    """Every report, those to the terminal first; whether all could be written."""
    from layoutalg.files import write_text  # noqa: PLC0415

    good = True
    for name, file in sorted(outputs, key=lambda output: output[1] is not None):
        text = _written(name, report)
        if file is None:
            typer.echo(text, nl=False)
        else:
            good = is_written(partial(write_text, file, text)) and good
    return good


def _written(name: str, report: Report) -> str:
    """The report in a format; the page has pictures, which nothing loads unasked."""
    from layoutalg.check.formats import FORMATS  # noqa: PLC0415
    from layoutalg.check.outputs import PAGE  # noqa: PLC0415

    if name == PAGE:
        from layoutalg.pictures.report_page import checked_page  # noqa: PLC0415

        return checked_page(report)
    return FORMATS[name](report)


def is_written(write: Callable[[], object]) -> bool:
    """Whether something could be written; if not, one line says so and the rest goes on."""
    try:
        write()
    except OSError as error:
        typer.echo(
            f"layoutalg: {error.filename or 'a report'}: cannot be written: {error.strerror}", err=True
        )
        return False
    return True


def write_known_problems(path: Path, report: Report) -> None:
    """The problems of a report as a baseline, and a line that says how many there are."""
    from layoutalg.check.baseline import write_baseline  # noqa: PLC0415

    count = write_baseline(path, report.findings)
    typer.echo(f"{path}: {count} known problem{'s' if count != 1 else ''}; {report.sentence}")
