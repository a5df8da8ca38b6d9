r"""Elements as numbers on the host: a small integer as an element, and an element as a double.

>>> print("\n".join(conversions(DataType.named("f32"), is_input=True)))
template <>
float element<float>(int number)
{
    return static_cast<float>(number);
}
double number(float element)
{
    return static_cast<double>(element);
}
"""

from __future__ import annotations

import numpy as np

from layoutalg.codegen.matrix.inputs import LARGEST
from layoutalg.codegen.text.source import indented
from layoutalg.data_type import DataType, from_numbers

__all__ = ["conversions", "relative_error"]

ROUNDING = {"f64": 40, "f32": 20, "f16": 10, "bf16": 7}  # of one result, as a power of two below 1
# bfloat16 by its bits, the upper half of a float's: older compilers of the host do not convert it.
TO_BFLOAT = """\
const float whole = static_cast<float>(number);
std::uint32_t bits;
std::memcpy(&bits, &whole, sizeof bits);
const std::uint16_t upper = static_cast<std::uint16_t>(bits >> 16);
__bf16 found;
std::memcpy(&found, &upper, sizeof found);
return found;
"""
OF_BFLOAT = """\
std::uint16_t upper;
std::memcpy(&upper, &element, sizeof upper);
const std::uint32_t bits = static_cast<std::uint32_t>(upper) << 16;
float found;
std::memcpy(&found, &bits, sizeof found);
return static_cast<double>(found);
"""
OF_CODE = f"""\
int found = 0;
while (codes[found] != element)
    ++found;
return found - {LARGEST};
"""


def relative_error(kind: DataType) -> str:
    """How far off a result may be, in parts of itself: a rounding or two of its type."""
    return f"0x1p-{ROUNDING[kind.name]}" if kind.name in ROUNDING else "0.0"


def conversions(kind: DataType, *, is_input: bool) -> list[str]:
    """The function that gives a type as numbers, and for inputs the one that makes it of integers."""
    declared, to, of = [], f"return static_cast<{kind.hip}>(number);", "return static_cast<double>(element);"
    if kind.name == "bf16":
        to, of = TO_BFLOAT, OF_BFLOAT
    elif kind.hip == "unsigned char" and (kind.coding or kind.packs):  # a type that the host does not have
        numbers = np.repeat(np.arange(-LARGEST, LARGEST + 1), kind.unpacked[1])  # alike in a byte
        codes = ", ".join(str(int(code)) for code in from_numbers(numbers, kind))
        declared = [f"const unsigned char codes[] = {{{codes}}};  // of -{LARGEST} to {LARGEST}"]
        to, of = f"return codes[number + {LARGEST}];", OF_CODE
    made = ["template <>", f"{kind.hip} element<{kind.hip}>(int number)", *_block(to)] if is_input else []
    return [*declared, *made, f"double number({kind.hip} element)", *_block(of)]


def _block(statements: str) -> list[str]:
    return ["{", *indented(statements.splitlines()), "}"]
