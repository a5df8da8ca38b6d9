"""The permuting kernel: text, launch shape and claims, from lengths and an order, or from two descriptors.

>>> kernel = permute((64, 100, 256), (2, 0, 1))
>>> kernel.name, kernel.block, kernel.grid_for({})
('permute_f32_64x100x256_to_201_by_32x32_256_2x2_lds_xor_along_target_for_gfx942', (256,), (200, 8, 1))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, in_waves
from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.kernels.memory_traffic import Vectors
from layoutalg.codegen.kernels.stored_matrix import leading_words
from layoutalg.codegen.kernels.transpose.chosen_path import (
    asked_box,
    asked_interleaving,
    boxed_kernel,
    instead_of_interleaving,
    instead_of_tiles,
)
from layoutalg.codegen.kernels.transpose.claims import claims_of
from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.codegen.kernels.transpose.interleaved_kernel import interleaved_kernel
from layoutalg.codegen.kernels.transpose.interleaving import Y
from layoutalg.codegen.kernels.transpose.moved_tensors import (
    listed,
    meaning,
    order_words,
    reference_of,
    tensor_arguments,
)
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.planner import planned
from layoutalg.codegen.kernels.transpose.text import PermuteText
from layoutalg.codegen.kernels.transpose.tiles import PermuteTiles
from layoutalg.codegen.schedule import THROUGH_LDS
from layoutalg.codegen.text.kernel_name import digest, kernel_name
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.length import sizes
from layoutalg.machine import EVERY_GPU

__all__ = ["kernel_of", "permute", "vectors_of"]

LEADING = sizes("ld_in ld_out")


def permute(
    source: Any,
    target: Any,
    /,
    element: DataType | str = "f32",
    *,
    multiples: Mapping[str, int] | None = None,
    config: PermuteConfig | None = None,
    has_leading_dimensions: bool = False,
    **changes: Any,
) -> Kernel:
    """A tensor with its dimensions in another order, by lengths and order, or by two descriptors.

    ``source``: lengths (numbers, or names of sizes) and ``target``: which dimension of the source each
    dimension of the target is, as in ``numpy.transpose``; or two descriptors of equal lengths. ``multiples``
    says what named sizes are multiples of. ``config``: the configuration, planned from the sizes if left out;
    ``changes`` are fields of it. Where they say nothing, a short dimension beside a long one is interleaved
    in registers, and what has short runs is moved in boxes. ``has_leading_dimensions``: rows begin ``ld_in``
    elements apart in the source and ``ld_out`` in the target, multiples of what one access moves there.
    """
    known = dict(multiples or {})
    if not isinstance(source, TensorDescriptor):
        permutation = Permutation.of(source, target, LEADING if has_leading_dimensions else None)
    elif has_leading_dimensions:
        msg = "permute: leading dimensions: wanted lengths and an order, got descriptors"
        raise LayoutError(msg, hint="descriptors have strides of their own")
    else:
        permutation = Permutation.between(source, target)
    other = None if config else _without_tiles(permutation, element, changes)
    if other is not None:
        return other
    usual = dict.fromkeys(map(str, permutation.leading or ()), EVERY_GPU.access_bytes)
    chosen = config or planned(permutation, element, usual | known, **changes)
    if config is not None and changes:
        chosen = replace(config, **changes)
    steps = zip(map(str, permutation.leading or ()), (chosen.vector_in, chosen.vector_out), strict=False)
    tiles = PermuteTiles(permutation, chosen, dict(steps) | known)
    made, vectors = kernel_of(tiles), vectors_of(tiles)
    if config is not None or changes.keys() - {"target", "begins_anywhere"}:
        return made
    anywhere = changes.get("begins_anywhere") is not False
    return instead_of_tiles(permutation, chosen.kind, made, vectors, anywhere=anywhere)


def _without_tiles(
    permutation: Permutation, element: DataType | str, changes: Mapping[str, Any]
) -> Kernel | None:
    """In boxes or interleaved, where that is said, or nothing is and a short dimension beside a long one."""
    box = asked_box(permutation, element, changes)
    if box is not None:
        return boxed_kernel(permutation, box)
    found = asked_interleaving(permutation, element, changes)
    if found is None:
        return None
    made, vector = interleaved_kernel(found), Vectors(Y, found.vector)
    if "path" in changes:
        return made
    anywhere = changes.get("begins_anywhere") is not False
    return instead_of_interleaving(permutation, found.kind, made, vector, anywhere=anywhere)


def vectors_of(tiles: PermuteTiles) -> tuple[Vectors, Vectors]:
    """What a lane loads at once, and what it stores."""
    config, stored = tiles.config, tiles.writers.ys[tiles.written_along]
    return Vectors(tiles.loaders.ys[3], config.vector_in), Vectors(stored, config.vector_out)


def kernel_of(tiles: PermuteTiles, name: str | None = None) -> Kernel:
    """The kernel that moves these tiles; its name says all of them if none is given."""
    config, admitted = tiles.config, tiles.sizes
    tile = f"{config.rows} x {config.columns}"
    anywhere = tiles.begins_anywhere("source"), tiles.begins_anywhere("target")
    arrays = tensor_arguments(tiles.permutation, config.kind, anywhere)
    scalars = (ScalarArgument(parameter.name) for parameter in admitted.parameters)
    text = PermuteText(tiles)
    return make_kernel(
        name or _name(tiles),
        f"{meaning(tiles.permutation)}, {config.kind.word}, {tile} a workgroup",
        (*arrays, *scalars),
        LaunchShape(tiles.grid, (config.threads,), admitted),
        SourceText(_prose(tiles, arrays), text.types, text.statements()),
        claims=claims_of(tiles),
        accesses=_claimed(tiles),
        reference=reference_of(tiles.permutation, config.kind),
    )


def _claimed(tiles: PermuteTiles) -> Iterator[ClaimedAccess]:
    """Loads and stores of the tensors, and of the tile in shared memory."""
    axes = dict(zip(tiles.built_in, ("blockIdx.x", "blockIdx.y", "blockIdx.z"), strict=True))
    kind, launch = tiles.config.kind, in_waves(axes)
    yield ClaimedAccess("in", "load", kind, tiles.loads, launch)
    yield ClaimedAccess("out", "store", kind, tiles.writes, launch)
    if tiles.stored is not None and tiles.read is not None:
        room = max(int(lds.element_space_size) for lds in (tiles.stored, tiles.read)) * kind.bytes
        stored, read = tiles.in_lds(tiles.stored, tiles.loaders), tiles.in_lds(tiles.read, tiles.writers)
        yield ClaimedAccess("tile", "store", kind, stored, launch, room=room)
        written = IndexMap(
            tiles.writes.domain, read.outputs, tiles.writes.when
        )  # what is not there is not read
        yield ClaimedAccess("tile", "load", kind, written, launch, room=room)


def _name(tiles: PermuteTiles) -> str:
    """The permutation, what sizes are multiples of, and every field of the configuration."""
    config, permutation = tiles.config, tiles.permutation
    symbolic = [p for p in tiles.sizes.parameters if p.multiple_of > 1]
    own = [str(layout.offset) for layout in (tiles.stored, tiles.read) if layout is not None]
    usual = tiles == PermuteTiles(permutation, config, tiles.multiples) and config.schedule == THROUGH_LDS
    return kernel_name(
        "permute",
        config.element,
        permutation.lengths,
        *(word for p in symbolic for word in (p.name, "times", p.multiple_of)),
        *order_words(permutation),
        "leading" if permutation.leading else "",
        "by",
        (config.rows, config.columns),
        config.threads,
        (config.vector_in, config.vector_out),
        config.path,
        config.lds if config.path == "lds" else "",
        "along",
        config.along,
        "for",
        config.target,
        "" if config.is_guarded else "unguarded",
        "anywhere" if config.begins_anywhere else "",
        "" if usual else digest([*own, *(step.what for step in config.schedule.turn)]),
    )


WAYS = {
    "registers": "The square is turned in registers.",
    "direct": "Elements stay in their order.",
}


def _prose(tiles: PermuteTiles, arrays: Sequence[ArrayArgument]) -> str:
    config, merged = tiles.config, tiles.merged
    down, across = config.square
    way = WAYS.get(config.path, "")
    if tiles.stored is not None:
        size = int(tiles.stored.element_space_size) * config.kind.bytes
        way = f"Through shared memory: {config.lds}, {size} bytes."
    work = (
        f"Merged to lengths {listed(merged.lengths)}, strides {listed(merged.source)} in the source and"
        f" {listed(merged.target)} in the target. A workgroup of {config.threads} threads moves a"
        f" {config.rows} x {config.columns} tile; each thread loads {down} x {across} at a time. {way}"
    )
    lines = [
        f"{meaning(tiles.permutation)} ({config.kind.word}); lengths {listed(tiles.permutation.lengths)}.",
        *leading_words(arrays, EVERY_GPU.access_bytes),
        "",
        work,
        "",
        f"  loaded from  {tiles.loads.outputs[0]}",
        f"  stored to    {tiles.writes.outputs[0]}",
    ]
    return "\n".join(lines)
