"""Proofs about maps by the digits of their outputs: what can be read back, and what leaves no gap.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> from layoutalg.length import sizes
>>> from layoutalg.properties import covers, one_to_one
>>> M, K = sizes("M K")
>>> pitched = make_naive_tensor_descriptor((M, K), (K + 8, 1))
>>> prove_by_digits(one_to_one(pitched)), prove_by_digits(covers(pitched))
(proved by digits, unknown: it skips values)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.digits.bound_propagation import propagated
from layoutalg.proofs.digits.injectivity import Reading
from layoutalg.proofs.digits.surjectivity import why_not_onto
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_normal_form import form_under
from layoutalg.rules import NormalForm
from layoutalg.rules.polynomial import ONE, ZERO
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.claim import Claim, IndexMap

__all__ = ["prove_by_digits"]


def prove_by_digits(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where the digits show that a map is one-to-one, or that it covers, else unknown."""
    del limits
    try:
        if claim.map is not None and claim.witness is not None:
            return _covers(claim, claim.map)
        if claim.map is not None and claim.kind == "pairs":
            return _one_to_one(claim.map, claim.told)
    except LayoutError as error:
        return Unknown(f"the normal form is undefined here: {error.message}")
    return Unknown(NOT_MINE)


def _one_to_one(index_map: IndexMap, told: tuple[Expr, ...]) -> Verdict:
    form = form_under(index_map.domain, index_map.when)
    outputs = [form.of(output) for output in index_map.outputs]
    reading = Reading(form, outputs)
    for wanted in told:
        value = form.of(wanted)
        is_known = reading.knows_axis(str(wanted)) if wanted.is_Symbol else reading.is_known(value)
        if not (is_known or any(reading.is_known(value - output) for output in outputs)):
            return Unknown(f"{wanted} cannot be read back from the digits of the outputs")
    return Proved("digits")


def _covers(claim: Claim, index_map: IndexMap) -> Verdict:
    domain, rest = propagated(index_map.domain, index_map.when)
    form = NormalForm(domain)
    axes = {axis.symbol for axis in domain.axes}
    if any(fact.free_symbols & axes for fact in domain.facts):
        return Unknown("a fact restricts the axes")
    for axis in domain.axes:
        ends = [end for end in (axis.lower, axis.upper) if end is not None]
        if any(end.free_symbols & axes for end in ends):
            return Unknown(f"the ends of {axis.name} depend on other axes")
        if not _has_values(form, axis.name):
            return Unknown(f"{axis.name} may have no value at all")
    for condition in rest:
        if form.select(form.of(condition), lambda: ONE, lambda: ZERO) != ONE:
            return Unknown("the conditions restrict more than single axes")
    targets = claim.domain.axes[: len(index_map.outputs)]
    outputs = [form.of(output) for output in index_map.outputs]
    reason = why_not_onto(form, outputs, [form.of(target.upper) for target in targets])
    return Unknown(reason) if reason else Proved("digits")


def _has_values(form: NormalForm, axis: str) -> bool:
    """Whether an axis has a value for all sizes."""
    (letter,) = form.symbol(axis).letters
    atom = form.atoms[letter]
    if atom.lower is None or atom.upper is None:
        return atom.lower is None and atom.upper is None
    return form.bounds.is_nonnegative(atom.upper - atom.lower)
