"""Proofs by SMT solvers: the negation of a claim has no model, or a model refutes it.

Three members: Z3 and cvc5 over integers, helped by the rewrites of the normal form as lemmas (Z3 is asked
without them first: most questions take it less time than to find them), and Z3 over machine words, which is
best at xors. A model is a candidate only: ``prove`` evaluates it before anyone sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.extras import install_command
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_normal_form import rewrites
from layoutalg.proofs.smt.integers import integer_text
from layoutalg.proofs.smt.problem import Problem
from layoutalg.proofs.smt.solvers import CVC5, Z3, Answer, Solver
from layoutalg.proofs.smt.table_model import entries_of_model
from layoutalg.proofs.smt.words import word_text
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.claim import Claim

__all__ = ["point_of", "prove_with_cvc5", "prove_with_z3_integers", "prove_with_z3_words", "question"]

MOST_LEMMAS = 40
FIRST = 60_000  # steps of Z3 without lemmas: a few hundredths of a second


def prove_with_z3_integers(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Z3 over unbounded integers."""
    if _has_lemmas(claim, "z3 integers"):
        found = _asked("z3 integers", Z3, min(FIRST, limits.z3), claim, with_lemmas=False)
        if not isinstance(found, Unknown):
            return found
    return _asked("z3 integers", Z3, limits.z3, claim)


def prove_with_cvc5(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """cvc5 over unbounded integers, where it is installed."""
    if not CVC5.is_installed:
        return Unknown(f"cvc5 is not installed ({install_command('recheck')})")
    return _asked("cvc5", CVC5, limits.cvc5, claim)


def prove_with_z3_words(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Z3 over words wide enough for every value; unknown where a value has no known end."""
    return _asked("z3 words", Z3, limits.z3, claim)


def question(claim: Claim, member: str) -> str:
    """The SMT-LIB 2 text a member asks of a claim; refused where the claim has no such form."""
    return _text(_problem(claim, member), member)


def _text(problem: Problem, member: str) -> str:
    return word_text(problem) if member == "z3 words" else integer_text(problem)


def _has_lemmas(claim: Claim, member: str) -> bool:
    return member != "z3 words" and bool(claim.domain.parameters or claim.tables)


def _problem(claim: Claim, member: str) -> Problem:
    steps = rewrites(claim) if _has_lemmas(claim, member) else []
    return Problem.of_claim(claim, steps if len(steps) <= MOST_LEMMAS else ())


def _asked(member: str, solver: Solver, work: int, claim: Claim, *, with_lemmas: bool = True) -> Verdict:
    if claim.witness is not None:
        return Unknown(NOT_MINE)
    try:
        problem = _problem(claim, member) if with_lemmas else Problem.of_claim(claim)
        text = _text(problem, member)
    except LayoutError as error:
        return Unknown(f"{member}: {error.message}")
    answer = solver.ask(text, work)
    if answer.verdict == "unsat":
        return Proved(member, {"solver": f"{solver.name} {solver.version}", "smt2": text, "work": work})
    if answer.verdict == "sat":
        return _refutation(member, claim, problem, answer)
    return Unknown(answer.reason)


def _refutation(member: str, claim: Claim, problem: Problem, answer: Answer) -> Verdict:
    """The point a model names, with entries for the tables."""
    point = point_of(claim, answer.model)
    entries = entries_of_model(claim, problem, answer.model, point) if claim.tables else {}
    if entries is None:
        return Unknown(f"{member} named entries that make no table")
    named: dict[str, Any] = {**point, **entries}
    return Refuted(named, "", member)


def point_of(claim: Claim, model: Mapping[str, int]) -> dict[str, int]:
    """The point of the claim's domain that a model names; a multiple of 64 is kept as its 64th part."""
    point = {}
    for variable in (*claim.domain.parameters, *claim.domain.axes):
        multiple = variable.multiple_of
        name = variable.name if multiple == 1 else f"{variable.name}/{multiple}"
        point[variable.name] = multiple * model.get(name, 0)
    return point
