"""What the text of symbolic sizes says and how it names things: never twice, never as its language does."""

from __future__ import annotations

import re

import pytest

from layoutalg import Domain, LayoutError
from layoutalg.index_code import IndexFunction
from tests.layoutalg.index_code.emitted_cases import CASES
from tests.refusals import refused


@pytest.mark.parametrize(("to", "suffix"), [("c", "h"), ("hip", "hip.h"), ("python", "py.txt")])
def test_the_text_is_the_one_that_was_read(to, suffix, snapshot):
    made = CASES["merged"].made
    snapshot.check(f"index_rows.{suffix}", made.text(to, guard=None if to == "python" else "ROWS_H"))


def test_a_guard_is_a_name_that_the_text_does_not_have():
    made = CASES["merged"].made
    for guard in ("K", "merged_offset", "sizes"):
        with refused(LayoutError, "guard", guard):
            made.text("c", guard=guard)
    for guard in ("", "9H", "ROWS H", "rows.h"):
        with refused(LayoutError, "guard", "ROWS_H"):
            made.text("hip", guard=guard)
    with refused(LayoutError, "__ROWS"):
        made.text("c", guard="__ROWS")


@pytest.mark.parametrize("what", ["sizes", "make_sizes", "sizes_hold", "divide", "make_divisor64", "offset"])
def test_a_name_of_the_texts_own_is_refused(what):
    domain = Domain.of({"x": 99, f"f_{what}": 3}, {"K": (1, 9)})
    with refused(LayoutError, f"f_{what}"):
        IndexFunction.of_expression("x // K", domain, "f").text("c")


def test_fields_never_have_a_name_that_stands_for_something_else():
    domain = Domain.of({"x": 99, "by_K": 5, "K_times_M": 9}, {"K": (1, 9), "M": (1, 9)})
    made = IndexFunction.of_expression("x // K + x % (K*M) + by_K + K_times_M", domain, "f")
    members = re.findall(r"^    (?:int\d+_t|struct f_divisor) (\w+);", made.text("c"), re.MULTILINE)
    assert sorted(members) == ["by_K_times_M", "by_s0", "s0"]


def test_open_sizes_are_named_and_how_to_mend_them():
    def said(text, domain):
        code = IndexFunction.of_expression(text, domain).text("c")
        return code, " ".join(line[3:] for line in code.splitlines() if line.startswith("// "))

    pair = Domain.of({"x": "M*K"}, {"M": (1, None), "K": (1, None)})
    forced = "taken to end as above, a max says otherwise. That forces int64_t: a max mends it."
    assert f"M and K have no largest value: they are {forced}" in said("x // K", pair)[1]
    one = Domain.of({"x": "K"}, {"K": (1, None)})
    assert f"K has no largest value: it is {forced}" in said("x*7", one)[1]
    code, words = said("x // K", Domain.of({"x": 99}, {"K": (1, None)}))
    assert "K has no largest value: it is taken to end as above, a max says otherwise. A divisor" in words
    assert re.findall(r"\bint64_t \w+", code) == ["int64_t K"]  # of the check
