"""``layoutalg show``: layouts and distributions as text."""

from __future__ import annotations

from typing import Any

from layoutalg.adaptor import TensorAdaptor
from layoutalg.claim import IndexMap
from layoutalg.cli.named import named_in
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)
from layoutalg.errors import LayoutError
from layoutalg.layout import Layout
from layoutalg.show.descriptor_text import descriptor_text
from layoutalg.show.distribution_text import distribution_text

__all__ = ["layout_text", "shown_text"]


def shown_text(source: str) -> str:
    """What the command prints: everything the source names, one after the other."""
    found = named_in(source)
    parts = [
        layout_text(value) if len(found) == 1 else f"[{name}]\n{layout_text(value)}"
        for name, value in found.items()
    ]
    return "\n\n".join(parts)


def layout_text(value: Any) -> str:
    """A layout of any kind as text."""
    if isinstance(value, TileDistributionEncoding):
        value = make_static_tile_distribution(value)
    if isinstance(value, TileDistribution):
        return distribution_text(value)
    if isinstance(value, Layout):
        return f"{value}\n{descriptor_text(value.descriptor())}"
    if isinstance(value, TensorAdaptor):
        return descriptor_text(value)
    if isinstance(value, IndexMap):
        when = "".join(f"\nvalid where {condition}" for condition in value.when)
        return f"{value.domain}\noffset = {', '.join(map(str, value.outputs))}{when}"
    msg = f"wanted a descriptor, an adaptor, a layout or a distribution, got a {type(value).__name__}"
    raise LayoutError(msg)
