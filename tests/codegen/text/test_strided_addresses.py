"""Addresses as bases and constants: their sum is the offset, for every lane and every access."""

from __future__ import annotations

import itertools

import pytest

from layoutalg import Domain, evaluate, parse
from layoutalg.codegen.text.strided_addresses import strided

DOMAIN = Domain.of({"lane": 8, "i": 3, "k": 2}, {"N": (1, 64)})
AXES = DOMAIN["i"], DOMAIN["k"]


@pytest.mark.parametrize(
    ("text", "choosers"),
    [
        ("lane + 64*i + 8*k", 0),
        ("lane + (i ^ k)", 2),
        ("8*(lane ^ k) + 512*i", 1),
        ("lane + i*k*16", 2),  # along each axis alone nothing is added
        ("lane % 4 + 16*(i // 2) + 4*k", 0),
        ("lane*N + i*N + k", 0),
    ],
)
def test_bases_and_gaps_add_up_to_the_offset(text, choosers):
    offset = parse(text, DOMAIN)
    found = strided(offset, AXES, (3, 2), DOMAIN, {DOMAIN["N"]})
    assert len(found.choosers) == choosers
    for index in itertools.product(range(3), range(2)):
        chosen = 0
        for axis in found.choosers:
            chosen = chosen * found.lengths[axis] + index[axis]
        gaps = (
            row[at]
            for axis, (row, at) in enumerate(zip(found.gaps, index, strict=True))
            if axis not in found.choosers
        )
        address = sum(gaps, found.bases[chosen])
        for lane in range(8):
            point = {"lane": lane, "i": index[0], "k": index[1], "N": 7}
            assert evaluate(address, point) == evaluate(offset, point)


def test_a_distance_that_lanes_do_not_share_needs_a_base_of_its_own():
    found = strided(parse("lane*i + k", DOMAIN), AXES, (3, 2), DOMAIN)
    assert (found.choosers, len(found.bases)) == ((0,), 3)
