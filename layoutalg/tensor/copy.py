"""Copies between tensors of one size, in CK's order of accesses.

>>> import numpy as np
>>> from layoutalg.layout import make_layout
>>> from layoutalg.tensor.tensor import make_register_tensor, make_tensor
>>> source = make_tensor("Global", np.arange(8, dtype=np.float32), make_layout((2, 4), (4, 1)))
>>> target = make_register_tensor("Vgpr", "f32", make_layout((2, 4)))
>>> copy(source, target, vector_dim=1, scalar_per_vector=4)
>>> target.data.tolist()
[0.0, 4.0, 1.0, 5.0, 2.0, 6.0, 3.0, 7.0]

Source: CK, ``include/ck/wrapper/operations/copy.hpp``, ``tensor_space_filling_curve.hpp``.
"""

from __future__ import annotations

from typing import Any

from layoutalg.distribution import SpaceFillingCurve
from layoutalg.errors import LengthError
from layoutalg.layout import size
from layoutalg.layout.nest import nest_text
from layoutalg.length import sequence
from layoutalg.tensor.tensor import Tensor

__all__ = ["access_order", "copy"]


def copy(
    source: Tensor,
    target: Tensor,
    dim_access_order: Any = None,
    vector_dim: int | None = None,
    scalar_per_vector: int = 1,
) -> None:
    """Copy every element; padding reads as zero and is not written.

    ``dim_access_order``: dimensions from the slowest to the fastest, as they come if left out; vectors of
    ``scalar_per_vector`` lie along ``vector_dim``, the last one if left out. Refused where memory does not
    hold the elements of a vector next to each other (CK does not check).
    """
    for tensor in (source, target):
        if not isinstance(tensor, Tensor):
            raise LengthError(f"copy: wanted tensors, got {tensor!r}")
    curve = access_order(source, dim_access_order, vector_dim, scalar_per_vector)
    if [mode.size for mode in source.layout.modes] != [mode.size for mode in target.layout.modes]:
        shapes = f"{nest_text(source.layout.shape)} and {nest_text(target.layout.shape)}"
        raise LengthError(f"copy: wanted tensors with the same lengths, got {shapes}")
    along = (source.layout.rank - 1) if vector_dim is None else vector_dim
    for access in range(curve.num_of_access):
        begin = curve.index(access)
        vector = [
            tuple(x + lane if dim == along else x for dim, x in enumerate(begin))
            for lane in range(scalar_per_vector)
        ]
        for tensor in (source, target):
            _contiguous(tensor, vector)
        for index in vector:
            value = source[index] if source.is_valid_index(index) else 0
            if target.is_valid_index(index):
                target[index] = value


def access_order(
    tensor: Tensor, dim_access_order: Any = None, vector_dim: int | None = None, scalar_per_vector: int = 1
) -> SpaceFillingCurve:
    """The order in which CK accesses the vectors of a tensor: snakes through its dimensions."""
    dims = range(tensor.layout.rank)
    order = tuple(dims) if dim_access_order is None else tuple(sequence(dim_access_order, "copy"))
    along = len(dims) - 1 if vector_dim is None else vector_dim
    if along not in dims:
        msg = f"copy: there is no dimension {along} for vectors: they are 0 to {len(dims) - 1}"
        raise LengthError(msg)
    lengths = tuple(size(tensor, dim) for dim in dims)
    scalars = tuple(scalar_per_vector if dim == along else 1 for dim in dims)
    return SpaceFillingCurve(lengths, order, scalars)


def _contiguous(tensor: Tensor, vector: list[tuple[int, ...]]) -> None:
    if tensor.memory_type.is_register:
        return
    offsets = [int(tensor.layout(index)) for index in vector]
    if offsets != list(range(offsets[0], offsets[0] + len(offsets))):
        msg = f"copy: a vector of {len(vector)} at index {nest_text(vector[0])} has offsets {offsets},"
        raise LengthError(f"{msg} which are not next to each other", hint="use a smaller scalar_per_vector")
