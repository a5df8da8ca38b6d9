"""What a cell's colour says: cells look alike exactly where their class is one, and the legend has each."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from layoutalg import make_layout, make_naive_tensor_descriptor_packed
from layoutalg.check.named_layouts import layout_named
from layoutalg.errors import LayoutError
from layoutalg.layout import Swizzle
from layoutalg.pictures import as_svg, coloured, only, view_of
from layoutalg.pictures.colours import COLOUR_NAMES
from layoutalg.pictures.runs import joined
from layoutalg.pictures.swizzles import unswizzled
from layoutalg.pictures.view import Cell, Colouring, Grid, Tile, View
from tests.layoutalg.cli.test_layout_commands import printed
from tests.layoutalg.pictures.shown_values import VALUES
from tests.layoutalg.pictures.test_views import grids
from tests.refusals import refused

SWIZZLED = make_naive_tensor_descriptor_packed((16, 64)).unmerge(1, (8, 8)).xor(0, 1).merge(1, 2)


def looks(text):
    """Of each box that says what it is: its colour and mark."""
    found: dict[str, tuple[str, str]] = {}
    last = ""
    for node in fromstring(text).iter():
        kind = node.attrib.get("class", "")
        if node.tag.endswith("rect") and kind.startswith("la-cell"):
            told = node.find("{http://www.w3.org/2000/svg}title")
            last = "" if told is None else str(told.text)
            found[last] = (kind, "")
        elif kind == "la-mark":
            shape = re.sub(r"M[-\d.]+ [-\d.]+|v[\d.]+", "", node.attrib["d"])
            found[last] = (found[last][0], shape)
    return found


@pytest.mark.parametrize("count", [8, 24, 33, 64])
def test_cells_look_alike_exactly_where_their_class_is_one(count):
    lanes = Colouring("lane", lambda row, column: (row * 16 + column) % count)
    cell = lambda row, column: Cell("", f"at {row},{column}")  # noqa: E731
    names = tuple(map(str, range(16)))
    found = looks(as_svg(View("", (Grid("", "", names, names, cell, (lanes,)),))))
    at = {(r, c): found[f"at {r},{c}"] for r, c in itertools.product(range(16), repeat=2)}
    by_class: dict[int | None, set[tuple[str, str]]] = {}
    for (row, column), one in at.items():
        by_class.setdefault(lanes.class_of(row, column), set()).add(one)
    assert all(len(one) == 1 for one in by_class.values())
    assert len(set.union(*by_class.values())) == count
    for number, [one] in by_class.items():
        assert found[f"lane {number}"] == one  # the legend's


def banks(grid):
    return [[grid.class_of(r, c) for c in range(len(grid.columns))] for r in range(len(grid.rows))]


def test_a_swizzle_is_shown_by_banks_beside_what_it_was():
    view = view_of(SWIZZLED)
    [row] = [part for part in view.parts if isinstance(part, View)]
    assert row.is_row
    assert all(isinstance(part, Tile) and part.colourings[0].name == "bank" for part in row.parts)
    before, after = (banks(grid) for grid in grids(view))
    for r in range(16):
        for c in range(64):
            assert after[r][c] == SWIZZLED.calculate_offset((r, c)) * 2 // 4 % 32
            assert before[r][c] == (64 * r + c) * 2 // 4 % 32
    assert len({line[0] for line in before}) == 1
    assert len({line[0] for line in after}) == 8
    for tile, grid in zip(row.parts, (before, after), strict=True):
        assert isinstance(tile, Tile)
        assert tile.offset is not None
        assert tile.owner(3, 8) == tile.owner(3, 15) != tile.owner(3, 16)
        assert tile.text(tile.owner(3, 9) or 0, (3, 8), (3, 15)) == str(tile.offset(3, 8))
        assert tile.class_of(3, 8) == grid[3][8]


@pytest.mark.parametrize(
    "value",
    [
        Swizzle(3, 3, 3)(make_layout((8, 64), (64, 1))),
        layout_named("row=8, col=8 -> row*8 + (col ^ row)").value,
    ],
    ids=["layout", "map"],
)
def test_every_way_to_write_a_swizzle_has_a_before(value):
    before, after = grids(view_of(value))
    held = [(grid.offset(r, c)) for grid in (before, after) for r in range(8) for c in range(8)]
    assert sorted(held[:64]) == [r * len(before.columns) + c for r in range(8) for c in range(8)]
    assert held[:64] != held[64:]


def test_a_layout_without_xor_has_no_before():
    assert unswizzled(make_naive_tensor_descriptor_packed((8, 8))) is None
    assert len(grids(view_of(make_layout((4, 8))))) == 1


def test_banks_are_those_of_the_element_and_the_gpu():
    [grid] = grids(coloured(view_of(make_layout((4, 64), (64, 1))), "bank", "f32", "gfx950"))
    assert grid.colourings[0].told == "f32 on gfx950: 64 banks of 4 bytes"
    assert banks(grid) == [list(range(64))] * 4


def test_a_pointer_is_told_the_bank_that_the_colour_says():
    rows = view_of(make_layout((4, 64), (64, 1)))
    for element, bank in (("f32", 7), ("f16", 3), ("f8", 1)):
        [grid] = grids(coloured(rows, "bank", element))
        assert grid.path(2, 7).endswith(f", bank {bank}")
        assert f"<title>{grid.path(2, 7)}</title>" in as_svg(View("", (grid,)))


def test_of_several_layouts_those_with_the_colour_get_it(tmp_path):
    out = tmp_path / "all.svg"
    source = Path(__file__).parents[3] / "notebooks" / "examples" / "tile.layout.toml"
    printed("show", str(source), "--colour", "bank", "-o", str(out))
    text = out.read_text(encoding="utf-8")
    assert "colour: bank" in text  # the LDS
    assert "colour: lane" in text  # the distributions


def test_every_colour_of_every_picture_is_one_of_the_names():
    for value in VALUES.values():
        for grid in grids(view_of(value)):
            assert {one.name for one in grid.colourings} <= set(COLOUR_NAMES)


def test_a_colour_that_a_picture_lacks_is_refused_once():
    with refused(LayoutError, "lane") as caught:
        coloured(view_of(make_layout((4, 8))), "lane")
    assert caught.value.hint == "colours of it are value, bank, row, column"
    with refused(LayoutError, "bank") as caught:
        coloured(only(view_of(VALUES["descriptor"]), "graph"), "bank")
    assert caught.value.hint == "nothing in it is coloured"
    with refused(LayoutError, "bank", "lane"):
        coloured(view_of(make_layout((4, 8))), "banks")


def test_the_commands_colour(tmp_path):
    for arguments in (
        ("show", "(8,8):(8,1)", "--colour", "bank", "--element", "f32"),
        ("mma", "v_mfma_f32_16x16x16_f16", "--colour", "register"),
        ("banks", "lane*32", "--width", "4", "--colour", "bank"),
    ):
        out = tmp_path / f"{arguments[0]}.svg"
        printed(*arguments, "-o", str(out), code=arguments[0] == "banks")
        assert f"colour: {arguments[arguments.index('--colour') + 1]}" in out.read_text(encoding="utf-8")


def test_runs_cover_a_matrix_once():
    owners = [[0, 0, 1], [0, 0, 2], [3, 0, 2]]
    covered = [
        ((run.row + y, run.column + x), run.owner)
        for run in joined(owners)
        for y in range(run.height)
        for x in range(run.width)
    ]
    assert sorted(covered) == [((r, c), owners[r][c]) for r in range(3) for c in range(3)]


def test_an_mfma_fits_a_screen():
    text = as_svg(View("", tuple(p for p in view_of(VALUES["instruction"]).parts if p.kind == "tile")))
    root = fromstring(text)
    assert float(root.attrib["height"]) <= 900
    assert float(root.attrib["width"]) <= 1000
