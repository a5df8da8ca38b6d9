"""Text in three syntaxes: one meaning, and an error with a caret at the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol

from layoutalg import Domain, MissingFactError, ParseError, evaluate, parse
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.term import Term, interpret_term
from layoutalg.term.as_terms import to_term
from layoutalg.term.parse import parse_term
from tests.refusals import refused
from tests.strategies import domains, expressions

DOMAIN = Domain.of({"x": 100, "y": 64, "threadIdx.x": 256, "$WG0": 8}, {"K": (64, 1024, 64)})
POINT = {"x": 77, "y": 13, "threadIdx.x": 200, "$WG0": 5, "K": 128}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x // 8 * 8 + x % 8", 77),
        ("x + y * 2 ^ 3", (77 + 26) ^ 3),
        ("x & 7 | y << 2", 77 & 7 | 13 << 2),
        ("0x1F & x", 0x1F & 77),
        ("min(x, y, 5) + max(x, y)", 5 + 77),
        ("x if x < y else y", 13),
        ("x if 0 <= y < 20 and not x < 3 else 0", 77),
        ("-x + 100", 23),
        ("2 * x**2", 2 * 77 * 77),
        ("select(x == 77, 1, 2)", 1),
        ("x / 8 + (x >= 50 ? 1 : 0)", 77 // 8 + 1),
        ("threadIdx.x / 64 * 8u + (y & 7 ^ 1)", 200 // 64 * 8 + (13 & 7 ^ 1)),
        ("x > 3 && y != 13 ? 5 : 6", 6),
        ("floor(x/8) + ceiling(y/8) + Mod(x, 5)", 9 + 2 + 2),
        ("floor($WG0/4 + K*y/4) * 2", (5 + 128 * 13) // 4 * 2),
        ("Piecewise((x, y > 20), (y, True))", 13),
        ("Piecewise((x, (y > 20) | (x > 3)), (y, True))", 77),
        ("xor(x, y) + Max(x, 80)", (77 ^ 13) + 80),
        ("K // 64", 2),
    ],
)
def test_values(text, value):
    assert evaluate(parse(text, DOMAIN), POINT) == value


def test_c_compares_before_it_joins_bits():
    assert evaluate(parse("x & (7 == 7 ? 1 : 0)", DOMAIN, syntax="c"), POINT) == 1
    with refused(ParseError):
        parse("x & 1 == 1", DOMAIN, syntax="c")
    assert parse("(x & 1) == 1", DOMAIN, syntax="c") == parse("x & 1 == 1", DOMAIN, syntax="python")


def test_a_fraction_outside_floor_is_read_where_it_is_a_whole_number():
    domain = Domain.of({"x": 9}, {"K": (2, 64, 2)})
    point = {"x": 5, "K": 6}
    assert evaluate(parse("x*K/2 + floor(x/4)", domain), point) == 16
    with refused(MissingFactError):
        parse("floor(x/4) + x/2", domain)


@given(st.data())
def test_what_is_printed_can_be_read_again(data):
    domain = data.draw(domains())
    term = to_term(data.draw(expressions(domain)))
    assert parse_term(str(term)) == term


@pytest.mark.parametrize(
    ("text", "problem", "column"),
    [
        ("x // ", "wanted a number, a name or (, found the end", 5),
        ("x + * y", "wanted a number, a name or (, found '*'", 4),
        ("(x + y", "wanted ')', found the end", 6),
        ("x y", "wanted an operator or the end, found 'y'", 2),
        ("x @ y", "cannot read '@'", 2),
        ("3.5 * x", "wanted an integer, found 3.5", 0),
        ("x // 4 / 2 % 3", "% beside both / and //", 11),
        ("sin(x)", "there is no function sin", 0),
        ("min(x)", "min takes 2 arguments, got 1", 0),
        ("x if y else 3", "wanted a condition such as x < 4", 5),
        ("(x < 3) + 1", "wanted an integer, found a condition", 0),
        ("x < 3 and y", "wanted a condition", 10),
        ("Piecewise((x, y > 3))", "wanted (value, True) as the last case", 0),
        ("x ? 1 : 2", "wanted a condition", 0),
        ("x**99", "wanted a small number as exponent", 3),
    ],
)
def test_wrong_text_gets_a_caret_at_the_place(text, problem, column):
    with pytest.raises(ParseError) as caught:
        parse(text, DOMAIN)
    first, line, caret = caught.value.message.splitlines()
    assert problem in first
    assert line == f"  {text}"
    assert caret == f"  {' ' * column}^"


def test_what_is_not_defined_on_the_domain_is_refused():
    with refused(MissingFactError):
        parse("x // y", DOMAIN)
    with refused(MissingFactError):
        parse("(x - 3) ^ 1", DOMAIN)
    assert evaluate(parse("x // y if y > 0 else 0", DOMAIN), POINT | {"y": 0}) == 0


X, Y, EIGHT = Term.symbol("x"), Term.symbol("y"), Term.integer(8)


@pytest.mark.parametrize(
    "term",
    [
        Term.sum(Term.product(Term.integer(-1), Term("//", (X, EIGHT)), Y), Y),
        Term.sum(Term.product(Term.integer(-1), Term("%", (X, EIGHT)), Y), Y),
        Term.sum(Term.product(Term.integer(-1), Term("//", (Term.integer(-1), EIGHT)), Y), X),
        Term.product(Term.integer(-1), Term("//", (X, EIGHT)), Y),
        Term.sum(Term.product(Term.integer(-3), Term("//", (X, EIGHT))), Y),
        Term.sum(Term.product(Term.integer(-1), Term("//", (X, EIGHT))), Y),
    ],
    ids=str,
)
def test_a_minus_does_not_slip_into_a_division(term):
    symbols = {name: Symbol(name, integer=True) for name in "xy"}
    for x in range(17):
        values = {"x": x, "y": 3}
        expected = eval(str(term), {}, values)  # noqa: S307
        for same in (term, parse_term(str(term))):
            assert evaluate(interpret_term(same, SYMBOLIC, symbols.__getitem__), values) == expected
