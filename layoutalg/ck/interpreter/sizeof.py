"""Sizes of types in bytes; packed 4-bit types are one byte of two elements."""

from __future__ import annotations

import re
from typing import Any

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.interpreter.class_members import bases_of
from layoutalg.ck.interpreter.conversions import type_of
from layoutalg.ck.interpreter.cpp_values import Array, Builtin, ClassType, EnumType, Tuple, Vector
from layoutalg.ck.interpreter.interpreter_state import Interpreter

__all__ = ["size_of"]

_BYTES = {"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "short": 2, "unsigned short": 2}
_BYTES |= {"int": 4, "unsigned int": 4, "float": 4, "long": 8, "unsigned long": 8, "double": 8}
_BYTES |= {"long long": 8, "unsigned long long": 8, "_Float16": 2, "__bf16": 2}
_BYTES |= {"char8_t": 1, "char16_t": 2, "char32_t": 4, "wchar_t": 4}
BITS = re.compile(r"(?:unsigned )?_BitInt\((\d+)\)")
WORD = 64  # bits; wider ones take whole words, others the smallest power of two of bytes


def size_of(interp: Interpreter, kind: Any, place: str) -> int:
    """The size of a type in bytes; ``NotUnderstoodError`` where it is not known."""
    if isinstance(kind, Builtin) and kind.name in _BYTES:
        return _BYTES[kind.name]
    bits = BITS.fullmatch(kind.name) if isinstance(kind, Builtin) else None
    if bits is not None:
        return _size_of_bits(int(bits[1]))
    if isinstance(kind, Vector):
        return size_of(interp, kind.element, place) * kind.count
    if isinstance(kind, Tuple) and kind.items and kind.items[0] == "pointer":
        return 8
    if isinstance(kind, EnumType):
        return _BYTES[kind.underlying]
    if isinstance(kind, Array) and kind.items:
        return len(kind.items) * size_of(interp, type_of(kind.items[0]), place)
    if isinstance(kind, ClassType):
        return _class_size(interp, kind, place)
    raise NotUnderstoodError(f"the size of {kind}", place)


def _size_of_bits(bits: int) -> int:
    if bits > WORD:
        return -(-bits // WORD) * WORD // 8
    return 1 << max(0, (-(-bits // 8) - 1).bit_length())


def _class_size(interp: Interpreter, kind: ClassType, place: str) -> int:
    fields = [d for d in kind.declared.members if d.kind == "variable" and not d.is_static]
    if len(fields) > 1 or bases_of(interp, kind):
        raise NotUnderstoodError(f"the size of {kind.declared.name}, a class of several parts", place)
    if not fields or fields[0].type_node is None:
        return 1
    return size_of(interp, interp.evaluate(fields[0].type_node, kind.scope), place)
