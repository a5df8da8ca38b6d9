"""The letters of axes and sizes: what a domain declares, as a normal form counts with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom

if TYPE_CHECKING:
    from layoutalg.domain import Variable
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["declared"]


def declared(form: NormalForm, variable: Variable) -> Polynomial:
    """The polynomial of a variable, whose ends may use variables declared before it."""
    lower, upper = (None if end is None else form.of(end) for end in (variable.lower, variable.upper))
    upper = None if upper is None else upper.plus(-1)
    scale = variable.multiple_of
    if scale > 1:
        lower = None if lower is None else form.divided(lower.plus(scale - 1), form.integer(scale))
        upper = None if upper is None else form.divided(upper, form.integer(scale))
    kind = "parameter" if variable.is_parameter else "axis"
    name, symbol = variable.name, variable.symbol
    atom = Atom(kind, (name,), lower, upper, variable.is_parameter, symbol, scale)
    return form.atoms.letter(atom).scaled(scale)
