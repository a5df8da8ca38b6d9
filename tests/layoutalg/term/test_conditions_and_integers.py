"""Where an integer is wanted, a condition is refused in one clear line, and the other way round.

The oracle knows no grammar: it makes trees, and says of each what it is before it is written as text.
"""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.domain import Domain
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.from_text import parse
from layoutalg.term.parse import Syntax, parse_term
from layoutalg.term.tokens import ParseError
from tests.refusals import refused

SYNTAXES = get_args(Syntax)
OF_INTEGERS = {  # texts of integers {0}, {1}; what they are themselves
    "({0}) + ({1})": "integer",
    "({0}) - ({1})": "integer",
    "({0}) * ({1})": "integer",
    "({0}) // ({1})": "integer",
    "({0}) ^ ({1})": "integer",
    "({0}) << ({1})": "integer",
    "-({0})": "integer",
    "+({0})": "integer",
    "({0})**2": "integer",
    "min({0}, {1})": "integer",
    "Mod({0}, {1})": "integer",
    "cdiv({0}, {1})": "integer",
    "floor({0})": "integer",
    "select(x < 4, {0}, {1})": "integer",
    "({0}) if x < 4 else ({1})": "integer",
    "({0}) < ({1})": "condition",
    "({0}) == ({1})": "condition",
    "Ne({0}, {1})": "condition",
}
OF_CONDITIONS = {
    "({0}) and ({1})": "condition",
    "({0}) or ({1})": "condition",
    "not ({0})": "condition",
    "!({0})": "condition",
    "select({0}, x, 3)": "integer",
    "x if ({0}) else 3": "integer",
}
OF_EITHER = ("({0}) & ({1})", "({0}) | ({1})")  # bits of integers, or conditions joined
LEAVES = {"x + 1": "integer", "7": "integer", "x < 4": "condition", "True": "condition"}


def trees():
    """Texts of whatever kinds of operands, each with what it is; None where a kind is not the wanted one."""
    operators = st.sampled_from([*OF_INTEGERS, *OF_CONDITIONS, *OF_EITHER])
    leaves = st.sampled_from([*LEAVES.items()])
    return st.recursive(leaves, lambda parts: st.builds(_joined, operators, parts, parts), max_leaves=6)


def _joined(operator, left, right):
    kinds = {of for _, of in ([left, right] if "{1}" in operator else [left])}
    text = operator.format(left[0], right[0])
    if operator in OF_EITHER:
        return text, kinds.pop() if len(kinds) == 1 else None
    wanted = "integer" if operator in OF_INTEGERS else "condition"
    return text, (OF_INTEGERS | OF_CONDITIONS)[operator] if kinds == {wanted} else None


@given(trees(), st.sampled_from(SYNTAXES))
def test_a_text_is_read_where_each_operand_is_of_the_wanted_kind_and_nowhere_else(tree, syntax):
    text, kind = tree
    if kind is None:
        with refused(ParseError):
            parse_term(text, syntax=syntax)
    else:
        parse_term(f"select({text}, 1, 0)" if kind == "condition" else f"-({text})", syntax=syntax)


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("text", [*OF_INTEGERS, "({0}) % ({1})", "~-({0})", "({0}) >> ({1})"])
def test_each_operand_is_looked_at(text, syntax):
    for operands in (("x < 4", "7"), ("7", "x < 4"))[: 1 + ("{1}" in text)]:
        with refused(ParseError) as caught:
            parse_term(text.format(*operands), syntax=syntax)
        assert "select(x < 4, 1, 0)" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["(x < 4)/4", "floor((x < 4)/4)", "4/(x < 4)", "-(x < 4)/4", "x/4 + -(x < 4)"]
)
def test_no_condition_is_part_of_a_fraction(text):
    for syntax in ("c", "sympy"):
        with refused(ParseError):
            parse_term(text, syntax=syntax)


DOMAIN = Domain.of({"x": 64}, {"K": (4, 64, 4)})


def same(text, other, syntax):
    found, wanted = parse(text, DOMAIN, syntax=syntax), parse(other, DOMAIN, syntax="python")
    points = {"x": range(64), "K": 8}
    return evaluate(found, points).tolist() == evaluate(wanted, points).tolist()


def test_a_wave_negates_a_condition_where_numpy_and_sympy_do_and_not_in_c():
    for syntax in ("python", "sympy"):
        assert same("select(~(x < 4), 1, 2)", "1 if x >= 4 else 2", syntax)
    with refused(ParseError, "0") as caught:
        parse("~(x < 4) ? 1 : 2", DOMAIN, syntax="c")
    assert "!" in caught.value.hint


def test_a_fraction_is_no_flag():
    """``x`` alone is one to SymPy; of ``x/3`` the name was taken for the whole."""
    assert same("Piecewise((1, ~x), (2, True))", "1 if x == 0 else 2", "sympy")
    assert same("x + ~(K/4)", "x - K//4 - 1", "sympy")
    for text in ("Piecewise((1, ~(x/3)), (2, True))", "Piecewise((1, x/3), (2, True))"):
        with refused(ParseError):
            parse(text, DOMAIN, syntax="sympy")
