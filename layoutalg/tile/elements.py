"""What is computed of single elements: an expression, built by a function of elements, read many ways.

``tile_elementwise_in(lambda a, b: a * b + 1, x, y)`` calls the function once, on stand-ins. What comes back
is an expression that NumPy evaluates for all elements, and that is printed as HIP for a kernel. Arithmetic
is that of C++: types are promoted, integers divide toward zero.

>>> import numpy as np
>>> a, b = argument(0, DataType.named("f32")), argument(1, DataType.named("f16"))
>>> made = maximum(a * b, 0) + 1
>>> made, made.kind.name
((max((a0 * a1), 0) + 1), 'f32')
>>> made.value({0: np.float32([2, -2]), 1: np.float16([3, 3])})
array([7., 1.], dtype=float32)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from layoutalg.data_type import DataType
from layoutalg.data_type.numbers_of import from_numbers, to_numbers
from layoutalg.errors import LayoutError
from layoutalg.index.sympy_forms import from_sympy

__all__ = [
    "Element",
    "argument",
    "constant",
    "converted",
    "element_of",
    "equal",
    "exp",
    "exp2",
    "log",
    "maximum",
    "minimum",
    "not_equal",
    "rsqrt",
    "select",
    "sqrt",
    "tanh",
    "traced_function",
]

F32, I32, BOOL = DataType.named("f32"), DataType.named("i32"), "bool"
ORDER = ("i8", "u8", "i32", "f16", "bf16", "f32", "f64")  # of promotion
COMPARISONS = ("<", "<=", "==", "!=")
LOGIC = ("&", "|")
BINARY = ("+", "-", "*", "/", "%", *LOGIC, *COMPARISONS)


@dataclass(frozen=True, eq=False)
class Element:
    """One operation: ``kind`` is the type of its result, None for a constant that takes the other's type.

    ``op``: argument, constant, held (an element of a thread buffer), x and coordinate (where it lies in its
    tile), index (an expression of sizes, workgroup and turns), scalar (a parameter), or an operation of C++.
    """

    op: str
    parts: tuple[Any, ...]
    kind: DataType | None

    def __add__(self, other: Any) -> Element:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Element:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Element:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Element:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Element:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Element:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Element:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Any) -> Element:
        return _binary("/", other, self)

    def __floordiv__(self, other: Any) -> Element:
        return _whole_binary("/", self, other)

    def __mod__(self, other: Any) -> Element:
        return _whole_binary("%", self, other)

    def __and__(self, other: Any) -> Element:
        return _whole_binary("&", self, other)

    def __or__(self, other: Any) -> Element:
        return _whole_binary("|", self, other)

    def __invert__(self) -> Element:
        return equal(self, 0)

    def __abs__(self) -> Element:
        return maximum(self, -self)

    def __pow__(self, other: Any) -> Element:
        if other != 2:
            raise LayoutError(f"an element to the power of {other!r}: wanted 2")
        return self * self

    def __neg__(self) -> Element:
        return _binary("-", _zero_like(self), self)

    def __lt__(self, other: Any) -> Element:
        return _binary("<", self, other)

    def __gt__(self, other: Any) -> Element:
        return _binary("<", other, self)

    def __le__(self, other: Any) -> Element:
        return _binary("<=", self, other)

    def __ge__(self, other: Any) -> Element:
        return _binary("<=", other, self)

    def __bool__(self) -> bool:
        hint = "select(condition, a, b) chooses element by element; minimum and maximum are there too"
        raise LayoutError("an element has a value only when the program runs", hint=hint)

    @property
    def computed_in(self) -> DataType | None:
        """The type that operands are converted to: that of the result, of comparisons that of both."""
        return _kind_of(*self.parts) if self.op in COMPARISONS else self.kind

    @property
    def conditions(self) -> tuple[bool, ...]:
        """Which operands are conditions, of a type of their own."""
        return tuple(self.op == "select" and number == 0 for number, _ in enumerate(self.parts))

    def __repr__(self) -> str:
        if self.op == "argument":
            return f"a{self.parts[0]}"
        if self.op in ("constant", "index", "scalar", "x"):
            return f"x{self.parts[0]}" if self.op == "x" else str(self.parts[0])
        if self.op == "held":
            return f"t{self.parts[0]}[{self.parts[1]}]"
        if self.op in BINARY:
            return f"({self.parts[0]} {self.op} {self.parts[1]})"
        return f"{self.op}({', '.join(map(str, self.parts))})"

    def value(self, leaves: Mapping[Any, NDArray[Any]]) -> NDArray[Any]:
        """The numbers, where the leaves have these (arrays in the types' NumPy form)."""
        return _Value(leaves).of(self)

    @property
    def leaves(self) -> frozenset[Any]:
        """What it is made of: numbers of arguments, ``(tile, place)`` of held elements, ``("x", i)``."""
        key = _leaf(self)
        if key is not None:
            return frozenset({key})
        return frozenset().union(*(part.leaves for part in self.parts if isinstance(part, Element)))

    @property
    def tiles(self) -> frozenset[int]:
        """The numbers of the tiles that it reads in thread buffers.

        >>> (Element("held", (3, 0), F32) + argument(0, F32)).tiles
        frozenset({3})
        """
        pairs = (leaf for leaf in self.leaves if isinstance(leaf, tuple))
        return frozenset(first for first, *_ in pairs if isinstance(first, int))


def _leaf(element: Element) -> Any:
    match element.op:
        case "argument":
            return element.parts[0]
        case "held":
            return element.parts
        case "x":
            return ("x", element.parts[0])
        case "coordinate" | "index" | "scalar":
            return (element.op, *element.parts)
    return None


def argument(number: int, kind: DataType) -> Element:
    """The stand-in for an element of the tile that a function is given at this place."""
    return Element("argument", (number,), kind)


def constant(value: float) -> Element:
    """A number, which takes the type of what it is computed with."""
    return Element("constant", (value,), None)


def element_of(value: Any) -> Element:
    """An element as it is, a number as a constant, or an expression of sizes, workgroup and turns."""
    if isinstance(value, Element):
        return value
    if isinstance(value, Expr):
        return Element("index", (from_sympy(value),), I32)
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        hint = "equal(a, b) compares elements; a == b asks whether they are one object"
        raise LayoutError(
            f"wanted an element or a number, got {value!r}", hint=hint if isinstance(value, bool) else ""
        )
    return constant(value.item() if isinstance(value, np.number) else value)


def _zero_like(element: Element) -> Element:
    is_whole = element.kind is not None and element.kind.numpy.startswith(("int", "uint"))
    return constant(0 if is_whole and element.kind is not None and element.kind.coding is None else -0.0)


def _kind_of(*parts: Element) -> DataType | None:
    """The type that C++ computes with."""
    kinds = [part.kind for part in parts if part.kind is not None]
    if not kinds:
        return None
    if any(part.op == "constant" and isinstance(part.parts[0], float) for part in parts):
        kinds += [F32] if all(_is_whole(kind) for kind in kinds) else []
    known = [kind for kind in kinds if kind.name in ORDER]
    if len(known) < len(kinds) or {kind.name for kind in kinds} == {"f16", "bf16"}:
        return F32  # small floats are computed as floats
    found = max(known, key=lambda kind: ORDER.index(kind.name))
    return F32 if found.name == "bf16" else I32 if found.name in ("i8", "u8") else found


def _is_whole(kind: DataType) -> bool:
    return kind.coding is None and kind.numpy.startswith(("int", "uint"))


def _binary(op: str, left: Any, right: Any) -> Element:
    parts = (element_of(left), element_of(right))
    return Element(op, parts, I32 if op in COMPARISONS else _kind_of(*parts))


def _whole_binary(op: str, left: Any, right: Any) -> Element:
    found = _binary(op, left, right)
    kinds = [part.kind for part in found.parts if part.kind is not None]
    if not all(map(_is_whole, kinds)) or any(
        part.op == "constant" and not isinstance(part.parts[0], int) for part in found.parts
    ):
        raise LayoutError(f"elements: {op} is of whole numbers, got {found}")
    return found


def equal(left: Any, right: Any) -> Element:
    """Whether two elements are the same number: ``==``."""
    return _binary("==", left, right)


def not_equal(left: Any, right: Any) -> Element:
    """Whether two elements are different numbers: ``!=``."""
    return _binary("!=", left, right)


def minimum(left: Any, right: Any) -> Element:
    """The smaller one: ``min``."""
    return _binary("min", left, right)


def maximum(left: Any, right: Any) -> Element:
    """The larger one: ``max``."""
    return _binary("max", left, right)


def exp(value: Any) -> Element:
    """``exp`` of a float."""
    return Element("exp", (element_of(value),), F32)


def exp2(value: Any) -> Element:
    """2 to the power of a float."""
    return Element("exp2", (element_of(value),), F32)


def log(value: Any) -> Element:
    """The natural logarithm of a float."""
    return Element("log", (element_of(value),), F32)


def tanh(value: Any) -> Element:
    """``tanh`` of a float, as ``1 - 2 / (1 + exp(2 x))``: what it is made of is fast."""
    return 1.0 - 2.0 / (1.0 + exp(2.0 * element_of(value)))


def rsqrt(value: Any) -> Element:
    """1 over the square root of a float."""
    return Element("rsqrt", (element_of(value),), F32)


def sqrt(value: Any) -> Element:
    """The square root of a float."""
    return Element("sqrt", (element_of(value),), F32)


def select(condition: Any, first: Any, second: Any) -> Element:
    """``condition ? first : second``."""
    chosen = (element_of(first), element_of(second))
    return Element("select", (element_of(condition), *chosen), _kind_of(*chosen))


def traced_function(function: Callable[..., Any], kinds: tuple[DataType, ...]) -> Element:
    """What a function makes of elements of these types."""
    return element_of(function(*(argument(number, kind) for number, kind in enumerate(kinds))))


@dataclass(frozen=True)
class _Value:
    """One evaluation; ``leaves`` in the types' NumPy form."""

    leaves: Mapping[Any, NDArray[Any]]

    def of(self, element: Element) -> NDArray[Any]:
        key = _leaf(element)
        if key is not None:
            assert element.kind is not None
            return _computing(self.leaves[key], element.kind)
        if element.op == "constant":
            return np.asarray(element.parts[0])
        kind, parts = element.computed_in, [self.of(part) for part in element.parts]
        if kind is not None:
            parts = [
                part if is_condition else part.astype(_dtype(kind))
                for part, is_condition in zip(parts, element.conditions, strict=True)
            ]
        with np.errstate(all="ignore"):
            return self._computed(element.op, parts)

    def _computed(self, op: str, parts: list[NDArray[Any]]) -> NDArray[Any]:
        operation = OPERATIONS.get(op)
        if operation is not None:
            return np.asarray(operation(*parts))
        if op in ("/", "%"):
            if parts[0].dtype.kind != "i":
                return np.asarray(parts[0] / parts[1])
            quotient = np.trunc(parts[0] / parts[1]).astype(parts[0].dtype)
            return quotient if op == "/" else np.asarray(parts[0] - quotient * parts[1])
        raise LayoutError(f"elements: no meaning of {op}")


OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "min": lambda a, b: np.where(b < a, b, a),  # as C++ has it where one is no number
    "max": lambda a, b: np.where(a < b, b, a),
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "<": np.less,
    "<=": np.less_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "select": np.where,
}


def _dtype(kind: DataType) -> Any:
    return np.float32 if kind.coding is not None and not kind.numpy.startswith("float") else kind.numpy


def _computing(patterns: NDArray[Any], kind: DataType) -> NDArray[Any]:
    """Patterns in memory as the numbers that are computed with."""
    if kind.coding is None or kind.numpy.startswith("float"):
        return patterns
    return to_numbers(patterns, kind).astype(np.float32)


def converted(numbers: NDArray[Any], kind: DataType) -> NDArray[Any]:
    """Numbers as a type has them, converted as CK does: bf16 cuts off, small floats round to the nearest.

    >>> converted(np.float32([1.99, -1.99, 300]), DataType.named("i8"))
    array([ 1, -1, 44], dtype=int8)
    """
    given = np.asarray(numbers)
    if kind.name == "bf16":
        return (given.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if kind.coding is not None and not kind.numpy.startswith("float"):
        return from_numbers(given, kind)
    with np.errstate(all="ignore"):
        if given.dtype.kind == "f" and _is_whole(kind):
            return np.trunc(given).astype(np.int64).astype(kind.numpy)
        return given.astype(kind.numpy)
