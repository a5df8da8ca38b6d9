"""Terms as C whose names have types of their own, and some of which stand in a struct.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"i": 70000, "j": 70000}, {"K": (1, 70000)})
>>> text = TypedText(domain, {"i": 32, "j": 32, "K": 32}, spelled={"K": "sizes->K"})
>>> text.text(parse_term("i*K + j"))
'(int64_t)i * sizes->K + j'
>>> text.as_wide_as(32, parse_term("i*K // 70000"))
'(int32_t)((int64_t)i * sizes->K / 70000)'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from layoutalg.index_code.c_text import UNARY, CText
from layoutalg.term import Piece, Term

if TYPE_CHECKING:
    from layoutalg.domain import Domain

__all__ = ["Call", "TableText", "TypedText"]


class Call(NamedTuple):
    """How to divide by a prepared divisor: the function, the divisor as its argument, the bits of both."""

    function: str
    divisor: str
    bits: int


class TableText(NamedTuple):
    """How a table is read: its parameter, the bits of an entry and of a position, what finds a run."""

    name: str
    bits: int
    position_bits: int
    run_of: str


class TypedText(CText):
    """Spells terms over one domain; ``bits`` of each name, ``values`` of names that are parts of terms.

    ``spelled`` are names that are written otherwise, ``calls`` names of prepared divisors, ``tables`` those
    that may be read, by name.
    """

    def __init__(
        self,
        domain: Domain,
        bits: Mapping[str, int],
        values: Mapping[str, Term] | None = None,
        multiply_high: str | None = None,
        *,
        spelled: Mapping[str, str] | None = None,
        calls: Mapping[str, Call] | None = None,
        tables: Mapping[str, TableText] | None = None,
    ) -> None:
        super().__init__(domain, values, multiply_high)
        self.bits_of_names = bits
        self.spelled = spelled or {}
        self.calls = calls or {}
        self.tables = tables or {}

    def piece(self, term: Term) -> Piece:
        """The C expression of a term; an entry is of the type that all entries have."""
        if term.op == "entry":
            return self._entry(term)
        return self._run_of(term) if term.op == "run_of" else super().piece(term)

    def _entry(self, term: Term) -> Piece:
        table = self.tables[term.args[0].args[0].name]
        return Piece(f"{table.name}[{self.text(term.args[1])}]", self.atom, table.bits)

    def _run_of(self, term: Term) -> Piece:
        table = self.tables[term.args[0].args[0].name]
        value = self.as_wide_as(table.bits, term.args[1])
        length = self.as_wide_as(table.position_bits, term.args[2])
        return Piece(f"{table.run_of}({table.name}, {length}, {value})", self.atom, table.position_bits)

    def name(self, name: str) -> Piece:
        """A name, of its own type."""
        return Piece(self.spelled.get(name, name), self.atom, self.bits_of_names[name])

    def as_wide_as(self, bits: int, term: Term) -> str:
        """A term in a type that is known to hold it, cut by a cast where it is computed in a wider one."""
        return self._as_wide_as(bits, self.piece(term)).text

    def _as_wide_as(self, bits: int, piece: Piece) -> Piece:
        if piece.bits <= bits:
            return piece
        return Piece(f"(int{bits}_t){self.within(piece, UNARY)}", UNARY, bits)

    def _as_product(self, term: Term) -> Piece | None:
        number, divisor = term.args
        call = self.calls.get(divisor.args[0]) if divisor.op == "symbol" else None
        if call is None:
            return super()._as_product(term)
        dividend = self._as_wide_as(call.bits, self.piece(number)).text
        return Piece(f"{call.function}({dividend}, {call.divisor})", self.atom, call.bits)
