"""A record of the machine in C as a finding that a person understands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from layoutalg.codegen.gfx9.native.native_sanitizer import HOW, SPACES
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waitcnt_scoreboard import QUEUES, WAITED_FOR
from layoutalg.codegen.kernel_checks import Check
from layoutalg.codegen.sanitizer.kernel_finding import Agent, SanitizerFinding
from layoutalg.codegen.sanitizer.places import Places, register_named

__all__ = ["finding_of"]

VERBS = {"reads": "reads", "writes": "writes", "changes": "changes atomically", "coherently": "reads"}


class Told:
    """A record with its places in words, for the sentences below."""

    def __init__(self, check: Check, record: Any, places: Places) -> None:
        self.check = check
        self.place, self.other = places.of(int(record["instruction"])), places.of(int(record["other"]))
        self.agent = Agent(int(record["group"]), int(record["wave"]), int(record["lane"]))
        groups = (int(record[name]) for name in ("other_group", "other_wave", "other_lane"))
        self.other_agent = Agent(*groups) if record["other_wave"] >= 0 else None
        self.space = SPACES[int(record["space"])]
        self.where = places.address(self.space, int(record["address"]), int(record["size"]))
        self.how = HOW[int(record["how"])]
        self.lanes = int(record["lanes"]).bit_count()
        # of a missing wait: the counter, what is still being loaded, and who met it behind a barrier
        self.counter = WAITED_FOR[QUEUES[int(record["queue"])]] if record["queue"] >= 0 else ""
        self.register = register_named(places.assembly, int(record["loaded"]))
        self.met = places.of(int(record["met"]))

    @property
    def verb(self) -> str:
        name = self.place.text if self.place else ""
        if "atomic" in name:
            return "changes"
        fills_lds = "lds" in name and self.space == "in_lds"  # a load that brings into the LDS what it reads
        return "writes" if fills_lds or "store" in name or "write" in name else "reads"

    @property
    def theirs(self) -> str:
        """The other party with what it does and where."""
        assert self.other_agent is not None
        return f"{self.other_agent.beside(self.agent)} {VERBS[self.how]} in {self.other}"


def _access(told: Told) -> str:
    return f"{told.agent} {told.verb} {told.where}"


def _unset(told: Told) -> str:
    lanes = f" in {told.lanes} lane{'s' if told.lanes != 1 else ''}" if 0 < told.lanes < LANES else ""
    if told.check.name == "uninitialised-register":
        what = "an operand that nothing ever set"
    else:
        what = "what was read here and nobody wrote"
    if told.other is not None:
        return f"{what} decides what {told.other} does{lanes} ({told.agent})"
    return f"{told.agent} uses {what}{lanes}"


def _race(told: Told) -> str:
    order = "no barrier" if told.space == "in_lds" else "neither a barrier nor a release and acquire"
    if told.other_agent and told.other_agent.workgroup != told.agent.workgroup:
        order = "no release and acquire"
    return f"{_access(told)}, which {told.theirs}; {order} between them"


def _lanes(told: Told) -> str:
    assert told.other_agent is not None
    rest = "another value in the same instruction: which of them stays is not said"
    return f"{_access(told)}, and {told.other_agent.beside(told.agent)} writes {rest}"


def _same(told: Told) -> str:
    return f"{_access(told)}, and {told.theirs}: the same value, in no order"


def _early(told: Told) -> str:
    missing = f"no s_waitcnt {told.counter} covers it"
    if told.met is not None and told.other_agent is not None:
        wave, theirs = Agent(told.agent.workgroup, told.agent.wave), told.other_agent.beside(told.agent)
        return (
            f"{wave} passes this barrier while {told.other} is under way:"
            f" {missing}, and {theirs} meets {told.where} in {told.met}"
        )
    what = told.register or told.where
    return f"{what} is still being loaded by {told.other}: {missing} ({told.agent})"


def _missed(told: Told) -> str:
    assert told.other_agent is not None
    return f"{told.agent} waits here, and wave {told.other_agent.wave} ended without coming to a barrier"


def _diverges(told: Told) -> str:
    off = f"{told.lanes} lane{'s' if told.lanes != 1 else ''}"
    return (
        f"{told.agent} comes to a barrier with {off} switched off, the first of them lane {told.agent.lane}"
    )


def _no_lane(told: Told) -> str:
    return f"wave {told.agent.wave} of workgroup {told.agent.workgroup} executes this while no lane is on"


def _overflow(told: Told) -> str:
    what = "the result does not fit 32 bits with a sign"
    return f"{told.agent}: {what}, and the address of {told.other} was made of it"


SENTENCES: Mapping[str, Callable[[Told], str]] = {
    "out-of-bounds": _access,
    "misaligned": lambda told: f"{_access(told)}: not aligned",
    "input-written": lambda told: f"{_access(told)}, which was passed as an input",
    "uninitialised-register": _unset,
    "uninitialised-lds": _unset,
    "uninitialised-memory": _unset,
    "lds-race": _race,
    "lds-lane-race": _lanes,
    "global-race": _race,
    "global-lane-race": _lanes,
    "same-value": _same,
    "missing-wait": _early,
    "barrier-not-reached": _missed,
    "barrier-divergence": _diverges,
    "no-active-lane": _no_lane,
    "address-overflow": _overflow,
}


def finding_of(check: Check, record: Any, places: Places) -> SanitizerFinding:
    """The finding of a record."""
    told = Told(check, record, places)
    place = told.place
    file, line = places.file_and_line(place)
    return SanitizerFinding(
        check,
        places.assembly.name,
        SENTENCES[check.name](told),
        file,
        line,
        place,
        told.other if told.other != place else None,
        told.agent,
        told.other_agent,
        told.where if int(record["space"]) else "",
        int(record["count"]),
    )
