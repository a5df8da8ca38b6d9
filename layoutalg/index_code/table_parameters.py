"""Tables as parameters of functions in C: their names, and how wide their entries are.

Entries are of the type that holds all that may be in the table. Where nothing is said of an end, they are of
the type that holds all that is computed.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term import Term
>>> domain, zero = Domain.of({"i": 8}), Term.integer(0)
>>> page, far = Table.of("page", (8,), -1, 99), Table.of("far", (8,), 0, 2**40)
>>> formulas = Formulas("rows", domain, zero, zero, tables=(far, page))
>>> for table in table_parameters(formulas, bits=32).values():
...     print(table.name, table.bits, table.position_bits)
far 64 32
page 32 32
"""

from __future__ import annotations

from layoutalg.index.table import Table
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.typed_text import TableText
from layoutalg.index_code.width import WIDTHS, Widths, bits_of
from layoutalg.rules.interval import Interval
from layoutalg.term.as_terms import to_term

__all__ = ["run_of_name", "table_parameters"]


def table_parameters(formulas: Formulas, bits: int) -> dict[str, TableText]:
    """How each table is read where its entries' ends are known; ``bits`` are those of what is computed."""
    widths, found = Widths(formulas.domain), {}
    for table in formulas.tables:
        entry_bits = _bits(table, widths) or bits
        position = bits_of(widths.range(to_term(table.lengths[0]))) if len(table.lengths) == 1 else 64
        position_bits = min(position or WIDTHS[-1], WIDTHS[-1])
        run_of = run_of_name(formulas.name, entry_bits, position_bits)
        found[table.name] = TableText(formulas.table_names[table.name], entry_bits, position_bits, run_of)
    return found


def run_of_name(name: str, bits: int, position_bits: int) -> str:
    """The function that finds a run in a table with such entries and so many of them."""
    return f"{name}_run_of" if bits == position_bits == 32 else f"{name}_run_of_{bits}_{position_bits}"


def _bits(table: Table, widths: Widths) -> int | None:
    """The bits of what may be in a table; None where nothing is said of an end."""
    if table.lowest is None or table.highest is None:
        return None
    lowest, highest = (widths.range(to_term(end)) for end in (table.lowest, table.highest))
    found = bits_of(Interval(lowest.low, highest.high))
    return None if found is None else min(found, WIDTHS[-1])
