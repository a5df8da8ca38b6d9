"""Xor permutes: the columns a swizzle names exist.

CK's xor is a permutation of its columns only if their number is a power of two; CK does not check it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from layoutalg.claim import AllOf, Claim, Comparison
from layoutalg.domain import Domain, Variable
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties.arguments import adaptor_of
from layoutalg.transforms import Xor

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["xor_permutes"]


def xor_permutes(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """For every xor of a chain: from rows and columns within their lengths, a column within its length.

    For each row the map is its own inverse, so staying inside is all that a permutation needs.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> print(*xor_permutes(make_naive_tensor_descriptor_packed((8, 6)).xor(0, 1)))
    xor permutes: adaptor: for all 0 <= row < 8, 0 <= column < 6: column ^ row % 6 < 6
    """
    adaptor = adaptor_of(adaptor, "xor permutes")
    row, column = (sympy.Symbol(name, integer=True, nonnegative=True) for name in ("row", "column"))
    claims = []
    for part in dict.fromkeys(part for part in adaptor.transforms if isinstance(part, Xor)):
        rows, columns = map(as_expression, part.low_lengths)
        zero = sympy.Integer(0)
        axes = (Variable(row, zero, rows), Variable(column, zero, columns))
        parameters = adaptor.parameters
        domain = Domain(axes + parameters.variables, parameters.facts)
        _, found = part.lower((row, column), SYMBOLIC)
        claims.append(Claim("xor permutes", subject, domain, (Comparison(found, "<", columns),)))
    return AllOf("xor permutes", subject, claims)
