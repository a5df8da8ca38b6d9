"""Terms as C. The only place that knows how C divides.

C's ``/`` and ``%`` round toward zero; ours round down. They agree where the number is not negative,
and a term for which that is not shown is refused rather than spelled.

>>> from layoutalg.domain import Domain
>>> from layoutalg.parse import parse_term
>>> CText(Domain.of({"tid": 256})).text(parse_term("tid // 64 * 512 + (tid % 64 ^ 3)"))
'512 * (tid / 64) + (tid % 64 ^ 3)'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import MissingFactError
from layoutalg.index_code.reciprocal import Reciprocal
from layoutalg.index_code.width import Widths
from layoutalg.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.domain import Domain

__all__ = ["CText"]

# how strongly C's operators bind; a weaker operand is put in parentheses
_LEVEL = {"select": 0, "or": 1, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7}
_LEVEL |= {"<<": 8, ">>": 8, "+": 9, "*": 10, "//": 10, "exact": 10, "%": 10, "not": 11}
_SPELLING = {"//": "/", "exact": "/", "and": "&&", "or": "||"}


class CText:
    """Spells terms over one domain.

    ``values`` are named parts that terms may use. With ``multiply_high``, the name of a function that
    gives the upper word of a product, divisions by constants become products where that is exact.
    """

    def __init__(
        self, domain: Domain, values: Mapping[str, Term] | None = None, multiply_high: str | None = None
    ) -> None:
        self.widths = Widths(domain, values or {})
        self.multiply_high = multiply_high

    def text(self, term: Term) -> str:
        """The C expression of a term."""
        return self._spell(term, 0)

    def _spell(self, term: Term, level: int) -> str:
        if term.op == "integer":
            return f"({term.args[0]})" if term.args[0] < 0 and level else str(term.args[0])
        if term.op == "symbol":
            return str(term.args[0])
        if term.op in ("min", "max"):
            return self._spell(self._smaller(term), level)
        if term.op in ("//", "exact", "%"):
            self._require_nonnegative(term)
            product = self._as_product(term)
            if product is not None:
                return f"({product})" if level and term.op == "%" else product
        mine = _LEVEL[term.op]
        if term.op == "select":
            condition = self._spell(term.args[0], mine + 1)
            with self.widths.where(term.args[0]):
                first = self._spell(term.args[1], mine + 1)
            with self.widths.where(term.args[0], holds=False):
                second = self._spell(term.args[2], mine + 1)
            text = f"{condition} ? {first} : {second}"
        elif term.op == "+":
            text = self._sum(term)
        elif term.op == "not":
            text = f"!{self._spell(term.args[0], mine)}"
        else:
            sign = f" {_SPELLING.get(term.op, term.op)} "
            text = sign.join(self._spell(part, mine + (i > 0)) for i, part in enumerate(term.args))
        return f"({text})" if mine < level or (level and mine < _LEVEL["+"]) else text

    def _sum(self, term: Term) -> str:
        text = ""
        for part in term.args:
            sign, size = part.sign_and_size
            if text:
                text += " - " if sign < 0 else " + "
            elif sign < 0:
                text += "-"
            tight = text in ("", "-") and sign < 0 and size.op in ("//", "%")
            text += self._spell(size, _LEVEL["*"] + 1 if tight else _LEVEL["+"] + 1)
        return text

    @staticmethod
    def _smaller(term: Term) -> Term:
        first, second = term.args
        order = (first, second) if term.op == "min" else (second, first)
        return Term("select", (Term("<", order), first, second))

    def _as_product(self, term: Term) -> str | None:
        """``n / 28`` by one multiplication, where the range of n makes it exact."""
        number, divisor = term.args
        fixed, largest = divisor.as_integer, self.widths.range(number)[1]
        if self.multiply_high is None or fixed is None or fixed & (fixed - 1) == 0:
            return None
        reciprocal = Reciprocal.of(fixed, largest) if isinstance(largest, int) else None
        if reciprocal is None or (term.op == "%" and number.parts):
            return None
        shift = f" >> {reciprocal.shift}" if reciprocal.shift else ""
        text = self._spell(number, 0)
        quotient = f"(int32_t)({self.multiply_high}({text}, {reciprocal.multiplier}u){shift})"
        return f"{text} - {fixed} * {quotient}" if term.op == "%" else quotient

    def _require_nonnegative(self, term: Term) -> None:
        low, _ = self.widths.range(term.args[0])
        if low < 0:
            msg = f"cannot spell {term} in C: {term.args[0]} may be as low as {low}"
            raise MissingFactError(msg, hint="C division rounds toward zero, ours down")
