"""``layoutalg compare``: whether two layouts are one, or where they part."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from layoutalg.cli.show import SourceText

__all__ = ["compare"]


def compare(
    left: SourceText,
    right: Annotated[str, typer.Argument(help="The other layout, named in the same way.")],
) -> None:
    """Prove that two layouts have an element for the same indices, at the same places, or show where not.

    Descriptors, nested layouts and hand-written offsets are compared as maps; tile distributions register
    by register. Exit status 1 if they differ or nobody can tell.
    Example: layoutalg compare rows.py:a_lds "row=128, col=64 -> row*64 + (col ^ (row % 8) * 8)"
    """
    from layoutalg.check.named_layouts import layout_named  # noqa: PLC0415
    from layoutalg.proofs import prove  # noqa: PLC0415
    from layoutalg.properties.same_layout import same_layout  # noqa: PLC0415
    from layoutalg.verdict import Proved, Refuted  # noqa: PLC0415

    one, other = layout_named(left).value, layout_named(right).value
    verdict = prove(same_layout(one, other))
    words = {Proved: "the same", Refuted: "different"}
    typer.echo(f"{words.get(type(verdict), 'not decided')}: {verdict}")
    for name, value in ((left, one), (right, other)):
        typer.echo(f"  {name}: {_closed_form(value)}")
    if not isinstance(verdict, Proved):
        raise typer.Exit(1)


def _closed_form(value: Any) -> str:
    """Where the layout sends an index, as text."""
    from layoutalg.claim import IndexMap  # noqa: PLC0415
    from layoutalg.distribution import TileDistribution  # noqa: PLC0415
    from layoutalg.layout import Layout  # noqa: PLC0415

    if isinstance(value, Layout):
        value = value.as_descriptor()
    if isinstance(value, TileDistribution):
        return str(value.x)
    outputs = value.outputs if isinstance(value, IndexMap) else value.bottom
    return str(outputs[0] if len(outputs) == 1 else outputs)
