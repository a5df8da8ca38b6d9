"""The prover: verdicts equal enumeration, refutations check by hand, nothing unknown is proved."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from layoutalg import (
    Claim,
    Comparison,
    Domain,
    FloorDiv,
    FloorMod,
    IndexMap,
    LayoutError,
    LengthError,
    Proved,
    Refuted,
    Unknown,
    Variable,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    make_pad_transform,
    make_unmerge_transform,
    parse,
    sizes,
)
from layoutalg.domain.points import blocks
from layoutalg.proofs import prove
from layoutalg.proofs.members.by_digits import prove_by_digits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.proofs.prove import MEMBERS
from layoutalg.properties import (
    covers,
    covers_map,
    determines,
    fits_integer,
    logical_bounds,
    memory_bounds,
    one_to_one,
    one_to_one_map,
    same_map,
    vector_access,
    vector_access_map,
)
from tests.refusals import refused
from tests.strategies import descriptors, domains, expressions


def offsets(descriptor):
    lengths = [int(n) for n in descriptor.lengths]
    points = list(itertools.product(*(range(n) for n in lengths)))
    valid = [p for p in points if descriptor.is_valid_index(p)]
    return {p: descriptor.calculate_offset(p) for p in valid}


@given(descriptors(most=200))
def test_verdicts_on_descriptors_are_those_of_enumeration(descriptor):
    """Counted with sets and the C evaluator, apart from all provers; without an index nothing is asked."""
    found = offsets(descriptor)
    assume(found)
    space = int(descriptor.element_space_size)
    truth = {
        memory_bounds: all(0 <= offset < space for offset in found.values()),
        one_to_one: len(set(found.values())) == len(found),
        covers: set(range(space)) <= set(found.values()),
    }
    for build, expected in truth.items():
        verdict = prove(build(descriptor))
        assert not isinstance(verdict, Unknown), build(descriptor)
        assert isinstance(verdict, Proved) == expected, build(descriptor)


@given(st.data())
def test_a_refutation_holds_up_when_evaluated(data):
    domain = data.draw(domains())
    left, right = (data.draw(expressions(domain, depth=3)) for _ in range(2))
    claim = Claim("equal", "pair", domain, (Comparison(left, "==", right),))
    verdict = prove(claim)
    if isinstance(verdict, Refuted):
        assert not claim.holds(verdict.point)
        assert verdict.explanation


M, K, N = sizes("M K N")
PACKED = make_naive_tensor_descriptor_packed((M, K))


@pytest.mark.parametrize("build", [memory_bounds, logical_bounds, one_to_one, covers])
@pytest.mark.parametrize(
    "descriptor",
    [
        PACKED,
        PACKED.merge(0, 1),
        PACKED.permute(1, 0),
        make_naive_tensor_descriptor_packed((M, K, N)).merge(0, 2),
        make_naive_tensor_descriptor_packed((M, 8, 8)).xor(1, 2),
        make_naive_tensor_descriptor_packed((8 * M, 64)).unmerge(1, (8, 8)).xor(0, 1).merge(1, 2),
        PACKED.pad(0, 1, 2).pad(1, N, N),
    ],
    ids=str,
)
def test_layouts_of_all_sizes_are_proved(build, descriptor):
    assert isinstance(prove(build(descriptor)), Proved)


def test_pitches_are_one_to_one_but_leave_gaps():
    pitched = make_naive_tensor_descriptor((M, K), (K + 8, 1))
    assert isinstance(prove(one_to_one(pitched)), Proved)
    verdict = prove(covers(pitched))
    assert isinstance(verdict, Refuted)
    assert "no index maps to" in verdict.explanation


WRONG = {
    "stride too small": (one_to_one, make_naive_tensor_descriptor((M, K), (K - 1, 1))),
    "overlapping rows": (one_to_one, make_naive_tensor_descriptor((4, 8), (7, 1))),
    "broadcast": (one_to_one, make_naive_tensor_descriptor((M, K), (0, 1))),
    "xor of six columns": (logical_bounds, make_naive_tensor_descriptor_packed((8, 6)).xor(0, 1)),
    "unmerge too large": (
        logical_bounds,
        make_naive_tensor_descriptor_packed((10,)).transform(
            [make_unmerge_transform((3, 4))], [(0,)], [(0, 1)], check_lengths=False
        ),
    ),
    "negative stride": (memory_bounds, make_naive_tensor_descriptor((4, 8), (8, -1))),
    "gap": (covers, make_naive_tensor_descriptor((4, 8), (9, 1))),
    "pad without check": (
        memory_bounds,
        make_naive_tensor_descriptor_packed((M,)).transform(
            [make_pad_transform(M, 1, 1, True)], [(0,)], [(0,)]
        ),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_layouts_are_refuted_with_a_point(name):
    build, descriptor = WRONG[name]
    claim = build(descriptor)
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    if claim.witness is None:
        assert not claim.holds(verdict.point)


def test_nothing_is_covered_where_no_index_is_valid():
    """Conditions that contradict each other prove nothing about what is reached."""
    empty = make_naive_tensor_descriptor((1,), (0,)).pad(0, 0, 1).slice(0, 1, 2)
    assert isinstance(prove(covers(empty)), Refuted)
    domain = Domain.of({"i": 1})
    nowhere = IndexMap(domain, (sympy.Integer(0),), (domain["i"] >= 1,))
    claim = covers_map(nowhere, (sympy.Integer(1),), "nowhere")
    assert not isinstance(prove_by_digits(claim), Proved)
    assert isinstance(prove(claim), Refuted)


@pytest.mark.parametrize(
    ("axis", "facts"),
    [
        (("x", 5, 8, 4), ()),
        (("x", 4, 4, 1), ()),
        (("x", 0, 8, 1), ("x > 8",)),
    ],
)
def test_an_axis_without_values_reaches_nothing(axis, facts):
    name, low, high, multiple = axis
    symbol = sympy.Symbol(name, integer=True, nonnegative=True)
    size = sympy.Symbol("n", integer=True, positive=True)
    upper = sympy.Integer(high) if low < high else size
    variables = (Variable(symbol, sympy.Integer(low), upper, multiple),)
    parameter = (Variable(size, sympy.Integer(1), sympy.Integer(5), 1, True),) if upper == size else ()
    domain = Domain(variables + parameter)
    domain = domain.where(*(parse(fact, domain) for fact in facts))
    claim = covers_map(IndexMap(domain, (sympy.Integer(0) * symbol,)), (sympy.Integer(1),), "nothing")
    for member in ("digits", "inverse"):
        assert not isinstance(prove(claim, members=[member]), Proved)


def test_a_pair_that_collides_is_explained():
    verdict = prove(one_to_one(make_naive_tensor_descriptor((4, 8), (7, 1))))
    assert repr(verdict) == "refuted at i0=0, i1=7, i0'=1, i1'=0: (0, 7) and (1, 0) both map to 7"


def test_same_map_compares_maps_and_refuses_other_shapes():
    left = make_naive_tensor_descriptor((M, K), (K, 1))
    assert isinstance(prove(same_map(left, PACKED)), Proved)
    assert isinstance(prove(same_map(left, make_naive_tensor_descriptor((M, K), (1, M)))), Refuted)
    with refused(LengthError):
        same_map(left, PACKED.merge(0, 1))
    with refused(LengthError, "0"):
        same_map(PACKED, make_naive_tensor_descriptor_packed((M + 1, K)))


def verdicts(claims):
    return {claim.name.removeprefix("vector "): prove(claim) for claim in claims}


@pytest.mark.parametrize(
    ("offset", "wrong"),
    [
        ("P*row + v", set()),
        ("P*row + v + 2", {"aligned"}),
        ("P*row + 2*v", {"contiguous"}),
        ("(P + 1)*row + v", {"aligned"}),
    ],
)
def test_vector_access_needs_alignment_and_neighbours(offset, wrong):
    domain = Domain.of({"row": "R", "v": 4}, {"R": (2, None), "P": (4, None, 4)})
    rows = IndexMap(domain, (parse(offset, domain),))
    found = verdicts(vector_access_map(rows, domain["v"], 4, "rows"))
    assert {name for name, verdict in found.items() if isinstance(verdict, Refuted)} == wrong
    assert all(isinstance(v, Proved) for name, v in found.items() if name not in wrong)


@pytest.mark.parametrize(("left", "together"), [(8, True), (4, True), (2, False), (1, False)])
def test_a_pad_must_be_a_multiple_of_the_vector(left, together):
    """CK passes the vector length through a pad and asks nobody."""
    padded = make_naive_tensor_descriptor((M, 64), (64, 1)).pad(1, left, 8 - left % 4)
    found = verdicts(vector_access(padded, 1, 4))
    assert isinstance(found["valid together"], Proved if together else Refuted)


def test_products_that_leave_32_bits_are_refuted():
    domain = Domain.of({"i": "M", "j": "K"}, {"M": (1, 2**20), "K": (1, 2**20)})
    i, j, k = domain["i"], domain["j"], domain["K"]
    claim = fits_integer((i * k + j,), domain, "int32", "offset")
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert not claim.holds(verdict.point)
    bounded = replace(claim, domain=domain.where(domain["M"] * k <= 2**31 - 1))
    assert isinstance(prove(bounded), Proved)


def test_covers_of_several_outputs():
    domain = Domain.of({"t": 64}, {})
    t = domain["t"]
    grid = IndexMap(domain, (FloorDiv(t, 8), FloorMod(t, 8)))
    eight = sympy.Integer(8)
    assert isinstance(prove(covers_map(grid, (eight, eight), "grid")), Proved)
    diagonal = IndexMap(domain, (FloorDiv(t, 8), FloorDiv(t, 8)))
    assert isinstance(prove(covers_map(diagonal, (eight, eight), "diagonal")), Refuted)


@pytest.mark.parametrize(
    ("text", "axes", "fills"),
    [
        ("x // 4 * 4 + x % 4", {"x": 10}, True),
        ("x % 4 + x // 4 * 4", {"x": 12}, True),
        ("x % 4 + x // 8 * 4", {"x": 16}, True),
        ("x % 4 + x // 8 * 4", {"x": 12}, True),
        ("x % 4 * 3 + x // 4", {"x": 10}, False),
        ("x % 4 * 3 + x // 4", {"x": 12}, True),
        ("x // 3 * 2 + x // 2 % 2", {"x": 12}, None),
        ("x // 2 + x // 3 * 6", {"x": 12}, False),
        ("8 * x + (x % 8 ^ y)", {"x": 8, "y": 8}, True),
        ("8 * x + (y ^ y // 2)", {"x": 8, "y": 8}, None),
        ("x % 8 * 8 + (x % 8 ^ y)", {"x": 16, "y": 8}, True),
    ],
)
def test_tied_digits_are_not_taken_for_free_ones(text, axes, fills):
    """Against the set of values: structure may be silent, but must not claim what is false."""
    domain = Domain.of(axes)
    expression = parse(text, domain)
    points = itertools.product(*(range(n) for n in axes.values()))
    values = {eval(text, dict(zip(axes, p, strict=True))) for p in points}  # noqa: S307
    size = max(values) + 1
    claim = covers_map(IndexMap(domain, (expression,)), (sympy.Integer(size),), "values")
    expected = values == set(range(size))
    assert fills in (None, expected)
    verdict = prove_by_digits(claim)
    assert not isinstance(verdict, Proved) or expected
    assert isinstance(prove(claim), Proved) == expected


def test_points_are_walked_in_blocks_of_bounded_size():
    domain = Domain.of({"i": 50, "j": 40})
    found = list(blocks(domain, size=64))
    assert max(len(block["i"]) for block in found) <= 64
    assert np.concatenate([b["i"] * 40 + b["j"] for b in found]).tolist() == list(range(2000))


@pytest.mark.parametrize(("offset", "holds"), [("13*a + p - 4*j", False), ("13*a + p + 4*j", True)])
def test_lengths_that_vary_together_do_not_make_room_for_what_is_taken_away(offset, holds):
    """p and j are short in turn: their sum stays below 13, their difference ranges over 16 numbers."""
    domain = Domain.of({"a": 5, "q": 4})
    domain = domain.joined(Domain.of({"p": 4 - domain["q"], "j": domain["q"] + 1}))
    claim = determines(IndexMap(domain, (parse(offset, domain),)), (domain["a"],), "digits")
    assert bool(prove_by_digits(claim)) == holds
    assert isinstance(prove(claim), Proved if holds else Refuted)


def test_no_point_is_left_where_a_condition_on_no_axis_fails():
    never = (sympy.Lt(sympy.Integer(3), sympy.Integer(2), evaluate=False),)
    fails = Comparison(sympy.Integer(1), "==", sympy.Integer(0))
    assert prove_by_exhaustion(Claim("never", "nothing", Domain(()), (fails,), never))


def test_a_size_of_which_nothing_is_said_is_refused():
    size = sizes("B")
    domain = Domain.of({"b": size})
    with refused(LayoutError, "B", "Domain.of"):
        prove(one_to_one_map(IndexMap(domain, (8 * domain["b"],)), "rows"))


@pytest.mark.parametrize(("target", "verdict"), [(3, Unknown), (18, Refuted)])
def test_that_nothing_reaches_a_target_is_believed_where_nothing_does(monkeypatch, target, verdict):
    size = sizes("M")
    rows = make_naive_tensor_descriptor((size, 8), (10, 1))
    claim = covers(rows)
    (place,) = claim.domain.axes
    said = Refuted({"M": 4, place.name: target}, "", "digits")
    monkeypatch.setitem(MEMBERS, "digits", lambda claim, limits=None: said)
    assert isinstance(prove(claim, members=["digits"]), verdict)
