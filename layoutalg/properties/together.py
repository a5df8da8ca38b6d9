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

__all__ = ["covers_together", "disjoint", "disjoint_halves", "disjoint_outputs"]


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


def disjoint_halves(claim: Claim) -> tuple[tuple[Expr, ...], tuple[Expr, ...]] | None:
    """The outputs of the two maps that a claim says to be disjoint; None of every other claim.

    The name of a claim proves nothing: the claim is made again from its map, and both must be equal.

    >>> a, b = Domain.of({"i": 8}), Domain.of({"j": 8})
    >>> claim = disjoint(IndexMap(a, (2 * a["i"],)), IndexMap(b, (2 * b["j"] + 1,)), "even and odd")
    >>> disjoint_halves(claim), disjoint_halves(replace(claim, then=()))
    (((2*i,), (2*j' + 1,)), None)
    """
    index_map = claim.map
    if index_map is None or index_map.domain != claim.domain or len(index_map.outputs) % 2:
        return None
    half = len(index_map.outputs) // 2
    halves = index_map.outputs[:half], index_map.outputs[half:]
    again = disjoint_outputs(claim.domain, halves, index_map.when, claim.subject)
    return halves if claim == again else None


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
    """One map whose indices are those of all maps; the axis ``part`` says whose an index is.

    Its domain is a product, so an axis without a value would leave the other maps without an index too. An
    axis that not all maps have therefore gets at least one value; which of its values are a map's own is a
    condition of that map. An axis that all maps have, with equal ends, stays one axis.
    """
    renamed = _with_own_names(maps)
    taken = {variable.name for each in renamed for variable in each.domain.variables}
    name = next(name for name in ("part", "which_part", "part_of_maps") if name not in taken)
    part = Symbol(name, integer=True, nonnegative=True)
    conditions, domain = [], Domain()
    for number, each in enumerate(renamed):
        own = [a for a in each.domain.axes if any(a not in other.domain.axes for other in renamed)]
        filled, of_the_map = _filled(each.domain, own)
        domain = domain.joined(filled)
        conditions += [Or(Ne(part, number), condition) for condition in (*of_the_map, *each.when)]
    selector = Variable(part, Integer(0), Integer(len(maps)))
    outputs = tuple(
        _selected(part, values) for values in zip(*(each.outputs for each in renamed), strict=True)
    )
    variables = (*domain.axes, selector, *domain.parameters)
    return IndexMap(Domain(variables, domain.facts), outputs, tuple(conditions))


def _with_own_names(maps: list[IndexMap]) -> list[IndexMap]:
    """The maps; an axis gets its map's number where another map has the name for another range."""
    renamed: list[IndexMap] = []
    known: dict[str, Variable] = {}
    for number, index_map in enumerate(maps):
        names = {
            axis.symbol: f"{axis.name}_{number}"
            for axis in index_map.domain.axes
            if known.get(axis.name, axis) != axis
        }
        renamed.append(_renamed(index_map, names))
        known |= {variable.name: variable for variable in renamed[-1].domain.variables}
    return renamed


def _filled(domain: Domain, own: list[Variable]) -> tuple[Domain, list[Any]]:
    """The domain with at least one value of each of these axes, and which of its points were there before.

    Facts about axes are among these conditions: in a product they would hold for the other maps too.
    """
    filled = {axis: _with_a_value(axis) for axis in own}
    conditions = [Lt(axis.symbol, axis.upper) for axis, other in filled.items() if other != axis]
    axes = {axis.symbol for axis in domain.axes}
    conditions += [fact for fact in domain.facts if fact.free_symbols & axes]
    of_sizes = tuple(fact for fact in domain.facts if not fact.free_symbols & axes)
    return Domain(tuple(filled.get(v, v) for v in domain.variables), of_sizes), conditions


def _with_a_value(axis: Variable) -> Variable:
    """The axis itself where its ends show that it has a value, else with the first value it might have."""
    if axis.lower is None or axis.upper is None:
        return axis
    least_end = axis.lower + axis.multiple_of
    is_shown = (axis.upper - least_end).is_nonnegative
    return axis if is_shown else replace(axis, upper=Max(axis.upper, least_end))


def _selected(part: Symbol, values: Sequence[Expr]) -> Expr:
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
