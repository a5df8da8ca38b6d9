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
    """Writes letters; ``term`` gives the term chosen for an operand."""

    def __init__(self, form: NormalForm, term: Callable[[Polynomial], Term]) -> None:
        self.form = form
        self.term = term
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
            case "floor":
                return Term("//", tuple(self.term(part) for part in atom.operands))
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
                chosen = self.condition(condition)
                return Term("select", (chosen, self.term(first), self.term(second)))

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
        if condition.kind in ("and", "or", "not"):
            parts = [self.condition(part) for part in condition.parts if isinstance(part, Condition)]
            result = parts[0]
            for part in parts[1:]:
                result = Term(condition.kind, (result, part))
            return result
        if condition.is_decided:
            return Term("==", (Term.integer(0), Term.integer(int(condition.kind != "true"))))
        (polynomial,) = condition.polynomials()
        positive = Polynomial({m: c for m, c in polynomial if c > 0})
        negative = Polynomial({m: -c for m, c in polynomial if c < 0})
        op = {"nonnegative": "<=", "zero": "==", "nonzero": "!="}[condition.kind]
        return Term(op, (self.term(negative), self.term(positive)))
