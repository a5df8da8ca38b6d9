"""The HIP text of a GEMM: addresses, the loop along K, matrix instructions, the store of C."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.kernels.gemm.accesses import GemmAccesses
from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.places import Strided
from layoutalg.codegen.kernels.gemm.schedule import Step
from layoutalg.codegen.kernels.gemm.tiles import BLOCK_M, BLOCK_N, GemmTiles, OperandTiles
from layoutalg.codegen.source import INDENT, indented, typedef, unrolled
from layoutalg.codegen.speller import Speller
from layoutalg.data_type import DataType

__all__ = ["GemmText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class GemmText:
    """The statements of the kernel and the types it declares."""

    tiles: GemmTiles

    @property
    def types(self) -> list[str]:
        """Declarations of vector types."""
        mma, result = self.config.instruction_row, self.config.result
        word, count = self.builtin.fragment
        lines = [
            "typedef unsigned piece __attribute__((ext_vector_type(4)));  // 16 bytes on their way",
            typedef(word, count, "fragment"),
        ]
        if self.config.k_per_lane > 1:
            lines.append(typedef(word, count * self.config.k_per_lane, "fragments"))
        if len(self.accesses.reads(self.tiles.a).lengths) > 2:
            at_once = int(self.tiles.a.read.distribution.y_lengths[-1])
            lines.append(typedef(self.config.kind.hip, at_once, "part"))
        lines.append(typedef(DataType.named(mma.type_d).hip, mma.elements_d, "accumulator"))
        if self.accesses.stored_at_once > 1:
            lines.append(typedef(result.hip, self.accesses.stored_at_once, "stored"))
        return lines

    def statements(self) -> list[str]:
        """The body of the kernel."""
        rounds = self.config.block.rounds
        return [
            *self._shared_memory(),
            "",
            f"const int lane = threadIdx.x % {self.config.lanes};",
            f"const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / {self.config.lanes});",
            "const int block_m = blockIdx.y;",
            "const int block_n = blockIdx.x;",
            "",
            *self._addresses(),
            "",
            f"accumulator acc[{rounds[0]}][{rounds[1]}] = {{}};",
            *self._pieces(),
            *self._steps(self.config.schedule.before),
            *self._loop(),
            "",
            *self._store_c(),
        ]

    @property
    def config(self) -> GemmConfig:
        return self.tiles.config

    @cached_property
    def accesses(self) -> GemmAccesses:
        return GemmAccesses(self.tiles)

    @cached_property
    def builtin(self) -> MatrixBuiltin:
        return MatrixBuiltin.of(self.config.instruction_row)

    @cached_property
    def spell(self) -> Speller:
        of_c = self.tiles.c.index_map()
        return Speller(of_c.domain.about(*self.tiles.c.distribution.ps, BLOCK_M, BLOCK_N))

    @property
    def operands(self) -> tuple[OperandTiles, OperandTiles]:
        return self.tiles.a, self.tiles.b

    @property
    def _has_two_buffers(self) -> bool:
        return self.config.schedule.buffers == 2

    def _shared_memory(self) -> Lines:
        buffers = "[2]" if self._has_two_buffers else ""
        for operand, size in zip(self.operands, self.tiles.lds_elements, strict=True):
            kind = f"__shared__ __attribute__((aligned(16))) {self.config.kind.hip}"
            yield f"{kind} {operand.name}_lds{buffers}[{size}];"

    def _addresses(self) -> Lines:
        """Where this thread loads, stores and reads at first; later addresses are constants further."""
        for operand in self.operands:
            name, found = operand.name, self.accesses.loads(operand)
            yield f"const {self.config.kind.hip}* {name}_next = {name} + ({self.spell(found.bases[0])});"
        for operand in self.operands:
            yield from self._declared(f"{operand.name}_store", self.accesses.stores(operand))
            yield from self._declared(f"{operand.name}_read", self.accesses.reads(operand))

    def _declared(self, name: str, found: Strided) -> Lines:
        """The addresses of accesses, and tables of the distances that do not grow evenly."""
        if len(found.bases) == 1:
            yield f"const int {name} = {self.spell(found.bases[0])};"
        else:
            yield f"const int {name}[{len(found.bases)}] = {{{', '.join(map(self.spell, found.bases))}}};"
        for axis, (gaps, stride) in enumerate(zip(found.gaps, found.strides, strict=True)):
            if stride is None:
                yield f"constexpr int {name}_at{axis}[{len(gaps)}] = {{{', '.join(map(self.spell, gaps))}}};"

    def _pieces(self) -> Lines:
        """The registers between global and shared memory."""
        for operand in self.operands:
            yield f"piece {operand.name}_tile[{self.accesses.loads(operand).lengths[0]}];"
        if self._has_two_buffers:
            yield "int now = 0;  // the buffer that is multiplied"

    def _loop(self) -> Lines:
        turn = self.config.schedule.turn
        yield f"for (int k = 0; k < K; k += {self.config.tile[2]}) {{"
        yield from indented(self._steps(turn))
        if self._has_two_buffers:
            yield f"{INDENT}now = 1 - now;"
        yield "}"

    def _steps(self, steps: Sequence[Step]) -> Lines:
        """The text of steps; those of the next tile only where there is one."""
        for step in steps:
            lines = getattr(self, f"_{step.what}")(step.ahead)
            if step.ahead:
                yield f"if (k + {self.config.tile[2]} < K) {{"
                yield from indented(lines)
                yield "}"
            else:
                yield from lines

    def _barrier(self, _ahead: int) -> Lines:
        yield "__syncthreads();"

    def _load(self, _ahead: int) -> Lines:
        for operand in self.operands:
            name, found = operand.name, self.accesses.loads(operand)
            yield from unrolled("i", found.lengths[0])
            place = f"{name}_next{self._plus(found, ('i',))}"
            yield f"{INDENT}{name}_tile[i] = *reinterpret_cast<const piece*>({place});"
        for operand in self.operands:
            yield f"{operand.name}_next += {self.config.tile[2]};"

    def _store(self, ahead: int) -> Lines:
        buffer = f"[{'1 - now' if ahead else 'now'}]" if self._has_two_buffers else ""
        for operand in self.operands:
            name, found = operand.name, self.accesses.stores(operand)
            yield from unrolled("i", found.lengths[0])
            place = f"{name}_lds{buffer} + {self._place(f'{name}_store', found, ('i',))}"
            yield f"{INDENT}*reinterpret_cast<piece*>({place}) = {name}_tile[i];"

    def _multiply(self, _ahead: int) -> Lines:
        config = self.config
        buffer = "[now]" if self._has_two_buffers else ""
        kind = "fragment" if config.k_per_lane == 1 else "fragments"
        yield from unrolled("kk", config.block.k_steps // config.k_per_lane, opens=True)
        for operand, count, letter in zip(self.operands, config.block.rounds, "ij", strict=True):
            name, found = operand.name, self.accesses.reads(operand)
            place = f"{name}_lds{buffer} + {self._place(f'{name}_read', found, (letter, 'kk', 'p'))}"
            yield f"{INDENT}{kind} {name}_part[{count}];"
            yield from indented(unrolled(letter, count))
            if math.prod(found.lengths[2:]) == 1:
                yield f"{INDENT * 2}{name}_part[{letter}] = *reinterpret_cast<const {kind}*>({place});"
            else:
                yield from indented(unrolled("p", found.lengths[2]), 2)
                into = f"reinterpret_cast<part*>(&{name}_part[{letter}])[p]"
                yield f"{INDENT * 3}{into} = *reinterpret_cast<const part*>({place});"
        for part in range(config.k_per_lane):
            yield from indented(self._products(part))
        yield "}"

    def _products(self, part: int) -> Lines:
        rows, columns = self.config.block.rounds
        first, second = self._part("a_part[i]", part), self._part("b_part[j]", part)
        if self.config.is_c_transposed:
            first, second = second, first
        yield from unrolled("i", rows)
        yield from indented(unrolled("j", columns))
        yield f"{INDENT * 2}acc[i][j] = {self.builtin.call(first, second, 'acc[i][j]')};"

    def _part(self, name: str, part: int) -> str:
        """What one instruction takes of a read that feeds several."""
        if self.config.k_per_lane == 1:
            return name
        _, count = self.builtin.fragment
        if count == 1:
            return f"{name}[{part}]"
        chosen = ", ".join(str(part * count + i) for i in range(count))
        return f"__builtin_shufflevector({name}, {name}, {chosen})"

    def _store_c(self) -> Lines:
        """Each lane stores what the instruction left it, neighbours of a row together where they are."""
        found, at_once, kind = self.accesses.results, self.accesses.stored_at_once, self.config.result.hip
        yield f"{kind}* c_first = c + ({self.spell(found.bases[0])});"
        names = ["i", "j", "g", "r"] if len(found.lengths) > 3 else ["i", "j", "r"]
        size, group = found.lengths[-1], f"{found.lengths[-1]} * g + " if len(found.lengths) > 3 else ""
        if at_once > 1:
            names.pop()
        for depth, (name, length) in enumerate(zip(names, found.lengths, strict=False)):
            yield from indented(unrolled(name, length), depth)
        place = f"c_first{self._plus(found, names)}"
        if at_once == 1:
            yield f"{INDENT * len(names)}*({place}) = ({kind})acc[i][j][{group}r];"
            return
        parts = ", ".join(f"({kind})acc[i][j][{group}{r}]" for r in range(size))
        yield f"{INDENT * len(names)}*reinterpret_cast<stored*>({place}) = stored{{{parts}}};"

    def _place(self, name: str, found: Strided, indices: Sequence[str]) -> str:
        chosen = ""
        for axis in found.choosers:
            index, length = indices[axis], found.lengths[axis]
            chosen = f"({chosen}) * {length} + {index}" if chosen else index
        return name + (f"[{chosen}]" if chosen else "") + self._plus(found, indices, name)

    def _plus(self, found: Strided, indices: Sequence[str], table: str = "") -> str:
        """What the indices add to an address."""
        terms = ""
        for axis, (stride, index) in enumerate(zip(found.strides, indices, strict=False)):
            if stride is None:
                terms += f" + {table}_at{axis}[{index}]"
            elif stride != 0:
                text = self.spell(stride)
                factor = text if stride.is_Symbol or stride.is_Integer else f"({text})"
                terms += f" + {index}" if stride == 1 else f" + {index} * {factor}"
        return terms
