"""Wrong answers found in the field, smallest form first; each was once proved, printed or decided."""

from __future__ import annotations

import itertools
import random

import pytest

from layoutalg import (
    Comparison,
    Domain,
    IndexMap,
    LayoutError,
    Max,
    Min,
    Refuted,
    from_sympy,
    parse,
    simplify,
)
from layoutalg.claim import Claim
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.proofs import prove, recheck
from layoutalg.proofs.certificates.certificate import certificate
from layoutalg.rules import Simplifier, simplify_all
from layoutalg.term import interpret_term
from layoutalg.term.parse import parse_term
from tests.corpus.groups import python_function
from tests.fuzz.oracle import UndefinedError, value

OPEN = Domain.of({"i": 100}, {"H": (1, None), "Y": (1, None)})
DIFFERENCE = OPEN.where(OPEN["H"] >= OPEN["Y"])
AXES = Domain.of({"i": 100, "w": "h"}, {"h": (1, None)})
SIZE = Domain.of({}, {"x": (None, None)})
POSITIVE = SIZE.where(SIZE["x"] >= 1)


def test_a_quotient_by_a_divisor_without_known_ends_is_not_zero():
    claim = Claim("in bounds", "a", DIFFERENCE, (Comparison(parse("i // (H - Y + 1)", DIFFERENCE), "<", 1),))
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert recheck(certificate(claim, verdict)).result == "confirmed"


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("i // (h - w) < 50", AXES),
        ("min(i // (h - w), 3)", AXES),
        ("i // (H - Y + 1) < 1", DIFFERENCE),
        ("i // max(H - Y, 1) <= 3", DIFFERENCE),
        ("(-i) // (h - w) < -50", AXES),
        ("5 // x < 5", POSITIVE),
        ("5 % x < 5", POSITIVE),
        ("0 < 5 % x", POSITIVE),
        ("-5 // x", POSITIVE),
        ("5 // (x + 3)", POSITIVE),
    ],
)
def test_what_is_open_stays_open(text, domain):
    found = str(simplify(text, domain))
    for i in (0, 1, 49, 50, 99):
        for h, x in ((1, 1), (2, 5), (70, 6), (5000, 5000)):
            for w in {0, h - 1}:
                point = {"i": i, "h": h, "w": w, "H": h, "Y": max(1, w), "x": x}
                assert value(found, point) == value(text, point), (found, point)


@pytest.mark.parametrize("mask", [-4, -1, -256])
def test_a_negative_mask_takes_bits_away(mask):
    for text in (f"x & ({mask})", f"0 <= (x & ({mask})) >> 2"):
        for is_assumed in (False, True):
            found = simplify(text, Domain.of({"x": 256}), assume_defined=is_assumed)
            computed, wanted = python_function(str(found)), python_function(text)
            assert all(computed({"x": x}) == wanted({"x": x}) for x in range(256))


@pytest.mark.parametrize("op", ["!=", "==", "<", "<=", "or", "and", "not"])
def test_rules_run_on_every_comparison(op):
    text = {"or": "a < 3 or b < 3", "and": "a < 3 and b < 3", "not": "not a < b"}.get(op, f"a {op} b")
    for a in range(5):
        for b in range(5):
            point = {"a": a, "b": b}
            found = interpret_term(parse_term(text), C_INTEGERS, point.__getitem__)
            assert bool(found) == value(text, point)


def swizzles(count, seed):
    """Two swizzles after each other over padded rows, as kernels write them."""
    draw = random.Random(seed)
    for _ in range(count):
        pitch, width = draw.choice(((72, 64), (33, 32), (40, 32), (130, 128), (96, 96)))
        text = draw.choice((f"(x*{pitch} + y % {width})", f"(x // {width}*{pitch} + x % {width})"))
        for _ in range(2):
            bits, base, shift = draw.randint(1, 3), draw.randint(0, 4), draw.randint(1, 5)
            mask = ((1 << bits) - 1) << (base + shift)
            if draw.random() < 0.5:
                text = f"({text} ^ (({text} & {mask}) >> {shift}))"
            else:
                text = f"({text} ^ ({text} // {1 << (base + shift)} % {1 << bits})*{1 << base})"
        yield text, Domain.of({"x": draw.choice((64, 420, 1 << 20)), "y": draw.choice((256, 1000))})


@pytest.mark.slow
def test_two_swizzles_are_neither_refused_nor_endless():
    for text, domain in swizzles(40, 1):
        found = str(simplify(text, domain))
        for x in (0, 1, 31, 40, 63):
            for y in (0, 5, 200, 255):
                assert value(found, {"x": x, "y": y}) == value(text, {"x": x, "y": y})


@pytest.mark.long
def test_all_two_stage_swizzles():
    for text, domain in swizzles(384, 2):
        found = str(simplify(text, domain))
        assert value(found, {"x": 61, "y": 251}) == value(text, {"x": 61, "y": 251})


ENDLESS = {
    "(y & 504) ^ (M & 3661)": Domain.of({"y": "M"}, {"M": (24, 786432, 12)}),
    "(k ^ ((k & 256) >> 4)) ^ (((k ^ ((k & 256) >> 4)) & 96) >> 4)": Domain.of({"k": 1 << 20}),
    "(((i*32)+(i%32)) ^ ((((i*32)+(i%32))//8)%2)*4) ^ "
    "(((((i*32)+(i%32)) ^ ((((i*32)+(i%32))//8)%2)*4)//16)%8)": Domain.of({"i": 420}),
}


@pytest.mark.parametrize("text", ENDLESS)
def test_a_proposal_never_refuses_the_expression(text):
    found = str(simplify(text, ENDLESS[text]))
    for number in (24, 25, 257, 419):
        point = dict.fromkeys(("y", "k", "i"), number) | {"M": 12 * (number // 12 + 1)}
        assert value(found, point) == value(text, point)


LARGE = Domain.of({"y": 2**62, "lane": 2**62})
FAR = [
    "(lane*4 + ((y//1%4 ^ lane%4)*1 + y%1)) % 64",
    "((y*72 + y%100) ^ (((y*72 + y%100) & 224) >> 3)) % 256",
    "(y*33 + lane % 32) // 32 % 8 ^ lane // 4 % 8",
    "((lane*40 + y % 32) ^ ((lane*40 + y % 32) // 64 % 4)*8) // 8",
    "(y // 28*32 + y % 28) % 64 + min(lane, y) // 3",
    "select(y < lane, y*72 + lane % 72, lane*72 + y % 72) // 72",
]


@pytest.mark.slow
def test_results_do_not_depend_on_what_was_simplified_before():
    alone = [str(Simplifier(LARGE)(text)) for text in FAR]
    draw = random.Random(3)
    for _ in range(6):
        order = draw.sample(range(len(FAR)), len(FAR))
        simplifier = Simplifier(LARGE)
        found = {number: str(simplifier(FAR[number])) for number in order}
        assert [found[number] for number in range(len(FAR))] == alone
        shuffled = simplify_all([FAR[number] for number in order], LARGE)
        together = {number: str(one) for number, one in zip(order, shuffled, strict=True)}
        assert [together[n] for n in range(len(FAR))] == [str(one) for one in simplify_all(FAR, LARGE)]


@pytest.mark.parametrize(
    "build",
    [
        from_sympy,
        lambda text: Comparison(text, "<", 3),
        lambda text: Comparison(3, "<", text),
        lambda text: Min(text, 0),
        lambda text: Max(0, text),
        lambda text: Domain.of({"x": 3}).where(text),
        lambda text: IndexMap(Domain.of({"x": 3}), (text,)).bind({"x": 1}),
    ],
)
def test_text_is_never_run(build, tmp_path):
    touched = tmp_path / "touched"
    with pytest.raises((LayoutError, AttributeError)):
        build(f"__import__('pathlib').Path({str(touched)!r}).touch()")
    assert not touched.exists()


def test_the_oracle_of_these_tests_can_fail():
    assert value("5 // x", {"x": 3}) == 1
    with pytest.raises(UndefinedError):
        value("5 // x", {"x": 0})


@pytest.mark.parametrize(
    "text",
    [
        "64 % H != lane and lane <= lane + H",
        "64 % H >= 0 and H > 0",
        "select(H > 0, 64 % H, 3)",
        "H <= 0 or 64 // H >= 0",
    ],
)
def test_what_is_taken_for_granted_is_not_looked_at(text):
    domain = Domain.of({"lane": 8}, {"H": (-3, 255)})
    found = simplify(text, domain, assume_defined=True)
    for lane, size in itertools.product(range(8), range(1, 255)):
        point = {"lane": lane, "H": size}
        assert value(str(found), point) == value(text, point)


def test_ends_of_a_selection_do_not_outlive_the_branch_it_was_met_in():
    nested = "select(y <= select(z <= y, y - z, z), select(z <= y, y - z, z) - y, y) % 2"
    text = f"select({nested} <= 0, -({nested}), {nested})"
    found = str(simplify(text, Domain.of({"x": "4*N", "y": 12, "z": 6}, {"N": (1, 2)})))
    computed, wanted = python_function(found), python_function(text)
    for y in range(12):
        for z in range(6):
            assert computed({"y": y, "z": z}) == wanted({"y": y, "z": z})
