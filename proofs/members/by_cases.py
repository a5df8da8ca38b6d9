"""Proofs that several maps cover together: what the first ones do not reach the last one does.

For each case of a short axis the way back is read from the digits. It leads back where some comparisons hold;
wherever one of them does not, the next case has to.

>>> from sympy import Integer
>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.properties import covers_together
>>> from layoutalg.rules.from_text import parse
>>> n = {"n": (4, None)}
>>> main, rest = Domain.of({"i": "n // 4 * 4"}, n), Domain.of({"j": 3}, n)
>>> tail = IndexMap(rest, (parse("n // 4 * 4 + j", rest),), (parse("n // 4 * 4 + j < n", rest),))
>>> prove_by_cases(covers_together((IndexMap(main, (main["i"],)), tail), (main["n"],), "main and rest"))
proved by cases
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from sympy import Expr, Ge, Gt, Ne

from layoutalg.claim import Claim, Comparison
from layoutalg.errors import LayoutError
from layoutalg.index import Select
from layoutalg.index.node import parts
from layoutalg.proofs.digits.inverse_map import inverse_claim, inverse_of
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.members.by_solver import prove_with_z3_integers
from layoutalg.properties.covers import covers_map
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import IndexMap
    from layoutalg.domain import Variable

__all__ = ["Cases", "case_of", "claims_of_cases", "prove_by_cases"]

MOST = 4  # cases


@dataclass(frozen=True)
class Cases:
    """An axis that says whose index it is, and the way back for each of its values."""

    axis: str
    inverses: tuple[dict[str, Expr], ...]


def prove_by_cases(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where every place is reached in one of the cases, else unknown."""
    if claim.witness is None or claim.map is None:
        return Unknown(NOT_MINE)
    reason = "no axis tells a few maps apart"
    for axis in _selecting(claim.map):
        try:
            found = _cases(claim, axis)
            reason = "in one of the cases the digits of the outputs do not give the index"
            if found is not None:
                reason = "what one case leaves out is not shown to be reached in another"
                shown = _all_shown(claims_of_cases(claim, found), limits)
                if shown is not None:
                    return Proved("cases", {"split": found, "parts": shown})
        except LayoutError as error:
            reason = error.message
    return Unknown(reason)


def claims_of_cases(claim: Claim, cases: Cases) -> tuple[Claim, ...]:
    """For every choice of a comparison of each but the last case: where none holds the last leads back."""
    count = _count(claim, cases.axis)
    if count != len(cases.inverses):
        raise LayoutError(
            f"wanted a way back of each of {count} cases of {cases.axis}, got {len(cases.inverses)}"
        )
    backs = [
        inverse_claim(part, cases.inverses[number]) for number, part in enumerate(_parts(claim, cases.axis))
    ]
    *first, last = backs
    return tuple(
        Claim(
            "inverse",
            claim.subject,
            last.domain,
            last.then,
            tuple(_negated(comparison) for comparison in failing),
        )
        for failing in product(*(back.then for back in first))
        if all(_negated(comparison) is not False for comparison in failing)
    )


def case_of(claim: Claim, axis: str, number: int) -> Claim:
    """What the claim says where the axis has this value."""
    if claim.map is None or not 0 <= number < _count(claim, axis):
        raise LayoutError(f"{axis} has no case {number}")
    lengths = tuple(target.upper for target in claim.domain.axes[: len(claim.map.outputs)])
    return covers_map(claim.map.bind({axis: number}), lengths, claim.subject)


def _parts(claim: Claim, axis: str) -> list[Claim]:
    return [case_of(claim, axis, number) for number in range(_count(claim, axis))]


def _count(claim: Claim, name: str) -> int:
    """How many values the axis has, which are the cases; refused where they cannot be told one by one."""
    if claim.kind != "covers" or claim.map is None:
        raise LayoutError(f"cases show that maps cover together; the claim is {claim.name}")
    found = next((axis for axis in claim.map.domain.axes if axis.name == name and _is_short(axis)), None)
    if found is None:
        raise LayoutError(f"{name} is no axis of the map with 1 to {MOST} values")
    return int(cast("Expr", found.upper))


def _is_short(axis: Variable) -> bool:
    """Whether the axis has each value from 0 to a small constant, and at least one."""
    starts = axis.lower == 0 and axis.multiple_of == 1
    return starts and axis.upper is not None and axis.upper.is_Integer and 0 < axis.upper <= MOST


def _cases(claim: Claim, axis: Variable) -> Cases | None:
    inverses = [inverse_of(part) for part in _parts(claim, axis.name)]
    found = tuple(inverse for inverse in inverses if inverse is not None)
    return Cases(axis.name, found) if len(found) == len(inverses) else None


def _negated(comparison: Comparison) -> Any:
    """The condition that a comparison does not hold; False where it always does."""
    left, right = comparison.left, comparison.right
    if left == right and comparison.op != "<":
        return False
    found = {"==": Ne, "<=": Gt, "<": Ge}[comparison.op](left, right)
    return False if found == False else found  # noqa: E712  SymPy's own


def _selecting(index_map: IndexMap) -> list[Variable]:
    """The short axes by which outputs are selected."""
    selections = [node for node in parts(*index_map.outputs) if isinstance(node, Select)]
    asked = {symbol for node in selections for symbol in node.args[0].free_symbols}
    return [axis for axis in index_map.domain.axes if axis.symbol in asked and _is_short(axis)]


def _all_shown(claims: tuple[Claim, ...], limits: Limits) -> tuple[Verdict, ...] | None:
    found = []
    for part in claims:
        found.append(_shown(part, limits))
        if not isinstance(found[-1], Proved):
            return None
    return tuple(found)


def _shown(part: Claim, limits: Limits) -> Verdict:
    found = prove_by_normal_form(part, limits)
    return found if isinstance(found, Proved) else prove_with_z3_integers(part, limits)
