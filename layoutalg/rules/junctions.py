"""Conditions joined by and, or: without what the others say already, two as one where one says as much.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"x": (None, None), "y": (None, None)})
>>> form = NormalForm(domain, eliminates=True)
>>> joined(form, form.of(parse("x < 3 and x < y and 2 < x", domain)))
Condition(kind='false', parts=())
>>> joined(form, form.of(parse("x < y or (x < y and y < 4)", domain))) == form.of(parse("x < y", domain))
True
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.rules.choice import decided, minimum, zero
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.entailment import implied, impossible
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["joined", "merged_pairs"]

MOST = 12  # parts of one conjunction that are compared with each other


def joined(form: NormalForm, condition: Condition) -> Condition:
    """The same condition with fewer parts, where all that is known shows that they are not needed."""
    if condition.kind == "or":
        return _all_of(form, [part.negated() for part in _parts(condition)]).negated()
    if condition.kind == "and":
        return _all_of(form, list(_parts(condition)))
    return decided(form, condition)


def _all_of(form: NormalForm, given: Sequence[Condition]) -> Condition:
    """A conjunction; each part is looked at where the others hold."""
    parts = list(_flat("and", given))
    if impossible(form, parts):
        return FALSE
    if len(parts) > MOST:
        return _together(parts)
    for index in reversed(range(len(parts))):
        others = [*parts[:index], *parts[index + 1 :]]
        if implied(form, parts[index], others):
            parts = others
        elif parts[index].kind == "or":
            parts[index] = _within(form, parts[index], others)
    return _without_common(form, _together(_flat("and", parts)))


def _within(form: NormalForm, condition: Condition, others: Sequence[Condition]) -> Condition:
    """An alternative without the cases that the other parts exclude, or that its own others hold."""
    cases = [joined(form, case) for case in _parts(condition)]
    cases = [case for case in cases if not impossible(form, [case, *others])]
    for index in reversed(range(len(cases))):
        rest = [*cases[:index], *cases[index + 1 :]]
        if rest and impossible(form, [cases[index], *others, *(case.negated() for case in rest)]):
            cases = rest
    return reduce(Condition.or_, cases, FALSE)


def _without_common(form: NormalForm, condition: Condition) -> Condition:
    """``(a or b) and (a or c)`` is ``a or b and c``."""
    shared = [set(_parts(part)) if part.kind == "or" else {part} for part in _parts(condition)]
    common = set.intersection(*shared) if len(shared) > 1 else set()
    if not common or condition.kind != "and":
        return condition
    rests = [[part for part in _parts(one) if part not in common] for one in _parts(condition)]
    inner = _all_of(form, [reduce(Condition.or_, rest, FALSE) for rest in rests])
    return reduce(Condition.or_, (p for p in _parts(_parts(condition)[0]) if p in common), inner)


def merged_pairs(form: NormalForm, condition: Condition) -> Iterator[Condition]:
    """A conjunction with two of its parts as one; an alternative likewise."""
    if condition.kind == "or":
        opposite = reduce(Condition.and_, (part.negated() for part in _parts(condition)), TRUE)
        yield from (found.negated() for found in merged_pairs(form, opposite) if found.kind != "true")
        return
    parts = _parts(condition)
    for one, other in combinations(range(len(parts)), 2):
        rest = [part for index, part in enumerate(parts) if index not in (one, other)]
        for found in _as_one(form, parts[one], parts[other]):
            yield reduce(Condition.and_, [found, *rest], TRUE)


def _as_one(form: NormalForm, one: Condition, other: Condition) -> Iterator[Condition]:
    kinds = {one.kind, other.kind}
    if not kinds <= {"nonnegative", "zero", "nonzero"}:
        return
    (first,), (second,) = one.polynomials(), other.polynomials()
    if kinds == {"nonnegative"}:
        if not first + second:
            yield zero(form, first)
        else:
            yield Condition("nonnegative", (minimum(form, first, second),))
    elif kinds == {"nonnegative", "nonzero"}:
        above, gap = (first, second) if one.kind == "nonnegative" else (second, first)
        if above in (gap, -gap):
            yield Condition("nonnegative", (above.plus(-1),))
    elif kinds == {"zero"}:
        for found in _sums(first, second):
            both = [Condition("zero", (first,)), Condition("zero", (second,))]
            if all(implied(form, part, [found]) for part in both):
                yield found


def _sums(first: Polynomial, second: Polynomial) -> Iterator[Condition]:
    """Sums of multiples of both in which a letter cancels."""
    for one, other in ((first, second), (second, first)):
        for letter in sorted(one.letters & other.letters, reverse=True):
            a, b = one.coefficient(letter), other.coefficient(letter)
            if a and b and a.as_integer in (1, -1) and b.as_integer:
                yield Condition("zero", (other - one.scaled(b.as_integer * (a.as_integer or 1)),))


def _flat(kind: str, parts: Iterable[Condition]) -> Iterable[Condition]:
    found: dict[Condition, None] = {}
    for part in parts:
        for one in _parts(part) if part.kind == kind else (part,):
            found[one] = None
    return found


def _parts(condition: Condition) -> tuple[Condition, ...]:
    found = tuple(part for part in condition.parts if isinstance(part, Condition))
    return found if condition.kind in ("and", "or") else (condition,)


def _together(parts: Iterable[Condition]) -> Condition:
    return reduce(Condition.and_, parts, TRUE)
