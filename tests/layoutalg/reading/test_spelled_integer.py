"""What only looks like a number, or has more digits than Python reads, is refused everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from layoutalg import LayoutError
from layoutalg.ck.bindings import bindings_of
from layoutalg.cli.code import index_function
from layoutalg.distribution import read_encoding
from layoutalg.errors import LimitError
from layoutalg.reading.spelled_integer import spelled_integer

ENCODING = (
    "tile_distribution_encoding<sequence<1>, tuple<sequence<HERE>>, tuple<sequence<1>>, tuple<sequence<0>>,"
    " sequence<>, sequence<>>"
)
ROWS = Path(__file__).parents[2] / "regressions" / "ck_element_space_int32.layout.toml"
READERS = {
    "length of an encoding": lambda text: read_encoding(ENCODING.replace("HERE", text)),
    "open size": lambda text: bindings_of([f"kargs.M=symbol(min={text})"]),
    "divisor of an open size": lambda text: bindings_of([f"kargs.M=symbol(min=64, multiple_of={text})"]),
    "list with an open size": lambda text: bindings_of([f"kargs.lengths=[symbol(min=2), {text}]"]),
    "axis of a step": lambda text: index_function(f"{ROWS}:mended", None, {text: 1}),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", ["²", "٣", "9" * 5000])
def test_it_is_refused(reader, text):
    with pytest.raises(LayoutError) as found:
        READERS[reader](text)
    assert len(found.value.message) < 300
    assert isinstance(found.value, LimitError) == (len(text) > 1)


@pytest.mark.parametrize("value", [0, 7, -1, 64, -(2**63), 10**199])
@pytest.mark.parametrize("form", ["{}", "{:#x}", " {} "])
def test_what_python_writes_is_read(value, form):
    assert spelled_integer(form.format(value), may_be_hexadecimal=True) == value
    assert spelled_integer(form.format(value)) == (None if "x" in form else value)


@pytest.mark.parametrize("text", ["", "-", "1_000", "1e3", "0x", "3.0", "--1", "x", "1 2"])
def test_other_texts_spell_none(text):
    assert spelled_integer(text) is None
