"""What computing a term costs on a target, in instructions: shared terms count once.

The gfx9 prices are those measured on compiled code: an addition, multiplication or bit operation
takes one instruction, a division by a power of two one, by another constant four, by anything else
about twenty; a remainder whose quotient is also needed takes a multiplication and a subtraction. gfx950
compiles to the same instructions. Terms of parameters and numbers alone are computed once before the launch
and cost nothing.

``cuda`` has a multiplication and an addition in one (IMAD), so that a remainder costs one more than its
quotient: by a constant an IMAD and two shifts (CCCL, ``cuda::fast_mod_div``), by anything else about twenty
(Nsight, "Achieved IOPs"). ``x86-64`` divides by a constant in three instructions; ``div`` takes as long as
about twelve additions and gives quotient and remainder.

>>> x = Term.symbol("x")
>>> half = Term("//", (x, Term.integer(28)))
>>> cost(Term("%", (x, Term.integer(28)))), cost(Term.sum(half, Term("%", (x, Term.integer(28)))))
(6, 7)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.term.term import Term

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["GFX9", "PRICES", "Prices", "Pricing", "cost"]


@dataclass(frozen=True)
class Prices:
    """Instructions per operation on one family of targets."""

    simple: int
    divide_by_constant: int
    remainder_by_constant: int
    divide: int
    remainder: int
    remainder_beside_quotient: int


GFX9 = Prices(
    simple=1,
    divide_by_constant=4,
    remainder_by_constant=6,
    divide=20,
    remainder=22,
    remainder_beside_quotient=2,
)
CUDA = Prices(
    simple=1,
    divide_by_constant=3,
    remainder_by_constant=4,
    divide=20,
    remainder=20,
    remainder_beside_quotient=1,
)
X86_64 = Prices(
    simple=1,
    divide_by_constant=3,
    remainder_by_constant=5,
    divide=12,
    remainder=12,
    remainder_beside_quotient=2,
)
OPERATIONS = Prices(1, 1, 1, 1, 1, 1)
PRICES = {
    "gfx9": GFX9,
    "gfx90a": GFX9,
    "gfx942": GFX9,
    "gfx950": GFX9,
    "cuda": CUDA,
    "x86-64": X86_64,
    "operations": OPERATIONS,
}


def cost(term: Term, uniform: Collection[str] = (), prices: Prices = GFX9) -> int:
    """The price of a program that computes the term; ``uniform`` names the parameters."""
    return Pricing(uniform, prices).total(term)


class Pricing:
    """Prices many terms over the same parameters; the terms priced are numbered as they are met."""

    def __init__(self, uniform: Collection[str], prices: Prices = GFX9) -> None:
        self.uniform = uniform
        self.prices = prices
        self.free: dict[Term, bool] = {}
        self._needed: dict[Term, frozenset[int]] = {}
        self._numbers: dict[Term, int] = {}
        self._alone: list[int] = []  # what a term costs besides its parts
        self._quotients: dict[int, Term] = {}  # of remainders that are cheaper beside them

    def total(self, term: Term) -> int:
        """The price of a program that computes the term. A sum is priced and forgotten: most are met once."""
        needed, price = self._needed.get(term), 0
        if needed is None and term.op == "+":
            needed = frozenset().union(*map(self._parts_needed, term.args))
            price = self._price_of_many(term) if needed else 0
        elif needed is None:
            needed = self._parts_needed(term)
        price += sum(map(self._alone.__getitem__, needed))
        for remainder in self._quotients.keys() & needed if self._quotients else ():
            if self._numbers.get(self._quotients[remainder]) in needed:
                price += self.prices.remainder_beside_quotient - self._alone[remainder]
        return price

    def is_free(self, term: Term) -> bool:
        """Whether the term is made of numbers and parameters alone."""
        op = term.op
        if op == "symbol":
            return term.args[0] in self.uniform
        if op in ("integer", "table"):
            return True
        found = self.free.get(term)
        if found is None:
            found = self.free[term] = all(map(self.is_free, term.args))
        return found

    def _parts_needed(self, term: Term) -> frozenset[int]:
        """The terms that a program computes for this one, itself among them, each once."""
        found = self._needed.get(term)
        if found is None:
            if self.is_free(term):
                found = frozenset()
            elif term.op == "*" and term.is_negated:
                found = self._parts_needed(term.sign_and_size[1])
            else:
                found = frozenset((self._number(term),)).union(*map(self._parts_needed, term.parts))
            self._needed[term] = found
        return found

    def _number(self, term: Term) -> int:
        """The number of a term that is computed, which is the place of its price."""
        number = self._numbers[term] = len(self._alone)
        self._alone.append(self._price(term, number))
        return number

    def _price(self, term: Term, number: int) -> int:
        prices = self.prices
        match term.op:
            case "symbol":
                return 0
            case "+" | "*":
                return self._price_of_many(term)
            case "//" | "exact" | "trunc_div":
                return self._price_of_division(term, prices.divide_by_constant, prices.divide)
            case "%" | "trunc_mod":
                if not self._is_shift(term.args[1]):
                    self._quotients[number] = Term("//" if term.op == "%" else "trunc_div", term.args)
                return self._price_of_division(term, prices.remainder_by_constant, prices.remainder)
            case _:
                return prices.simple

    def _price_of_division(self, term: Term, by_constant: int, by_anything: int) -> int:
        divisor = term.args[1]
        if self._is_shift(divisor):
            return self.prices.simple
        return by_constant if divisor.op == "integer" else by_anything

    def _price_of_many(self, term: Term) -> int:
        """Free operands of a sum or product are folded into one before the launch."""
        computed = [part for part in term.parts if not self.is_free(part)]
        folded = len(computed) < len(term.parts)
        negated = term.op == "+" and not folded and all(part.is_negated for part in computed)
        return (len(computed) + folded - 1 + negated) * self.prices.simple

    @staticmethod
    def _is_shift(divisor: Term) -> bool:
        number = divisor.as_integer
        return number is not None and number > 0 and number & (number - 1) == 0
