"""Tile windows: which thread accesses which element of the tensor, and what is masked at its edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from layoutalg.distribution import TileWindow
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.pictures.colours import bank_colouring
from layoutalg.pictures.view import Formulas, Lines, Part, Tile, View, view_of
from layoutalg.pictures.views.distribution import tiles_of

__all__ = ["window_view"]

MOST = (64, 64)
MASKS = "masked: beyond the tensor or in its padding; a load gives 0, a store is dropped"


@view_of.register
def window_view(window: TileWindow) -> View:
    """The tile where it stands on the tensor; of symbolic lengths or origin only the closed form.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> from layoutalg.distribution import make_static_tile_distribution, make_tile_window, read_encoding
    >>> held = make_static_tile_distribution(read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<4>, sequence<2>>, "
    ...     "tuple<sequence<1>>, tuple<sequence<0>>, sequence<2>, sequence<0>>"
    ... ))
    >>> ragged = make_naive_tensor_descriptor_packed((6, 3))
    >>> view = window_view(make_tile_window(ragged, (4, 2), (4, 2), held))
    >>> view.title, view.parts[-1].owner(1, 0), view.parts[-1].owner(1, 1)
    ('window 4x2 at (4, 2) of a tensor (6, 3)', 1, None)
    """
    lengths, origin, tensor = (
        tuple(map(str, each)) for each in (window.lengths, window.origin, window.descriptor.lengths)
    )
    title = f"window {'x'.join(lengths)} at ({', '.join(origin)}) of a tensor ({', '.join(tensor)})"
    form = Formulas((("offset", window.index_map().outputs[0]),))
    parts: list[Part] = [Lines((f"{window.scalars_per_vector} elements in one access",)), form]
    is_open = window.descriptor.free_symbols or any(not isinstance(at, int) for at in window.origin)
    if not is_open and not window.distribution.encoding.free_symbols:
        parts += _tiles(window)
    return View(title, tuple(parts))


def _tiles(window: TileWindow) -> Iterator[Tile]:
    for tile in tiles_of(window.distribution):
        yield _on_tensor(window, tile)


def _on_tensor(window: TileWindow, tile: Tile) -> Tile:
    """The tile of a distribution, with the offsets of its elements; nobody's where they are masked."""
    descriptor, rank = window.descriptor, len(window.lengths)

    def index(row: int, column: int) -> tuple[int, ...]:
        place = (*(0,) * (rank - 2), row, column)[-rank:]
        return tuple(int(begin) + x for begin, x in zip(window.origin, place, strict=True))

    def offset(row: int, column: int) -> int | None:
        at = index(row, column)
        if not descriptor.is_index_in_range(at) or not descriptor.is_valid_index(at):
            return None
        return int(descriptor.interpret_hidden_index(at, C_INTEGERS)[0])

    def owner(row: int, column: int) -> int | None:
        return None if offset(row, column) is None else tile.owner(row, column)

    def path(row: int, column: int) -> str:
        found = offset(row, column)
        told = "masked" if found is None else f"offset {found}"
        return f"{tile.told(row, column)}, tensor index {index(row, column)}: {told}"

    return replace(
        tile,
        title=f"{tile.title}, on the tensor",
        owner=owner,
        told=path,
        offset=offset,
        colourings=(*tile.colourings, bank_colouring(offset)),
        most=MOST,
        masks=MASKS,
    )
