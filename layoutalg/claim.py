"""Claims: statements about index maps, as data. Nothing here decides them.

A claim says: at every point of its domain where ``when`` holds, every comparison in ``then`` holds.
With a ``witness`` domain it says instead: for every point there is a point of the witness domain at
which they hold.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"x": 64})
>>> claim = Claim("in bounds", "x + 1", domain, then=(Comparison(domain["x"] + 1, "<", 64),))
>>> print(claim)
in bounds: x + 1: for all 0 <= x < 64: x + 1 < 64
>>> bool(claim.holds({"x": 10})), bool(claim.holds({"x": 63}))
(True, False)
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import sympy
from sympy import Expr

from layoutalg.display import Displayed
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, of_kind
from layoutalg.index.condition_text import conditions_text
from layoutalg.index.evaluate import evaluate
from layoutalg.index.node import as_expression
from layoutalg.index.sympy_forms import as_index
from layoutalg.index.table import Table, tables_in
from layoutalg.index.table_values import are_possible
from layoutalg.reading.near_attributes import NearAttributes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from layoutalg.index.evaluate import Values

__all__ = ["AllOf", "Claim", "Comparison", "IndexMap"]

Relation = Literal["==", "<=", "<"]
_COMPARE: dict[str, Any] = {"==": operator.eq, "<=": operator.le, "<": operator.lt}


@dataclass(frozen=True)
class Comparison:
    """``left op right``, kept as written (SymPy's own relations rewrite themselves).

    >>> import layoutalg as la
    >>> import sympy
    >>> print(la.Comparison(sympy.Symbol("x", integer=True) + 1, "<", 64))
    x + 1 < 64
    """

    left: Expr
    op: Relation
    right: Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", as_index(self.left))
        object.__setattr__(self, "right", as_index(self.right))

    def holds(self, values: Values) -> Any:
        """Whether it holds where the symbols have these values (integers or arrays)."""
        return _COMPARE[self.op](evaluate(self.left, values), evaluate(self.right, values))

    def xreplace(self, values: Mapping[Any, Any]) -> Comparison:
        """The comparison with expressions in place of symbols."""
        return Comparison(self.left.xreplace(values), self.op, self.right.xreplace(values))

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class IndexMap(NearAttributes, Displayed):
    """A map from the axes of a domain to a tuple of integers, where ``when`` holds.

    Provers that know more about maps than about comparisons read it from a claim. ``chain`` is the chain of
    transforms it was made from, if it was.

    >>> import layoutalg as la
    >>> la.make_naive_tensor_descriptor((6, 8), (8, 1)).pad(0, 0, 2).index_map().when
    (i0 < 6,)
    """

    domain: Domain
    outputs: tuple[Expr, ...]
    when: tuple[Any, ...] = ()
    chain: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        of_kind(self.domain, Domain, "IndexMap: domain", "a Domain")
        of_kind(self.outputs, (tuple, list), "IndexMap: outputs", "a tuple of expressions")
        object.__setattr__(self, "outputs", tuple(map(as_index, self.outputs)))
        object.__setattr__(self, "when", tuple(map(as_index, self.when)))

    def __call__(self, *index: Any) -> Any:
        """The outputs at an index within the ends: integers, arrays or expressions; of one output itself.

        >>> domain = Domain.of({"row": 4, "col": 8})
        >>> IndexMap(domain, (10 * domain["row"] + domain["col"],))(1, 3)
        13
        """
        axes = self.domain.axes
        if len(index) != len(axes):
            raise LayoutError(f"index: wanted {len(axes)} components, got {len(index)}")
        if any(isinstance(value, sympy.Basic) for value in index) or self.domain.parameters:
            at = {axis.symbol: as_expression(value) for axis, value in zip(axes, index, strict=True)}
            found = tuple(output.xreplace(at) for output in self.outputs)
        else:
            values = {axis.name: value for axis, value in zip(axes, index, strict=True)}
            self._require_in_range(values)
            found = tuple(evaluate(output, values) for output in self.outputs)
        return found[0] if len(found) == 1 else found

    def _require_in_range(self, values: Mapping[str, Any]) -> None:
        for axis in self.domain.axes:
            for end, is_inside in ((axis.lower, operator.ge), (axis.upper, operator.lt)):
                if end is not None and not np.all(is_inside(values[axis.name], evaluate(end, values))):
                    raise LayoutError(f"index: {axis.name} = {values[axis.name]} lies outside {axis}")

    @property
    def offset(self) -> Expr:
        """The only output; refused where there are several."""
        if len(self.outputs) != 1:
            raise LayoutError(f"offset: wanted a map with one output, got {len(self.outputs)}")
        return self.outputs[0]

    def xreplace(self, values: Mapping[Any, Any]) -> IndexMap:
        """The map with other expressions in place of some, in its domain too."""
        outputs, when = (tuple(e.xreplace(values) for e in found) for found in (self.outputs, self.when))
        return IndexMap(self.domain.xreplace(values), outputs, when)

    def bind(self, values: Mapping[str, int]) -> IndexMap:
        """The map with parameters (or axes) fixed to integers."""
        fixed = {self.domain[name]: sympy.Integer(value) for name, value in values.items()}
        outputs = tuple(output.xreplace(fixed) for output in self.outputs)
        when = tuple(condition.xreplace(fixed) for condition in self.when)
        return IndexMap(self.domain.bind(values), outputs, when)


@dataclass(frozen=True)
class Claim(NearAttributes, Displayed):
    """A property by name, the thing it is about, and what it says.

    ``map`` is the map the claim is about, for claims about one: some index of it has to be valid.

    >>> import layoutalg as la
    >>> rows = la.make_naive_tensor_descriptor((4, 8), (10, 1))
    >>> claim = la.memory_bounds(rows)
    >>> claim.name, bool(claim.holds({"i0": 3, "i1": 7}))
    ('in memory bounds', True)
    """

    name: str
    subject: str
    domain: Domain
    then: tuple[Comparison, ...]
    when: tuple[Any, ...] = ()
    witness: Domain | None = None
    map: IndexMap | None = field(default=None, compare=False)

    @property
    def parts(self) -> tuple[Claim, ...]:
        """The claims it consists of: itself, or those of an :class:`AllOf`."""
        return (self,)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, number: int) -> Claim:
        return self.parts[number]

    @property
    def kind(self) -> Literal["comparisons", "pairs", "covers"]:
        """What it speaks of: single points, two points of a map (one-to-one), what a map reaches (covers)."""
        if self.witness is not None:
            return "covers"
        twins = self.map is not None and len(self.domain.axes) > len(self.map.domain.axes)
        return "pairs" if twins else "comparisons"

    @property
    def told(self) -> tuple[Expr, ...]:
        """For a claim of pairs, what equal outputs are said to have equal: axes, or expressions in them."""
        return tuple(comparison.left for comparison in self.then)

    def holds(self, values: Values) -> Any:
        """Whether the claim holds at a point (or at many: values may be arrays).

        For a claim with a witness domain the values include a candidate for the witness.
        """
        given: Any = True
        for condition in self.when:
            given = np.logical_and(given, evaluate(condition, values))
            if _is_false(given):
                return True
        result: Any = True
        for comparison in self.then:
            result = np.logical_and(result, comparison.holds(values))
            if _is_false(result):
                break
        return np.logical_or(result, np.logical_not(given))

    @property
    def speaks_of(self) -> Claim | IndexMap:
        """What has the points it speaks of: the map it is about, or for comparisons the claim itself."""
        return self.map if self.map is not None and self.kind != "comparisons" else self

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables known at run time that it looks up."""
        about = self.speaks_of
        ends = [end for v in (*self.domain.variables, *about.domain.variables) for end in (v.lower, v.upper)]
        sides = [side for c in self.then for side in (c.left, c.right)]
        outputs = () if self.map is None else self.map.outputs
        known_ends = [end for end in ends if end is not None]
        return tables_in(*about.domain.facts, *self.when, *sides, *outputs, *known_ends)

    def fits_tables(self, point: Mapping[str, Any]) -> bool:
        """Whether the entries that a point gives its tables are what these may hold at the point's sizes."""
        sizes = {p.symbol: sympy.Integer(point[p.name]) for p in self.domain.parameters}
        known = (table.xreplace(sizes) for table in self.tables if table.entries is None)
        return all(are_possible(table, point.get(table.name, ())) for table in known)

    def with_tables(self, entries: Mapping[str, Sequence[int]]) -> Claim:
        """The claim for tables with these entries, by name; sizes in their lengths must have been bound."""
        known = {t: t.with_entries(entries[t.name]) for t in self.tables if t.name in entries}
        index_map = None if self.map is None else self.map.xreplace(known)
        return replace(
            self,
            domain=self.domain.xreplace(known),
            then=tuple(comparison.xreplace(known) for comparison in self.then),
            when=tuple(condition.xreplace(known) for condition in self.when),
            witness=None if self.witness is None else self.witness.xreplace(known),
            map=index_map,
        )

    def bind(self, values: Mapping[str, int]) -> Claim:
        """The claim for these values of its parameters."""
        fixed = {self.domain[name]: sympy.Integer(value) for name, value in values.items()}
        index_map = None if self.map is None else self.map.bind(values)
        return replace(
            self,
            domain=self.domain.bind(values),
            then=tuple(comparison.xreplace(fixed) for comparison in self.then),
            when=tuple(condition.xreplace(fixed) for condition in self.when),
            witness=index_map.domain if self.witness is not None and index_map is not None else None,
            map=index_map,
        )

    def __str__(self) -> str:
        domain = str(self.domain).removeprefix("Domain: ")
        text = f"{self.name}: {self.subject}: for all {domain}:"
        if self.when:
            text += f" if {conditions_text(self.when)}, then"
        if self.witness is not None:
            text += f" there are {str(self.witness).removeprefix('Domain: ')} with"
        return f"{text} {' and '.join(map(str, self.then))}"


class AllOf(Claim):
    """Several claims under one name: proved where each is. They are read by iterating.

    It has no domain and no comparisons of its own: who asks for them is told to ask each claim.

    >>> domain = Domain.of({"x": 64})
    >>> low, high = Comparison(0, "<=", domain["x"]), Comparison(domain["x"], "<", 64)
    >>> parts = Claim("low", "x", domain, (low,)), Claim("high", "x", domain, (high,))
    >>> both = AllOf("in range", "x", parts)
    >>> len(both), both[1].name
    (2, 'high')
    """

    def __init__(self, name: str, subject: str, claims: Iterable[Claim]) -> None:
        """Claims that are several themselves are taken apart."""
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "subject", subject)
        object.__setattr__(self, "_parts", tuple(part for claim in claims for part in claim.parts))

    @property
    def parts(self) -> tuple[Claim, ...]:
        found: tuple[Claim, ...] = self.__dict__["_parts"]
        return found

    @property
    def domain(self) -> Domain:
        """Refused: each part has one."""
        raise self._ask_each()

    @property
    def then(self) -> tuple[Comparison, ...]:
        """Refused: each part has its own."""
        raise self._ask_each()

    def _ask_each(self) -> LayoutError:
        msg = f"{self.name} of {self.subject} is {len(self)} claims, each about points of its own"
        return LayoutError(msg, hint="ask each: [... for part in claim]; prove() takes all at once")

    def __repr__(self) -> str:
        return f"AllOf({self.name!r}, {self.subject!r}, {self.parts!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllOf) and (self.name, self.subject, self.parts) == (
            other.name,
            other.subject,
            other.parts,
        )

    def __hash__(self) -> int:
        return hash((self.name, self.subject, self.parts))

    def holds(self, values: Values) -> Any:
        """Refused: each part speaks of points of its own."""
        del values
        raise self._ask_each()

    @property
    def kind(self) -> Literal["comparisons", "pairs", "covers"]:
        """Refused: each part is of a kind of its own."""
        raise self._ask_each()

    def bind(self, values: Mapping[str, int]) -> AllOf:
        """Each claim for these values of its parameters."""
        bound = (part.bind({n: v for n, v in values.items() if n in part.domain}) for part in self.parts)
        return AllOf(self.name, self.subject, bound)

    def __str__(self) -> str:
        return "\n".join(map(str, self.parts)) or f"{self.name}: {self.subject}: nothing is claimed"


def _is_false(value: Any) -> bool:
    """Whether one truth value (not an array of them) is false: what follows need not be defined."""
    return np.ndim(value) == 0 and not value
