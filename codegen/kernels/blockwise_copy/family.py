"""The blockwise copy that is shipped: a packed tensor by rows, tile by tile."""

from __future__ import annotations

from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.blockwise_copy.builder import blockwise_copy
from layoutalg.codegen.kernels.kernel_family import KernelChoice, KernelFamily, no_operations, no_sizes
from layoutalg.codegen.kernels.kernel_options import LENGTHS, Option, count, extents
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.layout import make_layout

__all__ = ["FAMILIES"]


def _blockwise_copy(choice: KernelChoice) -> Kernel:
    chosen = choice.options
    tensor = make_naive_tensor_descriptor_packed(chosen.get("lengths", (256, 128)))
    counts = chosen.get("threads", (32, 8))
    strides = [1]
    for threads in counts[:0:-1]:
        strides.insert(0, strides[0] * threads)
    scalars, tile = chosen.get("scalars", 2), chosen.get("tile", (64, 64))
    by_rows = make_layout(counts, tuple(strides))
    return blockwise_copy(tensor, tensor, tile, by_rows, choice.element, scalars=scalars)


BLOCKWISE_COPY = KernelFamily(
    name="blockwise_copy",
    configure=lambda choice: choice,
    build=_blockwise_copy,
    small_sizes=no_sizes,
    elements=("f16", "f32", "bf16", "i8", "f64"),
    options=(
        LENGTHS,
        Option("block-tile", "tile", extents(1, 2, 3), "64x64", "blockwise_copy: a workgroup's tile."),
        Option("threads", "threads", extents(1, 2, 3), "32x8", "blockwise_copy: threads, the last fastest."),
        Option("scalars", "scalars", count, "a number", "blockwise_copy: elements of one access."),
    ),
    variants=({}, {"lengths": (8, 64, 32), "tile": (4, 32, 16), "threads": (2, 16, 4)}),
    default_sizes={},
    operations=no_operations,
    is_portable=True,
)
FAMILIES = (BLOCKWISE_COPY,)
