"""What memory accesses cost: bank conflicts of the LDS and segments of global memory, on actual addresses.

The models are those of ``layoutalg.memory``; here they see the addresses that the waves computed. A kernel's
loop repeats its patterns, so each pattern is examined once.

Counted: ``lds_reads``, ``lds_writes`` and their ``conflict_cycles`` (cycles beyond those without conflicts;
a ``ds_read2`` is two accesses); ``global_loads``, ``global_stores``, their lanes and bytes, the segments
(cache lines of the target) they touch and those their bytes would need, the same of ``transactions`` (the
least that comes from memory), and how many are of each width.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from layoutalg.errors import LayoutError
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.lds import Direction
from layoutalg.memory.bank_conflicts import bank_conflicts
from layoutalg.memory.global_access import GlobalAccess
from layoutalg.memory.wave_access import WaveAccess

__all__ = ["AccessCounts", "NotedAccesses", "cycles_of_conflicts"]


@dataclass(frozen=True)
class ObservedAccess:
    """The addresses of an access of some waves, in the form of a ``WaveAccess`` for the models of memory."""

    byte_addresses: NDArray[np.int64]
    lanes_on: NDArray[np.bool_]
    bytes: int
    direction: Direction

    @property
    def bits(self) -> int:
        return 8 * self.bytes

    @property
    def lanes(self) -> int:
        return self.byte_addresses.shape[1]

    def addresses(self) -> NDArray[np.int64]:
        return self.byte_addresses

    def taking_part(self) -> NDArray[np.bool_]:
        return self.lanes_on


class AccessCounts:
    """Totals over all waves of a launch on one target."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.totals: Counter[str] = Counter()
        self._global = GlobalMemory.of(target)
        self._known: dict[tuple[Any, ...], Counter[str]] = {}

    def lds(self, direction: Direction, size: int, offsets: Any, active: NDArray[np.bool_]) -> None:
        """Count an access of ``size`` bytes a lane to the LDS; ``offsets`` in bytes, waves x lanes."""
        self._count(_lds_cost, direction, size, np.broadcast_to(offsets, active.shape), active)

    def memory(self, direction: Direction, size: int, addresses: Any, active: NDArray[np.bool_]) -> None:
        """Count an access of ``size`` bytes a lane to global memory; addresses in bytes, waves x lanes."""
        places = np.broadcast_to(addresses, active.shape).astype(np.int64)
        first = places[active].min(initial=np.iinfo(np.int64).max) // self._global.line_bytes
        places = places - first * self._global.line_bytes
        self._count(_global_cost, direction, size, places, active)

    def observed(
        self, where: str, direction: Direction, size: int, places: Any, active: NDArray[np.bool_], times: int
    ) -> Counter[str]:
        """Count an access to ``lds`` or ``memory`` that was made ``times`` times; places in bytes.

        Gives what was added.
        """
        cost = {"lds": _lds_cost, "memory": _global_cost}[where]
        found = cost(self.target, ObservedAccess(np.where(active, places, 0), active, size, direction))
        added = Counter({name: count * times for name, count in found.items()})
        self.totals.update(added)
        return added

    def _count(self, cost: Any, direction: Direction, size: int, places: Any, active: Any) -> None:
        if not active.all():
            places = np.where(active, places, 0)
        pattern = np.ascontiguousarray(places, dtype=np.int64)
        digest = blake2b(pattern.data, digest_size=16).digest() + np.packbits(active).tobytes()
        key = (cost, direction, size, digest)
        found = self._known.get(key)
        if found is None:
            found = cost(self.target, ObservedAccess(pattern, active, size, direction))
            self._known[key] = found
        self.totals.update(found)


class NotedAccesses(AccessCounts):
    """Tells ``note`` of each access, not counting it: way, bytes, places, lanes, whether of the LDS."""

    def __init__(
        self, target: str, note: Callable[[Direction, int, Any, NDArray[np.bool_], bool], None]
    ) -> None:
        super().__init__(target)
        self._note = note

    def lds(self, direction: Direction, size: int, offsets: Any, active: NDArray[np.bool_]) -> None:
        self._note(direction, size, offsets, active, True)  # noqa: FBT003

    def memory(self, direction: Direction, size: int, addresses: Any, active: NDArray[np.bool_]) -> None:
        self._note(direction, size, addresses, active, False)  # noqa: FBT003


def _lds_cost(target: str, access: ObservedAccess) -> Counter[str]:
    instructions = int(access.lanes_on.any(axis=1).sum())
    way = access.direction
    found = Counter({f"lds_{way}s": instructions})
    try:
        report = bank_conflicts(cast("WaveAccess", access), target)
    except LayoutError:  # a width of which no source says how it is served
        found[f"lds_{way}s_without_bank_model"] = instructions
        return found
    found[f"lds_{way}_conflict_cycles"] = report.total_conflicts
    return found


def _global_cost(target: str, access: ObservedAccess) -> Counter[str]:
    memory = GlobalMemory.of(target)
    way = {"read": "load", "write": "store"}[access.direction]
    seen, moved = (
        GlobalAccess(cast("WaveAccess", access), memory, size)
        for size in (memory.line_bytes, memory.transaction_bytes)
    )
    instructions = int(access.lanes_on.any(axis=1).sum())
    return Counter(
        {
            f"global_{way}s": instructions,
            f"global_{way}s_of_{access.bytes}_bytes": instructions,
            f"global_{way}_lanes": int(access.lanes_on.sum()),
            f"global_{way}_bytes": int(access.lanes_on.sum()) * access.bytes,
            f"global_{way}_segments": int(seen.lines.sum()),
            f"global_{way}_segments_needed": int(seen.fewest_lines.sum()),
            f"global_{way}_transactions": int(moved.lines.sum()),
            f"global_{way}_transactions_needed": int(moved.fewest_lines.sum()),
        }
    )


def cycles_of_conflicts(counters: Mapping[str, int]) -> dict[str, float]:
    """Cycles that bank conflicts add to a read or a write of the LDS on average.

    >>> cycles_of_conflicts({"lds_reads": 4, "lds_read_conflict_cycles": 6})
    {'read': 1.5, 'write': 0.0}
    """
    return {
        way: counters.get(f"lds_{way}_conflict_cycles", 0) / max(1, counters.get(f"lds_{way}s", 0))
        for way in ("read", "write")
    }
