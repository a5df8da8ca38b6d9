"""Layouts reached by a whole grid: equal to the layout at the coordinates; what is off is refuted or told."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from layoutalg.check.layout_file import asked_of
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.index.evaluate import evaluate
from layoutalg.proofs import prove
from layoutalg.verdict import Refuted

ENCODING = (
    "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 2, 4>, sequence<32>>, "
    "tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
)
TEXT = f"""
symbols = ["M", "N"]
[layout.c]
base = {{ lengths = ["M", "N"], strides = ["N + 3", 1] }}
[layout.tile]
distribution = "{ENCODING}"
[layout.store]
of = "c"
tile = "tile"
index = {{ bm = "cdiv(M, 32)", bn = "cdiv(N, 32)" }}
element = ["bm*32 + x0", "bn*32 + x1"]
valid = "bm*32 + x0 < M and bn*32 + x1 < N"
claims = ["in bounds", "one-to-one"]
"""


def of_store(text=TEXT):
    asked = asked_of(text, "grid.layout.toml")
    assert not asked.errors, [error.what for error in asked.errors]
    return {one.claim.name: one.claim for one in asked.obligations if one.layout == "store"}


def test_every_claim_of_the_grid_is_proved():
    claims = of_store()
    assert list(claims) == ["in memory bounds", "in logical bounds", "one-to-one"]
    assert all(prove(claim) for claim in claims.values())


@pytest.mark.slow
def test_offsets_are_those_of_the_layout_at_the_coordinates():
    """Worked out beside it: the distribution by CK's own map, the layout by its strides."""
    index_map = of_store()["one-to-one"].map
    tile = make_static_tile_distribution(read_encoding(ENCODING))
    names = [axis.name for axis in index_map.domain.axes]
    rows, columns = 40, 33
    found = set()
    lengths = [2, 2, *(int(str(axis.upper)) for axis in tile.domain.axes)]
    for point in itertools.product(*map(range, lengths)):
        at = dict(zip(names, point, strict=True)) | {"M": rows, "N": columns}
        x0, x1 = (int(evaluate(output, at)) for output in tile.index_map().outputs)
        i, j = 32 * at["bm"] + x0, 32 * at["bn"] + x1
        valid = bool(np.all([evaluate(condition, at) for condition in index_map.when]))
        assert valid == (i < rows and j < columns)
        if valid:
            assert int(evaluate(index_map.offset, at)) == i * (columns + 3) + j
            found.add((i, j))
    assert found == set(itertools.product(range(rows), range(columns)))


@pytest.mark.parametrize(
    ("old", "new", "fails"),
    [
        ("bm*32 + x0 < M and", "", "in logical bounds"),
        ("bn*32 + x1 < N", "bn*32 + x1 <= N", "in logical bounds"),
        ('"bm*32 + x0"', '"bm*31 + x0"', "one-to-one"),
        ('"bn*32 + x1"]', '"bn*32 + x0"]', "one-to-one"),
    ],
)
def test_what_is_off_is_refuted(old, new, fails):
    assert isinstance(prove(of_store(TEXT.replace(old, new))[fails]), Refuted)


def test_validity_is_that_of_the_layout_too():
    text = """
symbols = ["M"]
[layout.c]
base = { packed = ["M"] }
stages = [[{ transform = "right_pad", low_length = "M", right_pad = 4, lower = [0], upper = [0] }]]
[layout.store]
of = "c"
index = { i = "M + 4" }
element = ["i"]
claims = ["in bounds", "bijective"]
"""
    claims = of_store(text)
    assert claims["covers"].map.when
    assert all(prove(claim) for claim in claims.values())


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('of = "c"', 'of = "d"', "there is no layout above this one d"),
        ('of = "c"', 'of = "tile"', "there is no layout above this one tile"),
        ('tile = "tile"', 'tile = "c"', "there is no distribution above this one c"),
        ('of = "c"', "", "wanted an offset"),
        ('of = "c"', 'of = "c"\noffset = "bm"', "offset is that of c"),
        (
            'element = ["bm*32 + x0", "bn*32 + x1"]',
            'element = ["bm"]',
            "wanted the coordinates of c (i0, i1)",
        ),
        ("index = { bm", "index = { lane = 2, bm", "lane is an axis of the tile too"),
    ],
)
def test_mistakes_are_told(old, new, what):
    (error, *_) = asked_of(TEXT.replace(old, new), "grid.layout.toml").errors
    assert what in error.what
    assert error.line >= 1
