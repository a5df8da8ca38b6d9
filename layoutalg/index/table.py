"""Tables that are known at run time: page tables, expert maps, cumulative lengths; and tables of constants.

A table is an integer function of one or more indices of which only facts are known: how long it is, between
which ends its entries lie, that no two are equal, that they never fall. An :class:`Entry` is the table at an
index; provers treat it as unknown but for the facts.

>>> from layoutalg.index import FloorDiv
>>> from layoutalg.length import sizes
>>> pages, blocks = sizes("pages blocks")
>>> page = Table.of("page", (pages,), 0, blocks, one_to_one=True)
>>> t = Symbol("t", integer=True, nonnegative=True)
>>> page(FloorDiv(t, 16)) * 16
16*page[t // 16]
>>> page
page[pages]: 0 <= page < blocks, one-to-one
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sympy import Basic, Expr, Integer, Symbol, Tuple
from sympy.printing.precedence import PRECEDENCE

from layoutalg.errors import BeyondTableError, LayoutError, of_kind
from layoutalg.index.node import IndexNode, as_expression, parts
from layoutalg.reading.near_names import not_one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["MONOTONE", "Counts", "Entry", "RunOf", "Table", "tables_in"]

MONOTONE = ("no", "rising", "strictly")


class Table(Basic):
    """An integer function of indices below ``lengths``; :meth:`of` makes one, calling it gives an entry.

    >>> from layoutalg.length import sizes
    >>> B, total = sizes("B total")
    >>> Table.of("begin", (B + 1,), monotone="rising", first=0, last=total)
    begin[B + 1]: never falls, first 0, last total

    Two tables with one name and the same facts are one table. ``args`` are, in this order: the name, the
    lengths, and the facts, each an empty tuple where nothing is said.
    """

    @classmethod
    def of(  # noqa: PLR0913  one argument for each fact
        cls,
        name: str,
        lengths: Iterable[Any],
        lower: Any = None,
        upper: Any = None,
        *,
        one_to_one: bool = False,
        monotone: str = "no",
        first: Any = None,
        last: Any = None,
        multiple_of: int = 1,
        entries: Sequence[int] | None = None,
    ) -> Table:
        """A table by its facts.

        ``lower <= entry < upper``; ``monotone``: ``"rising"`` (never falls) or ``"strictly"``, along the last
        index; ``first`` and ``last`` entry (along the last index, of a table of one index); every entry is a
        multiple of ``multiple_of``; ``entries``: the numbers themselves, of a table of constants.
        """
        of_kind(name, str, "table: name", "a name")
        if monotone not in MONOTONE:
            raise not_one_of(f"for monotone of table {name} one", monotone, MONOTONE)
        of_kind(lengths, (tuple, list), f"table {name}: lengths", "a tuple of lengths, one for each index")
        of_kind(multiple_of, int, f"table {name}: multiple_of", "a whole number from 1")
        ends = Tuple(*map(as_expression, lengths))
        if not ends:
            raise LayoutError(f"table {name}: wanted one length or more, got none")
        if (first is not None or last is not None) and len(ends) > 1:
            raise LayoutError(f"table {name}: first and last are said of tables of one index")
        given = Tuple() if entries is None else Tuple(*(Integer(int(entry)) for entry in entries))
        facts = (_maybe(lower), _maybe(upper), _maybe(first), _maybe(last), Integer(multiple_of))
        flags = (Integer(int(one_to_one)), Integer(MONOTONE.index(monotone)))
        return cls(Symbol(name, integer=True), ends, *facts, *flags, given)

    @classmethod
    def of_constants(cls, name: str, entries: Sequence[int]) -> Table:
        """A table whose entries are known; what holds of them is read off.

        >>> Table.of_constants("order", (3, 0, 2, 1))
        order[4]: 0 <= order < 4, one-to-one
        """
        numbers = [int(entry) for entry in entries]
        least = min((after - before for before, after in pairwise(numbers)), default=1)
        monotone = "strictly" if least > 0 else "rising" if least == 0 else "no"
        return cls.of(
            name,
            (len(numbers),),
            min(numbers),
            max(numbers) + 1,
            one_to_one=len(set(numbers)) == len(numbers),
            monotone=monotone,
            entries=numbers,
        )

    @property
    def name(self) -> str:
        return str(self.args[0].name)

    @property
    def lengths(self) -> tuple[Expr, ...]:
        return tuple(self.args[1].args)

    @property
    def lower(self) -> Expr | None:
        return _given(self.args[2])

    @property
    def upper(self) -> Expr | None:
        """The end of the entries, itself left out."""
        return _given(self.args[3])

    @property
    def lowest(self) -> Expr | None:
        """The lowest an entry can be: the lower end, or the first entry of a table that never falls."""
        if self.entries is not None:
            return Integer(min(self.entries))
        return self.first if self.step is not None and self.first is not None else self.lower

    @property
    def highest(self) -> Expr | None:
        """The highest an entry can be, itself taken in."""
        if self.entries is not None:
            return Integer(max(self.entries))
        if self.step is not None and self.last is not None:
            return self.last
        return None if self.upper is None else self.upper - 1

    @property
    def first(self) -> Expr | None:
        return _given(self.args[4])

    @property
    def last(self) -> Expr | None:
        return _given(self.args[5])

    @property
    def multiple_of(self) -> int:
        return int(self.args[6])

    @property
    def is_one_to_one(self) -> bool:
        return bool(self.args[7]) or (self.step == 1 and len(self.lengths) == 1)

    @property
    def step(self) -> int | None:
        """How much an entry is above the one before at least; None of a table that may fall."""
        return None if self.args[8] == 0 else int(self.args[8]) - 1

    @property
    def entries(self) -> tuple[int, ...] | None:
        """The numbers of a table of constants."""
        return tuple(map(int, self.args[9].args)) or None

    @property
    def free_symbols(self) -> set[Any]:
        """The sizes in its lengths and ends; its name is none of them."""
        found: set[Any] = set().union(*(arg.free_symbols for arg in self.args[1:]))
        return found

    def _xreplace(self, rule: Any) -> tuple[Any, bool]:
        """SymPy's step of ``xreplace``: a symbol that is called as the table is another thing."""
        if self in rule:
            return rule[self], True
        found = [arg._xreplace(rule) for arg in self.args[1:]]
        if not any(changed for _, changed in found):
            return self, False
        return Table(self.args[0], *(arg for arg, _ in found)), True

    def with_entries(self, entries: Sequence[int]) -> Table:
        """The table with these numbers in it."""
        return Table(*self.args[:9], Tuple(*map(Integer, entries)))

    def called(self, name: str) -> Table:
        """The table under another name."""
        return Table(Symbol(name, integer=True), *self.args[1:])

    def within(self, lowest: int, highest: int) -> Table:
        """The table with these ends of its entries, both taken in, where nothing is said of one."""
        lower = self.args[2] if self.lowest is not None else _maybe(lowest)
        upper = self.args[3] if self.highest is not None else _maybe(highest + 1)
        return Table(*self.args[:2], lower, upper, *self.args[4:])

    def __call__(self, *index: Any) -> Entry:
        """The entry at an index: one expression for each length."""
        if len(index) != len(self.lengths):
            raise LayoutError(f"{self.name}: wanted {len(self.lengths)} indices, got {len(index)}")
        found: Entry = Entry.unchecked(self, *index)
        return found

    def at(self, index: Sequence[Any], entries: Sequence[int], lengths: Sequence[int]) -> NDArray[Any]:
        """The entries at indices (arrays), given all of them in a row; refused beyond the lengths."""
        place: Any = 0
        for number, (component, length) in enumerate(zip(index, lengths, strict=True)):
            beyond = (component < 0) | (component >= length)
            if np.any(beyond):
                wrong = int(np.asarray(component)[beyond][0])
                msg = f"{self.name}: index {number} is {wrong}, beyond its length {length}"
                raise BeyondTableError(msg)
            place = place * length + component
        return np.asarray(entries)[np.asarray(place, dtype=np.int64)]

    def _sympystr(self, printer: Any) -> str:
        def told(value: Any) -> str:
            return str(printer._print(value))

        ends = self.name if self.lower is None else f"{told(self.lower)} <= {self.name}"
        ends += "" if self.upper is None else f" < {told(self.upper)}"
        facts = [] if ends == self.name else [ends]
        facts += ["one-to-one"] if self.args[7] else []
        facts += [["", "never falls", "strictly rising"][int(self.args[8])]] if self.args[8] else []
        facts += [f"first {told(self.first)}"] if self.first is not None else []
        facts += [f"last {told(self.last)}"] if self.last is not None else []
        facts += [f"multiples of {self.multiple_of}"] if self.multiple_of > 1 else []
        lengths = ", ".join(map(told, self.lengths))
        return f"{self.name}[{lengths}]" + (f": {', '.join(facts)}" if facts else "")


@dataclass(frozen=True)
class Counts:
    """A table told by what its entries sum to: ``name[i]`` is ``before[i + 1] - before[i]``.

    ``before`` is the table of the sums of the entries before each: one longer, from 0 to the sum of all.
    """

    name: str
    before: Table

    @classmethod
    def of(cls, name: str, length: Any, total: Any, *, lower: int = 0) -> Counts:
        """Counts that sum to ``total``, each at least ``lower`` (0 or 1)."""
        monotone = "strictly" if lower >= 1 else "rising"
        before = Table.of(
            f"{name}.before", (as_expression(length) + 1,), monotone=monotone, first=0, last=total
        )
        return cls(name, before)

    def __call__(self, index: Any) -> Expr:
        """How many there are at an index."""
        found: Expr = self.before(as_expression(index) + 1) - self.before(index)
        return found


class Entry(IndexNode):
    """A table at an index: ``page[b, t // 16]``.

    It is an unknown integer; equal indices give equal entries.
    """

    symbol: ClassVar[str] = "[]"
    precedence: ClassVar[int] = PRECEDENCE["Atom"]

    def __new__(cls, *args: Any, domain: Any = None) -> Any:
        node = cls.unchecked(*args)
        if domain is not None:
            domain.check(node)
        return node

    @classmethod
    def unchecked(cls, *args: Any) -> Any:
        table, *index = args
        of_kind(table, Table, "entry", "a table")
        found = tuple(map(as_expression, index))
        if table.entries is not None and all(component.is_Integer for component in found):
            lengths = [int(length) for length in table.lengths]
            return Integer(int(table.at([int(component) for component in found], table.entries, lengths)))
        return Expr.__new__(cls, table, *found)

    @property
    def func(self) -> Callable[..., Any]:
        return type(self).unchecked

    @property
    def table(self) -> Table:
        found: Table = self.args[0]
        return found

    @property
    def index(self) -> tuple[Expr, ...]:
        return tuple(self.args[1:])

    def _eval_is_nonnegative(self) -> bool | None:
        lower = self.table.lower
        return None if lower is None else lower.is_nonnegative or None

    def _sympystr(self, printer: Any) -> str:
        return f"{self.table.name}[{', '.join(str(printer._print(part)) for part in self.index)}]"

    def _latex(self, printer: Any) -> str:
        inside = ", ".join(printer._print(part) for part in self.index)
        return rf"\mathrm{{{self.table.name.replace('_', chr(92) + '_')}}}\left[{inside}\right]"


class RunOf(IndexNode):
    """The run of a table that never falls in which a value lies: ``table[run] <= value < table[run + 1]``.

    Where the table says where sequences begin it is the sequence of a token. Defined from the first entry to
    before the last.
    """

    symbol: ClassVar[str] = "run_of"
    precedence: ClassVar[int] = PRECEDENCE["Atom"]

    @classmethod
    def unchecked(cls, *args: Any) -> Any:
        table, value = args
        of_kind(table, Table, "run_of", "a table")
        if table.step is None or table.first is None or table.last is None or len(table.lengths) > 1:
            raise LayoutError(
                f"run_of: wanted a table of one index that never falls, with both ends; got {table}"
            )
        return Expr.__new__(cls, table, as_expression(value))

    @property
    def table(self) -> Table:
        found: Table = self.args[0]
        return found

    def _eval_is_nonnegative(self) -> bool:
        return True

    def _sympystr(self, printer: Any) -> str:
        return f"run_of({self.table.name}, {printer._print(self.args[1])})"


def tables_in(*expressions: Any) -> tuple[Table, ...]:
    """The tables that expressions and conditions look up, each once; refused where two have one name."""
    found: dict[str, Table] = {}
    for node in parts(*expressions):
        if isinstance(node, Table) and found.setdefault(node.name, node) != node:
            msg = f"two tables are called {node.name}: {found[node.name]}; {node}"
            raise LayoutError(msg, hint="give each a name of its own")
    return tuple(found[name] for name in sorted(found))


def _maybe(value: Any) -> Tuple:
    return Tuple() if value is None else Tuple(as_expression(value))


def _given(value: Tuple) -> Expr | None:
    found: Expr | None = value.args[0] if value.args else None
    return found
