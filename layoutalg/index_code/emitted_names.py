"""Names that an emitted text cannot have, since its language keeps them for itself.

An index may be called anything where it is proved, printed and evaluated; where it becomes a parameter of a
function, a keyword would make the text one that no compiler reads:

>>> C_FAMILY.require(["row", "for"])
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: 'for' is a keyword of C, C++ or HIP: ... (rename it, for instance to for_, ...)
>>> PYTHON.require(["row", "for_", "int"])
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from layoutalg.errors import LayoutError

__all__ = ["C11", "CPP17", "C_FAMILY", "PYTHON", "EmittedNames"]

C11 = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
"""
CPP17 = """
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t class compl const_cast constexpr
decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public reinterpret_cast static_assert static_cast template this
thread_local throw true try typeid typename using virtual wchar_t xor xor_eq
"""
LATER = "char8_t concept consteval constinit co_await co_return co_yield requires typeof typeof_unqual"
PREDEFINED = "linux unix NULL"  # macros
TYPES = "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"  # that emitted text speaks of
BUILT_IN = "threadIdx blockIdx blockDim gridDim warpSize"  # of a kernel, in HIP and CUDA
OLD_BUILT_IN = {  # macros of HIP
    f"hip{what}_{axis}" for what in ("ThreadIdx", "BlockIdx", "BlockDim", "GridDim") for axis in "xyz"
}
RESERVED = re.compile(r"__|_[A-Z]")  # how names of compilers and their libraries begin


@dataclass(frozen=True)
class EmittedNames:
    """What a name must not be in texts of one language or a family of them."""

    language: str
    words: frozenset[str]
    reserved: re.Pattern[str] | None = None

    def require(self, names: Iterable[str], taken: Collection[str] = ()) -> None:
        """Refuse a name that the language keeps for itself, or that the text has of its own (``taken``)."""
        for name in names:
            if name in self.words:
                msg = f"{name!r} is a keyword of {self.language}: no name in emitted text may be one"
            elif self.reserved is not None and self.reserved.match(name):
                msg = f"{name!r} begins as names that {self.language} keeps for compilers"
            elif name in taken:
                msg = f"{name!r} is the name of a function in the same text"
            else:
                continue
            better = f"{name.strip('_')}_"
            raise LayoutError(msg, hint=f"rename it, for instance to {better}, before asking for code")


C_FAMILY = EmittedNames(
    "C, C++ or HIP",
    frozenset(f"{C11} {CPP17} {LATER} {PREDEFINED} {TYPES} {BUILT_IN}".split()) | OLD_BUILT_IN,
    RESERVED,
)
PYTHON = EmittedNames("Python", frozenset(keyword.kwlist) | {"min", "max"})
