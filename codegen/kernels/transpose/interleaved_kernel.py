"""The kernel that interleaves a short dimension with a long one: what must hold of it, and the whole of it.

>>> from layoutalg.codegen.kernels.transpose.permutation import Permutation
>>> from layoutalg.data_type import DataType
>>> found = Interleaving.of(Permutation.of((64, 3, 50, 60), (0, 2, 3, 1)), DataType.named("f16"))
>>> interleaved_kernel(found).name
'permute_f16_64x3x50x60_to_0231_interleaved_3_by_8_256'
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.exact_move import vector_together, writes_what_was_read
from layoutalg.codegen.kernels.transpose.claims import claims_of_permutation
from layoutalg.codegen.kernels.transpose.interleaved_text import InterleavedText
from layoutalg.codegen.kernels.transpose.interleaving import (
    BLOCK,
    PIECE,
    PLANE,
    THREAD,
    Interleaving,
    Y,
)
from layoutalg.codegen.kernels.transpose.moved_tensors import (
    listed,
    meaning,
    order_words,
    reference_of,
    tensor_arguments,
)
from layoutalg.codegen.schedule import THROUGH_LDS
from layoutalg.codegen.text.kernel_name import kernel_name
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.domain import Domain
from layoutalg.machine import Target
from layoutalg.machine.lds import Direction, LdsPhases
from layoutalg.memory import WaveAccess, bank_conflicts
from layoutalg.properties import (
    conflict_free,
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    vector_access_map,
    within,
)
from layoutalg.rules import simplify

__all__ = ["interleaved_kernel"]

ZERO = sympy.Integer(0)
LANE, WARP = (Symbol(name, integer=True, nonnegative=True) for name in ("lane", "warp"))
SIDES = (("source", "loads"), ("target", "stores"))


def interleaved_kernel(plan: Interleaving) -> Kernel:
    """Whole vectors of all planes a thread, turned in registers and exchanged; every element moves once."""
    kind, permutation = plan.kind, plan.permutation
    name = kernel_name(
        "permute",
        kind.name,
        permutation.lengths,
        *order_words(permutation),
        "interleaved",
        plan.short,
        "by",
        plan.vector,
        plan.threads,
        "anywhere" if plan.begins_anywhere else "",
    )
    text = InterleavedText(plan)
    return make_kernel(
        name,
        f"{meaning(permutation)}, {kind.word}, {plan.short} x {plan.vector} a thread",
        tensor_arguments(permutation, kind, (plan.begins_anywhere, plan.begins_anywhere)),
        LaunchShape((sympy.Integer(plan.blocks),), (plan.threads,)),
        SourceText(_prose(plan), text.types(), list(text.statements())),
        claims=_claims(plan),
        accesses=_accesses(plan),
        reference=reference_of(permutation, kind),
        lds_alignment=kind.bytes if plan.part else Kernel.lds_alignment,  # of a part elements are read
    )


def _accesses(plan: Interleaving) -> Iterator[ClaimedAccess]:
    """Loads and stores of the tensors, and of the pieces in shared memory."""
    launch = {BLOCK.name: built_in("blockIdx.x"), THREAD.name: built_in("threadIdx.x", (plan.threads,))}
    yield ClaimedAccess("in", "load", plan.kind, plan.launched("source"), launch)
    yield ClaimedAccess("out", "store", plan.kind, plan.launched("target"), launch)
    room = plan.threads * plan.short * plan.vector * plan.kind.bytes
    yield ClaimedAccess("pieces", "store", plan.kind, plan.exchanged("source"), launch, room=room)
    yield ClaimedAccess("pieces", "load", plan.kind, plan.read(), launch, room=room)


def _claims(plan: Interleaving) -> Iterator[Claim]:
    """Accesses are in bounds, in whole vectors; each element is stored once, where it belongs."""
    yield from claims_of_permutation(plan.permutation, Domain())
    whole = {side: plan.through(side) for side, _ in SIDES}
    order = (*plan.batch, plan.long_axis, plan.short_axis)
    lengths = [plan.permutation.merged.lengths[i] for i in order]
    for side, word in SIDES:
        found = whole[side]
        own, offsets = (
            found.outputs[1 : 1 + len(order)],
            IndexMap(found.domain, found.outputs[:1], found.when),
        )
        space = plan.permutation.space(side)
        yield memory_bounds_map(offsets, space, word)
        yield Claim("in logical bounds", word, found.domain, within(own, lengths), found.when)
        yield from _vectors(plan, side, offsets, word)
        yield fits_integer(found.outputs, found.domain, "int32", word)
        if side == "target":
            yield one_to_one_map(offsets, word)
            yield covers_map(offsets, (sympy.Integer(int(space)),), word)
    yield _right_registers(plan, whole)
    yield from _exchange(plan)
    launch = Domain.of({BLOCK.name: plan.blocks, THREAD.name: plan.threads})
    yield one_to_one_map(IndexMap(launch, (plan.threads * BLOCK + THREAD,)), "places")
    last = Comparison(sympy.Integer(plan.count), "<=", sympy.Integer(plan.threads * plan.blocks))
    yield Claim("covers", "places", Domain(), (last,))


def _vectors(plan: Interleaving, side: str, offsets: IndexMap, word: str) -> Iterator[Claim]:
    """Elements of a vector lie together; where planes end inside one, the first few are there."""
    if not plan.begins_anywhere:
        yield from vector_access_map(offsets, Y, plan.vector, word)
        return
    yield vector_together(offsets, Y, word)
    if plan.part:
        element = Y if side == plan.apart else plan.vector * PIECE + Y
        there = plan.part if side == plan.apart else plan.part * plan.short
        is_last = sympy.Eq(plan.number, plan.vectors - 1)
        rest = Comparison(element, "<", sympy.Integer(there))
        yield Claim("part of a vector", word, offsets.domain, (rest,), (is_last, *offsets.when))


def _right_registers(plan: Interleaving, whole: dict[str, IndexMap]) -> Claim:
    """An element of a piece is that of the plane from which, or to which, registers take it."""
    plane, number = plan.held(plan.vector * PIECE + Y)
    count, together = len(plan.batch) + 2, whole[plan.together]
    held = [part.xreplace({PLANE: plane, Y: number}) for part in whole[plan.apart].outputs[1 : 1 + count]]
    return writes_what_was_read(held, together.outputs[1 : 1 + count], together.domain)


def _exchange(plan: Interleaving) -> Iterator[Claim]:
    """Threads hand over each piece once, behind a barrier, and take it for what it is."""
    domain = Domain.of({THREAD.name: plan.threads, PIECE.name: plan.short})
    slots = plan.threads * plan.short
    for side, word in SIDES:
        order = IndexMap(domain, (plan.slot(side),))
        yield one_to_one_map(order, f"pieces, {word}")
        yield covers_map(order, (sympy.Integer(slots),), f"pieces, {word}")
    taken = plan.of_slot(plan.slot(plan.apart))
    yield writes_what_was_read((THREAD, PIECE), taken, domain)
    yield one_to_one(plan.shared, "pieces in LDS")
    yield THROUGH_LDS.barrier_between("pieces in LDS")
    directions: tuple[tuple[str, Direction], ...] = (("source", "write"), ("target", "read"))
    for side, direction in directions:
        places = plan.exchanged(side)
        yield from vector_access_map(places, Y, plan.vector, f"pieces, {direction}")
        access = _of_a_wave(plan, places, direction)
        if bank_conflicts(access, plan.target).is_free:
            phases = LdsPhases.of(plan.target, direction, access.bits)
            yield from conflict_free(access, phases, f"pieces, {direction}")


def _of_a_wave(plan: Interleaving, places: IndexMap, direction: Direction) -> WaveAccess:
    """What the lanes of a wave do at once."""
    lanes = Target.named(plan.target).wave_size
    counts = {WARP: plan.threads // lanes, LANE: lanes, PIECE: plan.short}
    domain = Domain.of({symbol.name: n for symbol, n in counts.items()})
    first = places.outputs[0].xreplace({THREAD: lanes * WARP + LANE, Y: ZERO})
    return WaveAccess(IndexMap(domain, (first,)), LANE, plan.kind, plan.vector, direction)


def _prose(plan: Interleaving) -> str:
    permutation, merged = plan.permutation, plan.permutation.merged
    size = plan.threads * plan.short * plan.vector * plan.kind.bytes
    work = (
        f"Merged to lengths {listed(merged.lengths)}, strides {listed(merged.source)} in the source and"
        f" {listed(merged.target)} in the target. A thread has {plan.vector} neighbours of each of"
        f" {plan.short} planes, which lie together in the {plan.together}; elements change places in"
        f" registers, and vectors go to other threads through shared memory, {size} bytes."
    )
    places = [plan.launched(side) for side, _ in SIDES]
    loaded, stored = (simplify(found.outputs[0], found.domain).expr for found in places)
    lines = [
        f"{meaning(permutation)} ({plan.kind.word}); lengths {listed(permutation.lengths)}.",
        "",
        work,
        "",
        f"  loaded from  {loaded}",
        f"  stored to    {stored}",
    ]
    return "\n".join(lines)
