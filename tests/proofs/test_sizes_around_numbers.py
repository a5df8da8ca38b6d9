"""What is false at a size of zero or one, or next to the length of a tile, is refuted.

Random layouts of blocks, padded rows, tiles and groups, with numbers of tiles rounded down, up, or to one at
least, in the index, the offset or the space: many are wrong at one size only. The oracle runs the texts as
Python, with NumPy, at all sizes around the numbers.
"""

from __future__ import annotations

import itertools
import random
import re
import tomllib
from collections import Counter

import numpy as np
import pytest

from layoutalg.check.sources import asked_in
from layoutalg.proofs import prove
from layoutalg.verdict import Refuted

TILES = (16, 48, 64, 100, 128, 192, 256, 512)
LARGEST = 1 << 20  # points at one choice of sizes
FILE = """[symbols]
N = {{ min = {low}, max = 16384 }}
K = {{ min = {low}, max = 16384 }}
[layout.a]
index = {{ {index} }}
offset = "{offset}"
size = "{size}"
claims = [{{ claim = "{claim}" }}]
"""


def layout(draw: random.Random) -> dict[str, str]:
    """The texts of a random layout."""
    one, two = draw.choice(TILES), draw.choice(TILES)

    def tiles(size: str, tile: int) -> str:
        up, down = f"({size} + {tile - 1})//{tile}", f"({size}//{tile})"
        return draw.choice((f"({up})", f"({up})", down, f"max({size}//{tile}, 1)"))

    kind = draw.choice(("blocks", "rows", "tiles", "room", "groups"))
    index, offset, size = {
        "blocks": (
            'n = "N", k = "K"',
            f"n//{one}*{tiles('K', two)} + k//{two}",
            f"{tiles('N', one)}*{tiles('K', two)}",
        ),
        "rows": ('n = "N", k = "K"', f"n*{tiles('K', one)}*{one} + k", f"N*{tiles('K', one)}*{one}"),
        "tiles": (
            f'b = "{tiles("N", one)}", i = {one}, r = 4',
            f"(b*{one} + i)*4 + r",
            f"4*{tiles('N', one)}*{one}",
        ),
        "room": ('n = "N", k = "K"', f"n*max(K, {one}) + k", f"N*max(K, {draw.choice((one, two))})"),
        "groups": ('n = "N"', f"n//{one}*{one} + n % {one}//{draw.choice((4, 5, 8))}", "N"),
    }[kind]
    claim = draw.choice(("in bounds", "one-to-one", "covers", "covers"))
    return {"index": index, "offset": offset, "size": size, "claim": claim, "low": str(draw.choice((0, 1)))}


def is_false(texts: dict[str, str]) -> bool:
    """Whether the claim fails at a size around a number of the layout."""
    numbers = {int(n) for text in texts.values() for n in re.findall(r"\d+", text)}
    low = int(texts["low"])
    sizes = sorted(
        {n for m in numbers for n in (m - 1, m, m + 1) if low <= n <= max(TILES) + 1} | {low, low + 1}
    )
    axes = tomllib.loads(f"x = {{ {texts['index']} }}")["x"]
    return any(fails(texts, axes, {"N": n, "K": k, "max": max}) for n, k in itertools.product(sizes, sizes))


def fails(texts: dict[str, str], axes: dict[str, str | int], known: dict[str, object]) -> bool:
    lengths = [eval(str(length), known) for length in axes.values()]  # noqa: S307  our own texts
    count, size = int(np.prod(lengths)), eval(texts["size"], known)  # noqa: S307
    if count > LARGEST:
        return False
    places = dict(zip(axes, np.indices(lengths).reshape(len(lengths), -1), strict=True))
    offsets = eval(texts["offset"], known | places)  # noqa: S307
    if texts["claim"] == "one-to-one":
        return len(np.unique(offsets)) < count
    if texts["claim"] == "covers":
        return len(np.unique(offsets[offsets < size])) < size
    return bool(count) and bool(offsets.max() >= size)


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (0, 16),
        pytest.param(1, 100, marks=pytest.mark.slow),
        *(pytest.param(n, 1000, marks=pytest.mark.long) for n in range(2, 6)),
    ],
)
def test_what_is_false_around_a_number_is_refuted(seed, count):
    draw, seen = random.Random(seed), Counter[tuple[str, bool]]()
    for _ in range(count):
        texts = layout(draw)
        wanted = is_false(texts)
        (one,) = asked_in("a.layout.toml", FILE.format(**texts)).obligations
        verdict = prove(one.claim)
        assert isinstance(verdict, Refuted) or not wanted, (texts, verdict)
        seen[texts["claim"], wanted] += 1
    assert sum(number for (_, wanted), number in seen.items() if wanted) > count / 4, seen
    assert all(seen[claim, True] for claim in ("in bounds", "one-to-one", "covers")), seen
