"""Vector access: neighbours along one axis lie next to each other, and the first one is aligned.

Composable Kernel leaves both to the caller: a pad lets a vector length pass without asking whether
the pad is a multiple of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.index import FloorMod

if TYPE_CHECKING:
    from sympy import Symbol

__all__ = ["vector_access"]


def vector_access(index_map: IndexMap, axis: Symbol, width: int, subject: str) -> Claim:
    """Along ``axis`` the offset grows by one, and at its first index is a multiple of ``width``.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"row": 8, "v": 4})
    >>> rows = IndexMap(domain, (16 * domain["row"] + domain["v"],))
    >>> print(vector_access(rows, domain["v"], 4, "rows"))
    vector access: rows: for all 0 <= row < 8, 0 <= v < 4: 16*row + v == 16*row + v and (16*row) % 4 == 0
    """
    (offset,) = index_map.outputs
    first = offset.xreplace({axis: sympy.Integer(0)})
    then = (
        Comparison(offset, "==", first + axis),
        Comparison(FloorMod.unchecked(first, width), "==", sympy.Integer(0)),
    )
    return Claim("vector access", subject, index_map.domain, then, index_map.when, map=index_map)
