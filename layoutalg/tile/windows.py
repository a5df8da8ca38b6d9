"""Tile windows on views: where a tile stands in a tensor, and how threads move it.

A window stands at an origin and moves. With a distribution it says what each thread loads; without one it
takes the distribution of the tile that is stored. Source: CK Tile, ``core/tensor/tile_window.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
)
from layoutalg.distribution import make_tile_window as window_on_descriptor
from layoutalg.errors import LayoutError
from layoutalg.length import stride
from layoutalg.tile.trace import current_trace
from layoutalg.tile.views import TensorView

__all__ = [
    "ViewWindow",
    "get_slice_tile_of_window",
    "make_tile_window",
    "make_tile_window_linear",
    "move_tile_window",
    "replace_bottom_tensor_view",
    "set_window_origin",
]


class ViewWindow:
    """A window of ``lengths`` on a view, at ``origin``; ``distribution``: who loads what, if it says so."""

    def __init__(
        self,
        view: TensorView,
        lengths: Sequence[int],
        origin: Sequence[Any],
        distribution: TileDistribution | None,
    ) -> None:
        self.view = view
        self.lengths = tuple(lengths)
        self.origin: tuple[Any, ...] = _numbers(origin, "make_tile_window: origin")
        self.distribution = distribution
        self.trace = current_trace()
        self.scope = self.trace.scope
        if not len(self.lengths) == len(self.origin) == view.descriptor.rank:
            msg = f"make_tile_window: wanted {view.descriptor.rank} lengths and an origin of as many"
            raise LayoutError(f"{msg}, got {len(self.lengths)} and {len(self.origin)}")
        self.trace.windows.append(self)
        if distribution is not None:
            self.geometry(distribution)  # refuses what does not fit

    def require_alive(self) -> None:
        """Refuse a window of a turn that is over."""
        self.trace.require_alive(self.scope, "a window")

    def geometry(self, distribution: TileDistribution | None = None) -> TileWindow:
        """The window at 0 on the descriptor, by its own distribution or another one: vectors and accesses."""
        chosen = distribution or self.distribution
        if chosen is None:
            hint = "make_tile_window(view, lengths, origin, distribution)"
            raise LayoutError("this window has no distribution to load by", hint=hint)
        return window_on_descriptor(self.view.descriptor, self.lengths, (0,) * len(self.lengths), chosen)


def make_tile_window(
    on: TensorView | ViewWindow,
    lengths: Sequence[int] | None = None,
    origin: Sequence[Any] | None = None,
    distribution: TileDistribution | TileDistributionEncoding | None = None,
) -> ViewWindow:
    """A window on a view; or on what another window is on, where that stands or at another origin."""
    if isinstance(distribution, TileDistributionEncoding):
        distribution = make_static_tile_distribution(distribution)
    if isinstance(on, ViewWindow):
        on.require_alive()
        begin = on.origin if origin is None else origin
        return ViewWindow(on.view, lengths or on.lengths, begin, distribution)
    if not isinstance(on, TensorView) or lengths is None or origin is None:
        raise LayoutError("make_tile_window: wanted a view, lengths and an origin, or a window")
    return ViewWindow(on, lengths, origin, distribution)


def make_tile_window_linear(
    on: TensorView | ViewWindow,
    lengths: Sequence[int] | None = None,
    origin: Sequence[Any] | None = None,
    distribution: TileDistribution | TileDistributionEncoding | None = None,
) -> ViewWindow:
    """A window whose offsets are sums: it accesses what any window does, its code is shorter."""
    return make_tile_window(on, lengths, origin, distribution)


def move_tile_window(window: ViewWindow, step: Sequence[Any]) -> None:
    """Let a window stand further by a step."""
    window.require_alive()
    if len(step) != len(window.origin):
        raise LayoutError(f"move_tile_window: wanted {len(window.origin)} components, got {len(step)}")
    steps = _numbers(step, "move_tile_window: step")
    window.origin = tuple(begin + far for begin, far in zip(window.origin, steps, strict=True))


def set_window_origin(window: ViewWindow, origin: Sequence[Any]) -> None:
    """Let a window stand at an origin."""
    window.require_alive()
    if len(origin) != len(window.origin):
        raise LayoutError(f"set_window_origin: wanted {len(window.origin)} components, got {len(origin)}")
    window.origin = _numbers(origin, "set_window_origin: origin")


def _numbers(values: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Numbers, or expressions of sizes, workgroup and turns."""
    return tuple(stride(value, f"{where}[{number}]") for number, value in enumerate(values))


def get_slice_tile_of_window(window: ViewWindow, begins: Sequence[int], ends: Sequence[int]) -> ViewWindow:
    """A window of a part of the lengths. It stands at ``begins``: CK forgets where the window stood."""
    window.require_alive()
    whole = [length if end == -1 else end for length, end in zip(window.lengths, ends, strict=True)]
    lengths = [end - begin for begin, end in zip(begins, whole, strict=True)]
    return ViewWindow(window.view, lengths, begins, None)


def replace_bottom_tensor_view(window: ViewWindow, view: TensorView) -> ViewWindow:
    """The same window on another view."""
    window.require_alive()
    return ViewWindow(view, window.lengths, window.origin, window.distribution)
