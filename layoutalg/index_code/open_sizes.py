"""Sizes and entries of tables without a largest value, in a language whose integers end.

Each is taken to be at most what ``int32_t`` holds, as CK's ``index_t`` is, or less where ``int64_t`` would
not hold the values then; texts say so and check it.

>>> domain = Domain.of({"i": "K"}, {"K": (1, None), "M": (1, 8)})
>>> open_sizes(domain), closed(domain, 31)
(('K',), Domain: 0 <= i < K; for all 1 <= K <= 2147483647, 1 <= M <= 8)
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer

from layoutalg.domain import Domain, Variable
from layoutalg.index.table import Table
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.row_major import tables_of, with_other_tables

__all__ = ["closed", "closed_formulas", "open_sizes", "open_tables"]


def open_sizes(domain: Domain) -> tuple[str, ...]:
    """The names of parameters that have no largest value."""
    return tuple(size.name for size in domain.parameters if size.upper is None)


def open_tables(formulas: Formulas) -> tuple[Table, ...]:
    """The tables of whose entries an end is not known, as the programs look them up."""
    programs = [formulas.offset, formulas.valid]
    programs += [] if formulas.advance is None else [formulas.advance.difference]
    found = tables_of(*programs)
    return tuple(table for table in found if table.lowest is None or table.highest is None)


def closed(domain: Domain, bits: int) -> Domain:
    """The domain with open ends of parameters at ``2**bits - 1``, or well beyond a large lower end."""
    return replace(domain, variables=tuple(_closed(variable, bits) for variable in domain.variables))


def closed_formulas(formulas: Formulas, bits: int) -> Formulas:
    """The formulas over closed domains, with closed ends of entries; ``tables`` say what is known of them."""
    ends = {table: table.within(1 - (1 << bits), (1 << bits) - 1) for table in open_tables(formulas)}

    def found(domain: Domain) -> Domain:
        return closed(domain.xreplace(ends) if ends else domain, bits)

    advance = formulas.advance
    if advance is not None:
        difference = with_other_tables(advance.difference, ends)
        advance = replace(advance, difference=difference, domain=found(advance.domain))
    return replace(
        formulas,
        domain=found(formulas.domain),
        offset=with_other_tables(formulas.offset, ends),
        valid=with_other_tables(formulas.valid, ends),
        advance=advance,
    )


def _closed(variable: Variable, bits: int) -> Variable:
    if not variable.is_parameter or variable.upper is not None:
        return variable
    least = 0 if variable.lower is None else int(variable.lower)
    return replace(variable, upper=Integer(max((1 << bits) - 1, 2 * least)) + 1)
