"""The text of block scales: loaded a turn ahead, handed over after its products, named by instructions.

A lane has all scales of its row; instructions take those of its own blocks, each by the number of a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy

from layoutalg.codegen.kernels.gemm.block_scales import ONE, OperandScales
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K
from layoutalg.codegen.text.source import INDENT, typedef, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import StridedText, of_lanes_and_of_all, strided_accesses

__all__ = ["ScalesText"]

Lines = Iterator[str]
WORD = 4  # scales in a register
NARROW = {1: "unsigned char", 2: "unsigned short"}  # than a word
NOTHING = 0x0C  # what v_perm_b32 takes for a byte that is 0


@dataclass(frozen=True)
class ScalesText:
    """The statements that move the scales of A or of B."""

    scales: OperandScales
    spell: Speller

    @property
    def name(self) -> str:
        return self.scales.name

    @property
    def loads_count(self) -> int:
        """Loads of a tile."""
        return self.scales.rounds

    @property
    def words(self) -> int:
        """Registers in which a lane's scales of a row arrive."""
        return max(1, self.scales.of_tile // WORD)

    @property
    def held_words(self) -> int:
        """Registers that its own take: of two words those of a lane's own blocks are at most one."""
        return max(1, self.words // 2)

    @property
    def arrives(self) -> str:
        """The type in which they arrive."""
        return "unsigned" if self.words == 1 else f"{self.name}_words"

    @property
    def held(self) -> str:
        """The type of a lane's own."""
        return "unsigned" if self.held_words == 1 else f"{self.name}_held"

    @cached_property
    def _loads(self) -> StridedText:
        window = self.scales.loads
        offset = window.index_map().outputs[0].xreplace({TILE: sympy.Integer(0)})
        return StridedText(f"{self.name}_next", strided_accesses(window, offset, (-1,), (K,)), self.spell)

    def types(self) -> Lines:
        for name, count in ((self.arrives, self.words), (self.held, self.held_words)):
            if count > 1:
                yield typedef("unsigned", count, name)

    def addresses(self) -> Lines:
        """Where this thread loads at first, and how it finds its own."""
        base = self._loads.found.bases[0]
        if self.scales.whole:
            matrix = self.scales.matrix
            space = self.spell(matrix.space)
            yield ONE.resource(f"{self.name}_from", f"const_cast<unsigned char*>({self.name})", space)
            of_lanes, of_all = map(self.spell, of_lanes_and_of_all(base))
            yield f"const int {self.name}_first = {of_lanes};"
            yield f"int {self._loads.name} = {of_all};"
        else:
            yield f"const unsigned char* {self._loads.name} = {self.name} + ({self.spell(base)});"
        if self.words > 1:
            yield f"const unsigned {self.name}_own = {self._own};"

    @property
    def _own(self) -> str:
        """Which bytes of two words are a lane's own, as v_perm_b32 takes it: the first lane's, and so on."""
        steps = self._steps_of_word
        first = [self.scales.block(step) for step in range(steps)] + [NOTHING] * (WORD - steps)
        ones = sum(1 << 8 * number for number in range(steps))
        return f"0x{int.from_bytes(bytes(first), 'little'):08x}u + 0x{ones:08x}u * ({self._first_block})"

    @property
    def _first_block(self) -> str:
        """Which of the blocks of a read is a lane's own first one."""
        each, lanes = self.scales.config.k_per_lane, self.scales.config.lanes // self.scales.of_instruction
        return f"lane / {lanes}" if each == 1 else f"lane / {lanes} * {each}"

    @property
    def _steps_of_word(self) -> int:
        """Steps along K whose scales two words have."""
        return 2 * WORD // self.scales.of_instruction

    def registers(self) -> Lines:
        """Those of the tile that is loaded, and those of the one that is multiplied."""
        yield f"{self.arrives} {self.name}_tile[{self.scales.rounds}];"
        yield f"{self.held} {self.name}_part[{self.scales.rounds}];"

    def functions(self) -> Lines:
        """What loads a scale that may lie past an end."""
        if self.scales.whole:
            yield from ONE.load_function("unsigned char", "loaded_scale")

    def load(self) -> Lines:
        """Load those of a tile, of one row a round."""
        yield from unrolled("i", self.scales.rounds)
        kind, step = NARROW.get(self.scales.of_tile, self.arrives), self._loads.plus(("i",))
        if self.scales.whole:
            place = f"{self._loads.name}{step}"
            access = self.scales.whole.access
            of_lane = f"{access.kind.bytes}u * {self.name}_first"
            loaded = access.load_of_whole_tiles(kind, f"{self.name}_from", of_lane, place)
        else:
            loaded = f"*reinterpret_cast<const {kind}*>({self._loads.name}{step})"
        yield f"{INDENT}{self.name}_tile[i] = {loaded};"

    def load_last(self) -> Lines:
        """Load those of the last tile that are there, one by one; 0 stands for the others."""
        name, of_tile = self.name, self.scales.of_tile
        first = f"{of_tile} * (turns - 1)"
        yield from unrolled("i", self.scales.rounds, opens=True)
        yield f"{INDENT}{name}_tile[i] = 0;"
        for line in unrolled("n", of_tile):
            yield INDENT + line
        word = f"{name}_tile[i]" if self.words == 1 else f"{name}_tile[i][n / {WORD}]"
        place = f"{name}_first + {self._loads.name}{self._loads.plus(('i',))} + {first} + n"
        is_there = f"{first} + n < {self.spell(self.scales.matrix.length)}"
        shift = "8 * n" if self.words == 1 else f"8 * (n % {WORD})"
        loaded = f"loaded_scale({name}_from, {place}, {is_there})"
        yield f"{INDENT * 2}{word} |= unsigned({loaded}) << {shift};"
        yield "}"

    def advance(self, when: str) -> Lines:
        """Move on to the next tile, if there is one."""
        yield f"{self._loads.name} += {when} ? {self.scales.of_tile} : 0;"

    def hand_over(self) -> Lines:
        """Move a lane's own scales of the tile that is multiplied next to where they are looked for."""
        yield from unrolled("i", self.scales.rounds)
        part, tile = f"{INDENT}{self.name}_part[i]", f"{self.name}_tile[i]"
        if self.words == 1:
            yield f"{part} = {tile} >> 8 * ({self._first_block});"
            return
        own = [
            f"__builtin_amdgcn_perm({tile}[{2 * n + 1}], {tile}[{2 * n}], {self.name}_own)"
            for n in range(self.held_words)
        ]
        words = ", ".join(own)
        yield f"{part} = {words if len(own) == 1 else f'{self.held}{{{words}}}'};"

    def of_instruction(self, index: str, step: int) -> str:
        """The byte and the register that an instruction takes, the one of this number along K."""
        if self.words == 1:
            return f"{self.scales.block(step)}, {self.name}_part[{index}]"
        word, byte = divmod(step, self._steps_of_word)
        register = f"{self.name}_part[{index}]" + (f"[{word}]" if self.held_words > 1 else "")
        return f"{byte}, {register}"
