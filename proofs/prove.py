"""The prover: several ways to decide a claim, cheapest first, and one verdict.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.length import sizes
>>> from layoutalg.properties import memory_bounds, one_to_one
>>> M, K = sizes("M K")
>>> rows = make_naive_tensor_descriptor_packed((M, K))
>>> prove(memory_bounds(rows)), prove(one_to_one(rows))
(proved by normal form, proved by digits)
>>> prove(rows)
proved by normal form, digits
>>> prove(memory_bounds(rows), members=["z3 integers"])
proved by z3 integers
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from layoutalg.claim import Claim
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution
from layoutalg.domain.points import blocks, contains, count_at_most
from layoutalg.errors import BeyondTableError, EmptyRangeError, InternalError, LayoutError, LimitError, shown
from layoutalg.index.evaluate import evaluate
from layoutalg.index.table_values import contradiction
from layoutalg.layout import Layout
from layoutalg.proofs.existence import require_points
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_bits import prove_by_bits
from layoutalg.proofs.members.by_cases import prove_by_cases
from layoutalg.proofs.members.by_composition import prove_by_composition
from layoutalg.proofs.members.by_cut import prove_by_cut
from layoutalg.proofs.members.by_digits import prove_by_digits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.proofs.members.by_instances import refute_by_few_instances, refute_by_instance
from layoutalg.proofs.members.by_inverse import prove_by_inverse
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.members.by_order import prove_by_order
from layoutalg.proofs.members.by_products import prove_by_products
from layoutalg.proofs.members.by_ranges import prove_by_ranges
from layoutalg.proofs.members.by_solver import prove_with_cvc5, prove_with_z3_integers, prove_with_z3_words
from layoutalg.proofs.second_look import counterexample
from layoutalg.proofs.shrink import shrunk
from layoutalg.properties import default_claims
from layoutalg.properties.inside_tables import INSIDE_TABLES, inside_tables
from layoutalg.properties.together import disjoint_halves
from layoutalg.reading.near_names import no_such
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutalg.domain import Domain

__all__ = ["MEMBERS", "PORTFOLIO", "Member", "prove"]


class Member(Protocol):
    """A way to decide claims: proved, refuted by a candidate point, or unknown with a reason."""

    def __call__(self, claim: Claim, limits: Limits = LIMITS) -> Verdict: ...


def _few_points(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    return prove_by_exhaustion(claim, replace(limits, points=min(limits.few, limits.points)))


MEMBERS: Mapping[str, Member] = {
    "normal form": prove_by_normal_form,
    "products": prove_by_products,
    "digits": prove_by_digits,
    "cut": prove_by_cut,
    "inverse": prove_by_inverse,
    "cases": prove_by_cases,
    "order": prove_by_order,
    "composition": prove_by_composition,
    "ranges": prove_by_ranges,
    "bits": prove_by_bits,
    "few points": _few_points,
    "few sizes": refute_by_few_instances,
    "z3 integers": prove_with_z3_integers,
    "small sizes": refute_by_instance,
    "z3 words": prove_with_z3_words,
    "cvc5": prove_with_cvc5,
    "exhaustion": prove_by_exhaustion,
}
PORTFOLIO = tuple(MEMBERS)
SEVERAL = 2  # axes in a condition that make it one about a sum
AT_LENGTH = {"few sizes": "small sizes"}  # whose reason says more than that of the first
CONFIRMED = 1 << 22  # indices that are tried to confirm that none leads to a target: a second's work
ENUMERATED = ("exhaustion", "few points")  # these have looked at every point


def prove(
    claim: Claim | TensorAdaptor | TileDistribution | Layout | Iterable[Claim],
    *,
    members: Sequence[str] = PORTFOLIO,
    limits: Limits = LIMITS,
    shrinks: bool = True,
) -> Verdict:
    """Proved, refuted by a point that the plain evaluator confirmed, or unknown with every member's reason.

    ``claim`` is a claim, several (proved where each is, refuted where one is), or a layout, of which its
    :func:`~layoutalg.properties.default_claims` are proved. ``members`` are asked in turn until one can
    tell: normal form, products of facts, digits of the outputs, cuts and links of the chain (all sizes),
    ranges, rank over bits, every point of a small domain, every point for a few small sizes, Z3 over
    integers, every point for more of them, Z3 over words, cvc5 where installed, every point of a large
    domain. ``shrinks``: a counterexample is told at the smallest numbers that are found, which may take
    longer than to find one.

    Before "proved" is said the claim is looked at once more, at a few points. Raises
    :class:`~layoutalg.errors.LayoutError` for a claim over no points,
    :class:`~layoutalg.errors.LimitError` for one that is too large or too deep, and
    :class:`~layoutalg.errors.InternalError` where a member crashes or proves what fails at a point.

    >>> import layoutalg as la
    >>> M, K = la.sizes("M K")
    >>> la.prove(la.one_to_one(la.make_naive_tensor_descriptor((M, K), (K, 1))))
    proved by digits
    >>> la.prove(la.one_to_one(la.make_naive_tensor_descriptor((4, 8), (7, 1))))
    refuted at i0=0, i1=7, i0'=1, i1'=0: (0, 7) and (1, 0) both map to 7
    """
    _require_members(members)
    asked = _claims(claim)
    verdicts: list[Verdict] = []
    refused: LayoutError | None = None
    for part in asked:
        try:
            if part.name == INSIDE_TABLES:  # claims about the same map have asked it, or will
                verdicts.append(_of_tables(part, tuple(members), limits, shrinks))
            else:
                verdicts.append(_verdict(part, members, limits, shrinks=shrinks))
        except LayoutError as error:  # a part that speaks of no point hides no refutation of another
            refused = refused or error
    found = _together(verdicts) if verdicts else None
    if refused is not None and not isinstance(found, Refuted):
        raise refused
    assert found is not None
    return found


def _require_members(names: Sequence[str]) -> None:
    for name in names:
        if name not in MEMBERS:
            raise no_such("member", name, MEMBERS, where="prove")


def _claims(given: Any) -> tuple[Claim, ...]:
    """The claims that are meant; refused where there is none."""
    if isinstance(given, TensorAdaptor | TileDistribution | Layout):
        given = default_claims(given)
    listed = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for part in listed:
        if not isinstance(part, Claim):
            hint = "layoutalg.properties builds claims, such as one_to_one(layout)"
            raise LayoutError(f"prove: wanted a claim, several, or a layout; got {shown(part)}", hint=hint)
    if not listed:
        msg = f"prove: {given.name if isinstance(given, Claim) else given}: there is nothing to prove"
        raise LayoutError(msg, hint="no part of the layout is concerned")
    return tuple(part for claim in listed for part in claim.parts)


def _together(verdicts: list[Verdict]) -> Verdict:
    """One verdict for all: the first refutation, else what is unknown, else who proved them."""
    if len(verdicts) == 1:
        return verdicts[0]
    refuted = next((verdict for verdict in verdicts if isinstance(verdict, Refuted)), None)
    if refuted is not None:
        return refuted
    unknown = dict.fromkeys(verdict.reason for verdict in verdicts if isinstance(verdict, Unknown))
    if unknown:
        return Unknown("; ".join(unknown))
    by = dict.fromkeys(verdict.by for verdict in verdicts if isinstance(verdict, Proved))
    return Proved(", ".join(by), {"parts": tuple(verdicts)})


def _verdict(claim: Claim, members: Sequence[str], limits: Limits, *, shrinks: bool) -> Verdict:
    _require_tables(claim)
    _require_declared(claim.domain)
    require_points(*_spoken_of(claim))
    reasons: dict[str, None] = {}
    for name in _in_order(claim, members):
        verdict = _asked(name, claim, limits)
        if isinstance(verdict, Refuted):
            verdict = _confirmed(claim, verdict, shrinks=shrinks)
        if isinstance(verdict, Proved):
            _require_no_counterexample(claim, verdict)
            verdict = _where_tables_are_read(claim, verdict, members, limits, shrinks=shrinks)
        if not isinstance(verdict, Unknown):
            return verdict
        if verdict.reason != NOT_MINE and AT_LENGTH.get(name) not in members:
            reasons[verdict.reason] = None
    return Unknown("; ".join(reasons) or NOT_MINE)


def _in_order(claim: Claim, members: Sequence[str]) -> Sequence[str]:
    """The members, cuts before digits where conditions bind sums of axes: digits look long in vain there."""
    if claim.kind != "pairs" or claim.map is None or not {"cut", "digits"} <= set(members):
        return members
    axes = {axis.symbol for axis in claim.map.domain.axes}
    if all(len(condition.free_symbols & axes) < SEVERAL for condition in claim.map.when):
        return members
    return ["cut", *(name for name in members if name != "cut")]


def _require_tables(claim: Claim) -> None:
    """Refuse a claim about tables that cannot be, of which everything would hold."""
    for table in claim.tables:
        why = contradiction(table)
        if why:
            raise LayoutError(f"there is no table {table}: {why}", hint="every claim would hold of it")


def _require_declared(domain: Domain) -> None:
    """Refuse a size of which nothing is said, not even that it is one."""
    ends = [end for one in domain.variables for end in (one.lower, one.upper) if end is not None]
    known = {variable.symbol for variable in domain.variables}
    for symbol in sorted(set[Any]().union(*(end.free_symbols for end in ends)) - known, key=str):
        hint = f'name it in the domain: Domain.of(axes, {{"{symbol}": (1, None)}})'
        raise LayoutError(f"{symbol}: an axis ends at it, and its range is not known", hint=hint)


def _where_tables_are_read(
    claim: Claim, proved: Proved, members: Sequence[str], limits: Limits, *, shrinks: bool
) -> Verdict:
    """The proof, if also each entry that a valid index of the claim's map reads is one that its table has."""
    reads = None if claim.map is None else inside_tables(claim.map, claim.subject)
    if reads is None or claim.name == INSIDE_TABLES:
        return proved
    found = _of_tables(reads, tuple(members), limits, shrinks)
    if isinstance(found, Unknown):
        return Unknown(f"whether all entries that are read lie inside their tables: {found.reason}")
    return found if isinstance(found, Refuted) else proved


@lru_cache(maxsize=64)  # claims of one layout share it; those of a file are asked one after the other
def _of_tables(reads: Claim, members: tuple[str, ...], limits: Limits, shrinks: bool) -> Verdict:  # noqa: FBT001
    return _verdict(reads, members, limits, shrinks=shrinks)


def _spoken_of(claim: Claim) -> tuple[Domain, tuple[Any, ...]]:
    """The points that must exist for a claim to say something: targets, or indices that are valid."""
    if claim.witness is not None:
        return claim.domain, ()
    return (claim.domain, claim.when) if claim.map is None else (claim.map.domain, claim.map.when)


def _asked(name: str, claim: Claim, limits: Limits) -> Verdict:
    try:
        return MEMBERS[name](claim, limits)
    except LayoutError as error:
        return Unknown(f"{name}: {error.message}")
    except RecursionError:
        msg = f"{claim.name} of {claim.subject} is nested too deeply for {name}"
        raise LimitError(msg, hint="name parts of it as layouts of their own") from None
    except (MemoryError, OverflowError) as error:
        msg = f"{claim.name} of {claim.subject} is too large for {name}: {type(error).__name__}"
        raise LimitError(msg, hint="smaller sizes, or fewer levels") from None
    except Exception as error:
        msg = f"{name} failed: {type(error).__name__}: {error}; please report it with the claim: {claim}"
        raise InternalError(msg) from error


def _require_no_counterexample(claim: Claim, proved: Proved) -> None:
    if proved.by in ENUMERATED:
        return
    fails = counterexample(claim)
    if fails is not None:
        msg = f"{proved.by} proves what is false: {fails}; please report it with the claim: {claim}"
        raise InternalError(msg)


def _confirmed(claim: Claim, refuted: Refuted, *, shrinks: bool) -> Verdict:
    """The refutation with its explanation, if the plain evaluator agrees with it."""
    point = dict(refuted.point)
    try:
        if not contains(claim.domain, point) or not claim.fits_tables(point):
            return Unknown(f"{refuted.by} named a point outside the domain: {point}")
        if claim.witness is not None:
            if _is_reached(claim, point):
                return Unknown(f"{refuted.by} named a target that an index reaches: {point}")
            return Refuted(point, _unreached(claim, point), refuted.by, claim=claim)
        beyond = _beyond_a_table(claim, point)
        if beyond:
            return Refuted(point, beyond, refuted.by, claim=claim)
        if bool(claim.holds(point)):
            return Unknown(f"{refuted.by} named a point at which the claim holds: {point}")
        smaller = _smallest(claim, refuted) if shrinks else point
        return Refuted(smaller, _explained(claim, smaller), refuted.by, _values(claim, smaller), claim)
    except LayoutError as error:
        return Unknown(f"{refuted.by} named a point that cannot be evaluated: {error.message}")


def _is_reached(claim: Claim, point: Mapping[str, Any]) -> bool:
    """Whether some index leads to a target: every index is tried, as long as they are not too many."""
    if claim.map is None:
        return False
    try:
        bound = claim.bind({one.name: point[one.name] for one in claim.domain.parameters})
    except EmptyRangeError:
        return False
    bound = bound.with_tables(
        {table.name: point[table.name] for table in bound.tables if table.name in point}
    )
    if bound.map is None or count_at_most(bound.map.domain, CONFIRMED) is None:
        return False
    target = [point[axis.name] for axis in claim.domain.axes]
    for block in blocks(bound.map.domain):
        reaches: Any = True
        for output, wanted in zip(bound.map.outputs, target, strict=False):
            reaches = np.logical_and(reaches, evaluate(output, block) == wanted)
        for condition in bound.map.when:
            reaches = np.logical_and(reaches, evaluate(condition, block))
        if np.any(reaches):
            return True
    return False


def _beyond_a_table(claim: Claim, point: Mapping[str, Any]) -> str:
    """Which entry is read at a valid point that a table does not have; empty where all are there."""
    try:
        claim.holds(point)
    except BeyondTableError as error:
        return error.message
    return ""


def _smallest(claim: Claim, refuted: Refuted) -> dict[str, int]:
    """A point with small numbers: the first among small sizes, else one shrunk from the point found."""
    if refuted.by == "exhaustion" or claim.tables:
        return dict(refuted.point)
    if refuted.by != "small sizes" and claim.domain.parameters:
        small = refute_by_instance(claim)
        if isinstance(small, Refuted) and not claim.holds(small.point):
            return dict(small.point)
    return shrunk(claim, dict(refuted.point))


def _values(claim: Claim, point: dict[str, int]) -> dict[str, int]:
    """What each side of the failing comparisons is at the point."""
    sides = [side for c in claim.then if not c.holds(point) for side in (c.left, c.right)]
    if claim.kind == "pairs" and claim.map is not None:
        sides += claim.map.outputs
    return {str(side): int(evaluate(side, point)) for side in sides if not side.is_Integer}


def _explained(claim: Claim, point: dict[str, int]) -> str:
    if claim.kind == "pairs" and claim.map is not None:
        axes = [axis.name for axis in claim.map.domain.axes]
        one = tuple(point[name] for name in axes)
        other = tuple(point[f"{name}'"] for name in axes)
        outputs = tuple(int(evaluate(output, point)) for output in claim.map.outputs)
        return f"{one} and {other} both map to {outputs[0] if len(outputs) == 1 else outputs}"
    failing = next(c for c in claim.then if not c.holds(point))
    if halves := disjoint_halves(claim):
        place = [int(evaluate(output, point)) for output in halves[0]]
        return f"both have the element {place[0] if len(place) == 1 else tuple(place)}"
    left, right = (int(evaluate(side, point)) for side in (failing.left, failing.right))
    return f"{failing} is false: {left} {failing.op} {right}"


def _unreached(claim: Claim, point: dict[str, int]) -> str:
    target = tuple(point[axis.name] for axis in claim.domain.axes)
    return f"no index maps to {target[0] if len(target) == 1 else target}"
