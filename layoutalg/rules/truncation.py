"""Division rounded towards zero, as C has it, of what may be negative.

Where the sign is known it is division rounded down. Elsewhere it stays one letter, so that ``x/8*8 + x%8`` is
``x`` and what is left is spelled ``/`` and ``%`` again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom
from layoutalg.rules.polynomial import ONE, Polynomial
from layoutalg.rules.rule import Bindings, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["MOD_AS_TRUNC", "TRUNCATION_RULES", "truncated_quotient"]


def truncated_quotient(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial:
    """The normal form of C's ``number / divisor``; the divisor is known to be positive."""
    if divisor == ONE or not number:
        return number
    found = form.rewritten_by_first(TRUNCATION_RULES, (number, divisor))
    if found is None:
        found = form.atoms.find("trunc", (number, divisor))
    if found is not None:
        return found
    uniform = form.atoms.is_uniform(number) and form.atoms.is_uniform(divisor)
    with form.without_branch_facts():
        ends = form.bounds.interval(form.digits.split(number))
        fixed = divisor.as_integer or 1
        lower, upper = (
            Polynomial.constant(abs(end) // fixed * (1 if end > 0 else -1)) if isinstance(end, int) else None
            for end in ends
        )
    return form.atoms.letter(Atom("trunc", (number, divisor), lower, upper, uniform))


def _plain(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    del form
    yield {"n": number, "d": divisor}


def _negated(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    """A number whose leading term is negative."""
    del form
    lead = max(number.terms, key=lambda monomial: (len(monomial), monomial))
    if number.terms[lead] < 0:
        yield {"n": -number, "d": divisor}


def _multiple(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    del form
    whole, rest = number.divided(divisor)
    if not rest:
        yield {"q": whole, "d": divisor}


def _scaled(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    """What both have as a factor; positive, or what is left would be no divisor."""
    for monomial in {m for m, _ in divisor}:
        for letter in monomial:
            factor = Polynomial.letter(letter)
            (scaled, rest), (by, more) = number.divided(factor), divisor.divided(factor)
            if not rest and not more and form.bounds.is_positive(factor):
                yield {"g": factor, "n": scaled, "d": by}
    common = math.gcd(*number.terms.values(), *divisor.terms.values())
    if common > 1:
        factor = Polynomial.constant(common)
        yield {"g": factor, "n": number.divided(factor)[0], "d": divisor.divided(factor)[0]}


def _nested(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    letter = number.as_letter
    if letter is not None and form.atoms[letter].kind == "trunc":
        inner, scale = form.atoms[letter].operands
        yield {"n": inner, "a": scale, "d": divisor}


TRUNCATION_RULES = (
    Rule("trunc_of_nonnegative", "trunc_div(n, d)", "n // d", when="0 <= n", find=_plain),
    Rule("trunc_of_nonpositive", "trunc_div(n, d)", "-(-n // d)", when="n <= 0", find=_plain),
    Rule("trunc_of_negated", "trunc_div(-n, d)", "-trunc_div(n, d)", find=_negated),
    Rule("trunc_of_small", "trunc_div(n, d)", "0", when="n < d and -d < n", find=_plain),
    Rule("trunc_of_multiple", "trunc_div(d*q, d)", "q", find=_multiple),
    Rule("trunc_of_scaled", "trunc_div(g*n, g*d)", "trunc_div(n, d)", find=_scaled),
    Rule("trunc_of_trunc", "trunc_div(trunc_div(n, a), d)", "trunc_div(n, a*d)", find=_nested),
)
MOD_AS_TRUNC = Rule("mod_as_trunc", "trunc_mod(n, d)", "n - d*trunc_div(n, d)")
