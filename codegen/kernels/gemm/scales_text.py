"""The text of block scales: loaded with a tile, handed over where that is stored, named by instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy

from layoutalg.codegen.kernels.gemm.block_scales import OperandScales
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K
from layoutalg.codegen.text.source import INDENT, typedef, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import StridedText, strided_accesses

__all__ = ["ScalesText"]

Lines = Iterator[str]
WORD = 4  # scales in a register
NARROW = {1: "unsigned char", 2: "unsigned short"}  # than a word


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
        """Registers that a lane's scales of a row take."""
        return max(1, self.scales.of_tile // WORD)

    @property
    def held(self) -> str:
        """Their type."""
        return "unsigned" if self.words == 1 else f"{self.name}_words"

    @cached_property
    def _loads(self) -> StridedText:
        window = self.scales.loads
        offset = window.index_map().outputs[0].xreplace({TILE: sympy.Integer(0)})
        return StridedText(f"{self.name}_next", strided_accesses(window, offset, (-1,), (K,)), self.spell)

    def types(self) -> Lines:
        if self.words > 1:
            yield typedef("unsigned", self.words, self.held)

    def addresses(self) -> Lines:
        """Where this thread loads at first."""
        base = self.spell(self._loads.found.bases[0])
        yield f"const unsigned char* {self._loads.name} = {self.name} + ({base});"

    def registers(self) -> Lines:
        """Those of the tile that is loaded, and those of two tiles that are multiplied."""
        rounds, sets = self.scales.rounds, self.scales.config.schedule.buffers
        yield f"{self.held} {self.name}_tile[{rounds}];"
        yield f"{self.held} {self.name}_part[{sets}][{rounds}];"

    def load(self) -> Lines:
        """Load those of a tile, of one row a round."""
        yield from unrolled("i", self.scales.rounds)
        kind = NARROW.get(self.scales.of_tile, self.held)
        place = f"{self._loads.name}{self._loads.plus(('i',))}"
        yield f"{INDENT}{self.name}_tile[i] = *reinterpret_cast<const {kind}*>({place});"

    def advance(self) -> Lines:
        yield f"{self._loads.name} += left > 0 ? {self.scales.of_tile} : 0;"

    def hand_over(self, part: str) -> Lines:
        """Shift a lane's own block to where it is looked for, in the set of its tile."""
        rows = self.scales.config.lanes // self.scales.of_instruction
        yield from unrolled("i", self.scales.rounds)
        yield f"{INDENT}{self.name}_part{part}[i] = {self.name}_tile[i] >> 8 * (lane / {rows});"

    def of_instruction(self, part: str, index: str, step: int) -> str:
        """The byte and the register that an instruction takes, the one of this number along K."""
        word, byte = divmod(step * self.scales.of_instruction, WORD)
        register = f"{self.name}_part{part}[{index}]" + (f"[{word}]" if self.words > 1 else "")
        return f"{byte}, {register}"
