"""Tensors: a nested layout over memory, CK wrapper's ``Tensor``.

The example of its documentation:

>>> import numpy as np
>>> from layoutalg.layout import make_layout
>>> layout_4x2x4 = make_layout((4, (2, 4)), (2, (1, 8)))
>>> tensor = make_tensor(MemoryType.GENERIC, np.zeros(32, dtype=np.int32), layout_4x2x4)
>>> for w in range(32):
...     tensor[w] = w
>>> part = tensor[slice_(1, 3), (slice_(), slice_())]
>>> for h in range(2):
...     print(*(part[h, w] for w in range(8)))
1 5 9 13 17 21 25 29
2 6 10 14 18 22 26 30

Source: CK, ``include/ck/wrapper/tensor.hpp``. There, slicing also moves the origin of the tensor it slices
(its ``base_offset_``); here it leaves it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.data_type import DataType
from layoutalg.errors import LengthError
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.layout import Layout
from layoutalg.layout.layout import as_layout
from layoutalg.layout.nest import Nest, flatten, nest_text, total
from layoutalg.length import stride
from layoutalg.tensor.dim_slice import DimSlice, as_dim_slice, slice_
from layoutalg.tensor.memory_type import MemoryType
from layoutalg.transforms import Freeze, Slice, Transform

__all__ = ["Tensor", "clear", "layout", "make_register_tensor", "make_tensor"]


@dataclass(frozen=True, eq=False)
class Tensor:
    """Elements of ``data``, a flat array, seen through ``layout``.

    ``tensor[index]`` reads and writes one element; with slices in the index it is the tensor of that part,
    over the same memory. Indices are nested as the shape or less, as those of a layout.
    """

    memory_type: MemoryType
    data: np.ndarray[Any, Any]
    layout: Layout

    def __getitem__(self, index: Any) -> Any:
        """The element, or the tensor of a part."""
        index = _read(index)
        if _has_slice(index):
            return self._sliced(index)
        found = self.data[self._address(index)]
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write an element."""
        index = _read(index)
        if _has_slice(index):
            msg = "Tensor: wanted the index of one element to write, got slices"
            raise LengthError(msg, hint="copy(source, target) writes parts")
        self.data[self._address(index)] = value

    def __call__(self, *index: Any) -> Any:
        """The element or the part: ``tensor(1, 2)`` as in C++."""
        return self[index[0] if len(index) == 1 else index]

    def is_valid_index(self, index: Any) -> bool:
        """Whether the index has an element, or is padding."""
        leaves = self.layout.unrolled_index(_read(index), C_INTEGERS)
        return bool(self.layout.unrolled_descriptor.is_valid_index(leaves))

    def bind(self, values: Mapping[Any, int]) -> Tensor:
        """The tensor with numbers in place of symbols, such as a thread's number in a partition."""
        return Tensor(self.memory_type, self.data, self.layout.bind(values))

    def _address(self, index: Nest) -> int:
        offset = self.layout(index)
        if not isinstance(offset, int):
            msg = f"Tensor: wanted the index of one element, in numbers, got {index}"
            raise LengthError(msg, hint="give symbols values first: bind({...})")
        leaves = self.layout.unrolled_index(index, C_INTEGERS)
        if not self.layout.unrolled_descriptor.is_index_in_range(leaves):
            msg = f"Tensor: index {nest_text(index)} is outside shape {nest_text(self.layout.shape)}"
            raise LengthError(msg)
        if not self.is_valid_index(index):
            msg = f"Tensor: index {nest_text(index)} is padding: it has no element"
            raise LengthError(msg)
        if not 0 <= offset < len(self.data):
            msg = f"Tensor: index {nest_text(index)} has offset {offset}, outside memory of {len(self.data)}"
            raise LengthError(msg)
        return offset

    def require_memory(self, refusal: str) -> None:
        """Refuse registers, which have no address to count from."""
        if self.memory_type.is_register:
            raise LengthError(refusal, hint="CK: 'Register slice is not supported'")

    def _sliced(self, index: Any) -> Tensor:
        self.require_memory("Tensor: registers cannot be sliced")
        parts = index if isinstance(index, tuple) else (index,)
        transforms, shape = _cut(parts, self.layout.shape)
        below = [(i,) for i in range(len(transforms))]
        upper, following = [], 0
        for transform in transforms:
            count = len(transform.upper_lengths)
            upper.append(tuple(range(following, following + count)))
            following += count
        descriptor = self.layout.unrolled_descriptor.transform(transforms, below, upper)
        return Tensor(self.memory_type, self.data, Layout(shape, descriptor))


def make_tensor(memory_type: MemoryType | str, data: Any, layout: Layout) -> Tensor:
    """The tensor of elements that exist; as many as the layout's element space, or more."""
    kind = MemoryType(memory_type)
    if kind.is_register:
        msg = f"make_tensor: {kind} has no address"
        raise LengthError(msg, hint="make_register_tensor(...) makes registers")
    found = np.asarray(data)
    space = as_layout(layout, "make_tensor").element_space_size
    if found.ndim != 1 or not isinstance(space, int) or len(found) < space:
        msg = f"make_tensor: wanted a flat array of at least {space} elements, got shape {found.shape}"
        raise LengthError(msg)
    return Tensor(kind, found, as_layout(layout, "make_tensor"))


def make_register_tensor(memory_type: MemoryType | str, element: DataType | str, layout: Layout) -> Tensor:
    """A tensor of registers, one for each index, at first zero."""
    kind = MemoryType(memory_type)
    if not kind.is_register:
        msg = f"make_register_tensor: {kind} is no register"
        raise LengthError(msg, hint="make_tensor(...) takes memory")
    found = element if isinstance(element, DataType) else DataType.named(element)
    whole = as_layout(layout, "make_register_tensor")
    if not isinstance(whole.element_space_size, int):
        msg = f"make_register_tensor: wanted a number of registers, got {whole.element_space_size}"
        raise LengthError(msg, hint="give symbols values first: bind({...})")
    return Tensor(kind, np.zeros(whole.element_space_size, dtype=found.numpy), whole)


def clear(tensor: Tensor) -> None:
    """Set all registers of a tensor to zero."""
    if not tensor.memory_type.is_register:
        msg = f"clear: wanted registers, got {tensor.memory_type} memory"
        raise LengthError(msg)
    tensor.data[:] = 0


def layout(tensor: Tensor) -> Layout:
    """The layout of a tensor."""
    return tensor.layout


def _read(index: Any) -> Any:
    if isinstance(index, tuple | list):
        return tuple(map(_read, index))
    return as_dim_slice(index)


def _has_slice(index: Any) -> bool:
    return any(isinstance(leaf, DimSlice) for leaf in flatten(index))


def _cut(index: tuple[Any, ...], shape: Nest) -> tuple[list[Transform], tuple[Any, ...]]:
    """A transform for each leaf of the shape, and the shape that is left."""
    inner = shape if isinstance(shape, tuple) else (shape,)
    if len(index) != len(inner):
        msg = f"slice: {len(index)} components for shape {nest_text(shape)}"
        raise LengthError(msg)
    transforms: list[Transform] = []
    left: list[Any] = []
    for component, part in zip(index, inner, strict=True):
        if component == slice_() and isinstance(part, tuple):
            component = (slice_(),) * len(part)  # noqa: PLW2901  a whole nested dimension
        if isinstance(component, DimSlice):
            if isinstance(part, tuple):
                msg = f"slice: dimension {nest_text(part)} is nested: wanted a slice for each of its parts"
                raise LengthError(msg)
            begin, end = component.bounds(part)
            transforms.append(Slice(part, begin, end))
            left.append(end - begin)
        elif isinstance(component, tuple) and _has_slice(component):
            below, kept = _cut(component, part)
            transforms += below
            left.append(kept)
        else:
            transforms += _frozen(component, part)
    return transforms, tuple(left)


def _frozen(index: Nest, shape: Nest) -> list[Transform]:
    """A fixed index of one dimension; an integer counts a nested one with its first leaf fastest."""
    if isinstance(index, tuple):
        inner = shape if isinstance(shape, tuple) else (shape,)
        if len(index) != len(inner):
            msg = f"slice: index {nest_text(index)} does not fit dimension {nest_text(shape)}"
            raise LengthError(msg)
        return [t for i, s in zip(index, inner, strict=True) for t in _frozen(i, s)]
    index, size = stride(index, "slice: index"), total(shape)
    if isinstance(index, int) and isinstance(size, int) and not 0 <= index < size:
        msg = f"slice: there is no index {index} in a dimension of length {size}"
        raise LengthError(msg)
    found: list[Transform] = []
    lengths = flatten(shape)
    for length in lengths[:-1]:
        found.append(Freeze(index % length))
        index //= length
    return [*found, Freeze(index)]
