"""Loads through buffer resources: what lies past the end of a matrix is read as 0, by the hardware.

A resource holds the address and the bytes of a matrix. Rows past the last one lie past its end, so nothing
has to be asked of them; what ends inside a row is asked for by its own index, and a load that is not to
happen is sent past the end.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 9.1.5 (range checking); CK,
``amd_buffer_addressing.hpp``.

>>> BufferLoads(DataType.named("f16"), 8).largest_offset
2147483632
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.text.source import INDENT
from layoutalg.data_type import DataType

__all__ = ["BufferLoads"]

BEYOND = 2**32 - 16  # bytes; no matrix is so long
RAW = 0x00020000  # the last word of a resource: a raw buffer, as CK has it for gfx9


@dataclass(frozen=True)
class BufferLoads:
    """Loads of ``vector`` elements of a type, each of 2, 4, 8 or 16 bytes."""

    kind: DataType
    vector: int

    @property
    def bytes(self) -> int:
        """Of one load."""
        return self.kind.bytes * self.vector

    @property
    def largest_offset(self) -> int:
        """The largest offset in elements from which a load ends before what lies beyond."""
        return (BEYOND - self.bytes) // self.kind.bytes

    def function(self, piece: str, name: str) -> Iterator[str]:
        """What a kernel calls for a type of pieces: by resource, offset and whether to load."""
        size, bits = self.kind.bytes, 8 * self.bytes
        yield "// Past the end the hardware reads 0; what is not inside is sent there."
        yield f"__device__ {piece} {name}(__amdgpu_buffer_rsrc_t from, int offset, bool is_inside)"
        yield "{"
        yield f"{INDENT}const unsigned place = is_inside ? {size}u * offset : 0x{BEYOND:x}u;"
        load = f"__builtin_amdgcn_raw_buffer_load_b{bits}(from, place, 0, 0)"
        yield f"{INDENT}return __builtin_bit_cast({piece}, {load});"
        yield "}"

    def resource(self, name: str, elements: str) -> str:
        """The declaration of the resource of an array with so many elements."""
        place = f"const_cast<{self.kind.hip}*>({name})"
        size = f"{self.kind.bytes}u * ({elements})"
        made = f"__builtin_amdgcn_make_buffer_rsrc({place}, 0, {size}, 0x{RAW:08x})"
        return f"const __amdgpu_buffer_rsrc_t {name}_from = {made};"

    def places(self, loads: IndexMap, space: Expr, along: Expr, length: Symbol) -> IndexMap:
        """The same loads, valid where they are made: before the end of memory, and inside their row."""
        when = (sympy.Lt(loads.outputs[0], space), sympy.Lt(along, length))
        return IndexMap(loads.domain, loads.outputs, when)

    def claims(
        self, made: IndexMap, across: tuple[Expr, Symbol], along: tuple[Expr, Symbol], subject: str
    ) -> list[Claim]:
        """What is loaded is in the matrix, all of the matrix is loaded, and no offset comes round again.

        ``across``: the index of the row and how many there are; ``along``: the index in it and its length.
        """
        (row, rows), (place, length) = across, along
        offset, (_, space) = made.outputs[0], made.when[0].args
        inside = Comparison(row, "<", rows), Comparison(place, "<", length)
        right = sympy.Lt(row, rows), sympy.Lt(place, length)
        reached = Comparison(offset, "<", space)
        size, beyond = self.kind.bytes, sympy.Integer(BEYOND)
        fits = (
            Comparison(sympy.Integer(0), "<=", offset),
            Comparison(size * offset + self.bytes, "<=", beyond),
            Comparison(size * space, "<=", beyond),
        )
        return [
            Claim("bound of the hardware", subject, made.domain, inside, made.when),
            Claim("bound of the hardware", f"{subject} of all rows", made.domain, (reached,), right),
            Claim("fits buffer", subject, made.domain, fits),
        ]
