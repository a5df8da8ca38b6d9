"""What must hold of a permutation for every admissible size before its text is handed out.

Merging dimensions and cutting into tiles lose no element, and accesses are in bounds. Every element of a tile
is held by one register of one thread, when loaded and when written. In shared memory it is read where it was
stored, after a barrier. So each element of the target is written once, with the right element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.exact_move import vector_together, writes_what_was_read
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.shared_tile import lds_accesses, shared_tile
from layoutalg.codegen.kernels.transpose.tiles import PermuteTiles
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain, Variable
from layoutalg.index.node import as_expression
from layoutalg.length import Length
from layoutalg.machine.lds import LdsPhases
from layoutalg.properties import (
    conflict_free,
    covers,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
    within,
)

__all__ = ["claims_of", "claims_of_permutation"]


def claims_of(tiles: PermuteTiles) -> tuple[Claim, ...]:
    """The claims of a permutation; those of bank conflicts where a layout without them was found."""
    found = [*claims_of_permutation(tiles.permutation, tiles.sizes), *_accesses(tiles), *_pieces(tiles)]
    if tiles.stored is not None and tiles.read is not None:
        found += _shared(tiles, tiles.stored, tiles.read)
    return tuple(found)


def claims_of_permutation(whole: Permutation, sizes: Domain) -> Iterator[Claim]:
    """Merged dimensions mean what they meant, and the target holds every element once."""
    for side in ("source", "target"):
        kept = whole.kept(side).assuming(sizes)
        yield same_map(kept, whole.unmerged(side).assuming(sizes), f"{side}, merged")
    target = whole.kept("target").assuming(sizes)
    packed = target.permute(*_by_stride(whole.merged.groups, whole.target))
    yield one_to_one(packed, "target")
    if whole.leading is None:
        yield covers(packed, "target")


def _by_stride(groups: tuple[tuple[int, ...], ...], strides: tuple[Length, ...]) -> list[int]:
    """The dimensions with the slowest first, as far as numbers tell."""
    kept = sorted(i for group in groups for i in group)

    def factors(position: int) -> tuple[int, sympy.Expr]:
        stride = as_expression(strides[kept[position]])
        return len(stride.free_symbols), stride.as_coeff_Mul()[0]

    return sorted(range(len(kept)), key=factors, reverse=True)


def _accesses(tiles: PermuteTiles) -> Iterator[Claim]:
    """Loads and stores are in bounds under their guards, in whole aligned vectors, within 32 bits."""
    config = tiles.config
    sides = (
        ("source", "loads", tiles.loaders, 3, config.vector_in),
        ("target", "stores", tiles.writers, tiles.written_along, config.vector_out),
    )
    for side, word, who, y, width in sides:
        whole, view = tiles.through(side, who), tiles.view(side)
        lengths = view.transforms[0].upper_lengths
        offset, own = whole.outputs[0], whole.outputs[1 : 1 + len(lengths)]
        offsets = IndexMap(whole.domain, (offset,), whole.when)
        yield memory_bounds_map(offsets, _space(tiles, side), word)
        yield from _right_places(tiles, side, offsets, own, word)
        yield Claim("in logical bounds", word, whole.domain, within(own, lengths), whole.when)
        if tiles.begins_anywhere(side):
            yield from _anywhere(tiles, side, offsets, who.ys[y], word)
        else:
            yield from vector_access_map(offsets, who.ys[y], width, word)
        yield from _fits(tiles, side, IndexMap(whole.domain, own), word)
    index = [tiles.through(side, tiles.writers).outputs for side in ("source", "target")]
    read, written = (found[1 : 1 + len(lengths)] for found in index)
    yield writes_what_was_read(read, written, tiles.index(tiles.writers).domain)


def _anywhere(tiles: PermuteTiles, side: str, offsets: IndexMap, along: Symbol, word: str) -> Iterator[Claim]:
    """Elements of a vector lie together; of the last one of a row, only the first few are there."""
    axis, width = tiles.vector_axis(side)
    first = {along: sympy.Integer(0)}
    yield vector_together(offsets, along, word)
    if tiles.part(side):
        who = tiles.loaders if side == "source" else tiles.writers
        index, end = tiles.index(who).outputs[-2:][axis], as_expression(tiles.extent[axis])
        is_part = sympy.Lt(end, index.xreplace(first) + width, evaluate=False)
        rest = Comparison(along, "<", sympy.Integer(tiles.part(side)))
        yield Claim("part of a vector", word, offsets.domain, (rest,), (is_part, *offsets.when))


def _space(tiles: PermuteTiles, side: str) -> Expr:
    """The elements of memory, where rows lie apart as the tensor has them, not the view of its tiles."""
    whole = tiles.permutation
    return as_expression(whole.space(side) if whole.leading else tiles.view(side).element_space_size)


def _right_places(
    tiles: PermuteTiles, side: str, offsets: IndexMap, own: Sequence[Expr], word: str
) -> Iterator[Claim]:
    """Where rows lie apart: an element is accessed where its index and the tensor's strides say."""
    if tiles.permutation.leading is None or not tiles.permutation.axes[0]:
        return
    rows, columns = tiles.permutation.axes
    order, strides = (*tiles.batch, *rows, *columns), getattr(tiles.merged, side)
    place = sympy.Add(*(strides[i] * index for i, index in zip(order, own, strict=True)))
    same = (Comparison(offsets.outputs[0], "==", place),)
    yield Claim("right place", word, offsets.domain, same, offsets.when)


def _fits(tiles: PermuteTiles, side: str, own: IndexMap, word: str) -> Iterator[Claim]:
    """Offsets are computed for all threads, whether or not they access: the largest one fits 32 bits."""
    ends = tiles.ends
    yield Claim("in longer bounds", word, own.domain, within(own.outputs, ends))
    yield fits_integer((tiles.farthest(side), *ends), tiles.sizes, "int32", word)


def _pieces(tiles: PermuteTiles) -> Iterator[Claim]:
    """Tiles reach to the end of the tensor and do not overlap; threads hold all of a tile, once."""
    for what, blocks, tile, length in zip(
        ("rows", "columns"), tiles.blocks, tiles.tile, tiles.extent, strict=False
    ):
        block, place = (Symbol(name, integer=True, nonnegative=True) for name in ("block", "place"))
        axes = (
            Variable(block, sympy.Integer(0), blocks),
            Variable(place, sympy.Integer(0), sympy.Integer(tile)),
        )
        domain = Domain((*axes, *tiles.sizes.variables), tiles.sizes.facts)
        reached = IndexMap(domain, (tile * block + place,))
        yield one_to_one_map(reached, f"tiles, {what}")
        end = Comparison(as_expression(length), "<=", tile * blocks)
        yield Claim("covers", f"tiles, {what}", tiles.sizes, (end,))
    holders = {"loaded": tiles.loaders, "written": tiles.writers}
    for word, who in holders.items():
        yield from owned(who, f"tile, {word}")
        yield tile_bounds(who, f"tile, {word}")


def _shared(tiles: PermuteTiles, stored: TensorDescriptor, read: TensorDescriptor) -> Iterator[Claim]:
    """Through shared memory: one place for each element, the same for both, filled before it is read."""
    config = tiles.config
    yield one_to_one(stored, "tile in LDS")
    yield same_map(stored, read, "tile in LDS")
    yield config.schedule.barrier_between("tile in LDS")
    accesses = (lds_accesses(stored, config)[0], lds_accesses(read, config)[1])
    for access, who in zip(accesses, (tiles.loaders, tiles.writers), strict=True):
        word = f"LDS {'stores' if access.direction == 'write' else 'reads'}"
        layout = stored if access.direction == "write" else read
        yield from vector_access_map(tiles.in_lds(layout, who), who.ys[2], config.vector_out, word)
        if config.lds != "plain" and shared_tile(config).is_free:
            yield from conflict_free(access, LdsPhases.of(config.target, access.direction, access.bits), word)
