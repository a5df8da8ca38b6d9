"""The HIP text of a GEMM: types, functions, addresses; the loop along K and the store of C follow.

>>> stores = GemmText(GemmTiles(GemmConfig())).operands[0].stores
>>> stores.found.bases, stores.found.strides
((8*lane + 512*warp,), (2048,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.direct_text import DirectOperandText
from layoutalg.codegen.kernels.gemm.loop_text import LoopText
from layoutalg.codegen.kernels.gemm.operand_text import OperandText
from layoutalg.codegen.kernels.gemm.result_text import ResultText
from layoutalg.codegen.kernels.gemm.scales_text import ScalesText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, OperandTiles
from layoutalg.codegen.kernels.gemm.transposed_reads import transposing_read
from layoutalg.codegen.kernels.gemm.turned_bytes import turned_bytes
from layoutalg.codegen.text.source import typedef
from layoutalg.codegen.text.speller import Speller
from layoutalg.data_type import DataType

__all__ = ["GemmText"]


@dataclass(frozen=True)
class GemmText:
    """The text of a GEMM: the types and functions it declares, and its statements."""

    tiles: GemmTiles

    @property
    def types(self) -> list[str]:
        """Declarations of vector types."""
        mma = self.config.instruction_row
        word, count = self.builtin.fragment
        a = self.operands[0]
        lines = [] if a.has_own_pieces else [*a.types_of_piece()]
        lines += [line for part in self.loop.parts for line in part.types()]
        lines.append(typedef(word, count, "fragment"))
        if self.config.k_per_lane > 1:
            lines.append(typedef(word, count * self.config.k_per_lane, "fragments"))
        for one in self.read_in_pieces[:1]:  # both are in pieces of as many words, that move as such
            width = int(one.read.distribution.y_lengths[-1])
            lines.append(typedef(word, count * width // mma.elements_a, "part"))
        lines.append(typedef(DataType.named(mma.type_d).hip, mma.elements_d, "accumulator"))
        return [*lines, *self.result.types()]

    @property
    def read_in_pieces(self) -> list[OperandTiles]:
        """Operands whose fragments are read in several pieces, and as they lie."""
        return [one.operand for one in self.operands if one.pieces > 1 and not one.operand.held]

    @property
    def functions(self) -> list[str]:
        """What the kernel calls."""
        turns = turned_bytes() if any(operand.turns_bytes for operand in self.operands) else []
        if any(one.operand.held for one in self.operands):
            turns += transposing_read(self.config.kind)
        if not self.config.has_tails:
            return [*turns, *self.result.functions()]
        a, b = self.operands
        of_b = b.load_function() if b.has_own_pieces else ()
        of_scales = self.scales[0].functions() if self.scales else ()
        return [*turns, *a.load_function(), *of_b, *of_scales, *self.result.functions()]

    def statements(self) -> list[str]:
        """The body of the kernel."""
        rounds = self.config.block.rounds
        return [
            *(line for operand in self.operands for line in operand.shared_memory()),
            "",
            f"const int lane = threadIdx.x % {self.config.lanes};",
            f"const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / {self.config.lanes});",
            *self.tiles.problem.order.declarations(self.tiles.problem.sizes),
            *self.moved_to_batch(),
            "",
            *(line for part in self.loop.parts for line in part.addresses()),
            "",
            f"accumulator acc[{rounds[0]}][{rounds[1]}] = {{}};",
            *(line for part in self.loop.parts for line in part.registers()),
            *self.loop.statements(),
            "",
            *self.result.store(),
        ]

    def moved_to_batch(self) -> Iterator[str]:
        """Each array from where the matrix of this product begins, told in 64 bits."""
        begins = {operand.name: operand.begin for operand in (self.tiles.a, self.tiles.b)}
        becomes = self.config.becomes
        begins |= dict.fromkeys(becomes.outputs, self.tiles.result_begin)
        begins |= {"d": self.tiles.result_begin} if "d" in becomes.arrays else {}
        yield from (f"{name} += {self.spell(begin)};" for name, begin in begins.items() if begin != 0)

    @property
    def config(self) -> GemmConfig:
        return self.tiles.config

    @cached_property
    def builtin(self) -> MatrixBuiltin:
        return MatrixBuiltin.of(self.config.instruction_row)

    @cached_property
    def spell(self) -> Speller:
        domain = self.tiles.held.index_map().domain
        blocks = self.tiles.problem.order.launch
        return Speller(domain.about(*self.tiles.held.distribution.ps, *blocks))

    @cached_property
    def operands(self) -> tuple[OperandText, OperandText]:
        rounds = self.config.block.rounds
        made = DirectOperandText if self.config.schedule.copies else OperandText
        return (
            made(self.tiles.a, self.config, rounds[0], self.spell),
            made(self.tiles.b, self.config, rounds[1], self.spell),
        )

    @cached_property
    def scales(self) -> tuple[ScalesText, ...]:
        """Those of A and of B, if there are some."""
        return tuple(ScalesText(scales, self.spell) for scales in self.tiles.scales)

    @cached_property
    def loop(self) -> LoopText:
        return LoopText(self.tiles.problem, self.operands, self.scales, self.spell)

    @cached_property
    def result(self) -> ResultText:
        return ResultText(self.tiles, self.spell)
