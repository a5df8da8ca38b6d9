"""Sizes without a largest value, in a language whose integers end.

Each is taken to be at most what ``int32_t`` holds, as CK's ``index_t`` is, or less where ``int64_t`` would
not hold the values then; texts say so and check it.

>>> domain = Domain.of({"i": "K"}, {"K": (1, None), "M": (1, 8)})
>>> open_sizes(domain), closed(domain, 31)
(('K',), Domain: 0 <= i < K; for all 1 <= K <= 2147483647, 1 <= M <= 8)
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer

from layoutalg.domain import Domain, Variable
from layoutalg.index_code.formulas import Formulas

__all__ = ["closed", "closed_formulas", "open_sizes"]


def open_sizes(domain: Domain) -> tuple[str, ...]:
    """The names of parameters that have no largest value."""
    return tuple(size.name for size in domain.parameters if size.upper is None)


def closed(domain: Domain, bits: int) -> Domain:
    """The domain with open ends of parameters at ``2**bits - 1``, or well beyond a large lower end."""
    return replace(domain, variables=tuple(_closed(variable, bits) for variable in domain.variables))


def closed_formulas(formulas: Formulas, bits: int) -> Formulas:
    """The formulas over closed domains."""
    found = replace(formulas, domain=closed(formulas.domain, bits))
    if found.advance is None:
        return found
    return replace(found, advance=replace(found.advance, domain=closed(found.advance.domain, bits)))


def _closed(variable: Variable, bits: int) -> Variable:
    if not variable.is_parameter or variable.upper is not None:
        return variable
    least = 0 if variable.lower is None else int(variable.lower)
    return replace(variable, upper=Integer(max((1 << bits) - 1, 2 * least)) + 1)
