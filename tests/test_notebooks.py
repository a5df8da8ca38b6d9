"""Notebooks run top to bottom, display what they promise, paste nothing, and are kept without outputs."""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path

import pytest
import sympy

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # read when Triton is imported, which else warns
ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 2_000_000  # bytes of a displayed value
PASTED = (r"^\s*\|.*\|", r"!\[", r"<(img|table|svg)\b", r"data:image", r"^\s*(Out|In) ?\[")
LONG = ("07_gemm", "08_ci")  # nbmake runs them too
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells_of(path, kind="code"):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == kind]


def prose_of(path):
    return ["".join(cell["source"]) for cell in cells_of(path, "markdown")]


def displayed(value):
    """Whether a last expression is seen as more than its text, if it is a value of this package."""
    if not type(value).__module__.startswith("layoutalg"):
        return True
    if isinstance(value, sympy.Basic):
        return "operatorname" not in value._repr_latex_()
    found = value._repr_mimebundle_()
    bundle = found[0] if isinstance(found, tuple) else found  # a widget's has metadata beside it
    return {"text/html", "text/plain"} <= set(bundle) and len(str(bundle)) < LARGEST


def test_the_readme_lists_all_notebooks():
    assert [path.stem[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, 13)]
    listed = re.findall(r"\| \[.*?\]\((notebooks/.*?\.ipynb)\) \|", (ROOT / "README.md").read_text())
    assert listed == [str(path.relative_to(ROOT)) for path in NOTEBOOKS]


@pytest.mark.sample(10)
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=pytest.mark.slow if p.stem in LONG else ()) for p in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_every_cell_runs_and_every_value_of_ours_is_displayed(path):
    names: dict[str, object] = {}
    for cell in cells_of(path):
        where = f"{path.name}, cell {cell['id']}"
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), where, "exec"), names)  # noqa: S102  our own notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)  # noqa: S307
            assert displayed(value), where


@every_notebook
def test_it_begins_with_its_title_and_ends_with_exercises(path):
    prose = prose_of(path)
    assert prose[0].startswith(f"# {path.stem[:2]} ")
    assert prose[-1].startswith("## Try yourself\n")
    assert len(re.findall(r"^\d\. ", prose[-1], re.MULTILINE)) in {2, 3}
    assert sum(text.startswith("# ") for text in prose) == 1


@every_notebook
def test_nothing_is_pasted(path):
    for text in prose_of(path):
        assert not [pattern for pattern in PASTED if re.search(pattern, text, re.MULTILINE)], text


@every_notebook
def test_imports_are_written_out_and_nothing_is_fetched(path):
    for cell in cells_of(path):
        source = "".join(cell["source"])
        assert "import *" not in source
        assert not re.search(r"^\s*[%!]", source, re.MULTILINE)


@every_notebook
def test_outputs_are_stripped_and_cells_have_names(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells_of(path))
    assert all(cell["metadata"] == {} for cell in content["cells"])
    assert content["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    ids = [cell["id"] for cell in content["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in ids)
