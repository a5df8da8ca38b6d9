"""The way back from a map's outputs to its index, in closed form.

A map with an inverse on its outputs is one-to-one, and covers what the inverse accepts. The formula is
what a certificate keeps: that it leads back is an equation anyone can check.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> from layoutalg.properties import one_to_one
>>> claim = one_to_one(make_naive_tensor_descriptor((4, 8), (10, 1)))
>>> inverse_of(claim)
{'i0': y0 // 10, 'i1': y0 % 10}
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import BitXor, FloorDiv, FloorMod, Min, RunOf, Select
from layoutalg.index.node import as_expression
from layoutalg.proofs.digits.bound_propagation import propagated
from layoutalg.proofs.digits.injectivity import Place, Reading, ends_of
from layoutalg.rules import NormalForm
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import ONE, Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from layoutalg.index import Table

OPERATIONS: Mapping[str, Callable[..., Expr]] = {
    "floor": FloorDiv.unchecked,
    "min": Min.unchecked,
    "digit": lambda n, scale, base: FloorMod.unchecked(FloorDiv.unchecked(n, scale), base),
}

__all__ = ["inverse_claim", "inverse_domain", "inverse_of", "inverses_of"]


def output_symbols(index_map: IndexMap) -> list[Symbol]:
    """Names for the outputs of a map that none of its variables has: those of the claim ``covers``."""
    names = index_map.domain.names
    count = len(index_map.outputs)
    letter = next(x for x in "yzt" if not any(f"{x}{i}" in names for i in range(count)))
    return [Symbol(f"{letter}{i}", integer=True, nonnegative=True) for i in range(count)]


def inverse_domain(claim: Claim) -> Domain:
    """The names an inverse may use: the outputs, and the parameters."""
    if claim.map is None:
        raise LayoutError(f"only a map has a way back; the claim is {claim.name}")
    outputs = tuple(Variable(symbol, None, None) for symbol in output_symbols(claim.map))
    return Domain(outputs + claim.map.domain.parameters, (), claim.tables)


def inverse_of(claim: Claim) -> dict[str, Expr] | None:
    """The first of :func:`inverses_of`, or None where the digits give none."""
    return next(inverses_of(claim), None)


def inverses_of(claim: Claim) -> Iterator[dict[str, Expr]]:
    """Ways back: each axis (or what is told) as an expression in the outputs.

    Axes that an onto map does not need are set to their lowest value, or one to its highest; where the
    outputs do not tell which these are, one or two of them are tried.
    """
    if claim.map is None:
        return
    whole = _inverse(claim, claim.map)
    if whole is not None:
        yield whole
    for fixed in _fixed(claim.map) if claim.witness is not None else ():
        if any(set(fixed) & as_expression(end).free_symbols for end in fixed.values()):
            continue
        found = _inverse(claim, _without(claim.map, fixed))
        if found is not None:
            yield {**found, **{str(symbol): end for symbol, end in fixed.items()}}


def _fixed(index_map: IndexMap) -> Iterator[dict[Any, Expr]]:
    """Which axes are set to which of their ends, one after another."""
    axes = [axis for axis in reversed(index_map.domain.axes) if axis.lower is not None]
    yield from ({axis.symbol: axis.lower} for axis in axes)
    yield from ({axis.symbol: axis.upper - 1} for axis in axes if axis.upper is not None)
    yield from ({axis.symbol: axis.lower for axis in pair} for pair in combinations(axes, 2))


def _without(index_map: IndexMap, fixed: Mapping[Any, Expr]) -> IndexMap:
    """The map on the indices at which some axes have these values."""

    def at(value: Any) -> Any:
        return None if value is None else value.xreplace(fixed)

    variables = tuple(
        replace(v, lower=at(v.lower), upper=at(v.upper))
        for v in index_map.domain.variables
        if v.symbol not in fixed
    )
    facts = tuple(map(at, index_map.domain.facts))
    when = tuple(condition for condition in map(at, index_map.when) if condition != sympy.true)
    return IndexMap(Domain(variables, facts), tuple(map(at, index_map.outputs)), when)


def _inverse(claim: Claim, index_map: IndexMap) -> dict[str, Expr] | None:
    """The way back that the digits of the outputs give, or None."""
    if sympy.false in index_map.when:
        return None
    try:
        domain, rest = propagated(index_map.domain, index_map.when)
        form = NormalForm(domain)
        for condition in rest:
            form.assume(form.of(condition))
        outputs = [form.of(output) for output in index_map.outputs]
        reading = _Inverse(form, outputs, output_symbols(index_map))
        if claim.witness is None:
            found = {str(wanted): reading.expression(wanted) for wanted in claim.told}
        elif set(outputs) & set(reading.waiting):
            return None
        else:
            found = {axis.name: reading.some_axis(axis.name) for axis in domain.axes}
    except LayoutError:
        return None
    known = set(inverse_domain(claim).names)
    if any(value is None or {s.name for s in value.free_symbols} - known for value in found.values()):
        return None
    return {name: value for name, value in found.items() if value is not None}


def inverse_claim(claim: Claim, inverse: Mapping[str, Expr]) -> Claim:
    """That the inverse leads back: of every index (one-to-one), or to every output (covers)."""
    index_map = claim.map
    if index_map is None or claim.kind == "comparisons":
        raise LayoutError(f"a way back shows that a map is one-to-one or covers; the claim is {claim.name}")
    symbols = output_symbols(index_map)
    if claim.witness is None:
        values = dict(zip(symbols, index_map.outputs, strict=True))
        then = [Comparison(inverse[str(told)].xreplace(values), "==", told) for told in claim.told]
        return Claim("inverse", claim.subject, index_map.domain, tuple(then), index_map.when)
    targets = [axis.symbol for axis in claim.domain.axes[: len(symbols)]]
    named = dict(zip(symbols, targets, strict=True))
    index = {axis.symbol: inverse[axis.name].xreplace(named) for axis in index_map.domain.axes}
    then = []
    for axis in index_map.domain.axes:
        value = index[axis.symbol]
        then += [Comparison(end.xreplace(index), "<=", value) for end in (axis.lower,) if end is not None]
        then += [Comparison(value, "<", end.xreplace(index)) for end in (axis.upper,) if end is not None]
        if axis.multiple_of > 1:
            rest = FloorMod.unchecked(value, sympy.Integer(axis.multiple_of))
            then.append(Comparison(rest, "==", sympy.Integer(0)))
    of_axes = [fact for fact in index_map.domain.facts if fact.free_symbols & set(index)]
    for condition in (*index_map.when, *of_axes):
        chosen = Select.unchecked(condition.xreplace(index), sympy.Integer(1), sympy.Integer(0))
        then.append(Comparison(chosen, "==", sympy.Integer(1)))
    for output, target in zip(index_map.outputs, targets, strict=True):
        then.append(Comparison(output.xreplace(index), "==", target))
    facts = tuple(fact for fact in claim.domain.facts if not fact.free_symbols & set(index))
    return Claim("inverse", claim.subject, Domain(claim.domain.variables, facts), tuple(then))


class _Inverse(Reading):
    """A reading that also writes down how each value is had."""

    asks_facts = True

    def __init__(self, form: NormalForm, outputs: list[Polynomial], symbols: list[Symbol]) -> None:
        self.values: dict[Polynomial, Expr] = dict(zip(outputs, symbols, strict=True))
        self.letters: dict[int, Expr] = {}
        super().__init__(form, outputs)

    def learn(self, output: Polynomial, known: Polynomial, places: list[Place]) -> None:
        rest = self.values[output] - self.value(known)
        for place in places:
            lowest = self._ends(place)[1 if place.is_negative else 0]
            rest += self._fixed(place.scale) * (lowest if place.is_negative else -lowest)
        for place in reversed(places):
            scale, (low, high) = self._fixed(place.scale), self._ends(place)
            digit = rest if place.scale == ONE else FloorDiv.unchecked(rest, scale)
            self.letters[place.letter] = high - digit if place.is_negative else digit + low
            rest = sympy.Integer(0) if place.scale == ONE else FloorMod.unchecked(rest, scale)

    def learn_signed(self, output: Polynomial, known: Polynomial, letter: int, sign: Polynomial) -> None:
        self.letters[letter] = self.value(sign) * (self.values[output] - self.value(known))

    def undo(self, xor: int, unknown: Polynomial, others: list[Polynomial]) -> None:
        values = [self.letters[xor], *map(self.value, others)]
        self.values[unknown] = reduce(BitXor.unchecked, values)

    def learn_run(self, output: Polynomial, known: Polynomial, table: Table, index: Polynomial) -> None:
        self.values[index] = RunOf.unchecked(table, self.values[output] - self.value(known))

    def undo_quotient(self, quotient: int, digit: int | None) -> None:
        number, divisor = self.form.atoms[quotient].operands
        rest = sympy.Integer(0) if digit is None else self.letters[digit]
        self.values[number] = self.value(divisor) * self.letters[quotient] + rest

    def undo_entry(self, letter: int, number: int) -> None:
        del letter, number
        msg = "the index of a table's entry is known by no formula"
        raise LayoutError(msg)

    def axis(self, name: str) -> Expr | None:
        """The axis in terms of the outputs, or None."""
        (letter,) = self.form.symbol(name).letters
        scale = self.form.atoms[letter].multiple_of
        value = self._letter(letter)
        return None if value is None else scale * value

    def expression(self, wanted: Expr) -> Expr | None:
        """An axis, or an expression in axes, in terms of the outputs, or None."""
        if wanted.is_Symbol:
            return self.axis(str(wanted))
        polynomial = self.form.of(wanted)
        return self.value(polynomial) if self.is_known(polynomial) else None

    def some_axis(self, name: str) -> Expr | None:
        """The axis, with the digits that the outputs do not tell taken as lowest."""
        value = self.axis(name)
        if value is not None:
            return value
        (letter,) = self.form.symbol(name).letters
        number, parts = Polynomial.letter(letter), []
        for known in sorted(self.known):
            atom = self.form.atoms[known]
            if atom.kind in ("digit", "floor") and atom.operands[0] == number:
                parts.append(self._fixed(atom.operands[1]) * self._letter(known))
        if parts:
            return sum(parts) * self.form.atoms[letter].multiple_of
        return self.form.domain.variable(name).lower

    def value(self, polynomial: Polynomial) -> Expr:
        """The value of a polynomial all of whose letters are known."""
        total = sympy.Integer(0)
        for monomial, coefficient in self.form.digits.split(polynomial):
            product = sympy.Integer(coefficient)
            for letter in monomial:
                found = self._letter(letter)
                if found is None:
                    msg = "a value is known by no formula"
                    raise LayoutError(msg)
                product *= found
            total += product
        return total

    def _letter(self, letter: int) -> Any:
        if letter in self.letters:
            return self.letters[letter]
        atom = self.form.atoms[letter]
        if atom.is_uniform:
            return self._fixed(Polynomial.letter(letter))
        if atom.kind == "axis":
            if atom.lower is not None and atom.lower == atom.upper:
                return self._fixed(atom.lower)
            digits = self.known_digits(letter)
            if digits is None:
                return None
            return sum(self._fixed(scale) * self._letter(digit) for digit, scale in digits)
        if atom.kind in OPERATIONS and all(map(self.is_known, atom.operands)):
            return OPERATIONS[atom.kind](*map(self.value, atom.operands))
        written = to_expression(self.form, Polynomial.letter(letter))
        names = {axis.name for axis in self.form.domain.axes} & {str(s) for s in written.free_symbols}
        axes = {self.form.domain[name]: self.axis(name) for name in names}
        return None if None in axes.values() else written.xreplace(axes)

    def _fixed(self, polynomial: Polynomial) -> Expr:
        return to_expression(self.form, polynomial)

    def _ends(self, place: Place) -> tuple[Expr, Expr]:
        low, high = ends_of(self.form, place.letter)
        assert low is not None
        assert high is not None
        return self._fixed(low), self._fixed(high)
