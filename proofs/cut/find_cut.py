"""Where a map can be cut: at the values that its conditions bound, or above the bottom of a chain.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.properties import one_to_one_map
>>> from layoutalg.rules.from_text import parse
>>> domain = Domain.of({"ho": "H", "y": 3, "c": "C"}, {"H": (1, None), "C": (1, None)})
>>> image = IndexMap(domain, (parse("(ho + y - 1)*C + c", domain),), (parse("1 <= ho + y <= H", domain),))
>>> cut_by_validity(one_to_one_map(image, "image"))
Cut(values=(Value(symbol=v0, expression=ho + y - 1, length=H),), outputs=(C*v0 + c,), left=(c,))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sympy import Symbol

from layoutalg.descriptor.chain import TransformChain
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.proofs.cut.cut import Cut, Value, outputs_of
from layoutalg.rules import NormalForm
from layoutalg.rules.condition import Condition
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import ZERO, Polynomial, without

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["cut_above_the_bottom", "cut_by_validity", "cuts"]


def cuts(claim: Claim) -> Iterator[Cut]:
    """The cuts to be tried for a claim."""
    for find in (cut_by_validity, cut_at_runs, cut_at_entries, cut_above_the_bottom):
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
    ranges = _Ranges(form)
    for condition in about.when:
        ranges.add(form.of(condition))
    is_onto = claim.kind == "covers"
    found = [row for row in ranges.closed() if is_onto or row[0].as_letter is None]
    if not found:
        return None
    symbols = _symbols(len(found), about.domain)
    values = tuple(
        Value(symbol, to_expression(form, value - low, 0), to_expression(form, (high - low).plus(1), 0))
        for symbol, (value, low, high) in zip(symbols, found, strict=True)
    )
    return _written_with(values, outputs_of(claim), about.domain)


def _symbols(count: int, domain: Domain) -> list[Symbol]:
    letter = next(x for x in "vwu" if not any(f"{x}{i}" in domain.names for i in range(count)))
    return [Symbol(f"{letter}{i}", integer=True, nonnegative=True) for i in range(count)]


class _Ranges:
    """Sums in the axes and the uniform ends that conditions give them."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.lows: dict[Polynomial, Polynomial] = {}
        self.highs: dict[Polynomial, Polynomial] = {}

    def add(self, condition: Condition) -> None:
        for known in condition.nonnegative_parts():
            fixed, varying = self._parted(known)
            if not varying:
                continue
            lead = min(varying.terms)
            if varying.terms[lead] > 0:
                self.lows.setdefault(varying, -fixed)
            else:
                self.highs.setdefault(-varying, fixed)

    def _parted(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        uniform = {m: c for m, c in polynomial if all(self.form.atoms[x].is_uniform for x in m)}
        fixed = Polynomial(uniform)
        return fixed, polynomial - fixed

    def closed(self) -> list[tuple[Polynomial, Polynomial, Polynomial]]:
        """The sums with both ends; an end that no condition gives is taken from the ranges of the axes."""
        found = []
        for value in dict.fromkeys((*self.lows, *self.highs)):
            low, high = self._low(value), self.highs.get(value, self.form.bounds.upper(value))
            if low is not None and high is not None:
                found.append((value, low, high))
        return found

    def _low(self, value: Polynomial) -> Polynomial | None:
        if value in self.lows:
            return self.lows[value]
        return ZERO if self.form.bounds.is_nonnegative(value) else self.form.bounds.lower(value)


def _written_with(values: tuple[Value, ...], outputs: tuple[Any, ...], domain: Domain) -> Cut | None:
    """The outputs with the values' symbols in them; None where one of the values does not occur."""
    variables = (*domain.axes, *(value.axis for value in values), *domain.parameters)
    form = NormalForm(Domain(variables, domain.facts), leaves_entries=True)
    polynomials = [form.of(output) for output in outputs]
    for value in values:
        inside, symbol = form.of(value.expression), form.symbol(value.symbol.name)
        written = [_with_value(form, polynomial, inside, symbol) for polynomial in polynomials]
        if written == polynomials:
            return None
        polynomials = written
    symbols = {letter for value in values for letter in form.symbol(value.symbol.name).letters}
    letters = sorted(
        {x for polynomial in polynomials for x in form.digits.split(polynomial).letters} - symbols
    )
    left = [Polynomial.letter(x) for x in letters if not form.atoms[x].is_uniform]
    written_out = [tuple(to_expression(form, part, 0) for part in parts) for parts in (polynomials, left)]
    return Cut(values, *written_out)


def _with_value(form: NormalForm, output: Polynomial, inside: Polynomial, symbol: Polynomial) -> Polynomial:
    """The output with multiples of the sum written by its symbol, led by the term that leaves least."""
    best, least = output, len(output.terms) + 1
    for lead, coefficient in inside:
        if all(form.atoms[letter].is_uniform for letter in lead):
            continue
        times = ZERO
        for monomial, factor in output:
            rest = without(monomial, lead)
            if rest is not None and factor % coefficient == 0:
                times = times + Polynomial({rest: factor // coefficient})
        found = output - times * (inside - symbol)
        if times and len(found.terms) < least:
            best, least = found, len(found.terms)
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
            for rest in _rests(form, letter):
                first, last = form.of(table.first), form.of(table.last)
                place = to_expression(form, Polynomial.letter(letter) + rest - first, 0)
                (symbol,) = _symbols(1, about.domain)
                value = Value(symbol, place, to_expression(form, last - first, 0))
                found = _written_with((value,), outputs_of(claim), about.domain)
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
    if not found or any(
        claim.map.outputs == (to_expression(form, Polynomial.letter(x), 0),) for x, _ in found
    ):
        return None
    symbols = _symbols(len(found), claim.map.domain)
    values = tuple(
        Value(symbol, to_expression(form, Polynomial.letter(x) - form.of(t.lower), 0), t.upper - t.lower)
        for symbol, (x, t) in zip(symbols, found, strict=True)
    )
    return _written_with(values, claim.map.outputs, claim.map.domain)


def _rests(form: NormalForm, letter: int) -> Iterator[Polynomial]:
    """What may be added to an entry without reaching the next: told by ends of axes and by conditions."""
    table, *index = form.atoms[letter].operands
    following = form.atoms.find("entry", (table, *index[:-1], index[-1].plus(1)))
    if following is None:
        return
    room = following - Polynomial.letter(letter)
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
    symbols = dict(zip(above, _symbols(len(above), claim.map.domain), strict=True))
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
