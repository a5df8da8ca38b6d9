"""Several maps cover together what any of them covers, also at sizes where one of them has no index."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from layoutalg import Domain, IndexMap, Proved, Refuted, parse
from layoutalg.proofs import prove
from layoutalg.properties import covers_together

SIZES = 6  # values of n: 0 to 5
LENGTHS = ("n", "n//2", "n - 1", "n - n//2", "n//4*4", "1", "2", "3", "2*n", "n + 1")
OUTPUTS = ("{0}", "2*{0}", "2*{0} + 1", "n - 1 - {0}", "{0} + n", "{0} + n//2", "{0} + n//4*4", "{0} + {1}")
VALID = ("{0} < n", "{0} + {1} < n", "{0} != 1", "n > 1")
ENDS = ("n", "2*n", "n + 1", "n//2", "3", "4")


def drawn(draw: random.Random) -> tuple[list[dict[str, Any]], str]:
    """A few maps, as texts, and how many elements they should cover."""
    maps = []
    for _ in range(draw.choice((2, 2, 2, 3))):
        names = draw.sample("ijk", draw.choice((1, 1, 2)))
        pair = (names[0], names[-1])
        axes = {name: draw.choice(LENGTHS) for name in names}
        output = draw.choice(OUTPUTS).format(*pair)
        valid = [text.format(*pair) for text in draw.sample(VALID, draw.choice((0, 0, 1)))]
        facts = [f"{pair[0]} != 2"] if draw.random() < 0.1 else []
        maps.append({"axes": axes, "output": output, "valid": valid, "facts": facts})
    return maps, draw.choice(ENDS)


def claimed(maps, end, low):
    sizes = {"n": (low, SIZES - 1)}
    made = []
    for one in maps:
        domain = Domain.of(one["axes"], sizes, one["facts"])
        texts = [one["output"]], one["valid"]
        made.append(IndexMap(domain, *(tuple(parse(text, domain) for text in each) for each in texts)))
    return covers_together(made, (parse(end, made[0].domain),))


def reached(maps, n):
    """The elements that some index of some map has, by Python's own integers."""
    found = set()
    for one in maps:
        names = list(one["axes"])
        for index in product(*(range(value(length, {"n": n})) for length in one["axes"].values())):
            point = {"n": n, **dict(zip(names, index, strict=True))}
            if all(value(text, point) for text in (*one["valid"], *one["facts"])):
                found.add(value(one["output"], point))
    return found


def value(text: str, point: dict[str, int]) -> int:
    return int(eval(text, {"__builtins__": {}}, point))  # noqa: S307  texts of this file


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("low", [0, 1])
@pytest.mark.parametrize(
    "part",
    [
        0,
        pytest.param(1, marks=pytest.mark.slow),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 20)),
    ],
)
def test_a_verdict_is_that_of_the_union(part, low):
    draw = random.Random(20261129 + part)
    counts: Counter[str] = Counter()
    for _ in range(60):
        maps, end = drawn(draw)
        gaps = {n: set(range(value(end, {"n": n}))) - reached(maps, n) for n in range(low, SIZES)}
        found = prove(claimed(maps, end, low))
        counts[type(found).__name__] += 1
        if isinstance(found, Refuted):
            assert found.point["y0"] in gaps[found.point["n"]], (maps, end, found)
        elif isinstance(found, Proved):
            assert not any(gaps.values()), (maps, end, gaps)
    assert counts["Refuted"] > counts["Unknown"]
    assert counts["Proved"] > 0


@pytest.mark.parametrize("member", ["inverse", "exhaustion", "few points", "cases"])
def test_a_map_without_an_index_takes_nothing_away(member):
    """W2 of the field test: four elements of the one, none to three of the other."""
    maps = [
        {"axes": {"i": "4"}, "output": "i", "valid": [], "facts": []},
        {"axes": {"j": "n"}, "output": "j", "valid": [], "facts": []},
    ]
    found = prove(claimed(maps, "4", 0), members=[member])
    assert not isinstance(found, Refuted)
    assert member == "cases" or isinstance(found, Proved)
