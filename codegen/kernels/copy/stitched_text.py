"""The statements of a stitched copy: for each row a vector wherever it begins, then one store.

Near the ends of the source's memory, where a vector would reach beyond them, a thread loads its elements one
by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from layoutalg.codegen.kernels.copy.stitched_plan import RowPart, StitchedPlan
from layoutalg.codegen.kernels.plain_bounds import as_bound
from layoutalg.codegen.text.source import INDENT, indented
from layoutalg.codegen.text.speller import Speller

__all__ = ["StitchedText"]

Lines = Iterator[str]


@dataclass(frozen=True)
class StitchedText:
    """The text of a stitched copy: the types it declares, and its statements."""

    plan: StitchedPlan

    @property
    def types(self) -> list[str]:
        """A vector that is aligned, and one that begins anywhere."""
        kind, held = self.plan.kind, self.plan.held
        return [kind.declare_vector(held), kind.declare_vector_anywhere(held)]

    def statements(self) -> list[str]:
        """One statement a line."""
        plan = self.plan
        lines = [f"const int place = {plan.threads} * blockIdx.x + threadIdx.x;"]
        body = [line.rstrip() for line in self._run()]
        if plan.places == plan.blocks * plan.threads:
            return [*lines, *body]
        return [*lines, f"if (place < {plan.places}) {{", *_inside(body), "}"]

    def _run(self) -> Lines:
        """A whole vector: where it begins, its parts, and the store."""
        plan = self.plan
        vector, last = plan.kind.vector(plan.held), plan.elements - plan.held
        first, begin = f"{plan.held} * place", "first"
        if plan.tail:
            yield f"const int first = place < {plan.whole} ? {first} : {last};"
        else:
            begin = first
        yield f"{vector} run = {{}};"
        if plan.rows > 1 and plan.each_part:
            yield f"const int row0 = {begin} / {plan.row};"
            begin = f"{begin} - {plan.row} * row0"
        parts = [line for part in plan.each_part for line in self._part(part)]
        if any(re.search(r"\bat0\b", line) for line in parts):
            yield f"const int at0 = {begin};"
        yield from parts
        yield from self._stored(f"*reinterpret_cast<{vector}*>(out + {first}) = run;")

    def _stored(self, store: str) -> Lines:
        """The vector as a whole, or the elements after the last whole one."""
        plan = self.plan
        if not plan.tail:
            yield store
            return
        yield f"if (place < {plan.whole}) {{"
        yield f"{INDENT}{store}"
        yield "} else {"
        for element in range(plan.held - plan.tail, plan.held):
            yield f"{INDENT}out[{plan.elements - plan.held + element}] = run[{element}];"
        yield "}"

    def _part(self, part: RowPart) -> Lines:
        """What the run has of one row."""
        spell = Speller(part.domain())
        body = [f"const int start{part.number} = {spell(part.start.xreplace(self._one_row(part)))};"]
        body += self._conditions(part)
        body += self._loaded(part)
        for element in part.elements:
            asked = self._asked(part, element)
            if asked is not None:
                condition = f"if (is{part.number}_{element}) " if asked else ""
                body.append(f"{condition}run[{element}] = part{part.number}[{element}];")
        yield ""
        if part.number == 0:
            yield from body
            return
        before, used = part.number * self.plan.row, set(re.findall(r"\w+", "\n".join(body)))
        values = {part.row.name: f"row0 + {part.number}", part.at.name: f"at0 - {before}"}
        declared = ", ".join(f"{name} = {value}" for name, value in values.items() if name in used)
        yield f"if ({before - self.plan.held} < at0) {{"
        yield f"{INDENT}const int {declared};"
        yield from indented(body)
        yield "}"

    def _loaded(self, part: RowPart) -> Lines:
        """The vector from the row, or its elements one by one."""
        plan, number = self.plan, part.number
        vector = plan.kind.vector_anywhere(plan.held)
        load = f"*reinterpret_cast<const {vector}*>(in + start{number})"
        begins, ends = (not part.is_always(one) for one in part.is_inside)
        if not begins and not ends:
            yield f"const {vector} part{number} = {load};"
            return
        before, after = (list(self._one_by_one(part, some)) for some in part.near_ends)
        yield f"{vector} part{number} = {{}};"
        asked = [f"0 <= start{number}"] if begins and not before else []
        asked += [f"start{number} <= {plan.space - plan.held}"] if ends else []
        branches = [(f"start{number} < 0", before)] if before else []
        branches += [(" && ".join(asked), [f"{INDENT}part{number} = {load};"])]
        branches += [(f"{plan.space - plan.held} < start{number}", after)] if after else []
        for count, (condition, lines) in enumerate(branches):
            opened = f"if ({condition}) {{" if condition else "{"
            yield f"}} else {opened}" if count else opened
            yield from lines
        yield "}"

    def _one_by_one(self, part: RowPart, elements: range) -> Lines:
        """Loads of single elements, each where it is there."""
        for element in elements:
            condition = f"if (is{part.number}_{element}) " if self._asked(part, element) else ""
            gap = f" + {element}" if element else ""
            yield f"{INDENT}{condition}part{part.number}[{element}] = in[start{part.number}{gap}];"

    def _conditions(self, part: RowPart) -> Lines:
        """For each element whether it is one of the row, and no padding."""
        words = self._of_row(part)
        if words:
            yield f"const bool is{part.number} = {' && '.join(words)};"
        for element in part.elements:
            if asked := self._asked(part, element):
                yield f"const bool is{part.number}_{element} = {' && '.join(asked)};"

    def _of_row(self, part: RowPart) -> list[str]:
        """What is asked of a row as a whole."""
        spell = Speller(part.domain())
        once = (one for one in part.valid(0) if part.at not in one.free_symbols)
        return [spell(one.xreplace(self._one_row(part))) for one in once]

    def _asked(self, part: RowPart, element: int) -> list[str] | None:
        """What is asked of one element, at which places of the run and else; None if it is never there."""
        found = [f"is{part.number}"] if self._of_row(part) else []
        every, (low, high) = part.domain().variable(part.at), _ends(part, element)
        assert every.lower is not None
        assert every.upper is not None
        first, last = int(every.lower), int(every.upper) - 1
        if max(low, first) > min(high, last):
            return None
        found += [f"{low} <= {part.at}"] if low > first else []
        found += [f"{part.at} <= {high}"] if high < last else []
        spell = Speller(part.domain(element))
        for one in part.valid(element):
            if part.at in one.free_symbols and as_bound(one, part.at) is None:
                found.append(spell(one.xreplace(self._one_row(part))))
        return found

    def _one_row(self, part: RowPart) -> dict[Any, Any]:
        """A row that is the only one needs no name."""
        return {part.row: sympy.Integer(0)} if self.plan.rows == 1 else {}


def _inside(lines: Iterable[str]) -> Lines:
    return (line.rstrip() for line in indented(lines))


def _ends(part: RowPart, element: int) -> tuple[int, int]:
    """Where the run begins at least and at most if an element of it is in the row, and is no padding.

    Conditions that speak of more than the place in the row are left out.
    """
    lows, highs = [-element], [part.plan.row - 1 - element]
    for one in part.valid(element):
        found = as_bound(one, part.at)
        if found is not None:
            sign, rest = found  # sign * at + rest <= 0
            (highs if sign > 0 else lows).append(-rest if sign > 0 else rest)
    return max(lows), min(highs)
