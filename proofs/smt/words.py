"""Questions to solvers over machine words, as SMT-LIB 2 text.

Words are as wide as the values need, so nothing wraps and every operation is the machine's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.smt.smt_lib import SmtText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.proofs.smt.atom_table import Atom
    from layoutalg.proofs.smt.problem import Problem
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["word_text"]


def word_text(problem: Problem, widest: int = 64) -> str:
    """The question over words, as wide as the values need; refused beyond ``widest`` bits."""
    return _Words(problem, widest).text()


class _Words(SmtText):
    logic, plus, minus, times = "QF_BV", "bvadd", "bvsub", "bvmul"

    def __init__(self, problem: Problem, widest: int) -> None:
        super().__init__(problem)
        self.width = self._width()
        if self.width > widest:
            msg = f"the values need words of {self.width} bits"
            raise LayoutError(msg)
        self.sort = f"(_ BitVec {self.width})"

    def _width(self) -> int:
        intervals = [atom.interval for atom in self.atoms]
        intervals += map(self.problem.values.interval, self._polynomials())
        ends = [end for interval in intervals for end in (interval.low, interval.high)]
        numbers = [end for end in ends if isinstance(end, int)]
        if len(numbers) < len(ends):
            msg = "a value has no known end"
            raise LayoutError(msg)
        return max(abs(number).bit_length() for number in numbers) + 2 if numbers else 2

    def _polynomials(self) -> Iterator[Polynomial]:
        formulas = [self.problem.goal, *self.problem.assumptions, *self.problem.lemmas]
        for atom in self.atoms:
            if atom.kind == "select":
                formulas.append(atom.operands[0])
            if atom.kind not in ("axis", "parameter", "entry", "run"):
                yield from (part for part in atom.operands if hasattr(part, "terms"))
        while formulas:
            formula = formulas.pop()
            if formula.kind in ("nonnegative", "zero"):
                yield formula.parts[0]
            else:
                formulas += formula.parts

    def number(self, number: int) -> str:
        return f"(_ bv{number % (1 << self.width)} {self.width})"

    def sum(self, terms: dict[tuple[int, ...], int]) -> str:
        found = ""
        for monomial, coefficient in sorted(terms.items()):
            product = self.product(monomial, coefficient)
            found = f"(bvadd {found} {product})" if found else product
        return found or self.number(0)

    def product(self, monomial: tuple[int, ...], coefficient: int) -> str:
        found = "" if coefficient == 1 and monomial else self.number(coefficient)
        for atom in monomial:
            found = f"(bvmul {found} {self.name(atom)})" if found else self.name(atom)
        return found

    def zero(self, polynomial: Polynomial) -> str:
        return f"(= {self.value(polynomial)} {self.number(0)})"

    def nonnegative(self, polynomial: Polynomial) -> str:
        return f"(bvsge {self.value(polynomial)} {self.number(0)})"

    def definitions(self, number: int, atom: Atom) -> Iterator[str]:
        name = self.name(number)
        if atom.kind in ("axis", "parameter", "entry", "run"):
            interval = atom.interval
            low, high = (self.number(end) for end in (interval.low, interval.high) if isinstance(end, int))
            yield f"(and (bvsge {name} {low}) (bvsle {name} {high}))"
            return
        yield f"(= {name} {self._value_of(atom)})"

    def _value_of(self, atom: Atom) -> str:
        operands = atom.operands
        if atom.kind == "select":
            return f"(ite {self.formula(operands[0])} {self.value(operands[1])} {self.value(operands[2])})"
        if atom.kind == "power_of_two":
            return f"(bvshl {self.number(1)} {self.value(operands[0])})"
        one, other = (self.value(part) for part in operands[:2])
        match atom.kind:
            case "quotient":
                exact = f"(bvsub {one} (bvsmod {one} {other}))"
                return f"(bvsdiv {exact} {other})"
            case "remainder":
                return f"(bvsmod {one} {other})"
            case "minimum":
                return f"(ite (bvsle {one} {other}) {one} {other})"
            case _:
                return f"(bv{atom.kind} {one} {other})"
