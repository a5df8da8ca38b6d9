"""Deciding a claim with Z3: its negation over integers is unsatisfiable, or a model refutes it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import z3

from layoutalg.errors import LayoutError
from layoutalg.fold import fold
from layoutalg.index import BitNode
from layoutalg.proofs.as_integers import Z3Integers
from layoutalg.rules import NormalForm
from layoutalg.rules.bits import bit_length
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["RLIMIT", "prove_with_z3"]

RLIMIT = 4_000_000  # Z3's own measure of work, the same on every machine; about two seconds
WIDEST = 31  # bits of the operands of bit operations


@cache
def _context() -> z3.Context:
    """One private context: many of them crash some versions of Z3."""
    return z3.Context()


def prove_with_z3(claim: Claim, rlimit: int = RLIMIT) -> Verdict:
    """Proved, refuted by a model not yet confirmed, or unknown within the limit of work."""
    if claim.witness is not None:
        return Unknown("Z3 is not asked for witnesses")
    try:
        solver = _negation(claim)
    except LayoutError as error:
        return Unknown(f"the claim has no form in Z3: {error}")
    solver.set("rlimit", rlimit)
    text = solver.to_smt2()
    try:
        answer = solver.check()
    except z3.Z3Exception as error:
        return Unknown(f"Z3 failed: {error}")
    evidence = {"solver": f"z3 {z3.get_version_string()}", "rlimit": rlimit, "smt2": text}
    if answer == z3.unsat:
        return Proved("z3", evidence)
    if answer == z3.sat:
        return Refuted(_point(claim, solver.model()), "", "z3")
    return Unknown(f"Z3 gave up: {solver.reason_unknown()}")


def _negation(claim: Claim) -> Any:
    context = _context()
    on = Z3Integers(context, _bits(claim))
    symbols = {v.name: z3.Int(v.name, context) for v in claim.domain.variables}

    def value(expression: Any) -> Any:
        return fold(expression, on, lambda symbol: symbols[symbol.name])

    solver = z3.SolverFor("QF_NIA", ctx=context)
    for variable in claim.domain.variables:
        symbol = symbols[variable.name]
        if variable.lower is not None:
            solver.add(value(variable.lower) <= symbol)
        if variable.upper is not None:
            solver.add(symbol < value(variable.upper))
        if variable.multiple_of > 1:
            quotient = z3.Int(f"{variable.name}/{variable.multiple_of}", context)
            solver.add(symbol == variable.multiple_of * quotient)
    for condition in (*claim.domain.facts, *claim.when):
        solver.add(value(condition))
    compare = {"==": on.equal, "<=": on.less_equal, "<": on.less}
    held = [compare[c.op](value(c.left), value(c.right)) for c in claim.then]
    solver.add(z3.Not(z3.And(*held)))
    return solver


def _bits(claim: Claim) -> int:
    """How many bits the operands of bit operations have, at most."""
    sides = [side for c in claim.then for side in (c.left, c.right)]
    nodes = {node for part in (*sides, *claim.when) for node in part.atoms(BitNode)}
    if not nodes:
        return 0
    form = NormalForm(claim.domain)
    widths = [bit_length(form, form.of(operand)) for node in nodes for operand in node.args]
    found = [width for width in widths if width is not None]
    if len(found) < len(widths) or max(found) > WIDEST:
        msg = f"an operand of a bit operation is not below 2**{WIDEST}"
        raise LayoutError(msg)
    return max(found)


def _point(claim: Claim, model: Any) -> dict[str, int]:
    found = {}
    for variable in sorted(claim.domain.variables, key=lambda v: v.name):
        value = model.eval(z3.Int(variable.name, _context()), model_completion=True)
        found[variable.name] = value.as_long()
    return found
