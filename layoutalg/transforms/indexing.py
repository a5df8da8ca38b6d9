"""An arbitrary map of one dimension, given as an index expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import sympy
from sympy import Expr, Symbol

from layoutalg.errors import LengthError, of_kind
from layoutalg.index import Select, Table
from layoutalg.index.interpret import interpret
from layoutalg.index.node import as_expression
from layoutalg.index.sympy_forms import from_sympy
from layoutalg.length import Length, Lengths, length, sequence, stride
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Indexing", "make_indexing_transform"]

FEW = 16  # entries that are written as selections; more of them are a table


@dataclass(frozen=True)
class Indexing(Transform):
    """``lower = low_index`` with the upper index in place of ``upper_symbol``.

    CK's gather and scatter look the lower index up in a table (``Indexing.table``); a formula is
    as good.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Indexing.table((5, 2, 7)).lower((1,), C_INTEGERS)
    (2,)
    """

    up_length: Length
    upper_symbol: Symbol
    low_index: Expr
    kind: ClassVar[str] = "indexing"

    def __post_init__(self) -> None:
        object.__setattr__(self, "up_length", length(self.up_length, "indexing: up_length"))
        if not isinstance(self.upper_symbol, Symbol):
            msg = f"indexing: upper_symbol: wanted a symbol, got {self.upper_symbol!r}"
            raise LengthError(msg)
        if not isinstance(self.low_index, Expr | int):
            msg = f"indexing: low_index: wanted an index expression, got {self.low_index!r}"
            raise LengthError(msg)
        object.__setattr__(self, "low_index", from_sympy(as_expression(self.low_index)))

    @classmethod
    def table(cls, entries: Sequence[int]) -> Indexing:
        """The map that sends upper index ``i`` to ``entries[i]``."""
        found = [
            stride(entry, f"indexing: entries[{i}]")
            for i, entry in enumerate(sequence(entries, "indexing: entries"))
        ]
        if not found:
            msg = "indexing: entries: wanted one entry or more, got none"
            raise LengthError(msg)
        upper = Symbol("i", integer=True, nonnegative=True)
        if len(found) > FEW and all(isinstance(entry, int) for entry in found):
            numbers = Table.of_constants("table", [int(entry) for entry in found])
            return cls(len(found), upper, numbers(upper))
        chosen = as_expression(found[-1])
        for position, entry in reversed(list(enumerate(found[:-1]))):
            chosen = Select.unchecked(sympy.Le(upper, position), as_expression(entry), chosen)
        return cls(len(found), upper, chosen)

    @classmethod
    def of_table(cls, table: Table) -> Indexing:
        """The map that looks its index up in a table known at run time.

        >>> from layoutalg.length import sizes
        >>> B, pages = sizes("B pages")
        >>> Indexing.of_table(Table.of("page", (B,), 0, pages)).low_index
        page[i]
        """
        of_kind(table, Table, "indexing: table", "a Table of one index")
        if len(table.lengths) != 1:
            msg = f"indexing: table: wanted a table of one index, got {len(table.lengths)}: {table}"
            raise LengthError(msg)
        upper = Symbol("i", integer=True, nonnegative=True)
        return cls(table.lengths[0], upper, table(upper))

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (None,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.up_length,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper

        def leaf(symbol: Symbol) -> Any:
            return index if symbol == self.upper_symbol else on.of_expression(symbol)

        return (interpret(self.low_index, on, leaf),)

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        return super().free_symbols - {self.upper_symbol}

    def inverse(self) -> None:
        return None


@noted
def make_indexing_transform(up_length: Length, entries: Sequence[int] | Expr | Table) -> Indexing:
    """One dimension looked up in a table, or computed: ``entries`` is a sequence or a formula in ``i``.

    A :class:`~layoutalg.index.table.Table` is one known at run time.

    >>> from sympy import Symbol
    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> i = Symbol("i", integer=True, nonnegative=True)
    >>> make_indexing_transform(8, 7 - i).lower((2,), C_INTEGERS)
    (5,)
    """
    if isinstance(entries, Table):
        made = Indexing.of_table(entries)
        return Indexing(up_length, made.upper_symbol, made.low_index)
    if isinstance(entries, Expr):
        symbols = entries.free_symbols
        named = [symbol for symbol in symbols if symbol.name == "i"]
        upper = named[0] if named else Symbol("i", integer=True, nonnegative=True)
        return Indexing(up_length, upper, entries)
    made = Indexing.table(entries)
    return Indexing(up_length, made.upper_symbol, made.low_index)
