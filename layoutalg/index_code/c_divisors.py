"""Division in C by a value that is known once: two words made of the divisor, then a product and a shift.

Granlund and Montgomery, "Division by invariant integers using multiplication", 1994; Composable Kernel's
``magic_division`` is the same for words of 32 bits. With ``2**shift`` the least power of two that is not
below the divisor, ``multiplier + 2**bits`` is the least integer above ``2**(bits + shift) / divisor``: too
large by so little that no quotient of ``n < 2**bits`` changes. ``mulhi(n, multiplier) + n`` stays within a
word for ``n < 2**(bits - 1)``, which every signed integer that is not negative satisfies.

>>> print(divisor_text("rows", 32, C))
// A divisor as multiplier and shift (Granlund and Montgomery 1994), exact for 0 <= n < 2^31.
struct rows_divisor
{
...
"""

from __future__ import annotations

from layoutalg.index_code.c_language import C, CLanguage
from layoutalg.index_code.line_breaks import broken

__all__ = ["MULTIPLY_HIGH", "C", "divide_name", "divisor_name", "divisor_text", "make_divisor_name"]

MULTIPLY_HIGH = """\
// The upper word of a product.
{device} uint32_t {name}_mulhi(uint32_t left, uint32_t right)
{{
    return (uint32_t)(((uint64_t)left * right) >> 32);
}}"""
UINT128 = "__extension__ typedef unsigned __int128 {name}_uint128;\n\n"
DIVISOR = """\
// A divisor as multiplier and shift (Granlund and Montgomery 1994), exact for 0 <= n < 2^{last}.
struct {divisor}
{{
    {word} multiplier;
    {word} shift;
}};

{host} {struct} {make}({word} divisor)
{{
    {struct} by = {{0, 0}};
    while ((({wide})1 << by.shift) < divisor)
    {{
        ++by.shift;
    }}
    by.multiplier = ({word})((((({wide})1 << by.shift) - divisor) << {bits}) / divisor + 1);
    return by;
}}

{device} {signed} {divide}({signed} n, {struct} by)
{{
    const {word} high = ({word})((({wide})({word})n * by.multiplier) >> {bits});
    return ({signed})((high + ({word})n) >> by.shift);
}}"""


def divisor_name(name: str, word: int) -> str:
    """The struct that holds a divisor."""
    return f"{name}_divisor{_suffix(word)}"


def make_divisor_name(name: str, word: int) -> str:
    """The function that prepares a divisor, on the host."""
    return f"{name}_make_divisor{_suffix(word)}"


def divide_name(name: str, word: int) -> str:
    """The function that divides by a prepared divisor."""
    return f"{name}_divide{_suffix(word)}"


def divisor_text(name: str, word: int, language: CLanguage) -> str:
    """The struct and the two functions for dividends of less than ``2**(word - 1)``."""
    divisor = divisor_name(name, word)
    text = DIVISOR.format(
        divisor=divisor,
        struct=language.struct(divisor),
        make=make_divisor_name(name, word),
        divide=divide_name(name, word),
        word=f"uint{word}_t",
        signed=f"int{word}_t",
        wide=f"uint{2 * word}_t" if word < 64 else f"{name}_uint128",
        bits=word,
        last=word - 1,
        host=language.host,
        device=language.device,
    )
    if word == 64:
        text = UINT128.format(name=name) + text
    return "\n".join(piece for line in text.split("\n") for piece in broken(line))


def _suffix(word: int) -> str:
    return "" if word == 32 else str(word)
