"""Findings that are one mistake told as one, and those that only follow from another left out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from layoutalg.codegen.sanitizer.kernel_finding import SanitizerFinding

__all__ = ["merged", "without_consequences"]

LATE = ("uninitialised-lds", "uninitialised-memory")  # what a race may only seem to leave unset


def merged(findings: Iterable[SanitizerFinding]) -> tuple[SanitizerFinding, ...]:
    """Findings of one check told as one where they stand in the same lines, whichever is told first.

    Of code without lines: where their instructions hang together, as those on the two sides of one missing
    barrier do.
    """
    groups: list[tuple[set[Hashable], list[SanitizerFinding]]] = []
    for one in findings:
        marks, members = _marks(one), [one]
        for group in [group for group in groups if group[0] & marks]:
            marks, members = marks | group[0], [*group[1], *members]
            groups.remove(group)
        groups.append((marks, members))
    return tuple(
        replace(first, times=sum(one.times for one in (first, *rest)), alike=tuple(rest))
        for _, (first, *rest) in groups
    )


def _marks(one: SanitizerFinding) -> set[Hashable]:
    """What two findings share that are one: their pair of lines, or any instruction of a race."""
    name = one.check.name
    if one.place is None:
        return {(name, one.file, one.message)}
    places = [one.place, one.other] if one.other is not None and one.check.group == "races" else [one.place]
    if one.place.source is None:
        return {(name, place.index) for place in places}
    return {(name, one.file, frozenset(place.source for place in places))}


def without_consequences(findings: Iterable[SanitizerFinding]) -> list[SanitizerFinding]:
    """Findings without values that seem never written only because what writes them races with the read."""
    every = list(findings)
    racing = {
        place.index
        for one in every
        if one.check.group == "races"
        for place in (one.place, one.other)
        if place is not None
    }
    return [
        one
        for one in every
        if not (one.check.name in LATE and one.place is not None and one.place.index in racing)
    ]
