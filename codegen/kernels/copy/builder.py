"""The copying kernel: text, launch shape and claims, from two descriptors of equal lengths.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((6, 20), (32, 1))
>>> kernel = copy(rows.pad(0, 1, 1), make_naive_tensor_descriptor((8, 20), (20, 1)), "f32")
>>> kernel.name, kernel.grid_for({}), kernel.block
('copy_f32_8x20_0a9af2dd', (1,), (256,))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.copy.claims import claims_of
from layoutalg.codegen.kernels.copy.plan import CopyPlan
from layoutalg.codegen.kernels.copy.text import CopyText
from layoutalg.codegen.kernels.exact_move import CopyReference
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor

__all__ = ["copy", "kernel_of"]


def copy(
    source: TensorDescriptor,
    target: TensorDescriptor,
    element: DataType | str = "f32",
    *,
    name: str | None = None,
    **fields: Any,
) -> Kernel:
    """Element i of the target becomes element i of the source, zero where that is padding.

    The lengths are numbers; the target has an element at each place of its memory. ``fields``: ``vector``
    elements in one access, as many as lie together if left out, and ``threads`` of a workgroup.
    """
    return kernel_of(CopyPlan.of(source, target, element, **fields), name)


def kernel_of(plan: CopyPlan, name: str | None = None, summary: str = "", words: str = "") -> Kernel:
    """The kernel of a plan; without a ``name`` it is called ``words`` and a digest of its text."""
    lengths = "x".join(map(str, plan.source.lengths))
    title, text = name or words or f"copy_{plan.kind.name}_{lengths}", CopyText(plan)
    arguments = (
        ArrayArgument("in", plan.kind, (sympy.Integer(plan.space("source")),)),
        ArrayArgument("out", plan.kind, (sympy.Integer(plan.space("target")),), is_output=True),
    )
    said = summary or "Element i of the target is element i of the source"
    return make_kernel(
        title,
        f"{said}, {plan.kind.word}, {lengths}",
        arguments,
        LaunchShape((sympy.Integer(plan.blocks),), (plan.threads,)),
        SourceText(_prose(plan, said), text.types, text.statements()),
        claims=claims_of(plan),
        accesses=_claimed(plan),
        reference=CopyReference(plan.source, plan.target, plan.kind),
        adds_digest=name is None,
    )


def _claimed(plan: CopyPlan) -> Iterator[ClaimedAccess]:
    """A thread's run of the source, and of the target."""
    place = plan.threads * built_in("blockIdx.x") + built_in("threadIdx.x")
    loads, stores = (view.index_map() for view in (plan.source_view, plan.target_view))
    launch = {loads.domain.axes[0].name: place}
    yield ClaimedAccess("in", "load", plan.kind, loads, launch)
    yield ClaimedAccess("out", "store", plan.kind, stores, launch)


def _prose(plan: CopyPlan, said: str) -> str:
    lengths = ", ".join(map(str, plan.source.lengths))
    kind, same = plan.kind, plan.loads == plan.stores
    vectors = f"{plan.loads}" if same else f"{plan.loads} loaded, {plan.stores} stored"
    lines = (
        f"{said} ({kind.word}); lengths ({lengths}).",
        "",
        f"Each thread moves {plan.held} neighbours along the last dimension, at a time: {vectors}.",
        "",
        f"  loaded from  {plan.source.offset}",
        f"  there if     {plan.source.validity}",
        f"  stored to    {plan.target.offset}",
    )
    return "\n".join(lines)
