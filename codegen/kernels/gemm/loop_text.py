"""The loop of a GEMM along K: steps in the order of a schedule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from layoutalg.codegen.kernels.gemm.block_order import BLOCK_K
from layoutalg.codegen.kernels.gemm.builtins import NO_SCALES, MatrixBuiltin
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.direct_text import BARRIER_ALONE, arrived
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.kernels.gemm.interleaving import MASKS, Move, interleaving, products_after_reads
from layoutalg.codegen.kernels.gemm.operand_text import OperandText
from layoutalg.codegen.kernels.gemm.scales_text import ScalesText
from layoutalg.codegen.schedule import Step
from layoutalg.codegen.text.source import INDENT, indented, unrolled
from layoutalg.codegen.text.speller import Speller

__all__ = ["LoopText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class LoopText:
    """The statements that multiply all tiles along K; ``scales``: the block scales of A and B, if any."""

    problem: GemmProblem
    operands: tuple[OperandText, OperandText]
    scales: tuple[ScalesText, ...]
    spell: Speller

    @property
    def config(self) -> GemmConfig:
        return self.problem.config

    @property
    def parts(self) -> tuple[OperandText | ScalesText, ...]:
        """All that goes from global memory to registers."""
        return *self.operands, *self.scales

    def statements(self) -> Lines:
        """Work ahead of the first turn, then the turns; as many at once as have buffers of their own."""
        yield from self._all_turns()
        if self.config.schedule.copies:
            yield arrived()  # no wave ends, and nothing is put there, while copies are on their way

    def _all_turns(self) -> Lines:
        order = self.config.schedule
        yield f"constexpr int tile_k = {self.config.tile[2]};  // of K at a time"
        yield f"const int turns = {self._turns()};"
        if order.reads_ahead:
            moved = [name for name in MASKS if name != "stores" or not order.copies]
            named = ", ".join(f"{name} = 0x{MASKS[name]:03x}" for name in moved)
            yield f"enum {{ {named} }};  // instructions that are put in order, as LLVM names them"
        first = order.before
        if self.config.takes_last_tile_first:
            yield from self._last_tile()
            first = tuple(step for step in first if step.what not in {"load", "copy"} or step.ahead)
        elif self.config.has_tails:
            yield "int k_next = 0;  // where the tile begins that is loaded next"
            if self.config.split_k > 1:
                end = self.spell(self.problem.part_of_k * (BLOCK_K + 1))
                yield f"const int k_end = K < {end} ? K : {end};  // of this workgroup's part"
        if self.config.counts_whole_tiles:
            whole = "whole" if self.config.split_k > 1 else "turns - 1"
            yield f"int left = {whole};  // whole tiles to be loaded"
        if self.config.stays_at_last_tile:
            first_left = 2 if self.config.takes_last_tile_first else 1
            yield f"int left = turns - {first_left};  // tiles after the one that is loaded next"
        yield from self._steps(first, "")
        yield from self._hand_over_scales()
        if order.turns_at_once == 1:
            yield "for (int turn = 0; turn < turns; ++turn) {"
            yield from indented(self._steps(order.turn, ""))
            yield "}"
            return
        yield f"for (int turn = {order.turns_at_once}; turn <= turns; turn += {order.turns_at_once}) {{"
        yield from indented(unrolled("now", order.turns_at_once, opens=True))
        yield from indented(self._interleaved() if order.reads_ahead else self._steps(order.turn, "now"), 2)
        yield f"{INDENT}}}"
        yield "}"
        for number, steps in enumerate(order.rest):
            yield f"if (turns % {order.turns_at_once}{f' > {number}' if len(order.rest) > 1 else ''}) {{"
            yield from indented(self._steps(steps, ""))
            yield "}"

    def _last_tile(self) -> Lines:
        """Where the last tile of a workgroup's part of K begins, and what is loaded of it."""
        last = "tile_k * (turns - 1)"
        if self.config.split_k > 1:
            begun = f"(K + tile_k - 1) / tile_k - turns * {BLOCK_K}"
            yield f"const int begun = {begun};  // tiles that begin before K ends, from this part on"
            before_last = "(begun < 1 ? 1 : begun < turns ? begun : turns) - 1"
            yield f"const int whole = {before_last};  // those of the part before its last one"
            last = "tile_k * whole"
        yield f"const int k_last = {last};  // where the last tile begins"
        for part in self.parts:
            yield from part.load_last()

    def _turns(self) -> str:
        """How many tiles a workgroup goes through."""
        part = "tile_k" if self.config.split_k == 1 else f"({self.config.split_k} * tile_k)"
        return f"(K + {part} - 1) / {part}" if self.config.has_tails else f"K / {part}"

    def _interleaved(self) -> Lines:
        """A turn whose steps the compiler mixes, phase by phase."""
        for number, steps in enumerate(self.config.schedule.phases):
            if number:
                yield "__builtin_amdgcn_sched_barrier(0);"
            yield from self._steps(steps, "now")
            moves = [move for step in steps if step.what in {"store", "copy"} for move in self._moves(step)]
            reads = self._reads_of_step if any(step.what == "read" for step in steps) else 0
            products = self._products_of(steps[-1])
            last = 0 if moves else products_after_reads(self.config.instruction_row, products)
            yield from interleaving([(reads, ("reads",)), *moves], products, last)
        if self.scales or any(operand.operand.is_turned for operand in self.operands):
            yield "__builtin_amdgcn_sched_barrier(0);  // nothing of the next tile is turned earlier"
        yield from self._hand_over_scales()

    def _moves(self, step: Step) -> list[Move]:
        """In which order stores and loads free and fill registers: rounds of groups.

        A load comes right after the stores that free its registers: one, or all of an operand that is turned.
        """
        groups: list[tuple[str, ...]] = [("loads",)] * sum(one.loads_count for one in self._scales_of(step))
        for operand in self._operands_of(step):
            stores, loads = operand.stores.count, operand.loads.count
            if step.what == "copy":
                groups += [("loads",)] * loads
            elif not operand.operand.is_turned:
                groups += [("stores", *["loads"] * operand.parts)] * stores
            else:
                groups += [("stores",)] * stores + [("loads",)] * loads
        return [(len(list(alike)), group) for group, alike in itertools.groupby(groups)]

    def _operands_of(self, step: Step) -> list[OperandText]:
        """Those that a step moves."""
        return [operand for operand in self.operands if step.of in {"", operand.name}]

    def _scales_of(self, step: Step) -> tuple[ScalesText, ...]:
        """Block scales move with the first operand, before it: who waits for them waits for no other load."""
        return self.scales if step.of in {"", self.operands[0].name} else ()

    @property
    def _reads_of_step(self) -> int:
        """Reads of shared memory of a step that reads."""
        of_tile = sum(one.rounds * one.pieces for one in self.operands) * self.config.reads_of_tile
        return of_tile // self.config.schedule.parts

    def _products_of(self, step: Step) -> int:
        """Matrix instructions of a step."""
        block, steps = self.config.block, self.config.block.k_steps // self.config.schedule.parts
        return len(step.rows(block.rounds[0])) * block.rounds[1] * steps

    def _steps(self, steps: Sequence[Step], now: str) -> Lines:
        """The text of steps; ``now`` names the number of the turn's tile, modulo the buffers."""
        for step in steps:
            yield from getattr(self, f"_{step.what}")(step, now)

    def _barrier(self, _step: Step, _now: str) -> Lines:
        yield from BARRIER_ALONE if self.config.schedule.copies else ("__syncthreads();",)

    def _load(self, step: Step, now: str) -> Lines:
        if self.config.takes_last_tile_first and not (now or self.config.counts_whole_tiles):
            yield "if (turns > 1) {"
            yield from indented(self._load_next(step, now))
            yield "}"
        else:
            yield from self._load_next(step, now)

    def _copy(self, step: Step, now: str) -> Lines:
        yield from self._load_next(step, now)

    def _arrive(self, step: Step, _now: str) -> Lines:
        yield arrived(step.under_way * sum(operand.loads.count for operand in self.operands))

    def _load_next(self, step: Step, now: str) -> Lines:
        operands, scales = self._operands_of(step), self._scales_of(step) if now or step.ahead == 0 else ()
        for one in scales:
            yield from one.load()
        for operand in operands:
            yield from operand.load(self._buffer(step, now))
        for operand in operands:
            yield from operand.advance()
        for one in scales:  # a tile less ahead than operands
            yield from one.advance("left >= 0" if now else "left > 0")
        if step.of not in {"", self.operands[-1].name}:
            return
        if self.config.has_tails and not self.config.takes_last_tile_first:
            yield f"k_next += {'left > 0 ? tile_k : 0' if self.config.stays_at_last_tile else 'tile_k'};"
        if self.config.stays_at_last_tile or self.config.counts_whole_tiles:
            yield "left -= 1;"

    def _store(self, step: Step, now: str) -> Lines:
        buffer = self._buffer(step, now)
        for part in self._operands_of(step):
            yield from part.store(buffer)

    def _buffer(self, step: Step, now: str) -> str:
        """The buffer of a step's tile."""
        order = self.config.schedule
        return _turning(now, step.ahead, order.buffers, order.turns_at_once)

    def _hand_over_scales(self) -> Lines:
        for scales in self.scales:
            yield from scales.hand_over()

    def _read(self, step: Step, now: str) -> Lines:
        buffer = self._buffer(step, now)
        operands = self.operands[::-1] if self.config.schedule.copies else self.operands  # fewer registers so

        def reads(at: str) -> Lines:
            for operand in operands:
                yield from operand.read(buffer, self._held(operand, step, now, at), at)

        yield from self._along_k(step, reads)

    def _multiply(self, step: Step, now: str) -> Lines:
        order = self.config.schedule
        if self.scales:
            yield from self._multiply_scaled(step, now)
            return

        def products(at: str) -> Lines:
            if order.reads_ahead:
                parts = [self._held(operand, step, now, at) for operand in self.operands]
            else:
                buffer = self._buffer(step, now)
                parts = [f"{operand.name}_part" for operand in self.operands]
                for operand, part in zip(self.operands, parts, strict=True):
                    yield f"{operand.fragment} {part}[{operand.rounds}];"
                    yield from operand.read(buffer, part, at)
            for number in range(self.config.k_per_lane):
                yield from self._products(parts, number, step.rows(self.config.block.rounds[0]))

        yield from self._along_k(step, products)

    def _multiply_scaled(self, step: Step, now: str) -> Lines:
        """The same with block scales, each step along K by itself: it names its bytes as constants."""
        each, rows = self.config.k_per_lane, step.rows(self.config.block.rounds[0])
        reads = range(self.config.reads_of_tile) if step.part is None else (step.part,)
        for read, number in itertools.product(reads, range(each)):
            parts = [self._held(operand, step, now, str(read)) for operand in self.operands]
            of_rows, of_columns = (
                scales.of_instruction(index, read * each + number)
                for scales, index in zip(self.scales, "ij", strict=True)
            )
            yield from self._products(parts, number, rows, (of_rows, of_columns))

    def _along_k(self, step: Step, statements: Callable[[str], Lines]) -> Lines:
        """The statements of each read along K, given its number: of a part's own, or of all in a loop."""
        if step.part is not None:
            yield from statements(str(step.part))
            return
        yield from unrolled("kk", self.config.reads_of_tile, opens=True)
        yield from indented(statements("kk"))
        yield "}"

    def _held(self, operand: OperandText, step: Step, now: str, at: str) -> str:
        """The fragments of one read along K, among those that outlive a step."""
        sets = self.config.schedule.fragments
        if step.part is not None:
            return f"{operand.name}_part[{step.part % sets}]"
        turns = self.config.schedule.turns_at_once
        return f"{operand.name}_part{_turning(now, step.ahead, sets, turns)}[{at}]"

    def _products(
        self, parts: Sequence[str], number: int, rows: range, scales: tuple[str, str] = NO_SCALES
    ) -> Lines:
        """Fragments of A in these rows with every fragment of B."""
        first, second = (
            operand.part(f"{part}[{index}]", number)
            for operand, part, index in zip(self.operands, parts, "ij", strict=True)
        )
        if self.config.is_c_transposed:
            first, second, scales = second, first, scales[::-1]
        yield from unrolled("i", rows.stop, first=rows.start)
        yield from indented(unrolled("j", self.operands[1].rounds))
        builtin = MatrixBuiltin.of(self.config.instruction_row)
        yield f"{INDENT * 2}acc[i][j] = {builtin.call(first, second, 'acc[i][j]', scales)};"


def _turning(now: str, ahead: int, count: int, turns: int = 2) -> str:
    """Which of the buffers or sets a tile has, of ``turns`` at once; before the loop ``ahead`` is the tile.

    >>> _turning("now", 1, 2), _turning("now", 2, 2), _turning("", 1, 2), _turning("now", 1, 1)
    ('[1 - now]', '[now]', '[1]', '')
    >>> _turning("now", 3, 4, turns=4), _turning("now", 0, 2, turns=4)
    ('[(now + 3) % 4]', '[now % 2]')
    """
    if count == 1:
        return ""
    ahead %= count
    if not now:
        return f"[{ahead}]"
    if turns == 2:
        return "[1 - now]" if ahead else "[now]"
    if ahead:
        return f"[({now} + {ahead}) % {count}]"
    return "[now]" if turns == count else f"[{now} % {count}]"
