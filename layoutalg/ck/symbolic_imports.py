"""Imports with sizes left open: a list of layouts, each with the conditions under which it is the one.

A binding ``symbol(min=, multiple_of=)`` of a key such as ``kTileM`` becomes ``m * kTileM_over_m`` with a
positive integer symbol, so that what CK divides by divides exactly where it must. Conditions that what
is known does not decide fork the run, at most into eight.

>>> from layoutalg.ck.importer import example_index
>>> found = import_symbolic(
...     "policy.hpp::Policy::MakeDesc", {"Problem.kM": symbol(min=64, multiple_of=32)}, index=example_index()
... )
>>> [(path.conditions, path.found.layout.lengths) for path in found]
[((), (32*kM_over_32, 8))]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr
from sympy import Symbol as Size

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.importer import Imported, imported
from layoutalg.ck.open_sizes.open_size import Symbol, symbol
from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.ck.unused_bindings import refuse_unused, same_as_shipped

__all__ = ["Path", "import_symbolic", "symbol"]

MOST_PATHS = 8
MOST_DECISIONS = 24


@dataclass(frozen=True)
class Path:
    """One outcome: under these conditions, this layout; or the failure that the conditions lead to."""

    conditions: tuple[Any, ...]
    found: Imported | None = None
    failure: str = ""


@dataclass
class Decisions:
    """The conditions met on one run: what was decided before, then what is known, then yes."""

    ranges: Ranges
    wanted: tuple[bool, ...]
    taken: list[tuple[Any, bool]] = field(default_factory=list)
    open_ones: list[tuple[Any, str]] = field(default_factory=list)

    def decide(self, condition: Any, place: str) -> bool:
        """Whether the condition is to hold on this run."""
        if isinstance(condition, Expr):
            condition = sympy.Ne(condition, 0)
        known = self.ranges.truth(condition)
        if known is not None:
            return known
        for earlier, value in self.taken:
            if earlier == condition:
                return value
            if earlier == sympy.Not(condition):
                return not value
        position = len(self.taken)
        if position >= MOST_DECISIONS:
            raise NotUnderstoodError(
                f"more than {MOST_DECISIONS} open conditions, the last {condition}", place
            )
        value = self.wanted[position] if position < len(self.wanted) else True
        self.taken.append((condition, value))
        self.open_ones.append((condition, place))
        return value


def import_symbolic(
    target: str, bindings: Mapping[str, Any], *, index: Index, spare: Collection[str] | None = None
) -> list[Path]:
    """All outcomes of a function with sizes left open; bindings that none reads as in ``import_layout``."""
    given = flattened(bindings)
    used: set[str] = set()
    known: set[str] = set()
    symbols, ranges = _symbols(given)
    found: list[Path] = []
    waiting: list[tuple[bool, ...]] = [()]
    while waiting:
        if len(found) >= MOST_PATHS:
            conditions = "more than eight outcomes: bind more sizes, or give them a larger multiple_of"
            found.append(Path((), failure=conditions))
            break
        wanted = waiting.pop()
        decisions = Decisions(ranges, wanted)
        run = Run(index, given, symbols, decisions)
        try:
            outcome: Path = Path((), imported(run, target))
        except RejectedError as error:
            outcome = Path((), failure=error.full_text())
        except ImportFailedError as error:
            outcome = Path((), failure=error.full_text())
        used |= run.used
        known |= run.known
        values = tuple(value for _, value in decisions.taken)
        waiting += [(*values[:i], False) for i in range(len(wanted), len(values)) if values[i]]
        conditions_met = tuple(c if v else sympy.Not(c) for c, v in decisions.taken)
        found.append(Path(conditions_met, outcome.found, outcome.failure))
    if any(path.found is not None for path in found):
        allowed = same_as_shipped(target, given, index) if spare is None else set(spare)
        refuse_unused(target, set(given) - used - allowed, known)
    return found


def _symbols(given: Mapping[str, Any]) -> tuple[dict[str, Any], Ranges]:
    """What stands for each open size, and the ranges of the symbols in it."""
    values: dict[str, Any] = {}
    low: dict[Size, int] = {}
    high: dict[Size, int | None] = {}
    for key, wanted in given.items():
        if isinstance(wanted, Symbol):
            name, step = key.rpartition(".")[2].rstrip("_"), wanted.multiple_of
            size = Size(name if step == 1 else f"{name}_over_{step}", integer=True, positive=True)
            values[key] = step * size
            low[size] = -(-wanted.minimum // step)
            high[size] = None if wanted.maximum is None else wanted.maximum // step
    return values, Ranges(low, high)
