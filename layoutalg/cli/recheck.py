"""``layoutalg recheck``: certificates checked again by Z3 and cvc5."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["recheck"]

Certificates = Annotated[list[Path], typer.Argument(help="Certificates, or folders of them.")]


def recheck(
    files: Certificates,
    solver: Annotated[
        list[str] | None, typer.Option(help="z3, cvc5; all that are installed unless stated.")
    ] = None,
) -> None:
    """Check certificates again, with Z3 and with cvc5, each for itself, without trusting who wrote them.

    Exit status: 0 all confirmed, 1 something rejected or left open, 2 a file that cannot be read.
    Example: layoutalg check layouts --certificates proofs && layoutalg recheck proofs
    """
    from layoutalg.errors import LayoutError  # noqa: PLC0415  what follows loads the solvers
    from layoutalg.extras import install_command  # noqa: PLC0415
    from layoutalg.proofs.certificates.recheck import recheck as rechecked  # noqa: PLC0415
    from layoutalg.proofs.smt.solvers import SOLVERS  # noqa: PLC0415
    from layoutalg.reading.near_names import not_one_of  # noqa: PLC0415

    names = solver or list(SOLVERS)
    for name in names:
        if name not in SOLVERS:
            raise not_one_of("one", name, SOLVERS, where="--solver")
        if solver and not SOLVERS[name].is_installed:
            msg = f"{name} is not installed"
            raise LayoutError(msg, hint=f"{install_command('recheck')}, or choose with --solver z3")
    good = True
    for path in _files(files):
        found = rechecked(_content(path), names)
        typer.echo(f"{path}: {found}")
        good = good and found.result == "confirmed"
    raise typer.Exit(0 if good else 1)


def _files(paths: list[Path]) -> Iterator[Path]:
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    for path in paths:
        found = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not found:
            msg = f"there are no certificates in {path}"
            raise LayoutError(msg)
        yield from found


def _content(path: Path) -> dict[str, object]:
    from layoutalg.errors import LayoutError  # noqa: PLC0415
    from layoutalg.reading.text_file import read_text  # noqa: PLC0415

    text = read_text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        hint = "layoutalg check --certificates FOLDER writes certificates"
        raise LayoutError(f"{path} is no certificate: wanted a JSON object", hint=hint)
    return content
