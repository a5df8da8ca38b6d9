"""``layoutalg explain``: what a rule of the checker means, or why a layout breaks one."""

from __future__ import annotations

from typing import Annotated

import typer

from layoutalg.cli.show import Format, Out, print_or_write

__all__ = ["explain"]


def explain(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULE|FILE]",
            help="LA201 or one-to-one; all rules if left out. Or layouts, as for layoutalg show.",
        ),
    ] = None,
    form: Format = None,
    out: Out = None,
) -> None:
    """Say what a rule of layoutalg check means, and where to look when it fails.

    Of a layout file: every claim that is not proved, with its counterexample drawn on the layout.
    Examples: layoutalg explain LA201
    layoutalg explain swizzle.layout.toml -o refuted.html
    """
    from layoutalg.check.codes import CODES, code_named  # noqa: PLC0415

    if what is None:
        for row in CODES:
            typer.echo(f"{row.id}  {row.claim:<22} {row.summary}")
        return
    if _is_source(what):
        from layoutalg.pictures.refutations import refutations  # noqa: PLC0415

        print_or_write(refutations(what), form, out)
        return
    found = code_named(what)
    typer.echo(f"{found.id} {found.claim} ({found.family})\n\n{found.summary}\n\nLook at: {found.look}")


def _is_source(text: str) -> bool:
    """Whether a text names a file with layouts; rules are words."""
    from layoutalg.check.layout_source import Source  # noqa: PLC0415
    from layoutalg.errors import LayoutError  # noqa: PLC0415

    try:
        return Source.of(text).kind in ("layout file", "Python file")
    except LayoutError:
        return False
