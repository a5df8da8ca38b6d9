"""Accesses through buffer resources: past the end of a matrix 0 is read and nothing written, by the hardware.

A resource holds the address and the bytes of a matrix. Rows past the last one lie past its end, so nothing
has to be asked of them; what ends inside a row is asked for by its own index, and an access that is not to
happen is sent past the end.
Each word of an access must end before the resource does, the scalar offset included; no sum of offsets comes
round in that. Accesses need not be aligned (LLVM's feature ``unaligned-buffer-access``; Linux sets the mode).
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 9.1.5 (range checking); ROCm,
``rocm-systems``, pull request 10928 (the same, as gfx950 was seen to do it); CK,
``amd_buffer_addressing.hpp``.

>>> BufferAccess(DataType.named("f16"), 8).largest_offset
2147483632
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.text.source import indented, typedef
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.index import FloorMod

__all__ = ["BEYOND", "BufferAccess"]

BEYOND = 2**32 - 16  # bytes; no matrix is so long
ZERO = sympy.Integer(0)
WORD = 4  # bytes, each of which the hardware reads or not
_WORDS = {  # by bytes: what the builtins that store take
    1: ("unsigned char", 1),
    2: ("unsigned short", 1),
    4: ("unsigned", 1),
    8: ("unsigned", 2),
    16: ("unsigned", 4),
}
RAW = 0x00020000  # the last word of a resource: a raw buffer, as CK has it for gfx9


@dataclass(frozen=True)
class BufferAccess:
    """Loads or stores of ``vector`` elements of a type, each of 1, 2, 4, 8 or 16 bytes."""

    kind: DataType
    vector: int

    @property
    def bytes(self) -> int:
        """Of one access."""
        return self.kind.bytes * self.vector

    @property
    def largest_offset(self) -> int:
        """The largest offset in elements from which an access ends before what lies beyond."""
        return (BEYOND - self.bytes) // self.kind.bytes

    def load_function(self, piece: str, name: str) -> Iterator[str]:
        """What a kernel calls for a type of pieces: by resource, offset and whether to load."""
        yield "// Past the end the hardware reads 0; what is not inside is sent there."
        yield f"__device__ {piece} {name}(__amdgpu_buffer_rsrc_t from, int offset, bool is_inside)"
        load = f"__builtin_amdgcn_raw_buffer_load_b{8 * self.bytes}(from, place, 0, 0)"
        yield from self._at_place([f"return __builtin_bit_cast({piece}, {load});"])

    def load_of_whole_tiles(self, piece: str, memory: str, of_lane: str, of_all: str) -> str:
        """A load of which nothing is asked: rows past the end are past the resource.

        ``of_lane``: in bytes; ``of_all``: the part of the offset that all lanes share, in scalar registers.
        """
        load, size = f"__builtin_amdgcn_raw_buffer_load_b{8 * self.bytes}", f"{self.kind.bytes}u"
        made = f"{load}({memory}, {of_lane}, {size} * ({of_all}), 0)"
        return f"__builtin_bit_cast({piece}, {made})"

    def copy_function(self, into: str, name: str) -> Iterator[str]:
        """The same to copy straight to shared memory, of which ``into`` is the type."""
        yield "// Past the end the hardware copies 0; what is not inside is sent there."
        place = f"__amdgpu_buffer_rsrc_t from, {into}* into, int offset, bool is_inside"
        yield f"__device__ void {name}({place})"
        copy = f"__builtin_amdgcn_raw_ptr_buffer_load_lds(from, into, {self.bytes}, place, 0, 0, 0);"
        yield from self._at_place([copy])

    def copy_of_whole_tiles(self, into: str, memory: str, of_lane: str, of_all: str) -> str:
        """A copy of which nothing is asked, as :meth:`load_of_whole_tiles`."""
        places = f"{of_lane}, {self.kind.bytes}u * ({of_all})"
        return f"__builtin_amdgcn_raw_ptr_buffer_load_lds({memory}, {into}, {self.bytes}, {places}, 0, 0);"

    def store_function(self, piece: str, name: str) -> Iterator[str]:
        """The same to store a value of that type."""
        yield "// Past the end the hardware writes nothing; what is not inside is sent there."
        place = "__amdgpu_buffer_rsrc_t into, int offset, bool is_inside"
        yield f"__device__ void {name}({piece} value, {place})"
        word, count = _WORDS[self.bytes]
        store = f"__builtin_amdgcn_raw_buffer_store_b{8 * self.bytes}(__builtin_bit_cast(words, value)"
        yield from self._at_place([typedef(word, count, "words"), f"{store}, into, place, 0, 0);"])

    def add_function(self, name: str) -> Iterator[str]:
        """The same to add a value to what is there, at once for all who add: an intrinsic, as CK has it."""
        kind, adds = self.kind.hip, f"{name}_at_once"
        operation = (
            f"fadd.f{self.kind.bits}" if self.kind.numpy.startswith("float") else f"add.i{self.kind.bits}"
        )
        given = f"{kind} value, __amdgpu_buffer_rsrc_t into, int place, int of_all, int flags"
        intrinsic = f'__asm("llvm.amdgcn.raw.ptr.buffer.atomic.{operation}")'
        yield f'extern "C" __device__ {kind} {adds}({given}) {intrinsic};'
        yield "// Past the end the hardware adds nothing; what is not inside is sent there."
        yield f"__device__ void {name}({kind} value, __amdgpu_buffer_rsrc_t into, int offset, bool is_inside)"
        yield from self._at_place([f"{adds}(value, into, place, 0, 0);"])

    def _at_place(self, body: Iterable[str]) -> Iterator[str]:
        yield "{"
        place = f"is_inside ? {self.kind.bytes}u * offset : 0x{BEYOND:x}u"
        yield from indented([f"const unsigned place = {place};", *body])
        yield "}"

    def resource(self, name: str, place: str, elements: str) -> str:
        """The declaration of the resource of so many elements from a place on."""
        size = f"{self.kind.bytes}u * ({elements})"
        made = f"__builtin_amdgcn_make_buffer_rsrc({place}, 0, {size}, 0x{RAW:08x})"
        return f"const __amdgpu_buffer_rsrc_t {name} = {made};"

    def places(self, made: IndexMap, space: Expr, along: tuple[Expr, Expr], begin: Expr = ZERO) -> IndexMap:
        """The same accesses, valid where they are made: before the end of memory, and inside their row.

        ``begin``: of the resource, in the array.
        """
        when = (sympy.Lt(made.outputs[0] - begin, space), sympy.Lt(*along))
        return IndexMap(made.domain, made.outputs, when)

    @property
    def checked_at_once(self) -> int:
        """Elements of which the hardware reads all or none: those of a word of 32 bits, or of an access."""
        return min(self.vector, max(1, WORD // self.kind.bytes))

    def whole_places(self, made: IndexMap, space: Expr, element: Symbol) -> IndexMap:
        """Accesses of whole vectors at any element, valid where a word ends before the resource does.

        ``element``: the index that counts the elements of a vector.
        """
        words = sympy.Integer(self.checked_at_once)
        end = made.outputs[0] - FloorMod.unchecked(element, words) + words
        return IndexMap(made.domain, made.outputs, (sympy.Le(end, space),))

    def claims_of_whole_tiles(
        self,
        made: IndexMap,
        index: tuple[Expr, Symbol],
        k: tuple[Expr, Expr],
        subject: str,
        when: tuple[Boolean, ...] = (),
    ) -> list[Claim]:
        """Of what is in the matrix all is read, what is read is of its K, and no offset comes round again.

        ``index``: of the row or column of C and how many there are; ``k``: along K and its length; ``when``:
        of which tiles that is said.
        """
        there = (sympy.Lt(*index), *when)
        end, space = made.when[0].args
        inside, reached = Comparison(k[0], "<", k[1]), Comparison(end, "<=", space)
        return [
            Claim("of whole tiles", subject, made.domain, (inside,), when),
            Claim("bound of the hardware", f"{subject} of all rows", made.domain, (reached,), there),
            self._fits(made.outputs[0], space, made.domain, subject),
        ]

    def claims(
        self, made: IndexMap, across: tuple[Expr, Expr], along: tuple[Expr, Expr], subject: str
    ) -> list[Claim]:
        """What is accessed is in the matrix, all of the matrix is, and no offset comes round again.

        ``across``: the index of the row and how many there are; ``along``: the index in it and its length.
        """
        (row, rows), (place, length) = across, along
        offset, space = made.when[0].args
        inside = Comparison(row, "<", rows), Comparison(place, "<", length)
        right = sympy.Lt(row, rows), sympy.Lt(place, length)
        reached = Comparison(offset, "<", space)
        return [
            Claim("bound of the hardware", subject, made.domain, inside, made.when),
            Claim("bound of the hardware", f"{subject} of all rows", made.domain, (reached,), right),
            self._fits(offset, space, made.domain, subject),
        ]

    def _fits(self, offset: Expr, space: Expr, domain: Domain, subject: str) -> Claim:
        """No offset is negative or reaches what lies beyond."""
        size, beyond = self.kind.bytes, sympy.Integer(BEYOND)
        fits = (
            Comparison(sympy.Integer(0), "<=", offset),
            Comparison(size * offset + self.bytes, "<=", beyond),
            Comparison(size * space, "<=", beyond),
        )
        return Claim("fits buffer", subject, domain, fits)
