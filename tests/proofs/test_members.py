"""Each member of the portfolio alone: any two that answer agree, and all agree with enumeration."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from layoutalg import (
    Claim,
    Comparison,
    Domain,
    FloorDiv,
    IndexMap,
    LayoutError,
    Proved,
    Refuted,
    Unknown,
    make_naive_tensor_descriptor_packed,
    parse,
)
from layoutalg.proofs import MEMBERS, Limits, prove
from layoutalg.proofs.digits.find_duplicate import first_duplicate
from layoutalg.proofs.members.by_solver import question
from layoutalg.proofs.smt.solvers import CVC5, SOLVERS, Z3
from layoutalg.properties import covers, covers_map, one_to_one, one_to_one_map
from tests.refusals import refused
from tests.strategies import domains, expressions

SMALL = Limits(points=1 << 20, z3=400_000, cvc5=8_000)
NEVER_REFUTES = {"normal form", "products", "digits", "composition", "inverse", "ranges"}
NEVER_PROVES = {"few sizes", "small sizes"}


def test_small_sizes_go_on_where_few_end():
    """The one point at which it fails is not among the first sizes: neither is as small as can be."""
    domain = Domain.of({}, {"M": (1, None), "K": (1, None)})
    apart = parse("(M - 3)*(M - 3) + (K - 4)*(K - 4)", domain)
    claim = Claim("elsewhere", "sizes", domain, (Comparison(sympy.Integer(0), "<", apart),))
    assert isinstance(MEMBERS["few sizes"](claim), Unknown)
    found = MEMBERS["small sizes"](claim)
    assert isinstance(found, Refuted)
    assert found.point == {"M": 3, "K": 4}


def claims_about(left, right, domain):
    return [
        Claim("equal", "pair", domain, (Comparison(left, "==", right),)),
        Claim("at most", "pair", domain, (Comparison(left, "<=", right + 3),)),
        Claim("below", "one", domain, (Comparison(0, "<=", left), Comparison(left, "<", 64))),
        one_to_one_map(IndexMap(domain, (left, right)), "pair"),
        covers_map(IndexMap(domain, (left,)), (sympy.Integer(8),), "one"),
        Claim("guarded", "pair", domain, (Comparison(left, "<", right),), (left < right + 1,)),
    ]


def check_agreement(claim):
    verdicts = {name: member(claim, SMALL) for name, member in MEMBERS.items()}
    answers = {type(v) for v in verdicts.values() if not isinstance(v, Unknown)}
    assert len(answers) <= 1, (claim, verdicts)
    for name, verdict in verdicts.items():
        never = NEVER_REFUTES if claim.witness is None else NEVER_REFUTES - {"ranges"}
        assert not (isinstance(verdict, Refuted) and name in never)
        assert not (isinstance(verdict, Proved) and name in NEVER_PROVES)
    return verdicts


@pytest.mark.slow
@settings(max_examples=8)
@given(st.data())
def test_all_members_that_answer_agree(data):
    domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
    left, right = (data.draw(expressions(domain, depth=3)) for _ in range(2))
    for claim in claims_about(left, right, domain):
        check_agreement(claim)
        assert not isinstance(prove(claim), Unknown)


POWERS = st.sampled_from([2, 4, 8, 16])


@st.composite
def bit_expressions(draw, domain, depth=3):
    """Xors, shifts, masks and digits by powers of two."""
    if depth == 0:
        return draw(st.sampled_from([axis.symbol for axis in domain.axes]))
    left = draw(bit_expressions(domain, depth - 1))
    match draw(st.sampled_from(["^", "//", "%", "*", "join"])):
        case "^":
            return parse(f"({left}) ^ ({draw(bit_expressions(domain, depth - 1))})", domain)
        case "join":
            return parse(f"({left}) % 4 + 4 * ({draw(bit_expressions(domain, depth - 1))})", domain)
        case op:
            return parse(f"({left}) {op} {draw(POWERS)}", domain)


@pytest.mark.slow
@settings(max_examples=8)
@given(st.data())
def test_members_agree_on_maps_that_are_linear_over_bits(data):
    domain = Domain.of({"x": data.draw(POWERS), "y": data.draw(POWERS)})
    left, right = (data.draw(bit_expressions(domain)) for _ in range(2))
    answered = 0
    for claim in claims_about(left, right, domain)[:5]:
        verdicts = check_agreement(claim)
        answered += not isinstance(verdicts["bits"], Unknown)
    assert answered >= 1


@pytest.mark.parametrize(
    ("text", "axes", "member", "expected"),
    [
        ("x * 8 + (y ^ x % 8)", {"x": 8, "y": 8}, "bits", Proved),
        ("x * 8 + (y ^ (x & 6))", {"x": 8, "y": 8}, "bits", Proved),
        ("(x & 6) ^ y", {"x": 8, "y": 8}, "bits", Refuted),
        ("x // 2 * 4 + x % 2 + y * 2", {"x": 4, "y": 2}, "bits", Proved),
        ("x + y", {"x": 4, "y": 4}, "bits", Unknown),
        ("x * 10 + y", {"x": 4, "y": 8}, "z3 integers", Proved),
        ("x * 7 + y", {"x": 4, "y": 8}, "z3 integers", Refuted),
        ("x * 8 + (y ^ x % 8)", {"x": 64, "y": 8}, "z3 words", Proved),
        ("x * 6 + (y ^ x % 6)", {"x": 64, "y": 6}, "z3 words", Refuted),
        ("x * 10 + y", {"x": 4, "y": 8}, "cvc5", Proved),
        ("x * 7 + y", {"x": 4, "y": 8}, "cvc5", Refuted),
        ("x * 10 + y", {"x": 4, "y": 8}, "digits", Proved),
        ("x * 10 + y", {"x": 4, "y": 8}, "exhaustion", Proved),
    ],
)
def test_each_member_alone(text, axes, member, expected):
    domain = Domain.of(axes)
    claim = one_to_one_map(IndexMap(domain, (parse(text, domain),)), text)
    points = itertools.product(*(range(n) for n in axes.values()))
    values = [eval(text, dict(zip(axes, p, strict=True))) for p in points]  # noqa: S307
    if expected is not Unknown:
        assert (len(set(values)) == len(values)) == (expected is Proved)
    assert isinstance(prove(claim, members=[member]), expected)


def test_a_member_that_does_not_exist_is_named():
    claim = one_to_one(make_naive_tensor_descriptor_packed((4, 8)))
    with refused(LayoutError, "magic"):
        prove(claim, members=["magic"])


@pytest.mark.slow
def test_unknown_is_never_proved():
    """A claim that needs number theory: nobody here can tell, and nobody pretends to."""
    domain = Domain.of({}, {"a": (1, None), "b": (1, None), "c": (1, None)})
    a, b, c = domain["a"], domain["b"], domain["c"]
    fermat = Claim("cubes", "sums", domain, (Comparison(1, "<=", (a**3 + b**3 - c**3) ** 2),))
    assert isinstance(prove(fermat), Unknown)


@pytest.mark.parametrize("failure", [RuntimeError("out of memory"), MemoryError()])
def test_a_solver_that_fails_or_is_missing_proves_nothing(monkeypatch, failure):
    claim = one_to_one(make_naive_tensor_descriptor_packed((4, 8)))

    def fails(_text, _work):
        raise failure

    monkeypatch.setattr(Z3, "_ask", fails)
    monkeypatch.setattr(type(CVC5), "is_installed", False)
    for member in ("z3 integers", "z3 words", "cvc5"):
        verdict = prove(claim, members=[member])
        assert isinstance(verdict, Unknown)
        assert "failed" in verdict.reason or "not installed" in verdict.reason


def test_what_is_undefined_somewhere_is_not_proved():
    domain = Domain.of({"x": 8})
    nowhere = FloorDiv.unchecked(domain["x"], domain["x"] - 3)
    claim = Claim("quotient", "x", domain, (Comparison(nowhere * 0, "==", 0), Comparison(nowhere, "<=", 9)))
    for name, member in MEMBERS.items():
        assert not isinstance(member(claim), Proved), name
    assert isinstance(prove(claim), Unknown)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_solvers_stop_by_their_own_count_and_say_the_same_each_time(solver):
    domain = Domain.of({"x": "A*B"}, {"A": (1, None), "B": (1, None)})
    claim = one_to_one_map(IndexMap(domain, (parse("x // B * (B + 3) + x % B", domain),)), "pitch")
    text = question(claim, "z3 integers")
    found = [solver.ask(text, 100) for _ in range(3)]
    assert found[0].verdict == "unknown"
    assert found == [found[0]] * 3


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 7), st.integers(1, 9))
@example([3, 1, 3, 1], 1, 1)
def test_repeats_are_found_in_any_number_of_passes(numbers, block, held):
    seen: dict[int, int] = {}
    expected = None
    for place, number in enumerate(numbers):
        if number in seen:
            expected = (seen[number], place)
            break
        seen[number] = place

    def blocks():
        for start in range(0, len(numbers), block):
            yield np.array(numbers[start : start + block], dtype=np.int64)

    assert first_duplicate(blocks, len(numbers), held) == expected


@pytest.mark.slow
def test_large_domains_are_tried_in_bounded_memory():
    """Ten million points whose outputs are spread over more numbers than there are marks."""
    domain = Domain.of({"x": 10_000_000})
    x = domain["x"]
    sparse = IndexMap(domain, (x * 1_000_003,))
    assert isinstance(prove(one_to_one_map(sparse, "sparse"), members=["exhaustion"]), Proved)
    folded = replace(sparse, outputs=(parse("(x % 9999999) * 1000003", domain),))
    verdict = prove(one_to_one_map(folded, "folded"), members=["exhaustion"])
    assert repr(verdict).startswith("refuted at x=0, x'=9999999")


def test_numbers_beyond_64_bits_are_not_tried():
    domain = Domain.of({"x": 4})
    huge = domain["x"] * 2**62
    claim = Claim("positive", "huge", domain, (Comparison(0, "<=", huge),))
    assert isinstance(prove(claim, members=["exhaustion"]), Unknown)
    assert isinstance(prove(claim), Proved)
    assert isinstance(
        prove(one_to_one_map(IndexMap(domain, (huge * 2,)), "x"), members=["exhaustion"]), Unknown
    )


def test_what_covers_needs_the_right_size():
    packed = make_naive_tensor_descriptor_packed((4, 8)).xor(0, 1)
    for member in ("bits", "exhaustion"):
        assert isinstance(prove(covers(packed), members=[member]), Proved)
