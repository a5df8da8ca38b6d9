"""Notebooks run top to bottom, say what they answer, paste nothing, and are kept with what their cells show.

That the outputs are those of today is ``python -m tests.notebooks --check``, a step of ``.ci/run``.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import re
import tempfile
from pathlib import Path

import nbformat
import pytest
import sympy

from tests.notebooks import NEEDS, chosen, environment, kept, main

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # read when Triton is imported, which else warns
ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEMPORARY = tempfile.gettempdir()
LARGEST = 2_000_000  # bytes of a displayed value
PASTED = (r"^\s*\|.*\|", r"!\[", r"<(img|table|svg)\b", r"data:image", r"^\s*(Out|In) ?\[")
LONG = ("00_your_first_caught_bug", "07_gemm", "08_ci")  # the check of the outputs runs them too
KEPT = 1_000_000  # bytes of a notebook
MACHINE = re.compile(r"/(?:root|home|work)/|/tmp/|ipykernel_|\bat 0x[0-9a-f]{9,}|\d{4}-\d\d-\d\d[T ]\d\d:")
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


def test_a_notebook_shows_the_same_under_a_ci_service_and_with_options_of_a_user(monkeypatch):
    for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "FORCE_COLOR", "PYTEST_ADDOPTS", "PYTHONPATH"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LAYOUTALG_CK_TREE", "/somewhere")
    found = environment()
    assert not {"CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "FORCE_COLOR", "PYTEST_ADDOPTS"} & set(found)
    assert found["COLUMNS"] == "110"
    assert found["PYTHONPATH"] == str(ROOT)
    assert found["LAYOUTALG_CK_TREE"] == "/somewhere"
    assert found["PATH"] == os.environ["PATH"]


def test_the_readme_lists_all_notebooks():
    assert [path.stem[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(13)]
    listed = re.findall(r"\| \[.*?\]\((notebooks/.*?\.ipynb)\) \|", (ROOT / "README.md").read_text())
    assert listed == [str(path.relative_to(ROOT)) for path in NOTEBOOKS]


@pytest.mark.slow_sample(8)
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


def test_the_first_is_read_in_three_minutes():
    first = NOTEBOOKS[0]
    words = sum(len(text.split()) for text in prose_of(first))
    lines = sum(len(cell["source"]) for cell in cells_of(first))
    assert words / 200 + lines / 60 < 3  # minutes, at the pace of a careful reader


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
def test_it_says_what_it_answers(path):
    _, answers, *_ = prose_of(path)[0].split("\n\n")
    assert answers.startswith("**Answers**: ")
    assert answers.endswith("?") or "? " in answers


@every_notebook
def test_outputs_are_kept_without_noise_and_cells_have_names(path):
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    codes = cells_of(path)
    assert any(cell["outputs"] for cell in codes)
    assert not MACHINE.search("".join(json.dumps(cell["outputs"]) for cell in codes))
    assert len(text) < KEPT
    for cell in codes:
        assert cell["execution_count"] is None
        assert as_cells([cell])[0] == kept(as_cells([cell])[0]), cell["id"]
    assert all(cell["metadata"] in ({}, *({"tags": [tag]} for tag in NEEDS)) for cell in content["cells"])
    assert content["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    ids = [cell["id"] for cell in content["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in ids)


def as_cells(cells):
    """The outputs of cells as nbformat reads them: lines joined."""
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return [cell.outputs for cell in nbformat.reads(json.dumps(book), as_version=4).cells]


def test_what_differs_between_runs_is_not_kept():
    def run(number):
        made = f"tmp{number}ab"
        return [
            {"output_type": "stream", "name": "stdout", "text": f"{Path(TEMPORARY, made)}/x.py:1\n"},
            {"output_type": "stream", "name": "stdout", "text": f"passed in {number}.25s\n"},
            {
                "output_type": "execute_result",
                "execution_count": number,
                "metadata": {"noise": number},
                "data": {
                    "application/vnd.jupyter.widget-view+json": {"model_id": str(number)},
                    "image/svg+xml": "<svg/>",
                    "text/html": f'<p id="la-{number:032x}">1</p>',
                    "text/plain": f"<thing at 0x{number}fffffffff>",
                },
            },
        ]

    first, second = kept(run(1)), kept(run(2))
    assert first == second
    assert first[0]["text"] == "example/x.py:1\npassed in ..s\n"
    assert first[1]["data"] == {"text/html": '<p id="la-widget">1</p>', "text/plain": "<thing>"}


@pytest.fixture
def is_tidy():
    """What a test leaves to the collector would be blamed on another."""
    yield
    gc.collect()


def small_notebook(folder, source, shown):
    cell = {"cell_type": "code", "id": "one", "metadata": {}, "source": source, "execution_count": None}
    outputs = [{"name": "stdout", "output_type": "stream", "text": [shown]}]
    book = {"cells": [{**cell, "outputs": outputs}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "01_small.ipynb").write_text(json.dumps(book), encoding="utf-8")
    return folder / "01_small.ipynb"


@pytest.mark.slow
@pytest.mark.usefixtures("is_tidy")
def test_stale_outputs_are_seen_and_written_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tests.notebooks.FOLDER", tmp_path)
    path = small_notebook(tmp_path, "print(1 + 1)", "3\n")
    assert main(["--check", "--processes", "1"]) == 1
    assert "stale: 01_small.ipynb" in capsys.readouterr().out
    assert main(["--processes", "1"]) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["cells"][0]["outputs"][0]["text"] == ["2\n"]
    assert main(["--check", "--processes", "1"]) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("is_tidy")
def test_a_cell_that_fails_ends_the_command_and_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.notebooks.FOLDER", tmp_path)
    path = small_notebook(tmp_path, "1/0", "3\n")
    before = path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match=r"01_small\.ipynb: "):
        main(["--processes", "1"])
    assert path.read_text(encoding="utf-8") == before


def test_a_notebook_that_is_not_there_is_told():
    with pytest.raises(SystemExit, match="no notebook has 'nosuch' in its name"):
        chosen(["nosuch"])
