"""Index expressions as polynomials over atoms, with nothing rewritten: what solvers are given.

Every operation that is no sum or product is an atom with a meaning (a quotient, an xor, a minimum), shared
by equal operations. This is deliberately not the normal form: no rule is used here, so a rule that
is wrong cannot make its own proof look right.

>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorMod
>>> domain = Domain.of({"x": 64})
>>> values = Purified(domain)
>>> values.interval(values.of(FloorMod(domain["x"], 8) * 8))
0..56, 0 mod 8
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.index.arithmetic import Arithmetic, Value
from layoutalg.index.interpret import interpret
from layoutalg.proofs.smt.atom_table import Atom, AtomTable
from layoutalg.proofs.smt.formula import FALSE, TRUE, Formula, all_of
from layoutalg.proofs.smt.strided_intervals import StridedInterval
from layoutalg.proofs.smt.table_facts import EntryOf, facts_of_entry
from layoutalg.reading.near_names import near_hint
from layoutalg.rules.interval import OO, Infinity
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from layoutalg.domain import Domain, Variable
    from layoutalg.index.table import Table

__all__ = ["Purified"]

WIDEST = 62  # bits of an operand of a bit operation


class Purified(AtomTable, Arithmetic[Polynomial]):
    """Polynomials over the atoms of one domain.

    ``needed`` collects what must hold for the expressions computed so far to be defined: divisors
    positive, bit operands not negative, each where its branch is taken.
    """

    def __init__(self, domain: Domain) -> None:
        super().__init__()
        self.needed: list[Formula] = []
        self.ranges: list[Formula] = []
        self._numbers: dict[tuple[str, tuple[Any, ...]], int] = {}
        self._symbols: dict[str, Polynomial] = {}
        self._path: tuple[Formula, ...] = ()
        self.entries: dict[str, list[EntryOf]] = {}
        self.tables: dict[str, Table] = {}
        for variable in (*domain.parameters, *domain.axes):
            self._declare(variable)
        self.ranges += [self.of(fact) for fact in domain.facts]

    def of(self, expression: Any) -> Any:
        """The polynomial of a SymPy expression, or the formula of a SymPy relation."""
        found = interpret(expression, self, lambda symbol: self.symbol(str(symbol.name)))
        if isinstance(found, Polynomial):
            self.asked.append(found)
        return found

    def symbol(self, name: str) -> Any:
        """The polynomial of a declared axis or parameter; a table met before by its name."""
        if name not in self._symbols:
            if name in self.tables:
                return self.tables[name]
            raise LayoutError(f"{name} is not declared", hint=near_hint(name, self._symbols))
        return self._symbols[name]

    def _declare(self, variable: Variable) -> None:
        low, high = (None if end is None else self.of(end) for end in (variable.lower, variable.upper))
        least = -OO if low is None else self.interval(low).low
        most = OO if high is None else self.interval(high).high - 1
        interval = StridedInterval.between(least, most, variable.multiple_of)
        kind = "parameter" if variable.is_parameter else "axis"
        multiple = variable.multiple_of
        symbol = self._letter(
            kind, (variable.name, multiple), interval.quotient(StridedInterval.of(multiple))
        ).scaled(multiple)
        self._symbols[variable.name] = symbol
        self.ranges += self._ends(variable)

    def ends_of(self, domain: Domain) -> list[Formula]:
        """Between which ends the variables of a domain lie."""
        return [end for variable in (*domain.parameters, *domain.axes) for end in self._ends(variable)]

    def _ends(self, variable: Variable) -> Iterator[Formula]:
        symbol = self._symbols[variable.name]
        if variable.lower is not None:
            yield Formula.at_least(symbol, self.of(variable.lower))
        if variable.upper is not None:
            yield Formula.less(symbol, self.of(variable.upper))

    def _letter(self, kind: str, operands: tuple[Any, ...], interval: StridedInterval) -> Polynomial:
        key = (kind, operands)
        if key not in self._numbers:
            self._numbers[key] = len(self.atoms)
            self.atoms.append(Atom(kind, operands, interval))
        return Polynomial.letter(self._numbers[key])

    def _need(self, formula: Formula) -> None:
        if self.decided(formula) is not True:
            self.needed.append(all_of(*self._path).implies(formula))

    def integer(self, number: int) -> Polynomial:
        return Polynomial.constant(number)

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left + right

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left * right

    def quotient(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self._need(Formula.nonnegative(right.plus(-1)))
        if right.as_integer == 1:
            return left
        return self._letter("quotient", (left, right), self.interval(left).quotient(self.interval(right)))

    def exact_quotient(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = self.quotient(left, right)
        self._need(Formula.equal(left, right * found))
        return found

    def remainder(self, left: Polynomial, right: Polynomial) -> Polynomial:
        quotient = self.quotient(left, right)
        interval = self.interval(left).remainder(self.interval(right))
        return self._letter("remainder", (left, right, quotient), interval)

    def bit_xor(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return self._bits("xor", left, right)

    def bit_and(self, left: Polynomial, right: Polynomial) -> Polynomial:
        for value, mask in ((left, right.as_integer), (right, left.as_integer)):
            if mask is not None and mask >= 0 and not mask & (mask + 1):  # the lowest bits of any number
                self._need(Formula.nonnegative(value))
                return self.remainder(value, Polynomial.constant(mask + 1))
        for high, low in ((left, right), (right, left)):
            if self.interval(high).low >= 0 and self._has_no_bit_of(self.interval(high), self.interval(low)):
                return Polynomial.constant(0)
        return self._bits("and", left, right)

    @staticmethod
    def _has_no_bit_of(high: StridedInterval, low: StridedInterval) -> bool:
        """Whether one number is a multiple of a power of two that the other lies below."""
        power = high.step & -high.step
        return power > 0 and high.residue % power == 0 and low.low >= 0 and low.high < power

    def bit_or(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left + right - self.bit_and(left, right)

    def _bits(self, kind: str, left: Polynomial, right: Polynomial) -> Polynomial:
        intervals = self.interval(left), self.interval(right)
        if max(interval.high for interval in intervals) >= 1 << WIDEST:
            msg = f"an operand of a bit operation is not below 2**{WIDEST}"
            raise LayoutError(msg)
        for operand, interval in zip((left, right), intervals, strict=True):
            self._need(Formula.nonnegative(operand))
            self._need(Formula.less(operand, Polynomial.constant(1 << _bit_length(interval))))
        width = max(map(_bit_length, intervals))
        operands = sorted((left, right), key=Polynomial.in_order)
        return self._letter(kind, (*operands, width), intervals[0].bits(intervals[1], kind))

    def shift_left(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left * self._power_of_two(left, right)

    def shift_right(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return self.quotient(left, self._power_of_two(left, right))

    def _power_of_two(self, number: Polynomial, exponent: Polynomial) -> Polynomial:
        self._need(Formula.nonnegative(number))
        self._need(Formula.nonnegative(exponent))
        interval = self.interval(exponent)
        if interval.number is not None:
            return Polynomial.constant(1 << max(0, interval.number))
        most = interval.high
        if isinstance(most, Infinity) or most > WIDEST:
            msg = f"a shift is not below {WIDEST}"
            raise LayoutError(msg)
        self._need(Formula.at_least(Polynomial.constant(most), exponent))
        least = interval.low if isinstance(interval.low, int) else 0
        most = max(0, most)
        powers = StridedInterval.between(1 << max(0, least), 1 << most)
        return self._letter("power_of_two", (exponent, most), powers)

    def minimum(self, left: Polynomial, right: Polynomial) -> Polynomial:
        operands = sorted((left, right), key=Polynomial.in_order)
        return self._letter("minimum", tuple(operands), self.interval(left).minimum(self.interval(right)))

    def maximum(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return -self.minimum(-left, -right)

    def select(
        self,
        condition: Formula,
        if_true: Callable[[], Polynomial],
        if_false: Callable[[], Polynomial],
    ) -> Polynomial:
        one = self.in_branch(condition, if_true)
        other = self.in_branch(condition.negated(), if_false)
        interval = self.interval(one).union(self.interval(other))
        return self._letter("select", (condition, one, other), interval)

    def in_branch(self, condition: Formula, branch: Callable[[], Value]) -> Value:
        """What is computed where a condition holds: only there it has to be defined."""
        outer = self._path
        self._path = (*outer, condition)
        try:
            return branch()
        finally:
            self._path = outer

    def entry(self, table: Table, index: Sequence[Polynomial]) -> Polynomial:
        """An unknown integer for each index; what is said of the table is assumed of those that occur."""
        if self.tables.setdefault(table.name, table) != table:
            raise LayoutError(f"two tables are called {table.name}")
        lengths = [self.of(length) for length in table.lengths]
        inside = []
        for component, length in zip(index, lengths, strict=True):
            for formula in (Formula.nonnegative(component), Formula.less(component, length)):
                self._need(formula)
                inside.append(formula)
        key = ("entry", (table.name, *index))
        is_new = key not in self._numbers
        low, high = (None if end is None else self.of(end) for end in (table.lowest, table.highest))
        step = table.multiple_of
        least = -OO if low is None else self.interval(low).low
        most = OO if high is None else self.interval(high).high
        interval = StridedInterval.between(least, most, step).quotient(StridedInterval.of(step))
        found = self._letter(*key, interval).scaled(step)
        if is_new:
            met = EntryOf(tuple(index), all_of(*inside), found)
            others = self.entries.setdefault(table.name, [])
            self.ranges += facts_of_entry(table, met, others, self.of)
            others.append(met)
        return found

    def run_of(self, table: Table, value: Polynomial) -> Polynomial:
        """An unknown run, between whose first entry and the next run's the value lies."""
        first, last, length = (self.of(end) for end in (table.first, table.last, table.lengths[0]))
        inside = all_of(Formula.at_least(value, first), Formula.less(value, last))
        self._need(inside)
        is_new = ("run", (table.name, value)) not in self._numbers
        most = self.interval(length).high - 2
        found = self._letter("run", (table.name, value), StridedInterval.between(0, most))
        if is_new:
            self.ranges += [Formula.nonnegative(found), Formula.at_least(length.plus(-2), found)]
            self.ranges.append(inside.implies(Formula.at_least(value, self.entry(table, [found]))))
            self.ranges.append(inside.implies(Formula.less(value, self.entry(table, [found.plus(1)]))))
        return found

    def truth(self, value: bool) -> Formula:  # noqa: FBT001
        return TRUE if value else FALSE

    def less(self, left: Polynomial, right: Polynomial) -> Formula:
        return Formula.less(left, right)

    def equal(self, left: Polynomial, right: Polynomial) -> Formula:
        return Formula.equal(left, right)

    def both(self, left: Formula, right: Formula) -> Formula:
        return all_of(left, right)

    def negation(self, condition: Formula) -> Formula:
        return condition.negated()


def _bit_length(interval: StridedInterval) -> int:
    return max(0, interval.high).bit_length() if isinstance(interval.high, int) else WIDEST
