"""``layoutalg show``, ``mma`` and ``banks`` as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.errors import LayoutError
from tests.refusals import refused

RUNNER = CliRunner()
BANKS = Path(__file__).parents[2] / "regressions" / "ck_lds_bank_conflicts.layout.toml"
WAVE = (
    "tile_distribution_encoding<sequence<2>, tuple<sequence<16>, sequence<4, 8>>,"
    " tuple<sequence<0, 1, 2>>, tuple<sequence<0, 0, 0>>, sequence<2>, sequence<1>>"
)
MODULE = """
from layoutalg import make_naive_tensor_descriptor, sizes
from layoutalg.distribution import read_encoding
from layoutalg.layout import make_layout

rows = make_naive_tensor_descriptor((2, 3), (4, 1))
padded = rows.pad(1, 0, 1)
K = sizes("K")
symbolic = make_naive_tensor_descriptor((8, K), (K, 1))
nested = make_layout((4, (2, 4)), (2, (1, 8)))
half = read_encoding("tile_distribution_encoding<sequence<>, tuple<sequence<64, M>>, tuple<sequence<1>>,"
                     " tuple<sequence<0>>, sequence<1>, sequence<1>>")
number = 3
"""


def printed(*arguments, code=0):
    found = RUNNER.invoke(app, arguments, catch_exceptions=False)
    assert found.exit_code == code
    return found.stdout


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "layouts.py"
    path.write_text(MODULE, encoding="utf-8")
    return str(path)


def test_an_encoding_is_shown_both_ways():
    text = printed("show", WAVE)
    assert "tile (16, 32), 128 lanes, 8 registers of a thread (Y = (8)), 2 copies of each element" in text
    assert "R = lane:2" in text
    assert "X1 = 32 = lane:4 * Y0:8" in text
    assert "x1 = y0 + 8*(lane % 4)" in text
    assert "element -> lane:register (the first of 2 that hold it)" in text
    lines = text.splitlines()
    assert next(line for line in lines if line.startswith("   5 ")).split()[1] == "1,8"
    assert all(len(line) <= 160 for line in lines if not line.startswith("tile_dist"))


def test_encodings_are_found_in_a_log(tmp_path):
    log = tmp_path / "build.log"
    log.write_text(f"error: no match for ck_tile::{WAVE} and\n{WAVE}, {WAVE.replace('16', '8')}\n")
    text = printed("show", str(log))
    assert "[tile0]" in text
    assert "[tile1]" in text
    assert "[tile2]" not in text


def test_descriptors_are_shown_with_their_transforms_and_offsets(module):
    text = printed("show", f"{module}:rows")
    assert "offset = 4*i0 + i1" in text
    assert "    1  4 5 6" in text
    padded = printed("show", f"{module}:padded")
    assert "valid where i1 <= 2" in padded
    assert "    1  4 5 6 -" in padded
    assert "offset = K*i0 + i1" in printed("show", f"{module}:symbolic")
    assert printed("show", f"{module}:nested").startswith("(4,(2,4)):(2,(1,8))\n")
    assert "tile (64*M), 64 lanes, M registers" in printed("show", f"{module}:half")


def test_layout_files_are_shown_whole_or_by_name():
    assert "[reader]" in printed("show", str(BANKS))
    assert "[reader]" not in printed("show", f"{BANKS}:reader")


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        ("nowhere.txt", "nowhere.txt"),
        ("absent.py:rows", "absent.py"),
        (f"{BANKS}:nobody", "nobody"),
        ("no.layout.toml", "no.layout.toml"),
        ("{module}:nobody", ""),
        ("{module}:number", ""),
    ],
)
def test_what_cannot_be_shown_is_told(source, facts, module):
    with refused(LayoutError, *facts.split()):
        printed("show", source.replace("{module}", module))


@pytest.mark.parametrize("form", ["svg", "html", "latex", "text"])
def test_pictures_are_printed_or_written(form, module, tmp_path):
    text = printed("show", f"{module}:rows", "--format", form)
    signs = {"svg": "<svg", "html": "<!DOCTYPE html>", "latex": r"\begin{aligned}", "text": "descriptor of"}
    assert text.startswith(signs[form])
    path = tmp_path / "deep" / f"rows.{form}"
    assert printed("show", f"{module}:rows", "--format", form, "-o", str(path)).strip() == str(path)
    assert path.read_text(encoding="utf-8") == text


def test_one_part_is_shown_alone():
    text = printed("show", WAVE, "--view", "threads")
    assert "thread -> elements" in text
    assert "element -> " not in text
    assert "H1[0]" in printed("show", WAVE, "--view", "tree", "--format", "svg")


def test_a_png_is_written_and_never_printed(module, tmp_path):
    path = tmp_path / "rows.png"
    printed("show", f"{module}:rows", "-o", str(path))
    assert path.read_bytes().startswith(b"\x89PNG")
    with refused(LayoutError):
        printed("show", f"{module}:rows", "--format", "png")


def test_an_instruction_is_shown_by_its_name_alone():
    text = printed("mma", "v_mfma_f32_32x32x8_f16")
    assert "targets: gfx942 in 32 cycles, gfx950 in 32 cycles" in text
    for letter in "ABD":
        assert f"\n{letter}: f" in text
    only = printed("mma", "V_WMMA_F32_16X16X16_F16", "--target", "gfx1201", "--operand", "C")
    assert "\nD: f32" in only
    assert "\nA: " not in only
    with refused(LayoutError):
        printed("mma", "v_mfma_f32_3x3x3_f16")


@pytest.mark.slow
def test_banks_counts_proves_and_proposes():
    arguments = ["--writer", f"{BANKS}:writer", "--reader", f"{BANKS}:reader", "--width", "8"]
    bad = printed("banks", f"{BANKS}:broken", *arguments, code=1)
    assert "reader: ds_read_b128 on gfx942 (32 banks; amd-shark-ai): 4-way bank conflict" in bad
    assert "4 dwords in bank 0, wanted by lanes 0, 2, 20, 22" in bad
    assert "xor swizzle, every 2 lines, packs of 8: 16384 bytes, proved" in bad
    good = printed("banks", f"{BANKS}:mended", *arguments)
    assert good.count("free of bank conflicts") == 2
    assert "proposes" not in good


def test_banks_takes_an_offset():
    text = printed("banks", "lane*32 + i*8", "--width", "4", "--var", "i=0:4", code=1)
    assert "8-way bank conflict" in text
    assert "free of bank conflicts" in printed("banks", "lane*8", "--width", "8", "--access", "write")
    other = printed(
        "banks", "lane*4", "--element", "f32", "--width", "4", "--target", "gfx950", "--model", "rocke"
    )
    assert "rocke" in other
    with refused(LayoutError):
        printed("banks", "lane", "--access", "burn")
    with refused(LayoutError):
        printed("banks", f"{BANKS}:broken", "--writer", f"{BANKS}:mended")
