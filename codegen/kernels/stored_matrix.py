"""A row-major matrix in memory: its rows follow each other, or begin a leading dimension apart.

>>> from layoutalg.length import sizes
>>> K, M, lda = sizes("K M lda")
>>> a = StoredMatrix("a", K, M, lda, 8)
>>> a.space, a.facts, StoredMatrix("a", K, M).space
(M + lda*(K - 1), [lda >= M], K*M)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernel import ArrayArgument, ScalarArgument
from layoutalg.data_type import DataType

__all__ = ["StoredMatrix", "leading_scalars", "leading_words"]


@dataclass(frozen=True)
class StoredMatrix:
    """``rows`` of ``length`` elements, the argument ``name`` of a kernel.

    ``leading``: elements from one row to the next, a ``multiple_of`` what one access moves; None: the length.
    """

    name: str
    rows: Expr
    length: Expr
    leading: Symbol | None = None
    multiple_of: int = 1

    @property
    def step(self) -> Expr:
        """Elements from one row to the next."""
        return self.length if self.leading is None else self.leading

    @property
    def space(self) -> Expr:
        """The elements of memory from the first to the last."""
        return (
            self.rows * self.length if self.leading is None else (self.rows - 1) * self.leading + self.length
        )

    @property
    def parameters(self) -> dict[Symbol, tuple[int, None, int]]:
        """The leading dimension as a size of the kernel."""
        return {} if self.leading is None else {self.leading: (self.multiple_of, None, self.multiple_of)}

    @property
    def facts(self) -> list[sympy.Basic]:
        """That rows do not overlap."""
        return [] if self.leading is None else [sympy.Ge(self.leading, self.length)]

    def argument(
        self, kind: DataType, *, is_output: bool = False, begins_anywhere: bool = False
    ) -> ArrayArgument:
        shape = (self.rows, self.length)
        return ArrayArgument(self.name, kind, shape, is_output, self.leading, begins_anywhere)

    def right_places(self, offsets: IndexMap, index: Sequence[Expr], what: str) -> list[Claim]:
        """An element is accessed where its row and column say; of packed matrices other claims tell that."""
        if self.leading is None:
            return []
        row, column = index
        place = Comparison(offsets.outputs[0], "==", self.leading * row + column)
        return [Claim("right place", what, offsets.domain, (place,), offsets.when)]


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
    steps = [f"{matrix.leading} of {matrix.name}" for matrix in matrices if matrix.leading is not None]
    if not steps:
        return []
    words = f"Leading dimensions (elements from one row in memory to the next): {', '.join(steps)}. What lies"
    told = (
        "not written, and what is read of it is never used" if reads_between else "neither read nor written"
    )
    words += f" between rows is {told}."
    return [f"{words} Each matrix begins at a multiple of {vector_bytes} bytes."]
