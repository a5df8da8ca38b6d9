"""Tile distributions of CK Tile: who holds which element of a tile, and where.

Reading order: ``encoding`` (the six arguments), ``distribution`` (the two maps they mean), ``make_encoding``
and ``slice_from_x`` (new ones from old), ``read_encoding`` (from C++ text), ``tile_window`` and
``space_filling_curve`` (how a tile is read and written).
"""

from layoutalg.distribution.detail import EncodingDetail
from layoutalg.distribution.distribution import TileDistribution, make_static_tile_distribution
from layoutalg.distribution.encoding import TileDistributionEncoding, cpp_text
from layoutalg.distribution.make_encoding import (
    make_embed_tile_distribution_encoding,
    make_reduce_tile_distribution_encoding,
    shuffle_tile_distribution_encoding,
)
from layoutalg.distribution.placed_distribution import PlacedDistribution
from layoutalg.distribution.read_encoding import read_encoding, read_encodings
from layoutalg.distribution.slice_from_x import SlicedDistribution, slice_distribution_from_x
from layoutalg.distribution.space_filling_curve import SpaceFillingCurve
from layoutalg.distribution.tile_window import TileWindow, make_tile_window, move_tile_window

__all__ = [
    "EncodingDetail",
    "PlacedDistribution",
    "SlicedDistribution",
    "SpaceFillingCurve",
    "TileDistribution",
    "TileDistributionEncoding",
    "TileWindow",
    "cpp_text",
    "make_embed_tile_distribution_encoding",
    "make_reduce_tile_distribution_encoding",
    "make_static_tile_distribution",
    "make_tile_window",
    "move_tile_window",
    "read_encoding",
    "read_encodings",
    "shuffle_tile_distribution_encoding",
    "slice_distribution_from_x",
]
