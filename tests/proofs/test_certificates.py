"""Certificates: both solvers confirm what is true, and nothing that was changed passes."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from layoutalg import (
    Claim,
    Comparison,
    Domain,
    IndexMap,
    Proved,
    Refuted,
    Unknown,
    evaluate,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    parse,
    sizes,
)
from layoutalg.domain.points import blocks
from layoutalg.domain.probes import has_point
from layoutalg.errors import LayoutError
from layoutalg.proofs import certificate, prove, recheck
from layoutalg.proofs.certificates.certificate import digest
from layoutalg.proofs.certificates.claim_json import claim_of, json_of
from layoutalg.proofs.certificates.judgement import Judgement
from layoutalg.proofs.certificates.split_json import parts_of, split_of
from layoutalg.proofs.limits import LIMITS
from layoutalg.proofs.members.by_normal_form import form_under, gap_of
from layoutalg.proofs.smt.solvers import SOLVERS
from layoutalg.proofs.theorems.theorem import row_question
from layoutalg.properties import (
    covers,
    covers_map,
    memory_bounds,
    one_to_one,
    one_to_one_map,
    same_map,
)
from layoutalg.rules.bound_steps import product_steps
from layoutalg.rules.explained_step import explained
from layoutalg.rules.table import RULES
from tests.refusals import refused
from tests.strategies import descriptors, domains, expressions

M, K = sizes("M K")
FIVE = sympy.Integer(5)
PACKED = make_naive_tensor_descriptor_packed((M, K))
PITCHED = make_naive_tensor_descriptor((M, K), (K + 8, 1))
SWIZZLED = make_naive_tensor_descriptor_packed((8, 8)).xor(0, 1)


def sent(claim, members=None):
    """The certificate as it arrives elsewhere."""
    verdict = prove(claim) if members is None else prove(claim, members=members)
    return json.loads(json.dumps(certificate(claim, verdict)))


CLAIMS = {
    "bounds of all sizes": (memory_bounds(PACKED), "normal form"),
    "pitched rows apart": (one_to_one(PITCHED), "digits"),
    "merged rows covered": (covers(PACKED.merge(0, 1)), "digits"),
    "padded rows": (memory_bounds(PACKED.pad(0, 1, 2)), "normal form"),
    "merge and back": (same_map(PACKED.merge(0, 1).unmerge(0, (M, K)), PACKED), "normal form"),
    "swizzled rows apart": (one_to_one(SWIZZLED), "digits"),
    "swizzled rows covered": (covers(SWIZZLED), "digits"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_proofs_are_confirmed_by_each_solver_alone(name):
    claim, by = CLAIMS[name]
    content = sent(claim)
    assert content["by"] == by
    for solver in SOLVERS:
        found = recheck(content, [solver])
        assert found.result == "confirmed", found
        assert found.answers[solver].startswith("confirmed"), found


@pytest.mark.sample(8)
@pytest.mark.parametrize("member", ["bits", "z3 integers", "z3 words", "cvc5", "exhaustion", "few points"])
def test_every_member_has_certificates_that_hold(member):
    content = sent(one_to_one(SWIZZLED), [member])
    assert content["by"] == member.replace("few points", "exhaustion")
    assert recheck(content).result == "confirmed"


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("text", ["256*K*w", "K*(256*w + 64*v + i)", "2*(K*(256*w + 64*v + i//4) + i%4)"])
def test_products_of_facts_are_steps_that_are_only_added_up(text, solver):
    fact = f"{2 if text.startswith('2*') else 1}*(K + 16)*(M + 256) < 2**31"
    axes = {"w": "(M + 255)//256", "v": 4, "i": 64}
    domain = Domain.of(axes, {"M": (1, None), "K": (4, None, 4)}, [fact])
    offset = Comparison(parse(text, domain), "<", parse("2**31", domain))
    claim = Claim("fits int32", "an offset", domain, (offset,))
    form = form_under(domain, ())
    steps = explained(form, product_steps(form, gap_of(form, offset)), budget=0)
    assert Judgement(claim, steps, SOLVERS[solver], LIMITS).answer() == "confirmed from its steps"


@pytest.mark.slow
@settings(max_examples=15)
@given(descriptors(most=60))
def test_certificates_of_all_kinds_of_descriptors_hold(descriptor):
    found = descriptor.index_map()
    assume(has_point(found.domain, found.when))
    for claim in (memory_bounds(descriptor), one_to_one(descriptor), covers(descriptor)):
        content = sent(claim)
        assert content["verdict"] in ("proved", "refuted")
        assert recheck(content).result == "confirmed", content


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_claims_survive_the_way_through_json(data):
    domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
    left, right = (data.draw(expressions(domain, depth=3)) for _ in range(2))
    compared = Claim("equal", "pair", domain, (Comparison(left, "==", right),), (left < right,))
    index_map = IndexMap(domain, (left, right), (left <= right,))
    for claim in (
        compared,
        one_to_one_map(index_map, "pair"),
        covers_map(index_map, (FIVE, right + 1), "one"),
    ):
        back = claim_of(json.loads(json.dumps(json_of(claim))))
        assert back.name == claim.name
        assert back.domain.names == claim.domain.names
        for block in blocks(domain):
            if back.map is None:
                assert np.array_equal(back.holds(block), claim.holds(block))
            for one, other in zip(back.map.outputs if back.map else (), index_map.outputs, strict=False):
                assert np.array_equal(evaluate(one, block), evaluate(other, block))


def changed(content, path, value):
    found = copy.deepcopy(content)
    place = found
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    return found


def resealed(content):
    """With the digest a careful forger would compute."""
    return content | {"digest": digest(content)}


PITCH = make_naive_tensor_descriptor((4, 8), (10, 1))
OVERLAP = make_naive_tensor_descriptor((4, 8), (7, 1))
SYMBOLIC = same_map(PACKED.merge(0, 1).unmerge(0, (M, K)), PACKED)
FORGERIES = {
    "claim made false": (memory_bounds(PITCH), ["claim", "then", 1, 2], "37"),
    "stride changed": (one_to_one(PITCH), ["claim", "outputs", 0], "7*i0 + i1"),
    "range widened": (one_to_one(PITCH), ["claim", "domain", "variables", 1, "upper"], "11"),
    "wrong inverse": (one_to_one(PITCH), ["proof", "inverse", "i0"], "y0 // 9"),
    "inverse of something else": (one_to_one(PITCH), ["proof", "inverse"], {"i9": "y0"}),
    "wrong step": (SYMBOLIC, ["proof", "steps", 0, "after"], "K"),
    "wrong premise": (SYMBOLIC, ["proof", "steps", 0, "premise"], ""),
    "unknown rule": (SYMBOLIC, ["proof", "steps", 0, "rule"], "because"),
    "refutation called proof": (one_to_one(OVERLAP), ["verdict"], "proved"),
    "point at which it holds": (one_to_one(OVERLAP), ["point", "i1"], 6),
    "point outside": (one_to_one(OVERLAP), ["point", "i0'"], 9),
    "wrong value at the point": (one_to_one(OVERLAP), ["values", "i0"], 3),
    "reached after all": (covers(PITCH), ["point", "y0"], 10),
    "other schema": (memory_bounds(PITCH), ["schema"], "layoutalg-certificate-9"),
    "no verdict": (memory_bounds(PITCH), ["verdict"], "sure"),
    "no claim": (memory_bounds(PITCH), ["claim"], {}),
    "no program": (memory_bounds(PITCH), ["claim", "then", 0, 0], "__import__('os')"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_certificate_is_rejected(name):
    claim, path, value = FORGERIES[name]
    content = sent(claim)
    assert recheck(content).result == "confirmed"
    forged = changed(content, path, value)
    assert "digest" in recheck(forged).reason or forged["schema"] != content["schema"]
    found = recheck(resealed(forged))
    assert found.result == "rejected", found


@pytest.mark.parametrize("extra", [{}, {"i9": 0}])
def test_a_refutation_outside_the_domain_is_rejected(extra):
    """Index (0, 10) would meet (1, 0), if it existed."""
    point = {"i0": 0, "i1": 10, "i0'": 1, "i1'": 0, **extra}
    content = certificate(one_to_one(PITCH), Refuted(point, "they meet", "exhaustion"))
    assert recheck(content).result == "rejected"


def test_a_changed_question_is_rejected():
    content = sent(one_to_one(PITCH), ["z3 integers"])
    without_goal = "\n".join(x for x in content["proof"]["smt2"].splitlines() if "(not" not in x)
    found = recheck(resealed(changed(content, ["proof", "smt2"], without_goal)))
    assert found.result == "rejected"
    assert "not the one the claim asks" in found.reason


def test_true_steps_do_not_prove_a_false_claim():
    false = same_map(PITCHED, PACKED)
    content = certificate(false, Proved("normal form"))
    steps = sent(SYMBOLIC)["proof"]["steps"]
    found = recheck(resealed(changed(content, ["proof", "steps"], steps)))
    assert found.result == "rejected"


def test_unknown_proves_nothing():
    claim = memory_bounds(PITCH)
    content = json.loads(json.dumps(certificate(claim, Unknown("no time"))))
    assert recheck(content).result == "open"


def test_a_false_verdict_with_honest_evidence_is_rejected():
    domain = Domain.of({"x": 64})
    claim = Claim("equal", "x", domain, (Comparison(parse("x % 8", domain), "==", domain["x"]),))
    for by in ("normal form", "digits", "bits", "ranges", "exhaustion"):
        assert recheck(certificate(claim, Proved(by))).result == "rejected"


SLOW = {("and_with_ones", "cvc5"), ("div_of_scaled_plus", "cvc5")}  # two minutes
ODD = {"trunc_of_trunc"}  # both sides change their sign with n: rows about floors say all
UNANSWERED = {("trunc_of_scaled", "cvc5")}  # within a minute, for floors as well


@pytest.mark.sample(16)
@pytest.mark.parametrize(
    ("rule", "solver"),
    [
        pytest.param(rule, solver, marks=[pytest.mark.slow] if (rule.name, solver) in SLOW else [])
        for rule in RULES
        for solver in SOLVERS
        if (rule.name, solver) not in UNANSWERED
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_rows_are_theorems_for_each_solver(rule, solver):
    asked = _about_floors(rule) if rule.name in ODD else rule
    answer = SOLVERS[solver].ask(row_question(asked), 10_000_000)
    assert answer.verdict == "unsat", answer


def _about_floors(rule):
    """What a row says where nothing is negative; for the rest there is ``trunc_of_negated``."""
    before, after = (side.replace("trunc_div", "floordiv") for side in (rule.before, rule.after))
    return replace(rule, before=before, after=after)


@pytest.mark.parametrize("rule", [r for r in RULES if r.when], ids=lambda rule: rule.name)
def test_rows_without_their_premise_are_no_theorems(rule):
    assert SOLVERS["z3"].ask(row_question(replace(rule, when=""))).verdict != "unsat"


@pytest.mark.parametrize("first", [(99,), (-1,), (0, 2)])
def test_groups_that_a_claim_does_not_have_are_refused(first):
    domain = Domain.of({"i": 8})
    i = domain["i"]
    claim = Claim("in bounds", "i", domain, (Comparison(sympy.Integer(0), "<=", i), Comparison(i, "<", 8)))
    with refused(LayoutError, "0", "1"):
        parts_of(claim, split_of({"kind": "groups", "first": list(first)}, claim))
