"""Linear inequalities over real numbers, given as SMT-LIB 2: whether they contradict each other.

>>> is_contradiction("(declare-const x Real)(assert (>= x 1.0))(assert (>= (- x) 0.0))")
True
>>> is_contradiction("(declare-const x Real)(assert (>= x 1.0))")
False
"""

from __future__ import annotations

import z3

__all__ = ["is_contradiction"]

STEPS = 200_000  # some tenths of a second


def is_contradiction(system: str) -> bool:
    """Whether no numbers satisfy a system; False where that takes too long to find out."""
    solver = z3.SolverFor("QF_LRA")
    solver.set("rlimit", STEPS)
    solver.from_string(system)
    return bool(solver.check() == z3.unsat)
