"""``layoutalg explain``: what a rule of the checker means."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["explain"]


def explain(
    code: Annotated[str | None, typer.Argument(help="LA201 or one-to-one; all rules if left out.")] = None,
) -> None:
    """Say what a rule of layoutalg check means, and where to look when it fails.

    Example: layoutalg explain LA201
    """
    from layoutalg.check.codes import CODES, code_named  # noqa: PLC0415

    if code is None:
        for row in CODES:
            typer.echo(f"{row.id}  {row.claim:<22} {row.summary}")
        return
    found = code_named(code)
    typer.echo(f"{found.id} {found.claim} ({found.family})\n\n{found.summary}\n\nLook at: {found.look}")
