"""What a program claims of the banks of the LDS: in no phase of a load or store do lanes meet in one bank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim
from layoutalg.machine.lds import Direction, LdsPhases
from layoutalg.memory import WaveAccess
from layoutalg.properties.conflict_free import conflict_free
from layoutalg.tile.access_maps import accesses_of

if TYPE_CHECKING:
    from layoutalg.tile.tile_program import TileProgram

__all__ = ["conflict_free_claims"]


def conflict_free_claims(program: TileProgram, target: str) -> tuple[Claim, ...]:
    """One claim for each load and store of the LDS: aligned, and free of bank conflicts on a target.

    No part of :func:`program_claims`: a program with conflicts is slower, and right. Vectors are those of the
    windows, 16 bytes at most; a compiler may join smaller ones.

    >>> from layoutalg.distribution import TileDistributionEncoding
    >>> from layoutalg.proofs import prove
    >>> from layoutalg.tile import *
    >>> rows = TileDistributionEncoding((), ((64,), (8,)), ((1,),), ((0,),), (2,), (0,))  # a row each lane
    >>> @tile_program(block_size=64)
    ... def through(x: pointer("f16"), y: pointer("f16", is_output=True)):
    ...     views = [make_naive_tensor_view_packed(one, (64, 8), 8) for one in (x, allocate_lds(512, "f16"))]
    ...     store_tile(
    ...         make_tile_window(views[1], (64, 8), (0, 0)),
    ...         load_tile(make_tile_window(views[0], (64, 8), (0, 0), rows)),
    ...     )
    >>> [str(prove(claim)) for claim in conflict_free_claims(through, "gfx942")]
    ['proved by normal form, exhaustion']
    """
    found = []
    for number, made in enumerate(accesses_of(program), start=1):
        buffer = made.access.view.buffer
        if buffer.space == "lds":
            way: Direction = "read" if made.way == "load" else "write"
            access = WaveAccess.of_window(made.window, buffer.kind, way)
            phases = LdsPhases.of(target, way, access.bits)
            found.append(conflict_free(access, phases, f"{made.way} {number}, {buffer.name}"))
    return tuple(found)
