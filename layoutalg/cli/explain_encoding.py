"""``layoutalg explain-encoding``: tile distribution encodings in plain English."""

from __future__ import annotations

from typing import Annotated

import typer

from layoutalg.cli.show import SourceText
from layoutalg.errors import LayoutError

__all__ = ["explain_encoding", "explained_text"]


def explain_encoding(
    source: SourceText,
    wave: Annotated[int | None, typer.Option(help="Wave (CK's warp) of the worked example.")] = None,
    lane: Annotated[int | None, typer.Option(help="Lane of the worked example.")] = None,
) -> None:
    """Say in plain English who holds what of a tile, with one lane worked out step by step.

    Example: layoutalg explain-encoding "tile_distribution_encoding<sequence<>, tuple<sequence<16>,
    sequence<4, 8>>, tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>" --lane 37
    """
    typer.echo(explained_text(source, wave=wave, lane=lane))


def explained_text(source: str, *, wave: int | None = None, lane: int | None = None) -> str:
    """What the command prints: every distribution that the source names, one after the other."""
    from layoutalg.check.named_layouts import layouts_named  # noqa: PLC0415  loads SymPy
    from layoutalg.distribution import TileDistribution  # noqa: PLC0415
    from layoutalg.pictures.encoding_words import encoding_words  # noqa: PLC0415

    named = {name: found.value for name, found in layouts_named(source).items()}
    found = {name: value for name, value in named.items() if isinstance(value, TileDistribution)}
    if not found:
        kinds = ", ".join(sorted({type(value).__name__ for value in named.values()})) or "nothing"
        msg = f"{source}: wanted a tile distribution or its encoding, got {kinds}"
        raise LayoutError(msg, hint="layoutalg show prints other layouts")
    parts = [(name, encoding_words(value, wave=wave, lane=lane)) for name, value in found.items()]
    return "\n\n".join(text if len(found) == 1 else f"[{name}]\n{text}" for name, text in parts)
