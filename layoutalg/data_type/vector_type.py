"""Vectors of elements: CK's ``vector_type<T, N>``, its views, and vectors of vectors made flat.

>>> quad = vector_type("half_t", 8)
>>> quad.bytes, quad.registers, quad.widths
(16, 4, (1, 2, 4, 8))
>>> quad.as_type(2)
((0, 1), (2, 3), (4, 5), (6, 7))
>>> vector_type(vector_type("float", 2), 4)
vector_type<float, 8>
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.data_type.data_type import DataType
from layoutalg.errors import LayoutError

__all__ = ["VectorType", "vector_type"]


@dataclass(frozen=True, repr=False)
class VectorType:
    """``size`` elements of a scalar or custom type, next to each other."""

    scalar: DataType
    size: int

    def __post_init__(self) -> None:
        if not isinstance(self.scalar, DataType):
            raise LayoutError(f"vector_type: wanted a data type or its name, got {self.scalar!r}")
        if not isinstance(self.size, int) or isinstance(self.size, bool) or self.size < 1:
            msg = f"vector_type: wanted a size >= 1, got {self.size!r}"
            raise LayoutError(msg)

    @property
    def bytes(self) -> int:
        return self.scalar.size_in_bytes(self.size)

    @property
    def registers(self) -> int:
        """32-bit registers of one vector."""
        return self.scalar.registers(self.size)

    @property
    def widths(self) -> tuple[int, ...]:
        """Widths it can be seen in: powers of two that divide its size, and the size itself."""
        powers = (1 << i for i in range(self.size.bit_length()))
        return tuple(sorted({width for width in powers if self.size % width == 0} | {self.size}))

    def as_type(self, width: int) -> tuple[tuple[int, ...], ...]:
        """The view as vectors of ``width``: which elements each of them is. CK's ``AsType``."""
        if width not in self.widths:
            msg = f"{self}: cannot be seen as vectors of {width}"
            raise LayoutError(msg, hint=f"widths are {', '.join(map(str, self.widths))}")
        return tuple(tuple(range(i, i + width)) for i in range(0, self.size, width))

    def __repr__(self) -> str:
        return f"vector_type<{self.scalar.ck}, {self.size}>"


def vector_type(element: DataType | VectorType | str, size: int) -> VectorType:
    """The vector of ``size`` elements; of vectors, the flat vector of all their elements."""
    if isinstance(element, VectorType):
        return VectorType(element.scalar, element.size * VectorType(element.scalar, size).size)
    scalar = DataType.named(element) if isinstance(element, str) else element
    return VectorType(scalar, size)
