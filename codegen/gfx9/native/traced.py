"""Values that write down what is done to them: a row's meaning, written for NumPy's arrays, becomes C.

A traced value imitates an array: NumPy's functions and operators on it add a line of C to its trace, with the
types that NumPy would compute with. Equal lines are written once.

>>> import numpy as np
>>> trace = Trace()
>>> a = trace.value("a", np.uint32)
>>> found = (a & np.uint32(7)) + 1
>>> found.dtype, len(trace.lines)
(dtype('uint32'), 2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.small_floats import (
    small_float_borders,
    small_float_overflow,
    small_float_values,
)

__all__ = ["C_TYPES", "Trace", "Traced"]

C_TYPES = {
    "bool": "_Bool",
    "uint8": "uint8_t",
    "int8": "int8_t",
    "uint16": "uint16_t",
    "int16": "int16_t",
    "uint32": "uint32_t",
    "int32": "int32_t",
    "uint64": "uint64_t",
    "int64": "int64_t",
    "float16": "_Float16",
    "float32": "float",
    "float64": "double",
}
INFIX = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "logical_and": "&&",
    "logical_or": "||",
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
WRITTEN = {  # operations as C, of operands a and b
    "negative": "-{a}",
    "logical_not": "!{a}",
    "minimum": "{a} < {b} || {a} != {a} ? {a} : {b}",
    "maximum": "{a} > {b} || {a} != {a} ? {a} : {b}",
    "fmin": "{a} <= {b} || {b} != {b} ? {a} : {b}",
    "fmax": "{a} >= {b} || {b} != {b} ? {a} : {b}",
    "isnan": "{a} != {a}",
    "isfinite": "{a} - {a} == 0",
    "isinf": "{a} == {a} && {a} - {a} != 0",
    "signbit": "__builtin_signbit({a}) != 0",
    "positive": "{a}",
    "copysign": "__builtin_copysign({a}, {b})",
}
OF_DOUBLE = {"trunc", "floor", "ceil", "rint", "sqrt", "log2", "exp2", "sin", "cos"}


class Trace:
    """Lines of C, and the tables that they look into."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tables: dict[str, str] = {}
        self._names: dict[tuple[str, str], str] = {}

    def value(self, name: str, kind: Any) -> Traced:
        """A variable of this name, which is there already."""
        return Traced(self, name, np.dtype(kind))

    def add(self, text: str, kind: Any) -> Traced:
        """What an expression of C gives, in a variable of the type of NumPy's that is named."""
        dtype = np.dtype(kind)
        name = self._names.get((text, dtype.name))
        if name is None:
            name = f"t{len(self.lines)}"
            self.lines.append(f"const {C_TYPES[dtype.name]} {name} = {text};")
            self._names[text, dtype.name] = name
        return Traced(self, name, dtype)

    def of(self, value: Any, kind: Any) -> str:
        """A traced value or a number as C of a type."""
        dtype = np.dtype(kind)
        if isinstance(value, Traced):
            return value.name if value.dtype == dtype else value.astype(dtype).name
        return literal(value, dtype)

    def table(self, name: str, kind: str, values: Sequence[Any]) -> str:
        """The name of a table of constants."""
        text = ", ".join(literal(value, np.dtype(kind)) for value in values)
        self.tables[name] = f"static const {C_TYPES[kind]} {name}[{len(values)}] = {{{text}}};"
        return name


def literal(value: Any, dtype: np.dtype[Any]) -> str:
    """A number as C of a type."""
    kind = C_TYPES[dtype.name]
    if dtype.kind != "f":
        return f"(({kind}){int(dtype.type(value))}{'ull' if dtype.kind == 'u' else 'll'})"
    number = float(dtype.type(value))
    if math.isnan(number):
        return f'(({kind})__builtin_nan(""))'
    if math.isinf(number):
        return f"(({kind}){'-' if number < 0 else ''}__builtin_inf())"
    return f"(({kind}){number.hex()})"


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A value of a type of NumPy's that stands in a variable of C."""

    def __init__(self, trace: Trace, name: str, kind: np.dtype[Any]) -> None:
        self.trace = trace
        self.name = name
        self.dtype = kind

    def astype(self, kind: Any) -> Traced:
        """Converted, as C and NumPy do it alike where the value fits."""
        dtype = np.dtype(kind)
        if dtype == self.dtype:
            return self
        if dtype.kind == "b":
            return self.trace.add(f"{self.name} != 0", dtype)
        if dtype.name == "float16" and self.dtype.itemsize > 4:
            return self.trace.add(f"half_of({self.name})", dtype)
        return self.trace.add(f"({C_TYPES[dtype.name]}){self.name}", dtype)

    def view(self, kind: Any) -> Traced:
        """The same bits as another type of the same size."""
        dtype = np.dtype(kind)
        if dtype == self.dtype or (dtype.kind in "iu" and self.dtype.kind in "iu"):
            return self.astype(dtype)
        new, old = C_TYPES[dtype.name], C_TYPES[self.dtype.name]
        return self.trace.add(f"((union {{{old} a; {new} b;}}){{.a = {self.name}}}).b", dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        kinds = [_kind_of(value) for value in inputs]
        *sources, result = ufunc.resolve_dtypes((*kinds, None))
        texts = [self.trace.of(value, kind) for value, kind in zip(inputs, sources, strict=True)]
        return self.trace.add(_operation(ufunc.__name__, texts, sources[0]), result)

    def __array_function__(self, function: Any, _types: Any, values: Any, options: Any) -> Any:
        own = FUNCTIONS.get(function.__name__)
        return NotImplemented if own is None else own(self.trace, *values, **options)

    def primitive(self, name: str, values: tuple[Any, ...]) -> Traced:
        """What a primitive of the rows gives (``rows.primitive``)."""
        return PRIMITIVES[name](self.trace, *values)


def _kind_of(value: Any) -> Any:
    if isinstance(value, Traced):
        return value.dtype
    return value.dtype if isinstance(value, np.generic) else type(value)


def _operation(name: str, texts: list[str], kind: np.dtype[Any]) -> str:
    """A universal function of NumPy's as an expression of C."""
    if name in INFIX:
        return f"{texts[0]} {INFIX[name]} {texts[1]}"
    if name in ("left_shift", "right_shift"):
        sign = "<<" if name == "left_shift" else ">>"
        beyond = f"{texts[0]} < 0 ? -1 : 0" if sign == ">>" and kind.kind == "i" else "0"
        return f"(uint64_t){texts[1]} < {8 * kind.itemsize} ? {texts[0]} {sign} {texts[1]} : ({beyond})"
    if name == "invert":
        return f"!{texts[0]}" if kind.kind == "b" else f"~{texts[0]}"
    if name == "absolute":
        return (
            f"{texts[0]} < 0 ? -{texts[0]} : {texts[0]}"
            if kind.kind != "f"
            else _of_double("fabs", texts, kind)
        )
    if name in OF_DOUBLE:
        return _of_double(name, texts, kind)
    if name == "ldexp":
        return f"times_power({texts[0]}, (int){texts[1]})"
    return WRITTEN[name].format(a=texts[0], b=texts[-1])


def _of_double(name: str, texts: list[str], kind: np.dtype[Any]) -> str:
    suffix = "" if kind.name == "float64" else "f"
    return f"__builtin_{name}{suffix}({texts[0]})"


def _where(trace: Trace, chosen: Any, left: Any, right: Any) -> Traced:
    kind = np.result_type(*(_sample(value) for value in (left, right)))
    condition = trace.of(chosen, np.bool_)
    return trace.add(f"{condition} ? {trace.of(left, kind)} : {trace.of(right, kind)}", kind)


def _sample(value: Any) -> Any:
    """What NumPy takes the type of."""
    return value.dtype if isinstance(value, Traced) else value


def _clip(_trace: Trace, value: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(value, low), high)


def _no_nan(trace: Trace, value: Traced, *, nan: float) -> Any:
    """``nan_to_num`` of what is finite or not a number."""
    return _where(trace, np.isnan(value), value.dtype.type(nan), value)


FUNCTIONS: dict[str, Callable[..., Any]] = {"where": _where, "clip": _clip, "nan_to_num": _no_nan}


def _fused(trace: Trace, left: Any, right: Any, more: Any) -> Traced:
    """In the type of the numbers where that rounds once; halves, and what is wider, to odd before."""
    kind = np.result_type(*(_sample(value) for value in (left, right, more)))
    if kind.name != "float32":
        values = ", ".join(trace.of(value, np.float64) for value in (left, right, more))
        return trace.add(f"fma_to_odd({values})", np.float64)
    values = ", ".join(trace.of(value, kind) for value in (left, right, more))
    return trace.add(f"__builtin_fmaf({values})", kind)


def _fused_f64(trace: Trace, *given: Any) -> Traced:
    values = ", ".join(trace.of(value, np.float64) for value in given)
    return trace.add(f"__builtin_fma({values})", np.float64)


def _from_small(trace: Trace, name: str, bits: Any) -> Traced:
    table = trace.table(f"values_{name}", "float32", small_float_values(name).tolist())
    return trace.add(f"{table}[{trace.of(bits, np.uint32)} & 0xFF]", np.float32)


def _to_small(trace: Trace, name: str, values: Any) -> Traced:
    borders, is_even, nan = small_float_borders(name)
    table = trace.table(f"borders_{name}", "float64", borders.tolist())
    even = trace.table(f"even_{name}", "uint8", is_even.astype(int).tolist())
    given = f"{len(borders)}, {nan}, {small_float_overflow(name)}, {trace.of(values, np.float64)}"
    return trace.add(f"to_small({table}, {even}, {given})", np.uint32)


PRIMITIVES: dict[str, Callable[..., Traced]] = {
    "fused_multiply_add": _fused,
    "fused_multiply_add_f64": _fused_f64,
    "from_small": _from_small,
    "to_small": _to_small,
}
