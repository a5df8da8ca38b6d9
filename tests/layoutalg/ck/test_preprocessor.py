"""The preprocessor: nothing moves, and only what the target compiles is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.ck.cpp.preprocessor import Preprocessor, holds, target_macros, without_comments
from tests.layoutalg.ck.clang import constants, needs_compiler

PIECES = st.sampled_from(
    [
        "int a;\n",
        "// b\n",
        "/* c\n d */",
        '"// no comment"',
        "#if X\n",
        "#else\n",
        "#endif\n",
        "'\"'",
        "0b1'01",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_every_character_keeps_its_line_and_column(text):
    prepared = Preprocessor({"X": "1"}).text(text)
    assert len(prepared) == len(text)
    assert [i for i, c in enumerate(prepared) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert all(new in (old, " ") for old, new in zip(text, prepared, strict=True))


def test_quotes_and_digit_separators_are_no_comments():
    text = """f("a // b", 0b1100'1111, 'x'); // gone"""
    assert without_comments(text) == text.replace("// gone", "       ")


@pytest.mark.parametrize(
    ("arch", "left"),
    [("gfx950", "a"), ("gfx942", "b"), ("gfx1201", "c")],
)
def test_the_branch_of_the_target_is_read(arch, left):
    text = "#if defined(__gfx950__)\na\n#elif defined(__GFX9__)\nb\n#else\nc\n#endif\n"
    assert Preprocessor(target_macros(arch)).text(text).split() == [left]


def test_only_one_branch_is_read_and_a_skipped_one_defines_nothing():
    text = (
        "#if 0\n#define A 1\n#if 1\nx\n#endif\n#elif 1\ny\n#elif 1\nz\n#else\nu\n#endif\n#ifdef A\nw\n#endif"
    )
    assert Preprocessor({}).text(text).split() == ["y"]


@pytest.mark.parametrize(
    "text",
    ["1 + 2 * 3 == 7", "(1 || 0) && !0", "-1 < 0", "7 / 2 == 3 && 7 % 4 == 3", "0x10 == 16", "1 << 3 == 8"],
)
def test_conditions_are_what_python_says(text):
    said = eval(text.replace("||", " or ").replace("&&", " and ").replace("!0", "not 0").replace("/ ", "// "))  # noqa: S307
    assert holds(text, {}) == bool(said)


def test_an_unknown_name_is_zero_and_macros_are_read_through():
    assert not holds("UNKNOWN", {})
    assert holds("A == 3", {"A": "B", "B": "3"})
    assert not holds("A", {"A": "A"})


CONDITIONS = """
-1 > 0u
-1 > 0
0xffffffff + 1 > 0xffffffff
0xffffffffffffffff == -1
1u && 0
202002L >= 202002L && 0
010 == 8
0b101 == 5u
1'000 == 1000
-7 / 2 == -3 && -7 % 2 == -1
~0 == -1
~0u > 1
1 ? 0 : 1
(0 ? -1 : 0u) - 1 > 0
(1 ? -1 : 0u) > 0
1 << 40 > 5
-8 >> 1 == -4
true + true == 2
!5 || false
0 && 1 / 0
+3 - -2 == 5
9223372036854775807 > 0 ? 2 : 0
"""


@needs_compiler
def test_a_compiler_takes_the_same_branches(tmp_path):
    rows = CONDITIONS.strip().split("\n")
    text = "\n".join(
        f'#if {row}\nextern "C" const int c{at} = 1;\n#else\nextern "C" const int c{at} = 0;\n#endif'
        for at, row in enumerate(rows)
    )
    said = constants(str(tmp_path), text)
    assert [row for at, row in enumerate(rows) if holds(row, {}) != bool(said[f"c{at}"])] == []
    assert 0 < sum(said.values()) < len(rows)
