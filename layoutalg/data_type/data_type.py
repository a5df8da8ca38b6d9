"""Data types of tensor elements: how wide, how coded, how CK and HIP spell them. Each row cites its source.

There are those of CK's documentation, what FP8 is on each GPU, and registered ones.

>>> DataType.named("f8").on("gfx942").name, DataType.named("f8").on("gfx950").name
('f8_fnuz', 'f8_ocp')
>>> DataType.named("f8_fnuz").largest, DataType.named("f8_ocp").largest
(240.0, 448.0)
>>> DataType.named("f6").registers(32)
6
>>> complex_half = register_custom_type("complex_half_t", "f16", 2)
>>> complex_half.bits, complex_half.parts
(32, ('f16', 2))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from layoutalg.data_type.small_float import SmallFloat
from layoutalg.errors import LayoutError
from layoutalg.machine import known_target
from layoutalg.reading.near_names import meant, not_one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DATA_TYPES", "DataType", "register_custom_type"]

BITS_PER_REGISTER = 32
BITS_PER_BYTE = 8


@dataclass(frozen=True)
class DataType:
    """One element type.

    ``ck``: CK's name; ``hip``: a spelling that needs no header, or that of its bits; ``numpy``: NumPy's name
    of it, or of its bits; ``bits``: what an element takes in packed memory and registers; ``coding``: how the
    bits of a small float mean a number; ``parts``: for a custom type, how many of what it is made of;
    ``packs``: for bytes and words in which smaller elements lie one after the other, the first in the lowest
    bits: of which type, how many, in how many bytes or words;
    ``by_target``: for a type whose coding depends on the GPU, the type it is there.

    >>> import layoutalg as la
    >>> la.DataType.named("bf16").bits
    16
    """

    name: str
    ck: str
    bits: int
    hip: str
    numpy: str
    source: str
    coding: SmallFloat | None = None
    parts: tuple[str, int] | None = None
    packs: tuple[str, int, int] | None = None
    by_target: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def named(cls, name: str) -> DataType:
        """The type with this name, ours (``f16``) or CK's (``half_t``, ``ck::half_t``)."""
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
    def unpacked(self) -> tuple[str, int, int]:
        """The type of the numbers in elements, how many lie in how many: of most types itself, one in one.

        >>> [DataType.named(name).unpacked for name in ("f4x2", "f16", "f6_word")]
        [('f4', 2, 1), ('f16', 1, 1), ('f6', 16, 3)]
        """
        return self.packs or (self.name, 1, 1)

    def numbers(self, count: int) -> int:
        """How many numbers lie in so many elements; refused where one ends in the next element.

        >>> DataType.named("f6_word").numbers(6), DataType.named("f6_word").holding(128)
        (32, 24)
        """
        _, numbers, elements = self.unpacked
        return self._in_packs(count, elements, "elements") * numbers

    def holding(self, count: int) -> int:
        """The elements in which so many numbers lie; refused where they do not fill them."""
        _, numbers, elements = self.unpacked
        return self._in_packs(count, numbers, "numbers") * elements

    def of_row(self, count: int) -> int:
        """Elements of a row of about so many: of those that come in threes half as many more.

        >>> DataType.named("f16").of_row(4096), DataType.named("f6_word").of_row(4096)
        (4096, 6144)
        """
        elements = self.unpacked[2]
        return count * elements >> elements.bit_length() - 1

    def _in_packs(self, count: int, part: int, what: str) -> int:
        if count % part:
            raise LayoutError(f"{self.ck}: wanted a multiple of {part} {what}, got {count}")
        return count // part

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

    def vector_anywhere(self, width: int) -> str:
        """The name of the vector type that may begin at any element.

        >>> DataType.named("f16").vector_anywhere(8)
        'half_x8_anywhere'
        """
        return f"{self.vector(width)}_anywhere"

    def declare_vector_anywhere(self, width: int) -> str:
        """That declaration: aligned as one element is. Clang still makes one access of it on AMD GPUs.

        Global accesses need not be aligned there: LLVM's feature ``unaligned-access-mode``, on for
        ``amdhsa``; Linux sets ``SH_MEM_CONFIG.alignment_mode`` so (``kfd_device_queue_manager_v9.c``).

        >>> DataType.named("f32").declare_vector_anywhere(2)
        'typedef float float_x2_anywhere __attribute__((ext_vector_type(2), aligned(4)));'
        """
        plain, attribute = self.declare_vector(width), f"ext_vector_type({width})"
        renamed = plain.replace(f" {self.vector(width)} ", f" {self.vector_anywhere(width)} ")
        return renamed.replace(attribute, f"{attribute}, aligned({self.bytes})")

    def __str__(self) -> str:
        return self.name


CK_DOCS = "Composable Kernel 1.1.0 documentation, chapter 7, supported scalar data types"
CK_FP8 = "Composable Kernel, include/ck/utility/amd_ck_fp8.hpp and ck.hpp (CK_USE_OCP_FP8, CK_USE_FNUZ_FP8)"
CK_PACKED = "Composable Kernel, include/ck/utility/data_type.hpp (f4x2_pk_t)"
CK_WORDS = "Composable Kernel, include/ck/utility/data_type.hpp (f6_pk_t: 16 numbers in 3 words, 32 in 6)"
CK_E8M0 = "Composable Kernel, include/ck/utility/e8m0.hpp; OCP Microscaling Formats 1.0, 5.3"
CDNA3_ISA = "AMD Instinct MI300 ISA, matrix operand types"

_F8 = {"gfx942": "f8_fnuz", "gfx950": "f8_ocp", "gfx1201": "f8_ocp"}
_BF8 = {"gfx942": "bf8_fnuz", "gfx950": "bf8_ocp", "gfx1201": "bf8_ocp"}
DATA_TYPES: tuple[DataType, ...] = (
    DataType("f64", "double", 64, "double", "float64", CK_DOCS),
    DataType("f32", "float", 32, "float", "float32", CK_DOCS),
    DataType("i32", "int32_t", 32, "int", "int32", CK_DOCS),
    DataType("i8", "int8_t", 8, "signed char", "int8", CK_DOCS),
    DataType("u8", "uint8_t", 8, "unsigned char", "uint8", CK_DOCS),
    DataType("bool", "bool", 1, "bool", "bool", CK_DOCS),
    DataType("f16", "half_t", 16, "_Float16", "float16", CK_DOCS, SmallFloat(5, 10, "ieee")),
    DataType("bf16", "bhalf_t", 16, "__bf16", "uint16", CK_DOCS, SmallFloat(8, 7, "ieee")),
    DataType("f8", "f8_t", 8, "unsigned char", "uint8", CK_FP8, by_target=_F8),
    DataType("bf8", "bf8_t", 8, "unsigned char", "uint8", CK_FP8, by_target=_BF8),
    DataType("f8_fnuz", "f8_fnuz_t", 8, "unsigned char", "uint8", CK_FP8, SmallFloat(4, 3, "fnuz")),
    DataType("bf8_fnuz", "bf8_fnuz_t", 8, "unsigned char", "uint8", CK_FP8, SmallFloat(5, 2, "fnuz")),
    DataType("f8_ocp", "f8_ocp_t", 8, "unsigned char", "uint8", CK_FP8, SmallFloat(4, 3, "ocp")),
    DataType("bf8_ocp", "bf8_ocp_t", 8, "unsigned char", "uint8", CK_FP8, SmallFloat(5, 2, "ieee")),
    DataType("f6", "f6_t", 6, "unsigned char", "uint8", CK_DOCS, SmallFloat(2, 3, "finite")),
    DataType("bf6", "bf6_t", 6, "unsigned char", "uint8", CK_DOCS, SmallFloat(3, 2, "finite")),
    DataType("f4", "f4_t", 4, "unsigned char", "uint8", CK_DOCS, SmallFloat(2, 1, "finite")),
    DataType("f4x2", "f4x2_pk_t", 8, "unsigned char", "uint8", CK_PACKED, packs=("f4", 2, 1)),
    DataType("f6_word", "f6_word_t", 32, "unsigned", "uint32", CK_WORDS, packs=("f6", 16, 3)),
    DataType("bf6_word", "bf6_word_t", 32, "unsigned", "uint32", CK_WORDS, packs=("bf6", 16, 3)),
    DataType("e8m0", "e8m0_bexp_t", 8, "unsigned char", "uint8", CK_E8M0, SmallFloat(8, 0, "exponent")),
    DataType("i4", "pk_int4_t", 4, "unsigned char", "uint8", "AMD RDNA3 ISA, WMMA IU4"),
    DataType("xf32", "xf32_t", 32, "float", "float32", CDNA3_ISA),
)
_BY_NAME: dict[str, DataType] = {key: row for row in DATA_TYPES for key in (row.ck, row.name)}


def find(name: str) -> DataType:
    """The type with this name, ours or CK's."""
    if not isinstance(name, str):
        raise LayoutError(f"wanted the name of a data type, got {name!r}")
    plain = name.removeprefix("ck::").removeprefix("ck_tile::")
    found = _BY_NAME.get(plain)
    if found is None:
        error = not_one_of("a data type", name, sorted({row.name for row in _BY_NAME.values()}))
        hint = meant(plain, _BY_NAME) or "register_custom_type(...) adds one"
        raise LayoutError(error.message, hint=hint)
    return found


def register_custom_type(name: str, part: str, count: int) -> DataType:
    """A type made of ``count`` elements of another, such as CK's example of a complex half.

    Registering the same type again gives the same type; another under a taken name is an error.
    """
    inner = find(part)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        msg = f"register_custom_type: wanted a number of parts >= 1, got {count!r}"
        raise LayoutError(msg)
    if not isinstance(name, str) or not name.isidentifier():
        raise LayoutError(f"register_custom_type: wanted a C++ name, got {name!r}")
    lengths, _, scalar = inner.numpy.rpartition(")")
    numpy = f"({count},{lengths.removeprefix('(')}){scalar}"
    made = DataType(
        name, name, inner.bits * count, f"struct {name}", numpy, "registered",
        parts=(inner.name, count),
    )  # fmt: skip
    if _BY_NAME.setdefault(name, made) != made:
        msg = f"register_custom_type: there is another type called {name}"
        raise LayoutError(msg)
    return made
