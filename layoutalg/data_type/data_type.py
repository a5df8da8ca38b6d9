"""Data types of tensor elements: how wide, how coded, how CK and HIP spell them. Each row cites its source.

>>> DataType.named("f8").on("gfx942").name, DataType.named("f8").on("gfx950").name
('f8_fnuz', 'f8_ocp')
>>> DataType.named("f8_fnuz").largest, DataType.named("f8_ocp").largest
(240.0, 448.0)
>>> DataType.named("f6").registers(32)
6
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from layoutalg.data_type.small_float import SmallFloat
from layoutalg.errors import LayoutError
from layoutalg.machine import known_target

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DataType"]

BITS_PER_REGISTER = 32
BITS_PER_BYTE = 8


@dataclass(frozen=True)
class DataType:
    """One element type.

    ``ck``: CK's name; ``hip``: a spelling that needs no header, or that of its bits; ``numpy``: NumPy's name
    of it, or of its bits; ``bits``: what an element takes in packed memory and registers; ``coding``: how the
    bits of a small float mean a number; ``parts``: for a custom type, how many of what it is made of;
    ``by_target``: for a type whose coding depends on the GPU, the type it is there.
    """

    name: str
    ck: str
    bits: int
    hip: str
    numpy: str
    source: str
    coding: SmallFloat | None = None
    parts: tuple[str, int] | None = None
    by_target: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def named(cls, name: str) -> DataType:
        """The type with this name, ours (``f16``) or CK's (``half_t``, ``ck::half_t``)."""
        from layoutalg.data_type.table import find  # noqa: PLC0415  the table is made of these

        return find(name)

    def on(self, target: str) -> DataType:
        """The type this is on a GPU: FP8 differs in meaning between them, not in width."""
        known_target(target)
        if not self.by_target:
            return self
        if target not in self.by_target:
            msg = f"{self.ck}: {target} has no instructions for it"
            known = ", ".join(f"{found} on {gpu}" for gpu, found in self.by_target.items())
            raise LayoutError(msg, hint=f"it is {known}")
        return DataType.named(self.by_target[target])

    @property
    def bytes(self) -> int:
        """Bytes of one element; refused for types of which several share a byte."""
        if self.bits % BITS_PER_BYTE:
            msg = f"{self.ck}: {self.bits} bits are not a whole number of bytes"
            raise LayoutError(msg, hint=f"{self.pack} of them are packed into {self.pack_bytes} bytes")
        return self.bits // BITS_PER_BYTE

    @property
    def pack(self) -> int:
        """The fewest elements that fill whole bytes: CK's packed size (1 for whole bytes)."""
        return next(n for n in (1, 2, 4, 8) if n * self.bits % BITS_PER_BYTE == 0)

    @property
    def pack_bytes(self) -> int:
        """Bytes of one such pack."""
        return self.pack * self.bits // BITS_PER_BYTE

    def registers(self, count: int) -> int:
        """The 32-bit registers that ``count`` packed elements take."""
        return -(-self._bits_of(count) // BITS_PER_REGISTER)

    def size_in_bytes(self, count: int) -> int:
        """Bytes of ``count`` packed elements; refused where they end inside a byte."""
        if self._bits_of(count) % BITS_PER_BYTE:
            msg = f"{self.ck}: {count} elements of {self.bits} bits end inside a byte"
            raise LayoutError(msg, hint=f"wanted a multiple of {self.pack}")
        return self._bits_of(count) // BITS_PER_BYTE

    def _bits_of(self, count: int) -> int:
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise LayoutError(f"{self.ck}: wanted a number of elements >= 0, got {count!r}")
        return count * self.bits

    @property
    def largest(self) -> float:
        """The largest finite number, for small floats."""
        return self._coding().largest

    def value(self, bits: int) -> float:
        """The number a pattern of bits means, for small floats.

        >>> DataType.named("f4").value(0b0111), DataType.named("bf8_ocp").value(0b0_01111_00)
        (6.0, 1.0)
        """
        return self._coding().value(bits)

    def _coding(self) -> SmallFloat:
        if self.coding is None:
            options = ", ".join(sorted(set(self.by_target.values())))
            hint = f"ask one of {options}" if options else "NumPy knows its values"
            msg = f"{self.ck}: no coding of a small float is kept for it"
            raise LayoutError(msg, hint=hint)
        return self.coding

    @property
    def word(self) -> str:
        """CK's name as a plain word."""
        return self.ck.removesuffix("_t")

    def vector(self, width: int) -> str:
        """The name of the vector type a kernel declares for itself.

        >>> DataType.named("f16").vector(8)
        'half_x8'
        """
        if not isinstance(width, int) or isinstance(width, bool) or width < 1:
            raise LayoutError(f"{self.ck}: wanted a vector width >= 1, got {width!r}")
        return f"{self.word}_x{width}"

    def declare_vector(self, width: int) -> str:
        """That declaration in HIP, without headers; custom types have none."""
        if self.parts is not None:
            msg = f"{self.ck}: the compiler has no vectors of a struct"
            raise LayoutError(msg, hint="use an array of its parts")
        return f"typedef {self.hip} {self.vector(width)} __attribute__((ext_vector_type({width})));"

    def __str__(self) -> str:
        return self.name
