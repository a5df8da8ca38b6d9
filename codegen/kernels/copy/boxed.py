"""A copy moved in boxes: its kernel, and the claim that boxes are cut out of the tensors that were given.

>>> from layoutalg.codegen.kernels.boxes import planned_box
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
>>> source = packed((200, 100)).pad(0, 1, 1).permute(1, 0)
>>> target = packed(source.lengths)
>>> box = planned_box(StridedMove.between(source, target), DataType.named("f16"))
>>> boxed_copy(source, target, box).name
'copy_f16_100x202_in_boxes_of_100x202_...'
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.boxes import SIDES, Box, BoxMeaning, StridedMove, box_kernel
from layoutalg.codegen.kernels.exact_move import CopyReference
from layoutalg.codegen.text.kernel_name import kernel_name
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.index import Select
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties import covers, one_to_one
from layoutalg.transforms import Merge, MergeVariant

__all__ = ["boxed_copy"]


def boxed_copy(
    source: TensorDescriptor, target: TensorDescriptor, box: Box, name: str | None = None
) -> Kernel:
    """Element i of the target becomes element i of the source, zero where that is padding, by these boxes."""
    kind: DataType = box.kind
    sizes = (int(one.base_offset) + int(one.element_space_size) for one in (source, target))
    spaces = [(sympy.Integer(size),) for size in sizes]
    reads, writes = map(box.begins_anywhere, SIDES)
    lengths = "x".join(map(str, source.lengths))
    says = BoxMeaning(
        name or kernel_name("copy", kind.name, source.lengths, "in_boxes_of", box.lengths),
        f"Element i of the target is element i of the source, {kind.word}, {lengths}",
        (
            ArrayArgument("in", kind, spaces[0], begins_anywhere=reads),
            ArrayArgument("out", kind, spaces[1], is_output=True, begins_anywhere=writes),
        ),
        CopyReference(source, target, kind),
        tuple(_same_tensors(source, target, box.move)),
        adds_digest=name is None,
    )
    return box_kernel(box, says)


def _same_tensors(source: TensorDescriptor, target: TensorDescriptor, move: StridedMove) -> Iterator[Claim]:
    """An element of the target is the one that its place in memory says, by the dimensions of the move."""
    yield one_to_one(target, "target")
    yield covers(target, "target")
    merge = Merge(tuple(d.padded for d in move.dimensions), MergeVariant.V3_DIVISION_MOD)
    index = merge.lower((target.offset,), SYMBOLIC)
    placed = [(d, at) for d, at in zip(move.dimensions, index, strict=True)]
    place = sympy.Add(move.base, *(d.source * (at - d.left) for d, at in placed))
    there = [
        part
        for d, at in placed
        if d.has_zeros
        for part in (
            sympy.Le(d.left, at, evaluate=False),
            sympy.Lt(at, d.left + d.length, evaluate=False),
        )
    ]
    same = [Comparison(source.offset, "==", place)]
    if there:
        one, zero = sympy.Integer(1), sympy.Integer(0)
        given, moved = source.validity, sympy.And(*there)
        same.append(Comparison(Select(given, one, zero), "==", Select(moved, one, zero)))
    yield Claim("same element", "boxes", target.domain, tuple(same))
