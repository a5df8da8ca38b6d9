"""Terms for the letters of polynomials, and for conditions."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial
from layoutalg.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from layoutalg.rules.atoms import Atom
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["Letters"]


class Letters:
    """Writes letters; ``term`` and ``chosen`` give the term chosen for an operand and for a condition."""

    def __init__(
        self, form: NormalForm, term: Callable[[Polynomial], Term], chosen: Callable[[Condition], Term]
    ) -> None:
        self.form = form
        self.term = term
        self.chosen = chosen
        self._written: dict[int, Term] = {}

    def letter(self, letter: int) -> Term:
        """The term of a letter."""
        if letter not in self._written:
            self._written[letter] = self._write(letter)
        return self._written[letter]

    def _write(self, letter: int) -> Term:
        atom = self.form.atoms[letter]
        match atom.kind:
            case "axis" | "parameter":
                symbol = Term.symbol(atom.operands[0])
                if atom.multiple_of == 1:
                    return symbol
                return Term("//", (symbol, Term.integer(atom.multiple_of)))
            case "floor" | "trunc" | "left":
                op = {"floor": "//", "trunc": "trunc_div", "left": "trunc_mod"}[atom.kind]
                return Term(op, tuple(self.term(part) for part in atom.operands))
            case "digit":
                return self._digit(atom)
            case "xor" | "and":
                return self._folded({"xor": "^", "and": "&"}[atom.kind], atom.operands)
            case "min":
                smaller = self._folded("min", atom.operands)
                larger = self._folded("max", [-part for part in atom.operands])
                shorter = len(str(larger)) < len(str(smaller))
                return Term.product(Term.integer(-1), larger) if shorter else smaller
            case "entry":
                table, *index = atom.operands
                found = Term("entry", (Term("table", (table,)), *map(self.term, index)))
                return found if atom.multiple_of == 1 else Term("//", (found, Term.integer(atom.multiple_of)))
            case "run":
                table, value = atom.operands
                return Term("run_of", (Term("table", (table,)), self.term(value)))
            case "power_of_two":
                return Term("<<", (Term.integer(1), self.term(atom.operands[0])))
            case _:
                condition, first, second = atom.operands
                return Term("select", (self.chosen(condition), self.term(first), self.term(second)))

    def _folded(self, op: str, operands: Iterable[Polynomial]) -> Term:
        """An operation whose operands have no order of their own."""
        terms = sorted(map(self.term, operands), key=str)
        return reduce(lambda left, right: Term(op, (left, right)), terms)

    def _digit(self, atom: Atom) -> Term:
        number, scale, base = (self.term(part) for part in atom.operands)
        if scale.as_integer != 1:
            number = Term("//", (number, scale))
        return Term("%", (number, base))

    def condition(self, condition: Condition) -> Term:
        """The comparison a condition stands for, with positive terms on either side."""
        if condition.is_decided:
            return Term("==", (Term.integer(0), Term.integer(int(condition.kind != "true"))))
        (polynomial,) = condition.polynomials()
        op = {"nonnegative": "<=", "zero": "==", "nonzero": "!="}[condition.kind]
        constant = polynomial.terms.get((), 0)
        signs = {c > 0 for m, c in polynomial if m}
        if constant and len(signs) == 1:  # all that varies on one side
            varying = polynomial.plus(-constant)
            if True in signs:
                return Term(op, (Term.integer(-constant), self.term(varying)))
            return Term(op, (self.term(-varying), Term.integer(constant)))
        positive = Polynomial({m: c for m, c in polynomial if c > 0})
        negative = Polynomial({m: -c for m, c in polynomial if c < 0})
        if op == "<=" and negative.terms.get((), 0) == 1 and len(negative.terms) > 1:
            op, negative = "<", negative.plus(-1)
        return Term(op, (self.term(negative), self.term(positive)))
