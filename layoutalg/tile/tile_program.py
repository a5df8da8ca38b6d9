"""Tile programs: functions in CK Tile's words, written down once, then run, proved and compiled.

>>> import numpy as np
>>> from layoutalg.tile import (
...     load_tile, make_naive_tensor_view_packed, make_tile_window, pointer, store_tile, tile_program,
... )
>>> import layoutalg as la
>>> rows = la.make_static_tile_distribution(la.TileDistributionEncoding(
...     (), ((16,), (4, 4)), ((1, 2),), ((0, 0),), (2,), (1,)
... ))
>>> @tile_program(block_size=64)
... def copy(x: pointer("f32"), y: pointer("f32", is_output=True)):
...     views = [make_naive_tensor_view_packed(buffer, (16, 16), 4) for buffer in (x, y)]
...     source, target = (make_tile_window(view, (16, 16), (0, 0), rows) for view in views)
...     store_tile(target, load_tile(source))
>>> given = np.arange(256, dtype=np.float32)
>>> done = copy.run(x=given, y=np.zeros(256, np.float32))
>>> bool((done["y"] == given).all())
True
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.from_text import parse
from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.elements import Element
from layoutalg.tile.memory import Memory
from layoutalg.tile.numpy_machine import LANES, Machine
from layoutalg.tile.tensors import StaticDistributedTensor
from layoutalg.tile.trace import Statement, Trace, run_all, tracing

__all__ = [
    "Finished",
    "Pointer",
    "Scalar",
    "Size",
    "TileProgram",
    "get_block_id",
    "pointer",
    "scalar",
    "size",
    "tile_program",
]

WORKGROUP = sympy.symbols("workgroup_x workgroup_y workgroup_z", integer=True, nonnegative=True)


@dataclass(frozen=True)
class Pointer:
    """A parameter that points at elements of a type: ``extent`` of them, if said."""

    kind: DataType
    is_output: bool = False
    extent: str | int | None = None
    space: str = "global"


@dataclass(frozen=True)
class Size:
    """A parameter that is a number: from ``low`` to ``high``, a multiple of ``multiple_of``."""

    low: int = 1
    high: int | None = None
    multiple_of: int = 1


@dataclass(frozen=True)
class Scalar:
    """A parameter that is a number of a type, for arithmetic on elements."""

    kind: DataType


def scalar(kind: str | DataType) -> Any:
    """The annotation of a parameter that elements are computed with: a scale, an epsilon."""
    return Scalar(kind if isinstance(kind, DataType) else DataType.named(kind))


def pointer(kind: str | DataType, *, is_output: bool = False, extent: str | int | None = None) -> Any:
    """The annotation of a parameter that points at global memory."""
    return Pointer(kind if isinstance(kind, DataType) else DataType.named(kind), is_output, extent)


def size(low: int = 1, high: int | None = None, multiple_of: int = 1) -> Any:
    """The annotation of a parameter that is a size: both ends included."""
    return Size(low, high, multiple_of)


def get_block_id(axis: int = 0) -> Symbol:
    """The number of the workgroup along x, y or z: HIP's ``blockIdx``."""
    return WORKGROUP[axis]


@dataclass(frozen=True)
class Finished:
    """A run that is over: ``done["y"]`` is an output; ``held(tile)`` what all threads held at the end."""

    outputs: Mapping[str, NDArray[Any]]
    machine: Machine

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.outputs[name]

    def held(self, tile: StaticDistributedTensor) -> NDArray[Any]:
        """``[workgroup, thread, place in the buffer]``."""
        return self.machine.tiles[tile.number]


@dataclass(frozen=True)
class TileProgram:
    """A function in CK Tile's words, with its launch: ``grid`` in sizes, ``block_size`` threads."""

    function: Callable[..., Any]
    parameters: Mapping[str, Pointer | Scalar | Size]
    block_size: int
    grid: tuple[Any, ...]
    facts: tuple[str, ...] = ()
    domain: Domain = field(default_factory=Domain)

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def sizes(self) -> dict[str, Symbol]:
        """The symbols of the sizes."""
        return {variable.name: variable.symbol for variable in self.domain.parameters}

    @cached_property
    def trace(self) -> Trace:
        """The program as it is written down."""
        trace = Trace(self.block_size, self.domain)
        arguments = {name: self._argument(name, kind) for name, kind in self.parameters.items()}
        with tracing(trace):
            self.function(**arguments)
        return trace

    @property
    def statements(self) -> list[Statement]:
        return self.trace.body

    def _argument(self, name: str, kind: Pointer | Scalar | Size) -> Any:
        """What the function is given for a parameter while it is written down."""
        if isinstance(kind, Size):
            return self.sizes[name]
        if isinstance(kind, Scalar):
            return Element("scalar", (name,), kind.kind)
        return BufferView(name, kind.kind, is_output=kind.is_output)

    @property
    def extents(self) -> tuple[Expr, ...]:
        """Workgroups along x, y and z."""
        return tuple(
            parse(one, self.domain) if isinstance(one, str) else sympy.sympify(one) for one in self.grid
        )

    def run(
        self,
        *,
        workgroups: Sequence[int] | None = None,
        watch: Callable[[Statement, Machine], None] | None = None,
        **given: Any,
    ) -> Finished:
        """Run the program on arrays and sizes; of the workgroups named alone, if some are.

        An output begins with what its array holds, which counts as set. Arrays are not changed.
        ``watch(statement, machine)`` is called after every statement, of loops turn by turn:
        ``machine.tiles[number]`` is then what all threads hold, ``machine.memories[name]`` the memory,
        ``machine.names`` the turns and ``machine.epoch`` the phase, syncs so far and 1.
        """
        numbers = self._sizes_of(given)
        grid = [int(evaluate(one, numbers)) if one.free_symbols else int(one) for one in self.extents]
        total = int(np.prod(grid, dtype=int))
        chosen = np.arange(total) if workgroups is None else np.asarray(workgroups)
        if chosen.size == 0 or chosen.min() < 0 or chosen.max() >= total:
            raise LayoutError(f"{self.name}: wanted workgroups from 0 to {total - 1}, got {workgroups}")
        machine = Machine(self.block_size, grid, chosen, numbers)
        arrays = {name: kind for name, kind in self.parameters.items() if isinstance(kind, Pointer)}
        for name, kind in arrays.items():
            machine.memories[name] = Memory.of_array(name, kind.kind, np.asarray(given[name]), is_set=True)
        machine.scalars |= {
            name: np.asarray(given[name], kind.kind.numpy)
            for name, kind in self.parameters.items()
            if isinstance(kind, Scalar)
        }
        machine.watch = watch
        run_all(self.statements, machine)
        outputs = {
            name: machine.memories[name].numbers.reshape(np.shape(given[name]))
            for name, kind in arrays.items()
            if kind.is_output
        }
        return Finished(outputs, machine)

    def _sizes_of(self, given: Mapping[str, Any]) -> dict[str, int]:
        """The sizes of a run; refused: what is missing, unknown or not admissible."""
        missing, unknown = self.parameters.keys() - given.keys(), given.keys() - self.parameters.keys()
        if missing or unknown:
            told = [f"no {name}" for name in sorted(missing)] + [
                f"{name} is unknown" for name in sorted(unknown)
            ]
            raise LayoutError(f"{self.name}: wanted {', '.join(self.parameters)}: {'; '.join(told)}")
        numbers = {name: int(given[name]) for name in self.sizes}
        for name, number in numbers.items():
            kind = self.parameters[name]
            assert isinstance(kind, Size)
            is_high = kind.high is not None and number > kind.high
            if number < kind.low or is_high or number % kind.multiple_of:
                raise LayoutError(f"{self.name}: {name} = {number} is not admissible: {self.domain[name]}")
        for fact in self.domain.facts:
            if not evaluate(fact, numbers):
                raise LayoutError(f"{self.name}: the sizes do not satisfy {fact}")
        return numbers


def tile_program(
    block_size: int, grid: Sequence[Any] = (1,), facts: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], TileProgram]:
    """Make a tile program of a function whose parameters are annotated by ``pointer`` and ``size``.

    ``grid``: workgroups along x, y, z, numbers or text in sizes; ``facts``: what else holds of sizes.
    """
    if block_size % LANES:
        raise LayoutError(f"tile_program: wanted whole waves of {LANES} threads, got {block_size}")

    def made(function: Callable[..., Any]) -> TileProgram:
        names = sys._getframe(1).f_locals
        annotations = inspect.get_annotations(function, locals=dict(names), eval_str=True)
        wanted = inspect.signature(function).parameters
        for name in wanted:
            if not isinstance(annotations.get(name), Pointer | Scalar | Size):
                hint = "x: pointer('f16'), n: size(64, None, 64), epsilon: scalar('f32')"
                msg = f"{function.__name__}: {name}: wanted pointer(...), size(...) or scalar(...)"
                raise LayoutError(msg, hint=hint)
        parameters = {name: annotations[name] for name in wanted}
        ends = {
            name: (kind.low, None if kind.high is None else kind.high, kind.multiple_of)
            for name, kind in parameters.items()
            if isinstance(kind, Size)
        }
        domain = Domain.of({}, ends, facts)
        return TileProgram(function, parameters, block_size, tuple(grid), tuple(facts), domain)

    return made
