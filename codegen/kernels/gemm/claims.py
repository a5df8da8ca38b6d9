"""What must hold of a GEMM for every admissible size before its text is handed out.

Loads and stores stay in bounds, move whole vectors and fit 32 bits; the blocks load every element of A and
of B once, over all of K; every element of a tile is stored to and read from one place of shared memory; the
fragments are what the matrix instruction takes; and each element of C is written once. The order
of the steps is proved by :mod:`layoutalg.codegen.schedule`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy
from sympy import Expr

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.batches import BATCH, BATCH_COUNT, in_batch
from layoutalg.codegen.kernels.gemm.block_order import BLOCK_K
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS
from layoutalg.codegen.kernels.gemm.fragment_claims import fragment_claims
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K, M, N
from layoutalg.codegen.kernels.gemm.result_stage import STAGING_ORDER, ResultStage
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, OperandTiles
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import PlacedDistribution, TileWindow
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression
from layoutalg.machine.lds import LdsPhases
from layoutalg.memory import WaveAccess
from layoutalg.properties import (
    bijective,
    conflict_free,
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
)

__all__ = ["claims_of"]


def claims_of(tiles: GemmTiles) -> tuple[Claim, ...]:
    """The claims of a GEMM; those of bank conflicts only where the layout is made to be free of them."""
    found: list[Claim] = tiles.problem.order.claims(tiles.problem.sizes)
    for operand in (tiles.a, tiles.b):
        found += _operand(tiles, operand)
    for scales in tiles.scales:
        found += scales.claims()
    found += _result(tiles)
    if tiles.stage:
        found += _staged(tiles.stage, tiles.config)
    found += fragment_claims(tiles)
    found += tiles.config.schedule.claims()
    if tiles.config.lds == "xor":
        found += _free(tiles)
    return tuple(found)


def _operand(tiles: GemmTiles, operand: OperandTiles) -> list[Claim]:
    name, vector = operand.name.upper(), tiles.config.there_at_once(operand.rows.name)
    load = _alone(operand.loads, *operand.matrix.parameters)
    found = [memory_bounds_map(load, operand.matrix.space, f"{name} loads")]
    every = _in_array(operand.loads, operand.begin, operand.matrix)
    found += operand.matrix.claims_of_batch(every, tiles.config.kind, f"{name} loads")
    if operand.whole:
        subject = f"{name} loads of whole tiles"
        of_k, begin = operand.is_k_first, operand.begin
        found += operand.whole.claims(operand.rows, K, subject, is_k_first=of_k, begin=begin)
    if operand.buffer_loads:
        order = tiles.config.schedule
        is_ended = operand.whole and not order.copies  # else tiles past the last one are begun
        begun = load if is_ended else _with_tiles_past(load, order.farthest)
        found += operand.buffer_loads.claims(begun, operand.across, operand.along, f"{name} loads")
    found += vector_access_map(load, operand.load.distribution.ys[-1], vector, f"{name} loads")
    found.append(fits_integer((load.outputs[0],), load.domain, "int32", f"{name} loads"))
    row, k = operand.load.tensor_map().outputs
    index = (row, k) if operand.is_k_first else (k, row)
    found += operand.matrix.right_places(every, index, f"{name} loads")
    elements, lengths = _alone(_places(operand).tensor_map()), operand.load.descriptor.lengths
    found.append(one_to_one_map(elements, f"{name} elements loaded"))
    found.append(covers_map(elements, tuple(map(as_expression, lengths)), f"{name} elements loaded"))
    found += owned(operand.store.distribution, f"{name} tile, stored")
    found += owned(operand.read.distribution, f"{name} tile, read")
    found += [tile_bounds(window.distribution, f"{name} tile") for window in (operand.store, operand.read)]
    room = as_expression(operand.lds.element_space_size)
    for window, what in ((operand.store, "stores"), (operand.read, "reads")):
        found.append(memory_bounds_map(window.index_map(), room, f"{name} LDS {what}"))
    found.append(one_to_one(operand.lds, f"{name} in LDS"))
    if tiles.config.schedule.copies:
        found += _copied(operand, vector, name)
    else:
        found.append(same_map(operand.store.descriptor, operand.read.descriptor, f"{name} in LDS"))
    found += vector_access_map(operand.store.index_map(), *operand.stored_along, f"{name} LDS stores")
    width = int(operand.read.distribution.y_lengths[-1])
    found += vector_access_map(
        operand.read.index_map(), operand.read.distribution.ys[-1], width, f"{name} LDS reads"
    )
    return found


def _places(operand: OperandTiles) -> TileWindow:
    """The window of what is loaded; where a layout says which element lies at each place, that of places."""
    held = operand.load.distribution
    return (
        replace(operand.load, distribution=held.places)
        if isinstance(held, PlacedDistribution)
        else operand.load
    )


def _copied(operand: OperandTiles, vector: int, name: str) -> Iterator[Claim]:
    """Lanes leave what they load side by side, and each element is read where its lane left it."""
    stored, loads, subject = operand.store.index_map(), operand.load.distribution, f"{name} copies"
    lane, element, place = loads.ps[-1], loads.ys[-1], stored.outputs[0]
    first = place.xreplace({lane: sympy.Integer(0), element: sympy.Integer(0)})
    beside = Comparison(place, "==", first + vector * lane + element)
    yield Claim("lanes side by side", subject, stored.domain, (beside,))
    read = operand.read.descriptor.index_map(loads.index_map()).outputs[0]
    yield Claim("read where it was left", subject, stored.domain, (Comparison(read, "==", place),))
    yield one_to_one(operand.read.descriptor, f"{name} in LDS, read")
    if isinstance(loads, PlacedDistribution):
        yield from bijective(loads.elements, f"{name} elements of places")


def _result(tiles: GemmTiles) -> list[Claim]:
    """Every element of C, and of an E that lies as it does, belongs to one register of one thread."""
    config, written = tiles.config, _without_tile(tiles.c.index_map())
    matrix = tiles.problem.matrix_c
    alone = _alone(written, *matrix.parameters)
    every = _in_array(written, tiles.result_begin, matrix)
    found = [
        memory_bounds_map(alone, matrix.space, "C stores"),
        *_stored_vectors(tiles, alone),
        fits_integer(alone.outputs, alone.domain, "int32", "C stores"),
        *_right_places(tiles, every, tiles.c, "C stores"),
        *matrix.claims_of_batch(every, config.result, "C stores"),
        *_bounded(tiles, tiles.c, config.buffer_stores, "C stores"),
    ]
    found += [claim for name in config.becomes.arrays if name != "d" for claim in _beside(tiles, name)]
    if "d" in config.becomes.arrays:
        held = _alone(tiles.held.index_map(), *matrix.parameters)
        found.append(memory_bounds_map(held, matrix.space, "D loads"))
        every = _in_array(tiles.held.index_map(), tiles.result_begin, matrix)
        found += _right_places(tiles, every, tiles.held, "D loads")
        found += matrix.claims_of_batch(every, config.result, "D loads")
        found += _bounded(tiles, tiles.held, config.buffer_loads_beside("d"), "D loads")
        found += vector_access_map(held, tiles.held.distribution.ys[-1], config.held_at_once, "D loads")
    adds_parts = config.parts_of_c < config.split_k
    if not config.has_tails and matrix.leading is None and matrix.batches is None and not adds_parts:
        return [*found, one_to_one_map(written, "C stores"), covers_map(written, (matrix.space,), "C stores")]
    elements = _without_tile(tiles.c.tensor_map())  # of the padded matrix, each once; then those that exist
    lengths = tuple(map(as_expression, tiles.problem.result.lengths))
    if config.split_k > 1 and (config.has_tails or adds_parts):
        elements = IndexMap(elements.domain, (BLOCK_K, *elements.outputs))
        lengths = (sympy.Integer(config.split_k), *lengths)
    if config.is_batched:
        elements, lengths = IndexMap(elements.domain, (BATCH, *elements.outputs)), (BATCH_COUNT, *lengths)
    found += [one_to_one_map(elements, "C elements"), covers_map(elements, lengths, "C elements")]
    in_memory = make_naive_tensor_descriptor((matrix.rows, matrix.length), (matrix.step, 1))
    if matrix.batches is not None:
        lengths, steps = (matrix.rows, matrix.length), (matrix.batches.stride, matrix.step, 1)
        in_memory = make_naive_tensor_descriptor((BATCH_COUNT, *lengths), steps)
    return [*found, one_to_one(in_memory.assuming(tiles.problem.sizes), "C in memory")]


def _stored_vectors(tiles: GemmTiles, stores: IndexMap) -> Iterable[Claim]:
    """Whole vectors of C, or such as a row may end inside."""
    if tiles.row_ends:
        return tiles.row_ends.claims(stores.outputs[0], stores.domain, "C stores")
    return vector_access_map(stores, tiles.c.distribution.ys[-1], tiles.config.stored_at_once, "C stores")


def _beside(tiles: GemmTiles, array: str) -> Iterator[Claim]:
    """A vector of the epilogue is read inside it, neighbours of a row of C at once."""
    made, subject = tiles.beside(array), f"{array} loads"
    yield memory_bounds_map(made, M if ARRAYS[array] == "m" else N, subject)
    width = tiles.config.beside_at_once(array)
    if width > 1:
        yield from vector_access_map(made, tiles.held.distribution.ys[-1], width, subject)


def _right_places(tiles: GemmTiles, offsets: IndexMap, window: TileWindow, subject: str) -> list[Claim]:
    """Where C's elements are, of a split K in their own part."""
    row, column = window.tensor_map().outputs
    is_of_part = tiles.config.has_tails and tiles.config.parts_of_c > 1
    return tiles.problem.matrix_c.right_places(
        offsets, (row + M * BLOCK_K if is_of_part else row, column), subject
    )


def _bounded(tiles: GemmTiles, window: TileWindow, bounded: BufferAccess | None, subject: str) -> list[Claim]:
    """What the hardware lets through of C is in C, and all of C is."""
    if bounded is None:
        return []
    row, column = window.tensor_map().outputs
    made = _alone(_without_tile(tiles.accessed(window)), M, N)
    return bounded.claims(made, (row, M), (column, N), subject)


def _alone(index_map: IndexMap, *sizes: Expr) -> IndexMap:
    """The map on those axes, sizes and facts that occur in it or are named: enough for each point."""
    outputs, when = index_map.outputs, index_map.when
    return IndexMap(index_map.domain.only(*outputs, *when, *sizes), outputs, when)


def _in_array(made: IndexMap, begin: Expr, matrix: StoredMatrix) -> IndexMap:
    """The same on all of an array, in which the matrix begins there; that alone."""
    return _alone(in_batch(made, begin), matrix.begin, *matrix.parameters, *matrix.parameters_of_batch)


def _with_tiles_past(index_map: IndexMap, count: int) -> IndexMap:
    """The map on so many tiles more along K, which are begun and never multiplied."""
    domain = index_map.domain
    variables = tuple(
        replace(v, upper=v.upper + count) if v.symbol == TILE and v.upper is not None else v
        for v in domain.variables
    )
    return IndexMap(Domain(variables, domain.facts), index_map.outputs, index_map.when)


def _without_tile(index_map: IndexMap) -> IndexMap:
    domain = index_map.domain
    kept = Domain(tuple(v for v in domain.variables if v.symbol != TILE), domain.facts)
    return IndexMap(kept, index_map.outputs, index_map.when)


def _staged(stage: ResultStage, config: GemmConfig) -> list[Claim]:
    """C through shared memory: writer and reader agree, every element has its place, barriers between."""
    lds = stage.write.descriptor
    found: list[Claim] = [*owned(stage.write.distribution, "C tile, written")]
    found += [*owned(stage.store.distribution, "C tile, stored"), one_to_one(lds, "C in LDS")]
    found.append(same_map(lds, stage.read.descriptor, "C in LDS"))
    for window, width, what in (
        (stage.write, config.held_at_once, "C LDS writes"),
        (stage.read, config.stored_at_once, "C LDS reads"),
    ):
        found.append(tile_bounds(window.distribution, what))
        found.append(memory_bounds_map(window.index_map(), as_expression(lds.element_space_size), what))
        found += vector_access_map(window.index_map(), window.distribution.ys[-1], width, what)
    return [*found, *STAGING_ORDER.claims()[:1]]


def _free(tiles: GemmTiles) -> list[Claim]:
    """The swizzled layouts are free of bank conflicts, for the reader, and for a writer along K."""
    found: list[Claim] = []
    for operand in (tiles.a, tiles.b):
        width = int(operand.read.distribution.y_lengths[-1])
        accesses = (
            ("stores", WaveAccess.of_window(operand.store, tiles.config.kind, "write")),
            ("reads", WaveAccess.of_window(operand.read, tiles.config.kind, "read", width)),
        )
        for what, access in accesses[1:] if operand.is_turned else accesses:
            phases = LdsPhases.of(tiles.config.target, access.direction, access.bits)
            found += conflict_free(access, phases, f"{operand.name.upper()} LDS {what}")
    return found
