"""Cuts: what they prove holds at small sizes; a guard, a scale or a length that is off is never proved."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from layoutalg.claim import IndexMap
from layoutalg.domain import Domain
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.proofs.certificates.certificate import digest
from layoutalg.proofs.limits import Limits
from layoutalg.proofs.members.by_cut import prove_by_cut
from layoutalg.proofs.members.by_instances import refute_by_instance
from layoutalg.properties import covers_map, determines, memory_bounds_map, one_to_one_map
from layoutalg.rules.from_text import parse
from layoutalg.verdict import Proved, Refuted


def tiles(tile, guard="{v} < M", count="cdiv(M, {t})", scale="{t}", width=0):
    """Rows in tiles with a guard, over a matrix with rows of K elements; what is off is said by arguments."""
    row = f"b*{scale.format(t=tile)} + i"
    axes = {"b": count.format(t=tile), "i": f"{tile} + {width}", "k": "K"}
    domain = Domain.of({}, {"M": (1, None), "K": (1, None), "T": (1, None)})
    for name, end in axes.items():
        domain = domain.joined(Domain.of({name: parse(end, domain)}))
    when = (parse(guard.format(v=row), domain),)
    return IndexMap(domain, (parse(f"({row})*K + k", domain),), when)


def claims(index_map):
    size = index_map.domain["M"] * index_map.domain["K"]
    return (
        one_to_one_map(index_map, "rows"),
        covers_map(index_map, (size,), "rows"),
        memory_bounds_map(index_map, size, "rows"),
    )


@pytest.mark.parametrize("tile", ["T", "7", "64"])
def test_guarded_tiles_are_bijective_and_in_bounds(tile):
    assert all(prove(claim) for claim in claims(tiles(tile)))


OFF = [
    ({"guard": "{v} <= M"}, "in memory bounds"),
    ({"guard": "{v} < M - 1"}, "covers"),
    ({"guard": "b*{t} < M"}, "in memory bounds"),
    ({"count": "M // {t} + 0*M if M >= {t} else 1"}, "covers"),
    ({"width": 1}, "one-to-one"),
    ({"guard": "{v} < M and i != 3"}, "covers"),
    ({"scale": "({t} + 1)"}, "covers"),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("tile", ["T", "7"])
@pytest.mark.parametrize(("change", "fails"), OFF, ids=str)
def test_what_is_off_is_refuted(tile, change, fails):
    change = {
        key: value.replace("{t}", tile) if isinstance(value, str) else value for key, value in change.items()
    }
    asked = {claim.name: claim for claim in claims(tiles(tile, **change))}
    assert isinstance(prove(asked[fails]), Refuted)
    assert not isinstance(prove_by_cut(asked[fails]), Proved)


@pytest.mark.slow_sample(10)
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_proved_that_small_sizes_refute(seed):
    random.seed(seed)
    proved = 0
    for _ in range(10):
        first, second, third = (random.choice([1, 2, 3, 4, 6]) for _ in range(3))
        low, high = random.choice([0, 1, 2]), random.choice(["M", "M + 1", "M - 1", "M + 2"])
        length = random.choice(["cdiv(M, 4)", "M // 4 + 1", "M", "cdiv(M, 3) + 1"])
        domain = Domain.of({}, {"M": (2, None), "K": (1, None)})
        domain = domain.joined(Domain.of({"b": parse(length, domain)})).joined(
            Domain.of({"i": first * second, "k": domain["K"]})
        )
        value = f"b*{first * third} + i // {second} + i % {second} * {first} - {low}"
        when = (parse(f"0 <= {value} and {value} < {high}", domain),)
        index_map = IndexMap(domain, (parse(f"({value})*K + k", domain),), when)
        for claim in (*claims(index_map), determines(index_map, (domain["b"], domain["k"]))):
            if isinstance(prove_by_cut(claim), Proved):
                proved += 1
                assert not isinstance(refute_by_instance(claim), Refuted), claim
    assert proved > 3


@pytest.mark.parametrize("tile", ["T", "64"])
def test_certificates_are_confirmed_and_changed_ones_are_not(tile):
    claim = claims(tiles(tile))[1]
    made = certificate(claim, prove(claim))
    assert recheck(made).result == "confirmed"
    cut = prove_by_cut(one_to_one_map(tiles(tile), "rows"))
    assert isinstance(cut, Proved)


def test_a_changed_split_is_not_confirmed():
    claim = one_to_one_map(tiles("T"), "rows")
    verdict = prove_by_cut(claim)
    assert isinstance(verdict, Proved)
    made: dict[str, Any] = certificate(claim, verdict)
    split = made["proof"]["split"]
    for place, text in itertools.product(("values", "outputs"), ("M + 1", "0")):
        changed = (
            [[name, text, length] for name, _, length in split["values"]] if place == "values" else [text]
        )
        forged = {**made, "proof": {**made["proof"], "split": {**split, place: changed}}}
        forged["digest"] = digest(forged)
        assert recheck(forged).result != "confirmed"


def test_the_search_for_a_cut_ends_and_names_of_its_values_do_not():
    """Digits of digits came back in every round, and of cuts inside cuts the names ran out."""
    once = Domain.of({"i0": 13})
    claim = onto(once, "(i0 - 1) % 10 % 6", "1 <= i0 < 11")
    assert isinstance(prove(claim), Proved)
    prove_by_cut(claim, Limits())
    several = Domain.of({"i0": 12, "i1": 1, "i2": 3})
    half = "(i0 + i1) // 2"
    claim = onto(several, f"i2 + 2*(({half}) // 3) + (i0 + i1) % 2 + (({half}) % 3) % 2 - 1", "1 <= i2")
    assert isinstance(prove(claim), Proved)
    prove_by_cut(claim, Limits())


def onto(domain, place, when):
    """That a map has all places below 6."""
    return covers_map(
        IndexMap(domain, (parse(place, domain),), (parse(when, domain),)), (parse("6", domain),), "p"
    )
