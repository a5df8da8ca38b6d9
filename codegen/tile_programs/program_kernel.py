"""A tile program as a kernel: its HIP text, what must be true of it, and what it reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, in_waves
from layoutalg.codegen.kernel import ArrayArgument, Kernel, Result, ScalarArgument
from layoutalg.codegen.text.make_kernel import LaunchShape, SourceText, make_kernel
from layoutalg.codegen.tile_programs.statement_text import StatementText
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.index.node import as_expression
from layoutalg.machine import Target
from layoutalg.machine.target import TARGETS
from layoutalg.rules.from_text import parse
from layoutalg.tile.access_maps import MadeAccess, accesses_of, launch_domain
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.program_claims import program_claims
from layoutalg.tile.reductions import ReduceWaves
from layoutalg.tile.tile_program import Pointer, Scalar, Size, TileProgram

__all__ = ["kernel_of_program"]

ALIGNED = 16  # bytes, of each array in the LDS
BUILT_IN = {"workgroup_x": "blockIdx.x", "workgroup_y": "blockIdx.y", "workgroup_z": "blockIdx.z"}


def kernel_of_program(program: TileProgram, target: str = "gfx942") -> Kernel:
    """The kernel that a tile program is on a GPU.

    Refused: waves of other than 64 lanes, and more LDS than a workgroup can have there.
    """
    _require_lanes(program, target)
    text = StatementText(launch_domain(program), target, program.block_size)
    body = list(text.body(program.statements))
    _require_room(program, text)
    accesses = accesses_of(program)
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
        claims=program_claims(program),
        accesses=_claimed(program, text, accesses),
        reference=ProgramReference(program),
    )


def _require_lanes(program: TileProgram, target: str) -> None:
    lanes = Target.named(target).wave_size
    if lanes != LANES:
        msg = f"{program.name}: a tile program is for waves of {LANES} lanes, a wave of {target} has {lanes}"
        fitting = ", ".join(name for name, row in TARGETS.items() if row.wave_size == LANES)
        raise LayoutError(msg, hint=f"GPUs with such waves are {fitting}")


def _arrays(program: TileProgram, text: StatementText) -> Iterator[tuple[str, DataType, int]]:
    """The arrays in the LDS: name, type, elements."""
    for buffer in program.trace.lds:
        yield buffer.name, buffer.kind, int(buffer.size)
    for name, joined in text.scratch.items():
        yield name, joined.tile.kind, program.block_size // LANES * joined.tile.thread_buffer_size


def _require_room(program: TileProgram, text: StatementText) -> None:
    room = Target.named(text.target).lds_bytes_per_workgroup
    sizes = {
        name: -(-count * kind.bytes // ALIGNED) * ALIGNED for name, kind, count in _arrays(program, text)
    }
    if sum(sizes.values()) > room:
        every = ", ".join(f"{name} {size}" for name, size in sizes.items())
        msg = f"{program.name}: wanted at most {room} bytes of LDS, which a workgroup of {text.target} has"
        raise LayoutError(f"{msg}, got {sum(sizes.values())}: {every}")


def _beginning(program: TileProgram, text: StatementText) -> Iterator[str]:
    """What a thread knows of itself, and the LDS."""
    yield "const int lane = threadIdx.x % 64;"
    yield "[[maybe_unused]] const int warp = threadIdx.x / 64;"
    for name, _ in zip(BUILT_IN, program.extents, strict=False):
        yield f"[[maybe_unused]] const int {name} = {BUILT_IN[name]};"
    for name, kind, count in _arrays(program, text):
        yield f"__shared__ __attribute__((aligned({ALIGNED}))) {kind.hip} {name}[{count}];"
    yield ""


def _argument(program: TileProgram, name: str, accesses: list[MadeAccess]) -> ArrayArgument | ScalarArgument:
    kind = program.parameters[name]
    if isinstance(kind, Size):
        return ScalarArgument(name)
    if isinstance(kind, Scalar):
        return ScalarArgument(name, kind.kind.name)
    return ArrayArgument(name, kind.kind, (_extent(program, name, kind, accesses),), is_output=kind.is_output)


def _extent(program: TileProgram, name: str, kind: Pointer, accesses: list[MadeAccess]) -> Expr:
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


def _claimed(
    program: TileProgram, text: StatementText, accesses: list[MadeAccess]
) -> Iterator[ClaimedAccess]:
    """What compiled code is held to."""
    launch = in_waves({sympy.Symbol(name): built for name, built in BUILT_IN.items()})
    for made in accesses:
        buffer, places = made.access.view.buffer, made.index_map
        room = buffer.size * buffer.kind.bytes if buffer.space == "lds" else None
        turns = tuple(turn for turn in made.turns if turn.name in places.domain.names)
        yield ClaimedAccess(buffer.name, made.way, buffer.kind, places, launch, turns, room)
    for name, joined in text.scratch.items():
        yield from _through_lds(joined, name, program.block_size // LANES, launch)


def _through_lds(
    joined: ReduceWaves, name: str, waves: int, launch: Mapping[str, Expr]
) -> Iterator[ClaimedAccess]:
    """First lanes store what they hold; all threads load what the waves of their group stored."""
    tile, count = joined.tile, joined.tile.thread_buffer_size
    domain = Domain.of({"lane": LANES, "warp": waves, "i": count, "other": joined.count})
    lane, warp, i, other = (domain[axis] for axis in ("lane", "warp", "i", "other"))
    room = waves * count * tile.kind.bytes
    stored = IndexMap(domain.only(lane, warp, i), (count * warp + i,), (sympy.Eq(lane, 0),))
    first = joined.count * FloorDiv.unchecked(warp, sympy.Integer(joined.count))
    loaded = IndexMap(domain, (count * (first + other) + i,))
    yield ClaimedAccess(name, "store", tile.kind, stored, launch, room=room)
    yield ClaimedAccess(name, "load", tile.kind, loaded, launch, room=room)


@dataclass(frozen=True)
class ProgramReference:
    """What the program computes on NumPy."""

    program: TileProgram

    def __call__(self, arrays: Mapping[str, NDArray[Any]]) -> Result:
        given: dict[str, Any] = {name: arrays[name] for name in self.program.parameters}
        done = self.program.run(**given)
        return Result(done.outputs, {name: np.zeros_like(one, float) for name, one in done.outputs.items()})
