"""Elements that change places within a thread: slices, shuffles, transpositions.

Source: CK Tile, ``core/tensor/{slice_tile,shuffle_tile,transpose_tile}.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from layoutalg.distribution.slice_from_x import slice_distribution_from_x
from layoutalg.errors import LayoutError
from layoutalg.tile.elements import converted
from layoutalg.tile.tensors import StaticDistributedTensor, held, new_tensor

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = [
    "Rearrange",
    "ThreadData",
    "get_slice_tile",
    "get_y_sliced_thread_data",
    "set_slice_tile",
    "set_y_sliced_thread_data",
    "shuffle_tile",
    "transpose_tile2d",
]


@dataclass(frozen=True)
class Rearrange:
    """Places of a thread buffer become what places of another one hold; the others keep what they hold."""

    target: StaticDistributedTensor
    source: StaticDistributedTensor
    places: tuple[tuple[int, int], ...]  # of the target, of the source

    def run(self, machine: Machine) -> None:
        given = machine.of(self.source)
        for place, other in self.places:
            numbers = given[..., other]
            if self.target.kind != self.source.kind:
                numbers = converted(machine.value_of(self.source)[..., other], self.target.kind)
            machine.put_place(self.target, place, numbers)


@dataclass(frozen=True)
class ThreadData:
    """Elements of each thread, without a distribution: the places of a tile's buffer, in order."""

    tile: StaticDistributedTensor
    places: tuple[int, ...]


def get_y_sliced_thread_data(
    tile: StaticDistributedTensor, y_origins: Sequence[int], y_lengths: Sequence[int]
) -> ThreadData:
    """The part of each thread's buffer from these Ys on, of these lengths."""
    found = held(tile)
    return ThreadData(found, _box(found, y_origins, y_lengths))


def set_y_sliced_thread_data(
    tile: StaticDistributedTensor,
    y_origins: Sequence[int],
    y_lengths: Sequence[int],
    data: ThreadData | Sequence[float],
) -> None:
    """Put thread data, or numbers, into a part of each thread's buffer."""
    found = held(tile)
    places = _box(found, y_origins, y_lengths)
    given = data.places if isinstance(data, ThreadData) else data
    if len(places) != len(given):
        raise LayoutError(f"set_y_sliced_thread_data: {len(places)} places for {len(given)} elements")
    if not isinstance(data, ThreadData):
        for place, number in zip(places, data, strict=True):
            found[place] = number
        return
    pairs = tuple(zip(places, data.places, strict=True))
    _rearrange(found, held(data.tile), pairs)


def get_slice_tile(
    tile: StaticDistributedTensor, begins: Sequence[int], ends: Sequence[int]
) -> StaticDistributedTensor:
    """The elements of a part of the tile, as a tile of its own; an end of -1 is the length."""
    found = held(tile)
    part = slice_distribution_from_x(found.distribution, begins, ends)
    made = new_tensor(found.kind, part.distribution)
    pairs = tuple(enumerate(_box(found, part.y_origins, part.y_lengths)))
    _rearrange(made, found, pairs)
    return made


def set_slice_tile(
    tile: StaticDistributedTensor,
    part: StaticDistributedTensor,
    begins: Sequence[int],
    ends: Sequence[int],
) -> None:
    """Put a tile into a part of another one."""
    found = held(tile)
    cut = slice_distribution_from_x(found.distribution, begins, ends)
    places = _box(found, cut.y_origins, cut.y_lengths)
    pairs = tuple((place, number) for number, place in enumerate(places))
    _rearrange(found, held(part), pairs)


def shuffle_tile(out: StaticDistributedTensor, tile: StaticDistributedTensor) -> None:
    """Let a tile hold what another one of the same lengths does, its Ys in another order; types convert.

    Refused: distributions that differ in more than the order of Ys, which threads would have to exchange.
    """
    found, given = held(out), held(tile)
    mine, theirs = found.distribution.encoding, given.distribution.encoding
    same = (mine.rs_lengths, mine.hs_lengthss, mine.ps_factors) == (
        theirs.rs_lengths,
        theirs.hs_lengthss,
        theirs.ps_factors,
    )
    if not same or sorted(mine.ys_factors) != sorted(theirs.ys_factors):
        raise LayoutError("shuffle_tile: wanted distributions that differ in the order of Ys alone")
    order = [theirs.ys_factors.index(factor) for factor in mine.ys_factors]
    _exchange(found, given, order)


def transpose_tile2d(out: StaticDistributedTensor, tile: StaticDistributedTensor) -> None:
    """Let a tile hold the transposed one: element (i, j) becomes (j, i), within its thread.

    Refused: distributions that are not each other's mirror.
    """
    found, given = held(out), held(tile)
    mine, theirs = found.distribution.encoding, given.distribution.encoding
    mirrored = {0: 0, 1: 2, 2: 1}
    ys = [(mirrored[major], minor) for major, minor in theirs.ys_factors]
    ps = tuple(tuple((mirrored[major], minor) for major, minor in factors) for factors in theirs.ps_factors)
    turned = tuple(reversed(theirs.hs_lengthss))
    is_mirror = mine.num_x == theirs.num_x == 2 and (mine.ps_factors, mine.hs_lengthss) == (ps, turned)
    if not is_mirror or sorted(mine.ys_factors) != sorted(ys):
        raise LayoutError("transpose_tile2d: wanted the distribution of the transposed tile")
    _exchange(found, given, [ys.index(factor) for factor in mine.ys_factors])


def _exchange(out: StaticDistributedTensor, tile: StaticDistributedTensor, order: Sequence[int]) -> None:
    """Element Y of the target from the element whose Ys are the same, in another order."""
    lengths = [range(int(length)) for length in out.distribution.y_lengths]
    pairs = []
    for ys in product(*lengths):
        theirs = [0] * len(order)
        for position, y in zip(order, ys, strict=True):
            theirs[position] = y
        pairs.append((out.place(ys), tile.place(theirs)))
    _rearrange(out, tile, tuple(pairs))


def _rearrange(
    target: StaticDistributedTensor, source: StaticDistributedTensor, places: tuple[tuple[int, int], ...]
) -> None:
    """Write it down; a target that keeps some of its elements keeps the parts that it held."""
    kept = [] if len(places) == target.thread_buffer_size else [target.number]
    target.trace.becomes_partial(target.number, [*kept, source.number])
    target.trace.add(Rearrange(target, source, places))


def _box(tile: StaticDistributedTensor, origins: Sequence[int], lengths: Sequence[int]) -> tuple[int, ...]:
    """The places of a box of Ys, row-major."""
    limits = tile.distribution.y_lengths
    if not len(origins) == len(lengths) == len(limits):
        raise LayoutError(f"slice: wanted {len(limits)} origins and lengths of Y")
    if any(o < 0 or n < 1 or o + n > limit for o, n, limit in zip(origins, lengths, limits, strict=True)):
        msg = f"slice: Ys from {tuple(origins)} of lengths {tuple(lengths)} are not within {limits}"
        raise LayoutError(msg)
    inside = product(*(range(int(n)) for n in lengths))
    return tuple(tile.place([int(o) + y for o, y in zip(origins, ys, strict=True)]) for ys in inside)
