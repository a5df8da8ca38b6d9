"""Statements of a tile program as HIP, one kind after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy

from layoutalg.codegen.text.source import INDENT, indented, nested
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.tile_programs.element_text import constant_text, converted_text, element_text
from layoutalg.codegen.tile_programs.matrix_calls import MatrixCalls
from layoutalg.codegen.tile_programs.window_places import WindowPlaces, spelled
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistribution
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.tile.access_maps import MadeAccess
from layoutalg.tile.elements import Element
from layoutalg.tile.elementwise import Elementwise
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.reductions import ReduceLanes, ReduceThreads, ReduceWaves
from layoutalg.tile.shuffles import Rearrange
from layoutalg.tile.tensors import Assign, SetElement, SetTile, SetTileIf, StaticDistributedTensor
from layoutalg.tile.tile_accesses import Access, AsyncLoad, BlockSync, Load, Store
from layoutalg.tile.tile_gemm import BlockGemm
from layoutalg.tile.trace import Loop, Statement
from layoutalg.tile.warp_gemm import WarpGemm

__all__ = ["StatementText", "tiles_of"]

Lines = Iterator[str]


def tiles_of(statement: Statement) -> list[StaticDistributedTensor]:
    """The tiles that a statement is about."""
    if isinstance(statement, Loop):
        return [tile for inner in statement.body for tile in tiles_of(inner)]
    parts = [
        getattr(statement, name, None)
        for name in ("tile", "target", "source", "other", "c", "a", "b", "index")
    ]
    parts += getattr(statement, "sources", ())
    return [part for part in parts if isinstance(part, StaticDistributedTensor)]


@dataclass
class StatementText:
    """The text of a program's statements; ``domain`` declares sizes, workgroups and open turns.

    ``scratch``: arrays in the LDS through which waves hand over what their first lanes hold, by name.
    """

    domain: Domain
    target: str
    block_size: int
    types: dict[str, str] = field(default_factory=dict)
    scratch: dict[str, ReduceWaves] = field(default_factory=dict)
    turns: list[sympy.Symbol] = field(default_factory=list)

    def body(self, statements: Iterable[Statement], depth: int = 0) -> Lines:
        """Declarations of the tiles of a body, and its statements."""
        every = list(statements)
        here = {t.number: t for s in every for t in tiles_of(s) if len(t.scope) == depth}
        for number in sorted(here):
            tile = here[number]
            yield f"{tile.kind.hip} t{number}[{tile.thread_buffer_size}];"
        for statement in every:
            yield from self.text(statement, depth)

    def text(self, statement: Statement, depth: int) -> Lines:
        """One statement."""
        if isinstance(statement, Loop):
            yield from self._loop(statement, depth)
            return
        written = TEXTS.get(type(statement))
        if written is None:
            raise LayoutError(f"tile program: no HIP for {type(statement).__name__}")
        yield from written(self, statement)

    def _loop(self, loop: Loop, depth: int) -> Lines:
        turn, count = loop.turn.name, Speller(self.domain)(loop.count)
        outer = self.domain
        inner = Variable(loop.turn, sympy.Integer(0), loop.count)
        self.domain = Domain((*outer.variables, inner), outer.facts)
        self.turns.append(loop.turn)
        yield f"for (int {turn} = 0; {turn} < {count}; ++{turn}) {{"
        yield from indented(self.body(loop.body, depth + 1))
        yield "}"
        self.turns.pop()
        self.domain = outer

    # --- memory

    def _places(self, access: Access) -> WindowPlaces:
        return WindowPlaces(MadeAccess(access, "load", self.domain, tuple(self.turns)))

    def _vector(self, kind: DataType, count: int) -> str:
        if count == 1:
            return kind.hip
        self.types[kind.vector(count)] = kind.declare_vector(count)
        return kind.vector(count)

    def _at(
        self, access: Access, places: WindowPlaces, const: str = "", name: str = "at"
    ) -> tuple[list[str], str]:
        """The declaration of a window's address under this name, and a vector there."""
        buffer = access.view.buffer
        address = places.address(name)
        declared = address.declared("const int")
        where, turning = address.at, places.turning_text
        if places.scalars == 1:
            first = f"({buffer.name} + ({where}))[{turning[3:]}]" if turning else f"{buffer.name}[{where}]"
            return declared, first
        vector = self._vector(buffer.kind, places.scalars)
        return declared, f"*reinterpret_cast<{const}{vector}*>({buffer.name} + ({where}){turning})"

    def load(self, statement: Load) -> Lines:
        access, tile = statement.access, statement.tile
        places = self._places(access)
        declared, found = self._at(access, places, "const ")
        conditions = places.conditions if statement.is_checked else []
        vector = self._vector(tile.kind, places.scalars)
        invalid = self._constant(access.view.invalid_element_value or 0, tile.kind)
        nothing = f"({vector})({invalid})" if places.scalars > 1 else invalid
        value = f"{spelled(conditions)} ? {found} : {nothing}" if conditions else found
        if statement.accesses is not None or (statement.is_raw and conditions):
            raise LayoutError(
                "tile program: single accesses and raw loads of padded views run on NumPy alone"
            )
        body = [f"const {vector} moved = {value};", *self._spread(tile, places, "{held} = {moved};")]
        yield from _block([*declared, *_nested(places.counted, body)])

    def store(self, statement: Store) -> Lines:
        access, tile = statement.access, statement.tile
        places = self._places(access)
        declared, found = self._at(access, places)
        vector = self._vector(tile.kind, places.scalars)
        conditions = places.conditions
        if statement.operation == "atomic_add":
            if tile.kind.name not in ("f32", "i32"):
                raise LayoutError(f"tile program: no atomic addition of {tile.kind.name} in kernels")
            offset = places.address().at + places.turning_text
            body = [
                f"atomicAdd({access.view.buffer.name} + ({offset}) + {number}, {held});"
                for number, held in enumerate(self._held(tile, places))
            ]
            wrapped = [f"if ({spelled(conditions)}) {{", *indented(body), "}"] if conditions else body
        else:
            put = f"{found} = moved;"
            body = [f"{vector} moved;", *self._spread(tile, places, "{moved} = {held};")]
            wrapped = [*body, f"if ({spelled(conditions)}) {put}" if conditions else put]
        yield from _block([*declared, *_nested(places.counted, wrapped)])

    def _held(self, tile: StaticDistributedTensor, places: WindowPlaces) -> list[str]:
        """The elements of a vector in the thread buffer."""
        begin, stride = places.place, places.scalar_stride
        return [
            f"t{tile.number}[{begin}{f' + {number * stride}' if number else ''}]"
            for number in range(places.scalars)
        ]

    def _spread(self, tile: StaticDistributedTensor, places: WindowPlaces, pattern: str) -> list[str]:
        """Elements of a vector and of the thread buffer, one to one."""
        if places.scalars == 1:
            return [pattern.format(held=self._held(tile, places)[0], moved="moved")]
        step = "" if places.scalar_stride == 1 else f" * {places.scalar_stride}"
        line = pattern.format(held=f"t{tile.number}[{places.place} + e{step}]", moved="moved[e]")
        return list(nested([("e", places.scalars)], [line]))

    def async_load(self, statement: AsyncLoad) -> Lines:
        source, into = map(self._places, (statement.source, statement.into))
        if source.conditions or source.counted != into.counted or source.scalars != into.scalars:
            raise LayoutError(
                "tile program: async_load_tile of windows that differ, or padded, runs on NumPy alone"
            )
        declared, found = self._at(statement.source, source, "const ")
        more, put = self._at(statement.into, into, name="put")
        yield from _block([*declared, *more, *_nested(source.counted, [f"{put} = {found};"])])

    def sync(self, _: BlockSync) -> Lines:
        yield "__syncthreads();"

    # --- elements

    def _element(self, value: Element, leaves: dict[Any, str], kind: DataType) -> str:
        named = leaves | {leaf: self._leaf(leaf) for leaf in value.leaves if leaf not in leaves}
        return converted_text(element_text(value, named, kind), value.kind, kind)

    def _leaf(self, leaf: Any) -> str:
        if leaf[0] == "coordinate":
            _, distribution, place, dimension = leaf
            return self._coordinate(distribution, place, dimension)
        if leaf[0] == "index":
            return f"({Speller(self.domain)(leaf[1])})"
        if leaf[0] == "scalar":
            return str(leaf[1])
        number, place = leaf
        return f"t{number}[{place}]"

    def _coordinate(self, distribution: TileDistribution, place: int, dimension: int) -> str:
        lengths = [*map(int, distribution.y_lengths)]
        ys = []
        for length in reversed(lengths):
            ys.append(place % length)
            place //= length
        named = dict(zip(distribution.ys, reversed(ys), strict=True))
        value = distribution.x[dimension].xreplace(named)
        return f"({Speller(distribution.domain)(value)})"

    def elementwise(self, statement: Elementwise) -> Lines:
        count = statement.target.thread_buffer_size
        leaves = {number: f"t{tile.number}[i]" for number, tile in enumerate(statement.sources)}
        value = self._element(statement.value, leaves, statement.target.kind)
        yield from _nested([("i", count)], [f"t{statement.target.number}[i] = {value};"])

    @staticmethod
    def _constant(value: float, kind: DataType) -> str:
        """A number that a tile is set to."""
        if kind.name == "bf16":
            return converted_text(constant_text(float(value), DataType.named("f32")), None, kind)
        return constant_text(value, kind)

    def set_tile(self, statement: SetTile) -> Lines:
        tile = statement.tile
        line = f"t{tile.number}[i] = {self._constant(statement.value, tile.kind)};"
        yield from _nested([("i", tile.thread_buffer_size)], [line])

    def set_tile_if(self, statement: SetTileIf) -> Lines:
        tile = statement.tile
        for place in range(tile.thread_buffer_size):
            leaves: dict[Any, str] = {
                ("x", number): self._coordinate(tile.distribution, place, number)
                for number in range(len(tile.lengths))
            }
            leaves |= {leaf: self._leaf(leaf) for leaf in statement.predicate.leaves - leaves.keys()}
            condition = element_text(statement.predicate, leaves)
            yield f"if ({condition}) t{tile.number}[{place}] = {self._constant(statement.value, tile.kind)};"

    def set_element(self, statement: SetElement) -> Lines:
        value = self._element(statement.value, {}, statement.tile.kind)
        yield f"t{statement.tile.number}[{statement.place}] = {value};"

    def assign(self, statement: Assign) -> Lines:
        tile, other = statement.tile, statement.other
        value = converted_text(f"t{other.number}[i]", other.kind, tile.kind)
        yield from _nested([("i", tile.thread_buffer_size)], [f"t{tile.number}[i] = {value};"])

    def rearrange(self, statement: Rearrange) -> Lines:
        target, source = statement.target, statement.source
        begin = statement.places[0]
        is_run = statement.places == tuple(
            (begin[0] + number, begin[1] + number) for number in range(len(statement.places))
        )
        if is_run and len(statement.places) > 1:
            names = [
                f"t{one.number}[{at} + i]" if at else f"t{one.number}[i]"
                for one, at in zip((target, source), begin, strict=True)
            ]
            value = converted_text(names[1], source.kind, target.kind)
            yield from _nested([("i", len(statement.places))], [f"{names[0]} = {value};"])
            return
        for place, other in statement.places:
            value = converted_text(f"t{source.number}[{other}]", source.kind, target.kind)
            yield f"t{target.number}[{place}] = {value};"

    # --- reductions

    def reduce_threads(self, statement: ReduceThreads) -> Lines:
        if statement.index is not None:
            raise LayoutError("tile program: reductions with indices run on NumPy alone")
        target, source = statement.target, statement.source
        for place, others in statement.steps:
            values = [converted_text(f"t{source.number}[{one}]", source.kind, target.kind) for one in others]
            leaves = dict(enumerate([f"t{target.number}[{place}]", *values]))
            yield f"t{target.number}[{place}] = {self._element(statement.function, leaves, target.kind)};"

    def reduce_lanes(self, statement: ReduceLanes) -> Lines:
        if statement.index is not None:
            raise LayoutError("tile program: reductions with indices run on NumPy alone")
        tile = statement.tile
        held = f"t{tile.number}[i]"
        for distance in statement.distances:
            lane = f"lane ^ {distance}" if statement.by_xor else f"(lane + {distance}) % {LANES}"
            body = [f"const {tile.kind.hip} other = {_shuffled(held, lane, tile.kind)};"]
            value = self._element(statement.function, {0: held, 1: "other"}, tile.kind)
            yield from _nested([("i", tile.thread_buffer_size)], [*body, f"{held} = {value};"])
        if statement.owners and statement.distances:
            first = f"lane & {LANES - 1 & ~sum(statement.distances)}"
            line = f"{held} = {_shuffled(held, first, tile.kind)};"
            yield from _nested([("i", tile.thread_buffer_size)], [line])

    def reduce_waves(self, statement: ReduceWaves) -> Lines:
        tile, count = statement.tile, statement.tile.thread_buffer_size
        name = f"first_lanes_{len(self.scratch)}"
        self.scratch[name] = statement
        yield "if (lane == 0)"
        yield from indented(_nested([("i", count)], [f"{name}[warp * {count} + i] = t{tile.number}[i];"]))
        yield "__syncthreads();"
        first = f"warp / {statement.count} * {statement.count}"
        body = [f"{tile.kind.hip} joined = {name}[({first}) * {count} + i];"]
        for number in range(1, statement.count):
            leaves = {0: "joined", 1: f"{name}[({first} + {number}) * {count} + i]"}
            body.append(f"joined = {self._element(statement.function, leaves, tile.kind)};")
        yield from _nested([("i", count)], [*body, f"t{tile.number}[i] = joined;"])
        yield "__syncthreads();"

    def warp_gemm(self, statement: WarpGemm) -> Lines:
        tiles = (statement.a, statement.b, statement.c)
        kinds, (a, b, c) = [tile.kind for tile in tiles], (tile.number for tile in tiles)
        calls = MatrixCalls.of(kinds, [tile.distribution for tile in tiles], self.target)
        text = calls.text(self._vector, kinds, (f"t{c}[e]", f"t{a}[{{n}}]", f"t{b}[{{n}}]"))
        yield from _block([*text.first, *text.product, *text.last])

    def block_gemm(self, statement: BlockGemm) -> Lines:
        c, a, b = statement.parts
        kinds = [part.tile.kind for part in (a, b, c)]
        calls = MatrixCalls.of(kinds, [part.warp for part in (a, b, c)], self.target)
        elements = [
            f"t{part.tile.number}[({one} * {part.repetitions[1]} + {other}) * {part.size} + {place}]"
            for part, one, other, place in ((c, "i", "j", "e"), (a, "i", "k", "{n}"), (b, "j", "k", "{n}"))
        ]
        text = calls.text(self._vector, kinds, elements)
        steps = list(nested([("k", a.repetitions[1])], ["{", *indented(text.product), "}"]))
        loops = [("i", c.repetitions[0]), ("j", c.repetitions[1])]
        yield from nested(loops, [*text.first, *steps, *text.last])


def _shuffled(held: str, lane: str, kind: DataType) -> str:
    """What another lane holds."""
    if kind.bits >= 32:
        return f"__shfl({held}, {lane})"
    return f"({kind.hip})__shfl((float){held}, {lane})"


def _nested(loops: list[tuple[str, int]], body: list[str]) -> Lines:
    """Statements in loops, or alone where there is one turn: in braces if they declare something."""
    kept = [(name, count) for name, count in loops if count > 1]
    if kept:
        yield from nested(kept, body)
        return
    alone = [line.replace("[i]", "[0]").replace("+ i]", "+ 0]") for line in body] if loops else body
    yield from _block(alone) if loops and len(alone) > 1 else alone


def _block(lines: list[str]) -> Lines:
    """Statements with names of their own."""
    yield "{"
    yield from (INDENT + line for line in lines)
    yield "}"


TEXTS: dict[type, Callable[[StatementText, Any], Lines]] = {
    Load: StatementText.load,
    Store: StatementText.store,
    AsyncLoad: StatementText.async_load,
    BlockSync: StatementText.sync,
    Elementwise: StatementText.elementwise,
    SetTile: StatementText.set_tile,
    SetTileIf: StatementText.set_tile_if,
    SetElement: StatementText.set_element,
    Assign: StatementText.assign,
    Rearrange: StatementText.rearrange,
    ReduceThreads: StatementText.reduce_threads,
    ReduceLanes: StatementText.reduce_lanes,
    ReduceWaves: StatementText.reduce_waves,
    WarpGemm: StatementText.warp_gemm,
    BlockGemm: StatementText.block_gemm,
}
