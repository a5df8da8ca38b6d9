"""``layoutalg explain-encoding`` as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.errors import LayoutError
from tests.refusals import refused

RUNNER = CliRunner()
BANKS = Path(__file__).parents[2] / "regressions" / "ck_lds_bank_conflicts.layout.toml"
ONE = (
    "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>, tuple<sequence<1, 2>>,"
    " tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
)
TWO = (
    "tile_distribution_encoding<sequence<2>, tuple<sequence<4, 16>>, tuple<sequence<0, 1>, sequence<1>>,"
    " tuple<sequence<0, 0>, sequence<1>>, sequence<>, sequence<>>"
)
MODULE = """
from layoutalg import make_naive_tensor_descriptor
from layoutalg.distribution import read_encoding

rows = make_naive_tensor_descriptor((2, 3), (4, 1))
tile = read_encoding("{}")
"""


def printed(*arguments):
    found = RUNNER.invoke(app, ["explain-encoding", *arguments], catch_exceptions=False)
    assert found.exit_code == 0
    return found.stdout


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "layouts.py"
    path.write_text(MODULE.format(TWO), encoding="utf-8")
    return str(path)


def test_an_encoding_is_explained_with_the_usual_lane():
    text = printed(ONE)
    assert text.startswith(ONE)
    assert "A tile of 16 x 32 elements is divided among 64 lanes." in text
    assert "Worked example: lane 37, register 0" in text
    assert "    37 = 9 * 4 + 1, so H1[0] = 1" in text
    assert all(len(line) <= 110 for line in text.splitlines()[1:])


def test_the_lane_and_the_wave_can_be_chosen(module):
    assert "Register 0 holds element (0, 24)." in printed(ONE, "--lane", "3")
    text = printed(f"{module}:tile", "--wave", "6", "--lane", "2")
    assert "Worked example: warp 6, lane 2, register 0" in text
    assert "  x0 = 2 * 16 + 2 * 1 = 34" in text
    assert "R moves no x, so the same is held by warp 2, lane 2." in text


def test_all_encodings_of_a_file_are_explained(tmp_path):
    log = tmp_path / "build.log"
    log.write_text(f"note: in {ONE}\nnote: in ck_tile::{TWO}{{}}\nnote: again {ONE}\n", encoding="utf-8")
    text = printed(str(log))
    assert text.count("Worked example") == 2
    assert text.startswith("[tile0]\ntile_distribution_encoding<sequence<>")
    assert "\n\n[tile1]\ntile_distribution_encoding<sequence<2>" in text


def test_distributions_of_a_layout_file_are_explained():
    assert printed(str(BANKS)).count("Worked example") >= 2
    assert "[a_lds" not in printed(str(BANKS))


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ([ONE, "--lane", "64"], "lane 0 63 64"),
        ([ONE, "--wave", "1"], "wave P"),
        (["tile_distribution_encoding<sequence<1>>"], ""),
        (["nothing.txt"], "nothing.txt"),
    ],
)
def test_what_cannot_be_explained_is_said(arguments, facts):
    with refused(LayoutError, *facts.split()):
        printed(*arguments)


def test_other_layouts_are_left_to_show(module):
    with refused(LayoutError, "TensorDescriptor"):
        printed(f"{module}:rows")
