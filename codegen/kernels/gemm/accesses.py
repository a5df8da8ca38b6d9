"""What a GEMM reads and writes, window by window: what its compiled code is held to.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> [f"{one.way} {one.array}" for one in accesses_of(GemmTiles(GemmConfig()))]
['load a', 'store a_lds', 'load a_lds', 'load b', 'store b_lds', 'load b_lds', 'store c']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy
from sympy import Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, Launch, in_waves
from layoutalg.codegen.kernels.batches import in_batch
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, OperandTiles
from layoutalg.domain import Domain, Variable

__all__ = ["accesses_of"]

BUFFER = Symbol("buffer", integer=True, nonnegative=True)


def accesses_of(tiles: GemmTiles) -> Iterator[ClaimedAccess]:
    """Tiles of A and B to shared memory and from there, and C to where it belongs."""
    order = tiles.problem.order
    launch = in_waves() | {symbol.name: place for symbol, place in order.launch.items()}
    for one in _moves_of(tiles, launch):
        yield replace(one, map=order.made_by_a_workgroup(one.map))


def _moves_of(tiles: GemmTiles, launch: Launch) -> Iterator[ClaimedAccess]:
    for operand in (tiles.a, tiles.b):
        yield from _operand(tiles, operand, launch)
    for scales in tiles.scales:
        yield from scales.accesses(launch)
    yield from _result(tiles, launch)


def _operand(tiles: GemmTiles, operand: OperandTiles, launch: Launch) -> Iterator[ClaimedAccess]:
    kind, name = tiles.config.kind, operand.name
    elsewhere = 0 if tiles.config.has_tails and not operand.buffer_loads else None
    order = tiles.config.schedule
    count = tiles.problem.domain.variable(TILE.name).upper
    assert count is not None
    if operand.whole:
        whole, last = (in_batch(m, operand.begin) for m in (operand.whole.loads, operand.loads_of_last))
        yield ClaimedAccess(name, "load", kind, whole, launch, (TILE,))
        yield ClaimedAccess(name, "load", kind, last, launch)
    else:
        loads = in_batch(operand.loads, operand.begin)
        yield ClaimedAccess(name, "load", kind, loads, launch, (TILE,), elsewhere=elsewhere)
    size, buffers, room = int(operand.lds.element_space_size), order.buffers, _room(tiles, operand)
    turns = (BUFFER,) if buffers > 1 else ()
    shared, reader = f"{name}_lds", "read" if order.reads_ahead else "multiply"
    writer = "copy" if order.copies else "store"
    stored = _in_buffers(operand.store.index_map(), size, buffers)
    yield ClaimedAccess(
        shared, "store", kind, stored, launch, turns, room, times=order.times(writer, count, of=name)
    )
    for part in range(order.parts) if order.parts > 1 else (None,):
        read = _in_buffers(operand.reads(part), size, buffers)
        times = order.times(reader, count, part, name)
        yield ClaimedAccess(shared, "load", kind, read, launch, turns, room, times=times)


def _room(tiles: GemmTiles, operand: OperandTiles) -> int:
    """Bytes of an operand in shared memory, over all buffers."""
    return tiles.config.schedule.buffers * int(operand.lds.element_space_size) * tiles.config.kind.bytes


def _in_buffers(places: IndexMap, size: int, buffers: int) -> IndexMap:
    """Places in one of several buffers of so many elements."""
    if buffers == 1:
        return places
    turns = Domain((Variable(BUFFER, sympy.Integer(0), sympy.Integer(buffers)),))
    return IndexMap(places.domain.joined(turns), (places.outputs[0] + size * BUFFER,), places.when)


def _result(tiles: GemmTiles, launch: Launch) -> Iterator[ClaimedAccess]:
    """C from registers, or through shared memory; what an epilogue reads, as the registers hold C."""
    config, stage = tiles.config, tiles.stage
    kind = config.result
    if stage is not None:
        array, room = ("a_lds", _room(tiles, tiles.a)) if tiles.stages_in_a else ("c_lds", stage.bytes)
        written, stored = stage.write.index_map(), tiles.accessed(stage.store)
        read = IndexMap(stored.domain, stage.read.index_map().outputs, stored.when)  # where it is stored on
        yield ClaimedAccess(array, "store", kind, written, launch, room=room)
        yield ClaimedAccess(array, "load", kind, read, launch, room=room)
    stored, held = (in_batch(tiles.accessed(window), tiles.result_begin) for window in (tiles.c, tiles.held))
    for output in config.becomes.outputs:
        yield ClaimedAccess(output, "store", kind, stored, launch)
    elsewhere = 0 if config.has_tails and not config.has_buffers else None
    for array in config.becomes.arrays:
        read = held if array == "d" else tiles.beside(array)
        yield ClaimedAccess(array, "load", kind, read, launch, elsewhere=elsewhere)
