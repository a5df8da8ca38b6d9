"""What is proved is looked at once more: a wrong member is found out, a crash is no verdict."""

from __future__ import annotations

from contextlib import suppress

import pytest
import sympy

from layoutalg import (
    Domain,
    IndexMap,
    LayoutError,
    Proved,
    Refuted,
    Unknown,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    parse,
    sizes,
    transform_tensor_descriptor,
)
from layoutalg.claim import AllOf, Claim, Comparison
from layoutalg.errors import InternalError, LimitError
from layoutalg.layout import make_layout
from layoutalg.proofs import MEMBERS, certificate, prove
from layoutalg.proofs.certificates.claim_json import json_of
from layoutalg.proofs.second_look import counterexample
from layoutalg.properties import (
    bijective,
    covers,
    logical_bounds,
    memory_bounds,
    one_to_one,
    one_to_one_map,
    vector_access,
)
from layoutalg.transforms import LeftPad, Slice
from tests.refusals import refused

M, K = sizes("M K")
OVERLAP = make_naive_tensor_descriptor((M + 7, 8), (7, 1))


def compared(text, op, other, domain):
    return Claim("compared", text, domain, (Comparison(parse(text, domain), op, parse(other, domain)),))


OPEN = Domain.of({"i": 100}, {"H": (1, None), "Y": (1, None)})
FALSE = {  # claims that are false, each in its own way
    "a quotient by a size that is not known": compared(
        "i // (H - Y + 1)", "<", "1", OPEN.where(OPEN["H"] >= OPEN["Y"])
    ),
    "an overlap of neighbours": one_to_one(OVERLAP),
    "a gap": covers(make_naive_tensor_descriptor((M, 4), (8, 1))),
    "beyond memory": memory_bounds(make_naive_tensor_descriptor((M, 8), (8, 1)).slice(1, 0, 8).pad(1, 1, 0)),
    "an axis bounded by an axis": compared(
        "y - x", "<", "4", Domain.of({"x": "M", "y": ("x", "x + 5")}, {"M": (1, None)})
    ),
    "a single value": compared("x", "==", "3", Domain.of({"x": (4, 5)})),
    "a product of open sizes": compared("N*N", "<=", "100", Domain.of({}, {"N": (1, None)})),
    "negative lows": compared("x // 3", "==", "-(-x // 3)", Domain.of({"x": (-7, 7)})),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_member_that_proves_what_is_false_is_found_out(name, monkeypatch):
    claim = FALSE[name]
    if name != "beyond memory":
        assert counterexample(claim)
        monkeypatch.setitem(MEMBERS, "normal form", lambda *_: Proved("normal form"))
        with refused(InternalError):
            prove(claim)
    monkeypatch.undo()
    assert not isinstance(prove(claim), Proved) or name == "beyond memory"


def test_a_member_that_crashes_is_no_verdict(monkeypatch):

    def crash(claim, _):
        raise AttributeError(claim.name)

    monkeypatch.setitem(MEMBERS, "normal form", crash)
    with refused(InternalError, "AttributeError"):
        prove(one_to_one(OVERLAP))


def test_layouts_and_several_claims_get_one_verdict():
    rows = make_naive_tensor_descriptor_packed((M, K))
    assert isinstance(prove(rows), Proved)
    assert isinstance(prove(bijective(rows)), Proved)
    both = prove(bijective(rows))
    assert isinstance(both, Proved)
    parts = both.evidence["parts"]
    assert isinstance(parts, list | tuple)
    assert len(parts) == 2
    assert isinstance(prove([memory_bounds(rows), one_to_one(rows)]), Proved)
    assert isinstance(prove(make_layout((4, 8), (8, 1))), Proved)
    assert isinstance(prove(OVERLAP), Refuted)
    assert isinstance(prove([one_to_one(rows), one_to_one(OVERLAP)]), Refuted)
    assert isinstance(prove(bijective(rows), members=["bits"]), Unknown)


def test_builders_give_one_kind_of_thing():
    rows = make_naive_tensor_descriptor_packed((4, 8))
    for claim in (bijective(rows), one_to_one(rows), vector_access(rows, 1, 4)):
        assert isinstance(claim, Claim)
        assert all(isinstance(part, Claim) and not isinstance(part, AllOf) for part in claim)


@pytest.mark.parametrize("given", ["rows", 3, [3], None, [one_to_one(OVERLAP), "x"]])
def test_what_is_no_claim_is_refused(given):
    with refused(LayoutError):
        prove(given)


def test_nothing_is_proved_of_nothing():
    with refused(LayoutError):
        prove([])
    tight = Domain.of({"i": "M"}, {"M": (8, None), "K": (8, None)})
    for fact in ("M*K < 3", "M < 8", "M + K <= 15"):
        with refused(LayoutError):
            prove(one_to_one_map(IndexMap(tight.where(parse(fact, tight)), (tight["i"],)), "rows"))
    with refused(LayoutError):
        prove(one_to_one(make_naive_tensor_descriptor_packed((8,)).pad(0, 0, 1).slice(0, 8, 9)))


@pytest.mark.parametrize("build", [logical_bounds, memory_bounds, one_to_one])
def test_a_layout_all_in_its_pad_has_no_index(build):
    line = make_naive_tensor_descriptor((2,), (0,))
    padded = transform_tensor_descriptor(line, [LeftPad(2, 1)], [(0,)], [(0,)])
    nothing = transform_tensor_descriptor(padded, [Slice(3, 0, 1)], [(0,)], [(0,)])
    with refused(LayoutError):
        prove(build(nothing))


def test_numbers_too_long_to_be_worked_out_are_no_contradiction():
    domain = Domain.of({"v": "16*(1 << k) // 256", "t": 256}, {"k": (4, 10**9)})
    offset = parse("t*(16*(1 << k) // 256) + v", domain)
    assert isinstance(prove(one_to_one_map(IndexMap(domain, (offset,)), "tile")), Proved)


def test_a_claim_of_one_point_is_looked_at_too():
    nothing = Domain()
    assert counterexample(Claim("one", "point", nothing, (Comparison(1, "==", 2),))) == (
        "1 == 2 is false at the one point"
    )
    assert counterexample(Claim("one", "point", nothing, (Comparison(1, "==", 2),), (sympy.true,)))
    assert counterexample(Claim("one", "point", nothing, (Comparison(1, "==", 2),), (sympy.false,))) is None


@pytest.mark.parametrize("member", MEMBERS)
def test_several_claims_are_never_taken_for_one(member):
    overlapping = bijective(make_naive_tensor_descriptor((4, 8), (10, 1)))
    with suppress(LayoutError):
        assert not isinstance(MEMBERS[member](overlapping), Proved)
    with refused(LayoutError, "2"):
        certificate(overlapping, prove(overlapping))
    with refused(LayoutError, "2"):
        json_of(overlapping)


def test_what_is_too_large_for_a_member_is_no_fault_of_ours(monkeypatch):
    def out_of_memory(*_):
        raise MemoryError

    monkeypatch.setitem(MEMBERS, "ranges", out_of_memory)
    with refused(LimitError, "MemoryError"):
        prove(memory_bounds(make_naive_tensor_descriptor_packed((4, 8))), members=["ranges"])
