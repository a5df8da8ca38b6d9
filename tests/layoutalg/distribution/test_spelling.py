"""Encodings as C++ text: written, read back, found inside what compilers print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.distribution import TileDistributionEncoding, cpp_text, read_encoding, read_encodings
from layoutalg.length import sizes
from tests.distribution_strategies import encodings

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
    with pytest.raises(LayoutError, match="found 2 \\(read_encodings"):
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
    with pytest.raises(LayoutError, match="compile with -fno-elide-type"):
        read_encoding(TEXT.replace(LENGTHS, elided))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "wanted one tile_distribution_encoding<...>, found none"),
        (TEXT[:-1], "wanted more template arguments"),
        (TEXT[:40], "wanted more template arguments"),
        (TEXT.replace(LENGTHS, "sequence<4, 8.5>"), "wanted ,"),
        (TEXT.replace(LENGTHS, "sequence<4, -8>"), "wanted a number or the name of a length"),
        (TEXT.replace(LENGTHS, "sequence<4, >"), "wanted a number or the name of a length"),
        (TEXT.replace(LENGTHS, "sequence<4 8>"), "wanted ,"),
        (TEXT.replace(LENGTHS, "sequence<4, kX / 2>"), "wanted ,"),
        (TEXT.replace(LENGTHS, "sequence<4, 0x8>"), "wanted ,"),
        (TEXT.replace("sequence<", "Sequence<"), "wanted sequence"),
        (
            TEXT.replace("sequence<0, 1>", "sequence<kY, 1>"),
            "ys_to_rhs_minor\\[0\\]: wanted a number, got kY",
        ),
        (TEXT.replace("sequence<0, 1>", "sequence<0, 7>"), "Y1 names factor 7 of X1, which does not exist"),
        (None, "wanted text, got None"),
    ],
)
def test_text_that_is_no_encoding_is_refused(text, says):
    with pytest.raises(LayoutError, match=says):
        read_encoding(text)


def test_a_refusal_points_at_the_place():
    with pytest.raises(LayoutError) as refused:
        read_encoding(TEXT.replace(LENGTHS, "sequence<4, ?>"))
    _, near, mark = refused.value.message.splitlines()
    assert near[mark.index("^") :].lstrip().startswith("?")
