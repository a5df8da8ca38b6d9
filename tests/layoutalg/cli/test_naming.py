"""One way to name a layout: the same one, named in every form, is the same to every command."""

from __future__ import annotations

import itertools
import json

import pytest
from typer.testing import CliRunner

from layoutalg.check.layout_source import Source
from layoutalg.check.named_layouts import layout_named, layouts_named
from layoutalg.cli.main import app
from layoutalg.errors import LayoutError
from tests.refusals import refused

RUNNER = CliRunner()
TILE = (
    "tile_distribution_encoding<sequence<>, tuple<sequence<16>, sequence<4, 8>>,"
    " tuple<sequence<1, 2>>, tuple<sequence<0, 0>>, sequence<2>, sequence<1>>"
)
LAYOUTS = f"""
[layout.rows]
base = {{ lengths = [16, 32], strides = [40, 1] }}

[layout.hand]
index = {{ row = 16, col = 32 }}
offset = "row*40 + col"

[layout.tile]
distribution = "{TILE}"
"""
MODULE = f"""
import layoutalg as la
rows = la.make_naive_tensor_descriptor((16, 32), (40, 1))
nested = la.make_layout((16, 32), (40, 1))
hand = rows.index_map()
tile = la.read_encoding("{TILE}")
def layout_built():
    return rows
"""
CORPUS = {
    "vars": [{"name": "row", "lo": 0, "hi": 16}, {"name": "col", "lo": 0, "hi": 32}],
    "params": [],
    "expression": "row*40 + col",
}
ROWS = {
    "layout file": "all.layout.toml:rows",
    "offset in a layout file": "all.layout.toml:hand",
    "Python file": "mine.py:rows",
    "nested in a Python file": "mine.py:nested",
    "map in a Python file": "mine.py:hand",
    "function of a Python file": "mine.py:layout_built",
    "module": "mine_too:rows",
    "offset": "row=16, col=0:32 -> row*40 + col",
    "nested layout": "(16,32):(40,1)",
    "corpus file": "rows.json",
}
TILES = {
    "layout file": "all.layout.toml:tile",
    "Python file": "mine.py:tile",
    "text": TILE,
    "log": "build.log",
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "all.layout.toml": LAYOUTS,
        "mine.py": MODULE,
        "mine_too.py": MODULE,
        "rows.json": json.dumps(CORPUS),
        "build.log": f"note: in {TILE}\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def ran(*arguments, code=0):
    found = RUNNER.invoke(app, arguments, catch_exceptions=False)
    assert found.exit_code == code, found.output
    return found.stdout


@pytest.mark.sample(5)
@pytest.mark.parametrize("source", ROWS.values(), ids=ROWS)
def test_every_command_takes_every_form(source, tmp_path):
    assert "40" in ran("show", source)
    assert "40 * " in ran("code", source, "--to", "c", "--name", "rows")
    assert "proved" in ran("check", source, "--no-cache", "-v")
    banks = ("--writer", TILE, "--width", "8")
    assert ran("banks", source, *banks, code=1) == ran("banks", ROWS["layout file"], *banks, code=1)
    ran("report", source, "-o", "page.html")
    assert "40" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.sample(4)
@pytest.mark.parametrize("source", TILES.values(), ids=TILES)
def test_every_command_takes_every_form_of_a_distribution(source):
    assert "x1 = " in ran("show", source)
    assert "Worked example" in ran("explain-encoding", source)
    assert "proved" in ran("check", source, "--no-cache", "-v")
    assert "the same" in ran("compare", source, TILE)
    assert "2-way bank conflict" in ran("banks", ROWS["offset"], "--reader", source, "--width", "8", code=1)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(ROWS.values(), 2)))
def test_all_forms_name_one_map(one, other):
    assert ran("compare", one, other).startswith("the same: proved by ")


@pytest.mark.parametrize("source", ROWS.values(), ids=ROWS)
def test_another_layout_is_told_apart(source):
    text = ran("compare", source, "row=16, col=32 -> row*40 + (col ^ row % 2)", code=1)
    assert text.startswith("different: refuted at ")


def test_a_place_names_all_its_layouts():
    assert list(layouts_named("all.layout.toml")) == ["rows", "hand", "tile"]
    assert list(layouts_named("mine.py")) == ["rows", "nested", "hand", "tile", "layout_built"]
    assert list(layouts_named("mine_too:")) == list(layouts_named("mine.py"))


@pytest.mark.parametrize(
    ("source", "says", "hint"),
    [
        ("al.layout.toml:rows", "there is no file al.layout.toml", "did you mean all.layout.toml?"),
        ("all.layout.toml:row", "there is no layout row in all.layout.toml", "did you mean rows?"),
        ("mine.py:nestd", "there is no nestd in it", "did you mean nested?"),
        ("all.layout.toml", "wanted the name of one of rows, hand, tile", "for example all.layout.toml:rows"),
        ("row 16 -> row", "wanted AXIS=LENGTH", ""),
        ("row=16 -> rwo*2", "rwo is not declared", ""),
        ("(4,(2:1", "wanted numbers in parentheses", ""),
        ("what is this", "it names no layout", "wanted FILE.toml"),
        ("policy.hpp::Policy::MakeA{kM=64", "wanted a closing brace", "TARGET{KEY=VALUE"),
        (3, "a source: wanted a text, got 3 (an int)", ""),
    ],
)
def test_a_wrong_name_is_one_error_with_a_mend(source, says, hint):
    with pytest.raises(LayoutError) as caught:
        layout_named(source)
    assert says in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "text", ["(4,(2,4)):(2,(1,8))", "(_4,(_2,_4)):(_2,(_1,_8))", "((4,),(2,4)):((2,),(1,8))"]
)
def test_a_nested_layout_is_read_as_others_print_it(text):
    found = layout_named(text).value
    assert (found.size, found(3, (1, 2))) == (32, 23)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a.toml", "layout file"),
        ("sub dir/a.layout.toml:x", "layout file"),
        ("a/b.py:rows", "Python file"),
        ("package.module:", "Python module"),
        ("x.hpp::A<B, C>::Make{Problem.kM=64}", "CK function"),
        ("4:1", "nested layout"),
    ],
)
def test_a_form_says_what_is_named(text, kind):
    assert Source.of(text).kind == kind


def test_banks_asks_for_the_width_where_nobody_says_it(tmp_path):
    with refused(LayoutError):
        ran("banks", ROWS["offset"], "--reader", TILE)
    claimed = 'claims = [{ claim = "vector access", dimension = "col", width = 4 }]'
    text = LAYOUTS.replace(
        'offset = "row*40 + col"', f'offset = "row*40 + col"\nelement_type = "f32"\n{claimed}'
    )
    (tmp_path / "typed.layout.toml").write_text(text, encoding="utf-8")
    assert "write of 128 bits" in ran("banks", "typed.layout.toml:hand", "--writer", TILE, code=1)


@pytest.mark.parametrize(
    "drawn", [("banks", ROWS["offset"], "--reader", TILE, "--width", "8"), ("mma", "v_mfma_f32_32x32x8_f16")]
)
def test_what_can_be_drawn_is_written_to_a_file(drawn, tmp_path):
    ran(*drawn, "-o", "drawn.svg", code=1 if drawn[0] == "banks" else 0)
    assert (tmp_path / "drawn.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_a_sound_layout_is_found_beside_a_broken_one(tmp_path):
    broken = LAYOUTS.replace("lengths = [16, 32]", "lengths = [16, 0]") + "[layout.on]\nbase = 'rows'\n"
    (tmp_path / "broken.layout.toml").write_text(broken, encoding="utf-8")
    assert "col + 40*row" in ran("show", "broken.layout.toml:hand", "--view", "formulas")
    for name in ("rows", "on"):
        with refused(LayoutError, "rows"):
            layout_named(f"broken.layout.toml:{name}")


def test_an_axis_may_begin_anywhere():
    domain = layout_named("row=4:8, col=2 -> row*2 + col").value.domain
    assert [(axis.name, axis.lower, axis.upper) for axis in domain.axes] == [("row", 4, 8), ("col", 0, 2)]
