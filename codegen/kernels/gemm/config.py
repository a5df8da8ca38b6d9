"""What a GEMM kernel is to be: target, types, tile, waves, instruction, shared memory.

>>> GemmConfig().instruction_row.name, GemmConfig().block.c.y_lengths
('v_mfma_f32_32x32x8_f16', (2, 4, 4, 4))
>>> GemmConfig(tile=(256, 128, 36))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: gemm: wanted a K of the tile that is a multiple of 8, got 36
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin, accumulator, deepest
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, Epilogue
from layoutalg.codegen.kernels.gemm.options import GemmOptions
from layoutalg.codegen.kernels.gemm.transposed_reads import TRANSPOSED_BYTES, has_transposing_reads
from layoutalg.codegen.schedule import Schedule, schedule
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistributionEncoding
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.occupancy import ComputeUnit
from layoutalg.mma import BlockGemm, MatrixInstruction, in_pieces
from layoutalg.mma.cdna4 import SCALE_BLOCK
from layoutalg.reading.near_names import not_one_of

__all__ = ["LAYOUTS", "LDS_LAYOUTS", "SCALED", "GemmConfig"]

LDS_LAYOUTS = ("row-major", "padded", "xor", "k0mk1")
DIRECT_LAYOUTS = ("row-major", "xor")  # of copies straight to shared memory
BLOCKS_OF_READ = 8  # that the lanes of a row read at once, where they have scales
STORED_BYTES = 4  # the least that a lane stores to shared memory at once, where it can be helped
SCALED = "alpha * c + beta * d"
OF_BATCH = "a batch takes the third dimension of a launch, as groups, dies and parts of K do"
LAYOUTS = ("rcr", "rrr", "ccr", "crr")


@dataclass(frozen=True)
class GemmConfig(GemmOptions):
    """A configuration that can be: its options (:class:`GemmOptions`), checked, and what follows of them."""

    def __post_init__(self) -> None:
        for what, value, known in (
            ("a layout of shared memory", self.lds, LDS_LAYOUTS),
            ("layouts of A, B and C", self.layouts, LAYOUTS),
        ):
            if value not in known:
                raise not_one_of(what, value, known, where="gemm")
        self._check_tile()
        self._check_result()
        self._check_copies()
        need, have = self.least_lds_bytes, Target.named(self.target).lds_bytes_per_workgroup
        if need > have:
            msg = (
                f"gemm: the tiles need {need} bytes of shared memory, a workgroup on {self.target} has {have}"
            )
            raise LayoutError(msg, hint="take a smaller tile, or a schedule with one buffer")

    def _check_result(self) -> None:
        summed = accumulator(self.element.partition("_")[0])
        for one, other, why in (
            (self.split_k > 1, self.output != summed, f"parts of C are sums, of type {summed}"),
            (self.adds_atomically, self.output != summed, f"what is added are sums, of type {summed}"),
            (self.adds_atomically, not self.becomes.is_plain, "an epilogue, and parts that are added"),
            (self.adds_atomically, self.stages_result, "lanes that add side by side, and staging for that"),
            (
                self.adds_atomically,
                self.is_c_transposed,
                "a row of C in one lane, and lanes that add side by side",
            ),
            (self.has_scale, self.output == "i32", "alpha and beta are no integers"),
            (self.has_scale, self.split_k > 1, "parts of C are scaled where they are summed"),
            (self.has_scale, self.epilogue, "an epilogue says itself what is scaled"),
            (not self.becomes.is_plain, self.output == "i32", "an epilogue, and sums that are integers"),
            (not self.becomes.is_plain, self.split_k > 1, "an epilogue, and parts yet to be summed"),
            (self.factor == "f64", self.becomes.needs_floats, "exponentials, and sums of 64 bits"),
            (self.size_multiples, not self.has_tails, "sizes of whole tiles, and their multiples"),
            (self.masks_every_tile, not self.has_tails, "whole tiles, and a mask for what is none"),
            (self.has_block_scales, self.masks_every_tile, "block scales, and a mask for each tile"),
            (self.has_block_scales, self.split_k > 1, "parts of K, and blocks of it that are scaled"),
            (self.has_block_scales, not self.schedule.reads_ahead, "block scales, and no pipeline"),
            (self.xcds > 1 and self.group_m > 1, self.has_tails, "groups that are dealt to dies are whole"),
            (self.group_m > 1 or self.xcds > 1, self.split_k > 1, "a launch has three dimensions"),
            (self.is_batched, max(self.group_m, self.xcds, self.split_k) > 1, OF_BATCH),
            (self.is_batched, self.has_block_scales, "a batch, and block scales, of which there is one set"),
        ):
            if one and other:
                raise LayoutError(f"gemm: these do not go together: {why}")
        counts = (self.group_m, self.xcds, self.split_k)
        if min(counts) < 1:
            raise LayoutError(f"gemm: wanted at least 1 of group_m, xcds and split_k, got {counts}")
        if self.xcds > (dies := ComputeUnit.of(self.target).dies):
            raise LayoutError(f"gemm: wanted at most {dies} xcds, the dies of {self.target}, got {self.xcds}")
        if self.size_multiples is not None and min(self.size_multiples) < 1:
            raise LayoutError(f"gemm: wanted multiples of at least 1, got {self.size_multiples}")

    def _check_tile(self) -> None:
        m, n, k = self.tile
        mma = self.instruction_row
        if self.kind.unpacked[2] > 1 and not (self.is_k_first("M") and self.is_k_first("N")):
            msg = f"gemm: numbers of {self.kind} share words along K: wanted layouts rcr, got {self.layouts}"
            raise LayoutError(msg)
        if self.has_block_scales and not MatrixBuiltin.of(mma).takes_scales:
            msg = f"gemm: {mma.name} takes no block scales"
            hint = "those of f4x2, f8 and bf8 on gfx950 do, for a K of 128 numbers (16x16) or 64 (32x32)"
            raise LayoutError(msg, hint=hint)
        least = mma.elements_a & -mma.elements_a  # neighbours that stay together in any case
        if self.k1 is not None and (self.k1 < least or self.k1 & (self.k1 - 1)):
            msg = f"gemm: wanted a K1 that is a power of two of at least {least}, got {self.k1}"
            raise LayoutError(msg, hint=f"{mma.name} takes {mma.elements_a} neighbours of a lane")
        for what, length, part in (
            ("M", m, self.waves[0] * mma.m),
            ("N", n, self.waves[1] * mma.n),
            ("K", k, mma.k * self.k_per_lane),
            ("K", k, self.pack),
        ):
            if length % part:
                msg = f"gemm: wanted a {what} of the tile that is a multiple of {part}, got {length}"
                raise LayoutError(msg)
        self._check_blocks()
        for what, rows in (("M", m), ("N", n)):
            if not self.is_turned(what):
                ways = (what, rows), ("K", k)
                self._check_rows(what, *(ways if self.is_k_first(what) else ways[::-1]))
                continue
            at_once = self.carried_at_once(what)
            vectors = rows // at_once
            is_power = vectors & (vectors - 1) == 0 and vectors <= self.threads
            if rows % at_once or (k * vectors) % self.threads or not is_power:
                msg = f"gemm: {self.threads} threads load {at_once} neighbours along {what} each,"
                raise LayoutError(f"{msg} which does not fit a tile of {rows} by {k}")

    def _check_rows(self, operand: str, across: tuple[str, int], along: tuple[str, int]) -> None:
        """That threads load whole rows of memory at once, which divide those of the tile."""
        (name, count), (_, length) = across, along
        vectors = length // self.carried_at_once(operand)  # of a row: so many lanes, or rounds of them
        if not (at_once := self.threads // (vectors & -vectors)):
            msg = f"gemm: {self.threads} threads cannot load a row of {length} at once"
            raise LayoutError(msg, hint="take more waves, or a shorter K of the tile")
        if count % at_once:
            msg = f"gemm: {self.threads} threads load {at_once} rows of {length} at once,"
            raise LayoutError(f"{msg} which does not divide {name} = {count}")

    def _check_blocks(self) -> None:
        """Blocks that share a scale: as many as the bytes of words can name."""
        if not self.has_block_scales:
            return
        blocks = self.tile[2] // self.block_elements
        if blocks & (blocks - 1):
            raise LayoutError(f"gemm: wanted a power of two of blocks of K in a tile, got {blocks}")
        of_read = self.k_per_lane * self.instruction_row.k // self.block_elements
        if of_read > BLOCKS_OF_READ:
            msg = f"gemm: wanted at most {BLOCKS_OF_READ} blocks of K in a read, got {of_read}"
            raise LayoutError(msg, hint="their scales lie in two words; take a smaller K1")

    def _check_copies(self) -> None:
        """What goes straight to shared memory: whole vectors as they lie, lane after lane."""
        if not self.schedule.copies:
            return
        widest = GlobalMemory.of(self.target).to_lds_bytes
        vectors = self.tile[2] // self.carried_at_once("M")
        for is_refused, why in (
            (widest < self.kind.bytes, f"{self.target} copies at most {widest} bytes a lane so"),
            (not self.has_buffers, "they go through buffer resources, which kernels with tails have"),
            (self.has_block_scales, "loads of scales would wait for all copies before them"),
            (not all(map(self.is_k_first, "MN")), "neighbours along K must be neighbours in memory"),
            (self.lds not in DIRECT_LAYOUTS, f"lanes lie side by side: lds {' or '.join(DIRECT_LAYOUTS)}"),
            (vectors & (vectors - 1), f"rows are a power of two of vectors, not {vectors}"),
            (any(self.there_at_once(r) < self.carried_at_once(r) for r in "MN"), "K ends inside a vector"),
        ):
            if is_refused:
                msg = f"gemm: the order {self.order} copies tiles straight to LDS: {why}"
                raise LayoutError(msg, hint="change that, or take another order, such as 'streamed'")

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
        is_masked = self.split_k > 1 or self.masks_every_tile
        return self.has_buffers and self.schedule.reads_ahead and not is_masked

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
        return self.schedule.farthest > 0 and is_alone and not self.schedule.copies

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
        return math.gcd(self.vector_bytes // self.result.bytes, self._multiple_of("N"))

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
