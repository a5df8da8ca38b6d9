"""Terms as C. The only place that knows how C divides, and in which type it computes.

C's ``/`` and ``%`` round toward zero; ours round down. They agree where the number is not negative, and
a term for which that is not shown is refused; ``trunc_div`` and ``trunc_mod`` are what C means. An operation
whose result C's own type for it does not hold is computed in a wider one:

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> CText(Domain.of({"tid": 256})).text(parse_term("tid // 64 * 512 + (tid % 64 ^ 3)"))
'512 * (tid / 64) + (tid % 64 ^ 3)'
>>> CText(Domain.of({"k": 40}), bits=64).text(parse_term("1 << k"))
'(int64_t)1 << k'
>>> CText(Domain.of({"x": (-64, 64)})).text(parse_term("x / 8 * 8 + x % 8", syntax="c"))
'8 * (x / 8) + x % 8'
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from layoutalg.errors import MissingFactError
from layoutalg.index_code.emitted_names import C_FAMILY
from layoutalg.index_code.lazily import is_guard
from layoutalg.index_code.reciprocal import Reciprocal, ShortReciprocal
from layoutalg.index_code.width import Widths, bits_of
from layoutalg.term import CONDITIONS, Piece, Printer, Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.domain import Domain

__all__ = ["CText", "c_expression"]

# How strongly C's operators bind; what binds less than a sum stands in parentheses inside anything else.
_LEVELS = (
    *("or", "and", "|", "^", "&", "== !=", "< <=", "<< >>", "+"),
    "* // exact % trunc_div trunc_mod",
    "not",
)
_SPELLED = {"//": "/", "exact": "/", "trunc_div": "/", "trunc_mod": "%", "and": "&&", "or": "||"}
OPERATORS = {
    op: (level, f" {_SPELLED.get(op, op)} ")
    for level, ops in enumerate(_LEVELS, start=1)
    for op in ops.split()
}
SELECT, SUM, UNARY = 0, OPERATORS["+"][0], OPERATORS["not"][0]
BITWISE = {"^", "&", "|", "<<", ">>"}


def bits_of_literal(number: int) -> int:
    """The width of the first of C's types that has a literal; its minus is an operation on it.

    >>> bits_of_literal(2**31 - 1), bits_of_literal(-(2**31))
    (32, 64)
    """
    return 32 if abs(number) < 1 << 31 else 64


class CText(Printer):
    """Spells terms over one domain.

    ``values`` are named parts that terms may use. With ``multiply_high``, the name of a function that
    gives the upper word of a product, divisions by constants become products where that is exact; with
    ``has_short_products``, where a product of one word is, and those by powers of two become shifts.
    ``bits`` is the width of every name's type, ``wide`` what a type of 64 bits is called. Where nothing
    bounds a value, names of 32 bits are taken to be enough.

    C gives an operation the type of its operands, whatever becomes of the result: ``1 << k`` and
    ``2000000000 + 2000000000`` are of type ``int``, also where they are returned as ``int64_t``. A piece that
    must be wider says so by a cast of its own. ``bits`` of a piece: 32 for ``int``, 64 for what is wider.
    """

    def __init__(
        self,
        domain: Domain,
        values: Mapping[str, Term] | None = None,
        multiply_high: str | None = None,
        *,
        bits: int = 32,
        wide: str = "int64_t",
        has_short_products: bool = False,
    ) -> None:
        super().__init__(OPERATORS, loose=SUM)
        self.widths = Widths(domain, values or {})
        self.multiply_high = multiply_high
        self.bits = bits
        self.wide = wide
        self.has_short_products = has_short_products

    def text(self, term: Term) -> str:
        """The C expression of a term."""
        return self.piece(term).text

    def piece(self, term: Term) -> Piece:
        """The C expression of a term, in a type that holds it."""
        match term.op:
            case "integer":
                return self._literal(term.args[0])
            case "symbol":
                C_FAMILY.require((term.args[0],))
                return self.name(term.args[0])
            case "*" if term.sign_and_size[0] < 0:
                return self.sum(Term("+", (term,)))
            case "min" | "max":
                return self._select(self._smaller(term))
            case "select":
                return self._select(term)
            case "not":
                return Piece(f"!{self.within(self.piece(term.args[0]), UNARY)}", UNARY, 32)
            case "//" | "exact" | "%":
                return self._division(term)
            case _:
                return super().piece(term)

    def operands(self, term: Term) -> list[Piece]:
        """What a condition guards is spelled for where that holds."""
        if not is_guard(term):
            return super().operands(term)
        found = []
        with ExitStack() as known:
            for part in term.args:
                found.append(self.piece(part))
                known.enter_context(self.widths.where(part))
        return found

    def name(self, name: str) -> Piece:
        """A name, of the type that all names have."""
        return Piece(name, self.atom, self.bits)

    def _select(self, term: Term) -> Piece:
        condition = self.piece(term.args[0])
        with self.widths.where(term.args[0]):
            first = self.piece(term.args[1])
        with self.widths.where(term.args[0], holds=False):
            second = self.piece(term.args[2])
        text = " : ".join(self.within(branch, 1) for branch in (first, second))
        return Piece(f"{self.within(condition, 1)} ? {text}", SELECT, max(first.bits, second.bits))

    def joined(self, left: Piece, right: Piece, term: Term, count: int, sign: str | None = None) -> Piece:
        """The first operands of a term, computed in a type that holds what they make."""
        bits = 32
        if term.op not in CONDITIONS:
            others_bits = 32 if term.op in ("<<", ">>") else right.bits  # a shift is of its left side's type
            if self._needs_more(Term(term.op, term.args[:count]), max(left.bits, others_bits)):
                left = self._widened(left)
            bits = max(left.bits, others_bits)
        if term.op in BITWISE:
            left, right = self._clear(left), self._clear(right)
        elif term.op in ("and", "or") and left.level == self.operators[term.op][0]:
            left = left._replace(level=self.atom)  # one chain
        return super().joined(left, right, term, count, sign)._replace(bits=bits)

    def _clear(self, piece: Piece) -> Piece:
        """A sum in parentheses, which C does not need where bits are meant, but readers do."""
        return piece._replace(text=f"({piece.text})", level=self.atom) if piece.level == SUM else piece

    def negative(self, negated: Piece, piece: Piece, term: Term) -> Piece:
        """A minus is computed in the type of what it negates."""
        if not self._needs_more(term.args[0], piece.bits):
            return negated._replace(bits=piece.bits)
        return Piece(f"-{self.within(self._widened(piece), SUM + 1)}", SUM, 64)

    def _widened(self, piece: Piece) -> Piece:
        """The same value in 64 bits."""
        return piece if piece.bits == 64 else Piece(f"({self.wide}){self.within(piece, UNARY)}", UNARY, 64)

    def _needs_more(self, term: Term, bits: int) -> bool:
        """Whether C, by its operands, computes a term in 32 bits that do not hold it."""
        shift = self.widths.shift(term)
        if bits == 64 or term.op not in ("+", "*", "<<", ">>"):
            return False
        needed = bits_of(self.widths.range(term), shift)
        return needed > 32 if needed is not None else self.bits == 64

    def _literal(self, number: int) -> Piece:
        if number == -(1 << 63):  # its size is no number of C's
            return Piece(f"{number + 1} - 1", SELECT, 64)
        return Piece(str(number), SELECT if number < 0 else self.atom, bits_of_literal(number))

    @staticmethod
    def _smaller(term: Term) -> Term:
        first, second = term.args
        order = (first, second) if term.op == "min" else (second, first)
        return Term("select", (Term("<", order), first, second))

    def _as_product(self, term: Term) -> Piece | None:
        """``n / 28`` by one multiplication, where the range of n makes it exact."""
        number, divisor = term.args
        fixed, largest = divisor.as_integer, self.widths.range(number)[1]
        if fixed is None or fixed & (fixed - 1) == 0:
            return None
        if self.has_short_products and isinstance(largest, int):
            return self._as_short_product(term, ShortReciprocal.of(fixed, largest))
        if self.multiply_high is None:
            return None
        reciprocal = Reciprocal.of(fixed, largest) if isinstance(largest, int) else None
        if reciprocal is None or (term.op == "%" and number.parts):
            return None
        text, _, bits = self.piece(number)
        if bits != 32:
            return None
        shift = f" >> {reciprocal.shift}" if reciprocal.shift else ""
        product = f"{self.multiply_high}({text}, {reciprocal.multiplier}u)"
        quotient = f"(int32_t)({product}{shift})" if shift else f"(int32_t){product}"
        if term.op == "%":
            return Piece(f"{text} - {fixed} * {quotient}", SUM, 32)
        return Piece(quotient, UNARY, 32)

    def _as_short_product(self, term: Term, reciprocal: ShortReciprocal | None) -> Piece | None:
        """``n / 28`` by a product of one word, and a shift."""
        number, _ = term.args
        if reciprocal is None:
            return None
        if term.op == "%":
            quotient = Term("//", term.args)
            return self.piece(Term.sum(number, Term.product(Term.integer(-reciprocal.divisor), quotient)))
        product = self.within(self.piece(number), OPERATORS["*"][0])
        return Piece(f"({product} * {reciprocal.multiplier} >> {reciprocal.shift})", self.atom, 32)

    def _division(self, term: Term) -> Piece:
        """A quotient or remainder; of what may be negative by a shift or a mask, which round down.

        Where the divisor is no power of two, so many of it are added before and taken away afterwards.
        """
        number, divisor = term.args
        (low, _), fixed = self.widths.range(number), divisor.as_integer
        is_shift = self.has_short_products and fixed is not None and fixed & (fixed - 1) == 0
        if low >= 0 and not is_shift:
            return self._as_product(term) or self.operation(term)
        if fixed is None or fixed <= 0 or not isinstance(low, int):
            msg = f"cannot spell {term} in C: {number} may be as low as {low}"
            raise MissingFactError(msg, hint="C division rounds toward zero, ours down")
        if fixed & (fixed - 1):
            added = -(low // fixed)
            moved = Term(term.op, (Term.sum(number, Term.integer(added * fixed)), divisor))
            return self.piece(moved if term.op == "%" else Term.sum(moved, Term.integer(-added)))
        op, right = ("&", fixed - 1) if term.op == "%" else (">>", fixed.bit_length() - 1)
        left, literal = self._clear(self.piece(number)), self._literal(right)
        return super().joined(left, literal, Term(op, ()), 2)._replace(bits=max(left.bits, literal.bits))


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
