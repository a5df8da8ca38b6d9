"""CK wrapper's ``get``, ``size``, ``rank``, ``depth`` and ``shape``: of lengths, nests, layouts and tensors.

Each takes the thing, and then the place of a part, one number for each level.

>>> from layoutalg.layout.layout import make_layout
>>> layout = make_layout((4, (2, 4)), (2, (1, 8)))
>>> size(layout), size(layout, 1), size(layout, 1, 0), rank(layout, 1), depth(layout), shape(layout)
(32, 8, 2, 2, 2, (4, (2, 4)))
>>> get(layout, 1), get((4, (2, 4)), 1, 1)
((2,4):(1,8), 4)

Source: CK, ``include/ck/wrapper/utils/layout_utils.hpp``.
"""

from __future__ import annotations

from typing import Any

from layoutalg.layout import nest
from layoutalg.layout.layout import Layout
from layoutalg.layout.nest import Nest, as_strides, part
from layoutalg.length import Length

__all__ = ["depth", "get", "rank", "shape", "size"]


def get(thing: Any, *places: int) -> Any:
    """The part at a place: of a nest a nest, of a layout a layout."""
    if isinstance(thing, Layout):
        return thing.mode(*places) if places else thing
    return part(_nest(thing), places, "get")


def size(thing: Any, *places: int) -> Length:
    """The product of lengths."""
    return nest.total(part(_nest(thing), places, "size"))


def rank(thing: Any, *places: int) -> int:
    """The number of parts; 1 for a single length."""
    found = part(_nest(thing), places, "rank")
    return len(found) if isinstance(found, tuple) else 1


def depth(thing: Any, *places: int) -> int:
    """How deep tuples are nested; 0 for a single length."""
    return nest.depth(part(_nest(thing), places, "depth"))


def shape(thing: Any) -> Nest:
    """The nested shape of a layout or of a tensor."""
    return _nest(thing)


def _nest(thing: Any) -> Nest:
    """The nest itself, or the shape of what has one."""
    found = getattr(thing, "layout", thing)
    return found.shape if isinstance(found, Layout) else as_strides(found, "lengths")
