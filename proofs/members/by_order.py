"""Proofs that two maps have no element in common: where one ends the other begins, at some scale.

Q and K of a token lie one after another: both offsets are ``scale*token + rest``, with a rest of Q that is
always below that of K. Equal offsets would have equal rests.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.properties import disjoint
>>> domain = Domain.of({"t": "T", "d": "D"}, {"T": (1, None), "D": (1, None)})
>>> t, d, D = domain["t"], domain["d"], domain["D"]
>>> q, k = IndexMap(domain, (2 * D * t + d,)), IndexMap(domain, (2 * D * t + D + d,))
>>> prove_by_order(disjoint(q, k, "q and k"))
proved by order
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from sympy import Expr, Integer

from layoutalg.claim import Claim, Comparison
from layoutalg.errors import LayoutError
from layoutalg.proofs.digits.injectivity import read_places
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.properties.together import disjoint_halves
from layoutalg.rules import NormalForm
from layoutalg.rules.extract import to_expression
from layoutalg.rules.polynomial import ONE, Polynomial
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Order", "claims_of_order", "prove_by_order"]

TRIES = 16


@dataclass(frozen=True)
class Order:
    """Both outputs as ``scale*high + rest`` with ``0 <= rest < scale``; the rests, or the highs, never meet.

    ``is_rest``: which of both is in order; ``is_less``: whether that of the first map is the smaller one.
    """

    scale: Expr
    highs: tuple[Expr, Expr]
    rests: tuple[Expr, Expr]
    is_rest: bool
    is_less: bool


def prove_by_order(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where an order is found, else unknown."""
    if not _is_of_two_offsets(claim):
        return Unknown(NOT_MINE)
    try:
        for order in _orders(claim):
            parts = claims_of_order(claim, order)
            verdicts = [prove_by_normal_form(part, limits) for part in reversed(parts)]
            if all(isinstance(verdict, Proved) for verdict in verdicts):
                return Proved("order", {"split": order, "parts": tuple(reversed(verdicts))})
    except LayoutError as error:
        return Unknown(error.message)
    return Unknown("at no scale does one of the maps end where the other begins")


def claims_of_order(claim: Claim, order: Order) -> tuple[Claim, ...]:
    """Claims from which it follows that the two maps have no element in common."""
    if claim.map is None or not _is_of_two_offsets(claim):
        raise LayoutError(f"an order shows that two offsets are never equal; the claim is {claim.name}")
    zero, when = Integer(0), claim.map.when
    then = [
        Comparison(order.scale * high + rest, "==", output)
        for high, rest, output in zip(order.highs, order.rests, claim.map.outputs, strict=True)
    ]
    ends = [
        end
        for rest in order.rests
        for end in (Comparison(zero, "<=", rest), Comparison(rest, "<", order.scale))
    ]
    small, large = order.rests if order.is_rest else order.highs
    if not order.is_less:
        small, large = large, small
    return tuple(
        Claim(name, claim.subject, claim.domain, tuple(found), when)
        for name, found in (
            ("scale and rest", then),
            ("rests", ends),
            ("order", [Comparison(small, "<", large)]),
        )
    )


def _is_of_two_offsets(claim: Claim) -> bool:
    halves = disjoint_halves(claim)
    return halves is not None and len(halves[0]) == 1


def _orders(claim: Claim) -> Iterator[Order]:
    """What may be in order: the outputs themselves, else what is above or below one of their scales."""
    assert claim.map is not None
    form = NormalForm(claim.domain)
    one, other = (form.of(output) for output in claim.map.outputs)
    scales = [ONE]
    for output in (one, other):
        scales += [place.scale for place in read_places(form, output) or () if place.scale not in scales]
    for scale in scales[:TRIES]:
        splits = [form.digits.split(output) for output in (one, other)]
        taken = [tuple(each.divided(scale)[0] for each in written) for written in (splits, (one, other))]
        varying = [tuple(_varying(form, quotient) for quotient in quotients) for quotients in taken]
        for highs in dict.fromkeys((*taken, *varying)):
            rests = [split - scale * high for split, high in zip(splits, highs, strict=True)]
            texts = [
                tuple(to_expression(form, form.digits.join(part), 0) for part in parts)
                for parts in (highs, rests)
            ]
            for is_rest, is_less in product((True, False), (True, False)):
                yield Order(to_expression(form, scale, 0), texts[0], texts[1], is_rest, is_less)


def _varying(form: NormalForm, polynomial: Polynomial) -> Polynomial:
    """The terms that are not fixed: a fixed multiple of the scale may belong to the rest."""
    return Polynomial({m: c for m, c in polynomial if not all(form.atoms[x].is_uniform for x in m)})
