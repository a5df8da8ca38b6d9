"""What all index nodes share: operands are integers, facts are asked for when a node is built."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from sympy import Expr, Integer, SympifyError, sympify, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanAtom, BooleanFunction
from sympy.printing.precedence import PRECEDENCE

from layoutalg.errors import LayoutError, MissingFactError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["IndexNode", "as_expression", "conjuncts", "is_condition", "is_shallow", "parts"]


def is_shallow(expression: Any, levels: int = 3) -> bool:
    """Whether an expression has no operations below so many levels of them.

    What SymPy deduces of signs takes time that grows exponentially with the depth; it is asked of shallow
    expressions only.

    >>> from sympy import Symbol
    >>> x = Symbol("x", integer=True, positive=True)
    >>> is_shallow(4 * x + 1), is_shallow(4 * x * (x + 1), levels=1)
    (True, False)
    """
    return not expression.args or (levels > 0 and all(is_shallow(arg, levels - 1) for arg in expression.args))


def parts(*expressions: Any) -> Iterator[Any]:
    """Every part of SymPy expressions once, however often it occurs: long chains repeat theirs endlessly.

    >>> from sympy import Symbol
    >>> x = Symbol("x", integer=True)
    >>> len(list(parts((x + 1) * (x + 1) ** 2)))  # the power, the sum, x, 1 and 3
    5
    """
    waiting, seen = list(expressions), set(expressions)
    while waiting:
        node = waiting.pop()
        yield node
        new = [arg for arg in getattr(node, "args", ()) if arg not in seen]
        seen.update(new)
        waiting += new


def as_expression(value: Any) -> Any:
    """A SymPy expression or condition from an integer or an expression; everything else is refused.

    Text above all: SymPy would run it as Python.

    >>> as_expression(3) + 1
    4
    >>> as_expression("x + 1")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: wanted an integer or a SymPy expression, got 'x + 1' (...)
    """
    if isinstance(value, str):
        msg = f"wanted an integer or a SymPy expression, got {value!r}"
        raise LayoutError(msg, hint="parse(text, domain) reads text")
    if isinstance(value, Expr):
        return value
    try:
        found = sympify(value, strict=True)
    except SympifyError:
        found = None
    if not isinstance(found, Expr) and not is_condition(found):  # a tuple, a set, a matrix
        raise LayoutError(f"wanted an integer or a SymPy expression, got {shown(value)}")
    return found


def is_condition(value: Any) -> bool:
    """Whether a SymPy value is true or false rather than a number (a bare symbol is a number)."""
    return isinstance(value, Relational | BooleanAtom | BooleanFunction)


def conjuncts(*conditions: Any) -> tuple[Any, ...]:
    """The conditions that hold together, those joined by ``&`` one by one; what always holds is left out.

    They come in the order in which SymPy prints them. (``And.make_args`` gives a set: its order is another
    one in each run.)

    >>> from sympy import Symbol, true
    >>> x, y = Symbol("x", integer=True), Symbol("y", integer=True)
    >>> conjuncts((y < 4) & (x < 3), true, x >= 0)
    (x < 3, y < 4, x >= 0)
    """
    found = (part for whole in conditions for part in (whole.args if isinstance(whole, And) else (whole,)))
    return tuple(part for part in found if part != true)


class _Replaced:
    """What nodes became under the rule of the last replacement."""

    def __init__(self) -> None:
        self.rule: Any = None
        self.items: tuple[Any, ...] = ()
        self.done: dict[Any, tuple[Any, bool]] = {}

    def of(self, rule: Any) -> dict[Any, tuple[Any, bool]]:
        items = tuple(rule.items())
        if rule is not self.rule or items != self.items:
            self.rule, self.items, self.done = rule, items, {}
        return self.done


_REPLACED = _Replaced()


class IndexNode(Expr):
    """An inert integer operation: it evaluates on integers and is left alone otherwise.

    Building one by name asks for the facts it needs. SymPy rebuilds nodes through ``func`` (for
    instance in ``subs``); a rebuilt node is refused only where it is certainly undefined.
    """

    is_integer: ClassVar[bool] = True
    is_commutative: ClassVar[bool] = True
    symbol: ClassVar[str]
    latex_symbol: ClassVar[str]
    # below Mul, so that the printed minus of -(x // 2) cannot slip onto x
    precedence: ClassVar[int] = PRECEDENCE["Add"]
    operand_precedence: ClassVar[int] = PRECEDENCE["Mul"]

    def __new__(cls, *args: Any, domain: Any = None) -> Any:
        operands = tuple(map(as_expression, args))
        if len(operands) != cls.arity():
            msg = f"{cls.__name__}: wanted {cls.arity()} operands, got {len(operands)}"
            raise LayoutError(msg)
        node = cls.unchecked(*operands)
        if domain is not None:
            domain.check(node)
        else:
            cls._require_facts(*operands)
        return node

    @classmethod
    def arity(cls) -> int:
        return 2

    @classmethod
    def unchecked(cls, *args: Any) -> Any:
        operands = tuple(map(as_expression, args))
        cls._refuse_certainly_undefined(*operands)
        if all(operand.is_Integer for operand in operands):
            return Integer(cls.value(*(int(operand) for operand in operands)))
        return Expr.__new__(cls, *operands)

    @property
    def func(self) -> Callable[..., Any]:
        return type(self).unchecked

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).unchecked, self.args

    @cached_property
    def free_symbols(self) -> set[Any]:
        """The symbols below, looked up once: parts that many nodes share are not walked again and again."""
        return set().union(*(arg.free_symbols for arg in self.args))

    def _xreplace(self, rule: Any) -> tuple[Any, bool]:
        """SymPy's step of ``xreplace``, taken once for each node however often it is shared."""
        done = _REPLACED.of(rule)
        if self not in done:
            done[self] = (rule[self], True) if self in rule else super()._xreplace(rule)
        found: tuple[Any, bool] = done[self]
        return found

    @staticmethod
    def value(left: int, right: int) -> int:
        """The meaning of the node on two integers."""
        raise NotImplementedError(left, right)

    @classmethod
    def spelled(cls, *operands: Any) -> str:
        return f" {cls.symbol} ".join(str(operand) for operand in operands)

    @classmethod
    def _refuse_certainly_undefined(cls, *operands: Any) -> None:
        for operand in operands:
            if (is_shallow(operand) and operand.is_integer is False) or is_condition(operand):
                msg = f"{cls.spelled(*operands)}: {operand} is not an integer"
                raise LayoutError(msg)

    @classmethod
    def _require_facts(cls, *operands: Any) -> None:
        for operand in operands:
            if operand.is_integer is not True:
                msg = f"{cls.spelled(*operands)}: nothing says that {operand} is an integer"
                raise MissingFactError(msg, hint=f"declare Symbol('{operand}', integer=True)")

    def _sympystr(self, printer: Any) -> str:
        left, right = self.args
        first = printer.parenthesize(left, self.operand_precedence)
        if first.startswith("-"):  # a sum around this would take the minus for that of all of it
            first = f"({first})"
        return f"{first} {self.symbol} {printer.parenthesize(right, self.operand_precedence + 1)}"

    def _latex(self, printer: Any) -> str:
        left, right = (printer.parenthesize(arg, PRECEDENCE["Mul"]) for arg in self.args)
        return rf"\left({left} {self.latex_symbol} {right}\right)"
