"""The text of one operand on its way: from global memory to registers, to shared memory, to fragments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy

from layoutalg.codegen.kernels.gemm.buffer_access import BEYOND
from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K
from layoutalg.codegen.kernels.gemm.tiles import OperandTiles
from layoutalg.codegen.kernels.gemm.turned_bytes import ROWS
from layoutalg.codegen.text.source import INDENT, indented, typedef, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import StridedText, of_lanes_and_of_all, strided_accesses
from layoutalg.distribution import TileWindow

__all__ = ["OperandText"]

Lines = Iterator[str]
FIRST_TILE = {TILE: sympy.Integer(0)}


@dataclass(frozen=True)
class OperandText:
    """The statements that move A or B; ``rounds``: the fragments that a wave has of it along its rows."""

    operand: OperandTiles
    config: GemmConfig
    rounds: int
    spell: Speller

    @property
    def name(self) -> str:
        return self.operand.name

    @cached_property
    def loads(self) -> StridedText:
        """Loads of the first tile along K, by number of the piece, its round and its k; then by part."""
        whole = self.operand.whole
        return self._loads_through(whole.window if whole else self.operand.load, f"{self.name}_next")

    @cached_property
    def loads_of_last(self) -> StridedText:
        """The same as the last tile is loaded, where it comes before all others."""
        return self._loads_through(self.operand.load, f"{self.name}_last")

    def _loads_through(self, window: TileWindow, name: str) -> StridedText:
        offset = window.index_map().outputs[0].xreplace(FIRST_TILE)
        found = strided_accesses(window, offset, (-1,), (K, self.operand.matrix.step))
        return StridedText(name, found, self.spell)

    @cached_property
    def stores(self) -> StridedText:
        """Stores by number of the 16 bytes; where rows are neighbours in memory by round and row."""
        window, fixed = self.operand.store, (-2,) if self.operand.is_turned else (-1,)
        found = strided_accesses(window, window.index_map().outputs[0], fixed)
        return StridedText(f"{self.name}_store", found, self.spell)

    @cached_property
    def reads(self) -> StridedText:
        """Reads by round along the rows, step along K, and the pieces in which a read comes.

        Compilers move pieces as whole vectors only where they see in the address that they are.
        """
        window = self.operand.read
        of_one_read = window.distribution.y_lengths[2:]
        multiple = int(of_one_read[-1]) if len(of_one_read) > 1 else 1
        found = strided_accesses(window, window.index_map().outputs[0], (-1,), multiple=multiple)
        return StridedText(f"{self.name}_read", found, self.spell)

    @property
    def stored_k(self) -> int:
        """Neighbours along K that one store to shared memory moves."""
        return self.operand.stored_along[1]

    @property
    def turns_bytes(self) -> bool:
        """Whether neighbours along K come together four rows of four bytes at a time."""
        is_in_words = self.at_once % ROWS == 0 and self.stored_k % ROWS == 0
        return self.operand.is_turned and self.config.kind.bytes == 1 and is_in_words

    @property
    def pieces(self) -> int:
        """In how many pieces one read comes."""
        return math.prod(self.reads.found.lengths[2:])

    @property
    def _of_piece(self) -> tuple[str, ...]:
        """Which piece it is along each axis of a read: where runs along K come in pieces there are two."""
        lengths = self.reads.found.lengths[2:]
        if len(lengths) < 2:
            return ("p",) * len(lengths)
        _, rest = lengths
        return f"(p / {rest})", f"(p % {rest})"

    @property
    def at_once(self) -> int:
        """Elements of a piece: what one lane has together on the way."""
        return self.config.carried_at_once(self.operand.rows.name)

    @property
    def parts(self) -> int:
        """In how many loads a piece comes."""
        return self.at_once // self.config.loaded_at_once(self.operand.rows.name)

    @property
    def parts_there(self) -> int:
        """In how many it comes where the matrix may end in it."""
        return self.at_once // self.config.there_at_once(self.operand.rows.name)

    @property
    def has_own_pieces(self) -> bool:
        """Whether pieces of the other operand are others, or come in other loads."""
        sizes = ((self.config.carried_at_once(rows), self.config.there_at_once(rows)) for rows in "MN")
        return len(set(sizes)) > 1

    @property
    def piece(self) -> str:
        """The type of what one lane has together on the way to shared memory."""
        return f"{self.name}_piece" if self.has_own_pieces else "piece"

    @property
    def load_type(self) -> str:
        """The type of what one load brings where the matrix may end."""
        return self.piece if self.parts_there == 1 else f"{self.piece}_part"

    @property
    def loaded(self) -> str:
        """The function that loads what may lie past an end."""
        return f"loaded_{self.name}" if self.has_own_pieces else "loaded"

    def types(self) -> Lines:
        """Declarations of vector types that only this operand needs."""
        if self.has_own_pieces:
            yield from self.types_of_piece()
        if self.turns_bytes:
            yield typedef("unsigned", self.stored_k // ROWS, f"{self.name}_column")
        elif self.operand.is_turned and self.stored_k > 1:
            yield typedef(self.config.kind.hip, self.stored_k, f"{self.name}_column")

    def types_of_piece(self) -> Lines:
        """Declarations of what is moved at once, and of what is loaded at once."""
        moved = self.at_once * self.config.kind.bytes
        yield typedef(self.config.kind.hip, self.at_once, self.piece) + f"  // {moved} bytes on their way"
        if self.parts_there > 1:
            yield typedef(self.config.kind.hip, self.at_once // self.parts_there, self.load_type)

    def load_function(self) -> Lines:
        """The function that loads what may lie past an end."""
        if self.operand.buffer_loads:
            yield from self.operand.buffer_loads.load_function(self.load_type, self.loaded)
            return
        kind, piece = self.config.kind.hip, self.load_type
        yield f"// What lies past the end counts as 0; {kind} at the beginning are read in its place."
        yield f"__device__ {piece} {self.loaded}(const {kind}* place, const {kind}* begin, bool is_inside)"
        yield "{"
        yield f"{INDENT}const {piece} found = *reinterpret_cast<const {piece}*>(is_inside ? place : begin);"
        yield f"{INDENT}return is_inside ? found : {piece}{{}};"
        yield "}"

    def shared_memory(self) -> Lines:
        config = self.config
        buffers = f"[{config.schedule.buffers}]" if config.schedule.buffers > 1 else ""
        size = int(self.operand.lds.element_space_size)
        yield f"__shared__ __attribute__((aligned(16))) {config.kind.hip} {self.name}_lds{buffers}[{size}];"

    def addresses(self) -> Lines:
        """Where this thread loads, stores and reads at first; later addresses are constants further."""
        base, bounded = self.spell(self.loads.found.bases[0]), self.operand.buffer_loads
        if bounded:
            place = f"const_cast<{self.config.kind.hip}*>({self.name})"
            yield bounded.resource(f"{self.name}_from", place, self.spell(self.operand.matrix.space))
            if self.operand.whole:
                of_lanes, of_all = map(self.spell, of_lanes_and_of_all(self.loads.found.bases[0]))
                yield f"const int {self.name}_first = {of_lanes};"
                yield f"int {self.name}_next = {of_all};  // of all lanes, for the tile that is loaded next"
            else:
                yield f"int {self.name}_next = {base};"
        else:
            yield f"const {self.config.kind.hip}* {self.name}_next = {self.name} + ({base});"
        for part, _ in self.asked:
            yield from part.declaration()
        yield from self.stores.declaration()
        yield from self.reads.declaration()

    def registers(self) -> Lines:
        """The registers between global and shared memory, and fragments that outlive a turn."""
        yield f"{self.piece} {self.name}_tile[{self.loads.count // self.parts}];"
        yield from self.fragments()
        if self.config.counts_whole_tiles:
            yield f"unsigned {self.name}_place;"

    def fragments(self) -> Lines:
        """Fragments that outlive a turn."""
        if self.config.schedule.reads_ahead:
            sets, steps = self.config.schedule.fragments, self.config.reads_of_tile
            of_part = "" if self.config.schedule.parts > 1 else f"[{steps}]"
            yield f"{self.fragment} {self.name}_part[{sets}]{of_part}[{self.rounds}];"

    @property
    def fragment(self) -> str:
        """The type of what one lane reads at once."""
        return "fragment" if self.config.k_per_lane == 1 else "fragments"

    @property
    def asked(self) -> tuple[tuple[StridedText, str], ...]:
        """The indices that are asked whether they are inside, each with how its condition goes on.

        Through a buffer resource that is the index in a row of memory; k, too, where tiles past a part of a
        split K are those of the next part.
        """
        if not self.config.has_tails:
            return ()
        is_of_part = self.config.split_k > 1 and not self.operand.whole
        (row, k), end = self.index, "k_end" if is_of_part else "K"
        begin = "k_last" if self.operand.whole else "k_next"
        of_row, of_k = (row, f" < {self.operand.rows}"), (k, f" + {begin} < {end}")
        if self.operand.buffer_loads is None:
            return of_row, of_k
        if self.operand.is_k_first:
            return (of_k,)
        return (of_row, of_k) if is_of_part else (of_row,)

    def load(self, _buffer: str = "") -> Lines:
        """Load this thread's share of a tile to registers: no buffer of shared memory yet."""
        if not self.operand.whole:
            yield from self._load(self.loads)
            return
        of_lane = f"{self.config.kind.bytes}u * {self.name}_first"
        if self.config.counts_whole_tiles:
            yield self.place_of_tile_left()
            of_lane = f"{self.name}_place"
        names = self._names(self.loads)
        yield from self._loops(self.loads, names)
        place = f"{self.loads.name}{self.loads.plus(names)}"
        loaded = self.operand.whole.access.load_of_whole_tiles(
            self.piece, f"{self.name}_from", of_lane, place
        )
        yield f"{INDENT * len(names)}{self._loaded_to(self.loads, names)} = {loaded};"

    def place_of_tile_left(self) -> str:
        """The statement that sends loads beyond all memory where no whole tile is left."""
        first, beyond = f"{self.config.kind.bytes}u * {self.name}_first", f"0x{BEYOND:x}u"
        return f"{self.name}_place = left > 0 ? {first} : {beyond};"

    def load_last(self) -> Lines:
        """Load this thread's share of the last tile, what is there of it."""
        yield self.place_of_last()
        yield from self._load(self.loads_of_last)

    def place_of_last(self) -> str:
        """The declaration of where this thread's share of the last tile begins."""
        first = f"{self.name}_first + {self.name}_next"
        return f"const int {self.loads_of_last.name} = {first} + {self._steps_to_last};"

    @property
    def _steps_to_last(self) -> str:
        """From the first tile along K to the last one, in elements of memory."""
        return "k_last" if self.operand.is_k_first else f"k_last * {self.spell(self.operand.matrix.step)}"

    def _load(self, loads: StridedText) -> Lines:
        """Loads of what may lie past an end, if something may."""
        names = self._names(loads)
        yield from self._loops(loads, names)
        place = f"{loads.name}{loads.plus(names)}"
        register, depth = self._loaded_to(loads, names), INDENT * len(names)
        if not self.config.has_tails:
            yield f"{depth}{register} = *reinterpret_cast<const {self.load_type}*>({place});"
            return
        memory = f"{self.name}_from, {place}" if self.operand.buffer_loads else f"{place}, {self.name}"
        yield f"{depth}{register} = {self.loaded}({memory}, {self.is_inside(names)});"

    def is_inside(self, names: Sequence[str]) -> str:
        """The condition of a load of what may lie past an end."""
        return " && ".join(f"{part.address(names)}{rest}" for part, rest in self.asked)

    @cached_property
    def index(self) -> tuple[StridedText, StridedText]:
        """Row and k of this thread's loads of the first tile."""
        window = self.operand.load
        row, k = (
            strided_accesses(window, index.xreplace(FIRST_TILE), (-1,))
            for index in window.tensor_map().outputs
        )
        return StridedText(f"{self.name}_row", row, self.spell), StridedText(f"{self.name}_k", k, self.spell)

    def advance(self) -> Lines:
        """Move the address on to the next tile; after the last tile it stays, if it must not pass the end."""
        step = "tile_k" if self.operand.is_k_first else f"tile_k * {self.spell(self.operand.matrix.step)}"
        moves = f"left > 0 ? {step} : 0" if self.config.stays_at_last_tile else step
        yield f"{self.name}_next += {moves};"

    def store(self, buffer: str) -> Lines:
        """Store what was loaded to shared memory, neighbours along K together."""
        if self.turns_bytes:
            yield from self._store_turned(buffer)
            return
        names = self._names(self.stores)
        yield from self._loops(self.stores, names)
        place = f"{self.name}_lds{buffer} + {self.stores.address(names)}"
        depth = INDENT * len(names)
        if not self.operand.is_turned:
            piece = f"{self.name}_tile[{self._flat(self.stores, names)}]"
            yield f"{depth}*reinterpret_cast<{self.piece}*>({place}) = {piece};"
            return
        count = self.stored_k
        of_piece = f"[{names[1]}]" if self.at_once > 1 else ""
        row = [f"{self.name}_tile[{names[0]} * {count} + {k}]{of_piece}" for k in range(count)]
        if count == 1:
            yield f"{depth}{self.name}_lds{buffer}[{self.stores.address(names)}] = {row[0]};"
        else:
            kind = f"{self.name}_column"
            yield f"{depth}*reinterpret_cast<{kind}*>({place}) = {kind}{{{', '.join(row)}}};"

    def _store_turned(self, buffer: str) -> Lines:
        """The same of bytes whose rows are neighbours in memory, four rows of four bytes at a time."""
        rounds, _ = self.stores.found.lengths
        yield from unrolled("i", rounds)
        yield from indented(unrolled("w", self.at_once // ROWS, opens=True))
        groups, column = range(0, self.stored_k, ROWS), f"{self.name}_column"
        for number, first in enumerate(groups):
            pieces = (f"{self.name}_tile[i * {self.stored_k} + {first + k}]" for k in range(ROWS))
            rows = ", ".join(f"reinterpret_cast<const unsigned*>(&{piece})[w]" for piece in pieces)
            yield f"{INDENT * 2}const turned_words by_row_{number} = turned({rows});"
        yield from indented(unrolled("r", ROWS), 2)
        place = f"{self.name}_lds{buffer} + {self.stores.address(('i', f'({ROWS} * w + r)'))}"
        words = ", ".join(f"by_row_{number}[r]" for number in range(len(groups)))
        yield f"{INDENT * 3}*reinterpret_cast<{column}*>({place}) = {column}{{{words}}};"
        yield f"{INDENT}}}"

    def read(self, buffer: str, into: str, step: str) -> Lines:
        """Read the fragments of one step along K from shared memory."""
        place = f"{self.name}_lds{buffer} + {self.reads.address(('i', step, *self._of_piece))}"
        yield from unrolled("i", self.rounds)
        if self.operand.held:
            yield from indented(unrolled("p", self.pieces))
            yield f"{INDENT * 2}reinterpret_cast<column*>(&{into}[i])[p] = read_transposed({place});"
        elif self.pieces == 1:
            yield f"{INDENT}{into}[i] = *reinterpret_cast<const {self.fragment}*>({place});"
        else:
            yield from indented(unrolled("p", self.pieces))
            part = f"reinterpret_cast<part*>(&{into}[i])[p]"
            read = self.config.read_at_once(self.operand.rows.name)
            taken = self.config.instruction_row.elements_a
            if taken % read and read % taken:  # a piece that ends inside an operand is not to be cut there
                place = f"__builtin_assume_aligned({place}, {read * self.config.kind.bytes})"
            yield f"{INDENT * 2}{part} = *reinterpret_cast<const part*>({place});"

    def part(self, name: str, part: int) -> str:
        """What one instruction takes of a read that feeds several."""
        if self.config.k_per_lane == 1:
            return name
        _, count = MatrixBuiltin.of(self.config.instruction_row).fragment
        if count == 1:
            return f"{name}[{part}]"
        chosen = ", ".join(str(part * count + i) for i in range(count))
        return f"__builtin_shufflevector({name}, {name}, {chosen})"

    def _loaded_to(self, loads: StridedText, names: Sequence[str]) -> str:
        """The register that a load fills: a piece, or a part of one."""
        *of_piece, part = names if self._is_in_parts(loads) else (*names, "")
        piece = f"{self.name}_tile[{self._flat(loads, of_piece)}]"
        return f"reinterpret_cast<{self.load_type}*>(&{piece})[{part}]" if part else piece

    def _names(self, of: StridedText) -> tuple[str, ...]:
        """Names of the indices: piece and row or k in it; of loads the part of a piece, if there are some."""
        parts = ("p",) if self._is_in_parts(of) else ()
        return ("i", "r")[: len(of.found.lengths) - len(parts)] + parts

    def _is_in_parts(self, of: StridedText) -> bool:
        """Whether these are loads of which several fill a piece."""
        return (of is self.loads and self.parts > 1) or (of is self.loads_of_last and self.parts_there > 1)

    @staticmethod
    def _loops(of: StridedText, names: tuple[str, ...]) -> Lines:
        for depth, (name, length) in enumerate(zip(names, of.found.lengths, strict=True)):
            yield from indented(unrolled(name, length), depth)

    @staticmethod
    def _flat(of: StridedText, names: Sequence[str]) -> str:
        """The indices as one, the last fastest."""
        return names[0] if len(names) == 1 else f"{names[0]} * {of.found.lengths[1]} + {names[1]}"
