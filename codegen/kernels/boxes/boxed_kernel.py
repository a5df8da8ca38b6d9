"""The kernel of a box: text, launch shape, claims, and what threads access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from layoutalg.claim import Claim
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.codegen.kernels.boxes.box import BLOCK, THREAD, Box
from layoutalg.codegen.kernels.boxes.claims import claims_of
from layoutalg.codegen.kernels.boxes.text import BoxText
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel

__all__ = ["BoxMeaning", "accesses_of", "box_kernel"]


@dataclass(frozen=True)
class BoxMeaning:
    """What a move is to its caller: its name, what it says in a line, its arrays, and what must come out.

    ``claims``: what else must hold, such as that merged dimensions mean what they meant. ``adds_digest``: of
    the text to the name, where that does not say all.
    """

    name: str
    summary: str
    arrays: tuple[ArrayArgument, ArrayArgument]
    reference: Callable[[Any], Any]
    claims: Sequence[Claim] = ()
    adds_digest: bool = False


def box_kernel(box: Box, meaning: BoxMeaning) -> Kernel:
    """A workgroup moves a box: runs of the source to shared memory, runs of the target out of it."""
    text = BoxText(box)
    return make_kernel(
        meaning.name,
        meaning.summary,
        meaning.arrays,
        LaunchShape((sympy.Integer(box.blocks),), (box.threads,)),
        SourceText(_prose(box, meaning.summary), text.types, text.statements()),
        claims=(*meaning.claims, *claims_of(box)),
        accesses=accesses_of(box),
        reference=meaning.reference,
        adds_digest=meaning.adds_digest,
        lds_alignment=box.kind.bytes,  # elements are read one by one
    )


def accesses_of(box: Box) -> Iterator[ClaimedAccess]:
    """Loads and stores of the tensors, and of the box in shared memory."""
    launch = {BLOCK.name: built_in("blockIdx.x"), THREAD.name: built_in("threadIdx.x", (box.threads,))}
    single = box.single_loads()
    if single is not None:
        yield ClaimedAccess("in", "load", box.kind, single, launch)
    yield ClaimedAccess("in", "load", box.kind, box.accesses("source"), launch)
    yield ClaimedAccess("out", "store", box.kind, box.accesses("target"), launch)
    room = box.shared_bytes
    yield ClaimedAccess("box", "store", box.kind, box.shared_stores(), launch, room=room)
    for first, vectors in box.cleared:
        cleared = box.cleared_stores(first, vectors)
        yield ClaimedAccess("box", "store", box.kind, cleared, launch, room=room)
    yield ClaimedAccess("box", "load", box.kind, box.shared_reads(), launch, room=room)


def _prose(box: Box, summary: str) -> str:
    dimensions = box.move.dimensions
    lengths, source, target = (
        ", ".join(str(getattr(d, name)) for d in dimensions) for name in ("padded", "source", "target")
    )
    loaded, stored = box.loaded, box.stored
    size = box.shared_bytes
    zeros = " Zeros beside the source are written too." if any(d.has_zeros for d in dimensions) else ""
    work = (
        f"Lengths ({lengths}), strides ({source}) in the source and ({target}) in the target. A workgroup of"
        f" {box.threads} threads moves a box of ({', '.join(map(str, box.lengths))}) through {size} bytes of"
        f" shared memory: {loaded.count} runs of {loaded.length} elements are loaded, {loaded.vector} at a"
        f" time, {stored.count} runs of {stored.length} stored, {stored.vector} at a time. The last box along"
        f" a dimension ends with it.{zeros}"
    )
    return "\n".join((f"{summary}.", "", work))
