"""Terms as C. The only place that knows how C divides, and in which type it computes.

C's ``/`` and ``%`` round toward zero; ours round down. They agree where the number is not negative,
and a term for which that is not shown is refused rather than spelled. An operation whose result C's own
type for it does not hold is computed in a wider one:

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> CText(Domain.of({"tid": 256})).text(parse_term("tid // 64 * 512 + (tid % 64 ^ 3)"))
'512 * (tid / 64) + (tid % 64 ^ 3)'
>>> CText(Domain.of({"k": 40}), bits=64).text(parse_term("1 << k"))
'(int64_t)1 << k'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from layoutalg.errors import MissingFactError
from layoutalg.index_code.emitted_names import C_FAMILY
from layoutalg.index_code.reciprocal import Reciprocal
from layoutalg.index_code.width import Widths, bits_of
from layoutalg.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.domain import Domain

__all__ = ["CText", "c_expression"]

# how strongly C's operators bind; a weaker operand is put in parentheses
LEVEL = {"select": 0, "or": 1, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7}
LEVEL |= {"<<": 8, ">>": 8, "+": 9, "*": 10, "//": 10, "exact": 10, "%": 10, "not": 11}
UNARY, ATOM = 11, 12
SPELLING = {"//": "/", "exact": "/", "and": "&&", "or": "||"}
CONDITIONS = {"<", "<=", "==", "!=", "and", "or"}  # of type int


class Piece(NamedTuple):
    """A piece of C text, how strongly it binds, and its ``bits``: 32 for C's ``int``, 64 for what is wider.

    C gives an operation the type of its operands, whatever becomes of the result: ``1 << k`` and
    ``2000000000 + 2000000000`` are of type ``int``, also where they are returned as ``int64_t``. A piece that
    must be wider says so by a cast of its own.

    >>> one, count = Piece("1", ATOM, 32), Piece("k", ATOM, 64)
    >>> one.widened("int64_t").joined(" << ", count, 8, bits=64).text
    '(int64_t)1 << k'
    """

    text: str
    level: int
    bits: int

    def within(self, level: int) -> str:
        """The text as an operand of something that binds as strongly as ``level``; 0 stands alone."""
        is_weak = self.level < level or (level and self.level < LEVEL["+"])
        return f"({self.text})" if is_weak else self.text

    def widened(self, wide: str) -> Piece:
        """The same value in 64 bits."""
        return self if self.bits == 64 else Piece(f"({wide}){self.within(UNARY)}", UNARY, 64)

    def joined(self, sign: str, other: Piece, level: int, *, bits: int) -> Piece:
        """An operation that groups to the left."""
        return Piece(f"{self.within(level)}{sign}{other.within(level + 1)}", level, bits)


def bits_of_literal(number: int) -> int:
    """The width of the first of C's types that has a literal; its minus is an operation on it.

    >>> bits_of_literal(2**31 - 1), bits_of_literal(-(2**31))
    (32, 64)
    """
    return 32 if abs(number) < 1 << 31 else 64


class CText:
    """Spells terms over one domain.

    ``values`` are named parts that terms may use. With ``multiply_high``, the name of a function that
    gives the upper word of a product, divisions by constants become products where that is exact.
    ``bits`` is the width of every name's type, ``wide`` what a type of 64 bits is called. Where nothing
    bounds a value, names of 32 bits are taken to be enough.
    """

    def __init__(
        self,
        domain: Domain,
        values: Mapping[str, Term] | None = None,
        multiply_high: str | None = None,
        *,
        bits: int = 32,
        wide: str = "int64_t",
    ) -> None:
        self.widths = Widths(domain, values or {})
        self.multiply_high = multiply_high
        self.bits = bits
        self.wide = wide

    def text(self, term: Term) -> str:
        """The C expression of a term."""
        return self._piece(term).text

    def _piece(self, term: Term) -> Piece:
        if term.op == "integer":
            return _literal(term.args[0])
        if term.op == "symbol":
            C_FAMILY.require((term.args[0],))
            return Piece(term.args[0], ATOM, self.bits)
        if term.op in ("min", "max"):
            return self._select(self._smaller(term))
        if term.op == "select":
            return self._select(term)
        if term.op == "+":
            return self._sum(term)
        if term.op == "not":
            return Piece(f"!{self._piece(term.args[0]).within(UNARY)}", UNARY, 32)
        if term.op in ("//", "exact", "%"):
            self._require_nonnegative(term)
            return self._as_product(term) or self._operation(term)
        return self._operation(term)

    def _select(self, term: Term) -> Piece:
        condition = self._piece(term.args[0])
        with self.widths.where(term.args[0]):
            first = self._piece(term.args[1])
        with self.widths.where(term.args[0], holds=False):
            second = self._piece(term.args[2])
        text = " : ".join(branch.within(1) for branch in (first, second))
        return Piece(f"{condition.within(1)} ? {text}", LEVEL["select"], max(first.bits, second.bits))

    def _operation(self, term: Term) -> Piece:
        """An operator between operands, the first ones first."""
        sign, level = f" {SPELLING.get(term.op, term.op)} ", LEVEL[term.op]
        result, *others = map(self._piece, term.args)
        for count, other in enumerate(others, start=2):
            if term.op in CONDITIONS:
                result = result.joined(sign, other, level, bits=32)
                continue
            others_bits = 32 if term.op in ("<<", ">>") else other.bits  # a shift is of its left side's type
            if self._needs_more(Term(term.op, term.args[:count]), max(result.bits, others_bits)):
                result = result.widened(self.wide)
            result = result.joined(sign, other, level, bits=max(result.bits, others_bits))
        return result

    def _sum(self, term: Term) -> Piece:
        level = LEVEL["+"]
        sign, size = term.args[0].sign_and_size
        result = self._piece(size)
        if sign < 0:
            if self._needs_more(term.args[0], result.bits):
                result = result.widened(self.wide)
            is_tight = size.op in ("//", "%")  # or the minus would be that of the number alone
            result = Piece(f"-{result.within(level + 1 + is_tight)}", level, result.bits)
        for count, part in enumerate(term.args[1:], start=2):
            sign, size = part.sign_and_size
            other = self._piece(size)
            if self._needs_more(Term("+", term.args[:count]), max(result.bits, other.bits)):
                result = result.widened(self.wide)
            bits = max(result.bits, other.bits)
            result = result.joined(" - " if sign < 0 else " + ", other, level, bits=bits)
        return result

    def _needs_more(self, term: Term, bits: int) -> bool:
        """Whether C, by its operands, computes a term in 32 bits that do not hold it."""
        shift = self.widths.shift(term)
        if bits == 64 or term.op not in ("+", "*", "<<", ">>"):
            return False
        needed = bits_of(self.widths.range(term), shift)
        return needed > 32 if needed is not None else self.bits == 64

    @staticmethod
    def _smaller(term: Term) -> Term:
        first, second = term.args
        order = (first, second) if term.op == "min" else (second, first)
        return Term("select", (Term("<", order), first, second))

    def _as_product(self, term: Term) -> Piece | None:
        """``n / 28`` by one multiplication, where the range of n makes it exact."""
        number, divisor = term.args
        fixed, largest = divisor.as_integer, self.widths.range(number)[1]
        if self.multiply_high is None or fixed is None or fixed & (fixed - 1) == 0:
            return None
        reciprocal = Reciprocal.of(fixed, largest) if isinstance(largest, int) else None
        if reciprocal is None or (term.op == "%" and number.parts):
            return None
        shift = f" >> {reciprocal.shift}" if reciprocal.shift else ""
        text = self.text(number)
        quotient = f"(int32_t)({self.multiply_high}({text}, {reciprocal.multiplier}u){shift})"
        if term.op == "%":
            return Piece(f"{text} - {fixed} * {quotient}", LEVEL["select"], 32)
        return Piece(quotient, UNARY, 32)

    def _require_nonnegative(self, term: Term) -> None:
        low, _ = self.widths.range(term.args[0])
        if low < 0:
            msg = f"cannot spell {term} in C: {term.args[0]} may be as low as {low}"
            raise MissingFactError(msg, hint="C division rounds toward zero, ours down")


def c_expression(term: Term, domain: Domain) -> str:
    """A term by itself, for names of the narrowest type that holds every value, or of 64 bits.

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.term.parse import parse_term
    >>> c_expression(parse_term("(1 << k) - 1"), Domain.of({"k": 40}))
    '((int64_t)1 << k) - 1'
    """
    try:
        bits = Widths(domain).of([term, *map(Term.symbol, domain.names)]).bits
    except MissingFactError:  # nothing bounds a value: as wide as there is
        bits = 64
    return CText(domain, bits=bits).text(term)


def _literal(number: int) -> Piece:
    if number == -(1 << 63):  # its size is no number of C's
        return Piece(f"{number + 1} - 1", LEVEL["select"], 64)
    return Piece(str(number), LEVEL["select"] if number < 0 else ATOM, bits_of_literal(number))
