"""Conflict-free: in no phase of a shared-memory access do two lanes want different words of one bank."""

from __future__ import annotations

import math
from typing import Any

import sympy
from sympy import Eq, Expr, Integer, Symbol

from layoutalg.claim import AllOf, Claim, Comparison
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError, of_kind
from layoutalg.index import BitXor, FloorDiv, FloorMod
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.machine.lds import BYTES_PER_BANK, LdsPhases
from layoutalg.memory import WaveAccess

__all__ = ["conflict_free", "phase_of"]


def conflict_free(access: WaveAccess, phases: LdsPhases, subject: str = "access") -> Claim:
    """Two claims, for everything the access runs over: it is aligned, and it is free of bank conflicts.

    The second is about two lanes of one phase. It leaves out the whole pieces that all lanes add alike.

    >>> from layoutalg.memory import WaveAccess
    >>> rows = WaveAccess.of_expression("lane*4 + i*256", Domain.of({"lane": 64, "i": 4}), "f32", 4, "write")
    >>> for claim in conflict_free(rows, LdsPhases.of("gfx942", "write", 128), "store"):
    ...     print(claim)
    aligned in LDS: store: for all 0 <= lane < 64, 0 <= i < 4: (1024*i + 16*lane) % 16 == 0
    conflict-free: store: for all 0 <= lane < 64, 0 <= lane' < 64: \
if lane // 8 == lane' // 8 and lane % 8 == lane' % 8, then lane == lane'
    """
    of_kind(access, WaveAccess, "conflict-free: access", "a WaveAccess")
    of_kind(phases, LdsPhases, "conflict-free: phases", "LdsPhases, as LdsPhases.of(...) gives")
    domain = access.index_map.domain
    address = access.address
    whole = Comparison(FloorMod.unchecked(address, Integer(access.bytes)), "==", Integer(0))
    aligned = Claim("aligned in LDS", subject, domain, (whole,), access.index_map.when)

    lane = access.lane
    other = Symbol(f"{lane.name}'", **lane.assumptions0)
    twin = {lane: other}
    piece, words = _pieces(access, phases)
    here = _quotient(_told_apart(address, lane, domain, piece), piece)
    there = here.xreplace(twin)
    if words:
        here, there = here + words[0].symbol, there + words[1].symbol
    conditions = (*access.index_map.when, *(fact for fact in domain.facts if lane in fact.free_symbols))
    banks = Integer(phases.banks * BYTES_PER_BANK // piece)
    phase = phase_of(phases, lane)
    when = (
        *conditions,
        *(condition.xreplace(twin) for condition in conditions),
        Eq(phase, phase.xreplace(twin), evaluate=False),
        Eq(FloorMod.unchecked(here, banks), FloorMod.unchecked(there, banks), evaluate=False),
    )
    then = Comparison(here, "==", there) if phases.merges else Comparison(lane, "==", other)
    lanes = [Variable(symbol, Integer(0), Integer(access.lanes)) for symbol in (lane, other)]
    over = _spoken_of(domain, lane, [*lanes, *words], [then.left - then.right, *when])
    apart = Claim("conflict-free", subject, over, (then,), when)
    return AllOf("conflict-free", subject, (aligned, apart))


def phase_of(phases: LdsPhases, lane: Expr) -> Expr:
    """The number of the phase that serves a lane: its bits are xors of bits of the lane.

    >>> lane = Domain.of({"lane": 64})["lane"]
    >>> [phase_of(LdsPhases.of("gfx942", "read", bits), lane) for bits in (32, 128)]
    [lane // 32, ((lane // 4) % 4 ^ (lane // 16) % 2) + 4*(lane // 32)]
    """
    numbers = {member: number for number, members in enumerate(phases.phases) for member in members}
    count = phases.wave_size.bit_length() - 1
    basis = [numbers[1 << bit] for bit in range(count)]  # the phase of each bit of the lane
    for member, number in numbers.items():
        together = 0
        for bit in range(count):
            together ^= basis[bit] if member >> bit & 1 else 0
        if together != number:
            msg = f"{phases}: its phases are not xors of bits of the lane"
            raise LayoutError(msg, hint="bank_conflicts(...) counts by enumeration")
    found, below = sympy.Integer(0), 0
    for number, first, length in _runs(basis):
        digit = SYMBOLIC.quotient(lane, Integer(1 << first)) if first else lane
        if first + length < count:
            digit = SYMBOLIC.remainder(digit, Integer(1 << length))
        mask = number * ((1 << length) - 1)
        term = number * digit
        found = BitXor.unchecked(found, term) if below & mask else found + term
        below |= mask
    return found


def _runs(basis: list[int]) -> list[tuple[int, int, int]]:
    """Neighbouring bits whose phases double: the first one's phase, its bit, and how many they are."""
    found: list[tuple[int, int, int]] = []
    for bit, number in enumerate(basis):
        if number and found and found[-1][1] + found[-1][2] == bit and number == 2 * basis[bit - 1]:
            found[-1] = (found[-1][0], found[-1][1], found[-1][2] + 1)
        elif number:
            found.append((number, bit, 1))
    return found


def _pieces(access: WaveAccess, phases: LdsPhases) -> tuple[int, list[Variable]]:
    """What is compared: whole accesses where they fill the banks evenly, otherwise words of each."""
    size = max(access.bytes, BYTES_PER_BANK)
    words = size // BYTES_PER_BANK
    if phases.banks % words == 0:
        return size, []
    name = next(name for name in ("word", "word_") if name not in access.index_map.domain)
    symbols = [Symbol(text, integer=True, nonnegative=True) for text in (name, f"{name}'")]
    return BYTES_PER_BANK, [Variable(symbol, Integer(0), Integer(words)) for symbol in symbols]


def _told_apart(address: Expr, lane: Symbol, domain: Domain, piece: int) -> Expr:
    """The address without what all lanes add alike, as far as that is whole pieces.

    Whole pieces turn the banks for all lanes and change no conflict: a loop counter or a stage of a pipeline
    that only adds is thereby proved for every value. Less than a piece may carry into the next one in some
    lanes only, and stays.
    """
    terms = sympy.Add.make_args(sympy.expand(address))
    return sympy.Add(*(t for t in terms if lane in t.free_symbols or _known_divisor(t, domain) % piece))


def _known_divisor(term: Expr, domain: Domain) -> int:
    """A number that divides a product: its integer factors and the steps of its variables."""
    steps = {variable.symbol: variable.multiple_of for variable in domain.variables}
    return math.prod(
        abs(int(factor)) if factor.is_Integer else steps.get(factor, 1)
        for factor in sympy.Mul.make_args(term)
    )


def _quotient(value: Expr, size: int) -> Expr:
    """``value // size``, divided at once where every term allows it."""
    terms = [term / size for term in sympy.Add.make_args(sympy.expand(value))]
    if all(term.as_numer_denom()[1] == 1 for term in terms):
        return sympy.Add(*terms)
    return FloorDiv.unchecked(value, Integer(size))


def _spoken_of(domain: Domain, lane: Symbol, lanes: list[Variable], expressions: list[Any]) -> Domain:
    """The two lanes, and what else the claim speaks of; sizes that no longer matter to it are left out."""
    rest = tuple(variable for variable in domain.variables if variable.name != lane.name)
    facts = tuple(fact for fact in domain.facts if lane not in fact.free_symbols)
    kept = Domain((*lanes, *rest), facts).about(*expressions)
    ends = [end for v in kept.axes for end in (v.lower, v.upper) if end is not None]
    used = {s.name for expression in (*expressions, *ends, *kept.facts) for s in expression.free_symbols}
    return Domain(tuple(v for v in kept.variables if v.name in used or not v.is_parameter), kept.facts)
