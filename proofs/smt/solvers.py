"""SMT solvers as functions from SMT-LIB 2 text to an answer: Z3, and cvc5 where it is installed.

Work is limited by each solver's own count of steps, never by seconds, and every question gets a
context of its own: the same text gets the same answer on any machine, under any load, after any history.

>>> Z3.ask("(declare-const x Int)(assert (> (* 2 x) 6))(assert (< x 4))(check-sat)")
Answer(verdict='unsat', model={}, reason='')
"""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Literal

import z3

from layoutalg.extras import install_command

__all__ = ["CVC5", "SOLVERS", "Z3", "Answer", "Solver"]


@dataclass(frozen=True)
class Answer:
    """What a solver said of a question, with a model where it found one."""

    verdict: Literal["sat", "unsat", "unknown"]
    model: dict[str, int] = field(default_factory=dict)
    reason: str = ""


class Solver(ABC):
    """A solver by name, with the package it comes in and how much work it may do by default."""

    name: str
    package: str
    work: int

    @property
    def version(self) -> str:
        return version(self.package)

    @property
    def is_installed(self) -> bool:
        return importlib.util.find_spec(self.package.partition("-")[0]) is not None

    def ask(self, text: str, work: int | None = None) -> Answer:
        """The answer to a question; a solver that fails has no answer."""
        try:
            return self._ask(text, self.work if work is None else work)
        except (RuntimeError, MemoryError, z3.Z3Exception) as error:
            return Answer("unknown", reason=f"{self.name} failed: {type(error).__name__} {error}")

    @abstractmethod
    def _ask(self, text: str, work: int) -> Answer: ...


class _Z3(Solver):
    """Z3's core, once after simplifying the question and once without.

    Its own strategy for integers is not used: that one tries its parts for some seconds each, so its
    answer would depend on the load of the machine.
    """

    name = "z3"
    package = "z3-solver"
    work = 4_000_000  # about two seconds

    def _ask(self, text: str, work: int) -> Answer:
        if "(set-logic QF_BV)" in text:
            return self._answer(z3.SolverFor("QF_BV", ctx=z3.Context()), text, work)
        first = self._answer(_simplifying(z3.Context()), text, work // 8)
        if first.verdict != "unknown":
            return first
        return self._answer(z3.SimpleSolver(ctx=z3.Context()), text, work)

    def _answer(self, solver: Any, text: str, work: int) -> Answer:
        solver.set("rlimit", work)
        solver.from_string(text)
        found = solver.check()
        if found == z3.unsat:
            return Answer("unsat")
        if found == z3.unknown:
            return Answer("unknown", reason=f"z3 gave up: {solver.reason_unknown()}")
        model = solver.model()
        return Answer("sat", {d.name(): _signed(model[d]) for d in model if _is_number(model[d])})


def _simplifying(context: z3.Context) -> Any:
    tactics = (z3.Tactic(name, context) for name in ("simplify", "propagate-values", "solve-eqs", "smt"))
    return z3.Then(*tactics).solver()


def _is_number(value: Any) -> bool:
    return z3.is_int_value(value) or z3.is_bv_value(value)


def _signed(value: Any) -> int:
    return int(value.as_signed_long() if z3.is_bv_value(value) else value.as_long())


class _Cvc5(Solver):
    name = "cvc5"
    package = "cvc5"
    work = 60_000

    def _ask(self, text: str, work: int) -> Answer:
        if not self.is_installed:
            return Answer("unknown", reason=f"cvc5 is not installed ({install_command('recheck')})")
        import cvc5  # noqa: PLC0415  an optional package

        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("produce-models", "true")
        solver.setOption("rlimit", str(work))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        symbols = parser.getSymbolManager()
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, symbols)).strip() or said
        if said == "unsat":
            return Answer("unsat")
        if said != "sat":
            return Answer("unknown", reason=f"cvc5 gave up: {said}")
        values = {term: solver.getValue(term) for term in symbols.getDeclaredTerms()}
        return Answer("sat", {term.getSymbol(): _cvc5_number(value) for term, value in values.items()})


def _cvc5_number(value: Any) -> int:
    if value.isBitVectorValue():
        number, width = int(value.getBitVectorValue(10)), value.getSort().getBitVectorSize()
        return number - (1 << width) if number >> (width - 1) else number
    return int(value.toPythonObj())


Z3, CVC5 = _Z3(), _Cvc5()
SOLVERS = {solver.name: solver for solver in (Z3, CVC5)}
