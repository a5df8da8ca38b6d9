"""Simplified expressions, domains and single transforms."""

from __future__ import annotations

from sympy import Symbol

from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.domain import Domain
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.pictures.view import Formulas, Graph, Lines, Part, View, view_of
from layoutalg.rules import Simplified
from layoutalg.transforms import Transform

__all__ = ["domain_view", "simplified_view", "transform_view"]


@view_of.register
def simplified_view(found: Simplified) -> View:
    """The form, its price, and the steps if they were asked for."""
    parts: list[Part] = [Formulas((("", found.expr),)), Lines((f"cost {found.cost_before} -> {found.cost}",))]
    if found.steps:
        parts.append(Lines(tuple(map(str, found.steps))))
    return View(str(found), tuple(parts))


@view_of.register
def domain_view(domain: Domain) -> View:
    """Variables with their ranges, and facts."""
    return View(str(domain))


@view_of.register
def transform_view(transform: Transform) -> View:
    """The transform as a graph of one, and its map.

    >>> from layoutalg.transforms import Merge
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(transform_view(Merge((4, 8)))).split(chr(10))[-2:])
    ['lower 0 = u0 // 8', 'lower 1 = u0 % 8']
    """
    upper = tuple(
        Symbol(f"u{i}", integer=True, nonnegative=True) for i in range(len(transform.upper_lengths))
    )
    lower = transform.lower(upper, SYMBOLIC)
    below = tuple(range(len(lower)))
    above = tuple(range(len(lower), len(lower) + len(upper)))
    alone = TensorAdaptor((transform,), (below,), (above,), below, above)
    rows = tuple((f"lower {i}", form) for i, form in enumerate(lower))
    valid = transform.is_valid(upper, SYMBOLIC)
    when = () if valid in {True, SYMBOLIC.lift(1) == 1} or str(valid) == "True" else (valid,)
    return View(str(transform), (Graph(alone), Formulas(rows, when)))
