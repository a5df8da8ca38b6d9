r"""Descriptors and adaptors as text: transforms with hidden ids, closed form, and a grid of offsets.

>>> from layoutalg.make_descriptor import make_naive_tensor_descriptor
>>> print(descriptor_text(make_naive_tensor_descriptor((2, 3), (4, 1))))
lengths (2, 3), 6 indices, element space 7
0 <- embed(up_lengths=(2, 3), coefficients=(4, 1)) <- 1, 2
top: 1, 2
offset = 4*i0 + i1
<BLANKLINE>
index -> offset
i0\i1  0 1 2
    0  0 1 2
    1  4 5 6
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from layoutalg.adaptor import TensorAdaptor
from layoutalg.descriptor import TensorDescriptor
from layoutalg.show.text_table import text_table

__all__ = ["descriptor_text"]


def descriptor_text(adaptor: TensorAdaptor) -> str:
    """The structure and the closed form; for two dimensions of known length the grid, ``-`` for padding."""
    return "\n".join([*_head(adaptor), *_grid(adaptor)])


def _head(adaptor: TensorAdaptor) -> Iterator[str]:
    lengths = ", ".join(map(str, adaptor.lengths))
    is_memory = isinstance(adaptor, TensorDescriptor)
    space = f", element space {adaptor.element_space_size}" if isinstance(adaptor, TensorDescriptor) else ""
    yield f"lengths ({lengths}), {adaptor.element_size} indices{space}"
    for transform, low, up in adaptor.links:
        below, above = (", ".join(map(str, ids)) or "nothing" for ids in (low, up))
        yield f"{below} <- {transform} <- {above}"
    yield f"top: {', '.join(map(str, adaptor.top_dimension_hidden_ids))}"
    for number, form in enumerate(adaptor.bottom):
        yield f"{'offset' if is_memory else f'bottom {number}'} = {form}"
    if adaptor.validity != sympy.true:
        yield f"valid where {adaptor.validity}"


def _grid(adaptor: TensorAdaptor) -> Iterator[str]:
    if not isinstance(adaptor, TensorDescriptor) or adaptor.rank != 2 or adaptor.free_symbols:
        return
    rows, columns = (list(map(str, range(int(length)))) for length in adaptor.lengths)
    yield ""
    yield "index -> offset"
    names = "\\".join(map(str, adaptor.index))
    yield from text_table(names, rows, columns, lambda i, j: _offset(adaptor, (i, j)), most_rows=32)


def _offset(descriptor: TensorDescriptor, index: Any) -> str:
    return str(descriptor.calculate_offset(index)) if descriptor.is_valid_index(index) else "-"
