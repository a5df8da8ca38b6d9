"""An oracle of bank conflicts: those of equal strides, by formula; no lane is enumerated.

>>> from layoutalg.machine.lds import LdsPhases
>>> [strided_degree(stride, LdsPhases.of("gfx942", "read", 32)) for stride in (4, 8, 64, 128, 512, 0)]
[1, 2, 16, 32, 32, 1]
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import sympy

from layoutalg.errors import LayoutError
from layoutalg.machine.lds import BYTES_PER_BANK, LdsPhases

if TYPE_CHECKING:
    from layoutalg.memory.wave_access import WaveAccess

__all__ = ["degree_of_stride", "lane_stride", "strided_degree"]


def strided_degree(stride: int, phases: LdsPhases) -> int:
    """The cycles of the worst phase when lane ``l`` accesses byte ``l * stride``.

    ``g`` consecutive lanes that are ``s`` accesses apart meet in ``n / gcd(s, n)`` of the ``n`` places that
    the banks have for an access; each place is wanted by as many lanes as are left over. Formula for
    strides that are multiples of the access, accesses that divide a line of banks, consecutive lanes.
    """
    line = phases.banks * BYTES_PER_BANK
    if stride % phases.bytes or line % phases.bytes or not _consecutive(phases):
        msg = (
            f"{phases}: the formula is for phases of consecutive lanes and multiples of {phases.bytes} bytes"
        )
        raise LayoutError(msg, hint="bank_conflicts(...) enumerates")
    if stride == 0 and phases.merges:
        return 1
    places = line // phases.bytes
    met = places // math.gcd(abs(stride) // phases.bytes, places)
    return -(-len(phases.phases[0]) // met)


def lane_stride(access: WaveAccess) -> int | None:
    """The bytes from lane to lane, where they are the same between all lanes and everywhere in the loop.

    Then what else the address adds is the same for all lanes, and only turns the banks.
    """
    (offset,) = access.index_map.outputs
    rest = sympy.expand(offset)
    step = rest.coeff(access.lane, 1)
    left = sympy.expand(rest - step * access.lane)
    if not step.is_Integer or access.lane in left.free_symbols or access.element.bits % 8:
        return None
    return int(step) * access.element.bytes


def degree_of_stride(stride: int, phases: LdsPhases) -> int:
    """The same for any phases and strides of whole dwords, from the lanes of one wave."""
    words = np.arange(max(1, phases.bytes // BYTES_PER_BANK))
    worst = 1
    for members in phases.phases:
        dwords = (np.array(members)[:, None] * stride // BYTES_PER_BANK + words).ravel()
        wanted = np.unique(dwords) if phases.merges else dwords
        worst = max(worst, int(np.bincount(wanted % phases.banks).max()))
    return worst


def _consecutive(phases: LdsPhases) -> bool:
    return all(list(p) == list(range(p[0], p[0] + len(p))) for p in phases.phases)
