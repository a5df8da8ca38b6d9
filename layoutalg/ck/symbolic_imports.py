"""Imports with sizes left open: a list of layouts, each with the conditions under which it results.

A binding ``symbol(min=, multiple_of=m)`` of a key such as ``kTileM`` becomes ``m * kTileM_over_m`` with a
positive integer symbol, so that divisions by ``m`` are exact. A condition that the ranges do not decide is
followed both ways, to at most eight outcomes.

>>> from layoutalg.ck.importer import example_index
>>> found = import_symbolic(
...     "policy.hpp::Policy::MakeDesc", {"Problem.kM": symbol(min=64, multiple_of=32)}, index=example_index()
... )
>>> [(path.conditions, path.found.layout.lengths) for path in found]
[((), (32*kM_over_32, 8))]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.cpp_errors import ImportFailedError
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.ck.importer import Imported, imported
from layoutalg.ck.open_sizes.decisions import Decisions
from layoutalg.ck.open_sizes.open_size import sizes_of, symbol
from layoutalg.ck.unused_bindings import require_read

__all__ = ["Path", "import_symbolic", "symbol"]

MOST_PATHS = 8


@dataclass(frozen=True)
class Path:
    """One outcome: under these conditions, this layout; or the failure that the conditions lead to."""

    conditions: tuple[Any, ...]
    found: Imported | None = None
    failure: str = ""


def import_symbolic(
    target: str, bindings: Mapping[str, Any], *, index: Index, spare: Collection[str] | None = None
) -> list[Path]:
    """All outcomes of a function with sizes left open.

    Bindings that no outcome reads are treated as in ``import_layout``.
    """
    given = flattened(bindings)
    used: set[str] = set()
    known: set[str] = set()
    symbols, ranges = sizes_of(given)
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
        except ImportFailedError as error:
            outcome = Path((), failure=error.full_text())
        used |= run.used
        known |= run.known
        values = tuple(value for _, value in decisions.taken)
        waiting += [(*values[:i], False) for i in range(len(wanted), len(values)) if values[i]]
        conditions_met = tuple(c if v else sympy.Not(c) for c, v in decisions.taken)
        found.append(Path(conditions_met, outcome.found, outcome.failure))
    if any(path.found is not None for path in found):
        require_read(target, given, set(given) - used, known, index=index, spare=spare)
    return found
