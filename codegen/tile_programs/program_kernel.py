"""A tile program as a kernel: its HIP text, what must be true of it, and what it reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr

from layoutalg.claim import Claim
from layoutalg.codegen.claimed_access import ClaimedAccess, in_waves
from layoutalg.codegen.kernel import ArrayArgument, Kernel, Result, ScalarArgument
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.codegen.tile_programs.statement_text import StatementText
from layoutalg.codegen.tile_programs.window_places import WindowPlaces
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.properties import fits_integer, memory_bounds_map, vector_access_map
from layoutalg.rules.from_text import parse
from layoutalg.tile.tile_accesses import Access, AsyncLoad, Load, Store
from layoutalg.tile.tile_program import Pointer, Size, TileProgram
from layoutalg.tile.trace import Loop, Statement

__all__ = ["kernel_of_program"]

BUILT_IN = {"workgroup_x": "blockIdx.x", "workgroup_y": "blockIdx.y", "workgroup_z": "blockIdx.z"}


def kernel_of_program(program: TileProgram, target: str = "gfx942") -> Kernel:
    """The kernel that a tile program is on a GPU."""
    domain = _domain(program)
    text = StatementText(domain, target, program.block_size)
    body = list(text.body(program.statements))
    accesses = list(_accesses(program.statements, domain))
    return make_kernel(
        program.name,
        (program.function.__doc__ or program.name).strip().splitlines()[0],
        [_argument(program, name, accesses) for name in program.parameters],
        LaunchShape(program.extents, (program.block_size,), program.domain),
        SourceText(
            f"Tile program {program.name}, for {target}.",
            list(text.types.values()),
            [*_beginning(program, text), *body],
        ),
        claims=_claims(accesses),
        accesses=_claimed(accesses),
        reference=ProgramReference(program),
    )


def _domain(program: TileProgram) -> Domain:
    """Sizes and workgroups."""
    axes = zip(BUILT_IN, program.extents, strict=False)
    workgroups = [
        Variable(sympy.Symbol(name, integer=True, nonnegative=True), sympy.Integer(0), extent)
        for name, extent in axes
    ]
    return Domain((*program.domain.variables, *workgroups), program.domain.facts)


def _beginning(program: TileProgram, text: StatementText) -> Iterator[str]:
    """What a thread knows of itself, and the LDS."""
    yield "const int lane = threadIdx.x % 64;"
    yield "[[maybe_unused]] const int warp = threadIdx.x / 64;"
    for name, _ in zip(BUILT_IN, program.extents, strict=False):
        yield f"[[maybe_unused]] const int {name} = {BUILT_IN[name]};"
    for buffer in program.trace.lds:
        size = f"{buffer.kind.hip} {buffer.name}[{buffer.size}]"
        yield f"__shared__ __attribute__((aligned(16))) {size};"
    yield from text.scratch
    yield ""


@dataclass(frozen=True)
class Made:
    """An access of the program with the domain in which it is made, and its direction."""

    access: Access
    way: str
    domain: Domain
    turns: tuple[sympy.Symbol, ...]

    @property
    def places(self) -> WindowPlaces:
        return WindowPlaces(self.access, self.domain)


def _accesses(
    statements: Iterable[Statement], domain: Domain, turns: tuple[sympy.Symbol, ...] = ()
) -> Iterator[Made]:
    """Every access of a program, inside of loops too."""
    for statement in statements:
        match statement:
            case Loop():
                inner = Variable(statement.turn, sympy.Integer(0), statement.count)
                within = Domain((*domain.variables, inner), domain.facts)
                yield from _accesses(statement.body, within, (*turns, statement.turn))
            case Load():
                yield Made(statement.access, "load", domain, turns)
            case Store():
                yield Made(statement.access, "store", domain, turns)
            case AsyncLoad():
                yield Made(statement.source, "load", domain, turns)
                yield Made(statement.into, "store", domain, turns)


def _argument(program: TileProgram, name: str, accesses: list[Made]) -> ArrayArgument | ScalarArgument:
    kind = program.parameters[name]
    if isinstance(kind, Size):
        return ScalarArgument(name)
    return ArrayArgument(name, kind.kind, (_extent(program, name, kind, accesses),), is_output=kind.is_output)


def _extent(program: TileProgram, name: str, kind: Pointer, accesses: list[Made]) -> Expr:
    """The elements that a pointer points at: as declared, or those of the only view on it."""
    if kind.extent is not None:
        return as_expression(parse(str(kind.extent), program.domain))
    spaces = {
        as_expression(made.access.view.descriptor.element_space_size)
        for made in accesses
        if made.access.view.buffer.name == name
    }
    if len(spaces) != 1:
        hint = f"{name}: pointer(..., extent='M*K')"
        raise LayoutError(
            f"{program.name}: {name} has {len(spaces)} views: say how far it reaches", hint=hint
        )
    return spaces.pop()


def _claims(accesses: list[Made]) -> Iterator[Claim]:
    """In bounds where padding lets them be, in whole vectors, and offsets that an int holds."""
    for number, made in enumerate(accesses, start=1):
        places, view = made.places, made.access.view
        buffer = view.buffer
        word = f"{made.way} {number} of {buffer.name}"
        space = as_expression(buffer.size if buffer.space == "lds" else view.descriptor.element_space_size)
        yield memory_bounds_map(places.index_map, space, word)
        if places.scalars > 1:
            along = places.window.distribution.ys[places.window.vector_dim_y]
            yield from vector_access_map(places.index_map, along, places.scalars, word)
        yield fits_integer(places.index_map.outputs, places.index_map.domain, "int32", word)


def _claimed(accesses: list[Made]) -> Iterator[ClaimedAccess]:
    """What compiled code is held to."""
    for made in accesses:
        buffer = made.access.view.buffer
        room = buffer.size * buffer.kind.bytes if buffer.space == "lds" else None
        launch = in_waves({sympy.Symbol(name): built for name, built in BUILT_IN.items()})
        way: Any = made.way
        yield ClaimedAccess(buffer.name, way, buffer.kind, made.places.index_map, launch, made.turns, room)


@dataclass(frozen=True)
class ProgramReference:
    """What the program computes on NumPy."""

    program: TileProgram

    def __call__(self, arrays: Mapping[str, NDArray[Any]]) -> Result:
        given: dict[str, Any] = {name: arrays[name] for name in self.program.parameters}
        done = self.program.run(**given)
        return Result(done.outputs, {name: np.zeros_like(one, float) for name, one in done.outputs.items()})
