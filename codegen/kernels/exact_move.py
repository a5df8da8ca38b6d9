"""Elements moved as they are: what the target must hold, and the claim that says so of every element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernel import Result
from layoutalg.data_type import DataType, to_numbers
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain
from layoutalg.index import Select

__all__ = [
    "CopyReference",
    "TransposeReference",
    "follow_each_other",
    "is_padding",
    "vector_together",
    "writes_what_was_read",
]


def writes_what_was_read(read: Sequence[Any], written: Sequence[Any], domain: Domain) -> Claim:
    """At every point the tensor index that is written is the tensor index that was read."""
    same = tuple(Comparison(one, "==", other) for one, other in zip(read, written, strict=True))
    return Claim("writes what was read", "element", domain, same)


def is_padding(conditions: Sequence[Any], domain: Domain, subject: str) -> Claim:
    """No point meets all conditions of an element that is there: it may be left out.

    Said of every point, since a claim about the elements that are there would be one about none.
    """
    there = Select(sympy.And(*conditions), 1, 0)
    return Claim("is padding", subject, domain, (Comparison(there, "==", sympy.Integer(0)),))


def vector_together(offsets: IndexMap, along: Symbol, subject: str) -> Claim:
    """The elements of a vector, counted by ``along``, lie side by side, wherever it begins."""
    begin = offsets.outputs[0].xreplace({along: sympy.Integer(0)})
    together = (Comparison(offsets.outputs[0], "==", begin + along),)
    return Claim("vector contiguous", subject, offsets.domain, together, offsets.when)


def follow_each_other(
    begin: Callable[[Expr], Expr], length: int, count: int, end: int, subject: str
) -> Iterator[Claim]:
    """So many pieces of one length reach from 0 to an end: no two have a gap between them.

    ``begin``: where the piece of a number begins; pieces may overlap.
    """
    number = Symbol("number", integer=True, nonnegative=True)
    if count > 1:
        next_ = Comparison(begin(number + 1), "<=", begin(number) + length)
        yield Claim("covers", f"{subject}, one after another", Domain.of({number.name: count - 1}), (next_,))
    zero = sympy.Integer(0)
    ends = (
        Comparison(begin(zero), "==", zero),
        Comparison(begin(sympy.Integer(count - 1)) + length, "==", sympy.Integer(end)),
    )
    yield Claim("covers", f"{subject}, from end to end", Domain(), ends)


@dataclass(frozen=True)
class CopyReference:
    """Element i of ``target`` is element i of ``source``, and zero where that one is padding."""

    source: TensorDescriptor
    target: TensorDescriptor
    kind: DataType

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        given = inputs["in"]
        index = list(np.indices(tuple(map(int, self.source.lengths)), sparse=True))
        shape = tuple(map(int, self.source.lengths))
        (read, there), (written, kept) = (
            (
                np.broadcast_to(side.calculate_offset(index), shape),
                np.broadcast_to(side.is_valid_index(index), shape),
            )
            for side in (self.source, self.target)
        )
        moved = np.where(there, given[np.where(there, read, 0)], np.zeros((), given.dtype))
        found = np.zeros(int(self.target.base_offset) + int(self.target.element_space_size), given.dtype)
        found[written[kept]] = moved[kept]
        return _exactly(found, self.kind)


@dataclass(frozen=True)
class TransposeReference:
    """A packed tensor with its dimensions in another order, as ``numpy.transpose`` has it."""

    order: tuple[int, ...]
    kind: DataType

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        return _exactly(np.ascontiguousarray(inputs["in"].transpose(self.order)), self.kind)


def _exactly(moved: NDArray[Any], kind: DataType) -> Result:
    return Result({"out": to_numbers(moved, kind)}, {"out": np.zeros(moved.shape)})
