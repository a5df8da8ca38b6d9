"""Formulas of a kernel as text, and why a letter in them is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sympy import Expr, Integer

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.compile.source_lines import source_lines
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.lifting.carried_loads import LOADED
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.lane_tables import LaneTables
from layoutalg.codegen.gfx9.lifting.prover_questions import Prove, ProverQuestions
from layoutalg.codegen.gfx9.lifting.uniform_names import UniformNames
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.rules.extract import Extraction
from layoutalg.rules.polynomial import Polynomial

__all__ = ["Formulas"]

BUDGET = 200  # written forms compared for one formula


@dataclass
class Formulas:
    """What the accesses of one kernel share: code, algebra, the bytes of its buffers and of its LDS.

    ``prove``: a prover of claims; ``turns``: the names of the letters that count turns of loops.
    """

    assembly: Assembly
    start: KernelStart
    extents: Mapping[str, Expr]
    code_object: bytes
    lds_bytes: int
    prove: Prove | None = None
    turns: list[str] = field(default_factory=list)
    _texts: dict[Polynomial, str] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.assembly.target

    @property
    def waves(self) -> int:
        """The waves of a workgroup."""
        return self.start.waves

    @property
    def words(self) -> Words:
        """The algebra of the formulas."""
        return self.start.words

    @cached_property
    def tables(self) -> LaneTables:
        """Numbers for all lanes of a workgroup, or of the whole launch where that is small."""
        return LaneTables.of_launch(self.start) or self.lanes

    @cached_property
    def lanes(self) -> LaneTables:
        """Numbers for all lanes of a workgroup."""
        return LaneTables(self.start)

    def require_points(self) -> None:
        """Refuse sizes and facts that contradict each other, of which everything could be shown."""
        if self.prove is not None:
            nothing = Comparison(Integer(0), "==", Integer(0))
            self.prove(Claim("declared", "sizes, facts and launch", self.start.domain, (nothing,)))

    @cached_property
    def questions(self) -> ProverQuestions:
        """The provers, for what ranges and facts leave open."""
        return ProverQuestions(self.words, self.prove)

    def implied(self, inside: int, guard: int) -> bool:
        """Whether a guard is shown to hold wherever another one does: lane by lane, or by the provers."""
        given, wanted = self.tables.truths(inside), self.tables.truths(guard)
        if given is not None and wanted is not None:
            return bool((wanted | ~given).all())
        return self.questions.implied(inside, guard)

    @cached_property
    def _extraction(self) -> Extraction:
        return Extraction(self.words.form, budget=BUDGET)

    def text(self, polynomial: Polynomial) -> str:
        """A polynomial as text."""
        if polynomial not in self._texts:
            self._extraction.budget = BUDGET
            self._texts[polynomial] = str(self._extraction.term(polynomial))
        return self._texts[polynomial]

    @cached_property
    def names(self) -> UniformNames:
        """Names for long parts of formulas that are the same in a whole workgroup."""
        return UniformNames(self.words, self.text)

    def text_of_guard(self, guard: int, inside: int, *, is_short: bool = False) -> str:
        """A guard as text, without what holds inside of another one; empty where it always holds."""
        guards = self.words.guards
        condition = guards.condition(guards.given(guard, inside))
        if condition is None:
            return "lanes that are no formula"
        if condition.is_decided:
            return "" if condition.kind == "true" else "never"
        if is_short:
            condition = self.names.shortened_condition(condition)
        self._extraction.budget = BUDGET
        return str(self._extraction.condition(condition))

    def line_of(self, place: int) -> str:
        """The source line of an instruction, if the code object has lines."""
        address = self.assembly.instructions[place].address
        line = None if address is None else source_lines(self.code_object).at(address)
        return "" if line is None else str(line)

    def reason(self, letter: int) -> str:
        """Why a letter is no formula; empty where it is one."""
        words = self.words
        if letter in words.wraps:
            wrap = words.wraps[letter]
            low, high = (0, wrap.high) if wrap.low == 0 else (wrap.low, wrap.high)
            at = self.assembly.instructions[wrap.place].text if wrap.place >= 0 else ""
            return f"not shown: {low} <= {self.text(wrap.number)} < {high}, wanted by {at}"
        if letter in words.opaque:
            known = words.opaque[letter]
            at = self.assembly.instructions[known.place].text if known.place >= 0 else ""
            if LOADED in known.name:
                place = int(known.name.rpartition(LOADED)[2])
                return f"data-dependent: {self.assembly.instructions[place].text}"
            return f"{known.name}: {at}"
        return ""
