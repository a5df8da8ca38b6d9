"""Questions to solvers as SMT-LIB 2 text: the same text for every solver, and part of every certificate.

What integers and words share; see ``smt_integers`` and ``smt_words``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.proofs.smt.atom_table import Atom
    from layoutalg.proofs.smt.formula import Formula
    from layoutalg.proofs.smt.problem import Problem
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["SmtText"]


class SmtText(ABC):
    """AtomTable as constants with definitions, then assumptions, then the goal denied."""

    logic: str

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.atoms = problem.values.atoms

    def text(self) -> str:
        lines = [f"(set-logic {self.logic})"]
        for number, atom in enumerate(self.atoms):
            lines.append(f"(declare-const {self.name(number)} {self.sort})")
            lines += (f"(assert {d})" for d in self.definitions(number, atom))
        lines += (f"(assert {d})" for d in self.hints())
        lines += (f"(assert {self.formula(f)})" for f in self.problem.assumptions + self.problem.lemmas)
        lines.append(f"(assert (not {self.formula(self.problem.goal)}))")
        return "\n".join([*lines, "(check-sat)", ""])

    def name(self, number: int) -> str:
        atom = self.atoms[number]
        if atom.kind not in ("axis", "parameter"):
            return f"v{number}"
        name, multiple = atom.operands
        return f"|{name}|" if multiple == 1 else f"|{name}/{multiple}|"

    def formula(self, formula: Formula) -> str:
        match formula.kind:
            case "nonnegative":
                return self.nonnegative(formula.parts[0])
            case "zero":
                return self.zero(formula.parts[0])
            case "not":
                return f"(not {self.formula(formula.parts[0])})"
        if not formula.parts:
            return "true"
        return f"(and {' '.join(map(self.formula, formula.parts))})"

    def sides(self, polynomial: Polynomial) -> tuple[str, str]:
        """What is added and what is taken away, apart: solvers like it better than minus signs."""
        plus = {m: c for m, c in polynomial if c > 0}
        minus = {m: -c for m, c in polynomial if c < 0}
        return self.sum(plus), self.sum(minus)

    def sum(self, terms: dict[tuple[int, ...], int]) -> str:
        parts = [self.product(monomial, coefficient) for monomial, coefficient in sorted(terms.items())]
        if not parts:
            return self.number(0)
        return parts[0] if len(parts) == 1 else f"({self.plus} {' '.join(parts)})"

    def product(self, monomial: tuple[int, ...], coefficient: int) -> str:
        factors = [self.number(coefficient)] if coefficient != 1 or not monomial else []
        factors += map(self.name, monomial)
        return factors[0] if len(factors) == 1 else f"({self.times} {' '.join(factors)})"

    def value(self, polynomial: Polynomial) -> str:
        plus, minus = self.sides(polynomial)
        return plus if minus == self.number(0) else f"({self.minus} {plus} {minus})"

    def zero(self, polynomial: Polynomial) -> str:
        plus, minus = self.sides(polynomial)
        return f"(= {plus} {minus})"

    def hints(self) -> Iterator[str]:
        """Consequences of the definitions that solvers do not find by themselves."""
        yield from ()

    sort: str
    plus: str
    minus: str
    times: str

    @abstractmethod
    def number(self, number: int) -> str: ...

    @abstractmethod
    def nonnegative(self, polynomial: Polynomial) -> str: ...

    @abstractmethod
    def definitions(self, number: int, atom: Atom) -> Iterator[str]: ...
