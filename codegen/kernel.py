"""Kernels as data: name, arguments, launch shape, text, and the claims that make them right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr

from layoutalg.claim import Claim
from layoutalg.codegen.claimed_access import ClaimedAccess
from layoutalg.data_type import DataType
from layoutalg.display import Displayed
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.index_code.emitted_names import C_FAMILY
from layoutalg.machine import EVERY_GPU

__all__ = ["ArrayArgument", "ExecutionFaultError", "Kernel", "Result", "ScalarArgument"]

Arrays = Mapping[str, "NDArray[Any]"]


class ExecutionFaultError(LayoutError):
    """A kernel that is executed reads or writes where it must not, or uses a value that nobody set."""


@dataclass(frozen=True)
class ArrayArgument:
    """A buffer in global memory: ``lengths`` in elements, row-major; written if ``is_output``.

    ``is_added_to``: what it held before the launch counts, too; in runs here that is zeros.
    ``leading``: the leading dimension, elements from one row to the next, if rows need not follow each other.
    ``begins_anywhere``: whether vectors begin at any element, aligned to it alone and to no word.
    ``batch_stride``: of a batch, whose matrices the first dimension counts, elements from where one begins to
    where the next one does; those that are read may overlap, or be one.

    >>> from layoutalg.length import sizes
    >>> G, M, K, stride = sizes("G M K stride")
    >>> array = ArrayArgument("a", DataType.named("f16"), (G, M, K), batch_stride=stride)
    >>> array.space, array.steps
    (K*M + stride*(G - 1), (stride, K, 1))
    """

    name: str
    element: DataType
    lengths: tuple[Expr, ...]
    is_output: bool = False
    leading: Expr | None = None
    begins_anywhere: bool = False
    batch_stride: Expr | None = None
    is_added_to: bool = False

    def __post_init__(self) -> None:
        C_FAMILY.require((self.name,))

    @property
    def space(self) -> Expr:
        """The elements of memory from the first to the last."""
        if self.batch_stride is None:
            return self._space_of(self.lengths)
        count, *lengths = self.lengths
        return (count - 1) * self.batch_stride + self._space_of(lengths)

    def _space_of(self, lengths: Sequence[Expr]) -> Expr:
        """The elements of memory of rows that begin equally far apart."""
        *rows, length = lengths
        whole: Expr = sympy.Mul(*rows)
        return whole * length if self.leading is None else (whole - 1) * self.leading + length

    @property
    def steps(self) -> tuple[Expr, ...] | None:
        """Elements from one index to the next, along each dimension; None where all follow each other."""
        if self.leading is None and self.batch_stride is None:
            return None
        found: list[Expr] = [sympy.Integer(1)]
        step = self.lengths[-1] if self.leading is None else self.leading
        for length in (*reversed(self.lengths[1:-1]), sympy.Integer(1))[: len(self.lengths) - 1]:
            found.append(step)
            step = step * length
        if self.batch_stride is not None:
            found[-1] = self.batch_stride
        return tuple(reversed(found))

    @property
    def declaration(self) -> str:
        const = "" if self.is_output else "const "
        return f"{const}{self.element.hip}* __restrict__ {self.name}"


@dataclass(frozen=True)
class ScalarArgument:
    """A number passed by value: a size, or a factor of type f32.

    >>> ScalarArgument("alpha", "f32").declaration, hex(ScalarArgument("alpha", "f32").bits(-0.5))
    ('float alpha', '0xbf000000')
    """

    name: str
    element: str = "i32"

    def __post_init__(self) -> None:
        C_FAMILY.require((self.name,))

    @property
    def kind(self) -> DataType:
        return DataType.named(self.element)

    @property
    def declaration(self) -> str:
        return f"{self.kind.hip} {self.name}"

    def bits(self, value: float) -> int:
        """The bits of the value as it is passed, as an unsigned integer."""
        return int.from_bytes(np.array(value, self.kind.numpy).tobytes(), "little")


@dataclass(frozen=True)
class Result:
    """What outputs must be: ``numbers`` by name, and the error ``allowed`` of each element."""

    numbers: Arrays
    allowed: Arrays


@dataclass(frozen=True)
class Kernel(Displayed):
    """A kernel and what must be true of it.

    ``domain`` holds the admissible sizes (its parameters, with facts); ``grid`` counts workgroups
    and may depend on them; ``block`` counts threads. ``text`` is the HIP source; ``reference`` computes
    with NumPy what the outputs must be. ``accesses``: what threads read and write where, all of it.
    ``lds_alignment``: bytes to which accesses of the LDS are held, if they are no shorter: those of an
    element where elements are read one by one, since compilers make one access of neighbours.
    """

    name: str
    summary: str
    arguments: tuple[ArrayArgument | ScalarArgument, ...]
    domain: Domain
    grid: tuple[Expr, ...]
    block: tuple[int, ...]
    claims: tuple[Claim, ...]
    text: str
    reference: Callable[[Arrays], Result]
    dynamic_lds: int = 0
    lds_alignment: int = EVERY_GPU.access_bytes
    accesses: tuple[ClaimedAccess, ...] = ()

    @property
    def scalars(self) -> tuple[ScalarArgument, ...]:
        """The arguments passed by value: sizes and factors."""
        return tuple(argument for argument in self.arguments if isinstance(argument, ScalarArgument))

    def check_sizes(self, sizes: Mapping[str, int]) -> None:
        """Refuse sizes for which the kernel was not proved, or that are missing."""
        for parameter in self.domain.parameters:
            if parameter.name not in sizes:
                msg = f"{self.name}: no value for the size {parameter.name}"
                raise LayoutError(msg)
            value = sizes[parameter.name]
            if value % parameter.multiple_of:
                msg = f"{self.name}: {parameter.name} = {value} is no multiple of"
                raise LayoutError(f"{msg} {parameter.multiple_of}")
            low, high = parameter.lower, parameter.upper
            if (low is not None and value < low) or (high is not None and value >= high):
                msg = f"{self.name}: {parameter.name} = {value} is outside {parameter}"
                raise LayoutError(msg)
        for fact in self.domain.facts:
            if not evaluate(fact, sizes):
                msg = f"{self.name}: the sizes {dict(sizes)} do not satisfy {fact}"
                raise LayoutError(msg)
        for axis, extent in zip("yz", self.grid_for(sizes)[1:], strict=False):
            if extent > EVERY_GPU.blocks:
                msg = f"{self.name}: wanted at most {EVERY_GPU.blocks} workgroups along {axis}, got {extent}"
                raise LayoutError(msg, hint="take a larger tile, or several launches")

    def grid_for(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Workgroups along x, y, z for these sizes."""
        return tuple(int(_value(extent, sizes)) for extent in self.grid)

    def shape_of(self, argument: ArrayArgument, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The lengths of a buffer for these sizes."""
        return tuple(int(_value(length, sizes)) for length in argument.lengths)

    def leading_of(self, argument: ArrayArgument, sizes: Mapping[str, int]) -> int | None:
        """The leading dimension of a buffer for these sizes; None where it is packed."""
        return None if argument.leading is None else int(_value(argument.leading, sizes))

    def batch_stride_of(self, argument: ArrayArgument, sizes: Mapping[str, int]) -> int | None:
        """How far apart the matrices of a batch begin for these sizes; None where it is no batch."""
        return None if argument.batch_stride is None else int(_value(argument.batch_stride, sizes))

    def steps_of(self, argument: ArrayArgument, sizes: Mapping[str, int]) -> tuple[int, ...] | None:
        """The steps of a buffer along its dimensions for these sizes; None where it is packed."""
        return None if argument.steps is None else tuple(_value(step, sizes) for step in argument.steps)


def _value(expression: Any, sizes: Mapping[str, int]) -> int:
    return int(evaluate(expression, sizes)) if sizes else int(expression)
