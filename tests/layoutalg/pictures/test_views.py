"""What pictures say is what the evaluator says."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from layoutalg import Domain
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import make_static_tile_distribution, read_encoding
from layoutalg.errors import LayoutError
from layoutalg.memory import WaveAccess, bank_conflicts
from layoutalg.pictures import as_svg, as_text, only, view_of, views
from layoutalg.pictures.view import Factors, Graph, Grid, Steps, Tile, View
from layoutalg.pictures.views.adaptor import offset_grid
from layoutalg.pictures.views.banks import banks_view
from layoutalg.pictures.views.distribution import element_grids, thread_grid
from layoutalg.pictures.views.mma import instruction_named, mma_view
from layoutalg.proofs import prove
from layoutalg.properties import one_to_one, same_map
from tests.layoutalg.pictures.shown_values import A_TILE, BLOG, CONFLICTS, OVERLAPPING, PADDED, VALUES
from tests.refusals import refused


def grids(view):
    return [
        g
        for part in (*view.parts, *view.more)
        for g in (
            grids(part)
            if isinstance(part, View)
            else [grid for _, grid in part.steps]
            if isinstance(part, Steps)
            else [part]
        )
        if isinstance(g, Grid)
    ]


def cells(grid):
    return {
        (row, column): grid.cell(row, column)
        for row in range(len(grid.rows))
        for column in range(len(grid.columns))
    }


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("descriptor", [BLOG.bind({}), PADDED, OVERLAPPING, PADDED.merge(0, 1)], ids=str)
def test_a_grid_has_the_offset_of_every_index(descriptor):
    grid = offset_grid(descriptor)
    lengths = tuple(map(int, descriptor.lengths))
    for (row, column), cell in cells(grid).items():
        index = (*np.unravel_index(row, lengths[:-1]), column) if lengths[1:] else (column,)
        index = tuple(map(int, index))
        valid = descriptor.is_valid_index(index)
        assert cell.text == (str(descriptor.calculate_offset(index)) if valid else "-")
        assert cell.path.startswith(f"({', '.join(map(str, index))})")
        assert str(descriptor.calculate_offset(index)) in cell.path


def test_threads_and_elements_are_each_others_inverse():
    made = make_static_tile_distribution(A_TILE)
    threads, [elements] = thread_grid(made), list(element_grids(made))
    assert (len(threads.rows), len(threads.columns)) == (256, 32)
    for (thread, register), cell in cells(threads).items():
        x = tuple(map(int, cell.text.split(",")))
        held = made.element(divmod(thread, 64), (register // 8, register % 8))
        assert x == tuple(map(int, held))
        assert elements.cell(*x).text == f"{thread // 64},{thread % 64}:{register}"
        assert elements.class_of(*x) == threads.class_of(thread, register) == thread % 64


def test_of_several_owners_the_first_is_shown():
    copied = make_static_tile_distribution(
        read_encoding(
            "tile_distribution_encoding<sequence<2>, tuple<sequence<4, 2>>, tuple<sequence<0, 1>>, "
            "tuple<sequence<0, 0>>, sequence<1>, sequence<1>>"
        )
    )
    threads, [elements] = thread_grid(copied), list(element_grids(copied))
    assert "the first of 2 that hold it" in elements.title
    for x in range(8):
        holders = [place for place, cell in cells(threads).items() if cell.text == str(x)]
        assert len(holders) == 2
        assert elements.cell(0, x).text == "{}:{}".format(*min(holders))


def test_the_tree_and_the_graph_have_every_part():
    text = as_svg(view_of(BLOG))
    assert text.count('class="la-dimension') == BLOG.num_hidden_dimensions
    assert text.count('class="la-transform"') == len(BLOG.transforms)
    joints = sum(len(low) + len(up) for _, low, up in BLOG.links)
    assert text.count('class="la-edge"') == text.count('class="la-arrow"') == joints
    tree = as_svg(only(view_of(A_TILE), "tree"))
    for name in ("P warp", "P lane", "Y0", "Y1", "H0[0]", "H0[2]", "H1[1]", "R[0]", "X0 = 256", "X1 = 32"):
        assert f">{name}<" in tree


def test_a_coordinate_shows_its_hidden_index():
    text = as_svg(view_of(VALUES["coordinate"]))
    for hidden, value in enumerate((8578, 67, 2, 1, 3, 2)):
        assert f"id {hidden} = {value}<" in text


@pytest.mark.parametrize(
    "offset", ["lane*32", "lane*8", "lane*4", "lane*8 + lane//8*4", "(lane*32) ^ (lane//2*4)"]
)
def test_marked_banks_are_those_that_cost_cycles(offset):
    report = bank_conflicts(
        WaveAccess.of_expression(offset, Domain.of({"lane": 64}), "f16", 4, "read"), "gfx942"
    )
    overview, *phases = grids(banks_view(report))
    cycles = report.cycles[report.worst_point].tolist()
    assert len(phases) == len(cycles)
    for phase, (grid, cycle) in enumerate(zip(phases, cycles, strict=True)):
        wanted: dict[int, set[str]] = {}
        for (_, bank), cell in cells(grid).items():
            if cell.text:
                wanted.setdefault(bank, set()).update(cell.text.split(","))
        assert max(map(len, wanted.values())) == cycle
        for (_, bank), cell in cells(grid).items():
            assert cell.is_marked == bool(cell.text and len(wanted[bank]) > 1)
        for bank in range(32):
            assert overview.cell(phase, bank).text == (str(len(wanted[bank])) if bank in wanted else "")
            assert overview.cell(phase, bank).is_marked == (len(wanted.get(bank, ())) > 1)


def test_a_refutation_marks_its_two_points():
    [grid] = grids(view_of(prove(one_to_one(OVERLAPPING))))
    marked = {
        (grid.rows[r], grid.columns[c]): cell.text for (r, c), cell in cells(grid).items() if cell.is_marked
    }
    assert marked == {("0", "7"): "7", ("1", "0"): "7"}
    assert grid.rows == ("0", "1", "2", "3")
    assert "" not in {cell.text for cell in cells(grid).values()}
    assert "*7" in as_text(view_of(prove(one_to_one(OVERLAPPING))))


def test_a_refutation_of_a_comparison_marks_one_point():
    rows = make_naive_tensor_descriptor((4, 8), (8, 1))
    verdict = prove(same_map(rows, make_naive_tensor_descriptor((4, 8), (9, 1))))
    assert not verdict
    for grid in grids(view_of(verdict)):
        assert sum(cell.is_marked for cell in cells(grid).values()) == 1


def test_an_instruction_is_shown_both_ways():
    view = mma_view(instruction_named("v_mfma_f32_16x16x16_f16"), "D")
    lanes, matrix = grids(view)
    [tile] = [part for part in view.parts if isinstance(part, Tile)]
    for (lane, register), cell in cells(lanes).items():
        row, column = map(int, cell.text.split(","))
        assert matrix.cell(row, column).text == f"{lane}:{register}"
        assert tile.registers is not None
        assert (tile.owner(row, column), tile.registers(row, column)) == (lane, register)


# what is left out is said


@pytest.mark.slow
def test_large_tiles_are_capped_with_a_note():
    tile = read_encoding(
        "tile_distribution_encoding<sequence<>, tuple<sequence<4, 64>, sequence<16, 8>>, "
        "tuple<sequence<1>, sequence<1>>, tuple<sequence<0>, sequence<1>>, sequence<2, 2>, sequence<0, 1>>"
    )
    text = as_svg(view_of(tile))
    assert len(text.encode()) < 200_000
    assert "(224 of 256 rows are left out)" in text
    text = as_svg(only(view_of(tile), "grid"))
    assert len(text.encode()) < 2_000_000
    assert "(192 of 256 rows are left out)" in text
    assert "(96 of 128 columns are left out)" in text
    plain = as_text(view_of(tile))
    assert "(192 of 256 rows are left out)" in plain
    assert all(len(line) <= 160 for line in plain.split("\n") if "encoding" not in line)


def test_what_is_too_large_for_a_grid_says_so():
    large = make_naive_tensor_descriptor((1 << 20, 1 << 12), (1 << 12, 1))
    assert "(the grid of 4294967296 offsets is left out: more than 1048576)" in as_text(view_of(large))


def test_more_planes_than_two_are_named():
    tile = read_encoding(
        "tile_distribution_encoding<sequence<>, tuple<sequence<3>, sequence<2>, sequence<2>>, "
        "tuple<sequence<3>>, tuple<sequence<0>>, sequence<1, 2>, sequence<0, 0>>"
    )
    text = as_text(view_of(tile))
    assert "x0 = 0 (1 of 3 planes are left out)" in text
    assert "x0 = 1" in text


# one part alone


@pytest.mark.parametrize(
    ("name", "kind", "part"),
    [
        ("descriptor", "graph", Graph),
        ("distribution", "tree", Factors),
        ("layout", "grid", Grid),
        ("distribution", "tile", Tile),
        ("banks", "banks", Grid),
    ],
)
def test_only_one_part_is_shown(name, kind, part):
    kept = only(view_of(VALUES[name]), kind).parts
    assert {type(found) for found in kept if not isinstance(found, Steps)} == {part}
    assert all(type(grid) is part for found in kept if isinstance(found, Steps) for _, grid in found.steps)


def test_threads_are_grids_that_start_from_threads():
    [grid] = grids(only(view_of(VALUES["distribution"]), "threads"))
    assert grid.title.startswith("thread")
    found = grids(only(view_of(VALUES["instruction"]), "threads"))
    assert [grid.corner for grid in found] == ["lane"] * 3


def test_a_part_that_is_not_there_is_told():
    with refused(LayoutError, "tree") as caught:
        only(view_of(BLOG), "tree")
    assert caught.value.hint == "there is: graph, formulas, grid"
    with refused(LayoutError, "graph"):
        only(view_of(BLOG), "picture")
    with refused(LayoutError, "3"):
        view_of(3)


def test_conflicts_are_described():
    assert "8-way bank conflict" in view_of(CONFLICTS).title
    assert list(itertools.islice(as_text(view_of(CONFLICTS)).split("\n"), 3))[2].startswith("worst: phase 0")


def test_every_file_of_views_is_known():
    folder = Path(views.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == set(views.__all__)
    lines = (folder / "__init__.py").read_text(encoding="utf-8").split("__all__")[0]
    assert all(f"    {name},\n" in lines for name in files)
