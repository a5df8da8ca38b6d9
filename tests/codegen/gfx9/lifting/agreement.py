"""An executed launch beside the lifted formulas: addresses and lane masks, wave by wave, turn by turn."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.address_trace import AddressTrace, TracingMachine
from layoutalg.codegen.gfx9.device_memory import GlobalMemory
from layoutalg.codegen.gfx9.kernel_arguments import argument_block, explicit_places
from layoutalg.codegen.gfx9.launch import _numbers, started
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.kernel_start import Assumed, KernelStart
from layoutalg.codegen.gfx9.lifting.walk import Walk

__all__ = ["Agreement", "compared", "traced"]

WORD, PAIR = 2**32, 2**64
MOST_PASSAGES = 20_000
ALIKE, SOME = 24, 13  # of one instruction so many passages are compared, then every so-manieth


@dataclass
class Agreement:
    """How many passages agree, those that do not, and the instructions whose address is no formula."""

    agreeing: int = 0
    differing: list[str] = field(default_factory=list)
    opaque: dict[int, str] = field(default_factory=dict)
    places: int = 0


def compared(prepared, assumed: Assumed, names=(), workgroups=None) -> Agreement:
    """Run some workgroups of a launch and compare each access with what was lifted."""
    places = [
        replace(place, name=names[number]) if number < len(names) else place
        for number, place in enumerate(prepared.places)
    ]
    resources = replace(prepared.resources, arguments=tuple(places))
    start = KernelStart(prepared.assembly, resources, assumed)
    walk = Walk(start)
    visits = walk.run()
    run = _Run(prepared, start, walk, places, workgroups)
    by_place = defaultdict(list)
    for visit in visits:
        by_place[visit.access.place].append(visit)
    found = Agreement(places=len(by_place))
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for passage in run.trace.passages:
        key = passage.place, passage.number
        seen[key] += 1
        if seen[key] <= ALIKE or seen[key] % SOME == 0:
            _compare(found, run, by_place[passage.place], passage)
    return found


class _Started:
    """A launch in memory, ready to be run."""

    def __init__(self, prepared):
        self.assembly, dispatch = prepared.assembly, prepared.dispatch
        memory = GlobalMemory()
        self.numbers, _ = _numbers(memory, prepared.values)
        places, size = prepared.places, prepared.resources.argument_bytes
        self.content = argument_block(self.numbers, places, size, dispatch.extents)
        self.begin = started(self.assembly, memory, self.content, dispatch)
        self.kernargs = self.begin.kernargs

    def run(self, trace, workgroups):
        machine = TracingMachine(self.assembly, frozenset({"waits", "races"}), trace)
        machine.run(self.begin.batch(workgroups))


class _Few(list[Any]):
    """As many passages as code that ends has."""

    def append(self, passage):
        if len(self) > MOST_PASSAGES:
            raise TooLongError
        super().append(passage)


class TooLongError(Exception):
    """Code that does not come to an end."""


def traced(prepared):
    """The passages of the first workgroup and the last one; refused: code that goes on and on."""
    trace, total = AddressTrace((), {}, _Few()), math.prod(prepared.dispatch.shape)
    _Started(prepared).run(trace, np.array(sorted({0, total - 1})))
    return trace.passages


class _Run:
    """The executed launch: its trace, and the values that names have."""

    def __init__(self, prepared, start, walk, places, workgroups):
        dispatch = prepared.dispatch
        blocks = walk.flow.blocks
        bodies = {
            blocks[loop.header].first: frozenset(
                place for n in loop.blocks for place in range(blocks[n].first, blocks[n].last + 1)
            )
            for loop in walk.flow.loops.values()
        }
        total = math.prod(dispatch.shape)
        few = sorted({0, total - 1, total // 2})
        for ids in (few, range(total)) if workgroups is None else (workgroups,):
            started = _Started(prepared)
            self.ids, self.trace = np.array(ids), AddressTrace(tuple(bodies), bodies)
            started.run(self.trace, self.ids)
            if self.trace.passages:  # of dies that have no block of a small matrix nothing is left
                break
        self.shape, self.waves, self.assembly = dispatch.shape, started.begin.waves, prepared.assembly
        self.words = start.words
        numbers, content, kernargs = started.numbers, started.content, started.kernargs
        self.values = {"arguments": kernargs.address, "block_count_x": dispatch.shape[0]}
        for place, number in zip(explicit_places(places), numbers, strict=False):
            half = 1 << 8 * place.size - 1
            signed = (number + half) % (2 * half) - half
            self.values[start.names[place.offset]] = signed if place.kind == "by_value" else number
        for offset in range(0, len(content) - 3, 4):
            word = int(content[offset : offset + 4].view("<u4")[0])
            self.values[f"arguments_{offset:#x}"] = word

    def named(self, wave: int) -> dict[str, int]:
        """The values of all names in one wave."""
        group, (x, y, _) = int(self.ids[wave // self.waves]), self.shape
        return self.values | {
            "wave": wave % self.waves,
            "workgroup_x": group % x,
            "workgroup_y": group // x % y,
            "workgroup_z": group // (x * y),
        }


def _compare(found: Agreement, run: _Run, visits, passage) -> None:
    """One passage; an instruction may stand on several ways, of which each lane takes one."""
    where = np.zeros(LANES, dtype=object)
    active = np.zeros(LANES, dtype=bool)
    values = run.named(passage.wave)
    try:
        for visit in visits:
            letters = {loop.letter: passage.turns[loop.place] for loop in visit.loops}
            at, lanes = _addresses(Numbers(run.words, values, letters), visit.access, passage.number)
            where, active = np.where(lanes, at % PAIR, where), active | lanes
    except OpaqueLetterError as error:
        found.opaque[passage.place] = str(error)
        return
    same = all(
        int(one) == int(other) % PAIR
        for one, other, lane in zip(where, passage.addresses, passage.active, strict=True)
        if lane
    )
    if same and (active == passage.active).all():
        found.agreeing += 1
    else:
        instruction = run.assembly.instructions[passage.place]
        found.differing.append(f"{instruction}: wave {passage.wave}, turns {passage.turns}")


def _addresses(numbers: Numbers, access, number: int):
    """The addresses of the lanes as formulas say, and which lanes reach memory."""
    lanes = numbers.guard(access.active)
    goes_on = access.form.to_lds and number == 1
    cases = access.lds if goes_on else access.addresses[min(number, len(access.addresses) - 1)]
    at = _by_case(numbers, cases, lanes)
    if access.base is not None and not goes_on:
        size = _by_case(numbers, access.size, lanes) % WORD
        offset = at % PAIR
        lanes = lanes & (offset + access.form.bytes <= size).astype(bool)
        at = offset + _by_case(numbers, access.base, lanes)
    return at, lanes


def _by_case(numbers: Numbers, cases, lanes):
    found = np.zeros(LANES, dtype=object)
    for holds, polynomial in cases:
        here = numbers.guard(holds) & lanes
        if here.any():
            found = np.where(here, numbers.of(polynomial), found)
    return found
