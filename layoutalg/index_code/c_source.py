"""Index functions in C or HIP: sizes prepared once, parts named, integers as wide as shown to be needed."""

from __future__ import annotations

from collections.abc import Iterator

from layoutalg.index.table import Table
from layoutalg.index_code.c_divisors import (
    MULTIPLY_HIGH,
    divide_name,
    divisor_name,
    divisor_text,
    make_divisor_name,
)
from layoutalg.index_code.c_function import function_text
from layoutalg.index_code.c_language import C, CLanguage
from layoutalg.index_code.c_plan import CPlan, planned
from layoutalg.index_code.c_run_of import searches
from layoutalg.index_code.c_sizes import sizes_text
from layoutalg.index_code.emitted_names import C_FAMILY
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.header_guard import guarded
from layoutalg.index_code.line_breaks import comment
from layoutalg.index_code.row_major import tables_of
from layoutalg.index_code.table_parameters import run_of_name
from layoutalg.term import Term

__all__ = ["c_source"]


def c_source(formulas: Formulas, language: CLanguage = C, guard: str | None = None) -> str:
    """Functions ``NAME_offset``, ``NAME_valid`` and, with a step, ``NAME_advance``.

    Where they depend on sizes: ``NAME_sizes`` that they take, ``NAME_make_sizes`` and ``NAME_sizes_hold``.
    Where they look tables up: a parameter for each after the sizes, its entries in a row.
    With ``guard`` the text is a header file.
    """
    own = _own_names(formulas.name)
    C_FAMILY.require(own)
    C_FAMILY.require(formulas.inputs, taken=own)
    plan = planned(formulas)
    C_FAMILY.require((*plan.names, *plan.table_names), taken=own)
    text = "\n\n".join(_parts(plan, language))
    if guard is not None:
        return guarded(text, guard, language.header_includes)
    return "\n".join([*language.includes, *([""] if language.includes else []), text, ""])


def _own_names(name: str) -> list[str]:
    made = ("offset", "valid", "advance", "mulhi", "uint128", "sizes", "make_sizes", "sizes_hold")
    spelled = (divisor_name, make_divisor_name, divide_name)
    searches = [run_of_name(name, bits, position_bits) for bits in (32, 64) for position_bits in (32, 64)]
    helpers = [spell(name, word) for spell in spelled for word in (32, 64)]
    return [f"{name}_{what}" for what in made] + helpers + searches


def _parts(plan: CPlan, language: CLanguage) -> list[str]:
    """Comment, helpers, sizes, functions."""
    head, functions = "\n".join(map(comment, _head(plan))), list(_functions(plan, language))
    words = sorted({divisor.word for divisor in plan.found.divisors.values()})
    helpers = [divisor_text(plan.name, word, language) for word in words]
    if any(f"{plan.name}_mulhi(" in function for function in functions):
        helpers.insert(0, MULTIPLY_HIGH.format(device=language.device, name=plan.name))
    helpers += searches(plan, language, functions)
    if plan.found.has_sizes:
        helpers += sizes_text(plan, language)
    if helpers:
        return [head, *helpers, *functions]
    return [f"{head}\n{functions[0]}", *functions[1:]]


def _head(plan: CPlan) -> Iterator[str]:
    """What is computed, where it holds, how wide it is."""
    width = plan.width
    yield f"{plan.name}: {str(plan.formulas.domain).removeprefix('Domain: ')}"
    if plan.found.has_sizes:
        yield f"offset = {_formula(plan.given.offset)}"
    if width.bits == 32:
        yield f"int32_t holds every value on the way: they lie between {width.lowest} and {width.largest}."
    else:
        yield f"Values on the way lie between {width.lowest} and {width.largest}: int64_t where needed."
    if plan.open_sizes:
        yield _about_open_sizes(plan)
    for table in plan.given.tables:
        yield _about_table(plan, table)
    if plan.found.left:
        divisions = ", ".join(map(_formula, plan.found.left))
        yield f"Divided anew each time, since no divisor can be prepared for it: {divisions}."


def _about_open_sizes(plan: CPlan) -> str:
    *others, last = plan.open_sizes
    names, they = f"{', '.join(others)} and {last}", "have no largest value: they are"
    if not others:
        names, they = last, "has no largest value: it is"
    said = f"{names} {they} taken to end as above, a max says otherwise."
    return f"{said} That forces int64_t: a max mends it." if plan.is_wide_by_open_sizes else said


def _about_table(plan: CPlan, table: Table) -> str:
    """Of the table as it was given; its ends may have been taken to be closer."""
    name = plan.tables[table.name].name
    said = _formula(table.called(name))
    if len(table.lengths) > 1:
        said += ". Its entries are all in a row, the last index fastest"
    if table.name in plan.open_tables:
        found = next(t for t in tables_of(plan.formulas.offset, plan.formulas.valid) if t.name == table.name)
        said += f". Relied on: entries from {found.lowest} to {found.highest}"
    return f"{said}."


def _formula(term: Term | Table) -> str:
    return str(term).replace("//", "/")


def _functions(plan: CPlan, language: CLanguage) -> Iterator[str]:
    formulas = plan.formulas
    yield function_text(plan, language, "offset", formulas.offset, formulas.domain)
    yield function_text(plan, language, "valid", formulas.valid, formulas.domain)
    if formulas.advance is not None:
        step = ", ".join(f"{axis} by {distance}" for axis, distance in formulas.advance.step)
        where = str(formulas.advance.domain).removeprefix("Domain: ")
        said = f"What to add to the offset when the index moves {step}, from {where}."
        difference, domain = formulas.advance.difference, formulas.advance.domain
        yield f"{comment(said)}\n{function_text(plan, language, 'advance', difference, domain)}"
