"""Every row of the rule table: proved, used only where its premise can hold, wrong if changed, and finite."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import mul
from typing import Any

import pytest
import z3

from layoutalg.domain import Domain
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.rule import Rule
from layoutalg.rules.table import RULES
from layoutalg.term import Term
from layoutalg.term.parse import parse_term

BIT_OPERATIONS = {"^", "&", "|", "<<", ">>"}
WIDTH, LARGEST, SHIFTS = 32, 2**10, 2**3  # words of 32 bits hold every value made of letters below these
MEASURED = ("select", "max", "min", "|", "&", "^", "trunc_mod", "trunc_div", "%", "//")
TURNED = {"trunc_of_negated"}  # used where the leading term is negative, which it is not afterwards
MUTANTS = {  # a right side that is nearly right
    "div_of_small": "k + 1",
    "div_of_multiple_plus": "q - r // d",
    "div_of_scaled_plus": "(n + k) // g",
    "div_of_div_plus": "(n + r) // (a*d)",
    "div_of_slope": "k + 1",
    "mod_as_div": "n - n // d",
    "trunc_of_nonnegative": "-(-n // d)",
    "trunc_of_nonpositive": "n // d",
    "trunc_of_negated": "trunc_div(n, d)",
    "trunc_of_small": "1",
    "trunc_of_multiple": "q*d",
    "trunc_of_scaled": "trunc_div(n, g*d)",
    "trunc_of_trunc": "trunc_div(n, a + d)",
    "mod_as_trunc": "n % d",
    "min_of_min": "min(b + s, c)",
    "xor_above_low_bits": "((n >> k ^ m) << k) - n % (1 << k)",
    "xor_below_high_bits": "((n >> k) << k) + (n ^ m)",
    "xor_with_all_ones_if": "n + t*((1 << k) - 2*n)",
    "and_with_itself": "n + n",
    "and_with_ones": "n % (1 << w) << k",
    "and_with_mask": "(n & a) + b",
    "and_above_low_bits": "(n & m) << k",
    "and_below_high_bits": "n % (1 << k)",
    "or_as_sum": "m + n",
    "min_of_ordered": "b",
    "max_as_min": "-min(a, b)",
    "select_shown": "y",
    "select_refuted": "x",
    "select_same": "x + 1",
    "product_of_nonnegatives": "a*b",
    "quotient_below": "k - n // d - 1",
    "quotient_above": "n // d - k",
}
by_name = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


class Words:
    """Terms as bit-vectors too wide to overflow; small letters, smaller shifts."""

    def __init__(self, rule: Rule) -> None:
        self.letters = {name: z3.BitVec(name, WIDTH) for name in sorted(rule.letters | names(rule))}
        self.defined = [letter >= 0 for letter in self.letters.values()]
        self.defined += [
            letter < (SHIFTS if name in ("k", "w") else LARGEST) for name, letter in self.letters.items()
        ]

    def of(self, term: Term):
        if term.op == "integer":
            return z3.BitVecVal(term.args[0], WIDTH)
        if term.op == "symbol":
            return self.letters[term.args[0]]
        parts = [self.of(part) for part in term.args]
        if term.op in ("+", "*"):
            return sum(parts[1:], parts[0]) if term.op == "+" else reduce(mul, parts)
        left, right = parts
        return {
            "^": lambda: left ^ right,
            "&": lambda: left & right,
            "|": lambda: left | right,
            "<<": lambda: left << right,
            ">>": lambda: left >> right,
            "%": lambda: z3.SRem(left, right),
            "<=": lambda: left <= right,
            "<": lambda: left < right,
            "==": lambda: left == right,
        }[term.op]()


class Integers:
    """Terms as integers of any size; each division is its quotient, between its bounds."""

    def __init__(self, rule: Rule) -> None:
        self.letters = {name: z3.Int(name) for name in sorted(rule.letters | names(rule))}
        self.defined: list[Any] = []
        self.quotients: list[Any] = []

    def of(self, term: Term):
        if term.op == "integer":
            return z3.IntVal(term.args[0])
        if term.op == "symbol":
            return self.letters[term.args[0]]
        parts = [self.of(part) for part in term.args]
        if term.op in ("+", "*"):
            return sum(parts[1:], parts[0]) if term.op == "+" else reduce(mul, parts)
        if term.op == "select":
            return z3.If(*parts)
        left, right = parts
        if term.op in ("//", "%"):
            quotient = self._quotient(left, right)
            return quotient if term.op == "//" else left - right * quotient
        if term.op in ("trunc_div", "trunc_mod"):
            quotient = z3.If(left >= 0, self._quotient(left, right), -self._quotient(-left, right))
            return quotient if term.op == "trunc_div" else left - right * quotient
        return {
            "<=": lambda: left <= right,
            "<": lambda: left < right,
            "==": lambda: left == right,
            "min": lambda: z3.If(left <= right, left, right),
            "max": lambda: z3.If(left <= right, right, left),
        }[term.op]()

    def _quotient(self, number, divisor):
        quotient = z3.FreshInt("q")
        self.defined += [
            divisor > 0,
            divisor * quotient <= number,
            number < divisor * quotient + divisor,
        ]
        for other, other_divisor in self.quotients:  # what differs by 1 or more, differs by a divisor
            for one, two, by in ((quotient, other, divisor), (other, quotient, other_divisor)):
                self.defined.append(z3.Implies(one >= two + 1, by * one >= by * two + by))
        self.quotients.append((quotient, divisor))
        return quotient


def names(rule: Rule) -> set[str]:
    """The letters of all three texts."""
    terms = (rule.before_term, rule.after_term, *rule.when_terms)
    return {part.args[0] for term in terms for part in term.walk() if part.op == "symbol"}


def operations(*terms: Term) -> Counter[str]:
    """How often each operation and each letter stands in the terms as written."""
    found: Counter[str] = Counter()
    for term in terms:
        found["letters" if term.op == "symbol" else term.op] += 1
        found += operations(*term.parts)
    return found


def encoded(rule: Rule):
    used = operations(rule.before_term, rule.after_term, *rule.when_terms)
    on = Words(rule) if BIT_OPERATIONS & set(used) else Integers(rule)
    return on, on.of(rule.before_term), [on.of(term) for term in rule.when_terms]


def answer(*conditions):
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*conditions)
    return solver.check()


def lemmas(rule: Rule, on):
    """What a reader of the proof would point out: a product of a positive number and the gap."""
    if not isinstance(on, Integers):
        return []
    found = []
    for (one, divisor), (two, _) in ((p, q) for p in on.quotients for q in on.quotients if p is not q):
        for shift in [*on.letters.values(), z3.IntVal(0)]:
            gap = one - two - shift
            found += [
                z3.Implies(gap >= 1, divisor * gap >= divisor),
                z3.Implies(gap <= -1, divisor * gap <= -divisor),
            ]
    del rule
    return found


LONG = {"div_of_div_plus", "trunc_of_scaled", "trunc_of_trunc"}  # Z3 needs seconds for their proofs
LONG |= {"trunc_of_negated", "mod_as_trunc"}  # or most of one


@pytest.mark.parametrize(
    "rule",
    [pytest.param(rule, marks=pytest.mark.slow if rule.name in LONG else ()) for rule in RULES],
    ids=lambda rule: rule.name,
)
def test_both_sides_are_equal_wherever_the_premise_holds(rule):
    on, before, when = encoded(rule)
    after = on.of(rule.after_term)
    if rule.name == "trunc_of_trunc":  # for either sign it is what floors are
        for is_negative in (False, True):
            sign = (on.letters["n"] < 0) == is_negative
            assert answer(*map(z3.simplify, on.defined), sign, before != after) == z3.unsat
        return
    assert answer(*on.defined, *when, *lemmas(rule, on), before != after) == z3.unsat


@by_name
def test_the_premise_can_hold(rule):
    on, _, when = encoded(rule)
    assert answer(*on.defined, *when) == z3.sat


@by_name
def test_a_changed_right_side_is_refuted(rule):
    on, before, when = encoded(rule)
    after = on.of(parse_term(MUTANTS[rule.name]))
    assert answer(*on.defined, *when, before != after) == z3.sat


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.when], ids=lambda rule: rule.name)
def test_the_premise_is_needed(rule):
    on, before, _ = encoded(rule)
    assert answer(*on.defined, before != on.of(rule.after_term)) == z3.sat


@pytest.mark.parametrize("rule", [r for r in RULES if r.name not in TURNED], ids=lambda rule: rule.name)
def test_something_gets_smaller(rule):
    """Fewer operations (the first that differs), or fewer letters, or the operand that the row names."""
    if rule.shrinks is None:
        sizes = [operations(side) for side in (rule.before_term, rule.after_term)]
        before, after = ([size[name] for name in (*MEASURED, "letters")] for size in sizes)
        assert after < before
        return
    on, _, when = encoded(rule)
    before, after = (on.of(parse_term(text)) for text in rule.shrinks)
    assert answer(*on.defined, *when, after > before) == z3.unsat
    assert answer(*on.defined, *when, after < before) == z3.sat


def test_every_rule_has_a_mutant():
    assert sorted(MUTANTS) == sorted(rule.name for rule in RULES)


def test_what_is_turned_is_not_turned_back():
    form = NormalForm(Domain.of({"x": (None, None), "y": (None, None)}))
    x, y = form.symbol("x"), form.symbol("y")
    for number in (x, x - y.scaled(3), x.scaled(2).plus(-5)):
        eighth = form.truncated_quotient(number, form.integer(8))
        form.steps.clear()
        assert form.truncated_quotient(-number, form.integer(8)) == -eighth
        assert sum(step.rule.name in TURNED for step in form.steps) <= 1
