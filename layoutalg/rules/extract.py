"""From a normal form back to the cheapest term found that computes it.

A normal form holds quotients only. Here each chain of quotients of one index may become digits
again (``x - 8*(x // 8)`` is ``x % 8``), products with a common factor are gathered, and the choice
is made by the price of the whole term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.cost import cost
from layoutalg.polynomial import ZERO, Monomial, Polynomial
from layoutalg.rules.condition import Condition
from layoutalg.term import Term

if TYPE_CHECKING:
    from layoutalg.atoms import Atom
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["Extraction"]

ROUNDS = 12  # improving moves tried one after another on one sum


class Extraction:
    """Terms for the normal forms of one computation; equal forms get the same term."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.uniform = frozenset(v.name for v in form.domain.parameters)
        self._terms: dict[Polynomial, Term] = {}

    def term(self, polynomial: Polynomial) -> Term:
        """The cheapest term found for a polynomial in quotients."""
        if polynomial not in self._terms:
            self._terms[polynomial] = self._search(polynomial)
        return self._terms[polynomial]

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

    def _search(self, polynomial: Polynomial) -> Term:
        best = self._build(polynomial)
        best_price = self._price(best)
        for _ in range(ROUNDS):
            found = None
            for candidate in self._moves(polynomial):
                term = self._build(candidate)
                price = self._price(term)
                if price < best_price:
                    best, best_price, found = term, price, candidate
            if found is None:
                break
            polynomial = found
        return best

    def _price(self, term: Term) -> int:
        return cost(term, self.uniform)

    def _moves(self, polynomial: Polynomial) -> list[Polynomial]:
        """The polynomial with one quotient written as a digit, in each possible way."""
        digits, moves = self.form.digits, []
        whole = digits.split(polynomial)
        if whole != polynomial:
            moves.append(whole)
        for low, number, low_scale, high, high_scale in self._pairs(polynomial):
            base, rest = high_scale.divided(low_scale)
            if rest:
                continue
            digit = digits.digit(number, low_scale, base)
            letter = digit.as_letter
            assert letter is not None
            digits.joined[letter] = low - base * high
            for target, value in ((low, digit + base * high), (high, None)):
                name = target.as_letter
                if value is not None and name is not None:
                    moves.append(polynomial.replaced(name, value))
            moves.extend(self._without_high(polynomial, low, digit, base, high))
        return moves

    @staticmethod
    def _without_high(
        polynomial: Polynomial,
        low: Polynomial,
        digit: Polynomial,
        base: Polynomial,
        high: Polynomial,
    ) -> list[Polynomial]:
        name = high.as_letter
        factor = None if name is None else polynomial.coefficient(name)
        if not factor:
            return []
        times, rest = factor.divided(base)
        if rest:
            return []
        return [polynomial - times * base * high + times * (low - digit)]

    def _pairs(
        self, polynomial: Polynomial
    ) -> list[tuple[Polynomial, Polynomial, Polynomial, Polynomial, Polynomial]]:
        atoms = self.form.atoms
        chains: dict[Polynomial, list[tuple[Polynomial, Polynomial]]] = {}
        for letter in atoms.of_kind("floor", polynomial):
            number, divisor = atoms[letter].operands
            chains.setdefault(number, []).append((divisor, Polynomial.letter(letter)))
        pairs = []
        for number, links in chains.items():
            if number.as_letter in polynomial.letters:
                links.insert(0, (Polynomial.constant(1), number))
            pairs += [
                (low, number, low_scale, high, high_scale)
                for low_scale, low in links
                for high_scale, high in links
                if low != high and high_scale.divided(low_scale)[1] == ZERO
            ]
        return pairs

    def _build(self, polynomial: Polynomial) -> Term:
        by_letters: dict[Monomial, Polynomial] = {}
        uniform = ZERO
        for monomial, coefficient in polynomial:
            fixed = tuple(x for x in monomial if self.form.atoms[x].is_uniform)
            free = tuple(x for x in monomial if not self.form.atoms[x].is_uniform)
            part = Polynomial({fixed: coefficient})
            if free:
                by_letters[free] = by_letters.get(free, ZERO) + part
            else:
                uniform = uniform + part
        gathered = self._gathered(by_letters)
        terms = [self._scaled(factor, inner) for factor, inner in gathered]
        if uniform:
            terms.append(self._uniform(uniform))
        positive = [term for term in terms if term.sign_and_size[0] > 0]
        negative = [term for term in terms if term.sign_and_size[0] < 0]
        return Term.sum(*positive, *negative)

    def _gathered(self, by_letters: dict[Monomial, Polynomial]) -> list[tuple[Polynomial, Term]]:
        """Products with the same factor, up to its sign, become one product of a sum."""
        groups: dict[Polynomial, list[tuple[int, Monomial]]] = {}
        for letters, factor in by_letters.items():
            sign = 1
            if -factor in groups:
                factor, sign = -factor, -1
            groups.setdefault(factor, []).append((sign, letters))
        result = []
        for factor, members in groups.items():
            parts = []
            for sign, letters in members:
                product = Term.product(*(self._letter(letter) for letter in letters))
                parts.append(product if sign > 0 else Term.product(Term.integer(-1), product))
            if factor in (Polynomial.constant(1), Polynomial.constant(-1)):
                result += [(factor, part) for part in parts]
            else:
                result.append((factor, Term.sum(*parts)))
        return sorted(result, key=self._order)

    @staticmethod
    def _order(entry: tuple[Polynomial, Term]) -> tuple[int, int, str]:
        factor, term = entry
        degree = max((len(monomial) for monomial in factor.terms), default=0)
        return -degree, -abs(factor.as_integer or 0), str(term)

    def _scaled(self, factor: Polynomial, term: Term) -> Term:
        number = factor.as_integer
        if number is not None:
            return Term.product(Term.integer(number), term)
        common = max((c for _, c in factor), key=abs)
        sign = -1 if all(c < 0 for _, c in factor) or (common < 0 and len(factor.terms) == 1) else 1
        scale = self._uniform(factor.scaled(sign))
        return Term.product(Term.integer(sign), scale, term)

    def _uniform(self, polynomial: Polynomial) -> Term:
        terms = []
        for monomial, given in sorted(polynomial, key=lambda entry: (-len(entry[0]), entry[0])):
            coefficient, factors = given, []
            for letter in monomial:
                atom = self.form.atoms[letter]
                if atom.multiple_of > 1 and coefficient % atom.multiple_of == 0:
                    coefficient //= atom.multiple_of
                    factors.append(Term.symbol(atom.operands[0]))
                else:
                    factors.append(self._letter(letter))
            terms.append(Term.product(Term.integer(coefficient), *factors))
        return Term.sum(*terms)

    def _letter(self, letter: int) -> Term:
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
            case "xor" | "and" | "min":
                op = {"xor": "^", "and": "&", "min": "min"}[atom.kind]
                return Term(op, tuple(self.term(part) for part in atom.operands))
            case "power_of_two":
                return Term("<<", (Term.integer(1), self.term(atom.operands[0])))
            case _:
                condition, first, second = atom.operands
                chosen = self.condition(condition)
                return Term("select", (chosen, self.term(first), self.term(second)))

    def _digit(self, atom: Atom) -> Term:
        number, scale, base = (self.term(part) for part in atom.operands)
        if scale.as_integer != 1:
            number = Term("//", (number, scale))
        return Term("%", (number, base))
