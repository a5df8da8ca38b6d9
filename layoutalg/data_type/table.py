"""The types there are: those of CK's documentation, what FP8 is on each GPU, and registered ones.

>>> complex_half = register_custom_type("complex_half_t", "f16", 2)
>>> complex_half.bits, complex_half.parts
(32, ('f16', 2))
"""

from __future__ import annotations

from layoutalg.data_type.data_type import DataType
from layoutalg.data_type.small_float import SmallFloat
from layoutalg.errors import LayoutError

__all__ = ["DATA_TYPES", "find", "register_custom_type"]

CK_DOCS = "Composable Kernel 1.1.0 documentation, chapter 7, supported scalar data types"
CK_FP8 = "Composable Kernel, include/ck/utility/amd_ck_fp8.hpp and ck.hpp (CK_USE_OCP_FP8, CK_USE_FNUZ_FP8)"
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
    DataType("i4", "pk_int4_t", 4, "unsigned char", "uint8", "AMD RDNA3 ISA, WMMA IU4"),
    DataType("xf32", "xf32_t", 32, "float", "float32", CDNA3_ISA),
)
_BY_NAME: dict[str, DataType] = {key: row for row in DATA_TYPES for key in (row.ck, row.name)}


def find(name: str) -> DataType:
    """The type with this name, ours or CK's."""
    if not isinstance(name, str):
        raise LayoutError(f"wanted the name of a data type, got {name!r}")
    found = _BY_NAME.get(name.removeprefix("ck::").removeprefix("ck_tile::"))
    if found is None:
        msg = f"wanted a data type of {', '.join(sorted({row.name for row in _BY_NAME.values()}))}"
        raise LayoutError(f"{msg}; got {name!r}", hint="register_custom_type(...) adds one")
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
