"""The catalogue: every file is proved for all sizes, every wrong twin refuted, every proof confirmed."""

from __future__ import annotations

import pytest

from tests.benchmarks.catalogue import judged
from tests.catalogue.files import names, text_of, twins

NOT_PROVED = {  # true by enumeration of small sizes
    # A selection of two divisors, each positive where it is taken: what is divided by it has no known end.
    ("block_orders/ck_spatially_local", "m01", "in memory bounds"),
    ("block_orders/ck_spatially_local", "m01", "one-to-one"),
    ("block_orders/ck_spatially_local", "m01", "covers"),
    # A guard on the entries of a table that leaves the smaller ones: counting would have to know how many.
    ("moe/sorted_scatter", "c", "covers"),
    # Of sizes at which one part has no index: together they are one map over a box that is empty there.
    ("rows/layernorm_vec_tail", "body", "covers"),
    ("stream_k/hybrid_dp", "streamed", "covers"),
    # The first blocks take one more: the way back is another for them than for the others.
    ("stream_k/even_iters", "iter", "covers"),
}

NOT_CONFIRMED = {  # proved, and left open by the solvers: an index read back through the entries of a table
    ("grouped_gemm/weights_by_tile", "determines"),
    ("moe/sorted_gather", "determines"),
    ("paged_kv/fa_page_table", "determines"),
    ("paged_kv/fa_page_table_16", "determines"),
    ("stream_k/partials", "covers"),  # shifts and masks of open numbers in the way back
}
FOUND_FAULTS = (
    "moe/sorted_scatter",  # a part of a claim of it is the claim again
    "varlen/lse_padded",  # one of two comparisons is shown together with the other only
)


@pytest.mark.sample(96, slow=16)
@pytest.mark.parametrize("name", names())
def test_every_file_is_proved_for_all_sizes(name):
    found = judged(name, text_of(name))
    open_ones = {(name, row["layout"], row["claim"]) for row in found if row["verdict"] != "proved"}
    assert open_ones == {one for one in NOT_PROVED if one[0] == name}


@pytest.mark.sample(80, slow=32)
@pytest.mark.parametrize("twin", twins(), ids=lambda twin: twin.name)
def test_every_wrong_twin_is_refuted(twin):
    found = {row["claim"] for row in judged(twin.name, twin.text) if row["verdict"] == "refuted"}
    assert twin.refuted in found


def some_slow():
    """Every eighteenth file, and two that found faults, are slow; convolutions take minutes."""
    for number, name in enumerate(names()):
        is_slow = name in FOUND_FAULTS or (number % 18 == 0 and not name.startswith("conv"))
        yield pytest.param(name, marks=pytest.mark.slow if is_slow else pytest.mark.long)


@pytest.mark.parametrize("name", list(some_slow()))
def test_proofs_are_confirmed(name):
    for row in judged(name, text_of(name), recheck=True):
        if row["verdict"] == "proved" and (name, row["claim"]) not in NOT_CONFIRMED:
            assert row["recheck"].startswith("confirmed"), row


def test_every_kind_has_three_files_and_every_file_a_twin():
    kinds = [name.partition("/")[0] for name in names()]
    assert len(kinds) >= 60
    assert min(map(kinds.count, kinds)) >= 3
    assert [twin.name for twin in twins()] == names()
