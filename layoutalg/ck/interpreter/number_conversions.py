"""Conversion of numbers to built-in types: wrapped where C++ wraps, refused where it refuses.

>>> to_builtin("signed char", 300), to_builtin(builtin("long unsigned int").name, -1)
(44, 18446744073709551615)
>>> to_builtin("signed char", 300, no_narrowing=True)
Traceback (most recent call last):
layoutalg.ck.cpp.cpp_errors.RejectedError: 300 does not fit signed char
"""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Any

import sympy
from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import TYPES, fits, integer
from layoutalg.ck.interpreter.cpp_values import Builtin, Enumerator, EnumType

__all__ = ["builtin", "enumerator", "literal_like", "to_builtin"]

FLOATS = frozenset(("float", "double", "long double", "_Float16", "__bf16"))
_WORDS = frozenset(("int", "long", "short", "char", "signed", "unsigned"))
_NEVER = ({"signed", "unsigned"}, {"char", "int"}, {"char", "long"}, {"char", "short"}, {"short", "long"})
_AS_THEY_ARE = frozenset(("void", "auto", "nullptr_t"))  # nothing is made a number of these


@cache
def builtin(name: str) -> Builtin:
    """The built-in type that words such as ``long unsigned int`` name, in any order."""
    words = name.split()
    is_twice = len(set(words)) < len(words) - (words.count("long") == 2)
    if not _WORDS.issuperset(words) or is_twice or any(pair.issubset(words) for pair in _NEVER):
        return Builtin(name)
    has_sign = "unsigned" not in words
    length = [w for w in words if w in {"long", "short", "char"}]
    if length == ["char"]:
        found = "unsigned char" if not has_sign else "signed char" if "signed" in words else "char"
    else:
        found = f"{'' if has_sign else 'unsigned '}{' '.join(length) or 'int'}"
    return Builtin(found if found in TYPES else name)


def to_builtin(name: str, value: Any, *, no_narrowing: bool = False) -> Any:
    """A value converted to the type; ``no_narrowing`` refuses changes, as braces and templates do."""
    if isinstance(value, Enumerator):
        if value.is_scoped:
            raise RejectedError(f"{value.name} is no {name} without a cast")
        value = value.number
    elif isinstance(value, Expr):
        return _open(name, value)
    if isinstance(value, int):
        return _from_integer(name, value, no_narrowing=no_narrowing)
    return _from_float(name, value, no_narrowing=no_narrowing) if isinstance(value, float) else value


def _from_integer(name: str, value: int, *, no_narrowing: bool) -> Any:
    if name in TYPES:
        if no_narrowing and not fits(name, value):
            raise RejectedError(f"{value} does not fit {name}")
        return integer(name, value)
    if name in FLOATS:
        if no_narrowing and name == "float" and struct.unpack("f", struct.pack("f", value))[0] != value:
            raise RejectedError(f"{value} does not fit {name}")
        return float(value)
    if name in _AS_THEY_ARE:
        return value
    raise NotUnderstoodError(f"{value} as a number of type {name}")


def _from_float(name: str, value: float, *, no_narrowing: bool) -> Any:
    if name not in TYPES:
        return value
    if no_narrowing:
        raise RejectedError(f"{value}, a floating-point number, for {name}")
    if name == "bool":
        return value != 0
    if not math.isfinite(value) or not fits(name, int(value)):
        raise RejectedError(f"{value} does not fit {name}")
    return integer(name, int(value))


def _open(name: str, value: Expr) -> Any:
    """A size left open, of type ``index_t``; types that have all its values leave it as it is."""
    if value.is_Integer:
        return to_builtin(name, int(value))
    if name == "bool":
        return sympy.Ne(value, 0)
    if name in TYPES and TYPES[name].bits < TYPES["int"].bits:
        raise NotUnderstoodError(f"{value}, a size not known, as {name}")
    return value


def literal_like(number: int) -> int:
    """A number of a binding with the type of a decimal literal: ``int``, or ``long`` if it does not fit."""
    if isinstance(number, bool) or fits("int", number):
        return number
    if not fits("long", number):
        raise RejectedError(f"{number} does not fit long")
    return integer("long", number)


def enumerator(kind: EnumType, value: int) -> Enumerator:
    """The enumerator that a cast makes of a number; ``RejectedError`` outside of the enumeration's range."""
    if kind.is_fixed:
        number = int(integer(kind.underlying, value))
    else:
        number = int(value)
        known = [v for _, v in kind.values] or [0]
        high = 2 ** max(1, *((~v if v < 0 else v).bit_length() for v in known)) - 1
        low = -high - 1 if min(known) < 0 else 0
        if not low <= number <= high:
            raise RejectedError(f"{number} is outside of {kind.declared.name}, which has {low} to {high}")
    names = {v: name for name, v in reversed(kind.values)}
    return Enumerator(kind, names.get(number, str(number)), number)
