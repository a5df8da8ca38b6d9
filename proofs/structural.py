"""Proofs by normal form alone: fast, for all sizes, and only ever "proved" or "unknown"."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.polynomial import Polynomial
from layoutalg.proofs.decode import Reading
from layoutalg.proofs.filling import why_not_filling
from layoutalg.proofs.tighten import tightened
from layoutalg.rules import NormalForm
from layoutalg.rules.explain import explained
from layoutalg.rules.expression import to_expression
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim, Comparison, IndexMap

__all__ = ["prove_by_structure"]


def prove_by_structure(claim: Claim) -> Verdict:
    """Proved where the normal form shows the claim, else unknown."""
    try:
        return _Structure(claim).verdict()
    except LayoutError as error:
        return Unknown(f"the normal form is undefined here: {error}")


@dataclass
class _Structure:
    claim: Claim

    def verdict(self) -> Verdict:
        claim = self.claim
        if claim.name == "one-to-one" and claim.map is not None:
            return self._one_to_one(claim.map)
        if claim.witness is not None:
            return self._covers(claim.map)
        return self._comparisons()

    def _form(self, domain: Any, when: tuple[Any, ...]) -> NormalForm:
        domain, rest = tightened(domain, when)
        form = NormalForm(domain)
        for condition in rest:
            form.assume(form.of(condition))
        return form

    def _comparisons(self) -> Verdict:
        form = self._form(self.claim.domain, self.claim.when)
        for comparison in self.claim.then:
            if not _shown(form, comparison):
                return Unknown(f"the normal form does not show {comparison}")
        return Proved("normal form", {"steps": _steps(form)})

    def _one_to_one(self, index_map: IndexMap) -> Verdict:
        form = self._form(index_map.domain, index_map.when)
        reading = Reading(form, [form.of(output) for output in index_map.outputs])
        for axis in index_map.domain.axes:
            if not reading.knows_axis(axis.name):
                return Unknown(f"{axis.name} cannot be read back from the digits of the outputs")
        known = [to_expression(form, form.digits.join(Polynomial.letter(x))) for x in sorted(reading.known)]
        return Proved("digits", {"digits read back": [str(k) for k in known], "steps": _steps(form)})

    def _covers(self, index_map: IndexMap | None) -> Verdict:
        if index_map is None:
            return Unknown("the claim is not about a map")
        form = self._form(index_map.domain, index_map.when)
        if not all(map(form.atoms.is_uniform, form.bounds.facts)):
            return Unknown("the conditions restrict more than single axes")
        targets = self.claim.domain.axes[: len(index_map.outputs)]
        outputs = [form.of(output) for output in index_map.outputs]
        reason = why_not_filling(form, outputs, [form.of(target.upper) for target in targets])
        return Unknown(reason) if reason else Proved("digits", {"steps": _steps(form)})


def _shown(form: NormalForm, comparison: Comparison) -> bool:
    gap = form.of(comparison.right) - form.of(comparison.left)
    if comparison.op == "==":
        return not gap
    return form.bounds.is_nonnegative(gap if comparison.op == "<=" else gap.plus(-1))


def _steps(form: NormalForm) -> list[dict[str, str]]:
    return [asdict(step) for step in explained(form)]
