"""Proofs by products of facts: what must not be negative, as a sum of facts times what is not negative.

Bounds of offsets are so: ``K*m + k`` below what is known of ``(K + 64)*(M + 256)``. Solvers find them too,
in a second where this takes a millisecond, and give up on some.

>>> from layoutalg.claim import Claim, Comparison
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> axes = {"w": "(M + 255)//256", "r": 256}
>>> domain = Domain.of(axes, {"M": (1, None), "K": (4, None, 4)}, ["(K + 16)*(M + 256) < 2**31"])
>>> offset = parse("K*(256*w + r)", domain)
>>> prove_by_products(Claim("fits int32", "rows", domain, (Comparison(offset, "<", 2**31),)))
proved by products
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.members.by_normal_form import gap_of, is_shown, judged
from layoutalg.rules.products_of_facts import shown_nonnegative
from layoutalg.verdict import Proved, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim, Comparison
    from layoutalg.rules import NormalForm

__all__ = ["prove_by_products"]


def prove_by_products(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where each comparison is shown so or by the normal form, else unknown."""
    del limits
    return judged(claim, _is_shown, Proved("products"), "products of facts do not show")


def _is_shown(form: NormalForm, comparison: Comparison) -> bool:
    if is_shown(form, comparison):
        return True
    return comparison.op != "==" and shown_nonnegative(form, gap_of(form, comparison))
