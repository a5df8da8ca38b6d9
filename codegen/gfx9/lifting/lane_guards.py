"""Which lanes, and which ways through a kernel: sets of cases as decision diagrams over conditions.

A guard is a node of one reduced ordered binary decision diagram; equal sets of cases are the same number. Its
variables are conditions: comparisons of a normal form, or opaque ones that have a name alone. What is known
to follow from what (``x < 8`` from ``x < 4``, some lane from this lane) is kept as laws beside them.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> form = NormalForm(Domain.of({"x": 64}))
>>> guards = Guards()
>>> below = [guards.of(form.less(form.symbol("x"), form.integer(n))) for n in (4, 8)]
>>> guards.implies(below[0], below[1]), guards.implies(below[1], below[0])
(True, False)
>>> guards.both(below[0], guards.opposite(below[0])) == NEVER
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from layoutalg.errors import LayoutError
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.polynomial import Polynomial

__all__ = ["ALWAYS", "ANY", "NEVER", "Guards", "Lanes", "OpaqueCondition"]

NEVER, ALWAYS = 0, 1
ANY = "any"  # of a condition that some lane is there
LAST = 1 << 60  # the variable of the two ends
MOST_NODES = 1_000_000


class TooManyCasesError(LayoutError):
    """More combinations of conditions than are told apart."""

    def __init__(self) -> None:
        super().__init__(f"lifting tells at most {MOST_NODES} combinations of conditions of a kernel apart")


@dataclass(frozen=True)
class OpaqueCondition:
    """A condition of which nothing is known but what it is: its operands, equal ones being equal.

    ``is_uniform``: the same for all lanes of a wave.
    """

    name: str
    operands: tuple[object, ...]
    is_uniform: bool = False


@dataclass(frozen=True)
class Lanes:
    """A guard as an operand of something opaque."""

    guard: int


Variable = Condition | OpaqueCondition
Content = TypeVar("Content")


class Guards:
    """The table of nodes, and the conditions that they speak of."""

    def __init__(self) -> None:
        self._nodes: list[tuple[int, int, int]] = [(LAST, NEVER, NEVER), (LAST, ALWAYS, ALWAYS)]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._opposite: dict[int, int] = {NEVER: ALWAYS, ALWAYS: NEVER}
        self._literals: dict[int, tuple[tuple[int, bool], ...]] = {}
        self._conditions: dict[int, Condition | None] = {}
        self.variables: list[Variable] = []
        self._numbers: dict[Variable, int] = {}
        self._steps: dict[Polynomial, list[tuple[int, int]]] = {}
        self._laws: dict[int, list[tuple[frozenset[int], int]]] = {}  # by their first variable
        self._empty: dict[int, bool] = {}
        self._supports: dict[int, frozenset[int]] = {}
        self._with: dict[tuple[int, int, bool], int] = {}

    def of(self, condition: Variable) -> int:
        """The guard of a condition; comparisons that differ by a negation share a variable."""
        if isinstance(condition, OpaqueCondition):
            return self._variable(condition)
        match condition.kind:
            case "true":
                return ALWAYS
            case "false":
                return NEVER
            case "and" | "or":
                found = ALWAYS if condition.kind == "and" else NEVER
                for part in condition.parts:
                    assert isinstance(part, Condition)
                    join = self.both if condition.kind == "and" else self.either
                    found = join(found, self.of(part))
                return found
            case "zero":
                return self.opposite(self.of(Condition("nonzero", condition.parts)))
            case "nonnegative":
                (polynomial,) = condition.polynomials()
                lead = next((c for m, c in polynomial.in_order() if m), 1)
                if lead < 0:  # P >= 0 is not (-P - 1 >= 0)
                    return self.opposite(self.of(condition.negated()))
        return self._variable(condition)

    def _variable(self, condition: Variable) -> int:
        number = self._numbers.get(condition)
        if number is None:
            number = len(self.variables)
            self.variables.append(condition)
            self._numbers[condition] = number
            self._note_order(number, condition)
        return self._node(number, NEVER, ALWAYS)

    def _note_order(self, number: int, condition: Variable) -> None:
        """``P >= -1`` wherever ``P >= 0``: of comparisons with one another's neighbours."""
        if isinstance(condition, OpaqueCondition) or condition.kind != "nonnegative":
            return
        (polynomial,) = condition.polynomials()
        constant = polynomial.terms.get((), 0)
        others = self._steps.setdefault(polynomial.plus(-constant), [])
        mine = self._node(number, NEVER, ALWAYS)
        for other_constant, other in others:
            theirs = self._node(other, NEVER, ALWAYS)
            smaller, larger = (mine, theirs) if constant < other_constant else (theirs, mine)
            self.assume(self.either(self.opposite(smaller), larger))
        others.append((constant, number))

    def assume(self, guard: int) -> None:
        """Take from here on that a guard holds everywhere."""
        support = self.support(guard)
        laws = self._laws.setdefault(min(support, default=-1), [])
        if (support, guard) not in laws:
            laws.append((support, guard))
            self._empty.clear()

    def _node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        found = self._unique.get(key)
        if found is None:
            if len(self._nodes) > MOST_NODES:
                raise TooManyCasesError
            found = len(self._nodes)
            self._nodes.append(key)
            self._unique[key] = found
        return found

    def node(self, guard: int) -> tuple[int, int, int]:
        """The variable of a guard, and the guards where it is false and true."""
        return self._nodes[guard]

    def both(self, left: int, right: int) -> int:
        if right in (left, ALWAYS):
            return left
        if left == ALWAYS:
            return right
        if NEVER in (left, right):
            return NEVER
        key = (left, right) if left < right else (right, left)
        found = self._both.get(key)
        if found is None:
            (v, a, b), (w, c, d) = self._nodes[left], self._nodes[right]
            if v == w:
                found = self._node(v, self.both(a, c), self.both(b, d))
            elif v < w:
                found = self._node(v, self.both(a, right), self.both(b, right))
            else:
                found = self._node(w, self.both(left, c), self.both(left, d))
            self._both[key] = found
        return found

    def opposite(self, guard: int) -> int:
        found = self._opposite.get(guard)
        if found is None:
            variable, low, high = self._nodes[guard]
            found = self._node(variable, self.opposite(low), self.opposite(high))
            self._opposite[guard] = found
            self._opposite[found] = guard
        return found

    def either(self, left: int, right: int) -> int:
        return self.opposite(self.both(self.opposite(left), self.opposite(right)))

    def without(self, left: int, right: int) -> int:
        return self.both(left, self.opposite(right))

    def differ(self, left: int, right: int) -> int:
        return self.either(self.without(left, right), self.without(right, left))

    def chosen(self, condition: int, first: int, second: int) -> int:
        """``first`` where the condition holds, else ``second``."""
        return self.either(self.both(condition, first), self.without(second, condition))

    def is_empty(self, guard: int) -> bool:
        """Whether it holds nowhere, by what is known of the conditions in it."""
        if guard in (NEVER, ALWAYS):
            return guard == NEVER
        found = self._empty.get(guard)
        if found is None:
            rest, support = guard, self.support(guard)
            for number in support:
                for of, law in self._laws.get(number, ()):
                    if of <= support:
                        rest = self.both(rest, law)
            found = self._empty[guard] = rest == NEVER
        return found

    def implies(self, left: int, right: int) -> bool:
        return right in (left, ALWAYS) or self.is_empty(self.without(left, right))

    def with_variable(self, guard: int, number: int, value: bool) -> int:  # noqa: FBT001
        """The guard where a variable is true, or false."""
        variable, low, high = self._nodes[guard]
        if variable > number:
            return guard
        if variable == number:
            return high if value else low
        key = (guard, number, value)
        found = self._with.get(key)
        if found is None:
            found = self._with[key] = self._node(
                variable, self.with_variable(low, number, value), self.with_variable(high, number, value)
            )
        return found

    def cases(self, found: Iterable[tuple[int, Content]]) -> tuple[tuple[int, Content], ...]:
        """Contents by guard, equal ones together; those that are nowhere left out."""
        by_content: dict[Content, int] = {}
        for holds, content in found:
            if not self.is_empty(holds):
                by_content[content] = self.either(by_content.get(content, NEVER), holds)
        return tuple((holds, content) for content, holds in by_content.items())

    def is_some_lane_of(self, number: int, inside: int) -> bool:
        """Whether a variable says that some lane is there of those that a lane that is inside is one of."""
        variable = self.variables[number]
        if not isinstance(variable, OpaqueCondition) or variable.name != ANY:
            return False
        return all(isinstance(one, Lanes) and self.implies(inside, one.guard) for one in variable.operands)

    def given(self, guard: int, inside: int) -> int:
        """The guard without what holds wherever another one does."""
        for number, value in self.literals(inside):
            guard = self.with_variable(guard, number, value)
        return guard

    def support(self, guard: int) -> frozenset[int]:
        """The variables that it depends on."""
        known = self._supports.get(guard)
        if known is not None:
            return known
        found: set[int] = set()
        waiting, seen = [guard], {NEVER, ALWAYS}
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            variable, low, high = self._nodes[node]
            found.add(variable)
            waiting += [low, high]
        return self._supports.setdefault(guard, frozenset(found))

    def literals(self, guard: int) -> tuple[tuple[int, bool], ...]:
        """The variables that have the same value wherever it holds, with that value."""
        if guard in (NEVER, ALWAYS):
            return ()
        found = self._literals.get(guard)
        if found is None:
            variable, low, high = self._nodes[guard]
            if NEVER in (low, high):
                found = (variable, low == NEVER), *self.literals(high if low == NEVER else low)
            else:
                both = frozenset(self.literals(high))
                found = tuple(one for one in self.literals(low) if one in both)
            self._literals[guard] = found
        return found

    def facts(self, guard: int) -> Iterator[Condition]:
        """Comparisons that hold wherever the guard does."""
        for number, value in self.literals(guard):
            variable = self.variables[number]
            if isinstance(variable, Condition):
                yield variable if value else variable.negated()

    def condition(self, guard: int) -> Condition | None:
        """The guard as a condition of a normal form; None where it speaks of something opaque."""
        if guard in (NEVER, ALWAYS):
            return TRUE if guard == ALWAYS else FALSE
        if guard not in self._conditions:
            self._conditions[guard] = self._condition(*self._nodes[guard])
        return self._conditions[guard]

    def _condition(self, number: int, low: int, high: int) -> Condition | None:
        """A variable and one guard, or its opposite and another."""
        variable = self.variables[number]
        if isinstance(variable, OpaqueCondition):
            return None
        found = FALSE
        for holds, rest in ((variable, high), (variable.negated(), low)):
            inside = self.condition(rest)
            if inside is None:
                return None
            found = found.or_(holds.and_(inside))
        return found

    def mapped(self, guard: int, change: Callable[[int], int], done: dict[int, int]) -> int:
        """The guard with another guard in place of each variable, which are asked by number.

        ``done``: what became of guards by the same change; taken from there, and put there.
        """
        if guard in (NEVER, ALWAYS):
            return guard
        found = done.get(guard)
        if found is None:
            variable, low, high = self._nodes[guard]
            chosen, *parts = change(variable), *(self.mapped(part, change, done) for part in (high, low))
            found = done[guard] = self.chosen(chosen, *parts)
        return found
