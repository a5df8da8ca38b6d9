"""``warp_gemm`` as matrix instructions: those whose lanes hold what the tiles' distributions say.

An instruction is taken if, lane by lane, its rows and columns are those of the tiles, and what it multiplies
with one another is of one k. The order of k does not matter, so that a lane may hold neighbours of k. Where
the result is distributed the other way round, A and B change places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.kernels.gemm.builtins import MatrixBuiltin
from layoutalg.codegen.text.source import indented, nested
from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.mma import MatrixInstruction
from layoutalg.tile.numpy_machine import LANES, x_of

__all__ = ["MatrixCalls"]

Vectors = Callable[[DataType, int], str]


class CallText(NamedTuple):
    """Statements: C taken out of a thread buffer, products added to it, C put back."""

    first: tuple[str, ...]
    product: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True)
class MatrixCalls:
    """The calls of one instruction that a warp's product is; ``is_turned``: A and B change places."""

    instruction: MatrixInstruction
    a: TileDistribution
    b: TileDistribution
    c: TileDistribution
    is_turned: bool

    @classmethod
    def of(cls, kinds: Sequence[DataType], tiles: Sequence[TileDistribution], target: str) -> Self:
        """The calls for a GPU; refused where it has no instruction for these distributions of A, B and C."""
        names, (a, b, c) = tuple(kind.name for kind in kinds), tiles
        for instruction in sorted(MatrixInstruction.of_target(target), key=lambda one: -one.k):
            types = (instruction.type_a, instruction.type_b, instruction.type_d)
            if types != names or instruction.blocks != 1 or not MatrixBuiltin.exists(instruction):
                continue
            for is_turned in (False, True):
                found = cls(instruction, a, b, c, is_turned)
                if found.fits():
                    return found
        msg = f"warp_gemm: {target} has no instruction for a of {a.lengths} and b of {b.lengths}"
        raise LayoutError(f"{msg} ({names[0]} to {names[2]}) in these distributions")

    @property
    def operands(self) -> tuple[TileDistribution, TileDistribution]:
        """What goes to operand A of the instruction, and to B."""
        return (self.b, self.a) if self.is_turned else (self.a, self.b)

    @property
    def count(self) -> int:
        """Instructions, one after the other along k."""
        return _size(self.a) // self.instruction.elements_a

    def fits(self) -> bool:
        """Whether lanes hold what the instruction takes and gives."""
        mma, each = self.instruction, self.instruction.elements_a
        first, second = self.operands
        if (first.lengths[0], second.lengths[0], _size(first) % each) != (mma.m, mma.n, 0):
            return False
        is_of_lanes = all(one.encoding.num_p == 1 for one in (self.a, self.b, self.c))
        if _size(self.c) != mma.elements_d or not is_of_lanes:
            return False
        given = x_of(self.c, LANES)
        if (_held(mma, "D") != (given[..., ::-1] if self.is_turned else given)).any():
            return False
        return all(self._one_k(number) for number in range(self.count))

    def _one_k(self, number: int) -> bool:
        """Whether an instruction multiplies elements of one k, of the rows that it takes them for."""
        places = slice(number * self.instruction.elements_a, (number + 1) * self.instruction.elements_a)
        meant: dict[int, int] = {}
        for operand, distribution in zip("AB", self.operands, strict=True):
            wanted = _held(self.instruction, operand)
            given = x_of(distribution, LANES)[:, places]
            if (wanted[..., 0] != given[..., 0]).any():
                return False
            for k, real in zip(wanted[..., 1].ravel(), given[..., 1].ravel(), strict=True):
                if meant.setdefault(int(k), int(real)) != real:
                    return False
        return True

    def text(self, vector: Vectors, kinds: Sequence[DataType], elements: Sequence[str]) -> CallText:
        """The statements; ``elements``: element ``e`` of C, and ``{n}`` of A and B, in thread buffers."""
        builtin, each = MatrixBuiltin.of(self.instruction), self.instruction.elements_a
        operand, result = vector(kinds[0], each), vector(kinds[2], self.instruction.elements_d)
        c, *given = elements
        own = [("e", self.instruction.elements_d)]
        number = " + ".join([f"s * {each}"] * (self.count > 1) + ["e"] * (each > 1)) or "0"
        parts = [
            f"{name}{'[e]' if each > 1 else ''} = {one.replace('{n}', number)};"
            for name, one in zip("ab", given, strict=True)
        ]
        first, second = ("b", "a") if self.is_turned else ("a", "b")
        call = builtin.call(_cast(first, builtin), _cast(second, builtin), "sum")
        inner = [f"{operand} a, b;", *(nested([("e", each)], parts) if each > 1 else parts), f"sum = {call};"]
        return CallText(
            (f"{result} sum;", *nested(own, [f"sum[e] = {c};"])),
            tuple(nested([("s", self.count)], inner)) if self.count > 1 else ("{", *indented(inner), "}"),
            tuple(nested(own, [f"{c} = sum[e];"])),
        )


def _cast(name: str, builtin: MatrixBuiltin) -> str:
    """An operand in the type that the builtin takes."""
    word, count = builtin.fragment
    if word in ("_Float16", "float", "double", "__bf16"):
        return name
    wanted = word if count == 1 else f"{word} __attribute__((ext_vector_type({count})))"
    return f"__builtin_bit_cast({wanted}, {name})"


def _held(mma: MatrixInstruction, operand: str) -> NDArray[Any]:
    """The index of every element of an operand: ``[lane, element, dimension]``."""
    lanes, elements = np.arange(LANES)[:, None], np.arange(mma.elements(operand))[None, :]
    found = mma.element(operand, lanes, elements)
    shape = (LANES, mma.elements(operand))
    return np.stack([np.broadcast_to(np.asarray(x), shape) for x in found[:2]], axis=-1)


def _size(distribution: TileDistribution) -> int:
    """Elements of one lane."""
    return int(np.prod([*map(int, distribution.y_lengths)], dtype=int))
