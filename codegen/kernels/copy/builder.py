"""The copying kernel: text, launch shape and claims, from two descriptors of equal lengths.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((6, 20), (32, 1))
>>> kernel = copy(rows.pad(0, 1, 1), make_naive_tensor_descriptor((8, 20), (20, 1)), "f32")
>>> kernel.name, kernel.grid_for({}), kernel.block
('copy_f32_8x20_0a9af2dd', (1,), (256,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from layoutalg.claim import Claim
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.boxes import StridedMove, better_box
from layoutalg.codegen.kernels.copy import stitched_claims
from layoutalg.codegen.kernels.copy.boxed import boxed_copy
from layoutalg.codegen.kernels.copy.claims import claims_of
from layoutalg.codegen.kernels.copy.plan import CopyPlan
from layoutalg.codegen.kernels.copy.stitched_plan import StitchedPlan
from layoutalg.codegen.kernels.copy.stitched_text import StitchedText
from layoutalg.codegen.kernels.copy.text import CopyText
from layoutalg.codegen.kernels.exact_move import CopyReference
from layoutalg.codegen.kernels.memory_traffic import Vectors
from layoutalg.codegen.kernels.offsets_in_reach import require_in_reach
from layoutalg.codegen.kernels.transpose import Permutation, PermuteTiles, planned, vectors_of
from layoutalg.codegen.kernels.transpose import kernel_of as permutation_kernel
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError

__all__ = ["copy", "kernel_of", "planned_copy"]

WIDE = 8  # bytes of an access that is wide enough
# Addresses are added up word by word there: those before an array are shown by running all threads, of
# targets with so many elements at most.
TWO_ADDS = {"gfx908": 0, "gfx90a": 1 << 24}


def copy(
    source: TensorDescriptor,
    target: TensorDescriptor,
    element: DataType | str = "f32",
    *,
    name: str | None = None,
    gpu: str = "gfx942",
    **fields: Any,
) -> Kernel:
    """Element i of the target becomes element i of the source, zero where that is padding.

    The lengths are numbers; the target has an element at each place of its memory. ``gpu``: what the kernel
    is planned for. ``fields``: ``vector`` elements in one access, as many as lie together if left out, and
    ``threads`` of a workgroup. Two dimensions that change places go through shared memory, as ``permute``.
    """
    plan = planned_copy(source, target, element, gpu=gpu, **fields)
    if fields:
        return kernel_of(plan, name)
    made, vectors = kernel_of(plan, name), _vectors(plan)
    turned = _turned(source, target) if _is_narrow(plan) else None
    if turned is not None:
        tiles = PermuteTiles(turned, planned(turned, element, target=gpu))
        made, vectors = permutation_kernel(tiles, name), vectors_of(tiles)
    move = StridedMove.between(source, target)
    splits_zeros = _may_begin_before(target, gpu)
    box = None if move is None else better_box(move, plan.kind, made, vectors, splits_zeros=splits_zeros)
    return made if box is None else boxed_copy(source, target, box, name)


def _vectors(plan: CopyPlan | StitchedPlan) -> tuple[Vectors, Vectors]:
    """What a lane loads at once, and what it stores."""
    if isinstance(plan, StitchedPlan):
        return Vectors(stitched_claims.ELEMENT, plan.held), Vectors(stitched_claims.ELEMENT, plan.held)
    element = plan.source_view.index[1]
    return Vectors(element, plan.loads), Vectors(element, plan.stores)


def planned_copy(
    source: TensorDescriptor,
    target: TensorDescriptor,
    element: DataType | str,
    *,
    gpu: str = "gfx942",
    **fields: Any,
) -> CopyPlan | StitchedPlan:
    """Aligned vectors where both sides have wide ones, or ``fields`` say so; else stitched ones, if any.

    Refused before anything is looked at: tensors that offsets of 32 bits do not reach.
    """
    require_in_reach("copy", source, target)
    plan = CopyPlan.of(source, target, element, **fields)
    if fields or not _is_narrow(plan):
        return plan
    found = StitchedPlan.of(source, target, element)
    if found is None or (found.asks_where_memory_ends and not _may_begin_before(target, gpu)):
        return plan
    return found


def _may_begin_before(target: TensorDescriptor, gpu: str) -> bool:
    """Whether addresses before an array, where nothing is accessed, are shown to be no harm."""
    return gpu not in TWO_ADDS or _space(target) <= TWO_ADDS[gpu]


def _is_narrow(plan: CopyPlan | StitchedPlan) -> bool:
    """Whether aligned vectors of one side are narrower than is wanted."""
    return isinstance(plan, CopyPlan) and min(plan.loads, plan.stores) * plan.kind.bytes < WIDE


def _turned(source: TensorDescriptor, target: TensorDescriptor) -> Permutation | None:
    """The permutation that a copy is, if it is one whose fastest dimensions differ."""
    try:
        found = Permutation.between(source, target)
        is_turned = found.is_turned
    except LayoutError:  # padding, or more than strides
        return None
    return found if is_turned else None


def kernel_of(
    plan: CopyPlan | StitchedPlan, name: str | None = None, summary: str = "", words: str = ""
) -> Kernel:
    """The kernel of a plan; without a ``name`` it is called ``words`` and a digest of its text."""
    lengths = "x".join(map(str, plan.source.lengths))
    made = _stitched(plan) if isinstance(plan, StitchedPlan) else _aligned(plan)
    source, target = (sympy.Integer(_space(side)) for side in (plan.source, plan.target))
    arguments = (
        ArrayArgument("in", plan.kind, (source,), begins_anywhere=made.begins_anywhere),
        ArrayArgument("out", plan.kind, (target,), is_output=True),
    )
    said = summary or "Element i of the target is element i of the source"
    return make_kernel(
        name or words or f"copy_{plan.kind.name}_{lengths}",
        f"{said}, {plan.kind.word}, {lengths}",
        arguments,
        LaunchShape((sympy.Integer(plan.blocks),), (plan.threads,)),
        SourceText(_prose(plan, said, made.work), made.text.types, made.text.statements()),
        claims=made.claims,
        accesses=made.accesses,
        reference=CopyReference(plan.source, plan.target, plan.kind),
        adds_digest=name is None,
    )


@dataclass(frozen=True)
class _Made:
    """What kinds of plans differ in: the text, claims, accesses, and in words what a thread does."""

    text: CopyText | StitchedText
    claims: tuple[Claim, ...]
    accesses: Iterator[ClaimedAccess]
    work: str
    begins_anywhere: bool


def _aligned(plan: CopyPlan) -> _Made:
    vectors = f"{plan.loads}" if plan.loads == plan.stores else f"{plan.loads} loaded, {plan.stores} stored"
    work = f"Each thread moves {plan.held} neighbours along the last dimension, at a time: {vectors}."
    return _Made(CopyText(plan), claims_of(plan), _claimed(plan), work, begins_anywhere=False)


def _stitched(plan: StitchedPlan) -> _Made:
    work = f"Each thread stores {plan.held} neighbours of the target at a time, stitched together out of"
    work += f" vectors that begin anywhere in rows of {plan.row} of the source."
    claims, accesses = stitched_claims.claims_of(plan), stitched_claims.accesses_of(plan)
    return _Made(StitchedText(plan), claims, accesses, work, begins_anywhere=True)


def _space(tensor: TensorDescriptor) -> int:
    """Elements of memory that a tensor needs."""
    return int(tensor.base_offset) + int(tensor.element_space_size)


def _claimed(plan: CopyPlan) -> Iterator[ClaimedAccess]:
    """A thread's run of the source, and of the target."""
    place = plan.threads * built_in("blockIdx.x") + built_in("threadIdx.x")
    loads, stores = (view.index_map() for view in (plan.source_view, plan.target_view))
    launch = {loads.domain.axes[0].name: place}
    if plan.is_read:
        yield ClaimedAccess("in", "load", plan.kind, loads, launch)
    yield ClaimedAccess("out", "store", plan.kind, stores, launch)


def _prose(plan: CopyPlan | StitchedPlan, said: str, work: str) -> str:
    lengths = ", ".join(map(str, plan.source.lengths))
    lines = (
        f"{said} ({plan.kind.word}); lengths ({lengths}).",
        "",
        work,
        "",
        f"  loaded from  {plan.source.offset}",
        f"  there if     {plan.source.validity}",
        f"  stored to    {plan.target.offset}",
    )
    return "\n".join(lines)
