"""What a turn of a pipelined GEMM is expected to be once it is compiled, and how long a compute unit takes.

The instructions of a turn follow from the configuration: what is loaded, stored, read and multiplied, in the
order in which the text asks the compiler to mix them. They go through the model of a compute unit
(``layoutalg/codegen/gfx9/compute_unit_timing.py``) as compiled ones do. ``python -m
tests.benchmarks.gemm`` has both beside each other.

>>> loop = ExpectedLoop(GemmConfig(tile=(256, 256, 32), waves=(4, 2), order="pipelined", lds="xor",
...                                reads_whole_vectors=True))
>>> loop.registers, loop.occupancy.waves, round(loop.share(), 2)
(240, 2, 1.0)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.gfx9.assembly import Instruction, parse_instruction
from layoutalg.codegen.gfx9.compute_unit_timing import ComputeUnitTime, compute_unit_time
from layoutalg.codegen.gfx9.issue_timing import LATENCIES, Latencies
from layoutalg.codegen.gfx9.waitcnt_scoreboard import COUNTERS_END
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.interleaving import products_after_reads, shares
from layoutalg.codegen.schedule import BARRIER, OPERANDS, Step
from layoutalg.machine.occupancy import ComputeUnit, Occupancy, occupancy

__all__ = ["ExpectedLoop"]

Line = tuple[str, int]  # an instruction, and how many reads must be there before it
TURNS = (3, 8)  # of the runs whose difference is looked at
REGISTER_BYTES, REGISTERS = 4, 256
SGPRS = 64  # more than any of these kernels takes
TAIL_INSTRUCTIONS = 2  # a load: is it inside, and else where to
WIDTHS = {4: "b32", 8: "b64", 16: "b128"}
LOADS = {1: "ubyte", 2: "ushort", 4: "dword", 8: "dwordx2", 16: "dwordx4"}


@dataclass(frozen=True)
class Moves:
    """Accesses of a turn of one operand by one thread: how many, and the bytes of each.

    ``turned``: instructions that bring neighbours along K together: one a word of 2-byte elements, two of
    bytes; or those that were loaded one by one, if they are less than a word.
    """

    loads: int
    load_bytes: int
    stores: int
    store_bytes: int
    reads: int
    read_bytes: int
    turned: int
    is_turned: bool

    @classmethod
    def of(cls, config: GemmConfig, rows: str) -> Moves:
        """Of the operand with these rows, M or N."""
        axis, size = (0 if rows == "M" else 1), config.kind.bytes
        elements = config.tile[axis] * config.tile[2] // config.threads
        loaded, carried = config.loaded_at_once(rows), config.carried_at_once(rows)
        is_turned = config.is_turned(rows)
        stored = min(elements // carried, config.vector) if is_turned else carried
        fragment = config.instruction_row.elements_a * config.k_per_lane
        read = config.read_at_once(rows)
        fragments = config.block.rounds[axis] * config.reads_of_tile
        of_turned = max(1, REGISTER_BYTES // size).bit_length() - 1  # steps, of a ``v_perm_b32`` a word each
        of_word = of_turned if is_turned else max(0, REGISTER_BYTES // (loaded * size) - 1)
        return cls(
            elements // loaded,
            loaded * size,
            elements // stored,
            stored * size,
            fragments * fragment // read,
            read * size,
            elements * size // REGISTER_BYTES * of_word,
            is_turned,
        )


@dataclass(frozen=True)
class ExpectedLoop:
    """The loop of a configuration with a schedule that reads ahead."""

    config: GemmConfig

    @cached_property
    def moves(self) -> tuple[Moves, Moves]:
        return Moves.of(self.config, "M"), Moves.of(self.config, "N")

    @property
    def sums(self) -> int:
        """Vector registers of a lane that hold its part of C."""
        mma, count = self.config.instruction_row, math.prod(self.config.block.rounds)
        return count * mma.elements_d * self.config.accumulator_bytes // REGISTER_BYTES

    @property
    def registers(self) -> int:
        """Vector registers of a lane: sums, fragments of two tiles or parts of one, what is loaded ahead.

        What is turned on its way is there twice for a while; block scales are loaded ahead and held, a word
        of each row; each part of A and of B has an address of its own.
        """
        rounds = self.config.block.rounds
        fragments = sum(one.reads * one.read_bytes for one in self.moves) // REGISTER_BYTES
        on_their_way = () if self.config.schedule.copies else self.moves
        loaded = (
            sum(one.loads * max(one.load_bytes, REGISTER_BYTES) for one in on_their_way) // REGISTER_BYTES
        )
        turned = sum(one.stores * one.store_bytes for one in self.moves if one.is_turned) // REGISTER_BYTES
        order = self.config.schedule
        scales = 2 * sum(rounds) if self.config.has_block_scales else 0
        addresses = len(OPERANDS) * order.parts if order.parts > 1 else 0
        return self.sums + order.fragments * fragments // order.parts + loaded + turned + scales + addresses

    @cached_property
    def occupancy(self) -> Occupancy:
        """How many waves and workgroups share a compute unit."""
        config = self.config
        return occupancy(
            config.target,
            vgprs=self.registers,
            sgprs=SGPRS,
            lds_bytes=config.least_lds_bytes,
            threads=config.threads,
        )

    @cached_property
    def turn(self) -> tuple[Instruction, ...]:
        """The instructions of a turn, of one wave."""
        return tuple(parse_instruction(line, 1) for line in self._lines())

    def time(self, latencies: Latencies = LATENCIES, workgroups: int | None = None) -> ComputeUnitTime:
        """Cycles of a turn of all ``workgroups`` that share a compute unit, by default as many as fit."""
        short, long = (
            compute_unit_time(
                [turns * self.turn] * (self.config.threads // self.config.lanes),
                self.config.target,
                workgroups=workgroups or max(1, self.occupancy.workgroups),
                latencies=latencies,
            )
            for turns in TURNS
        )
        more, turns = long - short, TURNS[1] - TURNS[0]
        return ComputeUnitTime(more.cycles // turns, tuple(one // turns for one in more.mfma_cycles))

    def share(self, latencies: Latencies = LATENCIES, workgroups: int | None = None) -> float:
        """The share of the cycles of a turn in which the matrix cores work."""
        return self.time(latencies, workgroups).mfma_share

    @property
    def mfma_cycles(self) -> float:
        """Of a turn of a workgroup: how long its products take the matrix cores of a compute unit."""
        config = self.config
        products = math.prod(config.block.rounds) * config.block.k_steps * config.threads // config.lanes
        return products * config.instruction_row.cycles / ComputeUnit.of(config.target).simds

    def bound(self, latencies: Latencies = LATENCIES) -> float:
        """The most that share can be: all that the LDS moves goes through it while they work."""
        moved = sum(one.stores * one.store_bytes + one.reads * one.read_bytes for one in self.moves)
        return min(1.0, self.mfma_cycles * latencies.lds_bytes / (moved * self.config.threads))

    # --- the turn as the text has it

    def _lines(self) -> Iterator[str]:
        """Reads, then stores and loads, between the products of each phase; some behind a barrier."""
        order = self.config.schedule
        outstanding = sum(one.reads for one in self.moves) // order.parts  # of the turn before
        for steps in order.phases:
            if BARRIER in steps:
                yield from self._arrivals(steps)
                yield "s_waitcnt lgkmcnt(0)"
                yield "s_barrier"
                outstanding = 0
            reads = list(self._reads()) if any(step.what == "read" for step in steps) else []
            moves = [move for step in steps if step.what == "store" for move in self._stores_and_loads(step)]
            moves += [move for step in steps if step.what == "copy" for move in self._copies(step)]
            products = list(self._products(steps[-1]))
            last = 0 if moves else products_after_reads(self.config.instruction_row, len(products))
            made = list(self._waiting(_mixed([*reads, *moves], products, last), outstanding))
            yield from made
            outstanding = sum(line.startswith("ds_") for line in made)
        yield "s_cbranch_scc1 0"

    @staticmethod
    def _waiting(lines: Iterable[Line], outstanding: int) -> Iterator[str]:
        """Lines behind waits for the fragments that they need: reads of the step before, in their order."""
        done = 0 if outstanding else math.inf
        for line, needed in lines:
            if needed > done:
                yield f"s_waitcnt lgkmcnt({min(COUNTERS_END['lgkmcnt'], outstanding - needed)})"
                done = needed
            outstanding += line.startswith("ds_")
            yield line

    def _stores_and_loads(self, step: Step) -> Iterator[list[Line]]:
        """Groups that stay together: each store behind what it waits for, each load behind what it needs."""
        in_flight = sum(one.loads for one in self.moves)
        for one in (move for of, move in zip(OPERANDS, self.moves, strict=True) if step.of in {"", of}):
            for number in range(one.stores):
                is_first, each = number == 0 or not one.is_turned, one.loads // one.stores
                needed = one.loads if one.is_turned else each
                waits = [f"s_waitcnt vmcnt({min(COUNTERS_END['vmcnt'], in_flight - needed)})"]
                turns = ["v_perm_b32 v250, v250, v250, v250"] * -(-one.turned // one.stores)
                store = f"ds_write_{WIDTHS.get(one.store_bytes, 'b8')} v251, {_wide(252, one.store_bytes)}"
                yield [(line, 0) for line in (*(waits if is_first else ()), *turns, store)]
                if not one.is_turned:
                    yield [line for _ in range(each) for line in self._load(one)]
            for _ in range(one.loads if one.is_turned else 0):
                yield self._load(one)

    def _arrivals(self, steps: Iterable[Step]) -> Iterator[str]:
        """A wait for what was copied, but for tiles that may be under way."""
        for step in steps:
            if step.what == "arrive":
                count = step.under_way * sum(one.loads for one in self.moves)
                yield f"s_waitcnt vmcnt({min(COUNTERS_END['vmcnt'], count)})"

    def _copies(self, step: Step) -> Iterator[list[Line]]:
        """Loads straight to the LDS, each of its own place there."""
        for one in (move for of, move in zip(OPERANDS, self.moves, strict=True) if of == step.of):
            copy = f"buffer_load_{LOADS[one.load_bytes]} v249, s[0:3], s4 offen lds"
            yield from [[("s_add_i32 s4, s4, s5", 0), ("s_mov_b32 m0, s6", 0), (copy, 0)]] * one.loads

    def _load(self, one: Moves) -> list[Line]:
        before = ["v_add_u32 v249, v249, v249"] * (TAIL_INSTRUCTIONS if self.config.has_buffers else 1)
        load = f"global_load_{LOADS[one.load_bytes]} {_wide(252, one.load_bytes)}, v249, s[0:1]"
        return [(line, 0) for line in (*before, load)]

    def _reads(self) -> Iterator[list[Line]]:
        """The fragments of A and of B of one read along K, then those of the next; of a part or of a tile."""
        steps = self.config.reads_of_tile
        for _ in range(steps // self.config.schedule.parts):
            for one in self.moves:
                line = f"ds_read_{WIDTHS.get(one.read_bytes, 'u8')} {_wide(252, one.read_bytes)}, v251"
                yield from [[(line, 0)]] * (one.reads // steps)

    def _products(self, step: Step) -> Iterator[Line]:
        """The matrix instructions of a step, each with how many reads must be there before it."""
        config, mma, columns = self.config, self.config.instruction_row, self.config.block.rounds[1]
        size = mma.elements_d * config.accumulator_bytes // REGISTER_BYTES
        operand, (name, *codes) = _wide(0, mma.elements_a * config.kind.bytes), mma.name.split()
        of_a, of_b = (one.reads // config.reads_of_tile for one in self.moves)
        rows, reads = step.rows(config.block.rounds[0]), config.reads_of_tile // config.schedule.parts
        for at, _, i in itertools.product(range(reads), range(config.k_per_lane), rows):
            for j in range(columns):
                first = (i * columns + j) * size % REGISTERS
                sums = f"a[{first}:{first + size - 1}]"
                needed = at * (of_a + of_b) + of_a + (j + 1) * of_b // columns
                yield " ".join([name, f"{sums}, {operand}, {operand}, {sums}", *codes]), needed


def _wide(first: int, size: int) -> str:
    """Registers for so many bytes."""
    last = first + -(-size // REGISTER_BYTES) - 1
    return f"v[{first}:{last}]" if last > first else f"v{first}"


def _mixed(moves: Iterable[list[Line]], products: Iterable[Line], last: int) -> Iterator[Line]:
    """Groups of moves between products, of which so many come last."""
    groups, rest = list(moves), list(products)
    waiting, left = iter(groups), iter(rest)
    for count, each in shares(len(groups), len(rest), last):
        yield from itertools.chain(*itertools.islice(waiting, count))
        yield from itertools.islice(left, each)
