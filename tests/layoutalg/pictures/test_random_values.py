"""Random descriptors, distributions and nested layouts: shown without error, and truly."""

from __future__ import annotations

import itertools
import re
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutalg.distribution import make_static_tile_distribution
from layoutalg.pictures import as_svg, as_text, mimebundle, view_of
from layoutalg.pictures.view import Grid
from layoutalg.pictures.views.distribution import thread_grid
from tests.distribution_strategies import encodings
from tests.layout_strategies import layouts
from tests.strategies import descriptors

NODES = ("la-transform", "la-dimension")


def boxes(text):
    """The boxes of transforms and dimensions: left, top, right, bottom."""
    found = [
        node.attrib for node in fromstring(text).iter() if node.attrib.get("class", "").startswith(NODES)
    ]
    sizes = [[float(box[key]) for key in ("x", "y", "width", "height")] for box in found]
    return [(x, y, x + wide, y + high) for x, y, wide, high in sizes]


def segments(text):
    """The straight pieces of all edges of a graph."""
    for node in fromstring(text).iter():
        if node.attrib.get("class") == "la-edge" and "d" in node.attrib:
            points = [tuple(map(float, at.split(","))) for at in re.split("[ML]", node.attrib["d"])[1:]]
            yield from itertools.pairwise(points)


def crosses(box, segment):
    """Whether a piece runs through the inside of a box (clipped as Liang and Barsky do)."""
    left, top, right, bottom = (box[0] + 0.2, box[1] + 0.2, box[2] - 0.2, box[3] - 0.2)
    (x, y), (to_x, to_y) = segment
    first, last = 0.0, 1.0
    for step, room in (
        (x - to_x, x - left),
        (to_x - x, right - x),
        (y - to_y, y - top),
        (to_y - y, bottom - y),
    ):
        if step == 0 and room < 0:
            return False
        if step < 0:
            first = max(first, room / step)
        elif step > 0:
            last = min(last, room / step)
    return first <= last


def shown(value):
    """The view, after every format was made of it; no box of its graph lies on another, or under an edge."""
    view = view_of(value)
    found = boxes(as_svg(view))
    for one, other in itertools.combinations(found, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    for box, segment in itertools.product(found, segments(as_svg(view))):
        assert not crosses(box, segment)
    assert fromstring(as_svg(view)).tag.endswith("svg")
    assert set(mimebundle(value)) >= {"text/html", "image/svg+xml", "text/plain"}
    assert all(
        len(line) <= 200 for line in as_text(view).split("\n") if "encoding" not in line and "=" not in line
    )
    return view


@pytest.mark.slow
@settings(max_examples=60)
@given(descriptors(most=400), st.data())
def test_descriptors(descriptor, data):
    grids = [part for part in shown(descriptor).parts if isinstance(part, Grid)]
    for grid in grids:
        index = tuple(data.draw(st.integers(0, int(length) - 1)) for length in descriptor.lengths)
        lengths = tuple(map(int, descriptor.lengths))
        row = int(np.ravel_multi_index(index[:-1], lengths[:-1])) if lengths[1:] else 0
        wanted = str(descriptor.calculate_offset(index)) if descriptor.is_valid_index(index) else "-"
        assert grid.cell(row, index[-1]).text == wanted


@pytest.mark.slow
@settings(max_examples=60)
@given(encodings(), st.data())
def test_distributions(encoding, data):
    shown(encoding)
    made = make_static_tile_distribution(encoding)
    grid = thread_grid(made)
    thread = data.draw(st.integers(0, len(grid.rows) - 1))
    register = data.draw(st.integers(0, len(grid.columns) - 1))
    ps = np.unravel_index(thread, tuple(map(int, made.p_lengths))) if made.p_lengths else ()
    ys = np.unravel_index(register, tuple(map(int, made.y_lengths))) if made.y_lengths else ()
    element = made.element(tuple(map(int, ps)), tuple(map(int, ys)))
    assert grid.cell(thread, register).text == ",".join(str(int(x)) for x in element)


@settings(max_examples=60)
@given(layouts())
def test_nested_layouts(layout):
    view = shown(layout)
    offsets = {cell for part in view.parts if isinstance(part, Grid) for cell in _texts(part)}
    assert offsets == {str(layout(i)) for i in range(int(layout.size))}


def _texts(grid):
    for row in range(len(grid.rows)):
        for column in range(len(grid.columns)):
            yield grid.cell(row, column).text
