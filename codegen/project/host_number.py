r"""Elements as numbers on the host: a small integer as an element, and an element as a double.

>>> print("\n".join(conversions(DataType.named("f32"))))
float element(int number) { return static_cast<float>(number); }
double number(float element) { return static_cast<double>(element); }
"""

from __future__ import annotations

import numpy as np

from layoutalg.data_type import DataType, from_numbers

__all__ = ["LARGEST", "conversions", "relative_error"]

LARGEST = 3  # inputs are integers from -3 to 3: sums of their products are exact
ROUNDING = {"f64": 40, "f32": 20, "f16": 10, "bf16": 7}  # of one result, as a power of two below 1
BFLOAT = """\
// By its bits, the upper half of a float's: older compilers of the host do not convert it.
__bf16 element(int number)
{
    const float whole = static_cast<float>(number);
    std::uint32_t bits;
    std::memcpy(&bits, &whole, sizeof bits);
    const std::uint16_t upper = static_cast<std::uint16_t>(bits >> 16);
    __bf16 found;
    std::memcpy(&found, &upper, sizeof found);
    return found;
}
double number(__bf16 element)
{
    std::uint16_t upper;
    std::memcpy(&upper, &element, sizeof upper);
    const std::uint32_t bits = static_cast<std::uint32_t>(upper) << 16;
    float found;
    std::memcpy(&found, &bits, sizeof found);
    return static_cast<double>(found);
}
"""


def relative_error(kind: DataType) -> str:
    """How far off a result may be, in parts of itself: a rounding or two of its type."""
    return f"0x1p-{ROUNDING[kind.name]}" if kind.name in ROUNDING else "0.0"


def conversions(kind: DataType) -> list[str]:
    """The two functions for a type, each in lines of C++."""
    if kind.name == "bf16":
        return BFLOAT.splitlines()
    if kind.hip == "unsigned char" and kind.coding is not None:
        return _by_table(kind)
    return [
        f"{kind.hip} element(int number) {{ return static_cast<{kind.hip}>(number); }}",
        f"double number({kind.hip} element) {{ return static_cast<double>(element); }}",
    ]


def _by_table(kind: DataType) -> list[str]:
    """Of a type that the host does not have: the codes of all numbers that are used."""
    codes = ", ".join(str(int(code)) for code in from_numbers(np.arange(-LARGEST, LARGEST + 1), kind))
    return [
        f"const unsigned char codes[] = {{{codes}}};  // of -{LARGEST} to {LARGEST}",
        f"unsigned char element(int number) {{ return codes[number + {LARGEST}]; }}",
        "double number(unsigned char element)",
        "{",
        "    int found = 0;",
        "    while (codes[found] != element)",
        "        ++found;",
        f"    return found - {LARGEST};",
        "}",
    ]
