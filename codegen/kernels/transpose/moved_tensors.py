"""The two tensors of a permutation as a kernel has them: its arguments, what they mean, what must come out.

>>> from layoutalg.data_type import DataType
>>> found = Permutation.of((3, 40, 64), (1, 2, 0))
>>> [str(argument.lengths) for argument in tensor_arguments(found, DataType.named("f16"))]
['(3, 40, 64)', '(40, 64, 3)']
>>> meaning(found)
'out[i1, i2, i0] = in[i0, i1, i2]'
"""

from __future__ import annotations

from typing import Any

from layoutalg.codegen.kernel import ArrayArgument
from layoutalg.codegen.kernels.exact_move import CopyReference, TransposeReference
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.data_type import DataType
from layoutalg.index.node import as_expression
from layoutalg.length import Lengths

__all__ = ["listed", "meaning", "order_words", "reference_of", "tensor_arguments"]


def tensor_arguments(
    permutation: Permutation, kind: DataType, begin_anywhere: tuple[bool, bool] = (False, False)
) -> tuple[ArrayArgument, ArrayArgument]:
    """Source and target; ``begin_anywhere``: whether each may begin at any element."""
    before, after = (tuple(map(as_expression, shape)) for shape in _shapes(permutation))
    steps = permutation.leading or (None, None)
    source, target = begin_anywhere
    return (
        ArrayArgument("in", kind, before, leading=steps[0], begins_anywhere=source),
        ArrayArgument("out", kind, after, is_output=True, leading=steps[1], begins_anywhere=target),
    )


def reference_of(permutation: Permutation, kind: DataType) -> CopyReference | TransposeReference:
    """What the target must hold."""
    if permutation.order is not None:
        return TransposeReference(permutation.order, kind)
    return CopyReference(permutation.descriptor("source"), permutation.descriptor("target"), kind)


def meaning(permutation: Permutation) -> str:
    """Which element goes where."""
    if permutation.order is None:
        return "element i of the target is element i of the source"
    before = [f"i{i}" for i in range(len(permutation.lengths))]
    after = ", ".join(before[i] for i in permutation.order)
    return f"out[{after}] = in[{', '.join(before)}]"


def order_words(permutation: Permutation) -> tuple[Any, ...]:
    """What the name of a kernel says of the order.

    >>> order_words(Permutation.of((3, 40, 64), (1, 2, 0)))
    ('to', '120')
    """
    if permutation.order is None:
        return "to", permutation.target, "from", permutation.source
    return "to", "".join(map(str, permutation.order))


def listed(lengths: Lengths) -> str:
    """Lengths as text."""
    return f"({', '.join(map(str, lengths))})"


def _shapes(permutation: Permutation) -> tuple[Lengths, Lengths]:
    """The lengths of the buffers: of packed tensors their own, otherwise of the memory."""
    if permutation.order is None:
        return (permutation.space("source"),), (permutation.space("target"),)
    return permutation.lengths, tuple(permutation.lengths[i] for i in permutation.order)
