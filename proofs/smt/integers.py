"""Questions to solvers over unbounded integers, as SMT-LIB 2 text.

A quotient is ``d*q <= n < d*q + d``, which solvers decide far more often than ``div``; a bit operation is a
sum over bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.proofs.smt.smt_lib import SmtText
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.proofs.smt.atom_table import Atom
    from layoutalg.proofs.smt.problem import Problem

__all__ = ["integer_text", "linear_text"]


def integer_text(problem: Problem) -> str:
    """The question over unbounded integers."""
    return _Integers(problem).text()


def linear_text(problem: Problem) -> str:
    """The question with every product of atoms taken as an unknown of its own.

    It forgets what products mean, so no model counts; but without one the question is answered, and
    linear questions are the ones solvers are sure to answer.
    """
    return _Linear(problem).text()


class _Integers(SmtText):
    logic, sort, plus, minus, times = "QF_NIA", "Int", "+", "-", "*"

    def number(self, number: int) -> str:
        return str(number) if number >= 0 else f"(- {-number})"

    def nonnegative(self, polynomial: Polynomial) -> str:
        plus, minus = self.sides(polynomial)
        return f"(>= {plus} {minus})"

    def definitions(self, number: int, atom: Atom) -> Iterator[str]:
        name, operands = self.name(number), atom.operands
        match atom.kind:
            case "axis" | "parameter" | "entry" | "run":
                pass
            case "quotient":
                yield from self._quotient(name, *map(self.value, operands))
            case "remainder":
                n, d, q = map(self.value, operands)
                yield f"(= {n} (+ (* {d} {q}) {name}))"
            case "minimum":
                one, other = map(self.value, operands)
                yield f"(= {name} (ite (<= {one} {other}) {one} {other}))"
            case "select":
                condition, one, other = operands
                yield f"(= {name} (ite {self.formula(condition)} {self.value(one)} {self.value(other)}))"
            case "power_of_two":
                yield f"(= {name} {self._power(self.value(operands[0]), operands[1])})"
            case _:
                yield from self._bits(name, atom)

    def _quotient(self, name: str, number: str, divisor: str) -> Iterator[str]:
        product = f"(* {divisor} {name})"
        between = f"(and (<= {product} {number}) (< {number} (+ {product} {divisor})))"
        if divisor.isdigit() and int(divisor) > 0:
            yield between
        else:
            yield f"(=> (> {divisor} 0) {between})"
            yield f"(=> (and (> {divisor} 0) (>= {number} 0)) (and (>= {name} 0) (<= {name} {number})))"

    def _power(self, exponent: str, most: int) -> str:
        found = "1"
        for bit in range(1, most + 1):
            found = f"(ite (= {exponent} {bit}) {1 << bit} {found})"
        return found

    def _bits(self, name: str, atom: Atom) -> Iterator[str]:
        one, other, width = atom.operands
        rule = {"xor": "(not (= {a} {b}))", "and": "(and (= {a} 1) (= {b} 1))"}[atom.kind]
        total = []
        for bit in range(width):
            a, b = (f"(mod (div {self.value(side)} {1 << bit}) 2)" for side in (one, other))
            total.append(f"(ite {rule.format(a=a, b=b)} {1 << bit} 0)")
        yield f"(= {name} (+ 0 0 {' '.join(total)}))"

    def hints(self) -> Iterator[str]:
        quotients = [(n, x) for n, x in enumerate(self.atoms) if x.kind == "quotient"]
        symbolic = [(n, x) for n, x in quotients if x.operands[1].as_integer is None]
        for number, atom in symbolic:
            divisor = self.value(atom.operands[1])
            for other, twin in symbolic:
                if other != number and twin.operands[1] == atom.operands[1]:
                    one, two = self.name(number), self.name(other)
                    more = f"(>= (* {divisor} {one}) (+ (* {divisor} {two}) {divisor}))"
                    yield f"(=> (and (> {divisor} 0) (> {one} {two})) {more})"


class _Linear(_Integers):
    logic = "QF_LIA"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.products: dict[tuple[int, ...], str] = {}

    def text(self) -> str:
        lines = super().text().splitlines()
        declared = [f"(declare-const {name} Int)" for name in sorted(self.products.values())]
        return "\n".join([lines[0], *declared, *lines[1:], ""])

    def product(self, monomial: tuple[int, ...], coefficient: int) -> str:
        if len(monomial) < 2:
            return super().product(monomial, coefficient)
        name = self.products.setdefault(monomial, f"p{'_'.join(map(str, monomial))}")
        return name if coefficient == 1 else f"(* {self.number(coefficient)} {name})"

    def definitions(self, number: int, atom: Atom) -> Iterator[str]:
        if atom.kind == "quotient" and atom.operands[1].as_integer is None:
            n, d = atom.operands
            product = d * Polynomial.letter(number)
            rest = n - product
            between = f"(and {self.nonnegative(rest)} {self.nonnegative((d - rest).plus(-1))})"
            yield f"(=> {self.nonnegative(d.plus(-1))} {between})"
        elif atom.kind == "remainder" and atom.operands[1].as_integer is None:
            n, d, q = atom.operands
            yield self.zero(n - d * q - Polynomial.letter(number))
        else:
            yield from super().definitions(number, atom)

    def hints(self) -> Iterator[str]:
        yield from ()
