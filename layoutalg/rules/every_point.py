"""What a condition is at every point of a small domain, where it is the same at each.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> answer_at_every_point(parse_term("x*x % 4 < 2"), Domain.of({"x": 60}))
True
>>> answer_at_every_point(parse_term("x < 59"), Domain.of({"x": 60})) is None
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from layoutalg.domain.points import blocks, count_at_most
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.term import interpret_term

if TYPE_CHECKING:
    from layoutalg.domain import Domain
    from layoutalg.term import Term

__all__ = ["answer_at_every_point"]

FEW = 4096  # points looked at


def answer_at_every_point(condition: Term, domain: Domain) -> bool | None:
    """True or false where the condition is that at every point; None where it differs or is not known."""
    if not count_at_most(domain, FEW) or any(part.op in ("entry", "run_of") for part in condition.walk()):
        return None
    answers: set[bool] = set()
    try:
        meaning = interpret_term(condition, SYMBOLIC, domain.__getitem__)
        for block in blocks(domain):
            answers |= {bool(found) for found in np.unique(evaluate(meaning, block))}
    except LayoutError:
        return None
    return answers.pop() if len(answers) == 1 else None
