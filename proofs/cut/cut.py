"""A map in two parts, and what each part must hold so that the whole does.

A tile guarded by ``row < M`` first makes ``128*block + row`` of its index, a value of ``0 <= value < M``
wherever the guard holds; the offset is a map of that value. Then bounds of the offset are bounds over the box
of values, and the map is one-to-one or onto where both parts are. The part of a tile that lies inside the
matrix is so a map of its own, from a box to a box, and nothing else of the guard is looked at.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.properties import one_to_one_map
>>> from layoutalg.rules.from_text import parse
>>> domain = Domain.of({"b": "(M + 127)//128", "row": 128, "k": "K"}, {"M": (1, None), "K": (1, None)})
>>> offset, guard = parse("(128*b + row)*K + k", domain), parse("128*b + row < M", domain)
>>> v0 = Symbol("v0", integer=True, nonnegative=True)
>>> value, k = Value(v0, parse("128*b + row", domain), domain["M"]), domain["k"]
>>> cut = Cut((value,), (domain["K"] * v0 + k,), (k,))
>>> for claim in claims_of_parts(one_to_one_map(IndexMap(domain, (offset,), (guard,)), "a"), cut):
...     print(claim.name, claim.map.outputs if claim.map else claim.then[-1])
values in range 128*b + row < M
same outputs K*(128*b + row) + k == K*(128*b + row) + k
one-to-one (K*v0 + k,)
one-to-one (128*b + row, k)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sympy import Expr, Ge, Integer, Mul, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import Entry, Select
from layoutalg.index.node import conjuncts
from layoutalg.properties.covers import covers_map
from layoutalg.properties.one_to_one import paired

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Cut", "Value", "claims_of_parts", "outputs_of"]


@dataclass(frozen=True)
class Value:
    """``0 <= expression < length`` wherever the map is valid; ``symbol`` stands for it in the second part."""

    symbol: Symbol
    expression: Expr
    length: Expr

    @property
    def axis(self) -> Variable:
        return Variable(self.symbol, Integer(0), self.length)


@dataclass(frozen=True)
class Cut:
    """The values, and the outputs of :func:`outputs_of` written with them and the axes that are left.

    ``left``: what the outputs take of these axes; the axes themselves, or digits of them. ``told``: what a
    claim about pairs tells, if values and what is left say it. ``when``: conditions that speak of the values
    too, as the map has them and as the second part does.
    """

    values: tuple[Value, ...]
    outputs: tuple[Expr, ...]
    left: tuple[Expr, ...] = ()
    told: tuple[Expr, ...] = ()
    when: tuple[tuple[Any, Any], ...] = ()

    @property
    def back(self) -> dict[Any, Any]:
        """The values in place of their symbols."""
        return {value.symbol: value.expression for value in self.values}


def outputs_of(claim: Claim) -> tuple[Expr, ...]:
    """What a cut rewrites: the outputs of the map; of comparisons both sides."""
    if claim.kind != "comparisons" and claim.map is not None:
        return claim.map.outputs
    return tuple(side for c in claim.then for side in (c.left, c.right))


def claims_of_parts(claim: Claim, cut: Cut) -> tuple[Claim, ...]:
    """Claims from which the claim follows; refused where the parts cannot say it."""
    whole = _Whole(_with_targets(claim))
    whole.moved = {old for old, _ in cut.when}
    if not whole.moved <= set(whole.when):
        raise LayoutError("the cut speaks of conditions that the claim does not have")
    return (*_link(whole, cut), *_PARTS[claim.kind](whole, cut))


def _with_targets(claim: Claim) -> Claim:
    """The claim where there is something to be covered: of none it says nothing."""
    if claim.witness is None or claim.map is None:
        return claim
    factors = [f for axis in claim.domain.axes if axis.upper is not None for f in Mul.make_args(axis.upper)]
    open_ones = [f for f in factors if f.is_Symbol and f.is_nonnegative and not f.is_positive]
    if not open_ones or not all(factor.is_nonnegative for factor in factors):
        return claim
    facts = tuple(Ge(factor, 1) for factor in open_ones)
    index_map = replace(claim.map, domain=claim.map.domain.where(*facts))
    return replace(claim, domain=claim.domain.where(*facts), map=index_map)


class _Whole:
    """The map a claim is about, or the points it speaks of."""

    def __init__(self, claim: Claim) -> None:
        about = claim.speaks_of
        self.claim = claim
        self.domain = about.domain
        self.when = conjuncts(*about.when)
        self.axes = {axis.symbol: axis for axis in self.domain.axes}
        self.moved: set[Any] = set()  # conditions that the second part has

    @property
    def sizes(self) -> set[Any]:
        return {parameter.symbol for parameter in self.domain.parameters}

    def axes_in(self, expressions: Iterable[Any]) -> dict[Any, Variable]:
        """The axes that occur, with those in their ends, in the order of the domain."""
        names = {symbol for expression in expressions for symbol in expression.free_symbols}
        for axis in reversed(self.domain.axes):
            if axis.symbol in names:
                names |= {s for end in (axis.lower, axis.upper) if end is not None for s in end.free_symbols}
        return {symbol: axis for symbol, axis in self.axes.items() if symbol in names}

    def about(self, axes: Sequence[Variable]) -> Domain:
        """A domain of these axes with the sizes and what is known of both."""
        names = {axis.symbol for axis in axes} | self.sizes
        facts = tuple(fact for fact in self.domain.facts if fact.free_symbols <= names)
        return Domain((*axes, *self.domain.parameters), facts)

    def conditions_on(self, axes: Iterable[Any]) -> tuple[Any, ...]:
        """The conditions that speak of no other axes."""
        names = set(axes) | self.sizes
        return tuple(c for c in self.when if c not in self.moved and c.free_symbols <= names)


def _link(whole: _Whole, cut: Cut) -> tuple[Claim, ...]:
    """That values lie in their ranges, and that the second part makes the same outputs of them."""
    ends = tuple(
        comparison
        for value in cut.values
        for comparison in (
            Comparison(Integer(0), "<=", value.expression),
            Comparison(value.expression, "<", value.length),
        )
    )
    told = whole.claim.told if cut.told else ()
    pairs = zip((*cut.outputs, *cut.told), (*outputs_of(whole.claim), *told), strict=True)
    same = tuple(Comparison(new.xreplace(cut.back), "==", old) for new, old in pairs)
    subject, kept = whole.claim.subject, tuple(c for c in whole.when if c not in whole.moved)
    found = [
        Claim("values in range", subject, whole.domain, ends, kept),
        Claim("same outputs", subject, whole.domain, same, whole.when),
    ]
    if cut.when:
        old, new = zip(*cut.when, strict=True)
        again = tuple(condition.xreplace(cut.back) for condition in new)
        found.append(_follow("same conditions", whole, (*kept, *old), again))
        if whole.claim.kind == "covers":
            found.append(_follow("same conditions", whole, (*kept, *again), old))
    return tuple(found)


def _follow(name: str, whole: _Whole, given: tuple[Any, ...], then: tuple[Any, ...]) -> Claim:
    one, zero = Integer(1), Integer(0)
    hold = tuple(Comparison(Select.unchecked(condition, one, zero), "==", one) for condition in then)
    return Claim(name, whole.claim.subject, whole.domain, hold, given)


def _second_part(whole: _Whole, cut: Cut) -> tuple[Domain, dict[Any, Variable]]:
    """The domain of the values and of the axes that are left, and these."""
    left = whole.axes_in(cut.outputs)
    return whole.about((*left.values(), *(value.axis for value in cut.values))), left


def _comparisons(whole: _Whole, cut: Cut) -> tuple[Claim, ...]:
    domain, left = _second_part(whole, cut)
    sides = iter(cut.outputs)
    then = tuple(Comparison(next(sides), c.op, next(sides)) for c in whole.claim.then)
    when = (*whole.conditions_on(left), *(new for _, new in cut.when))
    return (Claim(whole.claim.name, whole.claim.subject, domain, then, when),)


def _pairs(whole: _Whole, cut: Cut) -> tuple[Claim, ...]:
    claim = whole.claim
    domain, left = _second_part(whole, cut)
    when = (*whole.conditions_on(left), *(new for _, new in cut.when))
    second = IndexMap(domain, cut.outputs, when)
    if cut.told:
        return (paired(claim.name, second, cut.told, claim.subject),)
    values = [value.symbol for value in cut.values]
    found = [paired(claim.name, second, (*values, *cut.left), claim.subject)]
    first: list[Expr] = []
    for value in cut.back.values():
        if isinstance(value, Entry) and value.table.is_one_to_one:
            of_entry = IndexMap(whole.domain, (value,), whole.when)
            found.append(paired(claim.name, of_entry, value.index, claim.subject))
            first += value.index
        else:
            first.append(value)
    index_map = IndexMap(whole.domain, (*first, *cut.left), whole.when)
    return (*found, paired(claim.name, index_map, claim.told, claim.subject))


def _covers(whole: _Whole, cut: Cut) -> tuple[Claim, ...]:
    claim = whole.claim
    if any(fact.free_symbols - whole.sizes for fact in whole.domain.facts):
        raise LayoutError("a fact restricts the axes")
    domain, left = _second_part(whole, cut)
    if any(axis.lower != 0 or axis.upper is None or axis.multiple_of > 1 for axis in left.values()):
        raise LayoutError("an axis that is left is no plain length")
    lengths = tuple(target.upper for target in claim.domain.axes[: len(cut.outputs)])
    outputs = [(value.expression, value.length) for value in cut.values]
    outputs += [(symbol, axis.upper) for symbol, axis in left.items()]
    groups = _groups(whole, outputs)
    as_they_are = [group for group in groups if group <= set(left) and not _makes_a_value(group, cut)]
    when = [new for _, new in cut.when]
    when += [condition for group in as_they_are for condition in whole.conditions_on(group)]
    second = covers_map(IndexMap(domain, cut.outputs, tuple(when)), lengths, claim.subject)
    return (second, *(_onto_group(whole, group, outputs) for group in groups if group not in as_they_are))


def _makes_a_value(group: set[Any], cut: Cut) -> bool:
    return any(value.expression.free_symbols & group for value in cut.values)


def _groups(whole: _Whole, outputs: Sequence[tuple[Any, Any]]) -> list[set[Any]]:
    """The axes that outputs, conditions and ends tie together; groups are independent of each other."""
    tied = [set(whole.axes_in([expression])) for expression, _ in outputs]
    tied += [set(whole.axes_in([condition])) for condition in whole.when if condition not in whole.moved]
    tied += [set(whole.axes_in([axis.symbol])) for axis in whole.domain.axes]
    groups: list[set[Any]] = []
    for axes in tied:
        together = [group for group in groups if group & axes]
        groups = [group for group in groups if not group & axes]
        groups.append(axes.union(*together))
    return [group for group in groups if group]


def _onto_group(whole: _Whole, group: set[Any], outputs: Sequence[tuple[Any, Any]]) -> Claim:
    """The axes of a group reach every combination of the values they make."""
    mine = [(value, length) for value, length in outputs if value.free_symbols & group]
    axes = [axis for axis in whole.domain.axes if axis.symbol in group]
    if not mine:
        mine = [(Integer(0), Integer(1))]  # nothing is made of them: there must be a point
    index_map = IndexMap(whole.about(axes), tuple(value for value, _ in mine), whole.conditions_on(group))
    return covers_map(index_map, tuple(length for _, length in mine), whole.claim.subject)


_PARTS = {"comparisons": _comparisons, "pairs": _pairs, "covers": _covers}
