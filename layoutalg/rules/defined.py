"""Whether an operation is defined: its operands are what it needs at every point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from layoutalg.domain.points import blocks, count_at_most
from layoutalg.errors import LayoutError, MissingFactError
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.bounds import strengthened
from layoutalg.rules.condition import Condition
from layoutalg.rules.extract import Extraction, to_expression

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["require_nonnegative"]

FEW = 1 << 16  # points tried where ranges do not decide


def require_nonnegative(
    form: NormalForm, needed: Polynomial, operand: Polynomial, wanted: str, *, quickly: bool = False
) -> None:
    """Refuse unless ``needed >= 0`` is shown, by ranges or by trying all points of a small domain.

    ``quickly`` leaves out the points and the words about the operand.
    """
    if form.bounds.is_nonnegative(needed):
        return
    if quickly:
        raise MissingFactError(wanted)
    if _holds_everywhere(form, needed):
        return
    low, high = form.bounds.interval(form.digits.split(operand))
    lowest = low if isinstance(low, int) else "any negative number"
    text = to_expression(form, operand)
    msg = f"{wanted}: nothing shows it for {text}, which may be as low as {lowest}"
    if high < 0:
        raise MissingFactError(msg, hint="it always is; its last bits are n % 8, n % 16, ...")
    fact = Extraction(form, budget=0).condition(Condition("nonnegative", (strengthened(needed),)))
    raise MissingFactError(msg, hint=f"add the fact {fact}")


def _holds_everywhere(form: NormalForm, needed: Polynomial) -> bool:
    value = to_expression(form, needed, budget=0)
    domain = form.domain.only(value)
    if count_at_most(domain, FEW) is None:
        return False
    symbols = {variable.symbol for variable in domain.variables}
    facts = [to_expression(form, fact, budget=0) for fact in form.bounds.facts]
    facts = [fact for fact in facts if fact.free_symbols <= symbols]
    try:
        for block in blocks(domain):
            size = len(next(iter(block.values()), [0]))
            chosen = np.ones(size, dtype=bool)
            for fact in facts:
                chosen &= np.broadcast_to(evaluate(fact, block) >= 0, size)
            kept = {name: values[chosen] for name, values in block.items()}
            if chosen.any() and not np.all(evaluate(value, kept) >= 0):
                return False
    except LayoutError:
        return False
    return True
