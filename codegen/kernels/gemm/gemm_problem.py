"""The matrices of a GEMM and how workgroups share them: sizes, blocks, tensors, the launch grid.

Along M, ``group_m`` blocks are neighbours in the order of launch, so that the workgroups that run together
share rows of A and columns of B in the caches; along K, ``split_k`` blocks each sum a part.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> GemmProblem(GemmConfig()).grid
(N // 128, M // 256)
>>> GemmProblem(GemmConfig(group_m=4, has_tails=True)).grid
(4, (N + 127) // 128, (M + 1023) // 1024)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.batches import BATCH_COUNT, Batches
from layoutalg.codegen.kernels.gemm.block_order import BLOCK_K, BLOCK_M, BLOCK_N, GROUP_M, BlockOrder
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain, Variable
from layoutalg.index import FloorDiv
from layoutalg.length import sizes

__all__ = ["GemmProblem"]

M, N, K = sizes("M N K")
LDA, LDB, LDC = sizes("lda ldb ldc")
STRIDE_A, STRIDE_B = sympy.symbols("batch_stride_a batch_stride_b", integer=True, nonnegative=True)
STRIDE_C = sizes("batch_stride_c")
TILE = Symbol("tile", integer=True, nonnegative=True)


@dataclass(frozen=True)
class GemmProblem:
    """Sizes of a GEMM, its matrices A[m, k], B[n, k], C[m, n] as descriptors, and the grid of its blocks."""

    config: GemmConfig

    @cached_property
    def sizes(self) -> Domain:
        """The admissible sizes, and that all offsets of whole tiles stay within 32 bits."""
        parameters = {
            size: (max(part, self.least(size)), None, part)
            for size, part in zip((M, N, K), self.multiples, strict=True)
        }
        tile_m, tile_n, tile_k = self.config.tile
        ahead = self.config.schedule.farthest if self.config.has_buffers else 0
        past = self.config.split_k + ahead  # tiles that are begun
        more = (
            (self.config.whole_group * tile_m, tile_n, past * tile_k) if self.config.has_tails else (0, 0, 0)
        )
        longer = {size: size + extra for size, extra in zip((M, N, K), more, strict=True)}
        facts = [fact for matrix in self.matrices for fact in matrix.facts]
        for matrix in self.matrices:
            parameters |= matrix.parameters
            row = matrix.step + longer[matrix.length] - matrix.length
            facts.append(sympy.Le(matrix.rows.xreplace(longer) * row, self._largest_offset(matrix)))
        for matrix in self.matrices:
            parameters |= matrix.parameters_of_batch
            facts += matrix.facts_of_batch  # after the limits of offsets, which are what searches need
        if self.config.is_batched:
            parameters[BATCH_COUNT] = parameters.pop(BATCH_COUNT)  # the last of all
        return Domain.of({}, parameters, facts)

    def least(self, size: Symbol) -> int:
        """What a size is at least, so that the hardware reads all of a row before the last one.

        A word that begins in a row of whole tiles ends before the last row does, which is not of these.
        """
        if size == K or self.config.is_k_first(size.name) or not self.config.begins_anywhere(size.name):
            return 1
        there = self.config.there_at_once(size.name)
        loads = self.config.buffer_loads_of_whole_tiles(size.name)
        return loads.checked_at_once - there if loads else 1

    def _largest_offset(self, matrix: StoredMatrix) -> int:
        """In elements; through a buffer resource, what that reaches."""
        rows = {"a": "M", "b": "N"}.get(matrix.name)
        made = self.config.buffer_loads(rows) if rows else self.config.buffer_stores
        return min(LARGEST_OFFSET, made.largest_offset) if made else LARGEST_OFFSET

    @property
    def multiples(self) -> tuple[int, int, int]:
        """What M, N and K must be multiples of: whole tiles, or with tails whole vectors."""
        config, (tile_m, tile_n, tile_k) = self.config, self.config.tile
        if not config.has_tails:
            return config.whole_group * tile_m, tile_n, config.split_k * tile_k
        wanted = {
            "M": 1,
            "N": max(config.stored_together, config.held_at_once if config.reads_along_rows else 1),
            "K": 1,
        }
        _, _, whole = config.kind.unpacked  # elements that end with a number
        for rows in ("M", "N"):
            along = "K" if config.is_k_first(rows) else rows
            wanted[along] = max(wanted[along], config.there_at_once(rows))
        block = config.block_elements if config.has_block_scales else 1
        wanted["K"] = math.lcm(wanted["K"], whole, block)
        return wanted["M"], wanted["N"], wanted["K"]

    def blocks(self, size: Symbol, part: int) -> Expr:
        """How many parts a size has, the last of them perhaps not whole."""
        added = part - 1 if self.config.has_tails else 0
        return FloorDiv.unchecked(size + added, sympy.Integer(part))

    @cached_property
    def domain(self) -> Domain:
        """All workgroups and steps along K, for all admissible sizes."""
        tile_m, tile_n, _ = self.config.tile
        group, split = self.config.whole_group, self.config.split_k
        counts = {
            BLOCK_M: self.blocks(M, tile_m) if group == 1 else sympy.Integer(group),
            GROUP_M: self.blocks(M, tile_m * group),
            BLOCK_N: self.blocks(N, tile_n),
            BLOCK_K: sympy.Integer(split),
            TILE: self.tiles_of_k,
        }
        unused = {GROUP_M: group == 1, BLOCK_K: split == 1}
        axes = [Variable(s, sympy.Integer(0), n) for s, n in counts.items() if not unused.get(s)]
        axes += [Batches.axis()] if self.config.is_batched else []
        return Domain((*axes, *self.sizes.variables), self.sizes.facts)

    @property
    def tiles_of_k(self) -> Expr:
        """How many tiles a workgroup goes through along K."""
        return self.blocks(K, self.config.tile[2] * self.config.split_k)

    @property
    def tiles_begun(self) -> Expr:
        """How many tiles begin before K ends, counted from where the part of K of a workgroup does."""
        return self.blocks(K, self.config.tile[2]) - self.tiles_of_k * BLOCK_K

    @cached_property
    def order(self) -> BlockOrder:
        """Which workgroup makes which block."""
        config, (tile_m, tile_n, _) = self.config, self.config.tile
        rows = self.blocks(M, tile_m * config.whole_group)
        columns, count = self.blocks(N, tile_n), BATCH_COUNT if config.is_batched else None
        return BlockOrder(rows, columns, config.group_m, config.split_k, config.xcds, count)

    @property
    def grid(self) -> tuple[Expr, ...]:
        """Workgroups along x, y and z; x comes first in the order of launch."""
        return self.order.grid

    @property
    def first_row(self) -> Expr:
        """Where the rows of a block of C begin."""
        group = self.config.whole_group
        return self.config.tile[0] * (BLOCK_M if group == 1 else group * GROUP_M + BLOCK_M)

    @property
    def first_column(self) -> Expr:
        return self.config.tile[1] * BLOCK_N

    @property
    def first_k(self) -> Expr:
        """Where a tile along K begins."""
        begin = self.config.tile[2] * TILE
        return begin if self.config.split_k == 1 else begin + self.part_of_k * BLOCK_K

    @property
    def part_of_k(self) -> Expr:
        """How long the parts of a split K are: whole tiles, as many in each but the last ones."""
        tile_k = self.config.tile[2]
        return tile_k * self.blocks(K, tile_k * self.config.split_k)

    @property
    def matrices(self) -> tuple[StoredMatrix, StoredMatrix, StoredMatrix]:
        """A, B and C as they lie in memory."""
        return self.matrix(M), self.matrix(N), self.matrix_c

    def matrix(self, rows: Symbol) -> StoredMatrix:
        """A or B as it lies in memory, by its rows."""
        name, leading, stride = {M: ("a", LDA, STRIDE_A), N: ("b", LDB, STRIDE_B)}[rows]
        lengths = (rows, K) if self.config.is_k_first(rows.name) else (K, rows)
        leading = leading if self.config.has_leading_dimensions else None
        batches = Batches(stride) if self.config.is_batched else None
        return StoredMatrix(name, *lengths, leading, self.config.there_at_once(rows.name), batches)

    @property
    def matrix_c(self) -> StoredMatrix:
        """C as it lies in memory, of a split K the parts one below the other; D lies as C does."""
        leading = LDC if self.config.has_leading_dimensions else None
        held = self.config.held_at_once if self.config.reads_along_rows else 1
        at_once = max(self.config.stored_together, held)
        batches = Batches(STRIDE_C, are_apart=True) if self.config.is_batched else None
        return StoredMatrix("c", self.config.parts_of_c * M, N, leading, at_once, batches)

    def operand(self, rows: Symbol) -> TensorDescriptor:
        """A or B as (rows, K)."""
        step = self.matrix(rows).step
        return self._padded((rows, K), (step, 1) if self.config.is_k_first(rows.name) else (1, step))

    @property
    def blocks_of_k(self) -> Expr:
        """How many elements along K have a scale of their own each, where blocks of them share one."""
        return FloorDiv.unchecked(K, sympy.Integer(self.config.block_elements))

    def scales(self, rows: Symbol) -> TensorDescriptor:
        """The block scales of A or B as (rows, blocks along K)."""
        blocks = self.blocks_of_k
        found = make_naive_tensor_descriptor((rows, blocks), (blocks, 1)).assuming(self.sizes)
        if not self.config.has_tails:
            return found
        (tile_m, tile_n, tile_k), size = self.config.tile, self.config.block_elements
        part = tile_m * self.config.whole_group if rows == M else tile_n
        found = found.pad(0, 0, part * self.blocks(rows, part) - rows)
        return found.pad(1, 0, tile_k // size * self.tiles_of_k - blocks)

    @cached_property
    def result(self) -> TensorDescriptor:
        """C; of a split K the parts one below the other; where rows of a part may be left over, one part."""
        parts, step = self.config.parts_of_c, self.matrix_c.step
        if parts == 1 or not self.config.has_tails:
            return self._padded((parts * M, N), (step, 1))
        part = Domain((Variable(BLOCK_K, sympy.Integer(0), sympy.Integer(parts)),))
        every = make_naive_tensor_descriptor((parts, M, N), (M * step, step, 1))
        every = every.assuming(self.sizes.joined(part))
        return self._with_whole_tiles(every.freeze(0, BLOCK_K), (M, N))

    @property
    def part_begin(self) -> Expr:
        """Where the part of a split K begins in C that a workgroup stores to, in elements."""
        return M * self.matrix_c.step * BLOCK_K if self.config.parts_of_c > 1 else sympy.Integer(0)

    @property
    def part_space(self) -> Expr:
        """The elements of that part, from the first to the last."""
        return replace(self.matrix_c, rows=M).space

    @property
    def result_origin(self) -> tuple[Expr, Expr]:
        is_below = self.config.parts_of_c > 1 and not self.config.has_tails
        return (M * BLOCK_K if is_below else sympy.Integer(0)) + self.first_row, self.first_column

    def _padded(self, lengths: tuple[Expr, Expr], strides: tuple[Expr, Expr]) -> TensorDescriptor:
        """With tails, the tensor padded to whole tiles."""
        found = make_naive_tensor_descriptor(lengths, strides).assuming(self.sizes)
        return self._with_whole_tiles(found, lengths) if self.config.has_tails else found

    def _with_whole_tiles(self, found: TensorDescriptor, lengths: tuple[Expr, Expr]) -> TensorDescriptor:
        """The tensor padded to tiles for all workgroups."""
        tile_m, tile_n, tile_k = self.config.tile
        parts = {M: tile_m * self.config.whole_group, N: tile_n, K: tile_k * self.config.split_k}
        for dimension, size in enumerate(lengths):
            part = parts[size]
            found = found.pad(dimension, 0, part * self.blocks(size, part) - size)
        return found
