"""The lemma library: every theorem is proved, its conditions are needed, and chains may rest on it."""

from __future__ import annotations

import pytest
from hypothesis import given

from layoutalg import Proved, Refuted, Unknown, make_naive_tensor_descriptor_packed, sizes
from layoutalg import transforms as all_transforms
from layoutalg.proofs import prove, recheck
from layoutalg.proofs.certificates.certificate import certificate
from layoutalg.proofs.library import entries
from layoutalg.proofs.members.by_composition import prove_by_composition
from layoutalg.proofs.theorems.lemmas import LEMMAS, alone
from layoutalg.properties import one_to_one, xor_permutes
from layoutalg.transforms import Embed, Modulo, Slice, Transform, Xor
from tests.strategies import descriptors

M, K = sizes("M K")


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_each_is_proved_for_all_lengths(lemma):
    verdict = prove(lemma.claim)
    assert isinstance(verdict, Proved), verdict
    assert lemma.claim.domain.parameters or lemma.kind == "freeze"


@pytest.mark.parametrize(
    "name",
    [
        "merge of 3 inverts unmerge",
        "unmerge of 3 is one-to-one",
        "merge of 2 covers",
        "pad is one-to-one",
        "embed is one-to-one",
        "modulo is one-to-one",
        "xor of 8 columns is one-to-one",
    ],
)
def test_their_certificates_hold(name):
    (lemma,) = (lemma for lemma in LEMMAS if lemma.name == name)
    found = recheck(certificate(lemma.claim, prove(lemma.claim)))
    assert found.result == "confirmed", found


@pytest.mark.parametrize(
    "transform",
    [Embed((4, 8), (7, 1)), Embed((M, K), (K - 1, 1)), Modulo(7, 8), Modulo(M, M + 1), Xor((8, 6))],
    ids=str,
)
def test_without_its_condition_a_lemma_fails(transform):
    adaptor = alone(transform)
    claims = xor_permutes(adaptor) if isinstance(transform, Xor) else (one_to_one(adaptor),)
    assert [type(prove(claim)) for claim in claims] == [Refuted]


def test_every_transform_has_a_lemma_or_depends_on_its_table():
    kinds = {
        kind.kind
        for kind in map(vars(all_transforms).__getitem__, all_transforms.__all__)
        if isinstance(kind, type) and issubclass(kind, Transform) and kind is not Transform
    }
    assert kinds - {lemma.kind for lemma in LEMMAS} == {"indexing", "insert", "replicate"}


@given(descriptors(most=200))
def test_composition_says_only_what_enumeration_says(descriptor):
    claim = one_to_one(descriptor)
    if isinstance(prove_by_composition(claim), Proved):
        assert isinstance(prove(claim, members=["exhaustion"]), Proved)


def test_composition_shows_what_digits_do_not():
    cube = make_naive_tensor_descriptor_packed((8, 8, 8, M)).xor(0, 1).xor(1, 2).xor(2, 0)
    claim = one_to_one(cube)
    assert isinstance(prove(claim, members=["digits"]), Unknown)
    assert repr(prove(claim, members=["composition"])) == "proved by composition"
    short = make_naive_tensor_descriptor_packed((8 * M, 8, 6)).xor(0, 1).xor(1, 2)
    assert isinstance(prove_by_composition(one_to_one(short)), Unknown)


def test_composition_needs_indices_to_stay_inside():
    """Each link is one-to-one within its lengths; this chain leaves them."""
    stretched = make_naive_tensor_descriptor_packed((4, 4)).transform(
        [Slice(8, 0, 8), Slice(4, 0, 4)], [(0,), (1,)], [(0,), (1,)], check_lengths=False
    )
    assert isinstance(prove_by_composition(one_to_one(stretched)), Unknown)


def test_the_library_lists_everything_once():
    names = [entry.name for entry in entries()]
    assert len(set(names)) == len(names) > 80
    assert {entry.kind for entry in entries()} >= {"merge", "rule", "softmax"}
