"""One function of an index in C: its parameters, its named parts, what it returns."""

from __future__ import annotations

from collections.abc import Iterable

from layoutalg.domain import Domain
from layoutalg.index_code.c_divisors import divide_name
from layoutalg.index_code.c_language import CLanguage
from layoutalg.index_code.c_plan import CPlan
from layoutalg.index_code.field_names import free_name
from layoutalg.index_code.line_breaks import broken
from layoutalg.index_code.row_major import tables_of
from layoutalg.index_code.subexpressions import named, symbols_in
from layoutalg.index_code.typed_text import Call, TypedText
from layoutalg.index_code.width import Widths, bits_of
from layoutalg.term import Term
from layoutalg.term.as_terms import FALSE, TRUE

__all__ = ["function_text", "unused"]

TRUTH = {TRUE: "true", FALSE: "false"}


def function_text(plan: CPlan, language: CLanguage, what: str, term: Term, domain: Domain) -> str:
    """The function ``NAME_WHAT`` of the whole index, the sizes and tables that any function needs."""
    axes = [axis.name for axis in plan.formulas.domain.axes]
    sizes = free_name("sizes", (*axes, *plan.table_names))
    parameters = [f"int{plan.bits[axis]}_t {axis}" for axis in axes]
    if plan.found.has_sizes:
        parameters.append(language.passed(f"{plan.name}_sizes", sizes))
    parameters += [language.array(table.bits, table.name) for table in plan.tables.values()]
    body, bits = _body(plan, language, term, domain, sizes)
    result = "bool" if what == "valid" else f"int{bits}_t"
    head = f"{language.device} {result} {plan.name}_{what}({', '.join(parameters) or 'void'})"
    used = set(symbols_in(term))
    if not used.isdisjoint(plan.found.members):
        used.add(sizes)
    used |= {plan.tables[table.name].name for table in tables_of(term)}
    given = [*axes, *([sizes] if plan.found.has_sizes else []), *plan.table_names]
    return "\n".join([*broken(head), "{", *unused(given, used), *body, "}"])


def unused(names: Iterable[str], used: Iterable[str]) -> list[str]:
    """What keeps compilers from complaining of parameters that are there for the sake of all callers."""
    left = [f"(void){name};" for name in names if name not in set(used)]
    return broken(f"    {' '.join(left)}") if left else []


def _body(plan: CPlan, language: CLanguage, term: Term, domain: Domain, sizes: str) -> tuple[list[str], int]:
    """The lines of a function and the width of its result."""
    found = plan.found
    values, (last,) = named([term], taken=(*plan.names, *plan.table_names))
    widths = Widths(domain, {**found.values, **dict(values)})
    bits = {name: bits_of(widths.range(Term.symbol(name))) or 64 for name, _ in values}
    text = TypedText(
        domain,
        {**plan.bits, **bits},
        {**found.values, **dict(values)},
        f"{plan.name}_mulhi",
        spelled={field: language.member(sizes, field) for field in found.fields},
        calls={
            by: Call(divide_name(plan.name, divisor.word), language.member(sizes, by), divisor.word)
            for by, divisor in found.divisors.items()
        },
        tables=plan.tables,
    )
    lines = [
        f"    const int{bits[name]}_t {name} = {text.as_wide_as(bits[name], value)};"
        for name, value in values
    ]
    result = bits_of(widths.range(last)) or 64
    lines.append(f"    return {TRUTH.get(last) or text.as_wide_as(result, last)};")
    return [piece for line in lines for piece in broken(line)], result
