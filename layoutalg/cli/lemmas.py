"""``layoutalg lemmas``: what holds of every transform, proved while you wait."""

from __future__ import annotations

import time
from typing import Annotated

import typer

__all__ = ["lemmas"]


def lemmas(
    kind: Annotated[str | None, typer.Argument(help="Only of this transform, such as merge.")] = None,
) -> None:
    """Prove and list the theorems about every transform and rewrite rule, and the tiled-softmax identities.

    Exit status 1 if one is not proved. Example: layoutalg lemmas merge
    """
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    from layoutalg.proofs.library import entries  # noqa: PLC0415  loads the solvers

    table = Table("theorem", "of which lengths", "proved by", "ms", box=None)
    good = True
    for entry in entries(kind):
        start = time.perf_counter()
        by = entry.prove()
        good = good and by is not None
        milliseconds = f"{1000 * (time.perf_counter() - start):.1f}"
        table.add_row(entry.name, entry.condition, by or "[red]not proved[/]", milliseconds)
    Console(highlight=False).print(table)
    raise typer.Exit(0 if good else 1)
