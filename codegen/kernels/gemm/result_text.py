"""The text that stores C: from registers where the instruction left them, or through shared memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import M, N
from layoutalg.codegen.kernels.gemm.result_stage import PIECE, ROUND, STAGING_ORDER, ResultStage
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.text.source import indented, nested, typedef
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import Strided, StridedText, strided, strided_accesses
from layoutalg.data_type import DataType

__all__ = ["ResultText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class ResultText:
    """The statements after the loop along K: C, scaled if that is wanted, to global memory."""

    tiles: GemmTiles
    spell: Speller

    @property
    def config(self) -> GemmConfig:
        return self.tiles.config

    @property
    def kind(self) -> str:
        return self.config.result.hip

    @cached_property
    def held(self) -> StridedText:
        """Where C would be stored from registers, and where D is read."""
        window = self.tiles.held
        found = strided_accesses(
            window, window.index_map().outputs[0], (), (self.tiles.problem.matrices[2].step,)
        )
        return StridedText("c_held", found, self.spell)

    @cached_property
    def held_index(self) -> tuple[Strided, Strided]:
        """Row and column of the registers."""
        row, column = self.tiles.held.tensor_map().outputs
        return strided_accesses(self.tiles.held, row, ()), strided_accesses(self.tiles.held, column, ())

    @property
    def at_once(self) -> int:
        """Elements that one access of registers' neighbours moves."""
        found = self.held.found
        return found.lengths[-1] if found.strides[-1] == 1 else 1

    @property
    def names(self) -> list[str]:
        """Loops over the accesses of the registers of C: rounds along M and N, groups, single registers."""
        names = ["i", "j", "g", "r"] if len(self.held.found.lengths) > 3 else ["i", "j", "r"]
        return names[:-1] if self.at_once > 1 else names

    def types(self) -> Lines:
        if self.at_once > 1:
            yield typedef(self.kind, self.at_once, "stored")
        if self.tiles.stage:
            yield typedef(self.kind, self.config.stored_at_once, "row")

    def store(self) -> Lines:
        """From accumulators to global memory."""
        if self.config.has_scale:
            yield f"const {self.kind}* d_first = d + ({self.spell(self.held.found.bases[0])});"
        yield from self._staged() if self.tiles.stage else self._direct()

    def _direct(self) -> Lines:
        yield f"{self.kind}* c_first = c + ({self.spell(self.held.found.bases[0])});"
        place = f"c_first{self.held.plus(self.names)}"
        body = [*self._of_d(), f"{self._access(place)} = {self._value()};"]
        if self.config.has_tails:
            yield from self._bounds("held", self.held_index)
            body = [f"if ({self._is_inside('held', self.held_index, self.names)}) {{"]
            body += [*indented([*self._of_d(), f"{self._access(place)} = {self._value()};"]), "}"]
        yield from nested(self._loops(self.names), body)

    def _staged(self) -> Lines:
        """Piece by piece: what all waves hold goes to LDS, then whole rows go from there to C."""
        stage = self.tiles.stage
        assert stage is not None
        writes, reads, stores = (
            StridedText(name, found, self.spell)
            for name, found in zip(("c_write", "c_read", "c_first"), _staged_accesses(stage), strict=True)
        )
        if self.tiles.stages_in_a:
            yield f"{self.kind}* c_lds = reinterpret_cast<{self.kind}*>(a_lds);  // done with A"
        else:
            size = int(stage.write.descriptor.element_space_size)
            yield f"__shared__ __attribute__((aligned(16))) {self.kind} c_lds[{size}];"
        yield from writes.declaration()
        yield from reads.declaration()
        yield f"{self.kind}* c_first = c + ({self.spell(stores.found.bases[0])});"
        index = _stored_index(stage)
        if self.config.has_tails:
            if self.config.has_scale:
                yield from self._bounds("held", self.held_index)
            yield from self._bounds("row", index)
        lines = {
            "barrier": ["__syncthreads();"],
            "store": list(self._into_lds(stage, writes)),
            "read": list(self._out_of_lds(stage, reads, stores, index)),
        }
        body = [line for step in STAGING_ORDER.turn for line in lines[step.what]]
        yield from nested(_loops_of(stage), body)

    def _into_lds(self, stage: ResultStage, writes: StridedText) -> Lines:
        """What a wave holds of a piece, to its place in LDS."""
        loops = [(name, stage.fragments if name == "j" else n) for name, n in self._loops(self.names)[1:]]
        names = [name for name, _ in loops]
        place = self._access(f"c_lds + {writes.address(names)}")
        column = "j" if stage.pieces == 1 else f"p * {stage.fragments} + j"
        yield from nested(loops, [*self._of_d(column), f"{place} = {self._value(column)};"])

    def _out_of_lds(
        self, stage: ResultStage, reads: StridedText, stores: StridedText, index: Sequence[Strided]
    ) -> Lines:
        """Whole rows of a piece, from LDS to C."""
        names = [*(name for name, _ in _loops_of(stage)), "s"]
        target, source = f"c_first{stores.plus(names)}", f"c_lds + {reads.address(('s',))}"
        line = f"*reinterpret_cast<row*>({target}) = *reinterpret_cast<const row*>({source});"
        if self.config.has_tails:
            line = f"if ({self._is_inside('row', index, names)}) {line}"
        yield from nested([("s", reads.found.lengths[0])], [line])

    def _loops(self, names: Sequence[str]) -> list[tuple[str, int]]:
        return list(zip(names, self.held.found.lengths, strict=False))

    def _access(self, place: str) -> str:
        return f"*({place})" if self.at_once == 1 else f"*reinterpret_cast<stored*>({place})"

    def _of_d(self, column: str = "j") -> list[str]:
        """D at the place of the registers; nothing where there is none. ``column``: the fragment along N."""
        if not self.config.has_scale:
            return []
        names = [f"({column})" if name == "j" != column else name for name in self.names]
        place = f"d_first{self.held.plus(names)}"
        if self.config.has_tails and self.config.stages_result:
            place = f"{self._is_inside('held', self.held_index, names)} ? {place} : d"
        kind = self.kind if self.at_once == 1 else "stored"
        return [f"const {kind} of_d = *reinterpret_cast<const {kind}*>({place});"]

    def _value(self, column: str = "j") -> str:
        """What one access stores, of the fragment in this ``column``."""
        size = self.held.found.lengths[-1]
        group = f"{size} * g + " if len(self.held.found.lengths) > 3 else ""
        if self.at_once == 1:
            return self._element(f"acc[i][{column}][{group}r]", "of_d")
        parts = (self._element(f"acc[i][{column}][{group}{r}]", f"of_d[{r}]") for r in range(size))
        return f"stored{{{', '.join(parts)}}}"

    def _element(self, sum_: str, of_d: str) -> str:
        if not self.config.has_scale:
            return f"({self.kind}){sum_}"
        factor = DataType.named(self.config.factor).hip
        return f"({self.kind})(alpha * {sum_} + beta * ({factor}){of_d})"

    def _bounds(self, name: str, index: Sequence[Strided]) -> Lines:
        for part in self._index(name, index):
            yield from part.declaration()

    def _is_inside(self, name: str, index: Sequence[Strided], names: Sequence[str]) -> str:
        """Whether an access is of an element that C has."""
        row, column = (part.address(names) for part in self._index(name, index))
        return f"{row} < {M} && {column} < {N}"

    def _index(self, name: str, index: Sequence[Strided]) -> list[StridedText]:
        return [
            StridedText(f"{name}_{what}", found, self.spell)
            for what, found in zip(("m", "n"), index, strict=True)
        ]


def _staged_accesses(stage: ResultStage) -> tuple[Strided, Strided, Strided]:
    """C through shared memory: written (within a piece), read, and stored by piece and vector."""
    write = strided_accesses(stage.write, stage.write.index_map().outputs[0], (0,))
    read = strided_accesses(stage.read, stage.read.index_map().outputs[0], (-1,))
    return write, read, _by_piece(stage, stage.store.index_map().outputs[0])


def _stored_index(stage: ResultStage) -> tuple[Strided, Strided]:
    """Row and column of what is stored, by piece and vector."""
    row, column = stage.store.tensor_map().outputs
    return _by_piece(stage, row), _by_piece(stage, column)


def _loops_of(stage: ResultStage) -> list[tuple[str, int]]:
    """The loops over the pieces of C."""
    return [("i", stage.rounds)] + ([("p", stage.pieces)] if stage.pieces > 1 else [])


def _by_piece(stage: ResultStage, value: Expr) -> Strided:
    window = stage.store
    (y, vector), lengths = window.distribution.ys, window.distribution.y_lengths
    value = value.xreplace({vector: sympy.Integer(0)})
    domain = window.index_map().domain
    uniform = [parameter.symbol for parameter in domain.parameters]
    counters = (ROUND, PIECE)[: len(_loops_of(stage))]
    counts = [count for _, count in _loops_of(stage)]
    return strided(value, (*counters, y), (*counts, int(lengths[0])), domain, uniform)
