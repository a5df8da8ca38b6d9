"""Tensors whose elements an offset of 32 bits reaches: all that moving kernels take.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> require_in_reach("copy", make_naive_tensor_descriptor_packed((65536, 65536)))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: copy: wanted at most 2147483648 elements, as 32 bits count, got 4294967296 (...)
"""

from __future__ import annotations

from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression

__all__ = ["require_in_reach"]

MOST = LARGEST_OFFSET + 1  # elements: the first offset is 0


def require_in_reach(what: str, *tensors: TensorDescriptor) -> None:
    """Refuse tensors of more elements, or more memory, than offsets of 32 bits reach.

    Lengths that are no numbers are left to others.
    """
    for tensor in tensors:
        sizes = map(as_expression, (tensor.element_size, tensor.element_space_size))
        found = max((int(size) for size in sizes if size.is_Integer), default=0)
        if found > MOST:
            msg = f"{what}: wanted at most {MOST} elements, as 32 bits count, got {found}"
            raise LayoutError(msg, hint="take smaller lengths, in several launches")
