"""The tiles of a GEMM: who loads, stores, reads and writes what, as windows on tensors.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> GemmTiles(GemmConfig()).a.load.index_map().outputs[0]
K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 32*tile + y1 + 8*(lane % 4)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.gemm.block_scales import OperandScales
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.copy_distributions import along_columns, along_rows
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, GemmProblem, K, M, N
from layoutalg.codegen.kernels.gemm.result_stage import ResultStage, staging
from layoutalg.codegen.kernels.gemm.row_ends import RowEnds
from layoutalg.codegen.kernels.gemm.whole_tiles import WholeTiles
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.descriptor import TensorAdaptor, TensorDescriptor
from layoutalg.distribution import (
    PlacedDistribution,
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.memory import RowSwizzle, k_first, least_conflicts, row_major, row_swizzles, swizzles
from layoutalg.memory.lds_search import examined
from layoutalg.mma import in_pieces, transposed
from layoutalg.mma.transposing_read import addressed

__all__ = ["GemmTiles", "OperandTiles"]

ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class OperandTiles:
    """One operand on its way: loaded from its tensor, stored to shared memory, read as fragments.

    ``is_turned``: neighbours along K come together on the way to shared memory; ``held``: what lanes hold of
    what they ``read``, if that is transposed for them.
    ``whole``: how all tiles but the last along K are loaded, if that comes first. ``begin``: where the matrix
    begins in its array, of a batch another one for each product; the windows are on that matrix.
    """

    name: str
    rows: Symbol
    matrix: StoredMatrix
    load: TileWindow
    store: TileWindow
    read: TileWindow
    is_k_first: bool = True
    is_turned: bool = False
    held: TileDistribution | None = None
    buffer_loads: BufferAccess | None = None
    whole: WholeTiles | None = None
    begin: Expr = ZERO

    @property
    def tile_k(self) -> int:
        return int(self.lds.lengths[1])

    @property
    def across(self) -> tuple[Expr, Symbol]:
        """Which row of memory a load is of, and how many there are."""
        return self._indices[0 if self.is_k_first else 1]

    @property
    def along(self) -> tuple[Expr, Symbol]:
        """Which element of that row, and how many it has."""
        return self._indices[1 if self.is_k_first else 0]

    @property
    def _indices(self) -> tuple[tuple[Expr, Symbol], tuple[Expr, Symbol]]:
        row, k = self.load.tensor_map().outputs
        return (row, self.rows), (k, K)

    @cached_property
    def loads(self) -> IndexMap:
        """Where elements are loaded, and when: inside the matrix, as the hardware sees to it if it does."""
        made = self.load.index_map()
        if self.buffer_loads is None:
            return made
        return self.buffer_loads.places(made, self.matrix.space, self.along)

    @cached_property
    def loads_of_last(self) -> IndexMap:
        """Where elements of the last tile along K are loaded."""
        assert self.whole is not None
        return self.whole.last_of(self.loads)

    def reads(self, part: int | None = None) -> IndexMap:
        """Where fragments are read in shared memory: those of all steps along K, or of one."""
        made = self.read.index_map()
        return made if part is None else made.bind({str(self.read.distribution.ys[1]): part})

    @property
    def step(self) -> Expr:
        """What the next tile along K adds to an offset in memory."""
        return sympy.Integer(self.tile_k) if self.is_k_first else self.tile_k * self.matrix.step

    @property
    def stored_along(self) -> tuple[Symbol, int]:
        """The register index that counts neighbours in shared memory, and how many a store moves at once."""
        held, axis = self.store.distribution, -2 if self.is_turned else -1
        return held.ys[axis], int(held.y_lengths[axis])

    @property
    def lds(self) -> TensorDescriptor:
        return self.store.descriptor

    @property
    def fragments(self) -> TileDistribution:
        """Which elements lanes hold as fragments."""
        return self.held or self.read.distribution


@dataclass(frozen=True)
class GemmTiles:
    """The windows of a workgroup on A[m, k], B[n, k], C[m, n] (row-major) and on tiles in shared memory."""

    config: GemmConfig

    @cached_property
    def problem(self) -> GemmProblem:
        return GemmProblem(self.config)

    @cached_property
    def result_begin(self) -> Expr:
        """Where C begins in its array, of a batch another one for each product; D and E begin there, too."""
        return self.problem.matrix_c.begin

    @cached_property
    def a(self) -> OperandTiles:
        return self._operand("a", M, self.problem.first_row, self.config.tile[0], self.config.block.a)

    @cached_property
    def b(self) -> OperandTiles:
        return self._operand("b", N, self.problem.first_column, self.config.tile[1], self.config.block.b)

    @cached_property
    def scales(self) -> tuple[OperandScales, ...]:
        """The block scales of A and of B, if they have some."""
        if not self.config.has_block_scales:
            return ()
        return OperandScales.of(self.problem, M), OperandScales.of(self.problem, N)

    @cached_property
    def c(self) -> TileWindow:
        """The window through which C is stored."""
        return self.stage.store if self.stage else self.held

    @cached_property
    def stage(self) -> ResultStage | None:
        """C in shared memory, if it goes there."""
        if not self.config.stages_result:
            return None
        made = staging(self.problem, self.a_bytes)
        need = self.lds_bytes if made.bytes <= self.a_bytes else self.lds_bytes + made.bytes
        have = Target.named(self.config.target).lds_bytes_per_workgroup
        if need > have:
            msg = f"gemm: with {made.bytes} bytes of C the tiles need {need} bytes of shared memory,"
            hint = "take a smaller tile or instruction, or store C from registers"
            raise LayoutError(f"{msg} a workgroup on {self.config.target} has {have}", hint=hint)
        return made

    @property
    def stages_in_a(self) -> bool:
        """Whether C takes the place of A in shared memory, or one of its own."""
        return self.stage is not None and self.stage.bytes <= self.a_bytes

    @cached_property
    def held(self) -> TileWindow:
        """The workgroup's tile of C, as the matrix instructions leave it in registers."""
        problem, made = self.problem, make_static_tile_distribution(self.config.held_c)
        return make_tile_window(
            problem.result, self.config.tile[:2], problem.result_origin, made, problem.domain
        )

    @cached_property
    def row_ends(self) -> RowEnds | None:
        """How rows of C end, where they may end inside what is stored at once."""
        bounded = self.config.buffer_stores
        if bounded is None or not self.config.rows_end_inside_vectors:
            return None
        return RowEnds(bounded, self.c.tensor_map().outputs[1], N, self.c.distribution.ys[-1])

    def beside(self, array: str) -> IndexMap:
        """Where a vector that the epilogue reads is read for the registers of C, and when."""
        row, column = self.held.tensor_map().outputs
        index, size = (row, M) if ARRAYS[array] == "m" else (column, N)
        when = (sympy.Lt(index, size),) if self.config.has_tails else ()
        domain = self.held.index_map().domain
        kept = Domain(tuple(v for v in domain.variables if v.symbol != TILE), domain.facts)
        return IndexMap(kept.only(index, *when, size), (index,), when)

    def accessed(self, window: TileWindow) -> IndexMap:
        """Where elements of C or D are accessed, and when: as the hardware sees to it if it does."""
        made, bounded = window.index_map(), self.config.buffer_stores
        if bounded is None:
            return made
        along = (window.tensor_map().outputs[1], N)
        return bounded.places(made, self.problem.part_space, along, self.problem.part_begin)

    def _operand(
        self, name: str, rows: Symbol, first: Expr, tile_rows: int, registers: TileDistributionEncoding
    ) -> OperandTiles:
        tile_k, vector = self.config.tile[2], self.config.carried_at_once(rows.name)
        problem, is_k_first = self.problem, self.config.is_k_first(rows.name)
        loaders, lengths = self._loaders(rows.name, tile_rows, vector), (tile_rows, tile_k)
        fragments = in_pieces(registers, self.config.read_at_once(rows.name))
        is_transposed = self.config.is_transposed_in_reads(rows.name)
        readers = make_static_tile_distribution(addressed(fragments) if is_transposed else fragments)
        of_whole = self.config.buffer_loads_of_whole_tiles(rows.name)
        swizzle = self._swizzle_of_rows(loaders, readers)
        layout = self._lds_of_rows_of_k if is_transposed else self._lds
        lds = swizzle.layout if swizzle else layout(loaders, readers)
        places = row_major(tile_rows, tile_k, vector) if swizzle else lds
        elements = swizzle.elements if swizzle else None
        loads, wholes = (
            _held(in_pieces(loaders.encoding, at_once), elements)
            for at_once in (self.config.there_at_once(rows.name), vector)
        )

        def window(loads: TileDistribution) -> TileWindow:
            origin = (first, problem.first_k)
            return make_tile_window(problem.operand(rows), lengths, origin, loads, problem.domain)

        whole = None
        if of_whole:
            counts = problem.tiles_of_k, problem.tiles_begun if self.config.split_k > 1 else None
            whole = WholeTiles(window(wholes), of_whole, problem.matrix(rows), *counts)
        return OperandTiles(
            name,
            rows,
            problem.matrix(rows),
            window(loads),
            make_tile_window(places, lengths, (0, 0), loaders),
            make_tile_window(lds, lengths, (0, 0), readers),
            is_k_first,
            self.config.is_turned(rows.name),
            make_static_tile_distribution(fragments) if is_transposed else None,
            self.config.buffer_loads(rows.name),
            whole,
            problem.matrix(rows).begin,
        )

    def _swizzle_of_rows(self, writers: TileDistribution, readers: TileDistribution) -> RowSwizzle | None:
        """How rows are swizzled that are copied to shared memory: each lane loads of the row of its place."""
        config = self.config
        if config.lds != "xor" or not config.schedule.copies:
            return None
        rows, columns = map(int, writers.lengths)
        for swizzle in row_swizzles(rows, columns, config.vector):
            found = examined("", swizzle.layout, (writers, readers), config.kind, config.target)
            if found.reader.is_free:
                return swizzle
        msg = f"gemm: no swizzle within rows of {columns} {config.kind.word} is free of bank conflicts here"
        hint = "another tile or instruction, or --order"
        raise LayoutError(f"{msg}: tiles cannot be copied so", hint=hint)

    def _loaders(self, rows: str, tile_rows: int, vector: int) -> TileDistribution:
        """Who loads what, and stores it to shared memory."""
        tile_k, threads, lanes = self.config.tile[2], self.config.threads, self.config.lanes
        if self.config.is_turned(rows):
            return along_rows(tile_rows, tile_k, vector, threads, lanes, pack=self.config.pack)
        if self.config.is_k_first(rows):
            return along_columns(tile_rows, tile_k, vector, threads, lanes)
        return _other_way(along_columns(tile_k, tile_rows, vector, threads, lanes))

    def _lds(self, writers: TileDistribution, readers: TileDistribution) -> TensorDescriptor:
        """How a tile lies in shared memory: its rows as given, each along K."""
        rows, columns = map(int, writers.lengths)
        vector = self.config.vector
        if self.config.lds in {"padded", "k0mk1"}:
            return k_first(rows, columns, self.config.pack, padding=int(self.config.lds == "padded"))
        if self.config.lds == "xor":
            layouts = swizzles(rows, columns, vector, self.config.kind)
            return self._least_conflicts(layouts, writers, readers)
        return row_major(rows, columns, vector)

    def _lds_of_rows_of_k(self, writers: TileDistribution, readers: TileDistribution) -> TensorDescriptor:
        """How one lies whose rows are of one k each; reads of several of them want wider swizzles."""
        writers, readers = _other_way(writers), _other_way(readers)
        rows, columns = map(int, writers.lengths)
        vector = self.config.vector
        of_rows = (swizzle.layout for swizzle in row_swizzles(rows, columns, vector))
        layouts = (*swizzles(rows, columns, vector, self.config.kind), *of_rows)
        return self._least_conflicts(layouts, writers, readers).permute(1, 0)

    def _least_conflicts(
        self, layouts: Iterable[TensorDescriptor], writers: TileDistribution, readers: TileDistribution
    ) -> TensorDescriptor:
        return least_conflicts(layouts, (writers, readers), self.config.kind, self.config.target)

    @property
    def lds_elements(self) -> tuple[int, int]:
        """Elements of A and of B in shared memory."""
        return int(self.a.lds.element_space_size), int(self.b.lds.element_space_size)

    @property
    def a_bytes(self) -> int:
        """Bytes of A in one array of shared memory: over all buffers, or of each where copies go to it."""
        buffers = 1 if self.config.schedule.copies else self.config.schedule.buffers
        return buffers * self.lds_elements[0] * self.config.kind.bytes

    @property
    def lds_bytes(self) -> int:
        """Bytes of shared memory, over all buffers."""
        return self.config.schedule.buffers * sum(self.lds_elements) * self.config.kind.bytes


def _other_way(tile: TileDistribution) -> TileDistribution:
    """The tile with columns as rows."""
    return make_static_tile_distribution(transposed(tile.encoding))


def _held(encoding: TileDistributionEncoding, elements: TensorAdaptor | None) -> TileDistribution:
    """Who holds what; with ``elements`` the encoding is of places, and they say what lies there."""
    if elements is None:
        return make_static_tile_distribution(encoding)
    return PlacedDistribution(encoding, elements=elements)
