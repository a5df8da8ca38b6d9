"""Encodings as C++ text: written, read back, found inside what compilers print."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.distribution import TileDistributionEncoding, cpp_text, read_encoding, read_encodings
from layoutalg.length import sizes
from tests.distribution_strategies import encodings
from tests.refusals import refused

TEXT = (
    "tile_distribution_encoding<sequence<1>, tuple<sequence<4, 4, 16>, sequence<4, 8>>, tuple<sequence<1>,"
    " sequence<1, 2>>, tuple<sequence<1>, sequence<2, 0>>, sequence<1, 2>, sequence<0, 1>>"
)
LENGTHS = "sequence<4, 8>"


@given(encodings(), st.sampled_from(["", "ck_tile::", "::ck_tile::", "ck_tile ::\n"]), st.booleans())
def test_what_is_written_is_read_back(encoding, namespace, spread):
    text = cpp_text(encoding)
    assert text == str(encoding)
    for name in ("tile_distribution_encoding", "sequence", "tuple"):
        text = text.replace(f"{name}<", f"{namespace}{name}<")
    if spread:
        text = text.replace(",", "\n    ,\t").replace("<", " < ").replace(">", "\n> ")
    assert read_encoding(f"error: no member of 'std::pair<{text}, int>' [with T = 3]\n{text}") == encoding


def test_each_encoding_of_a_message_is_found_in_order():
    other = TEXT.replace(LENGTHS, "sequence<4, 2>")
    message = (
        "gemm.hpp:12:5: error: static assertion failed\n"
        f"note: in instantiation of 'load_tile<ck_tile::{TEXT}>'\n"
        "note: template <typename Rs, typename Hs> struct tile_distribution_encoding<Rs, Hs, Ps...>\n"
        "note: candidate tile_distribution_encoding<RsLengths_>\n"
        f"note: while substituting {other}"
    )
    assert [found.x_lengths for found in read_encodings(message)] == [(256, 32), (256, 8)]
    with refused(LayoutError, "2", hint="read_encodings"):
        read_encoding(message)


def test_names_become_symbols_and_literals_may_have_suffixes():
    k, m = sizes("kKPerThread M")
    found = read_encoding(TEXT.replace(LENGTHS, "sequence<2ul * Shape::kKPerThread, 3U*M>"))
    assert found.hs_lengthss[1] == (2 * k, 3 * m)
    assert read_encoding(cpp_text(found)) == found
    assert found.bind({"kKPerThread": 2, "M": 1}).hs_lengthss[1] == (4, 3)


def test_empty_sequences_and_tuples_are_read():
    nothing = TileDistributionEncoding((), (), (), (), (), ())
    assert read_encoding(cpp_text(nothing)) == nothing


@pytest.mark.parametrize("elided", ["[...]", "(no argument)"])
def test_elided_types_are_refused_with_the_switch_that_helps(elided):
    with refused(LayoutError, hint="-fno-elide-type"):
        read_encoding(TEXT.replace(LENGTHS, elided))


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        (TEXT[:-1], "wanted '>' after the sixth argument .* of the text", "<"),
        (
            TEXT[:40],
            "wanted tuple<...> for the second argument .the lengths Hs.*, found the end",
            "not closed",
        ),
        (TEXT.replace(LENGTHS, "sequence<4, 8.5>"), "wanted a length .*, found '8.5'", ""),
        (TEXT.replace(LENGTHS, "sequence<4, -8>"), "wanted a length .*, found '-8'", ""),
        (TEXT.replace(LENGTHS, "sequence<4, 0>"), "wanted a length .*, found '0'", ""),
        (TEXT.replace(LENGTHS, "sequence<4, 010>"), "wanted a length .*, found '010'", ""),
        (TEXT.replace(LENGTHS, "sequence<4, >"), "wanted a length .*, found '>'", ""),
        (
            TEXT.replace(LENGTHS, "sequence<4 8>"),
            "',' or '>' after entry 0 of sequence 1 of the second argument .the lengths Hs., found '8'",
            "",
        ),
        (TEXT.replace(LENGTHS, "sequence<4, kX / 2>"), "wanted ',' or '>' after entry 1 .*, found '/'", ""),
        (
            TEXT.replace("sequence<", "Sequence<"),
            "wanted sequence<...> .*, found 'Sequence'",
            "mean sequence?",
        ),
        (
            TEXT.replace(LENGTHS, "sequnce<4>"),
            "sequence 1 of the second .* found 'sequnce'",
            "mean sequence?",
        ),
        (TEXT.replace("tuple<sequence<4", "tulpe<sequence<4"), "found 'tulpe'", "did you mean tuple?"),
        (
            TEXT.replace("tuple<sequence<4", "sequence<4"),
            "wanted tuple<...> for the second",
            "a tuple<...> arou",
        ),
        (
            TEXT.replace("8>>,", "8>,"),
            "sequence 2 of the second .*, found 'tuple'",
            "is a '>' missing before",
        ),
        (
            TEXT.replace(", sequence<0, 1>", ""),
            "wanted ',' after the fifth .* found '>'",
            "sixth .* is missing",
        ),
        (
            TEXT.replace(">, sequence<1, 2>, sequence<0, 1>", ">"),
            "after the fourth",
            "fifth .* sixth .* are miss",
        ),
        (TEXT[:-1] + ", int>", "wanted '>' after the sixth .* found ','", "has 6 arguments"),
        (TEXT.replace("sequence<0, 1>", "sequence<kY, 1>"), "the number of a dimension .* found 'kY'", ""),
        (TEXT.replace("sequence<0, 1>", "sequence<-1, 1>"), "the number of a dimension .* found '-1'", ""),
        (
            TEXT.replace("sequence<0, 1>", "sequence<0, 7>"),
            "Y1 names factor 7 of X1, which does",
            "X1 with 2",
        ),
        (
            TEXT.replace("sequence<1, 2>,", "sequence<1, 5>,"),
            "Y1 names factor 1 of X4, which does",
            "X1 with 2",
        ),
        (
            TEXT.replace("sequence<2, 0>", "sequence<3, 0>"),
            "P1 names factor 3 of X0, which does not exist",
            "",
        ),
        (TEXT.replace("sequence<2, 0>", "sequence<2>"), "P1 has 2 major numbers and 1 minor", ""),
    ],
)
def test_text_that_is_no_encoding_is_refused_at_its_place(text, says, hint):
    with pytest.raises(LayoutError) as caught:
        read_encoding(text)
    first, shown, caret = caught.value.message.splitlines()
    assert re.search(says, first)
    assert re.search(hint, caught.value.hint)
    assert shown.strip(" .") in text
    if found := re.search("found '(.*)'$", first):
        assert shown[caret.index("^") :].startswith(found[1])


@pytest.mark.parametrize(
    ("old", "new", "pointed"),
    [
        ("sequence<0, 1>>", "sequence<0, 77>>", "77"),  # a minor that its major does not have
        ("sequence<1, 2>, sequence<0", "sequence<1, 55>, sequence<0", "55"),  # a major that is not there
        ("sequence<1, 2>, sequence<0, 1>", "sequence<1, 0>, sequence<0, 0>", "0>, sequence<0, 0"),  # Y of R
        ("sequence<2, 0>", "sequence<2, 66>", "66"),
        ("sequence<1>, sequence<1, 2>>", "sequence<44>, sequence<1, 2>>", "44"),
        ("sequence<2, 0>", "sequence<0, 0>", "0, 1>>"),  # a factor that another has
        ("sequence<2, 0>", "sequence<2>", "sequence<2>"),  # fewer minors than majors
        ("sequence<1, 2>, sequence<0, 1>>", "sequence<1, 2>, sequence<0>>", "sequence<0>>"),
    ],
)
def test_what_does_not_fit_together_is_shown_at_its_number(old, new, pointed):
    assert old in TEXT
    with pytest.raises(LayoutError) as caught:
        read_encoding(TEXT.replace(old, new))
    _, shown, caret = caught.value.message.splitlines()
    assert shown[caret.index("^") :].startswith(pointed)


@pytest.mark.parametrize("text", ["", None, 3])
def test_text_without_an_encoding_is_refused(text):
    with refused(LayoutError):
        read_encoding(text)


def test_a_misspelt_name_of_the_encoding_itself_is_told():
    with refused(LayoutError, hint="tile_distribution_encoding"):
        read_encoding(TEXT.replace("distribution", "distribuion"))


WORD = string.ascii_letters + string.digits + "_"
MARKS = [i for i, character in enumerate(TEXT) if character in "<>,"][2:]


@pytest.mark.parametrize("place", MARKS)
def test_a_mark_left_out_is_told_where_the_text_stops_to_make_sense(place):
    """Never before the place, and with the line and the caret."""
    text = TEXT[:place] + TEXT[place + 1 :]
    with pytest.raises(LayoutError) as caught:
        read_encoding(f"note: first line\n{text}")
    first, shown, caret = caught.value.message.splitlines()
    assert first.startswith("tile_distribution_encoding: ")
    column = caret.index("^")
    rest = shown[column:].removesuffix("...")
    where = text.rindex(rest) if rest else len(text)
    assert where + len(rest) - len(rest.lstrip(WORD)) >= place - 1
    assert text[:where].endswith(shown[2:column].removeprefix("..."))


def test_a_refusal_points_at_the_place():
    with pytest.raises(LayoutError) as caught:
        read_encoding(TEXT.replace(LENGTHS, "sequence<4, ?>"))
    _, near, mark = caught.value.message.splitlines()
    assert near[mark.index("^") :].lstrip().startswith("?")
