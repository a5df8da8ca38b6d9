"""What must hold of a GEMM for every admissible size before its text is handed out.

Loads and stores stay in bounds, move whole vectors and fit 32 bits; every element of a tile is stored to and
read from one place of shared memory; the fragments are what the matrix instruction takes (:mod:`fragments`);
and each element of C is written once. The order of it all is :mod:`schedule`'s.
"""

from __future__ import annotations

from typing import Any

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernels.gemm.fragments import fragment_claims
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, K, M, N, OperandTiles
from layoutalg.domain import Domain
from layoutalg.machine.lds import LdsPhases
from layoutalg.memory import WaveAccess
from layoutalg.properties import (
    conflict_free,
    covers_map,
    fits_integer,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
)

__all__ = ["claims_of"]


def claims_of(tiles: GemmTiles) -> tuple[Claim, ...]:
    """All claims; those of bank conflicts only where the layout is made to be free of them."""
    found: list[Claim] = []
    for operand, rows in ((tiles.a, M), (tiles.b, N)):
        found += _operand(tiles, operand, rows * K)
    found += _result(tiles)
    found += fragment_claims(tiles)
    found += tiles.config.schedule.claims()
    if tiles.config.lds == "xor":
        found += _free(tiles)
    return tuple(found)


def _operand(tiles: GemmTiles, operand: OperandTiles, space: Any) -> list[Claim]:
    name, vector = operand.name.upper(), tiles.config.vector
    load = operand.load.index_map()
    found = [_within(load.outputs[0], space, load.domain, f"{name} loads")]
    found += vector_access_map(load, operand.load.distribution.ys[-1], vector, f"{name} loads")
    found.append(fits_integer((load.outputs[0],), load.domain, "int32", f"{name} loads"))
    found += owned(operand.store.distribution, f"{name} tile, stored")
    found += owned(operand.read.distribution, f"{name} tile, read")
    found += [tile_bounds(window.distribution, f"{name} tile") for window in (operand.store, operand.read)]
    found.append(one_to_one(operand.lds, f"{name} in LDS"))
    found.append(same_map(operand.store.descriptor, operand.read.descriptor, f"{name} in LDS"))
    found += vector_access_map(operand.store.index_map(), *operand.stored_along, f"{name} LDS stores")
    width = int(operand.read.distribution.y_lengths[-1])
    found += vector_access_map(
        operand.read.index_map(), operand.read.distribution.ys[-1], width, f"{name} LDS reads"
    )
    return found


def _within(offset: Any, space: Any, domain: Domain, subject: str) -> Claim:
    then = (Comparison(sympy.Integer(0), "<=", offset), Comparison(offset, "<", space))
    return Claim("in memory bounds", subject, domain, then)


def _result(tiles: GemmTiles) -> list[Claim]:
    """Every element of C belongs to one register of one thread of one workgroup."""
    written = tiles.c.index_map()
    domain = written.domain
    kept = Domain(tuple(v for v in domain.variables if v.name != "tile"), domain.facts)
    written = type(written)(kept, written.outputs, written.when)
    return [
        _within(written.outputs[0], M * N, kept, "C stores"),
        one_to_one_map(written, "C stores"),
        covers_map(written, (M * N,), "C stores"),
        fits_integer(written.outputs, kept, "int32", "C stores"),
    ]


def _free(tiles: GemmTiles) -> list[Claim]:
    """The swizzled layouts are free of bank conflicts, for the reader, and for a writer along K."""
    found: list[Claim] = []
    for operand in (tiles.a, tiles.b):
        width = int(operand.read.distribution.y_lengths[-1])
        accesses = (
            ("stores", WaveAccess.of_window(operand.store, tiles.config.kind, "write")),
            ("reads", WaveAccess.of_window(operand.read, tiles.config.kind, "read", width)),
        )
        for what, access in accesses if operand.is_k_first else accesses[1:]:
            phases = LdsPhases.of(tiles.config.target, access.direction, access.bits)
            found += conflict_free(access, phases, f"{operand.name.upper()} LDS {what}")
    return found
