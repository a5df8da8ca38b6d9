"""Fits: an offset and all that is computed on the way stay within an integer type.

Z3's and SymPy's integers have no end; those of a kernel do, and wrap silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.domain import Domain

__all__ = ["INTEGER_RANGES", "fits_integer"]

INTEGER_RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
}


def fits_integer(
    expressions: tuple[Expr, ...],
    domain: Domain,
    integer: str,
    subject: str,
    when: tuple[Any, ...] = (),
) -> Claim:
    """Every expression stays within the integer type.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"x": 100})
    >>> print(fits_integer((3 * domain["x"],), domain, "uint32", "offset"))
    fits uint32: offset: for all 0 <= x < 100: 0 <= 3*x and 3*x <= 4294967295
    """
    low, high = (sympy.Integer(end) for end in INTEGER_RANGES[integer])
    then = []
    for expression in expressions:
        then += [Comparison(low, "<=", expression), Comparison(expression, "<=", high)]
    return Claim(f"fits {integer}", subject, domain, tuple(then), when)
