"""An entry that a table does not have is found, whatever is claimed of the layout that reads it; no other is.

Random layouts read a table at random places, in their offset, in what makes an index valid, behind guards and
without. The oracle runs the text as Python over every size and index.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from layoutalg.check.sources import asked_in
from layoutalg.proofs import prove
from layoutalg.verdict import Proved, Refuted

MOST = 64
LENGTHS = ("1", "B", "B - 1", "B - B//60", "min(B, 40)", "B//2", "B//2 + 1", "8", "B + 1")
PLACES = ("b", "b//2", "b + 1", "s", "B - 1 - b", "b % 8", "0")
VALID = (
    "",
    "s < w[{0}]",
    "0 < w[{0}]",
    "b < 8 and s < w[{0}]",
    "b < B//2 and 0 < w[{0}]",
    "s < 4",
    "b + 1 < B",
)
OFFSETS = ("8*b + s", "8*b + s + 8*w[{0}]", "8*b + s % 8 + w[{0}] % 3", "w[{0}]//8 + 8*b + s")
FILE = """[symbols]
B = {{ max = {most} }}
[tables.w]
lengths = ["{length}"]
range = [0, 8]
[layout.a]
index = {{ b = "B", s = 8 }}
offset = "{offset}"
{valid}
size = "8*B + 64"
claims = [{claim}]
"""
CLAIMS = (
    '"fits int32"',
    '{ claim = "covers" }',
    '"in bounds"',
    '{ claim = "vector access", dimension = 1, width = 4 }',
)


class Entries:
    """A table of one value, which says at which place it was read in vain."""

    def __init__(self, length: int, value: int) -> None:
        self.length, self.value = length, value

    def __getitem__(self, place: int) -> int:
        if not 0 <= place < self.length:
            raise IndexError(place)
        return self.value


def reads_beyond(size: int, length: str, offset: str, valid: str) -> bool:
    """Whether some valid index, or the question whether one is valid, reads what is not there."""
    names: dict[str, Any] = {"B": size, "min": min}
    many = eval(length, names)  # noqa: S307  our own texts
    for value in (0, 7):
        names["w"] = Entries(many, value)
        for b in range(size):
            for s in range(8):
                try:
                    if eval(valid or "True", {**names, "b": b, "s": s}):  # noqa: S307
                        eval(offset, {**names, "b": b, "s": s})  # noqa: S307
                except IndexError:
                    return True
    return False


def checked(seed: int, count: int) -> Counter[str]:
    draw, seen = random.Random(seed), Counter[str]()
    while sum(seen.values()) < count:
        length = draw.choice(LENGTHS)
        offset, valid = (draw.choice(texts).format(draw.choice(PLACES)) for texts in (OFFSETS, VALID))
        if "w[" not in offset + valid:
            continue
        wanted = any(reads_beyond(size, length, offset, valid) for size in range(1, MOST + 1))
        claim = draw.choice(CLAIMS)
        line = f'valid = "{valid}"' if valid else ""
        text = FILE.format(most=MOST, length=length, offset=offset, valid=line, claim=claim)
        found = {one.claim.name: prove(one.claim) for one in asked_in("a.layout.toml", text).obligations}
        verdict = found["inside tables"]
        assert not isinstance(verdict, Proved if wanted else Refuted), (text, verdict)
        seen[f"{'read beyond' if wanted else 'inside'}: {type(verdict).__name__}"] += 1
        for name, other in found.items():
            if not wanted and isinstance(other, Refuted):
                assert "beyond its length" not in other.explanation, (name, text)
    return seen


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (0, 8),
        pytest.param(1, 40, marks=pytest.mark.slow),
        *(pytest.param(n, 500, marks=pytest.mark.long) for n in range(2, 6)),
    ],
)
def test_an_entry_that_is_not_there_is_found_and_no_other(seed, count):
    seen = checked(seed, count)
    assert seen["read beyond: Refuted"] > count / 4
    assert seen["inside: Proved"] > 0
