"""The normal form of index expressions: an arithmetic whose numbers are polynomials.

Feed it a formula and merges, unmerges, pads and swizzles cancel as they are built:

>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorDiv, FloorMod
>>> domain = Domain.of({"x": "A*B"}, parameters={"A": (1, None), "B": (1, None)})
>>> x, B = domain["x"], domain["B"]
>>> form = NormalForm(domain)
>>> form.of(FloorDiv(x, B) * B + FloorMod(x, B)) == form.of(x)
True

Two expressions with the same normal form are equal at every point of the domain; the converse
holds for most of what layouts are made of, but not always.
"""

from __future__ import annotations

from contextlib import contextmanager
from copy import copy as shallow_copy
from typing import TYPE_CHECKING, Any, Literal

from layoutalg.errors import LimitError, MissingFactError
from layoutalg.index.arithmetic import Arithmetic
from layoutalg.index.interpret import interpret
from layoutalg.reading.near_names import near_hint
from layoutalg.rules import bits, choice, division, tables, truncation
from layoutalg.rules.atoms import Atoms
from layoutalg.rules.bounds import Bounds, strengthened
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.declared import declared
from layoutalg.rules.defined import require_nonnegative
from layoutalg.rules.digits import Digits
from layoutalg.rules.entailment import implied
from layoutalg.rules.polynomial import Polynomial
from layoutalg.rules.rule import Bindings, Rule, Step
from layoutalg.term import interpret_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sympy import Expr

    from layoutalg.domain import Domain, Variable
    from layoutalg.index.table import Table
    from layoutalg.term import Term

__all__ = ["SYSTEMS", "NormalForm"]

Facts = tuple[Polynomial, ...]  # none of them negative
Results = dict[tuple[str, "Polynomial", "Polynomial"], "Polynomial"]
Learned = tuple[Results, dict["Term", Any], dict["Polynomial", bool]]  # and what is shown, under some facts
SYSTEMS = 200  # of linear rows that one expression may have eliminated
PATIENCE = 500  # rules tried for one proposal


class NormalForm(Arithmetic[Polynomial]):
    """Polynomials over the letters of one domain, reduced as they are built.

    ``eliminates``: what ranges do not show is asked of all that is known together, which takes longer.
    """

    def __init__(
        self,
        domain: Domain,
        *,
        assume_defined: bool = False,
        leaves_entries: bool = False,
        eliminates: bool = False,
    ) -> None:
        self.domain = domain
        self.leaves_entries = leaves_entries  # whether an index is within its table is asked elsewhere
        self.assume_defined = assume_defined
        self.atoms = Atoms()
        self.digits = Digits(self.atoms)
        self.bounds = Bounds(self.atoms, self.digits)
        self.steps: list[Step] = []
        # of operands: refuse what is not shown, or not by ranges alone; take it as a fact; ask nothing
        self._checks: Literal["all", "quick", "taken", "none"] = "taken" if assume_defined else "all"
        self._patience: int | None = None
        self.eliminates = eliminates
        self.other_facts: tuple[Condition, ...] = ()  # of branches, that are no polynomial
        self.impossibilities: dict[tuple[Any, ...], bool] = {}
        self.systems_left = SYSTEMS
        self.total_letters: dict[int, bool] = {}
        self._symbols: dict[str, Polynomial] = {}
        self._base_facts: Facts = ()
        self._base_others: tuple[Condition, ...] = ()
        self._learned: dict[tuple[Facts, tuple[Condition, ...]], Learned] = {}
        self._results, self.terms, self._shown = self._learned.setdefault(((), ()), ({}, {}, {}))
        self._declare_all()
        if eliminates:
            self.bounds.tighten(letter for p in self._symbols.values() for letter in p.letters)
            for name, value in self._symbols.items():
                only = self.bounds.interval(value).number
                self._symbols[name] = value if only is None else self.integer(only)
        self._ask_all_together()

    def _declare_all(self) -> None:
        """The letters of all variables, with the facts about them."""
        domain = self.domain
        sizes = {parameter.symbol for parameter in domain.parameters}
        self._declare(domain.parameters)
        for fact in domain.facts:  # of sizes first: the ends of axes may need them
            if fact.free_symbols <= sizes:
                self.assume(self.of(fact))
        self._declare(domain.axes)
        for fact in domain.facts:
            if not fact.free_symbols <= sizes:
                self.assume(self.of(fact))

    def _ask_all_together(self) -> None:
        """Let ranges that do not show something ask what all that is known shows together."""
        if self.eliminates:
            self.bounds.last_resort = self._is_shown_together

    def _is_shown_together(self, asked: Polynomial) -> bool:
        found = self._shown.get(asked)
        if found is None:
            is_answered = self.systems_left > 0
            found = implied(self, Condition("nonnegative", (asked,)))
            if is_answered:
                self._shown[asked] = found
        return found

    def _declare(self, variables: Iterable[Variable]) -> None:
        for variable in variables:
            self._symbols[variable.name] = declared(self, variable)

    def copy(self) -> NormalForm:
        """A normal form that knows the same; what either learns later the other does not see."""
        found = shallow_copy(self)
        found.atoms = self.atoms.copy()
        found.digits = self.digits.copy(found.atoms)
        found.bounds = self.bounds.copy(found.atoms, found.digits)
        found.steps = self.steps.copy()
        found.impossibilities = self.impossibilities.copy()
        found.total_letters = self.total_letters.copy()
        found._ask_all_together()
        found._learned = {
            facts: (results.copy(), terms.copy(), shown.copy())
            for facts, (results, terms, shown) in self._learned.items()
        }
        found._use(found.bounds.facts, found.other_facts)
        return found

    def of(self, expression: Any) -> Any:
        """The normal form of a SymPy expression, or the :class:`Condition` of a SymPy relation."""
        return interpret(expression, self, self._symbol)

    def symbol(self, name: str) -> Any:
        """The polynomial of a declared axis or parameter; the table of this name."""
        if name not in self._symbols:
            table = self.domain.table(name)
            if table is not None:
                return table
            near = near_hint(name, self._symbols)
            hint = "; ".join(filter(None, (near, "declare it as an axis or a parameter")))
            raise MissingFactError(f"{name} is not declared", hint=hint)
        return self._symbols[name]

    def rewritten(self, rule: Rule, operands: tuple[Polynomial, Polynomial]) -> Polynomial | None:
        """The result of a rule for these operands of its left side; None where it does not apply.

        A rule that was used is recorded as a step.
        """
        if self._patience is not None:
            self._patience -= 1
            if self._patience < 0:
                msg = f"a proposal tries more than {PATIENCE} rules"
                raise LimitError(msg)
        for bindings in rule.find(self, *operands):
            found: Polynomial | None = rule.apply(self, operands, bindings)
            if found is not None:
                self.steps.append(Step(rule, bindings))
                return found
        return None

    def rewritten_by_first(
        self, rules: Iterable[Rule], operands: tuple[Polynomial, Polynomial]
    ) -> Polynomial | None:
        """The result of the first of the rules that applies to these operands."""
        return next((found for rule in rules if (found := self.rewritten(rule, operands)) is not None), None)

    def trusted(self, result: Term, bindings: Bindings) -> Any:
        """The value of a rule's right side, operands unchecked: a proved rule makes what is defined."""
        outer, self._checks = self._checks, "none"
        try:
            return interpret_term(result, self, bindings.__getitem__)
        finally:
            self._checks = outer

    @contextmanager
    def proposing(self) -> Iterator[None]:
        """Try another way of writing; what ranges do not show at once, or takes long, is refused."""
        outer, self._patience = self._patience, PATIENCE
        checks, self._checks = self._checks, "none" if self.assume_defined else "quick"
        try:
            yield
        finally:
            self._patience, self._checks = outer, checks

    def noted(self, rule: Rule, **bindings: Polynomial) -> None:
        """Record a rule that the arithmetic itself carries out."""
        self.steps.append(Step(rule, bindings))

    def assume(self, condition: Condition) -> None:
        """From here on, take the condition as a fact that holds at every point."""
        self._base_facts += tuple(map(strengthened, condition.nonnegative_parts()))
        if self.eliminates and condition.kind not in ("nonnegative", "zero"):
            self._base_others += (condition,)
        self._use(self._base_facts, self._base_others)

    @contextmanager
    def under(self, condition: Condition) -> Iterator[None]:
        """Inside the block, take the condition as a fact: in the branch that it guards."""
        facts = tuple(map(strengthened, condition.nonnegative_parts()))
        is_other = self.eliminates and condition.kind not in ("nonnegative", "zero")
        others = (*self.other_facts, condition) if is_other else self.other_facts
        with self._facts(self.bounds.facts + facts, others):
            yield

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget, at the end of the block, the facts that were assumed inside."""
        with self._facts(self.bounds.facts, self.other_facts):
            yield

    @contextmanager
    def without_branch_facts(self) -> Iterator[None]:
        """Forget the facts of branches: what is found here is kept with a letter and outlives them."""
        if (self.bounds.facts, self.other_facts) == (self._base_facts, self._base_others):
            yield
        else:
            with self._facts(self._base_facts, self._base_others):
                yield

    @contextmanager
    def _facts(self, facts: Facts, others: tuple[Condition, ...]) -> Iterator[None]:
        outer = self.bounds.facts, self.other_facts
        self._use(facts, others)
        try:
            yield
        finally:
            self._use(*outer)

    def _use(self, facts: Facts, others: tuple[Condition, ...]) -> None:
        self.bounds.assume(facts)
        self.other_facts = others
        self._results, self.terms, self._shown = self._learned.setdefault((facts, others), ({}, {}, {}))

    def integer(self, number: int) -> Polynomial:
        return Polynomial.constant(number)

    def of_expression(self, expression: Expr) -> Polynomial:
        found: Polynomial = self.of(expression)
        return found

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left + right

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left * right

    def divided(self, number: Polynomial, divisor: Polynomial) -> Polynomial:
        """``number // divisor`` for a divisor known to be positive, computed once."""
        key = ("//", number, divisor)
        if key not in self._results:
            self._results[key] = division.quotient(self, number, divisor)
        return self._results[key]

    def quotient(self, left: Polynomial, right: Polynomial) -> Polynomial:
        fixed = right.as_integer
        if fixed is None:
            self._require_positive(right)
        elif fixed < 1:
            raise MissingFactError(f"the divisor of a division must be positive, not {fixed}")
        return self.divided(left, right)

    def exact_quotient(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = self.quotient(left, right)
        self._require(right * found - left, left, "a fraction is no index: its divisor must divide it")
        return found

    def remainder(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = left - right * self.quotient(left, right)
        self.noted(division.MOD_AS_DIV, n=left, d=right)
        self.bounds.note(found)
        self.bounds.note((right - found).plus(-1))
        return found

    def truncated_quotient(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self._require_positive(right)
        key = ("trunc", left, right)
        if key not in self._results:
            self._results[key] = truncation.truncated_quotient(self, left, right)
        return self._results[key]

    def truncated_remainder(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = left - right * self.truncated_quotient(left, right)
        self.noted(truncation.MOD_AS_TRUNC, n=left, d=right)
        self.bounds.note((right - found).plus(-1))
        self.bounds.note((right + found).plus(-1))
        return found

    def bit_xor(self, left: Polynomial, right: Polynomial) -> Polynomial:
        key = ("^", left, right)
        if key not in self._results:
            self._require_bits(left, right)
            self._results[key] = bits.xor(self, left, right)
            self.bounds.note(self._results[key])
        return self._results[key]

    def bit_and(self, left: Polynomial, right: Polynomial) -> Polynomial:
        key = ("&", left, right)
        if key not in self._results:
            self._require_bits(left, right)
            self._results[key] = bits.conjunction(self, left, right)
        return self._results[key]

    def bit_or(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = left + right - self.bit_and(left, right)
        self.noted(bits.OR_AS_SUM, m=left, n=right)
        self.bounds.note(found)
        return found

    def shift_left(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self._require_bits(left, right)
        return left * bits.power_of_two(self, right)

    def shift_right(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self._require_bits(left, right)
        return self.divided(left, bits.power_of_two(self, right))

    def minimum(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return choice.minimum(self, left, right)

    def maximum(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self.noted(choice.MAX_AS_MIN, a=left, b=right)
        return -choice.minimum(self, -left, -right)

    def select(
        self,
        condition: Condition,
        if_true: Callable[[], Polynomial],
        if_false: Callable[[], Polynomial],
    ) -> Polynomial:
        return choice.select(self, condition, if_true, if_false)

    def entry(self, table: Table, index: Sequence[Polynomial]) -> Polynomial:
        lengths = [self.of_expression(length) for length in table.lengths]
        wanted = f"an index of {table.name} must lie within its length"
        if not self.leaves_entries:
            for component, length in zip(index, lengths, strict=True):
                self._require(component, component, wanted)
                self._require((length - component).plus(-1), component, wanted)
        return tables.entry(self, table, tuple(index), lengths)

    def run_of(self, table: Table, value: Polynomial) -> Polynomial:
        return tables.run_of(self, table, value)

    def truth(self, value: bool) -> Condition:  # noqa: FBT001
        return TRUE if value else FALSE

    def less(self, left: Polynomial, right: Polynomial) -> Condition:
        return choice.at_least_zero(self, (right - left).plus(-1))

    def equal(self, left: Polynomial, right: Polynomial) -> Condition:
        return choice.zero(self, left - right)

    def both(self, left: Condition, right: Condition) -> Condition:
        return left.and_(right)

    def negation(self, condition: Condition) -> Condition:
        return condition.negated()

    def _require_positive(self, divisor: Polynomial) -> None:
        """Refuse a divisor that is not shown to be positive, or take it as that until the scope ends."""
        if self.assume_defined:
            fact = strengthened(divisor.plus(-1))
            if not self.bounds.is_nonnegative(fact):
                self._use((*self.bounds.facts, fact), self.other_facts)
        self._require(divisor.plus(-1), divisor, "the divisor of a division must be positive")

    def _symbol(self, symbol: Any) -> Polynomial:
        return self.symbol(str(symbol.name))

    def _require_bits(self, left: Polynomial, right: Polynomial) -> None:
        wanted = "the operands of a bit operation must not be negative"
        for operand in (left, right):
            self._require(operand, operand, wanted)

    def _require(self, needed: Polynomial, operand: Polynomial, wanted: str) -> None:
        if self._checks == "taken":
            if self.bounds.interval(needed).high < 0:
                msg = f"{wanted}: that can be taken for granted of none that is negative everywhere"
                raise MissingFactError(msg)
        elif self._checks != "none":
            require_nonnegative(self, needed, operand, wanted, quickly=self._checks == "quick")
