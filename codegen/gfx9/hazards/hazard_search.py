"""Looking for hazards: from every instruction back along all ways to it, as far as a rule reaches.

An instruction counts as one wait state, ``s_nop n`` as ``n + 1``, as LLVM's getWaitStatesSince counts. Two
times that LLVM leaves out count here unless the search is strict: a branch that is taken, and a matrix
instruction that stands in line until the one before it has made its passes.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> lines = ("v_exp_f32 v5, v1", "v_add_f32 v6, v5, v2", "s_endpgm")
>>> kernel = Assembly("kernel", "gfx942", tuple(parse_instruction(line, 1) for line in lines), {}, {})
>>> [(hazard.kind, hazard.register, hazard.wanted, hazard.found) for hazard in hazards_of(kernel)]
[('trans', 'v5', 1, 0)]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.hazards.control_flow import predecessors_of
from layoutalg.codegen.gfx9.hazards.hazard import Hazard
from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule
from layoutalg.codegen.gfx9.hazards.hazard_tables import HAZARD_RULES
from layoutalg.codegen.gfx9.hazards.instruction_uses import InstructionUses, name_of, uses_of

__all__ = ["hazards_of"]

TAKEN_BRANCH = 8  # issues until the next instruction, as in issue_timing


@dataclass(frozen=True)
class Demand:
    """A rule that an instruction is the consumer of, with the registers it takes in that role."""

    rule: HazardRule
    taken: int


@dataclass(frozen=True)
class Step:
    """A place on a way back from a consumer.

    ``passed``: wait states between it and the consumer; ``renewed``: registers that a matrix instruction
    wrote on the way; ``between``: the places on it; ``in_line``: the wait states between the consumer and the
    last matrix instruction on the way, for which earlier ones make their passes first; -1 if there is none.
    """

    place: int
    passed: int
    renewed: int = 0
    between: tuple[int, ...] = ()
    in_line: int = -1


def hazards_of(assembly: Assembly, *, strictly: bool = False) -> tuple[Hazard, ...]:
    """The hazards of a kernel, in the order of the instructions that come too early.

    Of several rules that two instructions break, the one that wants most. ``strictly``: all for which LLVM
    inserts ``s_nop``; otherwise without rules that are disputed, and with the time counted
    that branches and matrix instructions take.
    """
    return _Search(assembly, strictly=strictly).found()


class _Search:
    def __init__(self, assembly: Assembly, *, strictly: bool) -> None:
        self.assembly, self.strictly = assembly, strictly
        self.before = predecessors_of(assembly)
        self.uses = {place: uses_of(assembly.instructions[place], assembly.target) for place in self.before}
        there = frozenset[str]().union(*(uses.classes for uses in self.uses.values()))
        known = (rule for rule in HAZARD_RULES if assembly.target in rule.targets)
        rules = [rule for rule in known if strictly or not rule.is_disputed]
        self.by_consumer: Mapping[str, list[HazardRule]] = defaultdict(list)
        for rule in rules:
            if rule.producer in there:
                self.by_consumer[rule.consumer].append(rule)
        self.has_between = any(rule.between for rule in rules)
        self.given = {place: _given(uses, rules) for place, uses in self.uses.items()}

    def found(self) -> tuple[Hazard, ...]:
        hazards: list[Hazard] = []
        for place in self.before:
            worst: dict[int, Hazard] = {}
            for hazard in self._at(place):
                known = worst.get(hazard.producer)
                if known is None or (hazard.wanted, -hazard.found) > (known.wanted, -known.found):
                    worst[hazard.producer] = hazard
            hazards += [worst[producer] for producer in sorted(worst)]
        return tuple(hazards)

    def _demands(self, place: int) -> list[Demand]:
        uses = self.uses[place]
        rules = (rule for name in uses.classes for rule in self.by_consumer.get(name, ()))
        return [Demand(rule, taken) for rule in rules if (taken := uses.registers.get(rule.takes, 0))]

    def _at(self, consumer: int) -> Iterator[Hazard]:
        """The hazards of which an instruction is the later one."""
        demands = self._demands(consumer)
        if not demands:
            return
        wanted = 0
        for demand in demands:
            wanted |= demand.taken
        most = max(demand.rule.most for demand in demands)
        waiting = self._back(Step(consumer, 0), 0, 0)
        seen: set[tuple[int, int, int, int]] = set()
        while waiting:
            step = self._in_line(waiting.pop())
            key = (step.place, step.passed, step.renewed, step.in_line)
            if key in seen or step.passed >= most:
                continue
            seen.add(key)
            uses, renewed = self.uses[step.place], step.renewed
            if self.given[step.place] & wanted:
                yield from self._between(step, consumer, demands)
                if "mfma" in uses.classes:
                    renewed |= uses.registers["writes"]
            waiting += self._back(step, uses.waits, renewed)

    def _back(self, step: Step, waits: int, renewed: int) -> list[Step]:
        """The steps to the places that lead to one that takes so many wait states."""
        place, found = step.place, []
        between = (*step.between, place) if self.has_between else ()
        for earlier in self.before[place]:
            is_taken = not self.strictly and earlier != place - 1
            passed = step.passed + waits + (TAKEN_BRANCH - 1 if is_taken else 0)
            found.append(Step(earlier, passed, renewed, between, step.in_line))
        return found

    def _in_line(self, step: Step) -> Step:
        """A step to a matrix instruction: others after it have waited for its passes."""
        uses = self.uses[step.place]
        if self.strictly or "mfma" not in uses.classes:
            return step
        passed = step.passed if step.in_line < 0 else max(step.passed, step.in_line + uses.passes)
        return replace(step, passed=passed, in_line=passed)

    def _between(self, step: Step, consumer: int, demands: Sequence[Demand]) -> Iterator[Hazard]:
        """The hazards between two instructions on one way."""
        first, second = self.uses[step.place], self.uses[consumer]
        for demand in demands:
            rule = demand.rule
            wanted = rule.wanted(first.passes)
            if rule.producer not in first.classes or step.passed >= wanted:
                continue
            given = first.registers.get(rule.gives, 0)
            shared = given & demand.taken & ~(step.renewed if rule.looks_for_last else 0)
            if (
                shared
                and rule.same_registers in (None, given == demand.taken)
                and rule.same_mnemonic in (None, first.mnemonic == second.mnemonic)
                and (not rule.between or any(rule.between in self.uses[n].classes for n in step.between))
            ):
                yield Hazard(
                    rule.kind, step.place, consumer, name_of(shared), wanted, step.passed, rule.name,
                    target=self.assembly.target, roles=(rule.takes, rule.gives),
                    mnemonics=tuple(self.assembly.instructions[n].mnemonic for n in (consumer, step.place)),
                )  # fmt: skip


def _given(uses: InstructionUses, rules: Sequence[HazardRule]) -> int:
    """All registers that some rule may find an instruction to give."""
    found = 0
    for role in {rule.gives for rule in rules if rule.producer in uses.classes}:
        found |= uses.registers.get(role, 0)
    return found
