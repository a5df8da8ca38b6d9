"""Flattened indices, counting and entries beyond a table: random maps, and what small sizes say of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain
from layoutalg.index.table import Table
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.proofs.certificates.certificate import digest
from layoutalg.proofs.cut.cut import claims_of_parts
from layoutalg.proofs.cut.find_cut import cuts
from layoutalg.proofs.members.by_cut import prove_by_cut
from layoutalg.proofs.members.by_instances import refute_by_instance
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.properties import covers_map, memory_bounds_map, one_to_one_map, one_writer
from layoutalg.rules import NormalForm
from layoutalg.rules.from_text import parse
from layoutalg.verdict import Proved, Refuted

SIZES = dict.fromkeys(("H", "W", "C"), (1, None))


def flattened(
    guard="{i} < H*W*C", formula="{i} // (W*C) * (W*C) + {i} % C * W + {i} // C % W", count="cdiv(H*W*C, 8)"
):
    """Blocks of 8 threads over a flat index, of which a guard leaves H*W*C; arguments say what is off."""
    index = "(8*b + t)"
    domain = Domain.of({}, SIZES)
    domain = domain.joined(Domain.of({"b": parse(count, domain), "t": 8}))
    when = (parse(guard.format(i=index), domain),)
    return IndexMap(domain, (parse(formula.format(i=index), domain),), when)


def claims(index_map):
    size = parse("H*W*C", Domain.of({}, SIZES))
    b = index_map.domain["b"]
    return (
        one_to_one_map(index_map, "flat"),
        covers_map(index_map, (size,), "flat"),
        memory_bounds_map(index_map, size, "flat"),
        one_writer(index_map, (b,), "flat"),
    )


def test_a_flattened_index_is_taken_apart_for_all_sizes():
    verdicts = [prove(claim) for claim in claims(flattened())]
    assert [verdict.by for verdict in verdicts if isinstance(verdict, Proved)] == ["cut"] * 4


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("change", "fails"),
    [
        ({"guard": "{i} <= H*W*C"}, "in memory bounds"),
        ({"guard": "{i} < H*W*C - 1"}, "covers"),
        ({"guard": "{i} < H*W*C and {i} % C != 2"}, "covers"),
        ({"count": "cdiv(H*W*C, 9)"}, "covers"),
        ({"formula": "{i} // (W*C) * (W*C) + {i} % C * W + {i} // C % C"}, "one-to-one"),
    ],
    ids=str,
)
def test_what_is_off_is_refuted(change, fails):
    (claim,) = (claim for claim in claims(flattened(**change)) if claim.name == fails)
    assert isinstance(prove(claim), Refuted)
    assert not isinstance(prove_by_cut(claim), Proved)


def a_formula():
    """Digits of the flat index in random order and scale, often a permutation."""
    first, second = random.sample(["H", "W", "C"], 2)
    inner, outer = random.choice([(first, second), (first, first), (second, first)])
    digits = [f"{{i}} % {inner}", f"{{i}} // {inner} % {outer}", f"{{i}} // ({inner}*{outer})"]
    random.shuffle(digits)
    scales = random.choice(
        [("1", inner, f"{inner}*{outer}"), ("1", outer, f"{inner}*{outer}"), ("1", "H", "H*W")]
    )
    return " + ".join(f"({digit})*{scale}" for digit, scale in zip(digits, scales, strict=True))


@pytest.mark.slow_sample(24)
@pytest.mark.parametrize("seed", range(24))
def test_nothing_is_proved_that_small_sizes_refute(seed):
    random.seed(seed)
    drawn = proved = 0
    while drawn < 6 or (not proved and drawn < 60):  # few maps are right; of each seed one is found
        drawn += 1
        guard = random.choice(["{i} < H*W*C", "{i} < H*W", "{i} <= H*W*C", "{i} < H*W*C and {i} // W < H"])
        count = random.choice(["cdiv(H*W*C, 8)", "cdiv(H*W, 8)", "H*W*C // 8 + 1"])
        for claim in claims(flattened(guard, a_formula(), count)):
            if isinstance(prove_by_cut(claim), Proved):
                assert not isinstance(refute_by_instance(claim), Refuted), str(claim)
                proved += 1
    assert proved


def counted(formula, length="8*P"):
    domain = Domain.of({}, {"P": (1, None)})
    domain = domain.joined(Domain.of({"b": parse(length, domain)}))
    return covers_map(IndexMap(domain, (parse(formula, domain),)), (parse("8*P", domain),), "blocks")


def test_a_renaming_covers_by_counting():
    verdict = prove_by_cut(counted("b % 8 * P + b // 8"))
    assert isinstance(verdict, Proved)
    assert verdict.by == "counting"


@pytest.mark.parametrize(
    "claim",
    [
        counted("b % 8 * P + b // 8", "8*P - 1"),
        counted("b % 8 * P + b // 16"),
        counted("b % 8 * (P + 1) + b // 8"),
    ],
)
def test_fewer_points_equal_places_and_places_beyond_do_not_count(claim):
    assert not isinstance(prove_by_cut(claim), Proved)
    assert isinstance(prove(claim), Refuted)


def test_a_table_as_long_as_its_range_covers():
    domain = Domain.of({}, {"n": (1, None)})
    ids = Table.of("ids", (domain["n"],), 0, domain["n"], one_to_one=True)
    domain = domain.joined(Domain.of({"r": domain["n"]}))
    claim = covers_map(IndexMap(domain, (ids(domain["r"]),)), (domain["n"],), "rows")
    verdict = prove(claim)
    assert verdict
    assert recheck(certificate(claim, verdict)).result == "confirmed"


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("number", range(4))
def test_proofs_are_confirmed(number):
    claim = claims(flattened())[number]
    assert recheck(certificate(claim, prove(claim))).result == "confirmed"


def test_a_condition_that_the_claim_does_not_have_is_rejected():
    claim = claims(flattened(guard="{i} < H*W*C and {i} % C < W"))[2]
    content: Any = certificate(claim, prove(claim))
    cut = next(part["proof"]["split"] for part in content["proof"]["parts"] if "split" in part["proof"])
    (row,) = cut["when"]
    row[0] = "b < 1"
    content["digest"] = digest(content)
    assert recheck(content).result == "rejected"


def test_an_entry_beyond_its_table_refutes():
    sizes = Domain.of({}, {"P": (1, None)})
    page = Table.of("page", (sizes["P"],), 0, 64)
    domain = sizes.joined(Domain.of({"n": parse("16*P + 1", sizes)}))
    index_map = IndexMap(domain, (parse("n % 16", domain) + 16 * page(parse("n // 16", domain)),))
    verdict = prove(memory_bounds_map(index_map, parse("1024", domain), "pages"))
    assert isinstance(verdict, Refuted)
    assert verdict.explanation == "page: index 0 is 1, beyond its length 1"
    assert isinstance(
        refute_by_instance(memory_bounds_map(index_map, parse("1024", domain), "pages")), Refuted
    )
    assert (
        recheck(certificate(memory_bounds_map(index_map, parse("1024", domain), "pages"), verdict)).result
        == "confirmed"
    )


def test_the_second_part_of_a_cover_has_conditions_that_the_first_must_meet():
    """Both ways: what the second part asks holds where the map is valid, and makes it valid."""
    claim = claims(flattened(guard="{i} < H*W*C and {i} % C < W"))[1]
    parts = [part for cut in cuts(claim) for part in claims_of_parts(claim, cut) if cut.when]
    assert [part.name for part in parts].count("same conditions") == 2


GROUP = "pid // (G*N) * G"
ROWS = f"min(M - {GROUP}, G)"


@pytest.mark.parametrize(("bound", "holds"), [("N", True), ("N - 1", False), ("M*N", True), ("G", False)])
def test_a_quotient_by_what_is_left_of_a_group_is_below_the_columns(bound, holds):
    domain = Domain.of({}, {"M": (1, None), "N": (1, None), "G": (1, None)})
    domain = domain.joined(Domain.of({"pid": parse("M*N", domain)}))
    column = parse(f"pid % (G*N) // {ROWS}", domain)
    form = NormalForm(domain)
    assert form.bounds.upper(form.of(column)) == form.of(domain["N"] - 1)
    claim = Claim("columns", "pid", domain, (Comparison(column, "<", parse(bound, domain)),))
    assert bool(prove_by_normal_form(claim)) == holds
    assert isinstance(prove(claim), Proved if holds else Refuted)
