"""What an index text means: Python's own syntax tree, on Python's integers, undefined where we say so."""

from __future__ import annotations

import ast
from functools import lru_cache

__all__ = ["UndefinedError", "compiled", "value"]

MOST_BITS = 4096


class UndefinedError(ArithmeticError):
    """A divisor that is not positive, a negative operand of a bit operation that is no mask."""


def value(text, point):
    """The value of a text at a point; integers for numbers, bool for conditions."""
    return compiled(text)(point)


@lru_cache(maxsize=1024)
def compiled(text):
    """A function of points for a text; operations that may be undefined are calls that say so."""
    tree = ast.parse(text.replace("'", "_prime").replace("$", "S_"), mode="eval")
    code = compile(ast.fix_missing_locations(_Checked().visit(tree)), "<index>", "eval")
    return lambda point: eval(code, {**NAMES, **point})  # noqa: S307  the text is our own


class _Checked(ast.NodeTransformer):
    """Operators that need more than integers become calls; branches become lambdas."""

    def visit_BinOp(self, node):
        is_mask = isinstance(node.op, ast.BitAnd) and any(map(_is_negative_constant, (node.left, node.right)))
        self.generic_visit(node)
        if is_mask:  # -16 keeps all but the lowest bits
            return _call("_mask", node.left, node.right)
        name = OPERATORS.get(type(node.op))
        if name in ("_and", "_or"):  # SymPy prints conditions in an order of its own: either may decide
            return _call(name, _later(node.left), _later(node.right))
        return node if name is None else _call(name, node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return _call("_not", node.operand) if isinstance(node.op, ast.Invert) else node

    def visit_Call(self, node):
        if node.func.id == "select":
            condition, first, second = map(self.visit, node.args)
            return ast.IfExp(test=condition, body=first, orelse=second)
        self.generic_visit(node)
        return node


def _is_negative_constant(node):
    """Whether a text says a negative number, such as ``-16`` and ``1 - 17``."""
    if any(isinstance(part, ast.Name) for part in ast.walk(node)):
        return False
    try:
        return bool(value(ast.unparse(node), {}) < 0)
    except (UndefinedError, TypeError):
        return False


def _call(name, *arguments):
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])


def _later(expression):
    return ast.Lambda(args=ast.arguments([], [], None, [], [], None, []), body=expression)


def _conditions_or_bits(decided, combine):
    """Of conditions, what one of them decides, the other defined or not; of numbers, their bits."""

    def joined(first, second):
        try:
            left = first()
        except UndefinedError:
            if second() is decided:
                return decided
            raise
        if isinstance(left, bool):
            return left if left == decided else bool(second())
        return _bits(left, second(), combine)

    return joined


def _positive(divisor):
    if divisor <= 0:
        raise UndefinedError
    return divisor


def _bits(left, right, combine):
    if left < 0 or right < 0:
        raise UndefinedError
    return combine(left, right)


def _masked(left, right):
    if left < 0 and right < 0:
        raise UndefinedError
    return left & right


def _shift(left, right, combine):
    if left < 0 or not 0 <= right <= MOST_BITS:
        raise UndefinedError
    return combine(left, right)


OPERATORS = {
    ast.FloorDiv: "_div",
    ast.Mod: "_mod",
    ast.BitXor: "_xor",
    ast.BitAnd: "_and",
    ast.BitOr: "_or",
    ast.LShift: "_shl",
    ast.RShift: "_shr",
}
NAMES = {
    "__builtins__": {},
    "min": min,
    "max": max,
    "Eq": lambda a, b: a == b,
    "Ne": lambda a, b: a != b,
    "_not": lambda a: not a,
    "_mask": _masked,
    "_div": lambda a, b: a // _positive(b),
    "_mod": lambda a, b: a % _positive(b),
    "_xor": lambda a, b: _bits(a, b, lambda x, y: x ^ y),
    "_and": _conditions_or_bits(False, lambda x, y: x & y),
    "_or": _conditions_or_bits(True, lambda x, y: x | y),
    "_shl": lambda a, b: _shift(a, b, lambda x, y: x << y),
    "_shr": lambda a, b: _shift(a, b, lambda x, y: x >> y),
}
