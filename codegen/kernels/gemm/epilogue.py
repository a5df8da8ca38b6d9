"""What becomes of an element of the product before it is stored, as a small expression.

CK calls that elementwise operations. ``c`` is the element that A times B has there, ``d`` the element of a
matrix D that lies as C does; ``bias_n`` and ``scale_n`` belong to its column, ``bias_m`` and ``scale_m`` to
its row; ``alpha`` and ``beta`` are numbers. Arrays have the type of C, what is computed that of the sums.
A second expression, after a semicolon, says what is stored to a matrix E that lies as C does.

>>> made = Epilogue("relu(scale_m * scale_n * c + bias_n)")
>>> made.arrays, made.scalars
(('scale_m', 'scale_n', 'bias_n'), ())
>>> made.text({"c": "sum", "scale_m": "s", "scale_n": "t", "bias_n": "b"})
'relu(s * t * sum + b)'
>>> Epilogue("gelu(c + bias_n); c + bias_n").outputs
('c', 'e')
>>> Epilogue("relu(c) ** 2")
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: epilogue: wanted +, -, *, / and functions, got 'relu(c) ** 2' (such as ...)

Source: CK, ``unary_element_wise_operation.hpp`` (``FastGelu``, ``Silu``, ``Sigmoid``, ``TanH``, ``Relu``).
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from layoutalg.codegen.kernels.gemm.approximate import Approximate
from layoutalg.codegen.text.source import INDENT
from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import not_one_of

__all__ = ["ARRAYS", "FUNCTIONS", "NAMES", "SCALED", "Epilogue"]

ARRAYS = {"d": "mn", "scale_m": "m", "scale_n": "n", "bias_m": "m", "bias_n": "n"}  # by what counts them
SCALARS = ("alpha", "beta")
SCALED = "alpha * c + beta * d"
NAMES = ("c", *ARRAYS, *SCALARS)
LOG2_E = "1.44269504088896340736f"
EXP_OF_2X = f"__builtin_amdgcn_exp2f(2 * {LOG2_E} * x)"
TANH = "-0.333333333f + x * x * (0.133333333f + x * x * (-0.0539682540f + x * x * 0.0218694885f))"
GELU = "0.797884560802865f + 0.0356774081363f * x * x"
# Name: arguments, and the body of the device function, of floats. ``exp2`` is v_exp_f32, good to one unit.
FUNCTIONS: dict[str, tuple[int, str]] = {
    "relu": (1, "x > 0 ? x : 0"),
    "abs": (1, "x < 0 ? -x : x"),
    "min": (2, "x < y ? x : y"),
    "max": (2, "x > y ? x : y"),
    "exp": (1, f"__builtin_amdgcn_exp2f({LOG2_E} * x)"),
    "sigmoid": (1, f"1 / (1 + __builtin_amdgcn_exp2f(-{LOG2_E} * x))"),
    "silu": (1, f"x / (1 + __builtin_amdgcn_exp2f(-{LOG2_E} * x))"),
    "tanh": (  # of small numbers by their powers, since 1 - 2 / (1 + ...) keeps no digits of them
        1,
        f"x * x < 0.0625f ? x + x * x * x * ({TANH}) : 1 - 2 / (1 + {EXP_OF_2X})",
    ),
    "gelu": (  # CK's FastGelu: by tanh
        1,
        f"x / (1 + __builtin_amdgcn_exp2f(-2 * {LOG2_E} * x * ({GELU})))",
    ),
}
OF_FLOATS = frozenset({"exp", "sigmoid", "silu", "tanh", "gelu"})
OPERATORS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", 1),
    ast.Sub: ("-", 1),
    ast.Mult: ("*", 2),
    ast.Div: ("/", 2),
}
LARGEST, LEAST = 2.0**127, 2.0**-126  # a constant is smaller, and no less unless it is 0
ATOM = 4  # binds more than any operator
OUTPUTS = ("c", "e")


@dataclass(frozen=True)
class Epilogue:
    """One or two expressions of an element of the product, ``c`` if nothing becomes of it."""

    expression: str = "c"

    def __post_init__(self) -> None:
        try:
            self._check()
        except RecursionError:
            raise LayoutError(
                "epilogue: wanted a small expression, got one that is nested too deep"
            ) from None

    def _check(self) -> None:
        if len(self._expressions) > len(OUTPUTS):
            msg = f"epilogue: wanted one expression for C and one for E, got {len(self._expressions)}"
            raise LayoutError(msg, hint="such as 'relu(c + bias_n); c + bias_n'")
        if not all(self._expressions) or "#" in self.expression:
            msg = f"epilogue: wanted an expression on each side of a semicolon, got {self.expression!r}"
            raise LayoutError(msg, hint="such as 'relu(c + bias_n); c + bias_n'")
        for tree in self._trees:
            if unknown := self._names_of(tree) - set(NAMES):
                raise not_one_of("a name in an epilogue", min(unknown), NAMES, where="gemm")
        for output, expression in zip(self.outputs, self._expressions, strict=True):
            self.text(dict.fromkeys(NAMES, "x"), output=output)
            if "c" not in self._names_of(self._of(output)):
                msg = f"epilogue: wanted expressions of c, the element of the product, got {expression!r}"
                raise LayoutError(msg)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The matrices that are stored."""
        return OUTPUTS[: len(self._expressions)]

    @property
    def is_plain(self) -> bool:
        """Whether elements are stored as they are."""
        return len(self._trees) == 1 and isinstance(self._trees[0], ast.Name)

    @property
    def _expressions(self) -> list[str]:
        return [part.strip() for part in self.expression.split(";")]

    @cached_property
    def _trees(self) -> tuple[ast.expr, ...]:
        return tuple(map(self._parsed, self._expressions))

    def _parsed(self, expression: str) -> ast.expr:
        try:
            return ast.parse(expression, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._refused() from None

    def _refused(self) -> LayoutError:
        msg = f"epilogue: wanted +, -, *, / and functions, got {self.expression!r}"
        return LayoutError(msg, hint="such as relu(c + bias_n)")

    def _nodes(self) -> Iterator[ast.AST]:
        """All parts of all expressions."""
        for tree in self._trees:
            yield from ast.walk(tree)

    @staticmethod
    def _names_of(tree: ast.expr) -> set[str]:
        calls = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
        return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n not in calls}

    @cached_property
    def _names(self) -> set[str]:
        return set().union(*map(self._names_of, self._trees))

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays that are read beside A and B."""
        return tuple(name for name in ARRAYS if name in self._names)

    def arrays_of(self, *outputs: str) -> tuple[str, ...]:
        """Those of which these outputs are made."""
        names = set().union(*(self._names_of(self._of(output)) for output in outputs))
        return tuple(name for name in ARRAYS if name in names)

    @property
    def scalars(self) -> tuple[str, ...]:
        return tuple(name for name in SCALARS if name in self._names)

    @property
    def needs_floats(self) -> bool:
        """Whether a function is there for 32 bits alone."""
        return not OF_FLOATS.isdisjoint(self.functions)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """The functions that are called."""
        called = [
            n.func.id for n in self._nodes() if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        ]
        return tuple(name for name in FUNCTIONS if name in called)

    @property
    def slug(self) -> str:
        """The expression as part of a name: its words, and four digits that tell it from others of these."""
        digits = hashlib.sha256("; ".join(map(ast.unparse, self._trees)).encode()).hexdigest()[:4]
        return "_".join([*re.findall(r"\w+", self.expression), digits])

    def definitions(self, kind: str) -> list[str]:
        """The functions that are called, as a kernel defines them, for a type of numbers."""
        found = []
        for name in self.functions:
            count, body = FUNCTIONS[name]
            given = ", ".join(f"{kind} {letter}" for letter in "xy"[:count])
            found += [f"__device__ {kind} {name}({given})", "{", f"{INDENT}return {body};", "}"]
        return found

    def _of(self, output: str) -> ast.expr:
        return self._trees[OUTPUTS.index(output)]

    def text(self, values: Mapping[str, str], suffix: str = "", output: str = "c") -> str:
        """The expression for an output in C, with texts in place of names; ``suffix``: of numbers."""
        return self._spelled(self._of(output), values, suffix)[0]

    def _spelled(self, node: ast.expr, values: Mapping[str, str], suffix: str) -> tuple[str, int]:
        """The text of a part, and how tightly it binds."""
        if isinstance(node, ast.Name):
            return values[node.id], ATOM
        if isinstance(node, ast.Constant) and self._is_number(node.value):
            if node.value and not LEAST <= abs(node.value) < LARGEST:  # type: ignore[arg-type]
                msg = f"epilogue: wanted numbers from {LEAST:.2g} to {LARGEST:.2g}, or 0, got {node.value!r}"
                raise LayoutError(msg)
            return f"{float(node.value)!r}{suffix}", ATOM  # type: ignore[arg-type]  # 1 / 2 is no whole number
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            text, binds = self._spelled(node.operand, values, suffix)
            return f"-{text}" if binds == ATOM and not text.startswith("-") else f"-({text})", 3
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            sign, binds = OPERATORS[type(node.op)]
            sides = (self._spelled(side, values, suffix) for side in (node.left, node.right))
            (left, of_left), (right, of_right) = sides
            left = f"({left})" if of_left < binds else left
            right = f"({right})" if of_right <= binds or right.startswith("-") else right
            return f"{left} {sign} {right}", binds
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            given = ", ".join(self._spelled(part, values, suffix)[0] for part in node.args)
            return f"{self._called(node)}({given})", ATOM
        raise self._refused()

    @staticmethod
    def _is_number(value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool)

    @staticmethod
    def _called(node: ast.Call) -> str:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name not in FUNCTIONS:
            raise not_one_of("a function in an epilogue", name, FUNCTIONS, where="gemm")
        if len(node.args) != FUNCTIONS[name][0]:
            msg = f"epilogue: wanted {FUNCTIONS[name][0]} arguments of {name}, got {len(node.args)}"
            raise LayoutError(msg)
        return name

    def of(self, values: Mapping[str, Approximate], output: str = "c") -> Approximate:
        """What it gives of numbers for an output, and how far rounding may lead from it."""
        return self._computed(self._of(output), values)

    def _computed(self, node: Any, values: Mapping[str, Approximate]) -> Approximate:
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int | float)
            return values["c"].exactly(float(node.value))
        if isinstance(node, ast.UnaryOp):
            return -self._computed(node.operand, values)
        if isinstance(node, ast.BinOp):
            left, right = (self._computed(part, values) for part in (node.left, node.right))
            return OPERATIONS[type(node.op)](left, right)
        return getattr(self._computed(node.args[0], values), node.func.id)(
            *(self._computed(part, values) for part in node.args[1:])
        )


OPERATIONS: dict[type[ast.operator], Callable[[Approximate, Approximate], Approximate]] = {
    ast.Add: Approximate.__add__,
    ast.Sub: lambda one, other: one + -other,
    ast.Mult: Approximate.__mul__,
    ast.Div: Approximate.__truediv__,
}
