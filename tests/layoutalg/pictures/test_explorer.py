"""The widget: what sliders do, and what is left where no kernel runs."""

from __future__ import annotations

import pytest

from layoutalg import Domain, make_layout
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.errors import LayoutError
from layoutalg.length import sizes
from layoutalg.pictures import as_text, coloured, explore, view_of
from layoutalg.pictures.as_html import as_html
from tests.layoutalg.pictures.shown_values import BLOG
from tests.refusals import refused

M, K = sizes("M K")
ROWS = make_naive_tensor_descriptor_packed((M, K))


def test_a_slider_draws_the_layout_of_its_size():
    widget = explore(ROWS, M=2, K=3)
    assert widget.html == ROWS.bind({"M": 2, "K": 3})._repr_mimebundle_()["text/html"]
    widget.sizes = {"M": 4, "K": 5}
    assert widget.html == ROWS.bind({"M": 4, "K": 5})._repr_mimebundle_()["text/html"]


def test_sliders_keep_to_what_is_known_of_a_size():
    facts = Domain.of({}, {"M": (8, 40, 8), "K": (2, 5)})
    limits = {row["name"]: row for row in explore(ROWS.assuming(facts)).limits}
    assert limits["M"] == {"name": "M", "low": 8, "high": 40, "step": 8}
    assert limits["K"] == {"name": "K", "low": 2, "high": 5, "step": 1}


def test_sizes_that_are_not_given_begin_where_there_is_something_to_see():
    assert explore(ROWS).sizes == {"K": 8, "M": 8}
    facts = Domain.of({}, {"M": (32, 64, 32), "K": (2, 5)})
    assert explore(ROWS.assuming(facts)).sizes == {"K": 5, "M": 32}


def test_a_colour_is_chosen_of_those_there_are():
    widget = explore(ROWS, M=2, K=3)
    assert widget.colours == ["value", "bank", "row", "column"]
    widget.colour = "bank"
    assert widget.html == as_html(coloured(view_of(ROWS.bind({"M": 2, "K": 3})), "bank"))


def test_a_size_that_cannot_be_is_told_in_place_of_the_picture():
    shown = explore(make_naive_tensor_descriptor_packed((M, 8)), M=2)
    shown.sizes = {"M": 0}
    assert "got 0" in shown.html
    assert "<svg" not in shown.html


def test_a_nested_layout_has_sliders():
    assert explore(make_layout((M, 4)), M=3).sizes == {"M": 3}


def test_without_a_kernel_the_last_picture_is_left():
    widget = explore(ROWS, M=2, K=3)
    bundle = widget._repr_mimebundle_()
    assert bundle["text/html"] == widget.html
    assert bundle["text/plain"] == as_text(view_of(ROWS.bind({"M": 2, "K": 3})))
    assert "application/vnd.jupyter.widget-view+json" in bundle


@pytest.mark.parametrize(
    ("value", "given", "facts"),
    [(BLOG, {}, ""), (ROWS, {"N": 3}, "N"), (3, {}, "")],
)
def test_what_cannot_be_explored_is_told(value, given, facts):
    with refused(LayoutError, *facts.split()):
        explore(value, **given)
