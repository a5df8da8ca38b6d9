"""Counting what was compared: nothing that was left out may look as if it had matched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["Tally"]

SHOWN = 10


@dataclass
class Tally:
    """The comparisons of one file."""

    name: str
    cases: int = 0
    compared: int = 0
    mismatches: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def same(self, what: str, expected: Any, found: Any) -> None:
        """Compare numbers, nested lists of numbers or arrays, value by value."""
        try:
            wanted, got = np.asarray(expected), np.asarray(found)
        except ValueError:
            wanted, got = np.asarray(expected, dtype=object), np.asarray(found, dtype=object)
        self.compared += max(1, wanted.size)
        if wanted.shape != got.shape:
            self.mismatches.append(f"{what}: wanted {_short(expected)}, got {_short(found)}")
        elif not np.array_equal(wanted, got):
            position = np.unravel_index(np.argmax(wanted != got), wanted.shape)
            at = tuple(int(i) for i in position)
            count = int(np.sum(wanted != got))
            first = f"{what}: {count} of {wanted.size} differ, first at {at}: "
            self.mismatches.append(first + f"wanted {wanted[position]}, got {got[position]}")

    def refuse(self, what: str, reason: object) -> None:
        self.refused.append(f"{what}: {reason}")

    def leave_out(self, why: str, count: int) -> None:
        if count:
            self.left_out[why] += count

    def lines(self) -> list[str]:
        counts = f"{self.cases} cases, {self.compared} values compared"
        failures = f"{len(self.mismatches)} mismatches, {len(self.refused)} refused"
        found = [f"{self.name}: {counts}, {failures}"]
        found += [f"  left out: {count} {why}" for why, count in sorted(self.left_out.items())]
        for word, entries in (("mismatch", self.mismatches), ("refused", self.refused)):
            found += [f"  {word}: {entry}" for entry in entries[:SHOWN]]
            if len(entries) > SHOWN:
                found.append(f"  ... and {len(entries) - SHOWN} more of this kind")
        return found


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 200 else text[:200] + "..."
