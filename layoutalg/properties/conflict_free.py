"""Conflict-free: in no phase of a shared-memory access do two lanes want different words of one bank."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Eq, Expr, Integer, Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain, Variable
from layoutalg.index import BitXor, FloorDiv, FloorMod
from layoutalg.machine.lds import BYTES_PER_BANK, LdsPhases
from layoutalg.symbolic import SYMBOLIC

if TYPE_CHECKING:
    from layoutalg.memory import WaveAccess

__all__ = ["conflict_free", "lane_in_phase"]


def conflict_free(access: WaveAccess, phases: LdsPhases, subject: str = "access") -> tuple[Claim, ...]:
    """Two claims, for everything the access runs over: it is aligned, and it is free of bank conflicts.

    The axes ``phase``, ``place`` and ``place'`` say which two lanes of which phase are meant.

    >>> from layoutalg.memory import WaveAccess
    >>> rows = WaveAccess.of_expression("lane*4", Domain.of({"lane": 64}), "f32", 4, "write")
    >>> for claim in conflict_free(rows, LdsPhases.of("gfx942", "write", 128), "store"):
    ...     print(claim)
    aligned in LDS: store: for all 0 <= lane < 64: (16*lane) % 16 == 0
    conflict-free: store: for all 0 <= phase < 8, 0 <= place < 8, 0 <= place' < 8: \
if Eq((8*phase + place) % 8, (8*phase + place') % 8), then 8*phase + place == 8*phase + place'
    """
    domain = access.index_map.domain
    address = access.address
    aligned = Comparison(FloorMod.unchecked(address, Integer(access.bytes)), "==", Integer(0))
    natural = Claim("aligned in LDS", subject, domain, (aligned,), access.index_map.when)
    address = _told_apart(address, access.lane)
    phase, one, other = _names(domain)
    extra = [(phase, len(phases.phases)), (one, len(phases.phases[0])), (other, len(phases.phases[0]))]
    unit = max(access.bytes, BYTES_PER_BANK)
    words = unit // BYTES_PER_BANK
    whole = words == 1 or phases.banks % words == 0
    symbols = [*_words(domain)] if not whole else []
    extra += [(symbol, words) for symbol in symbols]
    size = unit if whole else BYTES_PER_BANK
    pair = []
    when: list[Any] = []
    for place, word in zip((one, other), symbols or (Integer(0), Integer(0)), strict=True):
        lane = lane_in_phase(phases, phase, place)
        here = _quotient(address.xreplace({access.lane: lane}), size) + word
        pair.append(here)
        given = (*access.index_map.when, *(fact for fact in domain.facts if access.lane in fact.free_symbols))
        when += [condition.xreplace({access.lane: lane}) for condition in given]
    banks = Integer(phases.banks * BYTES_PER_BANK // size)
    same = Eq(*(FloorMod.unchecked(here, banks) for here in pair), evaluate=False)
    then = Comparison(pair[0], "==", pair[1]) if phases.merges else Comparison(one, "==", other)
    over = _domain(domain, access.lane, extra)
    needed = [then.left - then.right, *(symbol for c in (*when, same) for symbol in c.free_symbols)]
    return natural, Claim("conflict-free", subject, _spoken_of(over, needed), (then,), (*when, same))


def _told_apart(address: Expr, lane: Symbol) -> Expr:
    """The terms of an address that differ between lanes.

    What all lanes add alike turns the banks for all of them and changes no conflict: a loop counter or a
    stage of a pipeline that only adds is thereby proved for every value.
    """
    terms = sympy.Add.make_args(sympy.expand(address))
    return sympy.Add(*(term for term in terms if lane in term.free_symbols))


def lane_in_phase(phases: LdsPhases, phase: Expr, place: Expr) -> Expr:
    """The lane at a place of a phase, as an expression: phases are cosets, xors of bits of both.

    >>> domain = Domain.of({"phase": 8, "place": 8})
    >>> lane_in_phase(LdsPhases.of("gfx942", "read", 128), domain["phase"], domain["place"])
    20*(place // 4) + place % 4 ^ 32*(phase // 4) + 4*(phase % 4)
    """
    places = _linear([phases.phases[0][1 << i] for i in range(_bits(len(phases.phases[0])))], place)
    firsts = _linear([phases.phases[1 << i][0] for i in range(_bits(len(phases.phases)))], phase)
    by_place = sympy.Add(*(term for term, _ in places))
    by_phase = sympy.Add(*(term for term, _ in firsts))
    if _mask(places) & _mask(firsts):
        return BitXor.unchecked(by_place, by_phase)
    return by_place + by_phase


def _linear(basis: list[int], index: Expr) -> list[tuple[Expr, int]]:
    """The xor of the basis elements of the bits of an index: runs of doubling elements are products."""
    runs: list[list[int]] = []
    for i, element in enumerate(basis):
        if runs and element == 2 * basis[i - 1]:
            runs[-1].append(element)
        else:
            runs.append([element])
    found, first = [], 0
    for run in runs:
        digit = index if first == 0 else SYMBOLIC.quotient(index, Integer(1 << first))
        if first + len(run) < len(basis):
            digit = SYMBOLIC.remainder(digit, Integer(1 << len(run)))
        found.append((digit * run[0], run[0] * ((1 << len(run)) - 1) if len(run) > 1 else run[0]))
        first += len(run)
    return found


def _mask(terms: list[tuple[Expr, int]]) -> int:
    mask = 0
    for _, bits in terms:
        mask |= bits
    return mask


def _bits(count: int) -> int:
    return count.bit_length() - 1


def _quotient(value: Expr, size: int) -> Expr:
    """``value // size``, divided at once where every term allows it."""
    terms = [term / size for term in sympy.Add.make_args(sympy.expand(value))]
    if all(term.as_numer_denom()[1] == 1 for term in terms):
        return sympy.Add(*terms)
    return FloorDiv.unchecked(value, Integer(size))


def _domain(domain: Domain, lane: Symbol, extra: list[tuple[Symbol, int]]) -> Domain:
    kept = tuple(variable for variable in domain.variables if variable.name != lane.name)
    facts = tuple(fact for fact in domain.facts if lane not in fact.free_symbols)
    new = [Variable(symbol, Integer(0), Integer(length)) for symbol, length in extra]
    axes = [variable for variable in kept if not variable.is_parameter]
    return Domain((*axes, *new, *(replace(v) for v in kept if v.is_parameter)), facts)


def _spoken_of(domain: Domain, expressions: list[Expr]) -> Domain:
    """What the claim speaks of, without the sizes that no longer matter to it."""
    kept = domain.about(*expressions)
    ends = [end for v in kept.axes for end in (v.lower, v.upper) if end is not None]
    used = {s.name for expression in (*expressions, *ends, *kept.facts) for s in expression.free_symbols}
    variables = tuple(v for v in kept.variables if v.name in used or not v.is_parameter)
    return Domain(variables, kept.facts)


def _names(domain: Domain) -> tuple[Symbol, Symbol, Symbol]:
    tail = next(
        tail for tail in ("", "_", "__") if f"phase{tail}" not in domain and f"place{tail}" not in domain
    )
    names = (f"phase{tail}", f"place{tail}", f"place{tail}'")
    phase, one, other = (Symbol(name, integer=True, nonnegative=True) for name in names)
    return phase, one, other


def _words(domain: Domain) -> tuple[Symbol, Symbol]:
    name = next(name for name in ("word", "word_") if name not in domain)
    one, other = (Symbol(text, integer=True, nonnegative=True) for text in (name, f"{name}'"))
    return one, other
