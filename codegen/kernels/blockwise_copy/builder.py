"""The CK wrapper's blockwise copy as a kernel: each workgroup takes a tile into shared memory and out again.

>>> from layoutalg.layout import make_layout
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((512, 64), (64, 1))
>>> kernel = blockwise_copy(rows, rows, (256, 32), make_layout((64, 4), (4, 1)), vector_dim=1, scalars=8)
>>> kernel.name, kernel.grid_for({}), kernel.block
('blockwise_copy_f16_512x64_by_256x32_af086c2a', (2, 2), (256,))

Source: CK, ``include/ck/wrapper/operations/copy.hpp``, ``thread_group_tensor_slice_transfer_v7.hpp``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.blockwise_copy.claims import claims_of
from layoutalg.codegen.kernels.blockwise_copy.text import BlockText
from layoutalg.codegen.kernels.blockwise_copy.tiles import BlockTiles
from layoutalg.codegen.kernels.exact_move import CopyReference
from layoutalg.codegen.kernels.offsets_in_reach import require_in_reach
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.descriptor import TensorDescriptor
from layoutalg.index.node import as_expression
from layoutalg.layout import Layout

__all__ = ["blockwise_copy", "kernel_of"]


def blockwise_copy(
    source: TensorDescriptor,
    target: TensorDescriptor,
    tile: tuple[int, ...],
    threads: Layout,
    element: str = "f16",
    **fields: Any,
) -> Kernel:
    """Tiles of ``source`` through shared memory to ``target``; ``fields`` as of :class:`BlockTiles`."""
    require_in_reach("blockwise_copy", source, target)
    return kernel_of(BlockTiles(source, target, tile, threads, element, **fields))


def kernel_of(tiles: BlockTiles, name: str | None = None) -> Kernel:
    """The kernel that moves these tiles; its name says all of them if none is given."""
    sizes = ["x".join(map(str, lengths)) for lengths in (tiles.source.lengths, tiles.tile)]
    title = name or f"blockwise_copy_{tiles.kind.name}_{'_by_'.join(sizes)}"
    arguments = tuple(
        ArrayArgument(
            pointer,
            tiles.kind,
            (as_expression(tensor.base_offset) + as_expression(tensor.element_space_size),),
            is_output=pointer == "out",
        )
        for pointer, tensor in (("in", tiles.source), ("out", tiles.target))
    )
    text = BlockText(tiles)
    return make_kernel(
        title,
        f"Tiles of {sizes[1]} through shared memory, {tiles.kind.word}, {sizes[0]}",
        arguments,
        LaunchShape(tuple(map(sympy.Integer, reversed(tiles.blocks))), (tiles.count,)),
        SourceText(_prose(tiles), text.types, text.statements()),
        claims=claims_of(tiles),
        accesses=_claimed(tiles),
        reference=CopyReference(tiles.source, tiles.target, tiles.kind),
        adds_digest=name is None,
    )


def _claimed(tiles: BlockTiles) -> Iterator[ClaimedAccess]:
    """A tile from the source into shared memory, and from there to the target."""
    axes = zip(reversed(tiles.block_symbols), ("blockIdx.x", "blockIdx.y", "blockIdx.z"), strict=False)
    launch = {symbol.name: built_in(name) for symbol, name in axes} | {"lane": built_in("threadIdx.x")}
    kind = tiles.kind
    room = max(int(lds.element_space_size) for lds in (tiles.stored, tiles.read)) * kind.bytes
    yield ClaimedAccess("in", "load", kind, tiles.load.index_map(), launch)
    yield ClaimedAccess("tile", "store", kind, tiles.store.index_map(), launch, room=room)
    written = tiles.write.index_map()
    read = IndexMap(written.domain, tiles.fetch.index_map().outputs, written.when)  # where it is written on
    yield ClaimedAccess("tile", "load", kind, read, launch, room=room)
    yield ClaimedAccess("out", "store", kind, written, launch)


def _prose(tiles: BlockTiles) -> str:
    moved = f"Tiles of {tiles.tile} of a tensor of {tiles.source.lengths} ({tiles.kind.word})"
    shares = f"Threads {tiles.threads} fill a tile, threads {tiles.readers} empty it,"
    lines = (
        f"{moved} through shared memory.",
        "",
        f"{shares} {tiles.scalars} neighbours along dimension {tiles.vector_dim} at a time.",
        "",
        f"  loaded from  {tiles.load.index_map().outputs[0]}",
        f"  in LDS at    {tiles.stored.offset}",
        f"  stored to    {tiles.write.index_map().outputs[0]}",
    )
    return "\n".join(lines)
