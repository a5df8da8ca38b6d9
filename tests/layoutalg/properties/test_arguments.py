"""What a claim builder cannot take is one clear line, and a claim speaks of points."""

from __future__ import annotations

import pytest

from layoutalg import (
    Domain,
    IndexMap,
    LayoutError,
    Proved,
    Refuted,
    make_naive_tensor_descriptor,
    make_single_stage_tensor_adaptor,
    parse,
    sizes,
)
from layoutalg.claim import Claim, Comparison
from layoutalg.proofs import prove
from layoutalg.properties import (
    agree,
    covers_map,
    fits_buffer,
    fits_integer,
    monotone,
    monotone_map,
    one_writer,
    same_map,
    vector_access,
    vector_access_map,
)
from layoutalg.transforms import Merge, PassThrough
from tests.refusals import refused

ROWS = make_naive_tensor_descriptor((4, 8), (8, 1))
LINE = Domain.of({"k": 8})
k = LINE["k"]
TWICE = IndexMap(LINE, (k, k))
M, N, K = sizes("M N K")
MERGED = make_single_stage_tensor_adaptor([Merge((2, 3))], [(0, 1)], [(0,)])
PLAIN = make_single_stage_tensor_adaptor([PassThrough(6)], [(0,)], [(0,)])

REFUSED = {
    "numbers of dimensions below": (
        lambda: same_map(MERGED, PLAIN),
        "numbers of dimensions below differ: 2 and 1",
    ),
    "no such dimension": (lambda: vector_access(ROWS, 5, 4), "wanted a dimension of 0 to 1, got 5"),
    "no such step": (lambda: monotone(ROWS, -1), "wanted a dimension of 0 to 1, got -1"),
    "no such integer": (lambda: fits_integer((k,), LINE, "int16", "k"), "there is no integer type int16"),
    "a length an output": (lambda: covers_map(TWICE, (4,), "k"), "a length for each of 2 outputs, got 1"),
    "one output": (lambda: monotone_map(TWICE, k, "k"), "wanted a map with one output, got 2"),
    "one output of vectors": (
        lambda: vector_access_map(TWICE, k, 4, "k"),
        "wanted a map with one output, got 2",
    ),
    "a thread that is none": (lambda: one_writer(IndexMap(LINE, (k,)), (M,), "k"), "of k; got M"),
    "no threads": (lambda: one_writer(IndexMap(LINE, (k,)), (), "k"), "of k; got none"),
    "no bytes": (lambda: fits_buffer(ROWS, 0), "the bytes of an element, 1 or more; got 0"),
    "outside": (lambda: LINE.bind({"k": 8}), "k = 8 is outside 0 <= k < 8"),
    "no multiple": (lambda: Domain.of({}, {"K": (64, 4096, 64)}).bind({"K": 100}), "K = 100 is outside"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_one_line(name):
    build, said = REFUSED[name]
    with pytest.raises(LayoutError) as caught:
        build()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_plain_integers_are_outputs():
    said = agree(TWICE, IndexMap(Domain.of({"j": 4}), (0, 1)), "constants")
    assert isinstance(prove(said), Refuted)


def test_maps_of_other_lengths_are_not_the_same():
    rows = make_naive_tensor_descriptor((M, K), (K, 1))
    assert isinstance(prove(same_map(rows, make_naive_tensor_descriptor((N, K), (K, 1)))), Refuted)
    assert isinstance(prove(same_map(rows, make_naive_tensor_descriptor((M, K), (K, 1)))), Proved)


def test_a_fixed_axis_stays_below_its_open_end():
    domain = Domain.of({"k": "K"}, {"K": (64, 4096, 64)})
    bound = domain.bind({"k": 500})
    assert bound.facts == (domain["K"] > 500,)
    said = Claim("large", "K", bound, (Comparison(500, "<", domain["K"]),))
    assert isinstance(prove(said), Proved)


DISJOINT = {
    "no element in common": lambda: agree(
        IndexMap(LINE, (k, k)),
        IndexMap(Domain.of({"j": 8}), tuple(parse(t, Domain.of({"j": 8})) for t in ("j + 8", "j"))),
        "x",
    ),
    "a condition that never holds": lambda: Claim("c", "k", LINE, (Comparison(k, "<", 0),), (k > 8,)),
}


@pytest.mark.parametrize("name", DISJOINT)
def test_claims_over_no_points_are_refused(name):
    with refused(LayoutError):
        prove(DISJOINT[name]())


def test_a_part_over_no_points_hides_no_refutation():
    never = Claim("c", "k", LINE, (Comparison(k, "<", 0),), (k > 8,))
    assert isinstance(prove([never, Claim("c", "k", LINE, (Comparison(k, "<", 4),))]), Refuted)
    with refused(LayoutError):
        prove([Claim("c", "k", LINE, (Comparison(k, "<", 8),)), never])
