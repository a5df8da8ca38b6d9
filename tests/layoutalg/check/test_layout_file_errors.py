"""What is said of layout files that are in error: one line, with the file, the line and the key."""

from __future__ import annotations

import pytest

from layoutalg.check.file_error import FileError
from layoutalg.check.layout_file import asked_of, obligations_of
from tests.refusals import refused

A = "[layout.a]\nbase = {packed = [8]}\n"
A2 = "[layout.a]\nbase = {packed = [8, 8]}\n"
SLICE = "{transform = 'slice', low_length = 8, begin = 0, slice_end = 3, lower = [0], upper = [0]}"
THROUGH = "{transform = 'pass_through', low_length = 8, lower = [0], upper = [0]}"
UNMERGE = "{transform = 'unmerge', up_lengths = [3, 4], lower = [0], upper = [0, 1]}"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[layout.a]\nbase = {packed = [4}\n", 2, "not TOML"),
        ("", 1, "wanted layout"),
        (
            "[layouts.a]\nbase = {packed = [4]}\n",
            1,
            "there is no key layouts (did you mean layout? known are symbols, let, tables, facts, layout)",
        ),
        ("[layout.a]\n\nbas = {packed = [4]}\n", 3, "layout.a: there is no key bas (did you mean base?"),
        ("[layout.a]\nbase = {packed = [4], strides = [1]}\n", 2, "layout.a.base"),
        ("[layout.a]\nbase = {lengths = [4]}\n", 2, "layout.a.base"),
        ("[layout.a]\nbase = {packed = [0]}\n", 2, "wanted a length >= 1, got 0"),
        (
            "[layout.a]\nbase = {packed = [4.5]}\n",
            2,
            "wanted a number, or an expression in the symbols, got 4.5",
        ),
        ('[layout.a]\nbase = {packed = ["K"]}\n', 2, "K is not declared"),
        ('[layout.a]\nbase = {packed = ["4 +"]}\n', 2, "found the end"),
        ('[layout.a]\nbase = "b"\n', 2, "there is no layout b above this one"),
        ('facts = ["K > "]\n[symbols]\nK = {}\n[layout.a]\nbase = {packed = [4]}\n', 1, "facts.0"),
        ("[symbols]\nK = {mni = 4}\n[layout.a]\nbase = {packed = [4]}\n", 2, "there is no key mni"),
        ("[symbols]\nK = {multiple_of = 0}\n[layout.a]\nbase = {packed = [4]}\n", 2, "symbols.K.multiple_of"),
        (
            f"{A}stages = [\n [{UNMERGE}]]\n",
            4,
            "the product of the upper lengths is 12, the dimension's length 8",
        ),
        (
            A + "stages = [[{transform = 'unmrge', lower = [0], upper = [0]}]]\n",
            3,
            "wanted one of embed",
        ),
        (
            A + "stages = [[{transform = 'merge', lower = [0], upper = [0]}]]\n",
            3,
            "wanted low_lengths",
        ),
        (
            f"{A}stages = [[{SLICE}]]\n",
            3,
            "layout.a.stages.0.0",
        ),
        (
            f"{A2}stages = [[{THROUGH}]]\n",
            3,
            "dimension 1 of 2 is not handled",
        ),
        ('[layout.a]\nbase = {packed = [8]}\nclaims = ["one-to-noe"]\n', 3, "wanted one of in bounds"),
        ('[layout.a]\nbase = {packed = [8]}\nclaims = ["monotone"]\n', 3, "monotone: wanted dimension too"),
        (
            '[layout.a]\nbase = {packed = [8]}\nclaims = [\n {claim = "vector access", width = 8}]\n',
            4,
            "dimension",
        ),
        (
            '[layout.a]\nbase = {packed = [8]}\nclaims = [{claim = "monotone", dimension = 3}]\n',
            3,
            "wanted a dimension (0 to 0)",
        ),
        (
            '[layout.a]\nbase = {packed = [8]}\nclaims = [{claim = "same map", as = "b"}]\n',
            3,
            "there is no layout b",
        ),
        ('[layout.a]\nbase = {packed = [8]}\nequals = "i0 + j"\n', 3, "j is not declared"),
        ("[layout.a]\nbase = {packed = [8]}\ntable = [1, 2]\n", 3, "wanted 8 offsets"),
        ("[layout.a]\nbase = {packed = [8192]}\ntable = [1, 2]\n", 3, "at most 4096 indices"),
        ('[layout.a]\nindex = {x = 4}\noffset = "x // (x - 1)"\n', 3, "must be positive"),
        ('[layout.a]\nindex = {x = "y"}\noffset = "x"\n', 2, "y is not declared"),
        ('[layout.a]\nindex = {x = 4}\noffset = "x"\nclaims = ["in bounds"]\n', 4, "wanted a size"),
        ('[layout.a]\nindex = {x = 4}\noffset = "x"\nbase = {packed = [4]}\n', 4, "there is no key base"),
        ('[layout.a]\nindex = {x = 0}\noffset = "x"\n', 1, "is empty"),
        (
            '[layout.a]\nindex = {x = 4}\noffset = "x"\nclaims = ["xor permutes"]\n',
            4,
            "asks nothing of this layout",
        ),
        (
            "facts = ['N < 4']\n[symbols]\nN = {min = 4}\n[layout.a]\nbase = {packed = ['N']}\n",
            4,
            "no index exists",
        ),
        (
            "[symbols]\nN = {max = 9, multiple_of = 16}\n[layout.a]\nbase = {packed = ['N']}\n",
            3,
            "no index exists",
        ),
        ('[layout.a]\nindex = {x = 4}\noffset = "x"\nvalid = "x > 7"\n', 1, "no index exists"),
    ],
)
def test_errors_name_file_line_and_key(text, line, message):
    with pytest.raises(FileError) as caught:
        obligations_of(text, "x.layout.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"x.layout.toml:{line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("table", "facts"),
    [
        ('range = [-3, 5]\nsums_to = "T"', "0 -3"),
        ('one_to_one = true\nsums_to = "T"', ""),
        ("entries = [1, 1]\none_to_one = true", ""),
    ],
)
def test_tables_that_cannot_be_are_refused_where_they_stand(table, facts):
    text = f"symbols = {{ T = {{}} }}\n[tables.t]\nlengths = [2]\n{table}\n"
    text += '[layout.a]\nindex = {i = 2}\noffset = "t[i]"\n'
    with refused(FileError, *facts.split()) as error:
        obligations_of(text, "x.layout.toml")
    assert error.value.line == 2


NAMED = """{symbols}
[layout.a]
base = {{ packed = ["M", "N"] }}
claims = ["bijective", {{ claim = "divides", divisor = 2, number = "M" }}]
equals = "i0*N + i1"
"""


@pytest.mark.parametrize("where", ["file", "layout"])
def test_sizes_that_are_only_named_are_one_or_more(where):
    def asked(symbols):
        text = NAMED.format(symbols=f"symbols = {symbols}\n" if where == "file" else "")
        text = text if where == "file" else text.replace("claims", f"symbols = {symbols}\nclaims")
        return [(str(o.claim), o.claim.domain, o.line) for o in obligations_of(text, "x")]

    assert asked('["M", "N"]') == asked("{ M = {}, N = {} }") == asked("{ M = { min = 1 }, N = { min = 1 } }")
    assert asked('["M", "N"]') != asked("{ M = { min = 2 }, N = {} }")


@pytest.mark.parametrize(
    ("symbols", "line", "facts"),
    [
        ('["M", "N", "M"]', 1, "symbols"),
        ('["M", 3]', 1, "symbols.1 3"),
        ('["M", "2N"]', 1, 'symbols.1 "2N"'),
        ('"M"', 1, "symbols"),
        ('["M"]', 3, "N"),
    ],
)
def test_errors_of_named_sizes(symbols, line, facts):
    with refused(FileError, *facts.split()) as caught:
        obligations_of(NAMED.format(symbols=f"symbols = {symbols}"), "x")
    assert caught.value.line == line
    assert ('declare it: symbols = [..., "N"]' in caught.value.hint) == (facts == "N")


def test_a_layout_that_uses_a_named_size_is_not_looked_at_where_the_list_is_in_error():
    found = asked_of(NAMED.format(symbols='symbols = ["M", "N", 3]'), "x")
    assert [e.key for e in found.errors] == ["symbols.2"]
    assert [p.layout for p in found.passed] == ["a"]


def test_a_size_beside_a_base_is_told_where_it_belongs():
    with refused(FileError, "size") as caught:
        obligations_of("[layout.a]\nbase = { packed = [4, 8] }\nsize = 30\n", "x")
    assert "write index, offset and size" in caught.value.hint
    with refused(FileError, "size") as caught:
        obligations_of("[layout.a]\nsize = 30\n", "x")
    assert "stands beside index" in caught.value.hint
