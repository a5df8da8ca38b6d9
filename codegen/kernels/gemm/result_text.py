"""The text that stores C: from registers where the instruction left them, or through shared memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS
from layoutalg.codegen.kernels.gemm.gemm_problem import M, N
from layoutalg.codegen.kernels.gemm.result_stage import PIECE, ROUND, STAGING_ORDER, ResultStage
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.text.source import declared, nested, typedef
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import Strided, StridedText, strided, strided_accesses
from layoutalg.data_type import DataType

__all__ = ["ResultText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class ResultText:
    """The statements after the loop along K: what becomes of C, to global memory."""

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

    @cached_property
    def staged(self) -> tuple[Strided, Strided, Strided]:
        """C through shared memory: written (within a piece), read, and stored by piece and vector."""
        stage = self.tiles.stage
        assert stage is not None
        write = strided_accesses(stage.write, stage.write.index_map().outputs[0], (0,))
        read = strided_accesses(stage.read, stage.read.index_map().outputs[0], (-1,))
        return write, read, _by_piece(stage, stage.store.index_map().outputs[0])

    @property
    def at_once(self) -> int:
        """Elements that one access of registers' neighbours moves."""
        found = self.held.found
        return found.lengths[-1] if found.strides[-1] == 1 else 1

    @property
    def names(self) -> list[str]:
        """Loops over the accesses of the registers of C: rounds along M and N, then groups, single ones."""
        count = len(self.held.found.lengths) - 2
        names = ["i", "j", *("g", "q", "r")[:count]]
        return names[:-1] if self.held.found.lengths[-1] == self.at_once else names

    def types(self) -> Lines:
        if self.at_once > 1:
            yield typedef(self.kind, self.at_once, "stored")
        if self.tiles.stage:
            yield typedef(self.kind, self.config.stored_at_once, "row")

    @property
    def held_type(self) -> str:
        """The type of what an access of the registers moves."""
        return self.kind if self.at_once == 1 else "stored"

    def functions(self) -> Lines:
        """What an epilogue calls; what stores C and loads beside it where the hardware looks after ends."""
        yield from self.config.becomes.definitions(self.factor)
        stores, kind = self.config.buffer_stores, "row" if self.tiles.stage else self.held_type
        if stores and self.config.adds_atomically:
            yield from stores.add_function("add_result")
        elif self.tiles.row_ends:
            yield from self.tiles.row_ends.functions(kind, "store_result")
        elif stores:
            yield from stores.store_function(kind, "store_result")
        made: set[str] = set()
        for array in self.config.becomes.arrays:
            access, name = self.config.buffer_loads_beside(array), self._loaded(array)
            if access and name not in made:
                made.add(name)
                yield from access.load_function(self._type_beside(array), name)

    @property
    def factor(self) -> str:
        """The type in which an epilogue computes."""
        return DataType.named(self.config.factor).hip

    def _type_beside(self, array: str) -> str:
        """The type of what one access moves of an array that the epilogue reads."""
        return self.held_type if "n" in ARRAYS[array] else self.kind

    @staticmethod
    def _loaded(array: str) -> str:
        """The function that loads of such an array."""
        return "loaded_d" if "n" in ARRAYS[array] else "loaded_one"

    def store(self) -> Lines:
        """From accumulators to global memory."""
        yield from self._begins()
        yield from self._staged() if self.tiles.stage else self._direct()

    def _begins(self) -> Lines:
        """Where this thread stores C and loads D at first; the vectors beside them."""
        stored, beside = self.staged[2] if self.tiles.stage else self.held.found, self.config.becomes.arrays
        firsts = dict.fromkeys(self.config.becomes.outputs, stored.bases)
        firsts |= {"d": self.held.found.bases} if "d" in beside else {}
        for name, bases in firsts.items():
            const = "const " if name == "d" else ""
            if not self.config.buffer_stores:
                places = (f"{name} + ({self.spell(base)})" for base in bases)
                yield declared(f"{const}{self.kind}*", f"{name}_first", places)
                continue
            array = f"const_cast<{self.kind}*>({name})" if name == "d" else name
            begin, space = self.tiles.problem.part_begin, self.spell(self.tiles.problem.part_space)
            place = array if begin == 0 else f"{array} + {self.spell(begin)}"
            yield self.config.buffer_stores.resource(f"{name}_memory", place, space)
            places = (self.spell(sympy.expand(base - begin)) for base in bases)
            yield declared("const int", f"{name}_first", places)
        for name in beside:
            access = self.config.buffer_loads_beside(name)
            if access and name != "d":
                size = self.spell(M if ARRAYS[name] == "m" else N)
                yield access.resource(f"{name}_memory", f"const_cast<{self.kind}*>({name})", size)

    def _direct(self) -> Lines:
        yield from self._bounds("held", self.held_index)
        body = list(self._beside(self.config.becomes.outputs))
        for output in self.config.becomes.outputs:
            place, value = _place(output, self.held, self.names), self._value(output)
            body += self._stores(output, place, value, "held", self.held_index, self.names)
        yield from nested(self._loops(self.names), body)

    def _stores(
        self,
        output: str,
        place: str,
        value: str,
        name: str,
        index: Sequence[Strided],
        names: Sequence[str],
    ) -> list[str]:
        """The store of a value, if its place is one of the output's."""
        if self.config.buffer_stores:
            asked = self._left_in_row if self.tiles.row_ends else self._is_inside
            stores = "add_result" if self.config.adds_atomically else "store_result"
            return [f"{stores}({value}, {output}_memory, {place}, {asked(name, index, names)});"]
        kind = "row" if name == "row" else self.held_type
        line = f"*reinterpret_cast<{kind}*>({place}) = {value};"
        if self.config.adds_atomically:
            added = "unsafeAtomicAdd" if self.config.result.numpy.startswith("float") else "atomicAdd"
            line = f"{added}({place}, {value});"
        is_asked = self.config.has_tails
        return [f"if ({self._is_inside(name, index, names)}) {line}" if is_asked else line]

    def _staged(self) -> Lines:
        """Piece by piece: what all waves hold goes to LDS, then whole rows go from there to an output."""
        stage = self.tiles.stage
        assert stage is not None
        writes, reads, stores = (
            StridedText(name, found, self.spell)
            for name, found in zip(("c_write", "c_read", "c_first"), self.staged, strict=True)
        )
        if self.tiles.stages_in_a:
            first = "a_lds[0]" if self.config.schedule.copies else "a_lds"
            yield f"{self.kind}* c_lds = reinterpret_cast<{self.kind}*>({first});  // done with A"
        else:
            size = int(stage.write.descriptor.element_space_size)
            yield f"__shared__ __attribute__((aligned(16))) {self.kind} c_lds[{size}];"
        yield from writes.declaration()
        yield from reads.declaration()
        index = _stored_index(stage)
        if self.config.becomes.arrays:
            yield from self._bounds("held", self.held_index)
        yield from self._bounds("row", index)
        body: list[str] = []
        for output in self.config.becomes.outputs:
            lines = {
                "barrier": ["__syncthreads();"],
                "store": list(self._into_lds(stage, writes, output)),
                "read": list(self._out_of_lds(stage, reads, stores, index, output)),
            }
            body += [line for step in STAGING_ORDER.turn for line in lines[step.what]]
        yield from nested(_loops_of(stage), body)

    def _into_lds(self, stage: ResultStage, writes: StridedText, output: str) -> Lines:
        """What a wave holds of a piece, to its place in LDS."""
        loops = [(name, stage.fragments if name == "j" else n) for name, n in self._loops(self.names)[1:]]
        names = [name for name, _ in loops]
        place = self._access(f"c_lds + {writes.address(names)}")
        column = "j" if stage.pieces == 1 else f"p * {stage.fragments} + j"
        yield from nested(
            loops, [*self._beside([output], column), f"{place} = {self._value(output, column)};"]
        )

    def _out_of_lds(
        self,
        stage: ResultStage,
        reads: StridedText,
        stores: StridedText,
        index: Sequence[Strided],
        output: str,
    ) -> Lines:
        """Whole rows of a piece, from LDS to an output."""
        of_rows = list(zip("st", reads.found.lengths, strict=False))
        of_thread = [name for name, _ in of_rows]
        names = [*(name for name, _ in _loops_of(stage)), *of_thread]
        target = _place(output, stores, names)
        source = f"c_lds + {reads.address(of_thread)}"
        value = f"*reinterpret_cast<const row*>({source})"
        stored = self._stores(output, target, value, "row", index, names)
        yield from nested(of_rows, stored)

    def _loops(self, names: Sequence[str]) -> list[tuple[str, int]]:
        return list(zip(names, self.held.found.lengths, strict=False))

    def _access(self, place: str) -> str:
        return f"*({place})" if self.at_once == 1 else f"*reinterpret_cast<stored*>({place})"

    def _beside(self, outputs: Sequence[str], column: str = "j") -> Lines:
        """What outputs are made of at the place of the registers. ``column``: the fragment along N."""
        names = [f"({column})" if name == "j" != column else name for name in self.names]
        row, across = (part.address(names) for part in self._index("held", self.held_index))
        for array in self.config.becomes.arrays_of(*outputs):
            along = ARRAYS[array]
            place = {"m": row, "n": across, "mn": _place("d", self.held, names)}[along]
            is_inside = f"{row} < {M}" if along == "m" else f"{across} < {N}"
            if along == "mn":
                is_inside = self._is_inside("held", self.held_index, names)
            kind = self._type_beside(array)
            if self.config.buffer_loads_beside(array):
                loaded = f"{self._loaded(array)}({array}_memory, {place}, {is_inside})"
            else:
                place = place if along == "mn" else f"{array} + ({place})"
                place = f"{is_inside} ? {place} : {array}" if self.config.has_tails else place
                loaded = f"*reinterpret_cast<const {kind}*>({place})"
            yield f"const {kind} of_{array} = {loaded};"

    def _value(self, output: str, column: str = "j") -> str:
        """What one access stores, of the fragment in this ``column``."""
        names, lengths = self.names[2:], self.held.found.lengths[2:]
        place = _flat(names, lengths[: len(names)])
        if len(names) == len(lengths) or self.at_once == 1:
            return self._element(output, f"acc[i][{column}][{place}]")
        first = _flat((*names, ""), lengths) if names else ""
        sums = (f"acc[i][{column}][{first}{r}]" for r in range(self.at_once))
        parts = (self._element(output, sum_, f"[{r}]") for r, sum_ in enumerate(sums))
        return f"stored{{{', '.join(parts)}}}"

    def _element(self, output: str, sum_: str, number: str = "") -> str:
        """What an output gets of a sum; ``number``: of it among those that are moved at once."""
        becomes = self.config.becomes
        if becomes.is_plain:
            return f"({self.kind}){sum_}"
        values = {name: name for name in becomes.scalars} | {"c": sum_}
        for array in becomes.arrays:
            values[array] = f"({self.factor})of_{array}{number if 'n' in ARRAYS[array] else ''}"
        suffix = "f" if self.config.factor == "f32" else ""
        return f"({self.kind})({becomes.text(values, suffix, output)})"

    def _bounds(self, name: str, index: Sequence[Strided]) -> Lines:
        """Row and column of what is accessed, where something is asked or read by them."""
        row, column = self._index(name, index)
        vectors = {ARRAYS[array] for array in self.config.becomes.arrays} if name == "held" else set()
        if "m" in vectors or (self.config.has_tails and not self.config.has_buffers):
            yield from row.declaration()
        if "n" in vectors or self.config.has_tails:
            yield from column.declaration()

    def _is_inside(self, name: str, index: Sequence[Strided], names: Sequence[str]) -> str:
        """Whether an access is of an element that C has, or what the hardware does not ask of that."""
        row, column = (part.address(names) for part in self._index(name, index))
        return f"{column} < {N}" if self.config.has_buffers else f"{row} < {M} && {column} < {N}"

    def _left_in_row(self, name: str, index: Sequence[Strided], names: Sequence[str]) -> str:
        """How many elements a row of C has left from the first on that is accessed."""
        _, column = self._index(name, index)
        return f"{N} - ({column.address(names)})"

    def _index(self, name: str, index: Sequence[Strided]) -> list[StridedText]:
        return [
            StridedText(f"{name}_{what}", found, self.spell)
            for what, found in zip(("m", "n"), index, strict=True)
        ]


def _flat(names: Sequence[str], lengths: Sequence[int]) -> str:
    """Indices as one, the last fastest.

    >>> _flat(("g", "r"), (4, 4)), _flat(("g", "q", "r"), (4, 2, 2)), _flat((), ())
    ('4 * g + r', '2 * (2 * g + q) + r', '0')
    """
    place = ""
    for name, length in zip(names, lengths, strict=True):
        factor = place if place.isidentifier() else f"({place})"
        place = f"{length} * {factor} + {name}" if place else name
    return place or "0"


def _stored_index(stage: ResultStage) -> tuple[Strided, Strided]:
    """Row and column of what is stored, by piece and vector."""
    row, column = stage.store.tensor_map().outputs
    return _by_piece(stage, row), _by_piece(stage, column)


def _loops_of(stage: ResultStage) -> list[tuple[str, int]]:
    """The loops over the pieces of C."""
    return [("i", stage.rounds)] + ([("p", stage.pieces)] if stage.pieces > 1 else [])


def _by_piece(stage: ResultStage, value: Expr) -> Strided:
    window = stage.store
    (*ys, vector), (*lengths, _) = window.distribution.ys, window.distribution.y_lengths
    value = value.xreplace({vector: sympy.Integer(0)})
    domain = window.index_map().domain
    uniform = [parameter.symbol for parameter in domain.parameters]
    counters = (ROUND, PIECE)[: len(_loops_of(stage))]
    counts = [count for _, count in _loops_of(stage)]
    return strided(value, (*counters, *ys), (*counts, *map(int, lengths)), domain, uniform)


def _place(array: str, accesses: StridedText, names: Sequence[str]) -> str:
    """Where an access is made of an array, from where this thread begins there."""
    return replace(accesses, name=f"{array}_first").address(names)
