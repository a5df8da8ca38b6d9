"""Expressions of single elements as C++: how each operation is spelled, and each conversion.

>>> from layoutalg.data_type import DataType
>>> from layoutalg.tile.elements import argument, maximum
>>> a = argument(0, DataType.named("f16"))
>>> element_text(maximum(a * a, 0), {0: "x[i]"})
'((x[i] * x[i]) < (_Float16)0 ? (_Float16)0 : x[i] * x[i])'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.tile.elements import Element

__all__ = ["constant_text", "converted_text", "element_text"]

BF16 = "bf16"
MOVED_ONLY = "moved, and not computed with"
SMALL = 2**24  # whole numbers below are written as such
LOG2_E = "1.44269504088896340736f"
LN_2 = "0.693147180559945309417f"


def element_text(element: Element, leaves: Mapping[Any, str], wanted: DataType | None = None) -> str:
    """The text of an expression; ``leaves``: what arguments, held elements and indices are called."""
    kind = element.kind or wanted
    match element.op:
        case "argument":
            return _number(leaves[element.parts[0]], element.kind)
        case "held":
            return _number(leaves[element.parts], element.kind)
        case "x":
            return leaves["x", element.parts[0]]
        case "coordinate" | "index" | "scalar":
            return leaves[element.op, *element.parts]
        case "constant":
            return constant_text(element.parts[0], kind)
    computed = element.computed_in or kind
    kinds = [None if is_condition else computed for is_condition in element.conditions]
    parts = [
        converted_text(element_text(part, leaves, one), part.kind or one, one)
        for part, one in zip(element.parts, kinds, strict=True)
    ]
    return _operation(element, parts, kind)


def _operation(element: Element, parts: list[str], kind: DataType | None) -> str:
    match element.op:
        case "+" | "-" | "*" | "/" | "%" | "&" | "|" | "<" | "<=" | "==" | "!=":
            return f"{_inner(parts[0])} {element.op} {_inner(parts[1])}"
        case "max" | "min":
            first, second = parts if element.op == "max" else parts[::-1]
            return f"({_inner(first)} < {_inner(second)} ? {parts[1]} : {parts[0]})"
        case "select":
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        case "exp":
            return f"__builtin_amdgcn_exp2f({_inner(parts[0])} * {LOG2_E})"
        case "exp2":
            return f"__builtin_amdgcn_exp2f({parts[0]})"
        case "log":
            return f"{LN_2} * __builtin_amdgcn_logf({parts[0]})"
        case "sqrt" | "rsqrt":
            name = {"sqrt": "sqrtf", "rsqrt": "rsqf"}[element.op]
            return f"__builtin_amdgcn_{name}({parts[0]})"
    raise LayoutError(f"tile program: no C++ for {element.op} of {kind}")


def _inner(text: str) -> str:
    """In parentheses if there is an operator outside of all brackets, which are set off by spaces."""
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == " " and depth == 0:
            return f"({text})"
    return text


def constant_text(value: float, kind: DataType | None) -> str:
    """A number as a type has it."""
    if kind is None or kind.name == "i32":
        return str(int(value) if kind is not None else value)
    if kind.name == "f32":
        return _float(value)
    if kind.name == "f64":
        return _float(value).removesuffix("f") if np.isfinite(value) else f"(double){_float(value)}"
    is_whole = kind.coding is None or (float(value).is_integer() and abs(value) < SMALL)
    return f"({kind.hip}){int(value) if is_whole else _float(value)}"


def _float(value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return "__builtin_inff()" if value > 0 else "-__builtin_inff()"
    return f"{float(value)!r}f"


def _number(text: str, kind: DataType | None) -> str:
    """An element in the type that is computed with."""
    if kind is not None and kind.name == BF16:
        return f"__builtin_bit_cast(float, (unsigned)__builtin_bit_cast(unsigned short, {text}) << 16)"
    _require_computable(kind)
    return text


def converted_text(text: str, given: DataType | None, wanted: DataType | None) -> str:
    """A number as another type has it, converted as CK does."""
    if wanted is None or given == wanted:
        return text
    if wanted.name == BF16:
        bits = f"__builtin_bit_cast(unsigned, (float){_inner(text)}) >> 16"
        return f"__builtin_bit_cast({wanted.hip}, (unsigned short)({bits}))"
    _require_computable(wanted)
    if wanted.name == "i8" and (given is None or given.coding is not None or given.name.startswith("f")):
        return f"({wanted.hip})(int){_inner(text)}"
    return f"({wanted.hip}){_inner(text)}"


def _require_computable(kind: DataType | None) -> None:
    if kind is not None and kind.coding is not None and kind.name not in ("f16", BF16):
        raise LayoutError(f"tile program: elements of {kind.name} are {MOVED_ONLY} in kernels")
