"""One named integer with its range.

>>> print(Variable(symbol_of("i", Integer(0)), Integer(0), Integer(64), multiple_of=8))
0 <= i < 64, i % 8 == 0
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sympy import Expr, Integer, Symbol

from layoutalg.errors import EmptyRangeError, LayoutError, of_kind
from layoutalg.index.node import as_expression

__all__ = ["Variable", "index_symbols", "parameter", "size", "symbol_of"]


@dataclass(frozen=True)
class Variable:
    """One named integer: ``lower <= symbol < upper`` and ``symbol % multiple_of == 0``.

    ``upper`` is exclusive and may be an expression; ``None`` means no bound on that side.

    >>> import layoutalg as la
    >>> la.Domain.of({"k": "K"}, {"K": (64, 4096, 64)}).variable("K").multiple_of
    64
    """

    symbol: Symbol
    lower: Expr | None
    upper: Expr | None
    multiple_of: int = 1
    is_parameter: bool = False

    def __post_init__(self) -> None:
        of_kind(self.symbol, Symbol, "Variable", "a symbol")
        for end in ("lower", "upper"):
            if getattr(self, end) is not None:
                found = of_kind(as_expression(getattr(self, end)), Expr, f"{self.name}: {end}", "an integer")
                object.__setattr__(self, end, found)
        if not isinstance(self.multiple_of, int) or self.multiple_of < 1:
            msg = f"{self.symbol}: wanted multiple_of >= 1, got {self.multiple_of}"
            raise LayoutError(msg)
        if self.lower is not None and self.upper is not None:
            length = self.upper - self.lower
            if length.is_Integer and length < 1:
                msg = f"{self.symbol}: the range {self} is empty"
                raise EmptyRangeError(msg)

    @property
    def name(self) -> str:
        return str(self.symbol.name)

    def __str__(self) -> str:
        text = self.name if self.lower is None else f"{self.lower} <= {self.name}"
        if self.upper is not None:
            closed = self.is_parameter and self.upper.is_Integer
            text += f" <= {self.upper - 1}" if closed else f" < {self.upper}"
        return text if self.multiple_of == 1 else f"{text}, {self.name} % {self.multiple_of} == 0"


def parameter(name: str | Symbol, given: tuple[int | None, ...]) -> Variable:
    """A size from ``(lowest, highest)`` or ``(lowest, highest, multiple_of)``, both ends included."""
    if len(given) not in (2, 3):
        msg = f"{name}: wanted (lowest, highest) or (lowest, highest, multiple_of), got {given}"
        raise LayoutError(msg)
    lowest, highest, multiple_of = (*given, 1)[:3]
    if not isinstance(multiple_of, int):
        msg = f"{name}: wanted an integer for multiple_of, got {multiple_of!r}"
        raise LayoutError(msg)
    lower = None if lowest is None else Integer(lowest)
    upper = None if highest is None else Integer(highest) + 1
    return Variable(symbol_of(name, lower), lower, upper, multiple_of, is_parameter=True)


def symbol_of(name: str | Symbol, lower: Expr | None) -> Symbol:
    """The symbol of a name, with what its lower end says about its sign."""
    if isinstance(name, Symbol):
        return name
    positive = lower is not None and bool(lower.is_positive)
    nonnegative = lower is not None and bool(lower.is_nonnegative)
    if positive:
        return Symbol(name, integer=True, positive=True)
    return Symbol(name, integer=True, **({"nonnegative": True} if nonnegative else {}))


def size(symbol: Symbol) -> Variable:
    """A size known by SymPy's assumptions on its symbol alone.

    >>> print(size(Symbol("N", integer=True, positive=True)))
    1 <= N
    """
    lower = 1 if symbol.is_positive else 0 if symbol.is_nonnegative else None
    return Variable(symbol, None if lower is None else Integer(lower), None, is_parameter=True)


def index_symbols(count: int, taken: Collection[str]) -> tuple[Symbol, ...]:
    """The symbols ``i0, i1, ...`` of an index, or of another letter where such names are taken.

    >>> index_symbols(2, {"i0"})
    (j0, j1)
    """
    letter = next(x for x in "ijnxyuvw" if not any(f"{x}{k}" in taken for k in range(count)))
    return tuple(symbol_of(f"{letter}{k}", Integer(0)) for k in range(count))
