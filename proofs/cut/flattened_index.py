"""Cuts at flattened indices: sums that conditions bound and that outputs divide.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.properties import one_to_one_map
>>> from layoutalg.rules.from_text import parse
>>> domain = Domain.of({"b": "(H*W + 255)//256", "t": 256}, {"H": (1, None), "W": (1, None)})
>>> guard = parse("256*b + t < H*W", domain)
>>> flipped = IndexMap(domain, (parse("(256*b + t) % W * H + (256*b + t) // W", domain),), (guard,))
>>> cut = cut_at_flattened_indices(one_to_one_map(flipped, "flipped"))
>>> cut.values[0].expression, cut.outputs
(256*b + t, (H*(v0 % W) + v0 // W,))
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from layoutalg.domain import Domain
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.index.node import conjuncts, parts
from layoutalg.proofs.cut.cut import Cut, Value, outputs_of
from layoutalg.proofs.cut.value_ranges import Ranges, new_symbols
from layoutalg.rules import NormalForm
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["cut_at_flattened_indices", "with_what_is_left"]


def cut_at_flattened_indices(claim: Claim) -> Cut | None:
    """At sums held between two ends by conditions, where outputs or conditions divide them.

    ``i = 256*block + thread`` with ``i < N*H*W`` is a value; what becomes of ``i // W`` and ``i % W`` and
    conditions on these, are a map of that value.
    """
    about = claim.speaks_of
    if not about.when or claim.kind not in ("comparisons", "pairs", "covers"):
        return None
    when = conjuncts(*about.when)
    form = NormalForm(about.domain, leaves_entries=True)
    ranges = Ranges(form)
    for condition in when:
        ranges.add(form.of(condition))
    found = [row for row in ranges.closed() if row[0].as_letter is None]
    outputs = outputs_of(claim)
    divided = [n for n in parts(*outputs, *when) if isinstance(n, FloorDiv | FloorMod) and n.args[0].is_Add]
    sums = {node.args[0]: form.of(node.args[0]) for node in divided}
    chosen = [row for row in found if any(_differ_by_size(form, sum_, row[0]) for sum_ in sums.values())]
    symbols = new_symbols(len(chosen), about.domain)
    values, forward = [], {}
    for symbol, (value, low, high) in zip(symbols, chosen, strict=True):
        length = to_expression(form, (high - low).plus(1), 0)
        values.append(Value(symbol, to_expression(form, value - low, 0), length))
        for expression, sum_ in sums.items():
            if _differ_by_size(form, sum_, value):
                forward[expression] = symbol + to_expression(form, sum_ - value + low, 0)
    if not values:
        return None
    bounding = {value for value, _, _ in chosen}
    moved = tuple(
        (condition, condition.xreplace(forward))
        for condition in when
        if condition.xreplace(forward) != condition and not ranges.bounds_only(condition, bounding)
    )
    outputs, told = (tuple(each.xreplace(forward) for each in group) for group in (outputs, claim.told))
    return with_what_is_left(Cut(tuple(values), outputs, (), told, moved), about.domain)


def _differ_by_size(form: NormalForm, one: Polynomial, other: Polynomial) -> bool:
    return form.atoms.is_uniform(one - other)


def with_what_is_left(cut: Cut, domain: Domain) -> Cut | None:
    """The cut with what its outputs take of the axes; None where that mixes axes and values."""
    variables = (*domain.axes, *(value.axis for value in cut.values), *domain.parameters)
    form = NormalForm(Domain(variables, domain.facts), leaves_entries=True)
    values = {value.symbol for value in cut.values}
    axes = {axis.symbol for axis in domain.axes}

    def taken(expressions: tuple[Any, ...]) -> set[Any]:
        letters = {x for each in expressions for x in form.digits.split(form.of(each)).letters}
        return {to_expression(form, Polynomial.letter(x), 0) for x in letters}

    left = {each for each in taken(cut.outputs) if each.free_symbols & axes}
    if any(each.free_symbols & values for each in left):
        return None
    is_told = {each for each in taken(cut.told) if each.free_symbols & axes} <= left
    return replace(cut, left=tuple(sorted(left, key=str)), told=cut.told if is_told else ())
