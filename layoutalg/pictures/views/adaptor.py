"""Descriptors and adaptors: the transform graph, the closed form, the offset of every index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.pictures.offset_grid import grid_of, grid_or_note
from layoutalg.pictures.swizzles import side_by_side, unswizzled
from layoutalg.pictures.view import Formulas, Graph, Grid, Lines, Part, View, view_of

__all__ = ["adaptor_view", "closed_form", "grid_of_offsets", "offset_grid"]


@view_of.register
def adaptor_view(adaptor: TensorAdaptor) -> View:
    r"""The graph, the closed form, and for a descriptor of known lengths the grid of offsets.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(adaptor_view(make_naive_tensor_descriptor((2, 3), (4, 1)))))
    descriptor of lengths (2, 3), 6 indices, element space 7
    0 <- embed(up_lengths=(2, 3), coefficients=(4, 1)) <- 1, 2
    top: 1, 2
    offset = 4*i0 + i1
    <BLANKLINE>
    index -> offset
    i0\i1  0 1 2
        0  0 1 2
        1  4 5 6
    """
    parts: list[Part] = [Graph(adaptor), closed_form(adaptor)]
    if adaptor.facts.variables or adaptor.facts.facts:
        parts.append(Lines((f"assuming {str(adaptor.facts).removeprefix('Domain: ')}",)))
    if isinstance(adaptor, TensorDescriptor):
        parts += grid_of_offsets(adaptor)
    return View(_title(adaptor), tuple(parts))


def closed_form(adaptor: TensorAdaptor) -> Formulas:
    """The bottom index in the symbols of the top index, and where it is valid."""
    is_memory = isinstance(adaptor, TensorDescriptor)
    rows = tuple(
        ("offset" if is_memory else f"bottom {number}", form) for number, form in enumerate(adaptor.bottom)
    )
    when = () if adaptor.validity == sympy.true else (adaptor.validity,)
    return Formulas(rows, when)


def _title(adaptor: TensorAdaptor) -> str:
    lengths = ", ".join(map(str, adaptor.lengths))
    is_memory = isinstance(adaptor, TensorDescriptor)
    space = adaptor.element_space_size if isinstance(adaptor, TensorDescriptor) else None
    needed = "" if space is None else f", element space {sympy.expand(space)}"
    kind = "descriptor" if is_memory else "adaptor"
    return f"{kind} of lengths ({lengths}), {sympy.expand(adaptor.element_size)} indices{needed}"


def grid_of_offsets(descriptor: TensorDescriptor) -> list[Part]:
    """The grid of offsets, or why there is none; nothing where lengths are symbols.

    A swizzle is shown by its banks, beside the same descriptor without it.
    """
    if not descriptor.rank or descriptor.free_symbols:
        return []
    ranges = [range(int(length)) for length in descriptor.lengths]
    before = unswizzled(descriptor)
    if before is None:
        return grid_or_note(ranges, lambda: offset_grid(descriptor))
    titled = ((before, "before the swizzle: index -> offset"), (descriptor, "after it"))
    return grid_or_note(
        ranges,
        lambda: side_by_side(*(offset_grid(each, title, "bank") for each, title in titled)),
    )


def offset_grid(descriptor: TensorDescriptor, title: str = "index -> offset", colour: str = "value") -> Grid:
    """The last dimension across, the others down; ``-`` where padding is read."""
    ranges = [range(int(length)) for length in descriptor.lengths]
    places = np.indices(tuple(map(len, ranges))).reshape(len(ranges), -1)
    hidden = [
        np.broadcast_to(v, places.shape[1:])
        for v in descriptor.interpret_hidden_index(tuple(places), C_INTEGERS)
    ]
    valid = np.broadcast_to(descriptor.interpret_validity(tuple(places), C_INTEGERS), places.shape[1:])

    def path(at: int) -> str:
        return _path(descriptor, [int(values[at]) for values in hidden])

    return grid_of(ranges, list(map(str, descriptor.index)), hidden[0], valid, path, title, colour)


def _path(descriptor: TensorDescriptor, hidden: Sequence[int]) -> str:
    """From the index to memory: ``(1, 3, 2) -> 67 -> 8578``, by transform."""
    top = ", ".join(str(hidden[i]) for i in descriptor.top_dimension_hidden_ids)
    steps = [f"({top})"]
    for transform, low, _ in reversed(descriptor.links):
        below = ", ".join(f"{hidden[i]}" for i in low)
        if low:
            steps.append(f"{_kind(transform)} {below}")
    return " → ".join(steps)


def _kind(transform: Any) -> str:
    return str(transform.kind)
