"""What a function of an index computes: the programs, their inputs, and where they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass

from layoutalg.domain import Domain
from layoutalg.index.table import Table
from layoutalg.index_code.field_names import free_name
from layoutalg.term import Term

__all__ = ["Advance", "Formulas"]


@dataclass(frozen=True)
class Advance:
    """``offset(index + step) - offset(index)`` as a program, for indices that stay inside ``domain``."""

    step: tuple[tuple[str, int], ...]
    difference: Term
    domain: Domain


@dataclass(frozen=True)
class Formulas:
    """The programs of one function; inputs are the axes of the domain, then its parameters.

    ``tables``: those known at run time that the programs look up, whose entries are given all in a row.
    """

    name: str
    domain: Domain
    offset: Term
    valid: Term
    advance: Advance | None = None
    tables: tuple[Table, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in (*self.domain.axes, *self.domain.parameters))

    @property
    def table_names(self) -> dict[str, str]:
        """The parameter of each table: ``rows_before`` for the sums before the counts ``rows``."""
        found: dict[str, str] = {}
        for table in self.tables:
            wanted = re.sub(r"\W", "_", table.name)
            found[table.name] = free_name(wanted, (*self.inputs, *found.values()))
        return found
