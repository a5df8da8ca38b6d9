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
from typing import TYPE_CHECKING, Any

from layoutalg.arithmetic import Arithmetic
from layoutalg.atoms import Atom, Atoms
from layoutalg.bounds import Bounds
from layoutalg.digits import Digits
from layoutalg.errors import MissingFactError
from layoutalg.fold import fold
from layoutalg.polynomial import Polynomial
from layoutalg.rules import bits, choice, division
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.defined import require_nonnegative
from layoutalg.rules.rule import Rule, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sympy import Expr

    from layoutalg.domain import Domain, Variable

__all__ = ["NormalForm"]


class NormalForm(Arithmetic[Polynomial]):
    """Polynomials over the letters of one domain, reduced as they are built."""

    def __init__(self, domain: Domain, *, assume_defined: bool = False) -> None:
        self.domain = domain
        self.assume_defined = assume_defined
        self.atoms = Atoms()
        self.digits = Digits(self.atoms)
        self.bounds = Bounds(self.atoms, self.digits)
        self.steps: list[Step] = []
        self._symbols: dict[str, Polynomial] = {}
        self._results: dict[tuple[str, Polynomial, Polynomial], Polynomial] = {}
        self._base_facts: tuple[Polynomial, ...] = ()
        for variable in (*domain.parameters, *domain.axes):
            self._declare(variable)
        for fact in domain.facts:
            self.assume(self.of(fact))

    def of(self, expression: Any) -> Any:
        """The normal form of a SymPy expression, or the :class:`Condition` of a SymPy relation."""
        return fold(expression, self, self._symbol)

    def symbol(self, name: str) -> Polynomial:
        """The polynomial of a declared axis or parameter."""
        if name not in self._symbols:
            known = ", ".join(self._symbols) or "none"
            msg = f"{name} is not declared: the domain knows {known}"
            raise MissingFactError(msg, hint=f"declare {name} as an axis or a parameter")
        return self._symbols[name]

    def rewritten(self, rule: Rule, operands: tuple[Polynomial, Polynomial]) -> Polynomial | None:
        """What a rule makes of its left side's operands, recorded as a step, or None if it does not apply."""
        for bindings in rule.find(self, *operands):
            found: Polynomial | None = rule.apply(self, operands, bindings)
            if found is not None:
                self.steps.append(Step(rule, bindings))
                return found
        return None

    def noted(self, rule: Rule, **bindings: Polynomial) -> None:
        """Record a rule that the arithmetic itself carries out."""
        self.steps.append(Step(rule, bindings))

    def assume(self, condition: Condition) -> None:
        """Let a condition count as a fact from here on, at every point."""
        self._base_facts += condition.nonnegative_parts()
        self.bounds.assume(self._base_facts)
        self._results = {}

    @contextmanager
    def under(self, condition: Condition) -> Iterator[None]:
        """Let a condition count as a fact, for the branch it guards."""
        with self._facts(self.bounds.facts + condition.nonnegative_parts()):
            yield

    @contextmanager
    def without_branch_facts(self) -> Iterator[None]:
        """Conclude only what holds at every point of the domain: ends kept with a letter must."""
        if self.bounds.facts == self._base_facts:
            yield
        else:
            with self._facts(self._base_facts):
                yield

    @contextmanager
    def _facts(self, facts: tuple[Polynomial, ...]) -> Iterator[None]:
        outer, results = self.bounds.facts, self._results
        self.bounds.assume(facts)
        self._results = {}
        try:
            yield
        finally:
            self.bounds.assume(outer)
            self._results = results

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
        wanted = "the divisor of a division must be positive"
        self._require(right.plus(-1), right, wanted)
        return self.divided(left, right)

    def remainder(self, left: Polynomial, right: Polynomial) -> Polynomial:
        found = left - right * self.quotient(left, right)
        self.noted(division.MOD_AS_DIV, n=left, d=right)
        self.bounds.note(found)
        self.bounds.note((right - found).plus(-1))
        return found

    def bit_xor(self, left: Polynomial, right: Polynomial) -> Polynomial:
        key = ("^", left, right)
        if key not in self._results:
            self._require_bits(left, right)
            self._results[key] = bits.xor(self, left, right)
            self.bounds.note(self._results[key])
        return self._results[key]

    def bit_and(self, left: Polynomial, right: Polynomial) -> Polynomial:
        self._require_bits(left, right)
        return bits.conjunction(self, left, right)

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

    def _symbol(self, symbol: Any) -> Polynomial:
        return self.symbol(str(symbol.name))

    def _declare(self, variable: Variable) -> None:
        lower, upper = (
            None if end is None else fold(end, self, self._symbol) for end in (variable.lower, variable.upper)
        )
        upper = None if upper is None else upper.plus(-1)
        scale = variable.multiple_of
        if scale > 1:
            lower = None if lower is None else self.divided(lower.plus(scale - 1), self.integer(scale))
            upper = None if upper is None else self.divided(upper, self.integer(scale))
        kind = "parameter" if variable.is_parameter else "axis"
        atom = Atom(
            kind,
            (variable.name,),
            lower,
            upper,
            variable.is_parameter,
            variable.symbol,
            scale,
        )
        self._symbols[variable.name] = self.atoms.letter(atom).scaled(scale)

    def _require_bits(self, left: Polynomial, right: Polynomial) -> None:
        wanted = "the operands of a bit operation must not be negative"
        for operand in (left, right):
            self._require(operand, operand, wanted)

    def _require(self, needed: Polynomial, operand: Polynomial, wanted: str) -> None:
        if not self.assume_defined:
            require_nonnegative(self, needed, operand, wanted)
