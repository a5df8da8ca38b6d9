"""``layoutalg simplify`` and ``layoutalg code`` as they are typed."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.errors import LayoutError

RUNNER = CliRunner()


def printed(*arguments):
    found = RUNNER.invoke(app, arguments, catch_exceptions=False)
    assert found.exit_code == 0
    return found.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["x // 28 * 28 + x % 28", "--var", "x=0:420"], "x\n"),
        (["x / 28 * 28 + x % 28", "--var", "x=420"], "x\n"),
        (["28*floor(x/28) + Mod(x, 28)", "--var", "x=0:4*K", "--param", "K=64:8192:64"], "x\n"),
        (["x // 8", "--var", "x=64", "--to", "c"], "x / 8\n"),
        (["x < 4 ? y : 2*y", "--var", "x=8", "--var", "y=8", "--to", "python"], "y if x <= 3 else 2*y\n"),
        (["x // 8", "--var", "x=64", "--to", "latex"], "\\left\\lfloor{x / 8}\\right\\rfloor\n"),
        (["x // K", "--var", "x=0:8", "--param", "K=8:16"], "0\n"),
        (["x // K", "--var", "x=0:8", "--param", "K=1:16", "--fact", "x < K"], "0\n"),
    ],
)
def test_what_is_printed(arguments, expected):
    found = printed("simplify", *arguments)
    assert found == expected or arguments[-1] == "latex"
    assert "floor" in found or arguments[-1] != "latex"


def test_explain_names_rules_and_prices():
    text = printed("simplify", "x // 28 * 28 + x % 28", "--var", "x=0:420", "--explain")
    assert "cost 8 -> 0 (gfx9)" in text
    assert "mod_as_div: x % 28 = x - 28*(x // 28)" in text
    content = json.loads(printed("simplify", "x % 28", "--var", "x=28", "--to", "json"))
    assert (content["text"], content["cost"], content["cost_before"]) == ("x", 0, 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x + yy", "--var", "x=4"], "yy is not declared"),
        (["x +", "--var", "x=4"], "found the end"),
        (["x", "--var", "x"], "--var x: wanted NAME=LOW:HIGH"),
        (["x", "--var", "x=4", "--param", "K=a:b"], "--param K=a:b: wanted whole numbers"),
        (["x // K", "--var", "x=4", "--param", "K=0:4"], "must be positive"),
        (["x", "--var", "x=4", "--to", "cuda"], "--to: wanted one of"),
        (["x", "--var", "x=4", "--target", "sm90"], "--target: wanted a target of"),
        (["x", "--var", "x=4", "--var", "x=5"], "--var: x is given twice"),
        (["x", "--var", "x=4", "--param", "K=1:4", "--param", "K=1:5"], "--param: K is given twice"),
        (["x", "--var", "x=4", "--fact", "x > 8"], "no index exists"),
    ],
)
def test_wrong_input_is_one_error(arguments, message):
    found = RUNNER.invoke(app, ["simplify", *arguments])
    assert isinstance(found.exception, LayoutError)
    assert message in found.exception.message


def test_code_of_a_file_a_module_and_an_expression(tmp_path):
    layouts = tmp_path / "layouts.py"
    layouts.write_text(
        "from layoutalg import make_naive_tensor_descriptor\n"
        "rows = make_naive_tensor_descriptor((256, 128), (136, 1))\n"
        "def made():\n    return rows\n"
    )
    expected = "return 136 * i0 + i1;"
    assert expected in printed("code", f"{layouts}:rows", "--to", "c")
    assert "int32_t made_offset" in printed("code", f"{layouts}:made")
    assert "rows_advance" in printed("code", f"{layouts}:rows", "--step", "1=8")
    index = tmp_path / "index.json"
    content = {"vars": [{"name": "x", "lo": 0, "hi": 64}], "params": [], "expression": "x // 8 * 8 + x % 8"}
    index.write_text(json.dumps(content))
    assert "return x" in printed("code", str(index), "--to", "python", "--name", "f")


def test_code_writes_a_header(tmp_path):
    layouts, header = tmp_path / "layouts.py", tmp_path / "out" / "rows.h"
    layouts.write_text(
        "from layoutalg import make_naive_tensor_descriptor_packed\n"
        "from layoutalg.length import sizes\n"
        "rows = make_naive_tensor_descriptor_packed(sizes('M K')).permute(1, 0).merge(0, 1)\n"
    )
    arguments = ("code", f"{layouts}:rows", "--to", "c", "--name", "tile", "--header")
    assert printed(*arguments, "-o", str(header)).strip() == str(header)
    text = header.read_text()
    assert text == printed(*arguments)
    assert text.startswith("#ifndef TILE_H\n#define TILE_H\n\n#include <stdbool.h>\n")
    assert text.endswith("\n#endif  // TILE_H\n")
    assert "tile_make_sizes(int32_t K, int32_t M)" in text
    found = RUNNER.invoke(app, ["code", f"{layouts}:rows", "--to", "python", "--header"])
    assert isinstance(found.exception, LayoutError)
    assert "wanted a header of c or hip, got one of python" in found.exception.message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere", "there is no file or folder nowhere, and it names no layout"),
        ("nowhere.py:rows", "there is no file nowhere.py"),
        ("nowhere:rows", "nowhere:1: cannot be loaded: ModuleNotFoundError"),
        ("nowhere.json", "there is no file nowhere.json"),
        ("math:pi", "wanted a layout of memory, got 3.14159"),
    ],
)
def test_a_wrong_source_is_one_error(source, message):
    found = RUNNER.invoke(app, ["code", source])
    assert isinstance(found.exception, LayoutError)
    assert message in found.exception.message
