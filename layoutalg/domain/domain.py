"""The box of points an index is defined on: named axes, parameters, and facts about them.

A 2560 x K matrix whose row length is a multiple of 64:

>>> domain = Domain.of({"m": 2560, "k": "K"}, parameters={"K": (64, 4096, 64)})
>>> domain
Domain: 0 <= m < 2560, 0 <= k < K; for all 64 <= K <= 4096, K % 64 == 0
>>> domain["k"] < domain["K"]
k < K

Axes are what changes from point to point; parameters are fixed while a kernel runs. An axis may be
bounded by parameters and by axes named before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, overload

import sympy
from sympy import Expr, Integer, Symbol

from layoutalg.display import Displayed
from layoutalg.domain.variable import Variable, index_symbols, parameter, size, symbol_of
from layoutalg.errors import LayoutError, of_kind, shown
from layoutalg.index.condition_text import conditions_text
from layoutalg.index.node import as_expression, is_condition
from layoutalg.index.sympy_forms import as_index
from layoutalg.index.table import Counts, Table
from layoutalg.length import integer
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.near_names import near_hint
from layoutalg.term.definition import Definition
from layoutalg.term.parse import parse_index

__all__ = ["Bound", "Domain", "Variable", "check_by"]

Bound: TypeAlias = int | Expr | str | None
EXAMPLES = {"axes": "{'x': 64}", "parameters": "{'K': (64, 4096)}"}


@dataclass(frozen=True)
class Domain(NearAttributes, Displayed):
    """Axes and parameters with their ranges, and facts that hold at every point.

    Facts are relations of SymPy or text over the names. ``tables``: those known at run time that text over
    the names may look up; what is known of them is part of each entry. ``definitions``: names for
    expressions that text may use, a later one perhaps those before it.

    >>> Domain.of({"k": "K"}, {"K": (64, 4096, 64), "stride": (64, None)}, ["K <= stride"])
    Domain: 0 <= k < K; for all 64 <= K <= 4096, K % 64 == 0, 64 <= stride; where K <= stride
    """

    variables: tuple[Variable, ...] = ()
    facts: tuple[Any, ...] = ()
    tables: tuple[Table | Counts, ...] = ()
    definitions: tuple[Definition, ...] = ()

    def __post_init__(self) -> None:
        names = [named.name for named in (*self.variables, *self.tables, *self.definitions)]
        for name in names:
            if names.count(name) > 1:
                msg = f"the domain names {name} twice"
                raise LayoutError(msg)
        known: dict[str, Any] = {variable.name: variable.symbol for variable in self.variables}
        known |= self._tables_by_name()
        facts = tuple(_condition(fact, known) for fact in self.facts)
        object.__setattr__(self, "facts", tuple(fact for fact in facts if fact != sympy.true))

    @overload
    @classmethod
    def of(
        cls,
        axes: Mapping[str, int | str | tuple[int | str, int | str]] | None = None,
        parameters: Mapping[str, Sequence[int | None]] | None = None,
        facts: Iterable[str] = (),
    ) -> Domain: ...
    @overload
    @classmethod
    def of(
        cls,
        axes: Mapping[Any, Any] | None = None,
        parameters: Mapping[Any, Iterable[int | None]] | None = None,
        facts: Iterable[Any] = (),
    ) -> Domain: ...
    @classmethod
    def of(
        cls,
        axes: Mapping[str | Symbol, Bound | tuple[Bound, Bound]] | None = None,
        parameters: Mapping[str | Symbol, Iterable[int | None]] | None = None,
        facts: Iterable[Any] = (),
    ) -> Domain:
        """A domain from ``{axis: length}`` or ``{axis: (lower, upper)}``, upper ends exclusive.

        ``parameters`` maps a name to ``(lowest, highest)`` or ``(lowest, highest, multiple_of)``,
        both ends included; ``None`` for an end leaves it open. Bounds may be integers, SymPy
        expressions, or text over the names declared before.
        """
        for what, mapping in (("axes", axes), ("parameters", parameters)):
            wanted = f"a mapping by name such as {EXAMPLES[what]}"
            of_kind({} if mapping is None else mapping, Mapping, f"Domain.of: {what}", wanted)
        known: dict[str, Symbol] = {}
        variables: list[Variable] = []
        for name, given in (parameters or {}).items():
            ends = of_kind(given, (tuple, list), f"parameter {name}", "(lowest, highest)")
            variable = parameter(name, tuple(ends))
            known[variable.name] = variable.symbol
            variables.append(variable)
        for name, bounds in (axes or {}).items():
            if isinstance(bounds, tuple) and len(bounds) != 2:
                msg = f"axis {name} needs a length or (lower, upper), got {len(bounds)} numbers"
                raise LayoutError(msg, hint="a step is said of a parameter: (lowest, highest, multiple_of)")
            lower, upper = bounds if isinstance(bounds, tuple) else (0, bounds)
            try:
                low, high = _expression(lower, known), _expression(upper, known)
            except LayoutError as error:
                raise _of_axis(name, error) from None
            symbol = symbol_of(name, low)
            known[symbol.name] = symbol
            variables.append(Variable(symbol, low, high))
        axes_first = sorted(variables, key=lambda variable: variable.is_parameter)
        if isinstance(facts, str) or not isinstance(facts, Iterable):
            raise LayoutError(f"Domain.of: facts: wanted a list of conditions, got {shown(facts)}")
        return cls(tuple(axes_first), tuple(facts))

    @classmethod
    def from_corpus(cls, entry: Mapping[str, Any]) -> Domain:
        """The domain of an entry of a corpus of index expressions: its ``vars`` and ``params``.

        Variables have ``name``, ``lo`` and ``hi`` (exclusive, perhaps text over the parameters),
        parameters ``name``, ``lo``, ``hi`` (inclusive) and perhaps ``multiple_of``.
        """
        return cls.of(
            {row["name"]: (row["lo"], row["hi"]) for row in entry["vars"]},
            {row["name"]: (row["lo"], row["hi"], row.get("multiple_of", 1)) for row in entry["params"]},
        )

    @classmethod
    def box(cls, lengths: Iterable[Any], sizes: Domain | None = None) -> Domain:
        """Axes ``i0``, ``i1``, ... from 0 up to these lengths; ``sizes`` are the parameters in them.

        Another letter is taken where a parameter has such a name already.

        >>> Domain.box((4, 8))
        Domain: 0 <= i0 < 4, 0 <= i1 < 8
        """
        ends = tuple(map(as_expression, lengths))
        known = cls() if sizes is None else sizes
        symbols = index_symbols(len(ends), known.names)
        axes = tuple(Variable(symbol, Integer(0), end) for symbol, end in zip(symbols, ends, strict=True))
        return cls(axes + known.variables, known.facts)

    @property
    def axes(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if not variable.is_parameter)

    @property
    def parameters(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if variable.is_parameter)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all axes and parameters."""
        return tuple(variable.name for variable in self.variables)

    def variable(self, name: str | Symbol) -> Variable:
        for variable in self.variables:
            if variable.name == str(name):
                return variable
        near = near_hint(str(name), self.names)
        mend = "declare it as an axis or a parameter"
        error = LayoutError(f"{name} is not declared", hint=f"{near}; or {mend}" if near else mend)
        error.undeclared = str(name)
        raise error

    def table(self, name: str) -> Table | Counts | None:
        """The table of this name, if text over the domain may look one up."""
        return self._tables_by_name().get(name)

    def _tables_by_name(self) -> dict[str, Table | Counts]:
        sums = [table.before for table in self.tables if isinstance(table, Counts)]
        return {table.name: table for table in (*self.tables, *sums)}

    @property
    def known_names(self) -> tuple[str, ...]:
        """The names that text over the domain may use."""
        return tuple(named.name for named in (*self.variables, *self.tables, *self.definitions))

    def __getitem__(self, name: str) -> Any:
        """The symbol of a variable; the table of this name."""
        return self.table(name) or self.variable(name).symbol

    def __contains__(self, name: object) -> bool:
        return any(variable.name == str(name) for variable in self.variables)

    def where(self, *facts: Any) -> Domain:
        """The same domain with more facts: relations, or text.

        >>> Domain.of({}, {"M": (1, None), "K": (1, None)}).where("M*K < 2**31").facts
        (K*M < 2147483648,)
        """
        return replace(self, facts=self.facts + facts)

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> Domain:
        """The domain with these parameters (or axes) fixed to integers; refused outside their ranges.

        An axis fixed to 5 whose end is the open size ``K`` leaves the fact ``5 < K``.
        """
        of_kind(values, Mapping, "bind", "a mapping such as {'M': 64}")
        named = {str(name): integer(value, f"bind: {name}") for name, value in values.items()}
        fixed = {self[name]: Integer(value) for name, value in named.items()}

        def settle(end: Expr | None) -> Expr | None:
            return None if end is None else end.xreplace(fixed)

        left = []
        for name, value in named.items():
            variable = self.variable(name)
            low, high = settle(variable.lower), settle(variable.upper)
            within = [] if low is None else [low <= value]
            within += [] if high is None else [value < high]
            if sympy.false in within or value % variable.multiple_of:
                msg = f"bind: {name} = {value} is outside {variable}"
                raise LayoutError(msg)
            left += [condition for condition in within if condition != sympy.true]

        rest = tuple(
            replace(variable, lower=settle(variable.lower), upper=settle(variable.upper))
            for variable in self.variables
            if variable.name not in named
        )
        facts = (*(fact.xreplace(fixed) for fact in self.facts), *left)
        if sympy.false in facts:
            msg = f"the values {named} contradict a fact of the domain"
            raise LayoutError(msg)
        return Domain(rest, tuple(fact for fact in facts if fact != sympy.true))

    def xreplace(self, values: Mapping[Any, Any]) -> Domain:
        """The domain with other expressions in place of some, in ends and facts."""

        def moved(end: Expr | None) -> Expr | None:
            return None if end is None else end.xreplace(values)

        variables = tuple(replace(v, lower=moved(v.lower), upper=moved(v.upper)) for v in self.variables)
        return replace(self, variables=variables, facts=tuple(fact.xreplace(values) for fact in self.facts))

    def with_variables(self, *variables: Variable) -> Domain:
        return replace(self, variables=self.variables + variables)

    def with_sizes(self, symbols: Iterable[Symbol]) -> Domain:
        """Also these symbols as parameters, each known by SymPy's assumptions alone."""
        undeclared = sorted((s for s in symbols if s.name not in self), key=lambda symbol: str(symbol.name))
        return self.with_variables(*map(size, undeclared))

    def about(self, *expressions: Expr) -> Domain:
        """The domain without the axes that the expressions do not mention, directly or in an axis's end.

        What holds at every point of it holds at every point of the whole: another axis adds no case, and
        takes all away where it has no points.
        """
        names = {symbol.name for expression in expressions for symbol in expression.free_symbols}
        for variable in reversed(self.axes):
            ends = [end for end in (variable.lower, variable.upper) if end is not None]
            names |= {s.name for end in ends for s in end.free_symbols} if variable.name in names else set()
        kept = tuple(v for v in self.variables if v.is_parameter or v.name in names)
        return Domain(kept, tuple(f for f in self.facts if f.free_symbols <= {v.symbol for v in kept}))

    def only(self, *expressions: Expr) -> Domain:
        """The variables and facts that the expressions mention, and no others: sizes too are left out.

        What holds at every point of it holds at every point of the whole.

        >>> domain = Domain.of({"i": "M", "j": "N"}, {"M": (1, 8), "N": (1, None)})
        >>> domain.only(domain["i"])
        Domain: 0 <= i < M; for all 1 <= M <= 8
        """
        axes = self.about(*expressions)
        ends = [end for axis in axes.axes for end in (axis.lower, axis.upper) if end is not None]
        names = {symbol.name for value in (*expressions, *ends) for symbol in value.free_symbols}
        kept = tuple(v for v in axes.variables if not v.is_parameter or v.name in names)
        return Domain(kept, tuple(f for f in axes.facts if f.free_symbols <= {v.symbol for v in kept}))

    def joined(self, other: Domain) -> Domain:
        """Both domains' variables and facts; a name in both must mean the same."""
        mine = {variable.name: variable for variable in self.variables}
        for variable in other.variables:
            if mine.get(variable.name, variable) != variable:
                msg = f"{variable.name} is declared twice: {mine[variable.name]}; {variable}"
                raise LayoutError(msg)
        new = tuple(v for v in other.variables if v.name not in mine)
        facts = tuple(fact for fact in other.facts if fact not in self.facts)
        tables = tuple(table for table in other.tables if table not in self.tables)
        return Domain(self.variables + new, self.facts + facts, self.tables + tables, self.definitions)

    def check(self, expression: Any) -> None:
        """Refuse an expression that is not defined at every point of the domain."""
        _checked_by[0](expression, self)

    def __str__(self) -> str:
        axes = ", ".join(str(axis) for axis in self.axes)
        parameters = ", ".join(str(parameter) for parameter in self.parameters)
        facts = conditions_text(self.facts, ", ")
        text = f"Domain: {'; for all '.join(filter(None, (axes, parameters))) or 'one point'}"
        return f"{text}; where {facts}" if facts else text

    __repr__ = __str__


_checked_by: list[Callable[[Any, Domain], None]] = []


def check_by(check: Callable[[Any, Domain], None]) -> None:
    """Let ``check(expression, domain)`` decide for :meth:`Domain.check`: the rules, which stand above."""
    _checked_by[:] = [check]


def _of_axis(name: str | Symbol, error: LayoutError) -> LayoutError:
    """The error about the bounds of an axis, with its name."""
    if not error.undeclared:
        return LayoutError(f"axis {name}: {error.message}", hint=error.hint)
    what = f"axis {name}: {error.undeclared} is not declared"
    found = LayoutError(what, hint=f"as a parameter: Domain.of({{...}}, {{'{error.undeclared}': (1, 4096)}})")
    found.undeclared = error.undeclared
    return found


def _condition(fact: Any, known: Mapping[str, Symbol]) -> Any:
    """A fact as a condition; text is read over the names of the domain."""
    found = parse_index(fact, known) if isinstance(fact, str) else fact
    if not is_condition(found):
        raise LayoutError(f"facts: wanted a condition such as M >= 8, got {shown(fact)}")
    return as_index(found)


def _expression(bound: Bound, known: Mapping[str, Symbol]) -> Expr | None:
    if isinstance(bound, str):
        return parse_index(bound, known)
    return None if bound is None else as_index(bound)
