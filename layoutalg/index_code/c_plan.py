"""What a C text computes: formulas with their sizes prepared, and the width of every name.

>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"i": "K", "j": 70000}, {"K": (1, None)})
>>> plan = planned(Formulas("rows", domain, parse_term("j*K + i"), parse_term("i < 5")))
>>> plan.bits, plan.open_sizes, plan.width.largest == 70000 * (2**31 - 1) - 1
({'i': 32, 'j': 32, 'K': 32}, ('K',), True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from layoutalg.domain import Domain
from layoutalg.errors import MissingFactError
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.hoisting import Hoisted, hoisted
from layoutalg.index_code.open_sizes import closed_formulas, open_sizes, open_tables
from layoutalg.index_code.size_facts import size_facts
from layoutalg.index_code.table_parameters import table_parameters
from layoutalg.index_code.typed_text import TableText
from layoutalg.index_code.width import Width, Widths, bits_of
from layoutalg.term import Term

__all__ = ["CPlan", "planned"]

# Bits that sizes and entries without a largest value may have: the most that int64_t allows.
OPEN = range(31, 7, -1)


@dataclass(frozen=True)
class CPlan:
    """Formulas whose domain has no open size, the range of all they compute, and what was open."""

    given: Formulas
    found: Hoisted
    width: Width
    open_sizes: tuple[str, ...]
    open_tables: tuple[str, ...] = ()

    @property
    def formulas(self) -> Formulas:
        return self.found.formulas

    @property
    def name(self) -> str:
        return self.found.formulas.name

    @property
    def is_wide_by_open_sizes(self) -> bool:
        """Whether all would fit in ``int32_t`` if open sizes were small."""
        if not self.open_sizes or self.width.bits == 32:
            return False
        return _width(hoisted(closed_formulas(self.given, min(OPEN)))).bits == 32

    @property
    def names(self) -> tuple[str, ...]:
        """Axes, sizes, fields and divisors."""
        return tuple(dict.fromkeys((*self.formulas.inputs, *self.found.members)))

    @cached_property
    def tables(self) -> dict[str, TableText]:
        """How each table is read, by its own name."""
        return table_parameters(self.formulas, self.width.bits)

    @property
    def table_names(self) -> tuple[str, ...]:
        """The parameters for tables."""
        return tuple(table.name for table in self.tables.values())

    @cached_property
    def bits(self) -> dict[str, int]:
        """The width of every axis, size, field and divisor."""
        widths = Widths(self.formulas.domain, self.found.values)
        return {name: bits_of(widths.range(Term.symbol(name))) or 64 for name in self.names}


def planned(formulas: Formulas) -> CPlan:
    """The plan; refused where ``int64_t`` does not hold a value on the way."""
    are_open = open_sizes(formulas.domain)
    open_ones = tuple(table.name for table in open_tables(formulas))
    first: MissingFactError | None = None
    for bits in OPEN if are_open or open_ones else OPEN[:1]:
        try:
            found = hoisted(closed_formulas(formulas, bits))
            _require_checks(found)
            return CPlan(formulas, found, _width(found), are_open, open_ones)
        except MissingFactError as error:
            first = first or error
    assert first is not None
    raise first


def _require_checks(found: Hoisted) -> None:
    """Facts of sizes must be computable before they are known to hold, from the ranges of sizes alone."""
    if found.has_sizes:
        domain = found.formulas.domain
        Widths(Domain(domain.parameters)).of(size_facts(domain))


def _width(found: Hoisted) -> Width:
    formulas, values = found.formulas, found.values
    symbols = map(Term.symbol, (*formulas.inputs, *values))
    width = Widths(formulas.domain, values).of([formulas.offset, formulas.valid, *symbols, *values.values()])
    if formulas.advance is None:
        return width
    return width.joined(Widths(formulas.advance.domain, values).of([formulas.advance.difference]))
