"""Tensor views: memory as a tensor sees it.

A buffer view is memory of one type: a pointer of the kernel, or an array in the LDS. A tensor view is a
buffer view with a descriptor. Reads that padding makes out of range give ``invalid_element_value``; a buffer
in global memory ends where the descriptor's element space does: beyond, reads give 0 and writes are dropped.
Source: CK Tile, ``core/tensor/{buffer_view,tensor_view}.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
)
from layoutalg.errors import LayoutError
from layoutalg.length import Length, round_up
from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.trace import current_trace
from layoutalg.transforms import Transform, make_pass_through_transform, make_right_pad_transform

__all__ = [
    "TensorView",
    "allocate_lds",
    "make_naive_tensor_view",
    "make_naive_tensor_view_packed",
    "pad_tensor_view",
    "transform_tensor_view",
]

MemoryOperation = Literal["set", "atomic_add"]
LARGEST_LDS = 160 * 1024


@dataclass(frozen=True)
class TensorView:
    """A buffer as a tensor of these lengths, with what happens at its edges."""

    buffer: BufferView
    descriptor: TensorDescriptor
    invalid_element_value: float | None = None
    memory_operation: MemoryOperation = "set"

    @property
    def lengths(self) -> tuple[Any, ...]:
        return self.descriptor.lengths


def allocate_lds(size: int, kind: str | DataType, *, fill: float | None = None) -> BufferView:
    """An array in the LDS: CK's ``__shared__``. ``fill``: what it holds; nobody knows if left out."""
    trace = current_trace()
    element = kind if isinstance(kind, DataType) else DataType.named(kind)
    if trace.scope:
        raise LayoutError("allocate_lds: wanted outside of loops, as __shared__ is")
    begin = -(-trace.lds_bytes // 16) * 16
    trace.lds_bytes = begin + element.size_in_bytes(size)
    if trace.lds_bytes > LARGEST_LDS:
        raise LayoutError(f"allocate_lds: wanted at most {LARGEST_LDS} bytes, got {trace.lds_bytes} in all")
    found = BufferView(f"lds_{begin}", element, "lds", size, lds_at=begin, fill=fill)
    trace.lds.append(found)
    return found


def make_naive_tensor_view(
    buffer: BufferView,
    lengths: Sequence[Length],
    strides: Sequence[Length],
    guaranteed_vector_length: int = -1,
    guaranteed_vector_stride: int = -1,
    *,
    invalid_element_value: float | None = None,
    memory_operation: MemoryOperation = "set",
) -> TensorView:
    """A buffer as a tensor with strides: CK's ``make_naive_tensor_view``."""
    descriptor = make_naive_tensor_descriptor(
        lengths,
        strides,
        guaranteed_vector_length=guaranteed_vector_length,
        guaranteed_vector_stride=guaranteed_vector_stride,
    )
    return _view(buffer, descriptor, invalid_element_value, memory_operation)


def make_naive_tensor_view_packed(
    buffer: BufferView,
    lengths: Sequence[Length],
    guaranteed_vector_length: int = -1,
    *,
    invalid_element_value: float | None = None,
    memory_operation: MemoryOperation = "set",
) -> TensorView:
    """A buffer as a packed tensor, the last dimension fastest."""
    descriptor = make_naive_tensor_descriptor_packed(
        lengths, guaranteed_vector_length=guaranteed_vector_length
    )
    return _view(buffer, descriptor, invalid_element_value, memory_operation)


def _view(
    buffer: BufferView, descriptor: TensorDescriptor, invalid: float | None, operation: MemoryOperation
) -> TensorView:
    if not isinstance(buffer, BufferView):
        hint = "a parameter under pointer(...), or allocate_lds(...)"
        raise LayoutError(f"tensor view: wanted a buffer, got {type(buffer).__name__}", hint=hint)
    if operation == "atomic_add" and buffer.space == "lds":
        raise LayoutError("tensor view: atomic_add is for global memory")
    return TensorView(buffer, descriptor, invalid, operation)


def transform_tensor_view(
    view: TensorView,
    transforms: Sequence[Transform],
    lower: Sequence[Sequence[int]],
    upper: Sequence[Sequence[int]],
) -> TensorView:
    """A view with transforms on top of its descriptor."""
    return replace(view, descriptor=view.descriptor.transform(transforms, lower, upper))


def pad_tensor_view(view: TensorView, tile_lengths: Sequence[int], do_pads: Sequence[bool]) -> TensorView:
    """A view whose lengths are whole multiples of a tile's, by padding on the right where that is wanted."""
    descriptor = view.descriptor
    if not len(tile_lengths) == len(do_pads) == descriptor.rank:
        msg = f"pad_tensor_view: wanted {descriptor.rank} tile lengths and flags"
        raise LayoutError(f"{msg}, got {len(tile_lengths)} and {len(do_pads)}")
    for dimension, (tile, is_padded) in enumerate(zip(tile_lengths, do_pads, strict=True)):
        if is_padded:
            length = descriptor.lengths[dimension]
            descriptor = _right_padded(descriptor, dimension, round_up(length, tile) - length)
    return replace(view, descriptor=descriptor)


def _right_padded(descriptor: TensorDescriptor, dimension: int, more: Length) -> TensorDescriptor:

    transforms = [
        make_right_pad_transform(length, more) if place == dimension else make_pass_through_transform(length)
        for place, length in enumerate(descriptor.lengths)
    ]
    places = [(place,) for place in range(descriptor.rank)]
    return descriptor.transform(transforms, places, places)
