"""An index formula as a function in C, HIP, Python or JSON.

>>> from layoutalg import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((256, 128), (136, 1)).unmerge(0, (4, 64))
>>> print(rows.index_function("rows").text("c"))
#include <stdbool.h>
#include <stdint.h>
<BLANKLINE>
// rows: 0 <= i0 < 4, 0 <= i1 < 64, 0 <= i2 < 128
// int32_t holds every value on the way: they lie between 0 and 34807.
static inline int32_t rows_offset(int32_t i0, int32_t i1, int32_t i2)
{
    return 8704 * i0 + 136 * i1 + i2;
}
<BLANKLINE>
static inline bool rows_valid(int32_t i0, int32_t i1, int32_t i2)
{
    (void)i0; (void)i1; (void)i2;
    return true;
}
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.index_code.c_language import HIP, C
from layoutalg.index_code.c_source import c_source
from layoutalg.index_code.constant_tables import without_constant_tables
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.guards import behind, offset_program, valid_program
from layoutalg.index_code.header_guard import guard_of
from layoutalg.index_code.json_text import json_text
from layoutalg.index_code.python_source import python_source
from layoutalg.index_code.row_major import in_a_row, tables_of
from layoutalg.index_code.step import advance
from layoutalg.term import Term
from layoutalg.term.as_terms import TRUE
from layoutalg.term.rounding import as_choices

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.claim import IndexMap
    from layoutalg.domain import Domain

__all__ = ["WRITERS", "IndexFunction"]

WRITERS: dict[str, Callable[[Formulas], str]] = {
    "c": c_source,
    "hip": lambda formulas: c_source(formulas, HIP),
    "python": python_source,
    "json": json_text,
}
HEADERS = {"c": C, "hip": HIP}


@dataclass(frozen=True)
class IndexFunction:
    """The offset of an index and whether it is valid, as programs over one domain.

    ``step`` adds a third program: how far the offset moves when the index moves by the step, for
    every index that stays inside. Tables known at run time are parameters of every function; an offset that
    looks one up beyond its ends where the index is not valid is 0 there, and reads nothing.
    """

    formulas: Formulas

    @classmethod
    def of_expression(
        cls,
        expression: Expr | Term | str,
        domain: Domain,
        name: str = "index",
        *,
        valid: Term = TRUE,
        step: Mapping[str, int] | None = None,
    ) -> IndexFunction:
        """The function of an index expression that is valid everywhere, or where ``valid`` holds."""
        return cls._of_defined(offset_program(expression, valid, domain), valid, domain, name, step)

    @classmethod
    def of_map(
        cls, index_map: IndexMap, name: str = "index", *, step: Mapping[str, int] | None = None
    ) -> IndexFunction:
        """The function of a map with one output, valid where the map's conditions hold."""
        (offset,), domain = index_map.outputs, index_map.domain
        valid = valid_program(index_map.when, domain)
        return cls.of_expression(offset, domain, name, valid=valid, step=step)

    @classmethod
    def of_programs(
        cls, offset: Term, valid: Term, domain: Domain, name: str, *, step: Mapping[str, int] | None = None
    ) -> IndexFunction:
        """The function of programs that are as short as they get."""
        return cls._of_defined(behind(valid, offset, domain), valid, domain, name, step)

    @classmethod
    def _of_defined(
        cls, offset: Term, valid: Term, domain: Domain, name: str, step: Mapping[str, int] | None
    ) -> IndexFunction:
        """The function of an offset that is defined at every index."""
        _require_names(name, *domain.names)
        offset, valid = (without_constant_tables(as_choices(program)) for program in (offset, valid))
        moved = None if step is None else advance(offset, domain, step)
        difference = () if moved is None else (moved.difference,)
        tables = tables_of(offset, valid, *difference)
        offset, valid, *difference_in_a_row = map(in_a_row, (offset, valid, *difference))
        if moved is not None:
            moved = replace(moved, difference=difference_in_a_row[0])
        return cls(Formulas(name, domain, offset, valid, moved, tables))

    @property
    def guard(self) -> str:
        """The include guard of a header file that is named as the functions are."""
        return guard_of(self.formulas.name)

    def text(self, to: str, *, guard: str | None = None) -> str:
        """The source text in one of :data:`WRITERS`; with ``guard``, a header file of C or HIP.

        >>> from layoutalg.domain import Domain
        >>> made = IndexFunction.of_expression("x", Domain.of({"x": 8}), "rows")
        >>> made.text("hip", guard="ROWS_H").splitlines()[:4]
        ['#ifndef ROWS_H', '#define ROWS_H', '', '#include <hip/hip_runtime.h>']
        """
        if not isinstance(to, str) or to not in WRITERS:
            msg = f"to: wanted one of {', '.join(WRITERS)}, got {to!r}"
            raise LayoutError(msg)
        if guard is None:
            return WRITERS[to](self.formulas)
        if to not in HEADERS:
            msg = f"guard: wanted a header of {' or '.join(HEADERS)}, got one of {to}"
            raise LayoutError(msg)
        return c_source(self.formulas, HEADERS[to], guard)


def _require_names(*names: str) -> None:
    for name in names:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            msg = f"{name!r} is no name in C: wanted letters, digits and _"
            raise LayoutError(msg, hint="rename it before asking for code")
