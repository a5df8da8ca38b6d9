"""Several maps into one memory: none touches what another does, and together they cover it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Eq, Integer, Lt, Ne, Or, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError, of_kind
from layoutalg.index import Max, Select
from layoutalg.properties.arguments import map_of
from layoutalg.properties.covers import covers_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympy import Expr

__all__ = ["are_disjoint", "covers_together", "disjoint", "disjoint_outputs"]


def disjoint(one: IndexMap, other: IndexMap, subject: str = "two maps") -> Claim:
    """No valid index of the one has the outputs of a valid index of the other.

    Axes of the second map are told apart by a prime.

    >>> a, b = Domain.of({"i": 8}), Domain.of({"j": 8})
    >>> print(disjoint(IndexMap(a, (2 * a["i"],)), IndexMap(b, (2 * b["j"] + 1,)), "even and odd"))
    disjoint: even and odd: for all 0 <= i < 8, 0 <= j' < 8: if 2*i == 2*j' + 1, then 0 == 1
    """
    one, other = map_of(one, "disjoint"), map_of(other, "disjoint")
    if len(one.outputs) != len(other.outputs):
        msg = f"disjoint: wanted as many outputs in both, got {len(one.outputs)} and {len(other.outputs)}"
        raise LayoutError(msg)
    other = _renamed(other, {axis.symbol: f"{axis.name}'" for axis in other.domain.axes})
    both, when = one.domain.joined(other.domain), (*one.when, *other.when)
    return disjoint_outputs(both, (one.outputs, other.outputs), when, subject)


def disjoint_outputs(
    domain: Domain, outputs: tuple[Sequence[Expr], Sequence[Expr]], when: Sequence[Any], subject: str
) -> Claim:
    """Two tuples of outputs are never equal where the conditions hold."""
    meet = tuple(Eq(a, b, evaluate=False) for a, b in zip(*outputs, strict=True))
    never = Comparison(Integer(0), "==", Integer(1))
    index_map = IndexMap(domain, (*outputs[0], *outputs[1]), tuple(when))
    return Claim("disjoint", subject, domain, (never,), (*when, *meet), map=index_map)


def are_disjoint(claim: Claim) -> bool:
    """Whether this is the claim that the first half of its map's outputs never equals the second.

    A claim's name says nothing: it is made anew from the map and compared.

    >>> a, b = Domain.of({"i": 8}), Domain.of({"j": 8})
    >>> claim = disjoint(IndexMap(a, (2 * a["i"],)), IndexMap(b, (2 * b["j"] + 1,)), "even and odd")
    >>> are_disjoint(claim), are_disjoint(replace(claim, then=()))
    (True, False)
    """
    index_map = claim.map
    if index_map is None or index_map.domain != claim.domain or len(index_map.outputs) % 2:
        return False
    half = len(index_map.outputs) // 2
    halves = index_map.outputs[:half], index_map.outputs[half:]
    return claim == disjoint_outputs(claim.domain, halves, index_map.when, claim.subject)


def covers_together(maps: Sequence[IndexMap], lengths: Sequence[Expr], subject: str = "maps") -> Claim:
    """Every output tuple below ``lengths`` is the output of a valid index of one of the maps.

    The claim is that of one map with an axis ``part`` more, which says whose index it is.

    >>> domain = Domain.of({"i": 4})
    >>> i = domain["i"]
    >>> halves = IndexMap(domain, (i,)), IndexMap(domain, (i + 4,))
    >>> print(covers_together(halves, (Integer(8),), "halves"))
    covers: halves: for all 0 <= y0 < 8: there are 0 <= i < 4, 0 <= part < 2 with \
select(part == 0, i, i + 4) == y0
    """
    of_kind(maps, (tuple, list), "covers together: maps", "a tuple of index maps")
    of_kind(lengths, (tuple, list), "covers together: lengths", "a tuple of lengths, one for each output")
    given = [map_of(index_map, "covers together") for index_map in maps]
    if not given:
        raise LayoutError("covers together: wanted one map or more, got none")
    if len({len(index_map.outputs) for index_map in given}) > 1:
        raise LayoutError("covers together: the maps have different numbers of outputs")
    return covers_map(_united(given), tuple(lengths), subject)


def _united(maps: list[IndexMap]) -> IndexMap:
    """One map of all: an axis that all have in common, with equal ends, is one.

    The domain is a product, in which an axis without a value would leave no index to the other maps. An
    axis that not all have therefore gets one value at least; that the value is one of its own is a condition
    of the maps that have it, and so are facts about axes.
    """
    told = _with_own_axes(maps)
    taken = {v.name for each in told for v in each.domain.variables}
    name = next(name for name in ("part", "which_part", "part_of_maps") if name not in taken)
    part = Symbol(name, integer=True, nonnegative=True)
    conditions, domain = [], Domain()
    for number, each in enumerate(told):
        filled, is_in = _filled(each.domain, {axis for axis in each.domain.axes if not _in_all(axis, told)})
        about_axes = [f for f in filled.facts if f.free_symbols & {axis.symbol for axis in filled.axes}]
        filled = replace(filled, facts=tuple(fact for fact in filled.facts if fact not in about_axes))
        domain = domain.joined(filled)
        conditions += [Or(Ne(part, number), given) for given in (*is_in, *about_axes, *each.when)]
    selector = Variable(part, Integer(0), Integer(len(maps)))
    outputs = [
        _selected(part, [index_map.outputs[k] for index_map in told]) for k in range(len(told[0].outputs))
    ]
    variables = (*domain.axes, selector, *domain.parameters)
    return IndexMap(Domain(variables, domain.facts), tuple(outputs), tuple(conditions))


def _with_own_axes(maps: list[IndexMap]) -> list[IndexMap]:
    """The maps; an axis whose name another has for another range gets the map's number after it."""
    told: list[IndexMap] = []
    known: dict[str, Variable] = {}
    for number, index_map in enumerate(maps):
        names = {
            axis.symbol: f"{axis.name}_{number}"
            for axis in index_map.domain.axes
            if known.get(axis.name, axis) != axis
        }
        told.append(_renamed(index_map, names))
        known |= {variable.name: variable for variable in told[-1].domain.variables}
    return told


def _in_all(axis: Variable, maps: list[IndexMap]) -> bool:
    return all(axis in index_map.domain.axes for index_map in maps)


def _filled(domain: Domain, axes: set[Variable]) -> tuple[Domain, list[Any]]:
    """The domain with one value at least of each of these axes, and the conditions that it is one."""
    variables, is_in = [], []
    for axis in domain.variables:
        if axis not in axes or axis.lower is None or axis.upper is None or _has_a_value(axis):
            variables.append(axis)
            continue
        variables.append(replace(axis, upper=Max(axis.upper, axis.lower + axis.multiple_of)))
        is_in.append(Lt(axis.symbol, axis.upper))
    return Domain(tuple(variables), domain.facts), is_in


def _has_a_value(axis: Variable) -> bool:
    """Whether its ends alone show it."""
    assert axis.lower is not None
    assert axis.upper is not None
    return bool((axis.upper - axis.lower - axis.multiple_of).is_nonnegative)


def _selected(part: Symbol, values: list[Expr]) -> Expr:
    found = values[-1]
    for number, value in reversed(list(enumerate(values[:-1]))):
        found = Select.unchecked(Eq(part, number), value, found)
    return found


def _renamed(index_map: IndexMap, names: dict[Any, str]) -> IndexMap:
    new = {symbol: Symbol(name, **symbol.assumptions0) for symbol, name in names.items()}

    def moved(value: Any) -> Any:
        return None if value is None else value.xreplace(new)

    variables = tuple(
        replace(v, symbol=new.get(v.symbol, v.symbol), lower=moved(v.lower), upper=moved(v.upper))
        for v in index_map.domain.variables
    )
    domain = Domain(variables, tuple(map(moved, index_map.domain.facts)))
    return IndexMap(domain, tuple(map(moved, index_map.outputs)), tuple(map(moved, index_map.when)))
