"""Accesses of old CK's threads to shared memory judged: where they go, whole vectors, bank conflicts.

>>> from layoutalg.ck.block_accesses import LANE, ThreadAccess
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((64, 16), (16, 1))
>>> copy = ThreadAccess("copy", "write", rows, (LANE, 0), (1, 8), 1, 8, "_Float16", 64)
>>> found = judge_threads(copy, "gfx942")
>>> for claim, verdict in zip(found.claims, found.verdicts):
...     print(f"{claim.name}: {str(verdict).split(':')[0]}")
in logical bounds: proved by normal form
vector contiguous: proved by normal form
aligned in LDS: proved by normal form
conflict-free: refuted at lane=0, lane'=4
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from sympy import Symbol

from layoutalg.ck.block_accesses import LANE, ThreadAccess
from layoutalg.claim import Claim, Comparison
from layoutalg.data_type import DATA_TYPES, DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.machine import TARGETS
from layoutalg.memory import WaveAccess, bank_conflicts
from layoutalg.memory.bank_conflicts import BankConflicts
from layoutalg.proofs import prove
from layoutalg.properties import conflict_free
from layoutalg.properties.in_bounds import within
from layoutalg.verdict import Verdict

__all__ = ["JudgedThreads", "judge_threads"]

WIDEST = 128  # bits of one lane in one instruction
# what old CK's names of types stand for, the first of those that are the same in C++
BUILTINS = {row.hip: row.name for row in reversed(DATA_TYPES)} | {"unsigned short": "bf16"}


@dataclass(frozen=True)
class JudgedThreads:
    """What an access costs, and what is proved of it."""

    report: BankConflicts
    claims: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]


def judge_threads(
    access: ThreadAccess, target: str, element: str | None = None, width: int | None = None
) -> JudgedThreads:
    """Count the conflicts of an access on a GPU, and decide the claims on it.

    ``element`` and ``width`` are told in place of those of the class. ``LayoutError`` for elements that share
    a byte, and where no source tells of the instruction.
    """
    return _judged(replace(access, name=""), target, element, width)


@lru_cache(maxsize=4096)  # configurations of a kernel share their layouts
def _judged(access: ThreadAccess, target: str, element: str | None, width: int | None) -> JudgedThreads:
    name = element or BUILTINS.get(access.data, access.data)
    if name not in {row for each in DATA_TYPES for row in (each.name, each.ck)}:
        raise LayoutError(f"its element type {name} is packed, or not known", hint="give --element")
    kind = DataType.named(name)
    if kind.bits % 8:
        raise LayoutError(f"its element type {name} is packed", hint="give --element")
    scalars = access.scalars if width is None else width
    whole = replace(access, scalars=scalars)
    while scalars * kind.bits > WIDEST and scalars % 2 == 0:
        scalars //= 2
    index_map = access.index_map(TARGETS[target].wave_size, scalars)
    wave = WaveAccess(index_map, LANE, kind, scalars, access.direction)
    report = bank_conflicts(wave, target)
    claims = (*_where(whole, target), *conflict_free(wave, report.phases, access.direction).parts)
    return JudgedThreads(report, claims, tuple(prove(claim) for claim in claims))


def _where(access: ThreadAccess, target: str) -> tuple[Claim, Claim]:
    """Two claims: every vector lies within the lengths, and its elements lie side by side."""
    point = access.point_map(TARGETS[target].wave_size, access.scalars)
    last = [0] * len(point.outputs)
    last[access.vector_dimension] = access.scalars - 1
    ends = [length - more for length, more in zip(access.descriptor.lengths, last, strict=True)]
    inside = within(point.outputs, ends)
    element = Symbol("element", integer=True, nonnegative=True)
    index = list(point.outputs)
    index[access.vector_dimension] += element
    domain = point.domain.joined(Domain.of({element: access.scalars}))
    first = access.descriptor.index_map(point).outputs[0]
    each = access.descriptor.index_map(replace(point, domain=domain, outputs=tuple(index))).outputs[0]
    together = (Comparison(each, "==", first + element),)
    return (
        Claim("in logical bounds", access.direction, point.domain, inside, point.when),
        Claim("vector contiguous", access.direction, domain, together, point.when),
    )
