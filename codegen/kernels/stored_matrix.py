"""A row-major matrix in memory, or a batch of such: rows follow each other, or begin farther apart.

>>> from layoutalg.length import sizes
>>> K, M, lda = sizes("K M lda")
>>> a = StoredMatrix("a", K, M, lda, 8)
>>> a.space, a.facts, StoredMatrix("a", K, M).space
(M + lda*(K - 1), [lda >= M], K*M)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernel import ArrayArgument, ScalarArgument
from layoutalg.codegen.kernels.batches import BATCH_COUNT, Batches
from layoutalg.data_type import DataType
from layoutalg.index import FloorMod
from layoutalg.properties import fits_integer, memory_bounds_map

__all__ = ["StoredMatrix", "batch_scalars", "batch_words", "leading_scalars", "leading_words"]


@dataclass(frozen=True)
class StoredMatrix:
    """``rows`` of ``length`` elements, the argument ``name`` of a kernel.

    ``leading``: elements from one row to the next, a ``multiple_of`` what one access moves; None: the length.
    ``batches``: where the others of a batch lie, as many elements apart as is a multiple of that, too.
    """

    name: str
    rows: Expr
    length: Expr
    leading: Symbol | None = None
    multiple_of: int = 1
    batches: Batches | None = None

    @property
    def step(self) -> Expr:
        """Elements from one row to the next."""
        return self.length if self.leading is None else self.leading

    @property
    def space(self) -> Expr:
        """The elements of memory from the first to the last, of one matrix."""
        return (
            self.rows * self.length if self.leading is None else (self.rows - 1) * self.leading + self.length
        )

    @property
    def whole_space(self) -> Expr:
        """The elements of memory from the first to the last, of all matrices."""
        return self.space if self.batches is None else self.batches.space(self.space)

    @property
    def begin(self) -> Expr:
        """Where the matrix of a workgroup begins, in elements of the array."""
        return sympy.Integer(0) if self.batches is None else self.batches.begin

    @property
    def parameters(self) -> dict[Symbol, tuple[int, int | None, int]]:
        """The leading dimension as a size of the kernel."""
        return {} if self.leading is None else {self.leading: (self.multiple_of, None, self.multiple_of)}

    @property
    def parameters_of_batch(self) -> dict[Symbol, tuple[int, int | None, int]]:
        """How many matrices there are and how far apart, as sizes of the kernel."""
        return {} if self.batches is None else {**self.batches.parameters(self.multiple_of)}

    @property
    def facts(self) -> list[sympy.Basic]:
        """That rows do not overlap."""
        return [] if self.leading is None else [sympy.Ge(self.leading, self.length)]

    @property
    def facts_of_batch(self) -> list[sympy.Basic]:
        """That matrices of a batch do not overlap, where they must not."""
        return [] if self.batches is None else self.batches.facts(self.space)

    def argument(
        self, kind: DataType, *, is_output: bool = False, begins_anywhere: bool = False
    ) -> ArrayArgument:
        shape = (self.rows, self.length)
        found = ArrayArgument(self.name, kind, shape, is_output, self.leading, begins_anywhere)
        if self.batches is None:
            return found
        return replace(found, lengths=(BATCH_COUNT, *shape), batch_stride=self.batches.stride)

    def right_places(self, offsets: IndexMap, index: Sequence[Expr], what: str) -> list[Claim]:
        """An element is accessed where batch, row and column say; of one packed matrix other claims tell."""
        if self.leading is None and self.batches is None:
            return []
        row, column = index
        place = Comparison(offsets.outputs[0], "==", self.begin + self.step * row + column)
        return [Claim("right place", what, offsets.domain, (place,), offsets.when)]

    def claims_of_batch(self, offsets: IndexMap, kind: DataType, what: str) -> Iterator[Claim]:
        """Accesses of all matrices are in the array, 64 bits hold its bytes, and vectors stay aligned."""
        if self.batches is None:
            return
        subject = f"{what} of the batch"
        yield memory_bounds_map(offsets, self.whole_space, subject)
        end, begin = kind.bytes * self.whole_space, self.begin
        yield fits_integer((end,), offsets.domain.only(end), "int64", subject)
        even = Comparison(FloorMod.unchecked(begin, sympy.Integer(self.multiple_of)), "==", sympy.Integer(0))
        yield Claim("vector aligned", subject, offsets.domain.only(begin), (even,))


def batch_scalars(matrices: Iterable[StoredMatrix]) -> tuple[ScalarArgument, ...]:
    """The strides of batches as arguments, each once, and how many matrices there are, as CK orders them."""
    names = dict.fromkeys(m.batches.stride.name for m in matrices if m.batches is not None)
    return tuple(map(ScalarArgument, (*names, BATCH_COUNT.name))) if names else ()


def leading_scalars(matrices: Iterable[StoredMatrix]) -> tuple[ScalarArgument, ...]:
    """The leading dimensions as arguments, each once."""
    names = dict.fromkeys(matrix.leading.name for matrix in matrices if matrix.leading is not None)
    return tuple(map(ScalarArgument, names))


def leading_words(
    matrices: Iterable[StoredMatrix | ArrayArgument], vector_bytes: int, *, reads_between: bool = False
) -> list[str]:
    """What the comment above a kernel says of leading dimensions; nothing of packed matrices.

    ``reads_between``: whether what lies between rows may be read, though never used.
    """
    matrices = tuple(matrices)
    steps = [f"{matrix.leading} of {matrix.name}" for matrix in matrices if matrix.leading is not None]
    if not steps:
        return []
    words = f"Leading dimensions (elements from one row in memory to the next): {', '.join(steps)}. What lies"
    told = (
        "not written, and what is read of it is never used" if reads_between else "neither read nor written"
    )
    words += f" between rows is {told}."
    is_batched = any(isinstance(one, StoredMatrix) and one.batches is not None for one in matrices)
    begun = "array" if is_batched else "matrix"
    return [f"{words} Each {begun} begins at a multiple of {vector_bytes} bytes."]


def batch_words(matrices: Iterable[StoredMatrix]) -> list[str]:
    """What the comment above a kernel says of a batch; nothing where there is none."""
    steps = [f"{m.batches.stride} of {m.name}" for m in matrices if m.batches is not None]
    if not steps:
        return []
    words = (
        f"A batch of {BATCH_COUNT} such products. Batch strides (elements from one matrix to the next, told"
    )
    words += f" in 64 bits; 0 where all read the same one): {', '.join(steps)}."
    return [f"{words} What lies between matrices is neither read nor written."]
