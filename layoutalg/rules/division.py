"""Division by the rules of mixed-radix numbers: what merges and unmerges leave to cancel.

Remainders are written ``n - d*(n // d)``, so only quotients need rules. They are tried in this order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom, NewQuotientError
from layoutalg.rules.fit import fitted_quotients
from layoutalg.rules.polynomial import ONE, ZERO, Monomial, Polynomial
from layoutalg.rules.rule import Bindings, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = [
    "DIVISION_RULES",
    "MOD_AS_DIV",
    "by_term",
    "constant_quotient",
    "quotient",
    "quotient_letter",
    "quotient_of_known",
]


def quotient(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial:
    """The normal form of ``number // divisor``; the divisor is known to be positive."""
    found = quotient_by_rules(form, number, divisor)
    return quotient_letter(form, number, divisor) if found is None else found


def quotient_by_rules(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """What the rules make of a quotient; None where it would be a letter of its own."""
    if divisor == ONE or not number:
        return number
    return form.rewritten_by_first(DIVISION_RULES, (number, divisor))


def quotient_of_known(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """The quotient where it is made of the letters of the number; no letter is made in finding out."""
    try:
        with form.atoms.no_new_quotients():
            found = quotient_by_rules(form, number, divisor)
    except NewQuotientError:
        return None
    return found if found is not None and found.letters <= number.letters else None


def _small(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    constant = constant_quotient(form, number, divisor)
    if constant is not None:
        yield {"r": number, "d": divisor, "k": Polynomial.constant(constant)}


def _multiple_plus(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    multiple, rest = multiple_and_rest(form, number, divisor)
    if multiple:
        yield {"d": divisor, "q": multiple, "r": rest}


def constant_quotient(form: NormalForm, number: Polynomial, divisor: Polynomial) -> int | None:
    """The k with ``k*divisor <= number < (k+1)*divisor`` everywhere, or None."""
    values = form.bounds.interval(form.digits.split(number))
    fixed = divisor.as_integer
    if fixed is not None:
        if not isinstance(values.low, int) or not isinstance(values.high, int):
            return None
        return values.low // fixed if values.low // fixed == values.high // fixed else None
    low, high = values
    for k in [0] * (high >= 0) + [-1] * (low < 0):
        rest = number - divisor.scaled(k)
        if form.bounds.is_nonnegative(rest) and form.bounds.is_less(rest, divisor):
            return k
    return None


def multiple_and_rest(
    form: NormalForm, number: Polynomial, divisor: Polynomial
) -> tuple[Polynomial, Polynomial]:
    """The multiples of the divisor in the number, seen as digits or as quotients."""
    digits = form.digits
    split = digits.split(number)
    by_digits, by_quotients = split.divided(divisor), number.divided(divisor)
    is_settled = by_digits[0] and constant_quotient(form, by_digits[1], divisor) is not None
    if (
        by_quotients[0]
        and not is_settled
        and len(by_quotients[1].terms) < len(digits.join(by_digits[1]).terms)
    ):
        return by_quotients if _is_smaller(by_quotients[1], number) else (ZERO, number)
    multiple, rest = by_digits
    if not multiple or len(rest.terms) >= len(split.terms):
        multiple, rest = split.divided(divisor, exactly=False)
    rest = digits.join(rest)
    if multiple and (_is_smaller(rest, number) or constant_quotient(form, rest, divisor) is not None):
        return digits.join(multiple), rest
    return ZERO, number


def _is_smaller(left: Polynomial, right: Polynomial) -> bool:
    """The measure by which division descends: total size of coefficients, then number of terms."""
    sizes = [(sum(map(abs, p.terms.values())), len(p.terms)) for p in (left, right)]
    return sizes[0] < sizes[1]


def _scaled_plus(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    split = form.digits.split(number)
    for factor in _common_factors(split, divisor):
        kept, rest = split.divided(factor) if len(factor.terms) > 1 else by_term(split, factor)
        small = form.digits.join(rest)
        constant = constant_quotient(form, small, factor) if kept else None
        if constant is not None:
            scaled = form.digits.join(kept)
            k = Polynomial.constant(constant)
            yield {"g": factor, "n": scaled, "r": small, "d": divisor.divided(factor)[0], "k": k}


def by_term(number: Polynomial, factor: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The terms that a product divides, divided by it, and the others."""
    kept: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, coefficient in number:
        whole, left = Polynomial({monomial: coefficient}).divided(factor)
        if left:
            rest[monomial] = coefficient
        else:
            kept.update(whole.terms)
    return Polynomial(kept), Polynomial(rest)


def _common_factors(number: Polynomial, divisor: Polynomial) -> list[Polynomial]:
    """Products that divide the divisor and a term of the number, largest first; and what a sum is times."""
    found = {divisor.primitive} - {divisor} if len(divisor.terms) > 1 else set()
    for monomial, coefficient in number:
        if not monomial:
            continue
        factor = _shared(divisor, Polynomial({monomial: coefficient}))
        if factor not in (ONE, divisor):
            found.add(factor)
    return sorted(
        found,
        key=lambda f: (max(map(len, f.terms)), sum(f.terms.values()), sorted(f.terms)),
        reverse=True,
    )


def _shared(divisor: Polynomial, term: Polynomial) -> Polynomial:
    ((monomial, coefficient),) = term.terms.items()
    common = math.gcd(coefficient, *divisor.terms.values())
    if len(divisor.terms) > 1:
        return Polynomial.constant(common)
    ((of_divisor, _),) = divisor.terms.items()
    letters, rest = [], list(monomial)
    for letter in of_divisor:
        if letter in rest:
            rest.remove(letter)
            letters.append(letter)
    return Polynomial({tuple(letters): common})


def _div_plus(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    floors = form.atoms.of_kind("floor", number)
    if len(floors) == 1 and number.coefficient(floors[0]) == ONE:
        inner, scale = form.atoms[floors[0]].operands
        yield {"n": inner, "a": scale, "r": number.without(floors[0]), "d": divisor}


def _sloped(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Bindings]:
    """A quotient that is a sum of letters: what a few points suggest is put to the premise."""
    if form.eliminates:
        for k in fitted_quotients(form, number, divisor):
            yield {"r": number, "d": divisor, "k": k}


DIVISION_RULES = (
    Rule("div_of_small", "r // d", "k", when="k*d <= r and r < (k + 1)*d", find=_small),
    Rule("div_of_multiple_plus", "(d*q + r) // d", "q + r // d", find=_multiple_plus),
    Rule(
        "div_of_scaled_plus",
        "(g*n + r) // (g*d)",
        "(n + k) // d",
        when="1 <= g and 1 <= d and k*g <= r and r < (k + 1)*g",
        find=_scaled_plus,
    ),
    Rule("div_of_div_plus", "(n // a + r) // d", "(n + a*r) // (a*d)", find=_div_plus),
    Rule("div_of_slope", "r // d", "k", when="k*d <= r and r < (k + 1)*d", find=_sloped),
)
MOD_AS_DIV = Rule("mod_as_div", "n % d", "n - d*(n // d)")


def quotient_letter(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial:
    """The letter of ``number // divisor`` as it stands."""
    found = form.atoms.find("floor", (number, divisor))
    if found is not None:
        return found
    if form.atoms.has_all_quotients:
        raise NewQuotientError
    uniform = form.atoms.is_uniform(number), form.atoms.is_uniform(divisor)
    with form.without_branch_facts():
        lower, upper = _numeric_ends(form, number, divisor)
        if uniform == (False, True):
            low, high = form.bounds.lower(number), form.bounds.upper(number)
            lower = lower if low is None else form.divided(form.digits.join(low), divisor)
            upper = upper if high is None else form.divided(form.digits.join(high), divisor)
        elif not uniform[1]:
            upper = _upper_by_factor(form, number, divisor) or upper
        if lower is None and form.bounds.is_nonnegative(number):
            lower = ZERO
    return form.atoms.letter(Atom("floor", (number, divisor), lower, upper, all(uniform)))


def _upper_by_factor(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """The ``k - 1`` for a size ``k`` that divides the end of a number below ``k*divisor``.

    A number below ``G*N`` by a divisor that varies with it, as the tiles of a last, short group.
    """
    high = form.bounds.upper(number)
    if high is None:
        return None
    length = high.plus(1)
    letters = [set(monomial) for monomial in length.terms]
    sizes = [Polynomial.letter(x) for x in sorted(set.intersection(*letters))] if letters else []
    for size in (*sizes, length.primitive):
        if form.bounds.is_less(number, size * divisor):
            return size.plus(-1)
    return None


def _numeric_ends(
    form: NormalForm, number: Polynomial, divisor: Polynomial
) -> tuple[Polynomial | None, Polynomial | None]:
    """Ends of a quotient as numbers, where ranges give numbers."""
    found = form.bounds.interval(form.digits.split(number)) // form.bounds.interval(divisor)
    low, high = (Polynomial.constant(end) if isinstance(end, int) else None for end in found)
    return low, high
