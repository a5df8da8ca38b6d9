"""What follows of the options of a GEMM: who moves how much at once, where C is held, what is needed.

>>> DerivedOptions().instruction_row.name, DerivedOptions().block.c.y_lengths
('v_mfma_f32_32x32x8_f16', (2, 4, 4, 4))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.builtins import accumulator, deepest
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, SCALED, Epilogue
from layoutalg.codegen.kernels.gemm.options import GemmOptions
from layoutalg.codegen.kernels.gemm.transposed_reads import TRANSPOSED_BYTES, has_transposing_reads
from layoutalg.codegen.schedule import Schedule, schedule
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistributionEncoding
from layoutalg.machine import Target
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.mma import BlockGemm, MatrixInstruction, in_pieces
from layoutalg.mma.cdna4 import SCALE_BLOCK

__all__ = ["DerivedOptions"]

STORED_BYTES = 4  # the least that a lane stores to shared memory at once, where it can be helped


@dataclass(frozen=True)
class DerivedOptions(GemmOptions):
    """Options, and what follows of them; whether they can be is asked by ``GemmConfig``."""

    def loaded_at_once(self, rows: str) -> int:
        """Neighbours in memory that one lane loads at once, of the operand with these rows: M or N."""
        whole = self.carried_at_once(rows)
        return whole if self.takes_last_tile_first else self.there_at_once(rows)

    def there_at_once(self, rows: str) -> int:
        """Elements of what a lane carries of which all are there or none is, at every end of the matrix."""
        return math.gcd(self.carried_at_once(rows), self._multiple_of("K" if self.is_k_first(rows) else rows))

    def begins_anywhere(self, rows: str) -> bool:
        """Whether what is loaded at once of whole tiles begins at any element."""
        return self.there_at_once(rows) < self.loaded_at_once(rows)

    @property
    def takes_last_tile_first(self) -> bool:
        """Whether the last tile along K comes first, since it alone may end before a tile does.

        It is loaded before the loop, each element where it is there; those in the loop are whole, and whole
        vectors are loaded of them, at any element. Of an operand whose rows are neighbours in memory, what
        these hold past the end of a row is of rows or columns of C that are not stored.
        """
        return self.has_buffers and self.schedule.reads_ahead and not self.masks_every_tile

    @property
    def counts_whole_tiles(self) -> bool:
        """Whether it is counted how many whole tiles are left, and nothing is loaded past them.

        Past the last one a copy would overwrite what is read; of a split K that is a tile of the next part,
        and workgroups whose part ends earlier go through as many turns as the others. Elsewhere it saves a
        branch before the loop: compilers leave a scalar load behind that, and the loop waits for it. Only
        beside block scales no registers are left for it; there the last whole tile is loaded again.
        """
        must = self.schedule.copies or self.split_k > 1
        return self.takes_last_tile_first and (must or not self.has_block_scales)

    def _multiple_of(self, size: str) -> int:
        """What one of M, N, K is known to be a multiple of, where it is no whole number of tiles; else 0."""
        return 0 if self.size_multiples is None else self.size_multiples["MNK".index(size)]

    def carried_at_once(self, rows: str) -> int:
        """Neighbours in memory that a lane has together on the way to shared memory, of one operand.

        Of rows that are neighbours in memory so few that a thread has 4 bytes along K to store together.
        """
        if self.schedule.copies:
            return max(1, GlobalMemory.of(self.target).to_lds_bytes // self.kind.bytes)
        if not self.is_turned(rows):
            return self.vector
        elements = self.tile[0 if rows == "M" else 1] * self.tile[2] // self.threads
        most = max(1, min(self.vector, elements * self.kind.bytes // STORED_BYTES))
        return 1 << most.bit_length() - 1

    @property
    def has_buffers(self) -> bool:
        """Whether matrices are accessed through buffer resources: the hardware looks after their ends."""
        return self.has_tails and Target.named(self.target).is_cdna  # RDNA's resources have other flags

    def buffer_loads(self, rows: str) -> BufferAccess | None:
        """How the operand with these rows is loaded through a buffer resource, if it is."""
        return BufferAccess(self.kind, self.there_at_once(rows)) if self.has_buffers else None

    def buffer_loads_of_whole_tiles(self, rows: str) -> BufferAccess | None:
        """How it is loaded in the loop, if the last tile came before it."""
        return BufferAccess(self.kind, self.loaded_at_once(rows)) if self.takes_last_tile_first else None

    @cached_property
    def buffer_stores(self) -> BufferAccess | None:
        """How C is stored through a buffer resource, if it is."""
        return BufferAccess(self.result, self.stored_at_once) if self.has_buffers else None

    def buffer_loads_beside(self, array: str) -> BufferAccess | None:
        """How an array that the epilogue reads is loaded through a buffer resource, if it is."""
        if not self.has_buffers or array not in self.becomes.arrays:
            return None
        return BufferAccess(self.result, self.beside_at_once(array))

    def beside_at_once(self, array: str) -> int:
        """Neighbours of an array that the epilogue reads, of those of a row of C that a lane has."""
        return self.held_at_once if "n" in ARRAYS[array] else 1

    @cached_property
    def becomes(self) -> Epilogue:
        """What becomes of an element of the product."""
        return Epilogue(self.epilogue or (SCALED if self.has_scale else "c"))

    @property
    def reads_along_rows(self) -> bool:
        """Whether what the epilogue reads has neighbours where a row of C has them."""
        return any("n" in ARRAYS[name] for name in self.becomes.arrays)

    @property
    def stays_at_last_tile(self) -> bool:
        """Whether tiles past the last one are the last one again; else they are read as 0."""
        is_alone = self.takes_last_tile_first or not self.has_buffers
        is_counted = self.schedule.copies or self.counts_whole_tiles
        return self.schedule.farthest > 0 and is_alone and not is_counted

    def is_k_first(self, rows: str) -> bool:
        """Whether neighbours along K are neighbours in memory, of the operand with these rows: M or N."""
        return self.layouts[0] == "r" if rows == "M" else self.layouts[1] == "c"

    def is_transposed_in_reads(self, rows: str) -> bool:
        """Whether lanes read what lies across K in shared memory, and get what is along it."""
        is_pipelined = self.lds == "xor" and self.reads_whole_vectors and self.schedule.reads_ahead
        has_reads = has_transposing_reads(self.target, self.kind, self.instruction)
        return is_pipelined and has_reads and not self.is_k_first(rows)

    def is_turned(self, rows: str) -> bool:
        """Whether registers bring neighbours along K together, on the way to shared memory."""
        return not self.is_k_first(rows) and not self.is_transposed_in_reads(rows)

    @property
    def vector_bytes(self) -> int:
        """The most that one lane moves in one access."""
        return GlobalMemory.of(self.target).widest_bytes

    @property
    def accumulator_bytes(self) -> int:
        """Of one sum."""
        return DataType.named(accumulator(self.kind.name)).bytes

    @property
    def whole_group(self) -> int:
        """Blocks along M that are there together or not at all; a group of a die may have fewer."""
        return self.group_m if self.xcds == 1 else 1

    @property
    def parts_of_c(self) -> int:
        """Matrices that C holds, one below the other: the parts of a split K, if they are not added up."""
        return 1 if self.adds_atomically else self.split_k

    @property
    def factor(self) -> str:
        """The type of alpha and beta."""
        return "f64" if self.element == "f64" else "f32"

    @property
    def stored_at_once(self) -> int:
        """Elements of a row of C that one lane stores at once."""
        if not self.stages_result:
            return self.held_at_once
        whole = self.vector_bytes // self.result.bytes
        return whole if self.has_buffers else math.gcd(whole, self._multiple_of("N"))

    @property
    def stored_together(self) -> int:
        """Elements of what a lane stores at once of which all are in C or none is."""
        return math.gcd(self.stored_at_once, self._multiple_of("N"))

    @property
    def rows_end_inside_vectors(self) -> bool:
        """Whether a row of C may end inside what is stored at once: then what it has left is stored alone."""
        return self.stored_together < self.stored_at_once

    @property
    def held_at_once(self) -> int:
        """Neighbours of a row of C in a lane's registers, at most 16 bytes of them."""
        major, minor = self.held_c.ys_factors[-1]
        return int(self.held_c.hs_lengthss[major - 1][minor]) if self.is_c_transposed else 1

    @property
    def held_c(self) -> TileDistributionEncoding:
        """C in registers, neighbours of a row in pieces that one access moves."""
        return self.in_vectors(self.block.c)

    def in_vectors(self, held: TileDistributionEncoding) -> TileDistributionEncoding:
        """Registers of C in pieces of at most 16 bytes, that are all there or not if they go to memory."""
        most = self.vector_bytes // self.result.bytes
        if self.reads_along_rows or not self.stages_result:
            most = math.gcd(most, self._multiple_of("N"))
        return in_pieces(held, most) if self.is_c_transposed else held

    @property
    def reads_of_tile(self) -> int:
        """Reads of shared memory along K, of one fragment each."""
        return self.block.k_steps // self.k_per_lane

    @property
    def block_elements(self) -> int:
        """Elements along K that share a scale: 32, or those in which 32 numbers lie."""
        return self.kind.holding(SCALE_BLOCK)

    @property
    def kind(self) -> DataType:
        return DataType.named(self.element)

    @property
    def result(self) -> DataType:
        """The type of C in memory."""
        return DataType.named(self.output)

    @cached_property
    def schedule(self) -> Schedule:
        return schedule(self.order, self.reads_of_tile)

    @property
    def lanes(self) -> int:
        """Lanes of a wave."""
        return Target.named(self.target).wave_size

    @property
    def threads(self) -> int:
        return self.waves[0] * self.waves[1] * self.lanes

    @property
    def k_per_lane(self) -> int:
        """Instructions along K that one read of shared memory feeds."""
        held = self.instruction_row.elements_a
        return math.lcm(self.pack, held) // held if self.reads_whole_vectors else 1

    @property
    def pack(self) -> int:
        """Neighbours along K that stay together in shared memory: CK's K1."""
        return self.k1 or self.vector_bytes // self.kind.bytes

    @property
    def least_lds_bytes(self) -> int:
        """Bytes of shared memory that the tiles need without padding."""
        m, n, k = self.tile
        return self.schedule.buffers * (m + n) * k * self.kind.bytes

    @property
    def vector(self) -> int:
        """Elements that one lane moves at once between global and shared memory."""
        widest = self.vector_bytes // self.kind.bytes
        return widest if self.lds == "row-major" else min(widest, self.pack)

    def read_at_once(self, rows: str) -> int:
        """Elements of a fragment that one access to shared memory reads, of the operand with these rows."""
        whole = math.gcd(self.vector, self.instruction_row.elements_a * self.k_per_lane)
        return TRANSPOSED_BYTES // self.kind.bytes if self.is_transposed_in_reads(rows) else whole

    @cached_property
    def instruction_row(self) -> MatrixInstruction:
        """The matrix instruction of this size with the deepest K that the target has and the tile is long."""
        return deepest(
            self.target, self.lanes, self.instruction, self.kind, accumulator(self.element), self.tile[2]
        )

    @cached_property
    def block(self) -> BlockGemm:
        """The workgroup's product as distributions."""
        mma, (m, n, k) = self.instruction_row, self.tile
        rounds = (m // (self.waves[0] * mma.m), n // (self.waves[1] * mma.n))
        holds_blocks = self.has_block_scales and self.k_per_lane == 1  # those of the instruction
        steps = k // mma.k
        held = self.k_per_lane if self.reads_whole_vectors and not holds_blocks else None
        return BlockGemm(mma, self.waves, rounds, steps, held, self.is_c_transposed)
