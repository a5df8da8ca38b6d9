"""An index function in C or HIP: its parts named, its integers as wide as shown to be needed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from layoutalg.domain import Domain
from layoutalg.index_code.c_text import CText
from layoutalg.index_code.emitted_names import C_FAMILY
from layoutalg.index_code.formulas import Formulas
from layoutalg.index_code.subexpressions import named
from layoutalg.index_code.width import Width, Widths
from layoutalg.term import Term
from layoutalg.term.as_terms import FALSE, TRUE

__all__ = ["c_source"]

LINE = 100
C_HEADER = ("#include <stdbool.h>", "#include <stdint.h>")
MULTIPLY_HIGH = """\
// The upper word of a product.
{qualifiers} uint32_t {name}_mulhi(uint32_t left, uint32_t right)
{{
    return (uint32_t)(((uint64_t)left * right) >> 32);
}}"""


def c_source(
    formulas: Formulas, *, qualifiers: str = "static inline", header: Sequence[str] = C_HEADER
) -> str:
    """Functions ``NAME_offset``, ``NAME_valid`` and, with a step, ``NAME_advance``."""
    name, inputs = formulas.name, formulas.inputs
    C_FAMILY.require((f"{name}_offset", *inputs), taken=(f"{name}_mulhi",))
    width = Widths(formulas.domain).of([formulas.offset, formulas.valid, *map(Term.symbol, inputs)])
    if formulas.advance is not None:
        width = width.joined(Widths(formulas.advance.domain).of([formulas.advance.difference]))
    parts = [["\n".join(header)]] if header else []
    functions = [
        _function(
            formulas, qualifiers, width, "offset", formulas.offset, _claims(formulas.domain, name, width)
        ),
        _function(formulas, qualifiers, width, "valid", formulas.valid, []),
    ]
    if formulas.advance is not None:
        step = ", ".join(f"{axis} by {distance}" for axis, distance in formulas.advance.step)
        where = str(formulas.advance.domain).removeprefix("Domain: ")
        claims = [f"// What to add to the offset when the index moves {step}, from {where}."]
        functions.append(
            _function(formulas, qualifiers, width, "advance", formulas.advance.difference, claims)
        )
    text = "\n\n".join("\n".join(part) for part in [*parts, *functions])
    if f"{name}_mulhi(" in text:
        helper = MULTIPLY_HIGH.format(qualifiers=qualifiers, name=name)
        text = "\n\n".join("\n".join(part) for part in [*parts, [helper], *functions])
    return text + "\n"


def _claims(domain: Domain, name: str, width: Width) -> list[str]:
    holds = f"int{width.bits}_t holds every value on the way"
    texts = (
        f"{name}: {str(domain).removeprefix('Domain: ')}",
        f"{holds}: they lie between {width.lowest} and {width.largest}.",
    )
    lines = [line for text in texts for line in textwrap.wrap(text, LINE - 3)]
    return [f"// {line}" for line in lines]


def _function(
    formulas: Formulas, qualifiers: str, width: Width, what: str, term: Term, comment: Iterable[str]
) -> list[str]:
    integer = f"int{width.bits}_t"
    result = "bool" if what == "valid" else integer
    parameters = ", ".join(f"{integer} {name}" for name in formulas.inputs) or "void"
    head = f"{qualifiers} {result} {formulas.name}_{what}({parameters})"
    domain = formulas.domain if formulas.advance is None or what != "advance" else formulas.advance.domain
    values, (last,) = named([term], taken=formulas.inputs)
    multiply_high = f"{formulas.name}_mulhi" if width.bits == 32 else None
    text = CText(domain, dict(values), multiply_high, bits=width.bits)
    body = [f"const {integer} {name} = {text.text(value)};" for name, value in values]
    body.append(f"return {_condition(text, last) if what == 'valid' else text.text(last)};")
    return [*comment, *_wrapped(head), "{", *(f"    {line}" for line in body), "}"]


def _condition(text: CText, term: Term) -> str:
    return {TRUE: "true", FALSE: "false"}.get(term) or text.text(term)


def _wrapped(head: str) -> list[str]:
    return textwrap.wrap(head, LINE, subsequent_indent="    ")
