"""The struct of sizes in C: its members, whether sizes are as assumed, and what makes it."""

from __future__ import annotations

from layoutalg.domain import Domain
from layoutalg.index_code.c_divisors import divisor_name, make_divisor_name
from layoutalg.index_code.c_function import unused
from layoutalg.index_code.c_language import CLanguage
from layoutalg.index_code.c_plan import CPlan
from layoutalg.index_code.c_text import UNARY, CText
from layoutalg.index_code.field_names import free_name
from layoutalg.index_code.line_breaks import broken, comment
from layoutalg.index_code.size_facts import size_facts, sizes_in_words
from layoutalg.index_code.subexpressions import symbols_in
from layoutalg.index_code.typed_text import TypedText
from layoutalg.term import Term

__all__ = ["sizes_text"]

LARGEST = (1 << 63) - 1


def sizes_text(plan: CPlan, language: CLanguage) -> list[str]:
    """The struct, ``NAME_sizes_hold`` and ``NAME_make_sizes``."""
    return [_struct(plan, language), _hold(plan, language), _maker(plan, language)]


def _struct(plan: CPlan, language: CLanguage) -> str:
    name, found, bits = plan.name, plan.found, plan.bits
    members = [f"int{bits[field]}_t {field};" for field in found.fields]
    for by, divisor in found.divisors.items():
        members.append(f"{language.struct(divisor_name(name, divisor.word))} {by};")
    lines = [
        f"// What depends on sizes alone: made once, by {name}_make_sizes.",
        f"struct {name}_sizes",
        "{",
        *(f"    {member}" for member in members),
        "};",
    ]
    return "\n".join(lines)


def _hold(plan: CPlan, language: CLanguage) -> str:
    """The check takes 64 bits of each size, so that none is cut before it is looked at."""
    name, domain = plan.name, plan.formulas.domain
    text = CText(Domain(domain.parameters), bits=64)
    facts = [fact for fact in size_facts(domain) if not _is_of_the_type(fact)]
    conditions = " && ".join(text.text(f) if len(facts) == 1 else f"({text.text(f)})" for f in facts)
    parameters = ", ".join(f"int64_t {size.name}" for size in domain.parameters)
    lines = [
        f"// Whether sizes are as {name}_make_sizes relies on.",
        *broken(f"{language.host} bool {name}_sizes_hold({parameters})"),
        "{",
        *unused(_names(domain), symbols_in(*facts)),
        *broken(f"    return {conditions or 'true'};"),
        "}",
    ]
    return "\n".join(lines)


def _maker(plan: CPlan, language: CLanguage) -> str:
    name, found, bits, domain = plan.name, plan.found, plan.bits, plan.formulas.domain
    text = TypedText(domain, bits)
    struct, sizes = language.struct(f"{name}_sizes"), free_name("sizes", _names(domain))
    lines = []
    for field, value in found.fields.items():
        lines += broken(f"    {sizes}.{field} = {text.as_wide_as(bits[field], value)};")
    for by, divisor in found.divisors.items():
        known = next((f for f, value in found.fields.items() if value == divisor.value), None)
        given = f"{sizes}.{known}" if known else text.within(text.piece(divisor.value), UNARY)
        unsigned = f"(uint{divisor.word}_t){given}"
        lines += broken(f"    {sizes}.{by} = {make_divisor_name(name, divisor.word)}({unsigned});")
    parameters = ", ".join(f"int{bits[size]}_t {size}" for size in _names(domain))
    relied = comment(f"Relied on, as {name}_sizes_hold tells: {sizes_in_words(domain)}.")
    return "\n".join(
        [
            relied,
            *broken(f"{language.host} {struct} {name}_make_sizes({parameters})"),
            "{",
            *unused(_names(domain), symbols_in(*found.fields.values(), *found.values.values())),
            f"    {struct} {sizes};",
            *lines,
            f"    return {sizes};",
            "}",
        ]
    )


def _names(domain: Domain) -> tuple[str, ...]:
    return tuple(size.name for size in domain.parameters)


def _is_of_the_type(fact: Term) -> bool:
    """Whether every ``int64_t`` satisfies it, which a compiler would complain of."""
    low, high = fact.args[0].as_integer, fact.args[1].as_integer if len(fact.args) == 2 else None
    return fact.op == "<=" and (low == -LARGEST - 1 or high == LARGEST)
