"""Composable Kernel's functions that build tensor descriptors, under their own names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layoutalg.descriptor.descriptor import TensorDescriptor
from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, length, lengths, product, sequence, stride
from layoutalg.reading.signature_note import noted
from layoutalg.transforms import UNKNOWN, Embed, Offset, Unmerge, VectorHint
from layoutalg.transforms.transform import Transform

__all__ = [
    "make_naive_tensor_descriptor",
    "make_naive_tensor_descriptor_aligned",
    "make_naive_tensor_descriptor_packed",
    "make_naive_tensor_descriptor_with_offset",
    "transform_tensor_descriptor",
]


@noted
def make_naive_tensor_descriptor(
    tensor_lengths: Sequence[Length],
    strides: Sequence[Length],
    *,
    guaranteed_vector_length: int = UNKNOWN,
    guaranteed_vector_stride: int = UNKNOWN,
) -> TensorDescriptor:
    """A tensor with explicit strides, in elements.

    The element space ends at the last element: ``1 + sum((length - 1) * stride)``.

    >>> make_naive_tensor_descriptor((3, 4), (8, 1)).element_space_size
    20
    """
    where = "make_naive_tensor_descriptor"
    found, steps = _lengths_and_strides(tensor_lengths, strides, where)
    hint = _hint(guaranteed_vector_length, guaranteed_vector_stride, where)
    return TensorDescriptor(
        transforms=(Embed(found, steps),),
        lower_dimension_hidden_idss=((0,),),
        upper_dimension_hidden_idss=(_ids(found, 1),),
        bottom_dimension_hidden_ids=(0,),
        top_dimension_hidden_ids=_ids(found, 1),
        element_space_size=_space(found, steps),
        guaranteed_vectors=_last(hint, 1 + len(found)),
    )


@noted
def make_naive_tensor_descriptor_packed(
    tensor_lengths: Sequence[Length], *, guaranteed_vector_length: int = UNKNOWN
) -> TensorDescriptor:
    """A row-major tensor without gaps.

    >>> make_naive_tensor_descriptor_packed((3, 4)).calculate_offset((1, 2))
    6
    """
    where = "make_naive_tensor_descriptor_packed"
    found = lengths(tensor_lengths, f"{where}: lengths")
    return TensorDescriptor(
        transforms=(Unmerge(found),),
        lower_dimension_hidden_idss=((0,),),
        upper_dimension_hidden_idss=(_ids(found, 1),),
        bottom_dimension_hidden_ids=(0,),
        top_dimension_hidden_ids=_ids(found, 1),
        element_space_size=product(found),
        guaranteed_vectors=_last(_hint(guaranteed_vector_length, 1, where), 1 + len(found)),
    )


@noted
def make_naive_tensor_descriptor_aligned(tensor_lengths: Sequence[Length], align: Length) -> TensorDescriptor:
    """A row-major tensor whose rows start at multiples of ``align`` elements.

    >>> make_naive_tensor_descriptor_aligned((4, 5), 8).element_space_size
    29
    """
    where = "make_naive_tensor_descriptor_aligned"
    found = lengths(tensor_lengths, f"{where}: lengths")
    multiple = length(align, f"{where}: align")
    if not found:
        msg = f"{where}: lengths: wanted one length or more, got none"
        raise LengthError(msg)
    last = found[-1]
    if not isinstance(last, int) or not isinstance(multiple, int):
        msg = f"{where}: wanted numbers for align and the last length, got {align}, {last}"
        raise LengthError(msg, hint="CK needs them at compile time; state the strides instead")
    step: Length = -(-last // multiple) * multiple
    strides: list[Length] = [1]
    for tensor_length in reversed(found[:-1]):
        strides.insert(0, step)
        step = step * tensor_length
    return make_naive_tensor_descriptor(found, strides)


@noted
def make_naive_tensor_descriptor_with_offset(
    tensor_lengths: Sequence[Length],
    strides: Sequence[Length],
    offset: Length,
    *,
    guaranteed_vector_length: int = UNKNOWN,
    guaranteed_vector_stride: int = UNKNOWN,
) -> TensorDescriptor:
    """A tensor with explicit strides that starts at ``offset``, which its space does not count.

    >>> make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 100).calculate_offset((1, 2))
    110
    """
    where = "make_naive_tensor_descriptor_with_offset"
    found, steps = _lengths_and_strides(tensor_lengths, strides, where)
    space = _space(found, steps)
    hint = _hint(guaranteed_vector_length, guaranteed_vector_stride, where)
    return TensorDescriptor(
        transforms=(Offset(space, stride(offset, f"{where}: offset")), Embed(found, steps)),
        lower_dimension_hidden_idss=((0,), (1,)),
        upper_dimension_hidden_idss=((1,), _ids(found, 2)),
        bottom_dimension_hidden_ids=(0,),
        top_dimension_hidden_ids=_ids(found, 2),
        element_space_size=space,
        guaranteed_vectors=_last(hint, 2),
    )


@noted
def transform_tensor_descriptor(
    descriptor: TensorDescriptor,
    transforms: Sequence[Transform],
    lower_dimension_idss: Sequence[Sequence[int]],
    upper_dimension_idss: Sequence[Sequence[int]],
    *,
    check_lengths: bool = True,
) -> TensorDescriptor:
    """The descriptor with transforms on top: ids of its dimensions below, of the new ones above.

    >>> from layoutalg.transforms import PassThrough, Unmerge
    >>> base = make_naive_tensor_descriptor_packed((2, 6))
    >>> transform_tensor_descriptor(
    ...     base, [PassThrough(2), Unmerge((2, 3))], [(0,), (1,)], [(0,), (1, 2)]
    ... ).lengths
    (2, 2, 3)
    """
    if not isinstance(descriptor, TensorDescriptor):
        msg = f"transform_tensor_descriptor: wanted a descriptor, got a {type(descriptor).__name__}"
        raise LengthError(msg)
    return descriptor.transform(
        transforms, lower_dimension_idss, upper_dimension_idss, check_lengths=check_lengths
    )


def _lengths_and_strides(
    tensor_lengths: Sequence[Length], strides: Sequence[Length], where: str
) -> tuple[Lengths, Lengths]:
    found = lengths(tensor_lengths, f"{where}: lengths")
    given = sequence(strides, f"{where}: strides")
    steps = tuple(stride(value, f"{where}: strides[{i}]") for i, value in enumerate(given))
    if len(found) != len(steps):
        msg = f"{where}: wanted one stride for each of {len(found)} lengths, got {len(steps)}"
        raise LengthError(msg)
    return found, steps


def _space(tensor_lengths: Lengths, strides: Lengths) -> Length:
    return 1 + sum((n - 1) * step for n, step in zip(tensor_lengths, strides, strict=True))


def _ids(tensor_lengths: Lengths, first: int) -> tuple[int, ...]:
    return tuple(range(first, first + len(tensor_lengths)))


def _hint(vector_length: Any, vector_stride: Any, where: str) -> VectorHint:
    for name, value in (("length", vector_length), ("stride", vector_stride)):
        if not isinstance(value, int) or (value != UNKNOWN and value < 1):
            msg = f"{where}: guaranteed_vector_{name}: wanted a number >= 1 or -1, got {value!r}"
            raise LengthError(msg)
    return VectorHint(vector_length, vector_stride)


def _last(hint: VectorHint, count: int) -> tuple[VectorHint, ...]:
    return (VectorHint(),) * (count - 1) + (hint,)
