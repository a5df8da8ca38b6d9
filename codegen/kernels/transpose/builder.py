"""The permuting kernel: text, launch shape and claims, from lengths and an order, or from two descriptors.

>>> kernel = permute((64, 100, 256), (2, 0, 1))
>>> kernel.name, kernel.block, kernel.grid_for({})
('permute_f32_64x100x256_to_201_by_32x32_256_2x2_lds_xor_along_target_for_gfx942', (256,), (200, 8, 1))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from layoutalg.codegen.kernel import ArrayArgument, Kernel, ScalarArgument
from layoutalg.codegen.kernels.exact_move import CopyReference, TransposeReference
from layoutalg.codegen.kernels.transpose.claims import claims_of
from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.planner import planned
from layoutalg.codegen.kernels.transpose.text import PermuteText
from layoutalg.codegen.kernels.transpose.tiles import PermuteTiles
from layoutalg.codegen.schedule import THROUGH_LDS
from layoutalg.codegen.text.kernel_name import digest, kernel_name
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.index.node import as_expression
from layoutalg.length import Lengths

__all__ = ["kernel_of", "permute"]


def permute(
    source: Any,
    target: Any,
    /,
    element: DataType | str = "f32",
    *,
    multiples: Mapping[str, int] | None = None,
    config: PermuteConfig | None = None,
    **changes: Any,
) -> Kernel:
    """A tensor with its dimensions in another order, by lengths and order, or by two descriptors.

    ``source``: lengths (numbers, or names of sizes) and ``target``: which dimension of the source each
    dimension of the target is, as in ``numpy.transpose``; or two descriptors of equal lengths. ``multiples``
    says what named sizes are multiples of. ``config``: the configuration, planned from the sizes if left out;
    ``changes`` are fields of it.
    """
    if isinstance(source, TensorDescriptor):
        permutation = Permutation.between(source, target)
    else:
        permutation = Permutation.of(source, target)
    chosen = config or planned(permutation, element, multiples or {}, **changes)
    if config is not None and changes:
        chosen = replace(config, **changes)
    return kernel_of(PermuteTiles(permutation, chosen, multiples or {}))


def kernel_of(tiles: PermuteTiles, name: str | None = None) -> Kernel:
    """The kernel that moves these tiles; its name says all of them if none is given."""
    config, sizes = tiles.config, tiles.sizes
    tile = f"{config.rows} x {config.columns}"
    before, after = _shapes(tiles.permutation)
    arguments: tuple[ArrayArgument | ScalarArgument, ...] = (
        ArrayArgument("in", config.kind, tuple(map(as_expression, before))),
        ArrayArgument("out", config.kind, tuple(map(as_expression, after)), is_output=True),
        *(ScalarArgument(parameter.name) for parameter in sizes.parameters),
    )
    text = PermuteText(tiles)
    return make_kernel(
        name or _name(tiles),
        f"{_meaning(tiles.permutation)}, {config.kind.word}, {tile} a workgroup",
        arguments,
        LaunchShape(tiles.grid, (config.threads,), sizes),
        SourceText(_prose(tiles), text.types, text.statements()),
        claims=claims_of(tiles),
        reference=_reference(tiles.permutation, config.kind),
    )


def _reference(permutation: Permutation, kind: DataType) -> CopyReference | TransposeReference:
    """What the target must hold."""
    if permutation.order is not None:
        return TransposeReference(permutation.order, kind)
    return CopyReference(permutation.descriptor("source"), permutation.descriptor("target"), kind)


def _shapes(permutation: Permutation) -> tuple[Lengths, Lengths]:
    """The lengths of the buffers: of packed tensors their own, otherwise of the memory."""
    if permutation.order is None:
        return (permutation.space("source"),), (permutation.space("target"),)
    return permutation.lengths, tuple(permutation.lengths[i] for i in permutation.order)


def _name(tiles: PermuteTiles) -> str:
    """The permutation, what sizes are multiples of, and every field of the configuration."""
    config, permutation = tiles.config, tiles.permutation
    moves: tuple[Any, ...] = ("".join(map(str, permutation.order or ())),)
    if permutation.order is None:
        moves = (permutation.target, "from", permutation.source)
    symbolic = [p for p in tiles.sizes.parameters if p.multiple_of > 1]
    own = [str(layout.offset) for layout in (tiles.stored, tiles.read) if layout is not None]
    usual = tiles == PermuteTiles(permutation, config, tiles.multiples) and config.schedule == THROUGH_LDS
    return kernel_name(
        "permute",
        config.element,
        permutation.lengths,
        *(word for p in symbolic for word in (p.name, "times", p.multiple_of)),
        "to",
        *moves,
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
        "" if usual else digest([*own, *(step.what for step in config.schedule.turn)]),
    )


def _meaning(permutation: Permutation) -> str:
    if permutation.order is None:
        return "element i of the target is element i of the source"
    before = [f"i{i}" for i in range(len(permutation.lengths))]
    after = ", ".join(before[i] for i in permutation.order)
    return f"out[{after}] = in[{', '.join(before)}]"


WAYS = {
    "registers": "The square is turned in registers.",
    "direct": "Elements stay in their order.",
}


def _prose(tiles: PermuteTiles) -> str:
    config, merged = tiles.config, tiles.merged
    down, across = config.square
    way = WAYS.get(config.path, "")
    if tiles.stored is not None:
        size = int(tiles.stored.element_space_size) * config.kind.bytes
        way = f"Through shared memory: {config.lds}, {size} bytes."
    work = (
        f"Merged to lengths {_listed(merged.lengths)}, strides {_listed(merged.source)} in the source and"
        f" {_listed(merged.target)} in the target. A workgroup of {config.threads} threads moves a"
        f" {config.rows} x {config.columns} tile; each thread loads {down} x {across} at a time. {way}"
    )
    lines = [
        f"{_meaning(tiles.permutation)} ({config.kind.word}); lengths {_listed(tiles.permutation.lengths)}.",
        "",
        work,
        "",
        f"  loaded from  {tiles.loads.outputs[0]}",
        f"  stored to    {tiles.writes.outputs[0]}",
    ]
    return "\n".join(lines)


def _listed(lengths: Lengths) -> str:
    return f"({', '.join(map(str, lengths))})"
