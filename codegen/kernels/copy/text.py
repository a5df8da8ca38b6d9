"""The statements of a copy: a thread's place, its loads, its stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy

from layoutalg.codegen.kernels.copy.plan import CopyPlan, RunAccesses
from layoutalg.codegen.text.source import INDENT, indented
from layoutalg.codegen.text.speller import Speller

__all__ = ["CopyText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class CopyText:
    """The text of a copy: the types it declares, and its statements."""

    plan: CopyPlan

    @property
    def types(self) -> list[str]:
        """Vector types."""
        widths = sorted({self.plan.loads, self.plan.stores} - {1})
        return [self.plan.kind.declare_vector(width) for width in widths]

    def statements(self) -> list[str]:
        """One statement a line."""
        plan = self.plan
        head = f"const int place = {plan.threads} * blockIdx.x + threadIdx.x;"
        body = [*self._loads(), "", *self._stores()]
        if not (plan.is_cut and plan.is_guarded):
            return [head, "", *body]
        return [head, f"if (place < {plan.places}) {{", *(line.rstrip() for line in indented(body)), "}"]

    @cached_property
    def source(self) -> RunAccesses:
        return RunAccesses(self.plan.source_view)

    @cached_property
    def target(self) -> RunAccesses:
        return RunAccesses(self.plan.target_view)

    @cached_property
    def spell(self) -> Speller:
        return Speller(self.source.domain)

    def _type(self, width: int) -> str:
        return self.plan.kind.hip if width == 1 else self.plan.kind.vector(width)

    def _access(self, width: int, array: str, offset: str, const: str = "") -> str:
        """What is loaded or stored at an offset in an array."""
        if width == 1:
            return f"{array}[{offset}]"
        return f"*reinterpret_cast<{const}{self._type(width)}*>({array} + {offset})"

    def _loads(self) -> Lines:
        plan = self.plan
        if not plan.is_read:
            names = (_loaded(number) for number in range(plan.held // plan.loads))
            yield from (f"const {self._type(plan.loads)} {name} = {{}};" for name in names)
            return
        yield f"const int source = {self.spell(self.source.offset(0))};"
        for number in range(plan.held // plan.loads):
            offset, condition = self._at("source", self.source, number * plan.loads)
            access = self._access(plan.loads, "in", offset, "const ")
            name = f"{self._type(plan.loads)} {_loaded(number)}"
            if condition:
                yield f"{name} = {{}};"
                yield f"if ({condition})"
                yield f"{INDENT}{_loaded(number)} = {access};"
            else:
                yield f"const {name} = {access};"

    def _stores(self) -> Lines:
        plan = self.plan
        yield f"const int target = {self.spell(self.target.offset(0))};"
        for number in range(plan.held // plan.stores):
            offset, condition = self._at("target", self.target, number * plan.stores)
            if condition:
                yield f"if ({condition})"
            indent = INDENT if condition else ""
            yield f"{indent}{self._access(plan.stores, 'out', offset)} = {self._stored(number)};"

    def _stored(self, number: int) -> str:
        """The elements of one store, out of what was loaded."""
        plan = self.plan
        if plan.loads == plan.stores:
            return _loaded(number)
        first = number * plan.stores
        parts = [self._element(first + i) for i in range(plan.stores)]
        return parts[0] if plan.stores == 1 else f"{self._type(plan.stores)}{{{', '.join(parts)}}}"

    def _element(self, number: int) -> str:
        vector, lane = divmod(number, self.plan.loads)
        return _loaded(vector) if self.plan.loads == 1 else f"{_loaded(vector)}[{lane}]"

    def _at(self, name: str, accesses: RunAccesses, element: int) -> tuple[str, str]:
        """Where an element of the run lies, from the first one if all threads agree, and when it is there."""
        offset = accesses.offset(element)
        gap = sympy.expand(offset - accesses.offset(0))
        place = f"({self.spell(offset)})" if gap.free_symbols else f"{name}{self.spell.plus(gap)}"
        conditions = accesses.conditions(element) if self.plan.is_guarded else ()
        return place, " && ".join(map(self.spell, conditions))


def _loaded(number: int) -> str:
    return f"loaded{number}"
