"""The entries of tables that a solver's model speaks of, made up to whole tables that satisfy their facts.

A model gives values to the few entries that a question looks up. All other entries are free, and are chosen:
the entry before of a table that never falls, numbers not used yet where no two may be equal, else the lowest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.index.table_values import MOST, TableEntries, are_possible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.claim import Claim
    from layoutalg.index.table import Table
    from layoutalg.proofs.smt.atom_table import Atom
    from layoutalg.proofs.smt.problem import Problem
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["entries_of_model"]


def entries_of_model(
    claim: Claim, problem: Problem, model: Mapping[str, int], point: Mapping[str, int]
) -> dict[str, TableEntries] | None:
    """Entries for every table of a claim by name; None where a table is too long or there are none."""
    sizes = {p.symbol: sympy.Integer(point[p.name]) for p in claim.domain.parameters}
    found: dict[str, TableEntries] = {}
    for table in claim.tables:
        fixed = table.xreplace(sizes)
        lengths = [int(length) if length.is_Integer else 0 for length in fixed.lengths]
        if not 0 < math.prod(lengths) <= MOST:
            return None
        known = _known(table.name, lengths, problem, model)
        entries = TableEntries(_completed(fixed, known, math.prod(lengths)))
        if not are_possible(fixed, entries):
            return None
        found[table.name] = entries
    return found


def _known(name: str, lengths: list[int], problem: Problem, model: Mapping[str, int]) -> dict[int, int]:
    """The entries that the model names, by their place in a row."""
    atoms, found = problem.values.atoms, {}
    for number, atom in enumerate(atoms):
        if atom.kind != "entry" or atom.operands[0] != name:
            continue
        place = 0
        for component, length in zip(atom.operands[1:], lengths, strict=True):
            place = place * length + _value(component, atoms, model)
        found[place] = model.get(f"v{number}", 0) * problem.values.tables[name].multiple_of
    return found


def _value(polynomial: Polynomial, atoms: list[Atom], model: Mapping[str, int]) -> int:
    return sum(c * math.prod(model.get(_name(x, atoms[x]), 0) for x in m) for m, c in polynomial)


def _name(number: int, atom: Atom) -> str:
    if atom.kind not in ("axis", "parameter"):
        return f"v{number}"
    name, multiple = atom.operands
    return str(name) if multiple == 1 else f"{name}/{multiple}"


def _completed(table: Table, known: dict[int, int], count: int) -> list[int]:
    for place, end in ((0, table.first), (count - 1, table.last)):
        if end is not None:
            known.setdefault(place, int(end))
    step, lowest = table.multiple_of, _integer(table.lowest, 0)
    if table.step is not None:
        return _rising(known, count, lowest, table.step)
    used, spare = set(known.values()), -(-lowest // step) * step
    found = []
    for place in range(count):
        while table.is_one_to_one and spare in used and place not in known:
            spare += step
        found.append(known.get(place, spare))
        used.add(found[-1])
    return found


def _rising(known: dict[int, int], count: int, lowest: int, least: int) -> list[int]:
    found: list[int] = []
    for place in range(count):
        following = found[-1] + least if found else lowest
        found.append(known.get(place, following))
    return found


def _integer(end: Any, otherwise: int) -> int:
    return int(end) if end is not None and end.is_Integer else otherwise
