"""The 615 expressions of a real compiler: equal as SymPy means them, no dearer than ixsimpl's forms."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction

import pytest

from layoutalg import Domain, Simplifier, simplify
from layoutalg.index.c_integers import CIntegers
from layoutalg.term import interpret_term
from layoutalg.term.cost import Pricing
from layoutalg.term.parse import parse_term
from tests.corpus import wave_cases, wave_domain

POINTS = 15


class Floors(CIntegers):
    """Plain integers whose division rounds down."""

    def quotient(self, left, right):
        return left // right

    def remainder(self, left, right):
        return left % right


FLOORS = Floors()


class Flag(int):
    """SymPy prints flags as names under ``~``, ``&`` and ``|``."""

    def __invert__(self):
        return Flag(not self)

    def __or__(self, other):
        return Flag(bool(self) or bool(other))


def piecewise(*cases):
    return next(value for value, condition in cases if condition)


FUNCTIONS = {
    "Fraction": Fraction,
    "floor": math.floor,
    "ceiling": math.ceil,
    "Mod": lambda number, divisor: number - divisor * math.floor(Fraction(number) / divisor),
    "Max": max,
    "Min": min,
    "Piecewise": piecewise,
    "xor": lambda left, right: int(left) ^ int(right),
}


def oracle(text):
    """The value at a point by Python's own rules over exact fractions; None where a part divides by zero."""
    text = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"Fraction(\1)", text.replace("$", "S_"))
    code = compile(text, "<case>", "eval")

    def value(point):
        try:
            return eval(code, {"__builtins__": {}, **FUNCTIONS, **point})  # noqa: S307  our own data
        except ZeroDivisionError:
            return None

    return value


def points(count):
    draw = random.Random(615)
    for number in range(count):
        point = {}
        for variable in wave_domain().variables:
            low = 0 if variable.lower is None else int(variable.lower)
            high = low + (3, 40, 3000)[number % 3] if variable.upper is None else int(variable.upper) - 1
            step = variable.multiple_of
            value = step * draw.randint(-(-low // step), max(-(-low // step), high // step))
            is_flag = variable.name.startswith("$MMA")
            point[variable.name] = Flag(value % 2) if is_flag else value or 1
        yield point


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("part", range(8))
def test_forms_are_equal_and_no_dearer(part):
    domain = wave_domain()
    simplifier = Simplifier(domain, assume_defined=True)
    pricing = Pricing([parameter.name for parameter in domain.parameters])
    samples = [
        (point, {name.replace("$", "S_"): at for name, at in point.items()}) for point in points(POINTS)
    ]
    compared = 0
    for case in wave_cases()[part::8]:
        found = simplifier(parse_term(case.text, syntax="sympy"))
        given = parse_term(case.ixsimpl, syntax="sympy")
        assert found.cost <= found.cost_before, case.number
        assert found.cost <= pricing.total(given), case.number
        wanted = oracle(case.text)
        for point, named in samples:
            expected = wanted(named)
            if expected is None:
                continue
            compared += 1
            assert interpret_term(found.program, FLOORS, point.__getitem__) == expected, (case.number, point)
    assert compared > 500


@pytest.mark.slow
@pytest.mark.parametrize("step", [40, pytest.param(12, marks=pytest.mark.slow)])
def test_forms_do_not_depend_on_what_came_before(step):
    domain = wave_domain()
    cases = wave_cases()[::step]
    terms = [parse_term(case.text, syntax="sympy") for case in cases]
    alone = [str(Simplifier(domain, assume_defined=True)(term)) for term in terms]
    order = list(range(len(terms)))
    for _ in range(2):
        random.Random(len(order)).shuffle(order)
        simplifier = Simplifier(domain, assume_defined=True)
        found = {number: str(simplifier(terms[number])) for number in order}
        assert [found[number] for number in range(len(terms))] == alone
    assert [str(simplify(term, domain, assume_defined=True)) for term in terms] == alone


def test_what_one_expression_takes_for_granted_another_does_not():
    domain = Domain.of({"x": 8}, {"K": (0, 8)})
    simplifier = Simplifier(domain, assume_defined=True)
    assert str(simplifier("x // K + max(K, 1)")) == "x // K + K"
    assert str(simplifier("max(K, 1)")) == "max(1, K)"
