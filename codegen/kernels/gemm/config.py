"""What a GEMM kernel is to be, checked: target, types, tile, waves, instruction, shared memory.

>>> GemmConfig(tile=(256, 128, 36))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: gemm: wanted a K of the tile that is a multiple of 8, got 36
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin, accumulator
from layoutalg.codegen.kernels.gemm.derived_options import DerivedOptions
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.occupancy import ComputeUnit
from layoutalg.reading.near_names import not_one_of

__all__ = ["LAYOUTS", "LDS_LAYOUTS", "GemmConfig"]

LDS_LAYOUTS = ("row-major", "padded", "xor", "k0mk1")
DIRECT_LAYOUTS = ("row-major", "xor")  # of copies straight to shared memory
BLOCKS_OF_READ = 8  # that the lanes of a row read at once, where they have scales
OF_BATCH = "a batch takes the third dimension of a launch, as groups, dies and parts of K do"
LAYOUTS = ("rcr", "rrr", "ccr", "crr")


@dataclass(frozen=True)
class GemmConfig(DerivedOptions):
    """A configuration that can be: its options (``GemmOptions``), checked, and what follows of them."""

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
            (self.has_scale, self.split_k > 1, "parts of C are scaled where they are summed, by parts_sum"),
            (self.has_scale, self.epilogue, "an epilogue says itself what is scaled"),
            (not self.becomes.is_plain, self.output == "i32", "an epilogue, and sums that are integers"),
            (
                not self.becomes.is_plain,
                self.split_k > 1,
                "an epilogue, and parts yet to be summed: parts_sum takes it",
            ),
            (self.factor == "f64", self.becomes.needs_floats, "exponentials, and sums of 64 bits"),
            (self.size_multiples, not self.has_tails, "sizes of whole tiles, and their multiples"),
            (self.masks_every_tile, not self.has_tails, "whole tiles, and a mask for what is none"),
            (self.has_block_scales, self.masks_every_tile, "block scales, and a mask for each tile"),
            (self.has_block_scales, self.split_k > 1, "parts of K, and blocks of it that are scaled"),
            (self.has_block_scales, not self.schedule.reads_ahead, "block scales, and no pipeline"),
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
        most = ComputeUnit.of(self.target).most_waves
        if self.waves_per_simd is not None and not 1 <= self.waves_per_simd <= most:
            raise LayoutError(f"gemm: wanted 1 to {most} waves_per_simd, got {self.waves_per_simd}")
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
