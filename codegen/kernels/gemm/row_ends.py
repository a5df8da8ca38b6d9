"""Rows of C that may end inside a vector: whole vectors go to any element, what is left of a row goes alone.

>>> from layoutalg.data_type import DataType
>>> block_n, element, N = sympy.symbols("block_n element N", integer=True, nonnegative=True)
>>> ends = RowEnds(BufferAccess(DataType.named("f32"), 4), 128 * block_n + element, N, element)
>>> for line in list(ends.functions("row", "store_result"))[-8:-1]:
...     print(line)
{
    store_result_4(value, into, offset, left >= 4);
    if (left < 4) {
        store_result_2(__builtin_shufflevector(value, value, 0, 1), into, offset, left >= 2);
        store_result_1(value[0], into, offset, left >= 1 && left < 2);
        store_result_1(value[2], into, offset + 2, left >= 3);
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.text.source import INDENT, indented, typedef
from layoutalg.domain import Domain

__all__ = ["RowEnds"]


@dataclass(frozen=True)
class RowEnds:
    """Stores through a buffer resource, of vectors that begin at any element of a row.

    ``column``: of an element, in a row of ``length``; ``element``: the index in it that counts those of a
    vector.
    """

    access: BufferAccess
    column: Expr
    length: Symbol
    element: Symbol

    @property
    def _end(self) -> Expr:
        """The column behind a vector."""
        return self.column.xreplace({self.element: sympy.Integer(0)}) + self.access.vector

    def functions(self, piece: str, name: str) -> Iterator[str]:
        """What a kernel calls for a vector: by resource, offset, and how many elements its row has left."""
        kind, count = self.access.kind, self.access.vector
        yield from self.access.store_function(piece, f"{name}_{count}")
        for size in self._sizes:
            if size > 1:
                yield typedef(kind.hip, size, f"{piece}_{size}")
            of_size = f"{piece}_{size}" if size > 1 else kind.hip
            yield from BufferAccess(kind, size).store_function(of_size, f"{name}_{size}")
        yield f"// Whole vectors; what a row has left of one in the fewest pieces of {self._sizes_in_words}."
        yield f"__device__ void {name}({piece} value, __amdgpu_buffer_rsrc_t into, int offset, int left)"
        yield from ("{", f"{INDENT}{name}_{count}(value, into, offset, left >= {count});")
        yield f"{INDENT}if (left < {count}) {{"
        for size in self._sizes:
            yield from indented((self._piece(name, size, first) for first in range(0, count, 2 * size)), 2)
        yield from (f"{INDENT}}}", "}")

    @property
    def _sizes(self) -> list[int]:
        """Elements of the pieces of a vector, each half as many as those before."""
        return [self.access.vector >> halvings for halvings in range(1, self.access.vector.bit_length())]

    @property
    def _sizes_in_words(self) -> str:
        *larger, smallest = map(str, self._sizes)
        return f"{', '.join(larger)} and {smallest}" if larger else smallest

    def _piece(self, name: str, size: int, first: int) -> str:
        """The statement that stores a piece from its first element on, if it is among what is left."""
        value = f"value[{first}]"
        if size > 1:
            taken = ", ".join(str(first + i) for i in range(size))
            value = f"__builtin_shufflevector(value, value, {taken})"
        when = f"left >= {first + size}"
        if (end := first + 2 * size) < self.access.vector:
            when += f" && left < {end}"
        place = f"offset + {first}" if first else "offset"
        return f"{name}_{size}({value}, into, {place}, {when});"

    def claims(self, offset: Expr, domain: Domain, subject: str) -> Iterator[Claim]:
        """Of whole vectors all elements are in the row, and they are neighbours in memory.

        That all elements of C are stored, and no others, is claimed of the elements.
        """
        inside = Comparison(self.column, "<", self.length)
        used = domain.only(self.column, self.length)
        yield Claim(
            "inside row", f"{subject} of whole vectors", used, (inside,), (sympy.Le(self._end, self.length),)
        )
        first = offset.xreplace({self.element: sympy.Integer(0)})
        together = Comparison(offset, "==", first + self.element)
        yield Claim("vector contiguous", subject, domain.only(offset), (together,))
