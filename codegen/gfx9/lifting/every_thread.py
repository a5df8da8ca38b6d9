"""Compiled code held to what its kernel claims thread by thread: for kernels whose sizes are all known.

Formulas that are not understood may still be right. Where a kernel has no sizes as arguments, its launch is
one, of so many threads: all of them are run, and what each accesses is compared with what it is claimed to.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.claimed_access import LANES, ClaimedAccess, begins_in_lds
from layoutalg.codegen.claimed_points import claimed_elements, launched_threads
from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.lifting.lifted_access import Shown
from layoutalg.codegen.gfx9.thread_accesses import ThreadAccess, UnsetLaunch
from layoutalg.codegen.kernel import Kernel
from layoutalg.errors import LayoutError

__all__ = ["every_thread", "threads_to_run"]

MOST_ELEMENTS = 1 << 27  # of all threads: a minute or two
AT_ONCE = 1 << 21  # elements of all threads that are compared together

Integers = NDArray[np.int64]
Way = tuple[str, str]  # array, load or store
Elements = tuple[Integers, Integers]  # threads, and a row of elements or one of each
Begins = Mapping[str, int]  # of arrays in the LDS


def threads_to_run(kernel: Kernel) -> int:
    """How many threads there are to run; 0 where that shows nothing, or would take too long.

    >>> from layoutalg.codegen.kernels.transpose import permute
    >>> threads_to_run(permute((64, 64), (1, 0))), threads_to_run(permute(("M", "K"), (1, 0)))
    (1024, 0)
    """
    fixed = not kernel.domain.parameters and not kernel.scalars
    if not fixed or any(one.turns or one.times is not None or one.kind.bits % 8 for one in kernel.accesses):
        return 0
    threads = math.prod(kernel.grid_for({})) * math.prod(kernel.block)
    return threads if threads * sum(map(_held, kernel.accesses)) <= MOST_ELEMENTS else 0


def every_thread(kernel: Kernel, compiled: Compiled) -> Shown:
    """Whether each thread of a launch accesses what the kernel claims, and nothing else."""
    what = f"accesses of all {threads_to_run(kernel)} threads"
    claims: dict[Way, list[ClaimedAccess]] = defaultdict(list)
    for claim in kernel.accesses:
        claims[claim.array, claim.way].append(claim)
    try:
        code = executable(compiled.code_object, kernel.name, compiled.assembly or None)
        found = _difference(UnsetLaunch(kernel, code, compiled.resources), claims)
    except LayoutError as error:  # a fault, or an instruction without a row
        found = error.message
    return Shown(what, is_shown=not found, missing=found)


def _difference(launch: UnsetLaunch, claims: Mapping[Way, Sequence[ClaimedAccess]]) -> str:
    """The first difference, or nothing."""
    possible: list[Begins] = [*begins_in_lds(itertools.chain.from_iterable(claims.values()))]
    for workgroups in _batches(launch, claims):
        batch = _Batch(launch, workgroups, launch.accesses(workgroups))
        differences = [batch.difference(claims, begins) for begins in possible]
        possible = [begins for begins, found in zip(possible, differences, strict=True) if not found]
        if not possible:
            return differences[0]
    return ""


def _batches(launch: UnsetLaunch, claims: Mapping[Way, Sequence[ClaimedAccess]]) -> Iterator[Integers]:
    """The numbers of workgroups, so many at a time that what they hold is compared together."""
    held = max(sum(map(_held, ones)) for ones in claims.values())
    each = max(1, AT_ONCE // (held * math.prod(launch.block)))
    total = math.prod(launch.grid)
    return (np.arange(first, min(first + each, total)) for first in range(0, total, each))


def _held(claim: ClaimedAccess) -> int:
    """The elements that a thread holds of a window."""
    lengths = [1]
    for axis in claim.registers:
        assert axis.lower is not None
        assert axis.upper is not None
        lengths.append(int(axis.upper) - int(axis.lower))
    return math.prod(lengths)


class _Batch:
    """Some workgroups of a launch, with all that their threads access."""

    def __init__(self, launch: UnsetLaunch, workgroups: Integers, accesses: Sequence[ThreadAccess]) -> None:
        self.size = math.prod(launch.block)
        self.workgroups = workgroups
        self.accesses = accesses
        self.launched = launched_threads(launch.block, launch.grid, workgroups.tolist())

    def difference(self, claims: Mapping[Way, Sequence[ClaimedAccess]], begins: Begins) -> str:
        """What differs first where arrays in the LDS begin there."""
        made: dict[Way, list[ThreadAccess]] = defaultdict(list)
        for access in self.accesses:
            made[_array_of(access, claims, begins), access.way].append(access)
        for way in dict.fromkeys([*claims, *made]):
            if way not in claims:
                if way != ("", "load"):  # what lies beside an array in the LDS may be loaded
                    return f"a {way[1]} of {way[0] or 'the LDS'} that is not claimed"
                continue
            found = self._of_way(claims[way], made[way], begins.get(way[0], 0))
            if found:
                return found
        return ""

    def _of_way(self, claims: Sequence[ClaimedAccess], made: Sequence[ThreadAccess], begin: int) -> str:
        first, size = claims[0], claims[0].kind.bits // 8
        what = f"{first.way} of {first.array}"
        claimed = [claimed_elements(claim, self.launched) for claim in claims]
        if any(found is None for found in claimed) or any(one.kind != first.kind for one in claims):
            return f"{what}: what is claimed is not known"
        if any((found[1] < 0).any() for found in claimed if found is not None):
            return f"{what}: elements before the array are claimed"
        wanted = _Pairs.of([found for found in claimed if found is not None])
        of_lanes: list[Elements] = []
        of_waves: list[Elements] = []
        for access in made:
            if access.bytes % size or ((access.offsets - begin) % size).any():
                return f"{what}: parts of elements"
            elements = (access.offsets - begin)[:, None] // size + np.arange(access.bytes // size)
            (of_waves if access.is_of_wave else of_lanes).append((access.threads, elements))
        is_read_anyhow = first.is_shared and first.way == "load"
        return (
            ("" if is_read_anyhow else self._not_claimed(what, wanted, of_lanes, claims))
            or self._not_made(what, wanted, of_lanes, of_waves)
            or self._loaded_for_nobody(what, wanted, of_waves)
        )

    def _not_claimed(
        self, what: str, wanted: _Pairs, made: Sequence[Elements], claims: Sequence[ClaimedAccess]
    ) -> str:
        """An element that a thread accesses and should not; some are read in place of others."""
        spare = [one.elsewhere + np.arange(_held(one)) for one in claims if one.elsewhere is not None]
        for threads, elements in made:
            rows = np.repeat(threads, elements.shape[1]), elements.ravel()
            wrong = ~wanted.contain(*rows)
            if spare:
                wrong &= ~np.isin(rows[1], np.concatenate(spare))
            if wrong.any():
                at = int(np.argmax(wrong))
                return f"{self._thread(rows[0][at])}: {what}[{rows[1][at]}], which is not claimed"
        return ""

    def _not_made(
        self, what: str, wanted: _Pairs, of_lanes: Sequence[Elements], of_waves: Sequence[Elements]
    ) -> str:
        """An element that a thread should access and does not."""
        made = _Pairs.of(of_lanes)
        lost = ~made.contain(wanted.threads, wanted.elements)
        if of_waves:
            by_wave = _Pairs.of(of_waves)
            lost &= ~by_wave.contain(self._first_of_wave(wanted.threads), wanted.elements)
        if not lost.any():
            return ""
        at = int(np.argmax(lost))
        return f"{self._thread(wanted.threads[at])}: no {what}[{wanted.elements[at]}], which is claimed"

    def _loaded_for_nobody(self, what: str, wanted: _Pairs, of_waves: Sequence[Elements]) -> str:
        """A load of the scalar unit with nothing in it that a lane of the wave is claimed to load."""
        by_wave = _Pairs.of([(self._first_of_wave(wanted.threads), wanted.elements)])
        for threads, elements in of_waves:
            rows = np.repeat(threads, elements.shape[1]), elements.ravel()
            is_wanted = by_wave.contain(*rows).reshape(elements.shape).any(axis=1)
            if not is_wanted.all():
                at = int(np.argmin(is_wanted))
                return f"{self._thread(threads[at])}: {what}[{elements[at, 0]}] for a wave without need of it"
        return ""

    def _first_of_wave(self, threads: Integers) -> Integers:
        within = threads % self.size
        return threads - within + within // LANES * LANES

    def _thread(self, thread: int) -> str:
        group, within = divmod(int(thread), self.size)
        return f"thread {within} of workgroup {self.workgroups[group]}"


class _Pairs:
    """Threads and elements, each pair once, in order."""

    def __init__(self, threads: Integers, elements: Integers, span: int) -> None:
        self.threads, self.elements, self.span = threads, elements, span
        self._keys = threads * span + elements

    @classmethod
    def of(cls, found: Sequence[Elements]) -> _Pairs:
        """Of threads with an element, or with rows of elements."""
        none = np.zeros(0, np.int64)
        threads = np.concatenate([none, *(np.repeat(t, e.size // max(1, t.size)) for t, e in found)])
        elements = np.concatenate([none, *(e.ravel() for _, e in found)])
        span = int(elements.max(initial=0)) + 1
        keys = np.sort(threads * span + elements)
        keys = keys[np.append(np.True_, keys[1:] != keys[:-1])] if keys.size else keys
        return cls(*np.divmod(keys, span), span)

    def contain(self, threads: Integers, elements: Integers) -> NDArray[np.bool_]:
        """Whether each of these pairs is one of them."""
        inside = (elements >= 0) & (elements < self.span)
        keys = np.where(inside, threads * self.span + elements, -1)
        at = np.searchsorted(self._keys, keys)
        known = np.append(self._keys, -2)
        return np.asarray(known[at] == keys)


def _array_of(access: ThreadAccess, claims: Mapping[Way, Sequence[ClaimedAccess]], begins: Begins) -> str:
    """The array that an access goes to; none where it is of the LDS and not all in one of its arrays."""
    if access.array is not None:
        return access.array
    for (array, _), ones in claims.items():
        room, begin = ones[0].room, begins.get(array, 0)
        low, high = access.offsets.min(initial=begin), access.offsets.max(initial=begin)
        if room is not None and low >= begin and high + access.bytes <= begin + room:
            return array
    return ""
