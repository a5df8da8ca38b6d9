"""One file a kind of value: what is shown of it. A file is known once it stands here."""

from layoutalg.pictures.views import (
    adaptor,
    banks,
    claim,
    coordinate,
    distribution,
    expression,
    index_map,
    kernel,
    layout,
    mma,
    tile_step,
    window,
)

__all__ = [
    "adaptor",
    "banks",
    "claim",
    "coordinate",
    "distribution",
    "expression",
    "index_map",
    "kernel",
    "layout",
    "mma",
    "tile_step",
    "window",
]
