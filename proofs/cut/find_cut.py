"""Where a map can be cut: at the values that its conditions bound, or above the bottom of a chain.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.properties import one_to_one_map
>>> from layoutalg.rules.from_text import parse
>>> domain = Domain.of({"ho": "H", "y": 3, "c": "C"}, {"H": (1, None), "C": (1, None)})
>>> image = IndexMap(domain, (parse("(ho + y - 1)*C + c", domain),), (parse("1 <= ho + y <= H", domain),))
>>> cut = cut_by_validity(one_to_one_map(image, "image"))
>>> cut.values, cut.outputs, cut.left
((Value(symbol=v0, expression=ho + y - 1, length=H),), (C*v0 + c,), (c,))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from layoutalg.descriptor.chain import TransformChain
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.proofs.cut.cut import Cut, Value, outputs_of
from layoutalg.proofs.cut.flattened_index import cut_at_flattened_indices, with_what_is_left
from layoutalg.proofs.cut.value_ranges import Ranges, is_axis, new_symbols
from layoutalg.rules import NormalForm
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import ZERO, Polynomial, without

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["cut_above_the_bottom", "cut_by_validity", "cuts"]


def cuts(claim: Claim) -> Iterator[Cut]:
    """The cuts to be tried for a claim; who finds an expression undefined finds no cut."""
    for find in (
        cut_at_flattened_indices,
        cut_by_validity,
        cut_at_runs,
        cut_at_entries,
        cut_above_the_bottom,
    ):
        with suppress(LayoutError):
            found = find(claim)
            if found is not None:
                yield found


def cut_by_validity(claim: Claim) -> Cut | None:
    """At every sum that conditions hold between two ends; None where there is none.

    A condition on a single axis is left to the ends of that axis, except where the map is to be onto.
    """
    about = claim.speaks_of
    if not about.when:
        return None
    form = NormalForm(about.domain)
    ranges = Ranges(form)
    for condition in about.when:
        ranges.add(form.of(condition))
    is_onto = claim.kind == "covers"
    found = [row for row in ranges.closed() if is_onto or not is_axis(form, row[0])]
    if not found:
        return None
    symbols = new_symbols(len(found), about.domain)
    values = tuple(
        Value(symbol, to_expression(form, value - low, 0), to_expression(form, (high - low).plus(1), 0))
        for symbol, (value, low, high) in zip(symbols, found, strict=True)
    )
    return _written_with(values, claim)


def _written_with(values: tuple[Value, ...], claim: Claim, digits_left: float = math.inf) -> Cut | None:
    """The outputs with the values' symbols in them, of those that occur; None where none does.

    ``digits_left`` is how many digits an earlier round left: where no fewer are left now there is no cut.
    """
    used: list[Value] = []
    domain = claim.speaks_of.domain
    variables = (*domain.axes, *(value.axis for value in values), *domain.parameters)
    form = NormalForm(Domain(variables, domain.facts), leaves_entries=True)
    polynomials = [form.of(output) for output in outputs_of(claim)]
    told = [form.of(each) for each in claim.told]
    for value in values:
        inside, symbol = form.of(value.expression), form.symbol(value.symbol.name)
        written = [_with_value(form, polynomial, inside, symbol) for polynomial in polynomials]
        if written == polynomials:
            continue
        used.append(value)
        polynomials = written
        told = [_with_value(form, polynomial, inside, symbol, _varying(form)) for polynomial in told]
    if not used:
        return None
    values = tuple(used)
    symbols = {letter for value in values for letter in form.symbol(value.symbol.name).letters}
    letters = {x for polynomial in polynomials for x in form.digits.split(polynomial).letters} - symbols
    left = sorted(x for x in letters if not form.atoms[x].is_uniform)
    if claim.kind == "covers":
        digits = [letter for letter in left if form.atoms[letter].kind in ("floor", "digit")]
        if len(digits) >= digits_left:
            return None
        if digits:
            return _written_with((*values, *_digits_as_values(form, digits)), claim, len(digits))
    known = {*symbols, *left}
    if not all(x in known or form.atoms[x].is_uniform for p in told for x in form.digits.split(p).letters):
        told = []  # by more than what the second part knows
    parts = (polynomials, [Polynomial.letter(x) for x in left], told)
    return Cut(values, *(tuple(to_expression(form, part, 0) for part in each) for each in parts))


def _digits_as_values(form: NormalForm, letters: list[int]) -> Iterator[Value]:
    """Digits of axes as values too: of an axis that is made into several the map may leave some."""
    for symbol, number in zip(new_symbols(len(letters), form.domain), letters, strict=True):
        letter = Polynomial.letter(number)
        low, high = form.bounds.lower(letter), form.bounds.upper(letter)
        if low != ZERO or high is None:
            raise LayoutError("a digit that is left has no plain length")
        yield Value(symbol, to_expression(form, letter, 0), to_expression(form, high.plus(1), 0))


def _terms(polynomial: Polynomial) -> int:
    return len(polynomial.terms)


def _varying(form: NormalForm) -> Callable[[Polynomial], int]:
    """How many terms of a polynomial are not fixed."""
    return lambda p: sum(not all(form.atoms[x].is_uniform for x in monomial) for monomial in p.terms)


def _with_value(
    form: NormalForm,
    output: Polynomial,
    inside: Polynomial,
    symbol: Polynomial,
    size: Callable[[Polynomial], int] = _terms,
) -> Polynomial:
    """The output with multiples of the sum written by its symbol, led by the term that leaves least."""
    best, least = output, size(output) + 1
    for lead, coefficient in inside:
        if all(form.atoms[letter].is_uniform for letter in lead):
            continue
        times = ZERO
        for monomial, factor in output:
            rest = without(monomial, lead)
            if rest is not None and factor % coefficient == 0:
                times = times + Polynomial({rest: factor // coefficient})
        found = output - times * (inside - symbol)
        if times and size(found) < least:
            best, least = found, size(found)
    return best


def cut_at_runs(claim: Claim) -> Cut | None:
    """At the places that a table of beginnings and a place in a run make: ``cu[b] + s`` of a ragged batch."""
    about = claim.speaks_of
    form = NormalForm(about.domain)
    for condition in about.when:
        form.assume(form.of(condition))
    outputs = [form.of(output) for output in outputs_of(claim)]
    for output in outputs:
        for letter in form.atoms.of_kind("entry", output):
            table = form.atoms[letter].operands[0]
            if table.step is None or table.first is None or table.last is None:
                continue
            entry = Polynomial.letter(letter).scaled(table.multiple_of)
            for rest in _rests(form, letter, entry):
                first, last = form.of(table.first), form.of(table.last)
                place = to_expression(form, entry + rest - first, 0)
                (symbol,) = new_symbols(1, about.domain)
                value = Value(symbol, place, to_expression(form, last - first, 0))
                found = _written_with((value,), claim)
                if found is not None:
                    return found
    return None


def cut_at_entries(claim: Claim) -> Cut | None:
    """At the entries of tables no two of whose entries are equal."""
    if claim.kind != "pairs" or claim.map is None:
        return None
    form = NormalForm(claim.map.domain)
    for condition in claim.map.when:
        form.assume(form.of(condition))
    letters = {x for output in claim.map.outputs for x in form.atoms.of_kind("entry", form.of(output))}
    tables = [(x, form.atoms[x].operands[0]) for x in sorted(letters)]
    found = [
        (x, t) for x, t in tables if t.is_one_to_one and None not in (t.lower, t.upper) and t.multiple_of == 1
    ]
    entries = [to_expression(form, Polynomial.letter(x), 0) for x, _ in found]
    if not found or any(claim.map.outputs == (entry,) for entry in entries):
        return None
    symbols = new_symbols(len(found), claim.map.domain)
    values = tuple(
        Value(symbol, to_expression(form, Polynomial.letter(x) - form.of(t.lower), 0), t.upper - t.lower)
        for symbol, (x, t) in zip(symbols, found, strict=True)
    )
    if any(condition.has(*entries) for condition in claim.map.when):
        return _written_with(values, claim)
    forward = {entry: v.symbol + t.lower for entry, v, (_, t) in zip(entries, values, found, strict=True)}
    outputs, told = (tuple(e.xreplace(forward) for e in group) for group in (claim.map.outputs, claim.told))
    return with_what_is_left(Cut(values, outputs, (), told), claim.map.domain)


def _rests(form: NormalForm, letter: int, entry: Polynomial) -> Iterator[Polynomial]:
    """What may be added to an entry without reaching the next: told by ends of axes and by conditions."""
    table, *index = form.atoms[letter].operands
    following = form.atoms.find("entry", (table, *index[:-1], index[-1].plus(1)))
    if following is None:
        return
    room = following.scaled(table.multiple_of) - entry
    gaps = list(form.bounds.facts)
    for number in range(len(form.atoms)):
        upper = form.atoms[number].upper
        if form.atoms[number].kind == "axis" and upper is not None:
            gaps.append(upper - Polynomial.letter(number))
    for gap in gaps:
        rest = room.plus(-1) - gap
        if rest and not rest.letters & room.letters:
            yield rest


def cut_above_the_bottom(claim: Claim) -> Cut | None:
    """At the dimensions that the transforms at the bottom of a chain take, within their lengths."""
    chain = None if claim.map is None else claim.map.chain
    if not isinstance(chain, TransformChain) or claim.kind != "comparisons" or claim.map is None:
        return None
    bottom = set(chain.bottom_dimension_hidden_ids)
    links = [link for link in chain.links if set(link[1]) <= bottom]
    above = [hidden for _, _, up in links for hidden in up]
    if len(links) == len(chain.links) or len(claim.map.outputs) != 1:
        return None
    index = [axis.symbol for axis in claim.map.domain.axes]
    try:
        hidden = chain.hidden_expressions(index)
        lengths = {h: length for h, length in enumerate(chain.hidden_lengths) if h in above}
    except LayoutError:
        return None
    symbols = dict(zip(above, new_symbols(len(above), claim.map.domain), strict=True))
    found: dict[int, Any] = {}
    for transform, low, up in links:
        found |= zip(low, transform.lower([symbols[h] for h in up], SYMBOLIC), strict=True)
    offset = claim.map.outputs[0]
    (memory,) = chain.bottom_dimension_hidden_ids
    if hidden[memory] != offset:
        return None
    values = tuple(Value(symbols[h], hidden[h], as_expression(lengths[h])) for h in above)
    outputs = [found[memory] if side == offset else side for side in outputs_of(claim)]
    return Cut(values, tuple(outputs))
